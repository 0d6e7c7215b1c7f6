#!/usr/bin/env bash
# tests/tool/values.sh TOOL
#
# What moves with raw keys: 'clsort sort --values', and --unique, against sort(1) and awk.
. "$(dirname "$0")/common.sh"

# raw WIDTH: numbers, one a line, as raw little-endian unsigned ones of 1, 2, 4 or 8 bytes.
raw() {
    local -A packs=([1]=C [2]=v [4]=V [8]='Q<')
    perl -ne "print pack('${packs[$1]}', \$_)"
}
numbers() { od -An -v -w"$1" -t u"$1" "$2" | tr -d ' '; }
# column NUM FILE: a column of a table.
column() { cut -d ' ' -f "$1" "$2"; }

# A key with many equals, and three values of 1, 2 and 8 bytes.
seq 0 20010 |
    awk \
    '{ printf "%d %d %d %.0f\n", $1 * 7919 % 1009, $1 % 256, $1 * 31 % 65521, $1 * 4294967311 }' \
    >table
column 1 table | raw 4 >keys
column 2 table | raw 1 >v1
column 3 table | raw 2 >v2
column 4 table | raw 8 >v8
three="--values v1 --values v2 --values-output o1 --values v8 --values-output o2 --values-output o8"
# moved NAME: the sorted table is what lies in the outputs.
moved() {
    for pair in 1:4:keys 2:1:o1 3:2:o2 4:8:o8; do
        IFS=: read -r at width file <<<"$pair"
        [ "$file" != keys ] || file=sorted
        column "$at" expected >want
        numbers "$width" $file >got
        same "$1, column $at" want got
    done
}

# ---- Values --------------------------------------------------------------------------------------
sort -s -n -k 1,1 table >expected
# shellcheck disable=SC2086 # options
status "three files" 0 "$tool" sort -y u32 --stable $three -o sorted --verify keys
moved "three files"
sort -s -n -r -k 1,1 table >expected
# shellcheck disable=SC2086
status "descending, a pipe" 0 "$tool" sort -r -y u32 -s $three -o sorted - <keys
moved "descending, a pipe"
sort -s -n -k 1,1 table >expected
cp keys sorted
cp v1 o1
cp v2 o2
cp v8 o8
status "in place" 0 "$tool" sort -y u32 -s -o sorted --values o1 --values-output o1 --values o2 \
    --values-output o2 --values o8 --values-output o8 sorted
moved "in place"
# The value's size follows from the file's.
printf '\2\0\1' >few
printf 'twenty-------zero---------one----------' >wide
status "wide values" 0 "$tool" sort -y u8 --values wide --values-output out.wide few
[ "$(od -An -t u1 out | tr -s ' ')" = " 0 1 2" ] || fail "wide values: $(od -An -t u1 out)"
[ "$(cat out.wide)" = "zero---------one----------twenty-------" ] ||
    fail "wide values: $(cat out.wide)"
: >none
status "values without a device" 0 env OCL_ICD_VENDORS=/nowhere "$tool" sort -y u8 --values wide \
    --values-output out.host -o out few
cmp -s out.host out.wide || fail "values without a device: $(cat out.host)"
status "no keys" 0 "$tool" sort -y u8 --values none --values-output out.none none
[ ! -s out.none ] || fail "no keys: there are values"
# Segments, each with its values.
printf '\1\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0' >offsets
status "values of segments" 0 "$tool" sort -y u8 --segments offsets --values wide \
    --values-output out.wide few
[ "$(cat out.wide)" = "twenty-------zero---------one----------" ] || fail "values of segments"

# ---- Unique --------------------------------------------------------------------------------------
sort -s -n -u -k 1,1 table >expected
# shellcheck disable=SC2086
status "unique with values" 0 "$tool" sort -u -y u32 $three -o sorted --verify keys
moved "unique with values"
column 1 expected >want
status "unique" 0 "$tool" sort -u -y u32 -o sorted keys
numbers 4 sorted >got
same "unique" want got
status "unique of a pipe" 0 "$tool" sort --unique --type u32 - <keys
same "unique of a pipe" sorted out
status "unique in pieces" 0 "$tool" sort -y u32 -u -S 64K --verify -o pieces keys
same "unique in pieces" sorted pieces
status "unique, descending" 0 "$tool" sort -u -r -y u32 keys
numbers 4 out >got
tac want >want.r
same "unique, descending" want.r got
awk '!seen[$1]++ { print $1, NR - 1 }' table | sort -n | column 2 - >want
for more in '' '-S 64K'; do
    # shellcheck disable=SC2086
    status "unique positions $more" 0 "$tool" sort -u -y u32 --argsort $more keys
    numbers 4 out >got
    same "unique positions $more" want got
done
printf 'b1a1b2a2c1' >records
status "unique records" 0 "$tool" sort -u -y u8 --record-size 2 records
[ "$(cat out)" = a1b1c1 ] || fail "unique records: $(cat out)"
status "unique of none" 0 "$tool" sort -u -y u8 none
[ ! -s out ] || fail "unique of none"
if "$tool" check --json -y u8 none >out 2>err; then
    status "unique --json" 0 "$tool" sort -u -y u8 --json few
    grep -q '"written":3' err || fail "unique --json: $(cat err)"
fi

# ---- What is refused; nothing is lost ------------------------------------------------------------
mkdir keep
cp keys v1 v2 v8 keep
printf good >o1
head -c 20000 v1 >short
refuses "a size that does not fit" \
    "20000 bytes are not a value of the same size for each of 20011 keys" \
    "$tool" sort -y u32 -o keys --values v2 --values-output v2 --values short --values-output o1 \
    keys
refuses "no values" "0 bytes are not a value" "$tool" sort -y u32 -o keys --values none \
    --values-output o1 keys
refuses "values of no keys" "are not a value" "$tool" sort -y u32 -o o1 --values v1 \
    --values-output v1 none
refuses "no such file" "nowhere" "$tool" sort -y u32 -o keys --values nowhere --values-output o1 \
    keys
refuses "no such folder" "nowhere/o1" "$tool" sort -y u32 -o keys --values v1 \
    --values-output nowhere/o1 keys
refuses "no output" "1 --values and 0 --values-output" "$tool" sort -y u32 -o keys --values v1 keys
refuses "no input" "0 --values and 1 --values-output" "$tool" sort -y u32 -o keys \
    --values-output v1 keys
ln -s v1 link
for twice in v1 ./v1 link "$PWD/v1"; do
    refuses "the same output, $twice" "its own" "$tool" sort -y u32 -o keys --values v1 \
        --values-output v1 \
        --values v2 --values-output "$twice" keys
done
refuses "the keys' output" "its own" "$tool" sort -y u32 -o keys --values v1 \
    --values-output ./keys keys
refuses "the same new output" "its own" "$tool" sort -y u32 -o new --values v1 \
    --values-output ./new keys
refuses "two on standard output" "its own" "$tool" sort -y u32 --values v1 --values-output - keys
# Standard output by another name, files that a link makes the same, and what takes them all.
rc=0
"$tool" sort -y u32 --values v1 --values-output both keys >both 2>err || rc=$?
[ $rc -eq 2 ] || fail "the same as standard output: exit status $rc"
says "the same as standard output" "its own"
rc=0
"$tool" sort -y u32 --values v1 --values-output /dev/stdout keys 2>err | cat >out
[ "${PIPESTATUS[0]}" -eq 2 ] || fail "the same as a pipe: another exit status"
says "the same as a pipe" "its own"
silent "the same as a pipe"
ln -s new link.new
refuses "the same new output by a link" "its own" "$tool" sort -y u32 -o new --values v1 \
    --values-output link.new keys
"$tool" sort -y u32 --values v1 --values-output /dev/null keys >/dev/null 2>err ||
    fail "two outputs to /dev/null"
refuses "two of standard input" "standard input" "$tool" sort -y u32 --values - --values-output o1 \
    -o keys -
for i in $(seq 17); do echo "--values v1 --values-output o$i.new"; done >many
# shellcheck disable=SC2046 # options
refuses "too many" "at most 16" "$tool" sort -y u32 $(cat many) keys
refuses "values of lines" "values" "$tool" sort -k 1 --values v1 --values-output o1 table
excludes sort "-u -y u8" "--segments x"
excludes sort "--values x" --text
excludes sort "--values x" --lines
excludes sort "--values x" "-S 1M"
excludes sort "--values x" --argsort
for file in keys v1 v2 v8; do
    same "nothing is lost: $file" $file keep/$file
done
[ "$(cat o1)" = good ] || fail "an output is touched"
[ ! -e new ] || fail "an output is there after a refusal"
[ -z "$(find . -name '.clsort*' -o -name '*.clsort.*')" ] || fail "a temporary file is left"

exit $((num_failed > 0))
