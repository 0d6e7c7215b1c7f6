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
    refuses "-c -y $options" exclude "$tool" sort -c -y u32 $options order.u32
done
refuses "-c -C" exclude "$tool" sort -c --check=quiet -y u32 order.u32

# ---- -h is no help -------------------------------------------------------------------------------
for option in -h --human-numeric-sort --hu; do
    status "$option alone" 0 "$tool" sort $option <sizes.txt
    sort -h sizes.txt >expected
    same "$option alone" expected out
done

# ---- Every option --------------------------------------------------------------------------------
# A row is arguments, which a shell reads, and what becomes of them: "same" is the output, the
# messages' absence and the status of sort(1); else a text of the sentence that refuses them.
printf 'b 2\na 10\nc 1\na 9\nB 2\n' >words.txt
printf '%s\n' 2K 1M -3 '' 1e3 x Feb jan ' 7' v1.10 v1.9 +4 0x1F >mixed.txt
printf 'b:2\na:10\na:9\n' >colons.txt
printf 'b\0a\0' >zeros.txt
printf '1\n3\n' >odd.txt
printf '2\n3\n' >even.txt
sort --help | grep -oE -- '^ +(-[A-Za-z], )?(-[A-Za-z]|--[a-z0-9-]+)|, --[a-z0-9-]+' |
    grep -oE -- '--?[A-Za-z0-9-]+' | sort -u >all.txt
[ "$(wc -l <all.txt)" -ge 40 ] || fail "sort --help lists too few options"
: >tried.txt
while IFS='|' read -r arguments expected; do
    eval "set -- $arguments"
    for word; do
        word=${word%%=*}
        [[ $word != --* ]] || printf '%s\n' "$word"
        [[ $word != -[A-Za-z]* ]] || printf '%s\n' "${word:0:2}"
    done >>tried.txt
    rm -f written expected.written
    if [ "$expected" = same ]; then
        rc=0
        sort "$@" >expected.out 2>expected.err <mixed.txt || rc=$?
        [ ! -e written ] || mv written expected.written
        status "sort $arguments" "$rc" "$tool" sort "$@" <mixed.txt
        same "sort $arguments" expected.out out
        [ -s expected.err ] || [ ! -s err ] || fail "sort $arguments: there is a message"
        [ ! -e expected.written ] || same "sort $arguments" expected.written written
    else
        refuses "sort $arguments" "$expected" "$tool" sort "$@" <mixed.txt
        [ ! -e written ] || fail "sort $arguments: the output is written"
    fi
done <<'END'
-b words.txt|same
-b -k2 words.txt|same
--ignore-leading-blanks -k2,2 words.txt|same
-d mixed.txt|same
--dictionary-order mixed.txt|same
-f words.txt|same
--ignore-case words.txt|same
-g mixed.txt|same
--general-numeric-sort|same
-h|same
--human-numeric-sort mixed.txt|same
-i mixed.txt|same
--ignore-nonprinting|same
-M|same
--month-sort mixed.txt|same
-n|same
--numeric-sort mixed.txt|same
-r|same
--reverse mixed.txt|same
-V -k2V colons.txt|same
--version-sort -t: colons.txt|same
-R|shuf(1)
--random-sort|shuf(1)
--random-source=words.txt|no random order
--sort=numeric|same
--sort=n|same
--sort general-numeric|same
--sort=g|same
--sort=human|same
--sort=month|same
--sort=version colons.txt|same
--sort=random|shuf(1)
--sort=r|shuf(1)
--sort=|the orders are
--sort=words|the orders are
--batch-size=2 -m odd.txt even.txt odd.txt even.txt odd.txt|same
--batch-size=2 -n odd.txt even.txt odd.txt|same
--batch-size=1 -m odd.txt|at least 2
--batch-size=x -m odd.txt|not a whole number
-c|same
-c order.txt|same
--check order.txt|same
--check=diagnose-first words.txt|same
-C words.txt|same
--check=quiet words.txt|same
--check=silent order.txt|same
-c odd.txt even.txt|one file
-c -o written order.txt|no output
--compress-program=cat words.txt|--compress-program is not supported
--debug words.txt|--debug is not supported
--files0-from=zeros.txt|--files0-from is not supported
-k 2 words.txt|same
-k2,2 -k1,1r words.txt|same
-k ' 2' words.txt|same
-k '+2' words.txt|same
-k '1.1, 1.1' words.txt|same
-k 2n -k1,1 words.txt|same
--key=2,2n words.txt|same
-k1,1 -k1,1 -k 99 words.txt|same
-k 0 words.txt|counted from 1
-k 1,2,3 words.txt|-k
-k -1 words.txt|-k
-k '' words.txt|-k
-k 1R words.txt|random order
+1 -2 words.txt|old form
+1 words.txt|write -k 2 for it
-2 words.txt|old form
-m odd.txt even.txt|same
--merge -n odd.txt even.txt -|same
-m|same
-o written words.txt|same
--output=written words.txt|same
-o written -o written words.txt|same
-o written -o other words.txt|given twice
words.txt -o written|same
-s -k1,1 words.txt|same
--stable -f -k1,1 words.txt|same
-S 1M words.txt|same
--buffer-size=50% words.txt|same
-S 1M -S 1K words.txt|same
-S 1x words.txt|not a size
-t : -k2n colons.txt|same
-t: -k2,2 colons.txt|same
--field-separator=: -k2n colons.txt|same
-t '\0' -k1 zeros.txt|same
-t : -t : -k2n colons.txt|same
-t : -t , colons.txt|there is one separator
-t '' colons.txt|one byte
-t ab colons.txt|one byte
-T . words.txt|same
--temporary-directory=. words.txt|same
-T . -T / words.txt|given twice
--parallel=1 words.txt|same
--parallel=4 -n|same
--parallel=0 words.txt|at least 1
-u words.txt|same
--unique -k1,1 words.txt|same
-c -u order.txt|same
-z zeros.txt|same
--zero-terminated -r zeros.txt|same
-n -d mixed.txt|do not go together
-n -g mixed.txt|do not go together
-c -C order.txt|exclude
-rn|same
-nr mixed.txt words.txt|same
-fu words.txt words.txt|same
-- words.txt|same
- words.txt|same
missing.txt|missing.txt
-X words.txt|unknown
--frobnicate words.txt|unknown
END
sort -u tried.txt >more.txt
grep -vxF -f more.txt all.txt | grep -vxE -- '--(help|version)' >untried.txt
[ ! -s untried.txt ] || fail "options that no row has: $(tr '\n' ' ' <untried.txt)"

refuses "rounds of two" "nowhere" "$tool" sort -m --batch-size=2 -T nowhere odd.txt even.txt odd.txt
status "a comma of CSV" 0 "$tool" sort --csv -k2,2n - < <(printf 'a,2\nb,1\n')
for options in "--csv -t;" "-t; --csv"; do
    # shellcheck disable=SC2086 # two options
    status "$options" 0 "$tool" sort $options -k2,2n - < <(printf 'a;2\nb;1\n')
    [ "$(head -1 out)" = "b;1" ] || fail "$options: the order"
done
cp order.txt ./+1
status "a file that looks like a key" 0 "$tool" sort ./+1

# ---- Long options cut short ----------------------------------------------------------------------
# What sort(1) takes for one option is no other here: it is the same, or several are named.
while read -r option; do
    name=${option#--}
    for ((length = 1; length < ${#name}; length++)); do
        cut=${name:0:length}
        [ "$(grep -c "^--$cut" all.txt)" -eq 1 ] || continue
        "$tool" sort "--$cut" "" words.txt >out 2>err && continue
        grep -q "is ambiguous; it may be.* --$name\(,\|\$\)" err && continue
        "$tool" sort "$option" "" words.txt >expected 2>&1
        same "sort --$cut and $option" expected err
    done
done < <(grep '^--' all.txt)
refuses "an ambiguous option" "it may be --key-offset, --key" "$tool" sort --k 2 words.txt

exit $((num_failed > 0))
