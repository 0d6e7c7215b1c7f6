# common.sh TOOL [LIBRARY]: what the tests of the command-line tool share. They source it with their
# own arguments, and with the name of the second in $preloaded if they take a library. Exit status
# 77: there is no OpenCL device.
set -u
export LC_ALL=C
[ $# -eq $((${preloaded:+1} + 1)) ] || {
    echo "usage: $0 TOOL ${preloaded-}" >&2
    exit 2
}
tool=$(realpath "$1")
library=${2+$(realpath "$2")}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2

# A tool that cannot say that there is no device is broken.
"$tool" devices >devices.txt 2>err
case $? in
0) ;;
2)
    cat err
    grep -q -e 'no OpenCL platform' -e 'no device' err || exit 1
    echo "skipped: no OpenCL device"
    exit 77
    ;;
*)
    cat err
    echo "FAILED: clsort devices"
    exit 1
    ;;
esac

# The device that the library chooses: by CLSORT_DEVICE if that is set.
on=(-D "$(sed -n 's/^\* *\([0-9]*\) .*/\1/p' devices.txt)")

# A program that dies by a signal leaves a core file, where the system writes them into the folder
# that it ran in.
ulimit -S -c "$(ulimit -H -c)"
# tell_cores: where each thread of the programs that died was.
tell_cores() {
    local core
    for core in core core.*; do
        [ -f "$core" ] || continue
        if command -v gdb >/dev/null; then
            gdb -batch -ex 'thread apply all backtrace' "$tool" "$core" 2>&1 | tail -n 200
        else
            echo "    $core is kept in ${CLSORT_TEST_CORES:=$(mktemp -d)}"
            mv "$core" "$CLSORT_TEST_CORES"
        fi
        rm -f "$core"
    done
}

# Only the ocl-icd loader can be made to find no platform this way; Khronos's looks elsewhere too.
hides_drivers() { ! env OCL_ICD_VENDORS=/nonexistent "$tool" devices >/dev/null 2>&1; }

num_failed=0
fail() {
    num_failed=$((num_failed + 1))
    echo "FAILED: $*"
    [ ! -s err ] || sed 's/^/    stderr: /' err | head -5
    tell_cores
}
# same NAME A B: two files are the same, byte for byte.
same() { cmp -s "$2" "$3" || fail "$1: $2 and $3 differ"; }
# status NAME STATUS COMMAND...: the exit status; stdout to out, stderr to err.
status() {
    local name=$1 expected=$2 rc=0
    shift 2
    "$@" >out 2>err || rc=$?
    [ $rc -eq "$expected" ] || fail "$name: exit status $rc, not $expected"
}
# mentions NAME TEXT: the last stderr holds a text.
mentions() { grep -qF -- "$2" err || fail "$1: the message does not say '$2'"; }
# says NAME TEXT: the last stderr is one line that begins as all messages do and holds a text.
says() {
    [ "$(wc -l <err)" -eq 1 ] || fail "$1: not one line on stderr"
    grep -q '^clsort: ' err || fail "$1: the message does not begin with 'clsort: '"
    mentions "$1" "$2"
}
# preload COMMAND...: a command with the library.
preload() {
    ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 LD_PRELOAD=$library "$@"
}
silent() { [ ! -s out ] || fail "$1: there is something on stdout"; }
# refuses NAME TEXT COMMAND...: status 2, a message with the text, and no output.
refuses() {
    local name=$1 text=$2
    shift 2
    status "$name" 2 "$@"
    says "$name" "$text"
    silent "$name"
}
# excludes COMMAND OPTION OPTION: in both orders.
excludes() { excludes_of "$tool $1" "$2" "$3"; }
# excludes_of PROGRAM OPTION OPTION: the same of a program, and its command behind a blank.
excludes_of() {
    # shellcheck disable=SC2086 # an option and its argument
    for options in "$2 $3" "$3 $2"; do
        refuses "$1 $options" exclude $1 $options
        grep -q -- "--[a-z-]* and --[a-z-]* exclude each other: " err ||
            fail "$1 $options: not by name"
    done
}
