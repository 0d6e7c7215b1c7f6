#!/usr/bin/env bash
# tests/tool/files.sh TOOL WATCH
#
# Files larger than the tool's memory (-S). WATCH (watch.c's library) is preloaded where bytes,
# memory and calls are counted. The judges are sort(1) and the tool's own sort at once, which run.sh
# checks against sort(1) and od. Exit status 77: there is no OpenCL device.
preloaded=WATCH
. "$(dirname "$0")/common.sh"
mounted=
trap '[ -z "$mounted" ] || umount "$mounted"; rm -rf "$dir"' EXIT
mkdir tmp
export TMPDIR=$dir/tmp
exec 2>noise # bash tells of every process that a signal has ended

# nothing NAME: the old output is there, and no temporary file.
nothing() {
    [ "$(cat file)" = good ] || fail "$1: the output is touched"
    [ -z "$(find . -name '.clsort*')" ] || fail "$1: a temporary file is left"
}
watched() { CLSORT_TEST_USAGE=$dir/usage preload "$@"; }

# ---- Data: the same each time --------------------------------------------------------------------
seq 400000 | awk '{ print $1 * 7919 % 400009 * 31 % 65537 }' >numbers # many are equal
gzip -n -1 <numbers | head -c 400000 >bytes
head -c 80000 bytes >few # more than the host sorts where there is a device

# ---- Without a device ----------------------------------------------------------------------------
# What clsort_sort() has the calling thread sort needs none, not even a driver.
for options in "-y u32" "-r -y f32" "--argsort -y i16" "--argsort=8 -y u64 --verify"; do
    # shellcheck disable=SC2086 # several options
    status "a device, $options" 0 "$tool" sort "${on[@]}" $options -o expected few
    # shellcheck disable=SC2086
    status "no driver, $options" 0 env -u CLSORT_DEVICE OCL_ICD_VENDORS=/nonexistent "$tool" sort \
        $options -o got few
    same "no driver, $options" expected got
    # shellcheck disable=SC2086
    status "no driver, piped, $options" 0 env -u CLSORT_DEVICE OCL_ICD_VENDORS=/nonexistent \
        "$tool" sort $options \
        -o got - < <(cat few)
    same "no driver, piped, $options" expected got
done

# What does not fit into a small -S is sorted in pieces, by a device if one is asked for.
for options in "-y u32" "-y i16 --argsort"; do
    for way in few "-"; do
        # shellcheck disable=SC2086
        status "a small -S, $options $way" 0 "$tool" sort "${on[@]}" -S 64K --stats \
            $options -o got $way < <(cat few)
        grep -q "device none" err && fail "a small -S, $options $way: the host sorts it"
        # shellcheck disable=SC2086
        status "a large -S, $options $way" 0 env -u CLSORT_DEVICE "$tool" sort -S 9M --stats \
            $options -o expected $way < <(cat few)
        mentions "a large -S, $options $way" "device none"
        same "a small -S, $options $way" expected got
        # shellcheck disable=SC2086
        status "a small -S, no driver, $options $way" 0 env -u CLSORT_DEVICE \
            OCL_ICD_VENDORS=/nonexistent "$tool" sort -S 64K $options -o got $way < <(cat few)
        same "a small -S, no driver, $options $way" expected got
    done
done

# ---- Numbers: as at once -------------------------------------------------------------------------
for type in u8 u16 u32 u64 i32 f16 f32 f64; do
    for options in "" -r "--argsort --verify" "-r --argsort=8"; do
        size=$((${type##*[a-z]} / 8))
        # As many pieces in each case, and little to do.
        head -c $((size * 50000)) bytes >in
        # shellcheck disable=SC2086
        status "$type $options" 0 "$tool" sort -y $type $options -o expected in
        # shellcheck disable=SC2086
        status "$type $options -S" 0 "$tool" sort "${on[@]}" -S 64K -y $type $options -o got in
        same "$type $options -S" expected got
    done
done
# From a pipe, to standard output, in place, of one key more than a piece, and of all keys equal.
status "at once" 0 "$tool" sort -y u32 -o expected bytes
status "a pipe" 0 "$tool" sort -y u32 "${on[@]}" -S 64K --verify - < <(cat bytes)
same "a pipe" expected out
cp bytes file
status "in place" 0 "$tool" sort -y u32 "${on[@]}" -S 64K --verify -o file file
same "in place" expected file
says "in place" "verified: "
head -c 300000 /dev/zero >in
status "equal keys" 0 "$tool" sort -y u32 "${on[@]}" -S 64K --argsort -o got in
seq 0 74999 >expected
od -An -v -w4 -t u4 got | tr -d ' ' >got.txt
same "equal keys" expected got.txt
for count in 0 1 2 4095 4096 4097 8191 8192 8193; do
    head -c $((count * 4)) bytes >in
    status "$count keys at once" 0 "$tool" sort -y u32 "${on[@]}" -o expected in
    status "$count keys" 0 "$tool" sort -y u32 "${on[@]}" -S 64K -o got in
    same "$count keys" expected got
    status "$count keys, piped" 0 "$tool" sort -y u32 "${on[@]}" -S 64K -o got - < <(cat in)
    same "$count keys, piped" expected got
done
for size in 1 64k 1M 1% 65536b; do
    status "-S $size" 0 "$tool" sort -y u32 -S $size -o got few
done
for size in x 1X -5 '' 4KK; do
    status "-S $size" 2 "$tool" sort -y u32 -S "$size" few
    says "-S $size" "sort(1)"
done

# ---- Records: as sort has it, where a line is a record's numbers
# ------------------------------------
# records SIZE OFFSET TYPE COLUMN OPTION...: of words of 4 bytes, of which sort looks at COLUMN.
records() {
    local name="records of $1 bytes, $3 at $2" size=$1 options=(--record-size "$1" \
        --key-offset "$2" -y "$3") column=$4 way
    shift 4
    head -c $((size * 9000)) bytes >in
    od -An -v -w$size -t u4 in | sort -s -n "-k$column,$column" "$@" >expected
    for way in "-o got" "-S 64K -o got" "-S 64K --verify -o got"; do
        # shellcheck disable=SC2086
        status "$name $* $way" 0 "$tool" sort "${on[@]}" "${options[@]}" "$@" --stable $way in
        od -An -v -w$size -t u4 got >got.txt
        same "$name $* $way" expected got.txt
    done
    status "$name $*, piped" 0 "$tool" sort "${on[@]}" "${options[@]}" "$@" --stable -S 64K - < <(cat in)
    same "$name $*, piped" got out
    status "$name $*, checked" 0 "$tool" check "${options[@]}" "$@" got
    status "$name $*, checked before" 1 "$tool" check "${options[@]}" "$@" in
    says "$name $*, checked before" disorder
    status "$name $*, positions" 0 "$tool" sort "${on[@]}" "${options[@]}" "$@" \
        --argsort --verify -o expected in
    status "$name $*, positions -S" 0 "$tool" sort "${on[@]}" -S 64K "${options[@]}" "$@" \
        --argsort --verify -o got in
    same "$name $*, positions -S" expected got
}
records 12 4 u32 2
records 12 8 u32 3 -r
records 40 36 u32 10
records 4 0 u32 1
# A key of one byte, at no multiple of anything; lines that are as long as each other are records.
yes '' | head -12000 |
    awk '{ printf "%06d %s\n", NR, substr("clsort", 1 + (NR * 7 + NR % 13) % 6, 1) }' >in
sort -s -k 1.8,1.8 in >expected
status "records of letters" 0 "$tool" sort "${on[@]}" -S 64K --record-size 9 --key-offset 7 -y u8 \
    --stable -o got in
same "records of letters" expected got
# A pipe of more than is read at first, which is no whole number of records.
awk 'BEGIN { for (i = 0; i < 95000; ++i)
    printf "%098d%s\n", i, substr("clsort", 1 + (i * 7 + i % 13) % 6, 1) }' >in
sort -s -k 1.99,1.99 in >expected
status "a long pipe of records" 0 timeout 200 "$tool" sort "${on[@]}" --record-size 100 \
    --key-offset 98 -y u8 --stable - < <(cat in)
same "a long pipe of records" expected out
status "a key outside" 2 "$tool" sort --record-size 9 --key-offset 8 -y u16 in
says "a key outside" "a u16 key at byte 8 is not within a record of 9 bytes"
status "records of another size" 2 "$tool" sort --record-size 7 -y u8 in
says "records of another size" "not a whole number of records of 7 bytes; is --record-size right?"
status "an offset in what" 2 "$tool" sort --key-offset 4 in
says "an offset in what" "give their --record-size"
for size in 0 257 x; do status "records of $size bytes" 2 "$tool" sort --record-size $size in; done

# ---- Text: as sort has it ------------------------------------------------------------------------
# text NAME FILE OPTION...: from a file and a pipe, with pieces of different sizes; sort's options
# as the judge has them.
text() {
    local name=$1 file=$2 size
    shift 2
    for size in 64K 300K; do
        status "$name -S $size" 0 "$tool" sort "${on[@]}" -S $size "$@" --verify -o got "$file"
        same "$name -S $size" expected got
        status "$name -S $size, piped" 0 "$tool" sort "${on[@]}" -S $size "$@" - < <(cat "$file")
        same "$name -S $size, piped" expected out
    done
}
head -60000 numbers >in.txt
printf '007\n 7\n07\n7' >>in.txt # the last line is open
sort -s -n in.txt >expected
text "numbers" in.txt --text
sort -s -n -r in.txt >expected
text "numbers -r" in.txt --text -r
awk '{ print ($1 % 2 ? "-" : "") $1 / 8 }' in.txt >in.floats
sort -s -g in.floats >expected
text "floats" in.floats --text -y f32
status "positions at once" 0 "$tool" sort --text --argsort -o expected in.txt
status "positions" 0 "$tool" sort "${on[@]}" -S 64K --text --argsort -o got in.txt
same "positions" expected got
for size in 64K 100M; do
    status "positions, piped, -S $size" 0 "$tool" sort "${on[@]}" -S $size --text --argsort --verify - < \
        <(cat in.txt)
    same "positions, piped, -S $size" expected out
done
# Lines of very different lengths, which lie together once they are sorted: many empty ones, some
# long, some alike.
awk 'BEGIN { for (i = 0; i < 9000; i++) { n = i % 300 == 7 ? 3000 : i % 3 * 9; line = ""
    for (j = 0; j < n; j++) line = line substr("clsort", 1 + (i * 7 + j * j) % 5, 1)
    print i % 2 ? line : ""; if (i % 5 == 0) print "the same line" } }' >in.lines
head -c 30000 bytes >>in.lines # any bytes
sort in.lines >expected
text "lines" in.lines --lines
sort -r in.lines >expected
text "lines -r" in.lines --lines -r
cp in.lines file
sort in.lines >expected
status "lines in place" 0 "$tool" sort "${on[@]}" -S 64K --lines -o file file
same "lines in place" expected file
for count in 0 1 2 3; do
    yes '' | head -n $((count * 4000)) >in
    sort in >expected
    status "$count empty lines" 0 "$tool" sort "${on[@]}" -S 64K --lines -o got in
    same "$count empty lines" expected got
done
# A line may be larger than -S, but not than the memory that there is.
{ head -c 200000 /dev/zero | tr '\0' x && echo && cat in.lines; } >in
sort in >expected
text "a long line" in --lines
{ echo a && tr '\0' x </dev/zero; } |
    (ulimit -v 4000000 && "$tool" sort "${on[@]}" -S 64K --lines) >out 2>err
says "a line without an end" "cannot get "
{ cat in.txt && echo && echo x; } >in
status "a wrong line of a later piece" 2 "$tool" sort "${on[@]}" -S 64K --text in
says "a wrong line of a later piece" "in:60005: "
status "a wrong line, piped" 2 "$tool" sort "${on[@]}" -S 64K --text - < <(cat in)
says "a wrong line, piped" "standard input:60005: "
for options in "" -r; do
    for size in 4 8; do
        # shellcheck disable=SC2086
        status "positions of lines at once $options" 0 "$tool" sort "${on[@]}" --lines $options \
            --argsort=$size -o expected in.lines
        for way in "in.lines" "-S 64K in.lines" "-S 64K --verify in.lines" "-S 300K -" \
            "-S 300K --verify -" -; do
            # shellcheck disable=SC2086
            status "positions of lines $options $way" 0 "$tool" sort "${on[@]}" --lines $options \
                --argsort=$size -o got $way \
                < <(cat in.lines)
            same "positions of lines $options $way" expected got
        done
    done
done
seq 3 -1 1 >in
printf '1\n2\n3\n' >expected
status "few numbers, no driver" 0 env -u CLSORT_DEVICE OCL_ICD_VENDORS=/nonexistent "$tool" sort \
    --text -o got in
same "few numbers, no driver" expected got
status "few numbers, piped, no driver" 0 env -u CLSORT_DEVICE OCL_ICD_VENDORS=/nonexistent "$tool" \
    sort --text \
    -o got - < <(cat in)
same "few numbers, piped, no driver" expected got

# ---- Two reads and two writes, within the memory -------------------------------------------------
is_sanitized() { grep -qE '__(asan|tsan|msan)_init' "$tool"; }
# costs NAME LEAST MOST ARGUMENT... FILE: of a sort with -S 8M. It reads and writes LEAST to MOST
# hundredths of the file: twice, for text positions besides, and of a run now and then a few bytes
# for the cuts.
costs() {
    local name=$1 least=$2 most=$3 size calls base peak num_read num_written direct
    shift 3
    size=$(stat -c %s "${*: -1}")
    head -c 4 "${*: -1}" >in
    status "$name, what is in no cache yet" 0 "$tool" sort "${on[@]}" -S 8M -o got "$@"
    status "$name, one key" 0 "$tool" sort "${on[@]}" -o got "${@:1:$#-1}" in
    status "$name, one key" 0 watched "$tool" sort "${on[@]}" -o got "${@:1:$#-1}" in
    read -r calls base _ <usage
    status "$name" 0 watched "$tool" sort "${on[@]}" -S 8M -o got "$@"
    read -r calls peak num_read num_written direct _ <usage
    [ "$calls" -gt 10 ] || fail "$name: not by pieces"
    is_sanitized || [ $((peak - base)) -le $(((8 + 64) * 1024)) ] ||
        fail "$name: $((peak - base)) KiB more than for one key"
    for bytes in "$num_read read" "$num_written written"; do
        [ "${bytes% *}" -ge $((size / 100 * least)) ] &&
            [ "${bytes% *}" -le $((size / 100 * most)) ] ||
            fail "$name: $bytes of $size bytes"
    done
    echo "$name: $size bytes, $num_read read, $num_written written, $direct past the cache," \
        "$((peak - base)) KiB more than for one key"
}
for _ in $(seq 60); do cat bytes; done >large
# A device with memory of its own sorts raw numbers there at once.
shares_memory() { "$tool" devices | grep -A 2 '^\*' | grep -q "the host's"; }
least=200
shares_memory || least=100
costs "numbers" $least 290 -y u32 large
# What the file system can do past its cache, it does, except for the input, if that is in the
# cache.
if ! shares_memory; then
    echo "skipped: files past the cache (the device has memory of its own)"
elif dd if=large of=got.direct bs=1M count=1 oflag=direct status=none; then
    read -r _ _ _ _ direct _ <usage
    size=$(stat -c %s large)
    [ "$direct" -ge $((size * 27 / 10)) ] ||
        fail "numbers: $direct bytes past the cache, of $size read and written twice"
else
    echo "skipped: files past the cache (the file system has no O_DIRECT)"
fi
# The pieces behind it are read while the first one is written.
CLSORT_TEST_WAIT=20000 status "overlapping" 0 watched "$tool" sort -y u32 "${on[@]}" -S 64K \
    -o got.overlapping bytes
read -r _ _ _ _ _ in_vain <usage
[ "$in_vain" = 0 ] || fail "overlapping: no piece is read while another is written"
mv got got.numbers
# Numbers in text spill 8 bytes a line beside it.
for _ in $(seq 8); do cat numbers; done >large.txt
costs "text" 200 400 --text large.txt
sort -s -n large.txt >expected
same "text" expected got
costs "lines" 200 300 --lines large.txt
sort large.txt >expected
same "lines" expected got
# Lines so short that where they begin and their numbers take far more memory than their text.
yes '' | head -c 20000000 >feeds
yes 1 | head -c 20000000 >ones
for options in "--lines feeds" "--text -y u64 ones"; do
    name="short lines: $options"
    # shellcheck disable=SC2086 # options and a file
    status "$name, what is in no cache yet" 0 "$tool" sort "${on[@]}" -S 22M -o got $options
    # shellcheck disable=SC2086
    status "$name, one line" 0 watched "$tool" sort "${on[@]}" ${options% *} -o got - < <(echo 1)
    read -r _ base _ <usage
    # shellcheck disable=SC2086
    status "$name" 0 watched "$tool" sort "${on[@]}" -S 22M -o got $options
    read -r _ peak _ <usage
    is_sanitized || [ $((peak - base)) -le $(((22 + 32) * 1024)) ] ||
        fail "$name: $((peak - base)) KiB more than for one line"
    same "$name" "${options##* }" got
done
status "large at once" 0 "$tool" sort -y u32 -o expected large
same "large" expected got.numbers
status "large, in order" 0 "$tool" check -y u32 expected
status "large, by pipes" 0 "$tool" sort -y u32 "${on[@]}" --verify -o got - < <(cat large)
same "large, by pipes" expected got

# ---- Files in memory -----------------------------------------------------------------------------
if shm=$(mktemp -d /dev/shm/clsort.XXXXXX) && [ "$(stat -f -c %T "$shm")" = tmpfs ]; then
    cp large "$shm/in"
    for size in 8M 100M; do
        status "in memory, -S $size" 0 "$tool" sort -y u32 "${on[@]}" -S $size -T "$shm" -o "$shm/in" \
            "$shm/in"
        same "in memory, -S $size" expected "$shm/in"
    done
    echo good >"$shm/out"
    rc=0
    (
        trap '' XFSZ
        ulimit -f 100
        "$tool" sort -y u32 "${on[@]}" -o "$shm/out" "$shm/in"
    ) 2>err || rc=$?
    [ $rc -eq 2 ] || fail "in memory, a limit of the file's size: exit status $rc"
    says "in memory, a limit of the file's size" "File too large"
    [ "$(cat "$shm/out")" = good ] ||
        fail "in memory, a limit of the file's size: the output is touched"
    # What is sorted at once is read once and written once.
    CLSORT_TEST_DIR=$shm status "in memory, at once" 0 watched "$tool" sort -y u32 "${on[@]}" -S 200M \
        -o "$shm/out" "$shm/in"
    read -r _ _ num_read num_written _ <usage
    [ "$num_read" = "$(stat -c %s large)" ] ||
        fail "in memory, at once: read() has read $num_read bytes"
    [ "$num_written" = "$num_read" ] ||
        fail "in memory, at once: write() has written $num_written bytes"
    same "in memory, at once" expected "$shm/out"
    status "in memory, text" 0 "$tool" sort "${on[@]}" -S 8M -T "$shm" --text -o "$shm/out" numbers
    sort -s -n numbers >expected.txt
    same "in memory, text" expected.txt "$shm/out"
else
    echo "skipped: files in memory (/dev/shm is no tmpfs)"
fi
rm -rf "${shm:-nothing-here}"

# ---- Nothing is left and nothing lost ------------------------------------------------------------
echo good >file
ulimit -c 0
# interrupt NAME ARGUMENT... FILE: at calls in each stage; the output stays as it was.
interrupt() {
    local name=$1 calls at rc signal
    shift
    status "$name, whole" 0 watched "$tool" sort "${on[@]}" -S 64K -o got "$@"
    read -r calls _ <usage
    [ "$calls" -gt 10 ] || fail "$name: not by pieces"
    for at in 1 $((calls / 4)) $((calls / 2)) $((calls * 3 / 4)) "$calls"; do
        for signal in INT TERM; do
            rc=0
            (
                # INT is ignored in a shell's background, not here.
                export CLSORT_TEST_AT=$at CLSORT_TEST_RAISE
                CLSORT_TEST_RAISE=$(kill -l $signal)
                watched "$tool" sort "${on[@]}" -S 64K -o file "$@"
            ) 2>err || rc=$?
            [ $rc -eq $((128 + $(kill -l $signal))) ] ||
                fail "$name, SIG$signal at call $at: exit status $rc"
            nothing "$name, SIG$signal at call $at"
        done
    done
}
interrupt "numbers" -y u32 bytes
interrupt "text" --text in.txt
interrupt "lines" --lines in.lines
interrupt "positions of lines" --lines --argsort in.lines
interrupt "records" --record-size 8 --key-offset 2 bytes
cp bytes in
CLSORT_TEST_AT=1 CLSORT_TEST_CUT=in status "a shrunk input" 2 watched "$tool" sort -y u32 "${on[@]}" \
    -S 64K -o file in
says "a shrunk input" "it has become shorter"
nothing "a shrunk input"
# What --stats tells of pieces, and of a device that was opened for more lines than there are.
while read -r way; do
    # shellcheck disable=SC2086 # several words
    status "--stats $way" 0 "$tool" sort --stats -o got $way
    size=$(sed -n 's/.* [0-9]* pieces, merged from \(.*\) in a temporary file/\1/p' err)
    [ -n "$size" ] || fail "--stats $way: no pieces"
    status "--stats at once" 0 "$tool" sort --stats -o got ${way/-S 64K/-S 1G}
    grep -q " pieces" err && fail "--stats at once: pieces"
done <<'END'
-S 64K -k1 in.txt
-S 64K -y u32 --text in.txt
-S 64K -y u32 bytes
END
awk 'BEGIN { for (i = 0; i < 260000; i++) printf "%099d\n", i * 7919 % 260003 }' >wide
status "--stats of few long lines" 0 "$tool" sort --stats -S 1G -k1 -o got wide
mentions "--stats of few long lines" "device none"
rm -f wide
# Text that is read from front to back: it is cut before the first block, and behind it.
seq -w 400000 >ordered
while read -r way; do
    for number in 1 2; do
        cp ordered in
        echo good >file
        # shellcheck disable=SC2086 # several words
        CLSORT_TEST_CUT_READ=$number CLSORT_TEST_CUT=in status "a shrunk input, $way" 2 watched \
            "$tool" ${way//DEVICE/${on[*]}} in
        says "a shrunk input, $way" "cannot read in: it has become shorter"
        nothing "a shrunk input, $way"
        [ ! -s out ] || fail "a shrunk input, $way: something is written"
    done
done <<'END'
sort
sort -n -o file
sort -k1,1 -S 64K -o file
sort --csv -k1,1n -u
sort -m -n -o file
sort -c -n
sort DEVICE --lines -o file
sort DEVICE --lines -S 64K -o file
sort DEVICE -y f64 --text -o file
sort DEVICE -y f64 --text -S 64K -o file
check
check -y f64 --text
top -y f64 --text -N 3
END
# A text that is written anew while it is sorted. What was read is sorted, some of each of both.
size=8000000
head -c $size /dev/zero | tr '\0' '\n' >feeds
{ head -c $((size - 1)) /dev/zero | tr '\0' x && echo; } >letters
for delay in 0.02 0.05 0.1; do
    cp letters in
    { sleep $delay && cat feeds 1<>in; } &
    status "a changed input" 0 "$tool" sort "${on[@]}" --lines -o got in
    wait $!
    [ "$(stat -c %s got)" -eq $size ] && sort -c got || fail "a changed input: not its lines"
done
# spoilt NAME WHAT PERCENT VERDICT ARGUMENT...: the temporary file reads back wrong from that part of
# the calls on, so that some of it begins before the end of what was written before. --verify finds
# that, and says what has become of the output.
spoilt() {
    local name="spoilt $1" what=$2 percent=$3 verdict=$4 calls
    shift 4
    status "$name, whole" 0 watched "$tool" sort "${on[@]}" -S 64K --verify "$@"
    read -r calls _ <usage
    CLSORT_TEST_SPOIL=$what CLSORT_TEST_AT=$((calls * percent / 100)) status "$name" 2 watched \
        "$tool" sort "${on[@]}" -S 64K --verify "$@"
    grep -Eq 'out of order at key|line [0-9]+ of the output is wrong' err ||
        fail "$name: the place is not told"
    says "$name" "$verdict"
}
spoilt "numbers" number 50 "do not use what was written" -y u32 bytes
[ -s out ] || fail "spoilt numbers: nothing is written before the check fails"
spoilt "positions" number 50 "do not use what was written" -y u32 --argsort bytes
seq 200000 | awk '{ print $1 * 7919 % 400009 }' >in
spoilt "lines" line 90 "do not use what was written" --lines in
[ -s out ] || fail "spoilt lines: nothing is written before the check fails"
CLSORT_TEST_SPOIL=number CLSORT_TEST_AT=9 status "spoilt file" 2 watched "$tool" sort -y u32 "${on[@]}" \
    -S 64K --verify -o file bytes
says "spoilt file" "nothing was written"
nothing "spoilt file"
# damaged NAME WHAT ARGUMENT...: the ends of lines read back wrong, or numbers do.
damaged() {
    local name="damaged, $1" what=$2 calls
    shift 2
    status "$name, whole" 0 watched "$tool" sort "${on[@]}" -S 64K -o got "$@"
    read -r calls _ <usage
    CLSORT_TEST_SPOIL=$what CLSORT_TEST_AT=$((calls / 2)) status "$name" 2 watched "$tool" sort \
        "${on[@]}" -S 64K -o file "$@"
    says "$name" "the temporary file in $dir/tmp is damaged"
    nothing "$name"
}
damaged "ends of lines" last --lines in.lines
damaged "numbers in lines" last --text in.txt
# failing NAME SENTENCES ARGUMENT... FILE: each of some calls fails: what is read, what is written
# and why is told.
failing() {
    local name=$1 sentences=$2 calls at
    shift 2
    status "$name, whole" 0 watched "$tool" sort "${on[@]}" -o got "$@"
    read -r calls _ <usage
    for at in 1 $((calls / 3 + 1)) $((calls / 2 + 1)) $((calls * 3 / 4 + 1)) "$calls"; do
        CLSORT_TEST_FAIL=1 CLSORT_TEST_AT=$at status "$name failing at call $at" 2 watched "$tool" \
            sort "${on[@]}" -o file "$@"
        grep -qE "^clsort: cannot ($sentences): Input/output error" err ||
            fail "$name failing at call $at: another message"
        [ "$(wc -l <err)" -eq 1 ] || fail "$name failing at call $at: several messages"
        nothing "$name failing at call $at"
    done
}
failing "few numbers" "read few|write file" -y u32 few
failing "numbers at once" "read large|write file" -y u32 large
failing "numbers in pieces" "read bytes|write file|(read|write) a temporary file in $dir/tmp" \
    -S 64K -y u32 bytes
failing "text in pieces" "(read|write) a temporary file in $dir/tmp" --text -S 64K in.txt
failing "lines in pieces" "(read|write) a temporary file in $dir/tmp" --lines -S 64K in.lines
status "no folder" 2 "$tool" sort -y u32 "${on[@]}" -S 64K -T nowhere -o file bytes
says "no folder" "nowhere"
nothing "no folder"
rc=0
(
    trap '' XFSZ
    ulimit -f 100
    "$tool" sort -y u32 "${on[@]}" -S 64K -o file bytes
) 2>err || rc=$?
[ $rc -eq 2 ] || fail "a limit of the file's size: exit status $rc"
says "a limit of the file's size" "File too large"
nothing "a limit of the file's size"
mkdir small
if mount -t tmpfs -o size=200k none small; then
    mounted=$dir/small
    status "a full disk" 2 "$tool" sort -y u32 "${on[@]}" -S 64K -T small -o file bytes
    says "a full disk" "-T"
    nothing "a full disk"
    status "a full disk, piped" 2 "$tool" sort -y u32 "${on[@]}" -S 64K -T small -o file - < <(cat bytes)
    says "a full disk, piped" "-T"
    nothing "a full disk, piped"
    echo good >small/file
    status "a full disk for the output" 2 "$tool" sort -y u32 "${on[@]}" -S 64K -o small/file bytes
    says "a full disk for the output" "No space left"
    [ "$(cat small/file)" = good ] || fail "a full disk for the output: it is touched"
else
    echo "skipped: full disks (a file system cannot be mounted)"
fi
if truncate -s 1T huge; then
    status "a file larger than the disk" 2 "$tool" sort -y u32 "${on[@]}" -o file huge
    says "a file larger than the disk" "1.0 TiB"
    nothing "a file larger than the disk"
    status "text larger than the disk" 2 "$tool" sort "${on[@]}" --text -o file huge
    says "text larger than the disk" "1.0 TiB"
    nothing "text larger than the disk"
    rm huge
fi

if [ $num_failed -gt 0 ]; then
    echo "$num_failed failed"
    exit 1
fi
echo "all passed"
