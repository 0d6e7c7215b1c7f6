#!/usr/bin/env bash
# tests/tool/top.sh TOOL
#
# Tests 'clsort top'. What is right is said by sort(1), awk and od, never by the tool or the library.
. "$(dirname "$0")/common.sh"

# ---- Of a file: of the calling thread and of a device --------------------------------------------
seq 1 5000 | awk '{ print ($1 * 7919) % 1009 }' >numbers.txt
for device in '' "${on[*]}"; do
    status "top $device" 0 "$tool" top $device -N 20 --skip 5 -r --text numbers.txt
    sort -rn numbers.txt | sed -n 6,25p | cmp -s - out || fail "top $device: not the numbers"
    status "top $device --argsort" 0 "$tool" top $device -N 9 --argsort --text numbers.txt
    awk '{ print $1, NR - 1 }' numbers.txt | sort -k1,1n -k2,2n | head -n 9 | cut -d ' ' -f 2 |
        cmp -s - out || fail "top $device --argsort: not the indices"
    status "top $device --median" 0 "$tool" top $device --median --text numbers.txt
    sort -n numbers.txt | sed -n 2500p | cmp -s - out || fail "top $device: not the median"
done
status "top of few" 0 "$tool" top -N 100 --text - <<'END'
3
1
END
[ "$(cat out)" = "1
3" ] || fail "top of few"
status "top of none" 0 "$tool" top --median -y u32 /dev/null
[ ! -s out ] || fail "top of none"
# As head(1) does: what is not there is not missed.
status "top behind the end" 0 "$tool" top -N 5 --skip 6000 --text numbers.txt
[ ! -s out ] && [ ! -s err ] || fail "top behind the end"
status "top --median -N" 2 "$tool" top --median -N 3 numbers.txt

# ---- Of segments ---------------------------------------------------------------------------------
# Bits of the numbers, as raw offsets.
u64() {
    for number; do
        for shift in 0 8 16 24 32 40 48 56; do
            # shellcheck disable=SC2059 # a format is what it makes
            printf "\\x$(printf %02x $((number >> shift & 255)))"
        done
    done
}
# expected SKIP COUNT ORDER: of each segment of numbers.txt in ORDER, r or none; COUNT m: the median.
# The numbers go to expected, their indices in their segments to indices, the offsets to ends.
expected() {
    local i skip count length ends=(0)
    : >expected
    : >indices
    for ((i = 1; i < ${#offsets[@]}; i++)); do
        length=$((offsets[i] - offsets[i - 1]))
        skip=$1 count=$2
        [ "$2" != m ] || { skip=$((length > 0 ? (length - 1) / 2 : 0)) count=1; }
        awk -v b="${offsets[i - 1]}" -v e="${offsets[i]}" \
            'NR > b && NR <= e { print $1, NR - 1 - b }' numbers.txt >segment
        sort -s "-k1,1n$3" segment | awk -v s=$skip -v n="$count" 'NR > s && NR <= s + n' >wanted
        cut -d ' ' -f 1 wanted >>expected
        cut -d ' ' -f 2 wanted >>indices
        ends+=($((ends[i - 1] + $(wc -l <wanted))))
    done
    echo "${ends[@]}" >ends
}
# in_segments NAME OPTION...: the tool's answer is what was expected; numbers, indices and offsets.
in_segments() {
    local name=$1
    shift
    status "$name" 0 "$tool" top --segments offsets --segments-output got.ends --text "$@" numbers.txt
    same "$name" expected out
    echo $(od -An -v -w8 -t u8 got.ends) | cmp -s - ends || fail "$name: not the offsets"
    status "$name, raw" 0 "$tool" top --segments offsets -y u32 "$@" -o got.u32 numbers.u32
    od -An -v -w4 -t u4 got.u32 | tr -d ' ' | cmp -s - expected || fail "$name, raw"
    status "$name, indices" 0 "$tool" top --segments offsets -y u32 "$@" --argsort=8 -o got.u64 \
        - <numbers.u32
    od -An -v -w8 -t u8 got.u64 | tr -d ' ' | cmp -s - indices || fail "$name, indices"
}
# The first key and the last ones are in no segment; others are empty, of one key, and long.
offsets=(1 1 2 5 5 40 700 701 4000 4000 4990)
u64 "${offsets[@]}" >offsets
# shellcheck disable=SC2059 # escapes are a format
printf "$(awk '{ printf "\\x%02x\\x%02x\\x0\\x0", $1 % 256, $1 / 256 }' numbers.txt)" >numbers.u32
expected 0 3 ""
in_segments "top of segments" -N 3
expected 2 4 r
in_segments "top of segments --skip -r" -N 4 --skip 2 -r
expected 0 10 ""
in_segments "top of segments, as many as without -N"
expected 30 4000 ""
in_segments "top of segments, more than there are" -N 2^50 --skip 30
expected 3 100000 ""
in_segments "top of segments, all behind" -N 0 --skip 3
expected 0 m ""
in_segments "top of segments --median" --median
expected 6000 5 ""
in_segments "top of segments, behind all" -N 5 --skip 6000

# What is written is again a file of segments.
expected 0 6 ""
status "top of top" 0 "$tool" top -N 6 --segments offsets --segments-output ends.u64 -y u32 -o six \
    numbers.u32
status "top of top" 0 "$tool" top -N 1 -r --segments ends.u64 -y u32 --argsort -o one six
offsets_before=("${offsets[@]}")
read -r -a offsets <ends
cp expected numbers.txt
expected 0 1 r
od -An -v -w4 -t u4 one | tr -d ' ' | cmp -s - indices || fail "top of top"
offsets=("${offsets_before[@]}")

status "top of no segments" 0 "$tool" top -y u32 --segments <(u64 0) --segments-output ends.u64 \
    numbers.u32
[ ! -s out ] || fail "top of no segments"
cmp -s ends.u64 <(u64 0) || fail "top of no segments: not one offset"
status "top of no keys" 0 "$tool" top -y u32 --segments <(u64 0 0) --segments-output ends.u64 /dev/null
[ ! -s out ] || fail "top of no keys"
cmp -s ends.u64 <(u64 0 0) || fail "top of no keys: not two offsets"
status "offsets of standard input" 0 "$tool" top -N 1 -y u32 --segments - numbers.u32 < <(u64 0 1)
[ "$(od -An -t u4 out | tr -d ' ')" = 856 ] || fail "offsets of standard input"

# ---- What is refused -----------------------------------------------------------------------------
echo good >kept
refused() { refuses "$1" "$2" "$tool" top -y u32 --segments-output kept "${@:3}" numbers.u32; }
refused "offsets that decrease" "is 4, less than the one before it, 5" --segments <(u64 2 5 4 9)
refused "offsets beyond the keys" "the last offset is 5001, and there are 5000 keys" \
    --segments <(u64 0 5001)
refused "no offsets" "has no offsets" --segments /dev/null
refused "half an offset" "4 bytes" --segments <(printf '\0\0\0\0')
refused "a file that is not there" "nowhere" --segments nowhere
refused "no segments" "--segments" -N 3
refused "the same output" "its own" --segments offsets -o ./kept
refuses "both on standard output" "its own" "$tool" top -y u32 --segments offsets \
    --segments-output - numbers.u32
refuses "both of standard input" "standard input" "$tool" top -y u32 --segments - <numbers.u32
refuses "neither type nor text" "-y" "$tool" top --segments offsets numbers.u32
refuses "a folder that is not there" "nowhere" "$tool" top -y u32 --segments offsets -o new \
    --segments-output nowhere/ends numbers.u32
[ ! -e new ] || fail "an output is there after a refusal"
[ -z "$(find . -name '.clsort*')" ] || fail "a temporary file is left"
[ "$(cat kept)" = good ] || fail "an output is touched"

# Floats are as short as reads back the same: whole ones have no exponent that makes them longer.
printf '%s\n' 1000 10 1e21 0.5 1e-7 123456 | "$tool" top --text -y f64 >got 2>err ||
    fail "top --text of floats"
printf '%s\n' 1e-07 0.5 10 1000 123456 1e+21 >expected
same "top --text of floats" expected got
printf abc >broken
refuses "top of broken offsets" "of offsets of 8 bytes" "$tool" top -y u32 --segments broken numbers.u32

if "$tool" top --json -y u32 numbers.u32 >/dev/null 2>err; then
    status "top --json" 0 "$tool" top -N 3 --segments offsets --json -y u32 -o got.u32 numbers.u32
    mentions "top --json" '"segments":10,"found":'
fi

exit $((num_failed > 0))
