#!/bin/sh
# test_readme.sh README WORK_DIR HAVE_DEVICE COMPILER OPTION...
#
# Compiles and runs every ```c block of README that has a main, exactly as it stands. Each must end
# with 0 and print numbers in order. OPTIONs go to the compiler behind the source.
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
rm -f "$work"/program*
awk -v work="$work" '
    /^```/ { if (inside && text ~ /int main/) printf "%s", text >(work "/program" ++number ".c")
             inside = !inside && $0 == "```c"; text = ""; next }
    inside { text = text $0 "\n" }
' "$readme"
[ -s "$work/program1.c" ] || fail "$readme has no \`\`\`c block with int main"

for program in "$work"/program*.c; do
    "$compiler" "$program" -o "${program%.c}" "$@" || fail "$program of README does not compile"
done

status=0
"$have_device" have_device >/dev/null || status=$?
if [ "$status" -eq 77 ]; then
    echo "skipped: compiled, not run: there is no OpenCL device"
    exit 77
fi

for program in "$work"/program*.c; do
    "${program%.c}" >"$work/output" || fail "$program of README ended with $?"
    cat "$work/output"
    [ -s "$work/output" ] || fail "$program of README prints nothing"
    LC_ALL=C sort -g -c "$work/output" || fail "what $program of README prints is not sorted"
done
