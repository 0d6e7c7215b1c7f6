#!/usr/bin/env bash
# tests/tool/run.sh TOOL
#
# Tests the command-line tool. What is right is said by sort, od, cmp and awk, never by the tool or
# the library.
. "$(dirname "$0")/common.sh"

# ---- Data: the same bytes each time; 1 to 8 bytes a key ------------------------------------------
# escapes NUM: that many random bytes as printf takes them.
escapes() { awk -v n="$1" \
    'BEGIN { srand(11); for (i = 0; i < n; i++) printf "\\x%02x", int(rand() * 256) }'; }
# shellcheck disable=SC2059 # escapes are a format
printf "$(escapes 40024)" >bytes
[ "$(wc -c <bytes)" -eq 40024 ] || fail "the data could not be made"
# words SIZE: a file of keys as hexadecimal, one a line.
words() { od -An -v -w"$1" -t "x$1" | tr -d ' '; }
# binary: the way back.
# shellcheck disable=SC2059
binary() { printf "$(sed 's/../& /g' | awk '{ for (i = NF; i > 0; i--) printf "\\x%s", $i }')"; }
words 4 <bytes >in.hex
binary <in.hex | cmp -s - bytes || fail "the data does not come back from hexadecimal"

# ---- Integers, both orders, binary and text ------------------------------------------------------
for type in u8 u16 u32 u64 i8 i16 i32 i64; do
    size=$((${type#?} / 8))
    format=${type%%[0-9]*}
    [ "$format" = u ] || format=d
    numbers() { od -An -v -w$size -t "$format$size" | tr -d ' '; }
    numbers <bytes >in.txt
    sort -n in.txt >expected
    status "$type" 0 "$tool" sort -y $type bytes
    numbers <out >got
    same "$type" expected got
    status "$type --text" 0 "$tool" sort -y $type --text in.txt
    same "$type --text" expected out
    cp out sorted
    status "$type check" 0 "$tool" check -y $type --text sorted

    sort -n -r in.txt >expected
    status "$type -r" 0 "$tool" sort -y $type -r - <bytes
    numbers <out >got
    same "$type -r" expected got
    cp out sorted
    status "$type check -r" 0 "$tool" check -y $type -r sorted
    status "$type check of the reverse" 1 "$tool" check -y $type sorted
    says "$type check of the reverse" disorder
done

# ---- Floats, by their bits -----------------------------------------------------------------------
# order SIZE INFINITY: keys as hexadecimal from stdin, in the order that clsort.h tells: negative
# ones from the largest magnitude down, positive ones and their NaNs up, then the NaNs with a sign.
order() {
    local minus_infinity
    minus_infinity=f${1#7}
    cat >all
    grep '^[89a-f]' all | awk -v inf="$minus_infinity" '$0 "" <= inf ""' | sort -r
    grep '^[0-7]' all | sort
    grep '^[89a-f]' all | awk -v inf="$minus_infinity" '$0 "" > inf ""' | sort -r
}
for type in f16:2:7c00 bf16:2:7f80 f32:4:7f800000 f64:8:7ff0000000000000; do
    IFS=: read -r type size infinity <<<"$type"
    rest=${infinity#????}
    zeros=${rest//?/0}
    {
        words "$size" <bytes
        for word in 0000 8000 "${infinity%"$rest"}" "f${infinity:1:3}"; do echo "$word$zeros"; done
        for word in 7fff ffff 7fff; do echo "$word${zeros//0/1}"; done
        echo "${infinity%?}1"
        echo "f${infinity:1:$((2 * size - 2))}1"
        echo "${zeros}0001"
    } >in.hex
    binary <in.hex >in
    order "$infinity" <in.hex >expected
    status "$type" 0 "$tool" sort -y "$type" in
    words "$size" <out >got
    same "$type" expected got
    cp out sorted
    status "$type check" 0 "$tool" check -y "$type" sorted
    tac expected >expected.r
    status "$type -r" 0 "$tool" sort -y "$type" -r in
    words "$size" <out >got
    same "$type -r" expected.r got
    cp out sorted
    status "$type check -r" 0 "$tool" check -y "$type" -r sorted
    status "$type check of the reverse" 1 "$tool" check -y "$type" sorted
done

# Eighths have few digits, so what is printed is what was read.
awk 'BEGIN { srand(5); for (i = 0; i < 3000; i++) printf "%.9g\n", int(rand() * 2e6 - 1e6) / 8 }' \
    >in.txt
sort -g in.txt >expected
for type in f32 f64; do
    status "$type --text" 0 "$tool" sort -y $type --text in.txt
    same "$type --text" expected out
done
# Rounding once, ties to even; what is special. Lines whose numbers are the same keep their order.
printf '%s\n' 65519.999 65504 2049 2048 2052 2051 2.980232238769531250001e-8 6e-8 -0 0 nan \
    -nan inf -inf \
    ' 1.5 ' +3 0x1p-3 >in.txt
printf '%s\n' -inf -0 0 2.980232238769531250001e-8 6e-8 0x1p-3 ' 1.5 ' +3 2049 2048 2052 2051 \
    65519.999 65504 \
    inf nan -nan >expected
status "f16 rounding" 0 "$tool" sort -y f16 --text in.txt
same "f16 rounding" expected out
printf '%s\n' 3.3961e38 3.39e38 1e38 9.969e37 260 259 257 256 >in.txt
printf '%s\n' 257 256 260 259 1e38 9.969e37 3.3961e38 3.39e38 >expected
status "bf16 rounding" 0 "$tool" sort -y bf16 --text in.txt
same "bf16 rounding" expected out
# Decimals of few digits take a way of their own, and those in the middle between two floats
# another.
printf '%s\n' 16777217.0000000000000001 16777218 16777217 16777216 .1 0.1000000014901161 \
    0.100000001490116119384765625 \
    0.09999999776 >in.txt
printf '%s\n' 0.09999999776 .1 0.1000000014901161 0.100000001490116119384765625 16777217 16777216 \
    16777217.0000000000000001 16777218 >expected
status "f32 rounding" 0 "$tool" sort -y f32 --text in.txt
same "f32 rounding" expected out
# Every line as it was written.
printf '1e1\n10.0\n 9 \n+9\r\n-0\n009\n10' >in.txt
printf -- '-0\n 9 \n+9\r\n009\n1e1\n10.0\n10\n' >expected
status "lines as they are" 0 "$tool" sort -y f64 --text --verify in.txt
same "lines as they are" expected out
printf '1e1\n10.0\n10\n 9 \n+9\r\n009\n-0\n' >expected
status "lines as they are, -r" 0 "$tool" sort -y f64 --text -r - <in.txt
same "lines as they are, -r" expected out
printf '%s\n' 4 2 3 5 0 1 6 >expected
status "their positions" 0 "$tool" sort -y f64 --text --argsort in.txt
same "their positions" expected out
# What the tool prints itself is short.
printf '0.3\n0.1\n' >in.txt
for type in f16 f32 f64; do
    status "$type printed" 1 "$tool" check -y $type --text in.txt
    says "$type printed" "disorder: 0.1 after 0.3"
done

# ---- Segments ------------------------------------------------------------------------------------
# Keys 0 and 1 are in no segment; 2 to 4, 5 to 8 and the last, which is empty, are.
printf '\x09\x08\x07\x05\x06\x04\x03\x01\x02' >keys.u8
u64() { for number; do printf "\\x0$number\\0\\0\\0\\0\\0\\0\\0"; done; }
u64 2 5 9 9 >offsets
printf '9 8 5 6 7 1 2 3 4\n' >expected
status "segments" 0 "$tool" sort -y u8 --segments offsets -o got.u8 keys.u8
echo $(od -An -v -w1 -t u1 got.u8) >got
same "segments" expected got
printf '0 0 1 2 0 2 3 1 0\n' >expected
status "segments, positions" 0 "$tool" sort -y u8 --segments offsets --argsort -o got.u32 - <keys.u8
echo $(od -An -v -w4 -t u4 got.u32) >got
same "segments, positions" expected got
u64 2 5 4 9 >offsets
refuses "offsets that decrease" "is 4, less than the one before it, 5" \
    "$tool" sort -y u8 --segments offsets keys.u8
printf '\x02' >one.u8
u64 0 2 >offsets
refuses "offsets beyond the keys" "the last offset is 2, and there are 1 keys" "$tool" sort -y u8 \
    --segments offsets one.u8
refuses "no offsets" "has no offsets" "$tool" sort -y u8 --segments /dev/null keys.u8
refuses "segments, both of standard input" "standard input" "$tool" sort -y u8 --segments - <keys.u8
for option in --text --lines --verify "-a radix" "-S 1M"; do
    excludes sort "--segments x" "$option"
done

# ---- Positions -----------------------------------------------------------------------------------
od -An -v -w1 -t u1 bytes | tr -d ' ' | awk '{ print $1, NR - 1 }' | sort -s -n -k 1,1 |
    awk '{ print $2 }' >expected
status argsort 0 "$tool" sort -y u8 --argsort bytes
od -An -v -w4 -t u4 out | tr -d ' ' >got
same argsort expected got
status argsort=8 0 "$tool" sort -y u8 --argsort=8 --stable bytes
od -An -v -w8 -t u8 out | tr -d ' ' >got
same argsort=8 expected got
od -An -v -w1 -t u1 bytes | tr -d ' ' >in.txt
status "argsort --text" 0 "$tool" sort -y u8 --argsort --text in.txt
same "argsort --text" expected out

# ---- Algorithms and small sizes ------------------------------------------------------------------
for algorithm in auto rank bitonic; do
    for count in 0 1 2 3 33 1000 5003; do
        head -c $((count * 4)) bytes >in
        od -An -v -w4 -t u4 in | tr -d ' ' | sort -n >expected
        status "$algorithm of $count" 0 "$tool" sort -a $algorithm -o sorted in
        od -An -v -w4 -t u4 sorted | tr -d ' ' >got
        same "$algorithm of $count" expected got
    done
done

# ---- What is told --------------------------------------------------------------------------------
status --verify 0 "$tool" sort -y u32 --verify -o sorted bytes
says --verify "verified: "
silent --verify
status --stats 0 "$tool" sort -y u32 --stats -o sorted bytes
for word in device algorithm 10006 reading compiling sorting writing keys/s; do
    grep -q "$word" err || fail "--stats does not tell '$word'"
done
status --json 0 "$tool" sort -y u32 --json --verify -o sorted bytes
[ "$(wc -l <err)" -eq 1 ] || fail "--json is not one line"
for word in '"keys":10006' '"algorithm":"' '"verify":"passed"' '"sorting":' '"keys_per_second":'; do
    grep -qF "$word" err || fail "--json does not tell $word"
done
grep -q '^\*' devices.txt || fail "devices marks none"
status "devices --json" 0 "$tool" devices --json
[ "$(grep -c '^{"index":.*}$' out)" -eq "$(wc -l <out)" ] || fail "devices --json: not JSON"
status plan 0 "$tool" plan "${on[@]}" -N 2^14 -y f32
[ -s out ] || fail "plan prints nothing"
status "plan of few" 0 env -u CLSORT_DEVICE OCL_ICD_VENDORS=/nonexistent "$tool" plan -N 2^14 -y f32
grep -q '^host: 16384 f32 keys' out || fail "plan of few: not the host"
status "plan of few --json" 0 env -u CLSORT_DEVICE OCL_ICD_VENDORS=/nonexistent "$tool" plan \
    -N 2^14 --json
grep -q '"algorithm":"host".*"steps":\[\]' out || fail "plan of few --json: not the host"
grep -q '"num_arrays":1,.*"value_size":0,.*"scratch_size":0' out ||
    fail "plan of few --json: not what a device's has"
status "plan of few arrays" 0 env -u CLSORT_DEVICE "$tool" plan -N 100 --arrays 30
grep -q '^host: 30 arrays of 100 u32 keys' out || fail "plan of few arrays: $(cat out)"
# The types and shapes of bench, as wide as a terminal, with units.
while IFS='|' read -r options title; do
    # shellcheck disable=SC2086 # options and their arguments
    status "plan $options" 0 env CLSORT_LIMIT=cpu=0 "$tool" plan "${on[@]}" $options
    head -1 out | grep -qE "$title" || fail "plan $options: $(head -1 out)"
    awk 'length > 100 { exit 1 }' out || fail "plan $options: a line of more than 100 columns"
    tail -1 out | grep -qE '^launches [0-9]+, .* read [0-9.]+ ([KMGT]i)?B, ' ||
        fail "plan $options: $(tail -1 out)"
done <<'END'
-N 2^31 -a merge --stable|^merge: 1 x 2147483648 u32
-N 1e5 -y u32+u32|^[a-z]*: 1 x 100000 u32, ascending
-N 1e5 -y struct16f -r|^[a-z]*: 1 x 100000 records of 16 B
-N 1e5 --rows 100|^[a-z]*: 1000 x 100 u32
-N 1e5 --segments power|^[a-z]*: 1 x 100000 u32
-N 1e5 --limit 10 --skip 50%|^[a-z]*: 1 x 100000 u32, .*, out of place$
-N 0|^[a-z]*: 1 x 0 u32
END
for options in "-y u32+u32 --json|\"value_size\":4," "--rows 100 --json|\"num_arrays\":1000," \
    "--segments 100 --json|\"num_segments\":1000," \
    "--limit 7 --skip 3 --json|\"skip\":3,\"limit\":7,"; do
    # shellcheck disable=SC2086 # options and their arguments
    status "plan ${options%|*}" 0 "$tool" plan "${on[@]}" -N 1e5 ${options%|*}
    grep -q "${options#*|}" out || fail "plan ${options%|*}: not ${options#*|}"
done
refuses "plan of a list" "is a list; a plan is of one sort" "$tool" plan -N 9 -y u32,u64
refuses "plan of broken rows" "no number of whole rows" "$tool" plan -N 9 --rows 2
refuses "plan of values twice" "exclude each other" "$tool" plan -N 9 -y u32+u32 --argsort
for option in "--rows 2" "--segments 2"; do
    excludes plan "--arrays 2" "$option"
done
excludes plan "--rows 2" "--segments 2"
refuses "plan of too many" "too large a number" "$tool" plan -N 1e16
refuses "plan of a hexadecimal count" "not a whole number" "$tool" plan -N 0x10
status "plan --json" 0 "$tool" plan "${on[@]}" -N 16384 -y f32 --values 4 --arrays 3 --json
grep -q '^{.*"count":16384.*"steps":\[{.*}\]}$' out || fail "plan --json: not the JSON"
grep -q '"sort":"only"' out || fail "plan --json: one sort is not the only one"
# Two sorts of the same keys, as on NVIDIA's GPUs.
printf 'msd min=0\n' >two_sorts.txt
status "plan of two sorts" 0 env CLSORT_LIMIT=cpu=0 CLSORT_TUNING=two_sorts.txt "$tool" plan "${on[@]}" \
    -a radix -N 1e5
grep -q '^main sort: msd; fallback: onesweep, ' out || fail "plan of two sorts: they are not named"
grep -q ' msd_sample .*  main$' out || fail "plan of two sorts: the sample is not the main sort's"
grep -q ' onesweep_sort .*  fallback$' out || fail "plan of two sorts: no step is the fallback's"
[ "$(grep -c '  fallback$' out)" = 1 ] || fail "plan of two sorts: other steps are the fallback's"
status "plan of two sorts --json" 0 env CLSORT_LIMIT=cpu=0 CLSORT_TUNING=two_sorts.txt "$tool" \
    plan "${on[@]}" -a radix -N 1e5 --json
grep -q '"kernel":"onesweep_sort","sort":"fallback"' out ||
    fail "plan of two sorts --json: no fallback"
grep -q '"kernel":"msd_finish","sort":"main"' out || fail "plan of two sorts --json: no main sort"
for command in '' sort check devices plan bench tune; do
    # shellcheck disable=SC2086 # no command is no argument
    status "$command --help" 0 "$tool" $command --help
    grep -q '^Usage: clsort' out || fail "$command --help has no usage"
    [ ! -s err ] || fail "$command --help writes to stderr"
done
for command in check devices plan bench tune; do
    "$tool" $command --help >expected
    status "$command -h" 0 "$tool" $command -h
    same "$command -h" expected out
done
status --version 0 "$tool" --version
grep -q '^clsort [0-9]' out || fail "--version has no version"

# ---- What is refused -----------------------------------------------------------------------------
refuses "no command" --help "$tool"
refuses "unknown command" frob "$tool" frob
refuses "unknown option" --frob "$tool" sort --frob bytes
for letter in t n d k S T; do
    for command in check plan bench tune; do
        refuses "$command -$letter" "option '-$letter' is kept for what sort(1) means" "$tool" \
            $command -$letter x
    done
done
excludes sort --lines "-y u8"
excludes sort --lines --text
excludes sort --stats --json
excludes check --lines --type=u8
excludes check --lines --text
for command in sort check; do
    excludes $command --lines "--record-size 8"
    excludes $command --text "--record-size 8"
    excludes $command --lines "--key-offset 8"
    excludes $command --text "--key-offset 8"
done
excludes plan "--values 4" --argsort
refuses "the option that the library refuses" "--argsort: " "$tool" plan -N 2^33 --argsort=4
refuses "missing argument" argument "$tool" sort -y
refuses "two files" "one too many" "$tool" sort -y u32 bytes bytes
refuses "unknown type" u128 "$tool" sort -y u128 bytes
refuses "unknown algorithm" bogo "$tool" sort -a bogo bytes
refuses "unknown device" "'clsort devices'" "$tool" sort -y u32 -D no-such-device bytes
refuses "unknown CLSORT_DEVICE" "'clsort devices'" env CLSORT_DEVICE=no-such-device "$tool" sort \
    -y u32 bytes
if ! hides_drivers; then
    echo "skipped: no platform (this loader does not follow OCL_ICD_VENDORS)"
else
    refuses "no platform" "no OpenCL platform was found: none is installed, or its driver could \
not be loaded; install a driver" env OCL_ICD_VENDORS=/nonexistent "$tool" sort -a radix bytes
    refuses "no platform" "install a driver" env OCL_ICD_VENDORS=/nonexistent "$tool" devices
fi
refuses "no file" nothing-here "$tool" sort nothing-here
refuses "a directory" "$dir" "$tool" sort "$dir"
refuses "too many for rank" "rank sort" "$tool" plan -a rank -N 2^21
refuses "no count" -N "$tool" plan
refuses "a count that is none" 1e6x "$tool" plan -N 1e6x
head -c 4003 bytes >odd
refuses "a part of a key" "4003 bytes" "$tool" sort -y u32 odd
refuses "a part of a key, piped" "4003 bytes" "$tool" sort -y u32 <odd
refuses "a part of a key, check" "4003 bytes" "$tool" check -y u32 odd
for line in '' x 1x '1 2' 4294967296 -1 1.5 0x10 nan; do
    printf '7\n8\n%s\n9\n' "$line" >in.txt
    refuses "the line '$line'" in.txt:3: "$tool" sort --text in.txt
done
for line in 1e39 1..2 inff nan2 -; do
    printf '7\n%s\n9\n' "$line" >in.txt
    refuses "the line '$line'" in.txt:2: "$tool" sort -y f32 --text in.txt
done
# What is not 0 and rounds to 0 is refused as what rounds to infinity is.
for line in f16:1e-8 f16:2.98023223876953125e-8 f16:-0x1p-26 bf16:1e-41 f32:1e-46 f64:1e-400 \
    f64:-0x1p-2000; do
    printf '7\n%s\n9\n' "${line#*:}" >in.txt
    refuses "too small: $line" in.txt:2: "$tool" sort -y "${line%:*}" --text in.txt
done
for type in f16 bf16 f32 f64; do
    printf '%s\n' -0.00e-9999 0x0p-3 0e400 .0 >in.txt
    status "zeros of $type" 0 "$tool" check -y $type --text in.txt
done
printf '1\n2\0003\n' >in.txt
refuses "a zero byte" in.txt:2: "$tool" sort --text in.txt
printf '5\n9\n8\n' >in.txt
status "check --text" 1 "$tool" check --text in.txt
says "check --text" "in.txt:3: disorder: 8 after 9"
printf '\5\0\0\0\11\0\0\0\10\0\0\0' >in
status check 1 "$tool" check -y u32 in
says check "key 2 (counted from 0): 8 after 9"
status "check of nothing" 0 "$tool" check -y u32 /dev/null
# More keys than are read at once, with the disorder between two readings.
awk 'BEGIN { for (i = 0; i < 400000; i++) print i % 131072 < 131071 ? i : i - 1 }' >in.txt
status "check of many" 0 "$tool" check --text in.txt
awk 'BEGIN { for (i = 0; i < 400000; i++) print i < 131072 ? i + 1 : i - 1 }' >in.txt
status "check across readings" 1 "$tool" check --text in.txt
says "check across readings" "in.txt:131073: disorder: 131071 after 131072"

# A disorder at each border of what is compared at once, in keys of 1 to 8 bytes.
for size in 1 2 4 8; do
    for position in 1 2 511 512 513 1024 1025 131071 131072 131073 199999; do
        {
            head -c $((position * size)) /dev/zero | tr '\0' '\1'
            head -c $size /dev/zero
            head -c $(((199999 - position) * size)) /dev/zero | tr '\0' '\2'
        } >in
        status "check of $size bytes at $position" 1 "$tool" check -y u$((8 * size)) in
        says "check of $size bytes at $position" "at key $position "
    done
done

no_temp() { [ -z "$(find . -name '.clsort*')" ] || fail "$1: a temporary file is left"; }

# ---- Lines, as sort has them ---------------------------------------------------------------------
# lines NAME FILE: sorted both ways, from a file and from a pipe, checked by the tool itself too.
lines() {
    sort "$2" >expected
    sort -r "$2" >expected.r
    # By the host where they are few, and by the device.
    for by in "" "${on[*]}"; do
        # shellcheck disable=SC2086 # an option and its argument
        status "lines $by: $1" 0 "$tool" sort --lines $by "$2"
        same "lines $by: $1" expected out
        cp out sorted
        # shellcheck disable=SC2086
        status "lines $by: $1, piped" 0 "$tool" sort --lines $by --verify - < <(cat "$2")
        same "lines $by: $1, piped" expected out
        # shellcheck disable=SC2086
        status "lines $by: $1, -r" 0 "$tool" sort --lines $by -r --verify -o sorted.r "$2"
        same "lines $by: $1, -r" expected.r sorted.r
    done
    status "lines: $1, check" 0 "$tool" check --lines sorted
    status "lines: $1, -r, check" 0 "$tool" check --lines -r sorted.r
}
awk 'BEGIN { srand(3); for (i = 0; i < 20000; i++) { n = int(rand() * 9); line = ""
    for (j = 0; j < n; j++) line = line substr("theclsort/usr/include ", 1 + int(rand() * 12), int(rand() * 9))
    print line } }' >words.txt
lines "words" words.txt
lines "a program" "$tool"
lines "bytes of any kind" bytes
: >empty
lines "an empty file" empty
printf '\n' >one
lines "an empty line" one
printf '\n\n\n\n' >feeds
lines "only line feeds" feeds
printf 'b\na\0\na\nab\na\0b\nb' >open
lines "no line feed at the end, zero bytes" open
printf 'b\r\na\r\n\r\n\rb\n' >crlf
lines "CR LF" crlf
awk 'BEGIN { for (i = 0; i < 300; i++) { printf "%02d", i * 7 % 31
    for (j = 0; j < i * 20; j++) printf "long"; print i % 3 } }' >long
lines "long lines" long
awk \
    'BEGIN { for (i = 0; i < 3000; i++) { for (j = 0; j < 50; j++) printf "the same "; print i * 7919 % 3000 } }' >alike
lines "lines that begin alike" alike
# More than one thread's part.
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do cat words.txt long alike; done >many
lines "many" many

cp words.txt in.txt
awk '{ print NR - 1 }' in.txt | paste in.txt - | sort -s -t "$(printf '\t')" -k 1,1 |
    awk -F '\t' '{ print $NF }' >expected
for size in 4 8; do
    status "lines --argsort=$size" 0 "$tool" sort --lines --argsort=$size --verify in.txt
    od -An -v -w$size -t u$size out | tr -d ' ' >got
    same "lines --argsort=$size" expected got
done
status "lines --stats" 0 "$tool" sort --lines --stats -o sorted words.txt
grep -q '20000 lines, ascending' err || fail "lines --stats: no number of lines"
status "lines --json" 0 "$tool" sort --lines --json -o sorted words.txt
grep -q '"type":"lines"' err || fail "lines --json: no type"
cp words.txt file
status "lines in place" 0 "$tool" sort --lines -o file file
sort words.txt >expected
same "lines in place" expected file
printf 'a\nc\nb\n' >in.txt
status "check --lines" 1 "$tool" check --lines in.txt
says "check --lines" "in.txt:3: disorder: 'b' after 'c'"
refuses "lines and text" exclude "$tool" sort --lines --text in.txt
refuses "lines and a type" exclude "$tool" sort --lines -y u8 in.txt
refuses "check: lines and a type" exclude "$tool" check --lines -y u8 in.txt
for algorithm in rank bitonic merge quick; do
    refuses "lines by $algorithm" \
        "-a $algorithm: lines are sorted by radix alone; give auto or radix" "$tool" sort --lines \
        -a $algorithm in.txt
done
for algorithm in auto radix; do
    status "lines by $algorithm" 0 "$tool" sort --lines -a $algorithm in.txt
done
refuses "lines of no file" nothing-here "$tool" sort --lines nothing-here
refuses "lines of a directory" "$dir" "$tool" sort --lines "$dir"
refuses "lines, no device" "'clsort devices'" "$tool" sort --lines -D no-such-device in.txt
if truncate -s 1T huge 2>err; then
    refuses "lines larger than the disk" "needs 1.0 TiB" "$tool" sort --lines huge
    rm huge
fi
no_temp "lines"

# ---- Output --------------------------------------------------------------------------------------
od -An -v -w4 -t u4 bytes | tr -d ' ' | sort -n >expected
is_sorted() {
    od -An -v -w4 -t u4 "$2" | tr -d ' ' >got
    same "$1" expected got
}

cp bytes file
chmod 640 file
status "in place" 0 "$tool" sort -y u32 -o file file
silent "in place"
is_sorted "in place" file
[ "$(stat -c %a file)" = 640 ] || fail "in place: the mode has changed"
cp bytes file
ln -s file link
status "through a link" 0 "$tool" sort -y u32 -o link link
is_sorted "through a link" file
[ -L link ] || fail "the link is replaced"
(umask 027 && "$tool" sort -y u32 -o new bytes) || fail "a new file"
[ "$(stat -c %a new)" = 640 ] || fail "a new file's mode does not obey umask"
rm link file
ln -s file link
refuses "through a link to nothing, no input" nothing-here "$tool" sort -o link nothing-here
[ ! -e file ] || fail "through a link to nothing: a failure leaves a file"
status "through a link to nothing" 0 "$tool" sort -y u32 -o link bytes
is_sorted "through a link to nothing" file
[ -L link ] || fail "the link to nothing is replaced"
status "to /dev/stdout" 0 "$tool" sort -y u32 -o /dev/stdout bytes
is_sorted "to /dev/stdout" out
mkfifo pipe
"$tool" sort -y u32 -o pipe bytes &
cat pipe >sorted
wait $! || fail "to a named pipe"
is_sorted "to a named pipe" sorted
[ -p pipe ] || fail "the named pipe is replaced"

echo good >file
refuses "bad input" odd "$tool" sort -y u32 -o file odd
printf '1\nx\n' >in.txt
refuses "a bad line" in.txt:2 "$tool" sort --text -o file in.txt
refuses "no device, with output" device "$tool" sort -y u32 -D no-such-device -o file bytes
[ "$(cat file)" = good ] || fail "a failure has touched the output"
refuses "a missing directory" nowhere "$tool" sort -y u32 -o nowhere/file bytes
refuses "a directory as output" "Is a directory" "$tool" sort -y u32 -o "$dir" bytes
no_temp "after failures"

# Standard output may be the input itself, whose lines are read before one is written.
for options in --lines "--lines -o file" -k1 "--lines -S 8M"; do
    sort many >expected
    cp many file
    # shellcheck disable=SC2086 # several options
    "$tool" sort "${on[@]}" $options file 2>err 1<>file || fail "onto itself, $options"
    same "onto itself, $options" expected file
done
seq 100000 -1 1 >in.txt
sort -n in.txt >expected
"$tool" sort "${on[@]}" --text in.txt 2>err 1<>in.txt || fail "numbers onto themselves"
same "numbers onto themselves" expected in.txt

# closed REDIRECTION ARGUMENT...: a standard stream is closed, and no file takes its place.
closed() {
    local redirection=$1
    shift
    eval "\"\$tool\" \"\$@\" $redirection"
}
for options in "-S 64K" "-S 64K ${on[*]} --lines" "-S 64K -y u8"; do
    # shellcheck disable=SC2086 # several options
    refuses "no standard output, $options" "cannot write standard output: Bad file descriptor" \
        closed '>&- <many' sort $options
done
refuses "no standard output for help" "cannot write standard output" closed '>&-' --help
refuses "no standard output, by its name" "cannot write standard output" closed '>&-' sort \
    -o /dev/stdout in.txt
status "no standard output, none needed" 0 closed '>&-' sort -n -o /dev/null in.txt
refuses "no standard input" "cannot read standard input: Bad file descriptor" closed '<&-' sort \
    -m -o got words.txt -
refuses "no standard input, by its name" "cannot read /dev/stdin" closed '<&-' sort /dev/stdin
printf 'b\0\na\n' >in.txt
printf 'a\nb\0\n' >expected
status "no standard error" 0 closed '2>&- <in.txt' sort -o got
same "no standard error" expected got

# Files of the system whose size is said to be larger than it is.
if [ -r /sys/class/net/lo/mtu ]; then
    cat /sys/class/net/lo/mtu >expected
    for options in --text --lines "${on[*]}" "--text -S 64K ${on[*]}"; do
        # shellcheck disable=SC2086
        status "a size that is not so, $options" 0 "$tool" sort $options /sys/class/net/lo/mtu
        same "a size that is not so, $options" expected out
    done
    status "a size that is not so, raw" 0 "$tool" sort -y u8 /sys/class/net/lo/mtu
    [ "$(wc -c <out)" -eq "$(wc -c <expected)" ] || fail "a size that is not so, raw: not its bytes"
else
    echo "skipped: sizes that are not so (/sys is not there)"
fi

if [ -e /dev/full ]; then
    "$tool" sort -y u32 bytes >/dev/full 2>err
    [ $? -eq 2 ] || fail "a full disk has another exit status"
    says "a full disk" "standard output"
    "$tool" devices >/dev/full 2>err
    [ $? -eq 2 ] || fail "devices: a full disk has another exit status"
    refuses "a full disk, -o" "/dev/full" "$tool" sort -y u32 -o /dev/full bytes
    status "keys in order" 0 "$tool" sort -y u32 -o ordered bytes
    for command in sort merge top; do
        status "$command --json" 0 "$tool" $command -y u32 --json -o got ordered
        "$tool" $command -y u32 --json -o got ordered 2>/dev/full
        [ $? -eq 2 ] || fail "$command --json, a full disk: another exit status"
    done
fi
refuses "an output without a name" empty "$tool" sort -y u32 -o '' bytes
for _ in 1 2 3 4 5 6 7 8; do cat bytes; done >large
# A reader that has had enough, as 'head', ends the tool as it ends sort(1): without a word.
for options in "-y u32" --lines -n; do
    # shellcheck disable=SC2086 # an option and its argument
    {
        "$tool" sort $options large 2>err
        echo $? >rc
    } | :
    [ "$(cat rc)" -eq $((128 + $(kill -l PIPE))) ] ||
        fail "a closed pipe, $options: exit status $(cat rc)"
    [ ! -s err ] || fail "a closed pipe, $options: there is a message"
done
{
    trap '' PIPE
    "$tool" sort -y u32 large 2>err
    echo $? >rc
} | :
[ "$(cat rc)" -eq 2 ] || fail "a closed pipe that is ignored: exit status $(cat rc)"
says "a closed pipe that is ignored" "Broken pipe"

# No room left in the middle of writing: files may not grow above 2000 KiB, and writing says so.
# What drivers keep of the kernels is smaller.
for _ in 1 2 3 4 5 6 7 8; do cat large; done >larger
echo good >file
(
    trap '' XFSZ
    ulimit -f 2000
    exec "$tool" sort -y u32 -o file larger
) >out 2>err
[ $? -eq 2 ] || fail "no room in the middle: another exit status"
says "no room in the middle" "File too large"
no_temp "no room in the middle"
[ "$(cat file)" = good ] || fail "no room in the middle: the output is touched"

for signal in TERM HUP KILL; do
    echo good >file
    "$tool" sort -y u32 -o file pipe 2>err &
    pid=$!
    exec 3>pipe
    # The temporary file is there before the input is read.
    for _ in $(seq 100); do
        [ -n "$(find . -name '.clsort*')" ] && break
        sleep 0.05
    done
    kill -$signal $pid
    wait $pid 2>/dev/null && fail "SIG$signal: exit status 0"
    exec 3>&-
    # Nobody can clear up after SIGKILL.
    if [ $signal = KILL ]; then rm -f .clsort*; else no_temp "SIG$signal"; fi
    [ "$(cat file)" = good ] || fail "SIG$signal: the output is touched"
done

# ---- Tuning --------------------------------------------------------------------------------------
# What is found depends on the machine; that it is accepted, and for this device, does not.
status "tune --quick" 0 "$tool" tune --quick -N 5000 -y u32,u16+u16 --seconds 20 -o rows.txt
grep -q "^rows.txt: .*$" out || fail "tune does not end with a sentence: $(cat out)"
head -1 rows.txt | grep -q '^# clsort .*, tune --quick: .*driver' ||
    fail "tune does not tell the device"
grep -v '^#' rows.txt | grep -qvE '^(device .+|[a-z]+( [a-z_]+=[0-9]+)+)$' &&
    fail "tune writes what is no row"
status "plan with what tune wrote" 0 env CLSORT_TUNING=rows.txt "$tool" plan -N 5000
status "sort with what tune wrote" 0 env CLSORT_TUNING=rows.txt "$tool" sort -y u32 \
    --verify -o sorted bytes
says "sort with what tune wrote" "verified: "
device=$(sed -n 's/^\* [0-9]*  //p' devices.txt)
printf '# few\ngeneral rank_max=0 radix_min=2^48\ndevice %s\ngeneral item=4 rank_max=300\n' \
    "$device" >rows.txt
status "plan with rows" 0 env CLSORT_TUNING=rows.txt "$tool" plan -N 300
grep -q "^rank: " out || fail "CLSORT_TUNING: 300 keys are not rank sort's"
# What comes behind it depends on the device.
status "plan with rows" 0 env CLSORT_TUNING=rows.txt "$tool" plan -N 301
grep -qE "^(bitonic|radix|quick|merge): " out || fail "CLSORT_TUNING: 301 keys are rank sort's"
# The command's own candidates alone count.
status "tune beside another file" 0 env CLSORT_TUNING=nothing-here "$tool" tune --quick -N 300 \
    -y u32 --seconds 1
printf 'general rank_max=0\n\ngeneral rank_mix=0\n' >rows.txt
refuses "a wrong row" "rows.txt:3: a row 'general' has no 'rank_mix'" env CLSORT_TUNING=rows.txt \
    "$tool" plan -N 300
refuses "a wrong row, sort" "rows.txt:3:" env CLSORT_TUNING=rows.txt "$tool" sort -y u32 bytes
refuses "no tuning file" "nothing-here: the file cannot be opened" env CLSORT_TUNING=nothing-here \
    "$tool" plan -N 300
refuses "tune of values of 12 bytes" "not 12" "$tool" tune -y u32+12
refuses "tune of a file" "takes no FILE" "$tool" tune rows.txt
refuses "tune of no device" "'clsort devices'" "$tool" tune -D no-such-device
refuses "tune of too many" "give less with -N" "$tool" tune -N 2^32 -y u64+u64
refuses "tune to nowhere" "nowhere" "$tool" tune --quick -N 300 -y u32 --seconds 1 -o nowhere/file
no_temp "at the end"

if [ $num_failed -gt 0 ]; then
    echo "$num_failed failed"
    exit 1
fi
echo "all passed"
