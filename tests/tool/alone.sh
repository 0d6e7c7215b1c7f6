#!/usr/bin/env bash
# tests/tool/alone.sh TOOL
#
# Without a driver, more is sorted than the library's calling thread takes at once: numbers of each
# size, records, positions, values, segments, numbers in lines and lines, in memory and in pieces.
# The judge is the tool's sort by a device, which other tests check. Exit status 77: there is no
# OpenCL device.
. "$(dirname "$0")/common.sh"
hides_drivers || {
    echo "skipped: this loader does not follow OCL_ICD_VENDORS"
    exit 77
}
mkdir tmp
export TMPDIR=$dir/tmp
alone() { env -u CLSORT_DEVICE -u CLSORT_TUNING OCL_ICD_VENDORS=/nonexistent "$tool" "$@"; }

# ---- Data: the same each time, and not as many as a multiple of anything -------------------------
count=1200007 # the calling thread takes 2^20 that are not sorted by vectors
awk 'BEGIN { for (i = 0; i < 1500000; i++) print i * 7919 % 400009 * 31 % 65537 }' |
    gzip -n -1 >bytes
while [ "$(stat -c %s bytes)" -lt $((8 * count)) ]; do cat bytes bytes >more && mv more bytes; done
head -c $((4 * count)) bytes >in
head -c $((3 * count)) bytes >values3
tail -c $((8 * count)) bytes >values8

# judged NAME FILE OPTION...: sorted by a device and without one.
judged() {
    local name=$1 file=$2
    shift 2
    status "$name" 0 "$tool" sort "${on[@]}" -o expected "$@" "$file"
    status "$name, alone" 0 alone sort --stats -o got "$@" "$file"
    mentions "$name, alone" "device none: the host sorted"
    same "$name, alone" expected got
}
# piped NAME FILE OPTION...: from a pipe, too.
piped() {
    judged "$@"
    local name=$1 file=$2
    shift 2
    status "$name, alone, piped" 0 alone sort -o got "$@" - < <(cat "$file")
    same "$name, alone, piped" expected got
}

# ---- Keys, records and positions -----------------------------------------------------------------
for type in u8 i16 f32 f64; do
    size=$((${type##*[a-z]} / 8))
    head -c $((size * count)) bytes >keys
    piped "$type" keys -y $type
    judged "$type, positions" keys -y $type --argsort --verify
    judged "$type, positions of 8 bytes, -r -S" keys -y $type --argsort=8 -r -S 4M --verify
    piped "$type, -S" keys -y $type -r -S 2M --verify
done
for options in "" "-r -u" "--argsort" "-S 3M --verify" "--argsort -S 3M -r --verify"; do
    # shellcheck disable=SC2086 # several options
    judged "records, $options" values8 --record-size 8 --key-offset 3 -y u16 --stable $options
done
judged "-u" in -y u32 -u
judged "-u in pieces" in -y u32 -u -S 2M
# More than vectors take.
for _ in 1 2 3 4 5 6 7 8; do cat in; done >keys
judged "many keys" keys -y u32

# ---- Values and segments -------------------------------------------------------------------------
for options in "-y u32 --stable" "-y f32 -r --stable" "-y i32 -u"; do
    for way in on alone; do
        [ $way = on ] && by=("$tool" sort "${on[@]}") || by=(alone sort)
        # shellcheck disable=SC2086
        status "values, $options, $way" 0 "${by[@]}" $options -o $way --values values3 \
            --values-output $way.3 --values values8 --values-output $way.8 in
    done
    for part in "" .3 .8; do same "values$part, $options" on$part alone$part; done
done
# Many segments that are empty or short, some that are long, and elements in none of them.
awk -v count=$count 'BEGIN { for (at = 5; at < count - 9; at += size) {
    print at; size = n % 50 == 7 ? 170001 : n % 7 == 3 ? 9000 : n * 31 % 40; n++ } }' >starts
while read -r start; do
    printf -v hex '%016x' "$start"
    printf '%b' "\\x${hex:14:2}\\x${hex:12:2}\\x${hex:10:2}\\x${hex:8:2}\\0\\0\\0\\0"
done <starts >offsets
for options in "-y u32" "-y i32 -r --argsort" "-y u32 --argsort=8" \
    "--record-size 4 --key-offset 1 -y u16 --stable"; do
    # shellcheck disable=SC2086
    status "segments, $options" 0 "$tool" sort "${on[@]}" $options --segments offsets -o expected in
    # shellcheck disable=SC2086
    status "segments, $options, alone" 0 alone sort $options --segments offsets -o got in
    same "segments, $options, alone" expected got
done

# ---- Text ----------------------------------------------------------------------------------------
od -An -v -w4 -t d4 in | tr -d ' ' >lines
sort -s -n lines >expected
for options in "--text -y i32" "--text -y f64 -S 20M" "--text -y i64 --verify -S 30M" "-s -n" \
    "-s -n -S 30M --verify"; do
    # shellcheck disable=SC2086
    status "text, $options" 0 alone sort $options -o got lines
    same "text, $options" expected got
    # shellcheck disable=SC2086
    status "text, $options, piped" 0 alone sort $options -o got - < <(cat lines)
    same "text, $options, piped" expected got
done
sort lines >expected
status "lines" 0 alone sort -o got lines
same "lines" expected got
judged "positions of numbers" lines --text -y i32 --argsort
judged "positions of numbers, -S" lines --text -y i32 --argsort -S 4M --verify

# ---- What asks for a device ----------------------------------------------------------------------
no_driver="no OpenCL platform"
env OCL_ICD_VENDORS=/nonexistent "$tool" devices >out 2>err || no_driver=$(sed 's/^clsort: //' err)
for options in "-y u32 -D 0 in" "-y u32 -a radix in" "--text -y i32 -D cpu lines" \
    "--lines -D cpu lines"; do
    # shellcheck disable=SC2086
    refuses "asked for: $options" "$no_driver" env -u CLSORT_DEVICE OCL_ICD_VENDORS=/nonexistent \
        "$tool" sort $options
done

exit $((num_failed > 0))
