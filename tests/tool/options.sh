#!/usr/bin/env bash
# tests/tool/options.sh TOOL
#
# Each option of sort(1) means to 'clsort sort' what it means to sort(1), or is refused.
. "$(dirname "$0")/common.sh"
printf 'b\na\n' >disorder.txt
printf 'a\nb\n' >order.txt
printf '2K\n1M\n3\n' >sizes.txt
printf '\1\0\0\0\2\0\0\0' >order.u32
printf '\2\0\0\0\1\0\0\0' >disorder.u32

# ---- Is it sorted? -------------------------------------------------------------------------------
for option in -c --check --chec --ch --check=diagnose-first --check=d; do
    status "$option of order" 0 "$tool" sort $option order.txt
    status "$option of disorder" 1 "$tool" sort $option disorder.txt
    says "$option of disorder" "disorder.txt:2: disorder: "
    silent "$option of disorder"
    status "$option of numbers in order" 0 "$tool" sort -y u32 $option order.u32
    status "$option of numbers in disorder" 1 "$tool" sort $option -y u32 disorder.u32
    cp err expected
    status "check" 1 "$tool" check -y u32 disorder.u32
    same "$option of numbers" expected err
done
for option in -C --check=quiet --check=silent --check=q; do
    status "$option of order" 0 "$tool" sort $option order.txt
    status "$option of disorder" 1 "$tool" sort $option disorder.txt
    [ ! -s err ] || fail "$option of disorder has a message"
    status "$option of numbers in disorder" 1 "$tool" sort $option -y u32 disorder.u32
    [ ! -s err ] || fail "$option of numbers in disorder has a message"
done
status "-c -r of numbers" 0 "$tool" sort -c -r -y u32 disorder.u32
status "-c of numbers in lines" 1 "$tool" sort -c -y u32 --text - < <(printf '3\n2\n')
for word in x "" qq; do
    refuses "--check=$word" "quiet, silent or diagnose-first" "$tool" sort "--check=$word" order.txt
done
for options in "-o out" "${on[*]}" -u "-a radix" --argsort "--segments x" --verify --stats; do
    # shellcheck disable=SC2086 # several words
    refuses "-c -y $options" "-c goes without" "$tool" sort -c -y u32 $options order.u32
done
refuses "-c -C" exclude "$tool" sort -c --check=quiet -y u32 order.u32

# ---- -h is no help -------------------------------------------------------------------------------
for option in -h --human-numeric-sort --hu; do
    status "$option alone" 0 "$tool" sort $option <sizes.txt
    sort -h sizes.txt >expected
    same "$option alone" expected out
done

exit $((num_failed > 0))
