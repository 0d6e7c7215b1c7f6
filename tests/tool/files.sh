#!/usr/bin/env bash
# tests/tool/files.sh TOOL WATCH
#
# Files larger than the tool's memory (-S), WATCH (watch.c's library) being preloaded where bytes, memory and calls
# are counted. The judges are sort(1) and the tool's own sort at once, which run.sh holds to sort(1) and od. Exit
# status 77: there is no OpenCL device.
set -u
export LC_ALL=C
[ $# -eq 2 ] || {
    echo "usage: $0 TOOL WATCH" >&2
    exit 2
}
tool=$(realpath "$1")
watch=$(realpath "$2")
dir=$(mktemp -d)
mounted=
trap '[ -z "$mounted" ] || umount "$mounted"; rm -rf "$dir"' EXIT
cd "$dir" || exit 2
mkdir tmp
export TMPDIR=$dir/tmp
exec 2>noise # bash tells of every process that a signal has ended

if ! "$tool" devices >out 2>err; then
    cat err
    echo "skipped: no OpenCL device"
    exit 77
fi

num_failed=0
fail() {
    num_failed=$((num_failed + 1))
    echo "FAILED: $*"
    [ ! -s err ] || sed 's/^/    stderr: /' err | head -5
}
same() { cmp -s "$2" "$3" || fail "$1: $2 and $3 differ"; }
status() {
    local name=$1 expected=$2 rc=0
    shift 2
    "$@" >out 2>err || rc=$?
    [ $rc -eq "$expected" ] || fail "$name: exit status $rc, not $expected"
}
says() { grep -qF -- "$2" err || fail "$1: the message does not say '$2'"; }
# nothing NAME: the old output is there, and no temporary file.
nothing() {
    [ "$(cat file)" = good ] || fail "$1: the output is touched"
    [ -z "$(find . -name '.clsort*')" ] || fail "$1: a temporary file is left"
}
watched() {
    ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 LD_PRELOAD=$watch CLSORT_TEST_USAGE=$dir/usage "$@"
}

# ---- Data: the same each time --------------------------------------------------------------------
seq 400000 | awk '{ print $1 * 7919 % 400009 * 31 % 65537 }' >numbers # many are equal
gzip -n -1 <numbers | head -c 400000 >bytes
head -c 80000 bytes >few # more than the host sorts where there is a device

# ---- Without a device ----------------------------------------------------------------------------
# What clsort_sort() has the calling thread sort needs none, not even a driver.
for options in "" "-r -y f32" "--argsort -y i16" "--argsort=8 -y u64 --check"; do
    # shellcheck disable=SC2086 # several options
    status "a device, $options" 0 "$tool" sort -D 0 $options -o expected few
    # shellcheck disable=SC2086
    status "no driver, $options" 0 env -u CLSORT_DEVICE OCL_ICD_VENDORS=/nonexistent "$tool" sort $options -o got few
    same "no driver, $options" expected got
    # shellcheck disable=SC2086
    status "no driver, piped, $options" 0 env -u CLSORT_DEVICE OCL_ICD_VENDORS=/nonexistent "$tool" sort $options \
        -o got - < <(cat few)
    same "no driver, piped, $options" expected got
done

# ---- Numbers: as at once -------------------------------------------------------------------------
for type in u8 u16 u32 u64 i32 f16 f32 f64; do
    for options in "" -r "--argsort --check" "-r --argsort=8"; do
        size=$((${type##*[a-z]} / 8))
        # As many pieces in each case, and little to do.
        head -c $((size * 50000)) bytes >in
        # shellcheck disable=SC2086
        status "$type $options" 0 "$tool" sort -y $type $options -o expected in
        # shellcheck disable=SC2086
        status "$type $options -S" 0 "$tool" sort -D 0 -S 64K -y $type $options -o got in
        same "$type $options -S" expected got
    done
done
# From a pipe, to standard output, in place, of one key more than a piece, and of all keys equal.
status "at once" 0 "$tool" sort -o expected bytes
status "a pipe" 0 "$tool" sort -D 0 -S 64K --check - < <(cat bytes)
same "a pipe" expected out
cp bytes file
status "in place" 0 "$tool" sort -D 0 -S 64K --check -o file file
same "in place" expected file
says "in place" "check passed"
head -c 300000 /dev/zero >in
status "equal keys" 0 "$tool" sort -D 0 -S 64K --argsort -o got in
seq 0 74999 >expected
od -An -v -w4 -t u4 got | tr -d ' ' >got.txt
same "equal keys" expected got.txt
for count in 0 1 2 4095 4096 4097 8191 8192 8193; do
    head -c $((count * 4)) bytes >in
    status "$count keys at once" 0 "$tool" sort -D 0 -o expected in
    status "$count keys" 0 "$tool" sort -D 0 -S 64K -o got in
    same "$count keys" expected got
    status "$count keys, piped" 0 "$tool" sort -D 0 -S 64K -o got - < <(cat in)
    same "$count keys, piped" expected got
done
for size in 1 64k 1M 1% 65536b; do
    status "-S $size" 0 "$tool" sort -S $size -o got few
done
for size in x 1X -5 '' 4KK; do
    status "-S $size" 2 "$tool" sort -S "$size" few
    says "-S $size" "sort(1)"
done

# ---- Two reads and two writes, within the memory -------------------------------------------------
is_sanitized() { grep -qE '__(asan|tsan|msan)_init' "$tool"; }
# costs NAME ARGUMENT... FILE: of a sort with -S 8M. Half a file more may be read and written for the cuts and by the
# driver's compiler, but not a third time the file.
costs() {
    local name=$1 size calls base peak num_read num_written
    shift
    size=$(stat -c %s "${*: -1}")
    head -c 4 "${*: -1}" >in
    status "$name, what is in no cache yet" 0 "$tool" sort -D 0 -S 8M -o got "$@"
    status "$name, one key" 0 "$tool" sort -D 0 -o got "${@:1:$#-1}" in
    status "$name, one key" 0 watched "$tool" sort -D 0 -o got "${@:1:$#-1}" in
    read -r calls base _ <usage
    status "$name" 0 watched "$tool" sort -D 0 -S 8M -o got "$@"
    read -r calls peak num_read num_written <usage
    [ "$calls" -gt 10 ] || fail "$name: not by pieces"
    is_sanitized || [ $((peak - base)) -le $(((8 + 64) * 1024)) ] ||
        fail "$name: $((peak - base)) KiB more than for one key"
    for bytes in "$num_read read" "$num_written written"; do
        [ "${bytes% *}" -ge $((size * 2)) ] && [ "${bytes% *}" -le $((size * 5 / 2 + 10000000)) ] ||
            fail "$name: $bytes of $size bytes"
    done
    echo "$name: $size bytes, $num_read read, $num_written written, $((peak - base)) KiB more than for one key"
}
for _ in $(seq 80); do cat bytes; done >large
costs "numbers" large
status "large at once" 0 "$tool" sort -o expected large
same "large" expected got

# ---- Nothing is left and nothing lost ------------------------------------------------------------
echo good >file
if watched "$tool" sort -D 0 -S 64K -o got bytes; then
    read -r calls _ <usage
else
    fail "a sort to be interrupted"
    calls=100
fi
ulimit -c 0
for at in 1 2 $((calls / 4)) $((calls / 2)) $((calls * 3 / 4)) "$calls"; do
    for signal in INT TERM HUP; do
        rc=0
        (trap - INT; CLSORT_TEST_AT=$at CLSORT_TEST_RAISE=$(kill -l $signal) watched "$tool" sort -D 0 -S 64K -o file bytes) \
            2>err || rc=$?
        # A shell's child may have INT ignored; then nothing ends.
        [ $rc -eq $((128 + $(kill -l $signal))) ] || fail "SIG$signal at call $at: exit status $rc"
        nothing "SIG$signal at call $at"
    done
done
cp bytes in
CLSORT_TEST_AT=1 CLSORT_TEST_CUT=in status "a shrunk input" 2 watched "$tool" sort -D 0 -S 64K -o file in
says "a shrunk input" "it has become shorter"
nothing "a shrunk input"
status "no folder" 2 "$tool" sort -D 0 -S 64K -T nowhere -o file bytes
says "no folder" "nowhere"
nothing "no folder"
rc=0
(
    trap '' XFSZ
    ulimit -f 100
    "$tool" sort -D 0 -S 64K -o file bytes
) 2>err || rc=$?
[ $rc -eq 2 ] || fail "a limit of the file's size: exit status $rc"
says "a limit of the file's size" "File too large"
nothing "a limit of the file's size"
mkdir small
if mount -t tmpfs -o size=200k none small; then
    mounted=$dir/small
    status "a full disk" 2 "$tool" sort -D 0 -S 64K -T small -o file bytes
    says "a full disk" "-T"
    nothing "a full disk"
    status "a full disk, piped" 2 "$tool" sort -D 0 -S 64K -T small -o file - < <(cat bytes)
    says "a full disk, piped" "-T"
    nothing "a full disk, piped"
    echo good >small/file
    status "a full disk for the output" 2 "$tool" sort -D 0 -S 64K -o small/file bytes
    says "a full disk for the output" "No space left"
    [ "$(cat small/file)" = good ] || fail "a full disk for the output: it is touched"
else
    echo "skipped: full disks (a file system cannot be mounted)"
fi
if truncate -s 1T huge; then
    status "a file larger than the disk" 2 "$tool" sort -D 0 -o file huge
    says "a file larger than the disk" "1.0 TiB"
    nothing "a file larger than the disk"
    rm huge
fi

if [ $num_failed -gt 0 ]; then
    echo "$num_failed failed"
    exit 1
fi
echo "all passed"
