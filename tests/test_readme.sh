#!/bin/sh
# test_readme.sh README WORK_DIR HAVE_DEVICE COMPILER OPTION...
#
# Compiles and runs the first ```c block of README that has a main, exactly as it stands. It must
# end with 0 and print numbers in order. OPTIONs go to the compiler behind the source.
# HAVE_DEVICE is a program that ends with 77 where there is no OpenCL device.
set -eu
readme=$1
work=$2
have_device=$3
compiler=$4
shift 4

fail() {
    echo "FAILED: $*"
    exit 1
}

mkdir -p "$work"
awk '
    /^```/ { if (inside) { if (text ~ /int main/) { printf "%s", text; exit } inside = 0 }
             else if ($0 == "```c") { inside = 1; text = "" } ; next }
    inside { text = text $0 "\n" }
' "$readme" >"$work/program.c"
[ -s "$work/program.c" ] || fail "$readme has no \`\`\`c block with int main"

"$compiler" "$work/program.c" -o "$work/program" "$@" || fail "README's program does not compile"

status=0
"$have_device" have_device >/dev/null || status=$?
if [ "$status" -eq 77 ]; then
    echo "skipped: compiled, not run: there is no OpenCL device"
    exit 77
fi

"$work/program" >"$work/output" || fail "README's program ended with $?"
cat "$work/output"
[ -s "$work/output" ] || fail "README's program prints nothing"
LC_ALL=C sort -g -c "$work/output" || fail "what README's program prints is not sorted"
