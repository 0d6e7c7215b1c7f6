#!/usr/bin/env bash
# tests/tool/signals.sh TOOL HANDLER
#
# What signals do to the command-line tool, HANDLER (handler.c's library) being preloaded. Nothing
# is timed: a signal is sent when /proc tells that the tool waits for a pipe. Then, what it does if
# the disk is full when a file is closed. Exit status 77: there is no OpenCL device, or /proc does
# not tell.
preloaded=HANDLER
. "$(dirname "$0")/common.sh"
mkfifo pipe
exec 2>noise # bash tells of every process that a signal has ended

# run ARGUMENT...: the tool with the handler.
run() { preload exec "$tool" "$@"; }
is_alive() { kill -0 "$1" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$1/status"; }
# waits PID: returns when the process waits for a pipe and no signal waits for it; false if it has
# ended, or does not come to wait.
waits() {
    for _ in $(seq 3000); do
        is_alive "$1" || return 1
        case $(cat "/proc/$1/task/"*/wchan) in
        *pipe_* | *wait_for_partner* | *fifo_open*)
            grep -q 'Pnd:.*[1-9a-f]' "/proc/$1/status" || return 0
            ;;
        esac
        sleep 0.02
    done
    echo "process $1 neither ends nor waits for a pipe"
    kill -9 "$1"
    return 1
}
cat pipe &
if ! waits $!; then
    echo "skipped: /proc does not tell what a process waits for"
    exit 77
fi
: >pipe
wait $!
# dies PID: it ends, within a minute.
dies() {
    for _ in $(seq 3000); do
        is_alive "$1" || return 0
        sleep 0.02
    done
    return 1
}
# interrupt NAME PID: a signal while it waits, and it waits again.
interrupt() {
    waits "$2" && kill -USR1 "$2" && waits "$2" && return
    fail "$1: ended by an interrupted call"
    wait "$2"
    return 1
}

seq 30000 | awk '{ print $1 * 7919 % 30011 }' >numbers
awk '{ printf "%04d", $1 % 10000 }' numbers >bytes # 4 bytes a key
sort -n numbers >sorted.numbers
sort numbers >sorted.lines
"$tool" sort -y u32 -o sorted.bytes bytes || fail "the keys could not be sorted"

# ---- Calls that a signal interrupts go on --------------------------------------------------------
export CLSORT_TEST_HANDLER=1
# reads NAME STATUS INPUT EXPECTED ARGUMENT...: of a command that reads a pipe: its opening, and two
# readings, are interrupted.
reads() {
    local name=$1 expected=$2 input=$3 output=$4 rc=0
    shift 4
    run "$@" pipe >out 2>err &
    local pid=$!
    interrupt "$name, opening" $pid || return
    exec 3>pipe
    interrupt "$name, the first reading" $pid || return
    head -c 1000 "$input" >&3
    interrupt "$name, the second reading" $pid || return
    tail -c +1001 "$input" >&3
    exec 3>&-
    wait $pid || rc=$?
    [ $rc -eq "$expected" ] || fail "$name: exit status $rc"
    cmp -s out "$output" || fail "$name: the output is wrong"
}
reads "sort -y" 0 bytes sorted.bytes sort -y u32
reads "sort --text" 0 numbers sorted.numbers sort --text
reads "sort" 0 numbers sorted.lines sort
reads "sort -D" 0 numbers sorted.lines sort "${on[@]}"
reads "check -y" 0 sorted.bytes /dev/null check -y u32
reads "check --text" 0 sorted.numbers /dev/null check --text
reads "check" 0 sorted.lines /dev/null check

# writes NAME EXPECTED ARGUMENT...: of a command that writes more than a pipe holds.
writes() {
    local name=$1 expected=$2
    shift 2
    (run "$@" >pipe 2>err) &
    local pid=$!
    exec 3<pipe
    interrupt "$name, writing" $pid || return
    cat <&3 >out
    exec 3<&-
    wait $pid || fail "$name: exit status $?"
    cmp -s out "$expected" || fail "$name: the output is wrong"
}
writes "sort -y" sorted.bytes sort -y u32 bytes
writes "sort --text" sorted.numbers sort --text numbers
writes "sort" sorted.lines sort numbers
writes "sort -D" sorted.lines sort "${on[@]}" numbers
# prints NAME ARGUMENT...: of a command that prints little, into a pipe that is full already.
prints() {
    local name=$1
    shift
    "$tool" "$@" >expected
    exec 3<>pipe
    dd if=/dev/zero of=pipe bs=4096 count=1024 oflag=nonblock
    run "$@" >pipe 2>err &
    local pid=$!
    exec 4<pipe
    interrupt "$name, printing" $pid || return
    exec 3>&-
    tr -d '\0' <&4 >out
    exec 4<&-
    wait $pid || fail "$name: exit status $?"
    cmp -s out expected || fail "$name: the output is wrong"
}
prints plan plan "${on[@]}" -N 1000
prints devices devices --json
prints help sort --help
unset CLSORT_TEST_HANDLER

# ---- No signal leaves a temporary file -----------------------------------------------------------
no_temp() { [ -z "$(find . -name '.clsort*')" ] || fail "$1: a temporary file is left"; }
# ends NAME SIGNAL: it ends a sort that has opened its output, and its output stays as it was. LLVM,
# with which drivers compile, handles those of faults and of files that are too large the first time.
ends() {
    local rc=0
    echo good >file
    run sort -y u32 -o file pipe 2>err &
    local pid=$!
    exec 3>pipe
    waits $pid || fail "$1: the sort has ended by itself"
    kill -s "$2" $pid
    [[ " ILL TRAP ABRT BUS SEGV XFSZ SYS " != *" $2 "* ]] || ! waits $pid || kill -s "$2" $pid
    dies $pid || fail "$1 does not end it"
    wait $pid 2>/dev/null || rc=$?
    exec 3>&-
    [ $rc -gt 128 ] && [ "$(kill -l $rc)" = "$2" ] || fail "$1: exit status $rc"
    [ "$(cat file)" = good ] || fail "$1: the output is touched"
}
ulimit -c 0
for signal in HUP INT QUIT ILL TRAP ABRT BUS USR1 SEGV USR2 ALRM TERM STKFLT XCPU XFSZ VTALRM PROF \
    IO \
    PWR SYS RTMIN+5 RTMAX; do
    kill -l $signal >/dev/null 2>&1 || continue
    for named in '' 1; do
        [ -z "$named" ] || export CLSORT_TEST_NAMED=1
        ends "SIG$signal${named:+, a named file}" $signal
        no_temp "SIG$signal${named:+, a named file}"
        unset CLSORT_TEST_NAMED
    done
done
# Where the file has no name, even this leaves nothing.
ends SIGKILL KILL
if [ -n "$(find . -name '.clsort*')" ]; then
    echo "skipped: SIGKILL (this file system has no files without a name)"
    rm -f .clsort*
fi

# ---- Nor does a driver's compiler keep one -------------------------------------------------------
# compiled SIGNAL: it ends a sort of pieces for which PoCL, with an empty cache, has compiled: by
# LLVM, which handles these signals and goes on.
compiled() {
    local rc=0
    rm -rf cache
    mkdir cache
    POCL_CACHE_DIR=$PWD/cache run sort -y u64 -a radix "${on[@]}" -S 2M -o file pipe 2>err &
    local pid=$!
    exec 3>pipe
    head -c 20M /dev/urandom >&3
    for _ in $(seq 600); do
        is_alive $pid && [ -z "$(find cache -name '*.so')" ] || break
        sleep 0.1
    done
    waits $pid || fail "$1, compiled: the sort has ended by itself"
    kill -s "$1" $pid
    dies $pid || fail "$1, compiled: it does not end it"
    exec 3>&-
    wait $pid 2>/dev/null || rc=$?
    [ $rc -gt 128 ] && [ "$(kill -l $rc)" = "$1" ] || fail "$1, compiled: exit status $rc"
}
if grep -A 1 '^\*' devices.txt | grep -q 'Portable Computing'; then
    for signal in QUIT USR1 XCPU; do
        compiled $signal
    done
fi

# ---- What is ignored stays so; both kinds of file get their name ---------------------------------
for named in '' 1; do
    [ -z "$named" ] || export CLSORT_TEST_NAMED=1
    echo old >file
    chmod 640 file
    (
        trap '' USR2 HUP
        run sort -y u32 -o file pipe 2>err
    ) &
    pid=$!
    exec 3>pipe
    waits $pid || fail "an ignored signal: the sort has ended by itself"
    kill -USR2 $pid
    kill -HUP $pid
    cat bytes >&3
    exec 3>&-
    wait $pid || fail "an ignored signal ends the tool: $?"
    cmp -s file sorted.bytes || fail "the output is not there"
    [ "$(stat -c %a file)" = 640 ] || fail "the mode has changed"
    rm -f new
    (umask 027 && run sort -y u32 -o new bytes) || fail "a new file"
    cmp -s new sorted.bytes || fail "a new file is wrong"
    [ "$(stat -c %a new)" = 640 ] || fail "a new file's mode does not obey umask"
    no_temp "finished"
done

# ---- A full disk that tells when a file is closed ------------------------------------------------
# late NAME ARGUMENT...: standard output is a file there.
late() {
    local name="a disk that is full at last, $1"
    shift
    CLSORT_TEST_LATE=1 status "$name" 2 preload "$tool" "$@"
    says "$name" "cannot write standard output: No space left on device"
}
late keys sort -y u32 bytes
late "keys by a device" sort -y u32 "${on[@]}" bytes
late lines sort numbers
late numbers sort -u -n numbers
late merged merge -y u32 sorted.bytes sorted.bytes
late "the largest" top -y u32 -N 3 bytes

# ---- A driver that prints when the process ends --------------------------------------------------
status "printing at the end" 0 env CLSORT_TEST_PRINTS=1 LD_PRELOAD="$library" "$tool" sort numbers
sort numbers | cmp -s - out || fail "printing at the end: not the lines in order"

if [ $num_failed -gt 0 ]; then
    echo "$num_failed failed"
    exit 1
fi
echo "all passed"
