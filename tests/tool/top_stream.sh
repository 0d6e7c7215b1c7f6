#!/usr/bin/env bash
# tests/tool/top_stream.sh TOOL WATCH
#
# 'clsort top' of streams that are larger than its memory (-S), without a driver and on a device.
# The judges are sort(1), and of raw numbers the tool's own sort, which run.sh checks. WATCH
# (watch.c's library) is preloaded where bytes and memory are counted. Exit status 77: there is no
# OpenCL device.
preloaded=WATCH
. "$(dirname "$0")/common.sh"
mkdir tmp
export TMPDIR=$dir/tmp

without() { env -u CLSORT_DEVICE OCL_ICD_VENDORS=/nonexistent "$@"; }
is_sanitized() { grep -qE '__(asan|tsan|msan)_init' "$tool"; }

# ---- Random numbers, places and memories, against sort(1) ----------------------------------------
seed=${CLSORT_TEST_SEED:-1}
RANDOM=$seed
# pick WORD...: one of them.
pick() { shift $((RANDOM % $#)) && echo "$1"; }
# numbers COUNT RANGE: i64 numbers, many equal if the range is small.
numbers() {
    awk -v n="$1" -v r="$2" -v s="$RANDOM" \
        'BEGIN { srand(s); for (i = 0; i < n; i++) printf "%d\n", (rand() - 0.3) * r }'
}
for round in $(seq 60); do
    count=$(pick 0 1 50 5000 20000 60000 60000)
    numbers "$count" "$(pick 9 1000 1e9)" >random
    case $(pick 0 0 1 2 3 3) in
        1) sort -n random >in ;;
        2) sort -rn random >in ;;
        3) awk '{ print $1 % 20000 + NR }' random >in ;; # later ones are mostly larger
        *) cp random in ;;
    esac
    order=$(pick "" r)
    skip=$(pick 0 0 3 $((count / 3)) $((count + 2)))
    wanted=$(pick 1 10 $((count / 10 + 1)) $((count / 2 + 1)) $((2 * count + 1)))
    argsort=$(pick "" "" --argsort --argsort=8)
    awk '{ print $1, NR - 1 }' in | sort -s "-k1,1n$order" |
        awk -v s="$skip" -v n="$wanted" 'NR > s && NR <= s + n' >places
    column=1
    [ -z "$argsort" ] || column=2
    cut -d ' ' -f $column places >expected
    options="${order:+-r} $argsort --skip $skip -N $wanted -S $(pick 64K 300K 8M)"
    [ $((RANDOM % 2)) = 0 ] || truncate -s -1 in 2>/dev/null # no last line feed
    # shellcheck disable=SC2086 # several options
    status "round $round" 0 without "$tool" top --text -y i64 $options - < <(cat in)
    same "seed $seed, round $round, $count numbers: $options" expected out
done

# Later numbers are mostly larger: runs get ever shorter, and the first ones go away.
seq 300000 | awk '{ print $1 * 7919 % 20011 + $1 }' >in
sort -rn in >sorted
for wanted in 3000 5000 26000; do
    for size in 64K 300K; do
        head -n $wanted sorted >expected
        status "drifting" 0 without "$tool" top --text -r -N $wanted -S $size in
        same "drifting, $wanted, $size" expected out
    done
done

# ---- Every type, raw -----------------------------------------------------------------------------
numbers 100000 2e9 | gzip -n -1 | head -c 400000 >bytes
for type in u8 i8 u16 i16 f16 bf16 u32 i32 f32 u64 i64 f64; do
    case $type in
        *8) size=1 ;;
        *16) size=2 ;;
        *32) size=4 ;;
        *64) size=8 ;;
    esac
    for options in "" "-r" "--argsort" "-r --argsort=8"; do
        case $options in
            *=8) found=8 ;;
            *argsort) found=4 ;;
            *) found=$size ;;
        esac
        # shellcheck disable=SC2086 # several options
        "$tool" sort -y $type $options -o sorted bytes
        for places in "-N 7" "-N 20000" "-N 1000 --skip 30000" "-N 0 --skip 100"; do
            # shellcheck disable=SC2086
            set -- $places
            begin=$((${4:-0} * found)) num=$(($2 ? $2 * found : 4000000))
            tail -c +$((begin + 1)) sorted | head -c $num >expected
            # shellcheck disable=SC2086
            status "$type" 0 without "$tool" top -y $type $options $places -S 64K -o got - < <(cat bytes)
            same "$type, $options $places" expected got
        done
    done
done

# ---- On a device, and where more are wanted than the calling thread sorts ------------------------
for _ in 1 2 3 4; do cat bytes; done >large
"$tool" sort -y i8 -r -o sorted large
for way in "" "${on[*]}" "${on[*]} -S 64K"; do
    for places in "-N 0" "-N 5" "-N 1200000"; do
        count=${places#* }
        head -c $((count ? count : 1600000)) sorted >expected
        # shellcheck disable=SC2086
        status "$way $places" 0 "$tool" top -y i8 -r $way $places -o got large
        same "a device, $way $places" expected got
    done
done
status "no driver, all" 0 without "$tool" top -y i8 -r -N 0 -o got large
same "no driver, all" sorted got
status "no driver, the median" 0 without "$tool" top -y i8 -r --median -o got - < <(cat large)
same "no driver, the median" <(tail -c +800000 sorted | head -c 1) got

# ---- Segments longer and shorter than what is selected at once -----------------------------------
# Those of 10, 5000, 80000, 0 and 3 numbers.
numbers 85100 1000 | tee in | head -n 85013 >within
for option in "-N 20" "-N 3 -r" "-N 70000" "--median" "-N 9 --skip 4990 --argsort=8"; do
    order=$([[ $option != *-r* ]] || echo r)
    : >expected
    at=0 ends=0
    for length in 10 5000 80000 0 3; do
        skip=0 wanted=${option#*-N } column=1
        wanted=${wanted%% *}
        [[ $option != *skip* ]] || skip=4990 column=2
        [ "$option" != --median ] || skip=$((length ? (length - 1) / 2 : 0)) wanted=1
        tail -n +$((at + 1)) within | head -n $length | awk '{ print $1, NR - 1 }' |
            sort -s "-k1,1n$order" | awk -v s=$skip -v n="$wanted" 'NR > s && NR <= s + n' |
            cut -d ' ' -f $column >>expected
        at=$((at + length)) ends+=" $(wc -l <expected)"
    done
    # Offsets as raw numbers of 8 bytes.
    for offset in 0 10 5010 85010 85010 85013; do
        # shellcheck disable=SC2059 # escapes are a format
        printf "$(printf '\\x%02x\\x%02x\\x%02x\\0\\0\\0\\0\\0' \
            $((offset & 255)) $((offset >> 8 & 255)) $((offset >> 16)))"
    done >offsets
    # shellcheck disable=SC2086
    status "segments $option" 0 without "$tool" top --text -y i64 -S 64K --segments offsets \
        --segments-output ends $option - < <(cat in)
    same "segments, $option" expected out
    od -An -v -w8 -t u8 ends | xargs | cmp -s - <(echo "$ends") || fail "segments, $option: not the offsets"
    # shellcheck disable=SC2086
    status "segments $option, device" 0 "$tool" top --text -y i64 "${on[@]}" --segments offsets \
        $option in
    same "segments on a device, $option" expected out
done

# ---- Memory and bytes ----------------------------------------------------------------------------
watched() { CLSORT_TEST_USAGE=$dir/usage preload without "$@"; }
status "one number" 0 watched "$tool" top -y u32 --text -o got - < <(echo 1)
read -r _ base _ <usage
seq 4000000 >many
for options in "-N 10 -r" "-N 5 --argsort=8 -r" "-N 200000" "-N 100000 -r" "--median"; do
    # shellcheck disable=SC2086
    status "-S 1M, $options" 0 watched "$tool" top -y u32 --text -S 1M $options -o got - < <(cat many)
    read -r _ peak _ <usage
    is_sanitized || [ $((peak - base)) -le $((9 * 1024)) ] ||
        fail "-S 1M, $options: $((peak - base)) KiB more than for one number"
    echo "-S 1M, $options: $((peak - base)) KiB more than for one number"
done
# Few of the numbers come before those that are kept, and these alone go to the disk.
numbers 400000 1e9 >random
status "bytes" 0 watched "$tool" top -y i32 --text -S 64K -N 10000 -o got random
read -r _ _ _ num_written _ <usage
sort -n random | head -n 10000 | cmp -s - got || fail "bytes: not the numbers"
[ "$num_written" -gt 40000 ] && [ "$num_written" -lt 800000 ] || fail "bytes: $num_written written"
# Of equal numbers the first are enough.
yes 7 | head -n 400000 >equal
status "bytes, equal" 0 watched "$tool" top -y i32 --text -S 64K -N 10000 --argsort -o got equal
read -r _ _ _ num_written _ <usage
seq 0 9999 | cmp -s - got || fail "bytes, equal: not the indices"
[ "$num_written" -lt 800000 ] || fail "bytes, equal: $num_written written"

# ---- What is refused -----------------------------------------------------------------------------
echo good >file
for at in 0 300000 400000 500000 600000 700000; do
    { head -n $at many && echo 12x && head -n 300000 many && echo y; } >wrong
    for size in 64K 64M; do # a block of lines in many batches, and in one
        refuses "no number, -S $size" "wrong:$((at + 1)): '12x' is not one u32 number" without \
            "$tool" top -y u32 --text -S $size -o file wrong
    done
done
refuses "no number, piped" "standard input:700001: '12x'" without "$tool" top -y u32 --text -o file - \
    < <(cat wrong)
refuses "numbers that end before the segments" "the last offset is 85013, and there are 85000 keys" \
    without "$tool" top -y i64 --text -S 64K --segments offsets -o file - < <(head -n 85000 in)
refuses "half a number" "399999 bytes are not a whole number of u64 keys" without "$tool" top -y u64 \
    -o file - < <(head -c 399999 bytes)
refuses "a folder that is not there" "cannot create a temporary file in nowhere" without "$tool" top \
    -y u8 -S 64K -N 300000 -T nowhere -o file bytes
[ "$(cat file)" = good ] || fail "an output is touched"
[ -z "$(find . -name '.clsort*')" ] || fail "a temporary file is left"
[ -z "$(ls tmp)" ] || fail "a temporary file is left in TMPDIR"

exit $((num_failed > 0))
