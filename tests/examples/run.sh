#!/bin/sh
# run.sh SOURCE NO_DEVICE_TEST WORK_DIR PROGRAM [ARGUMENT...]
#
# Runs an example. It must print what the head of its SOURCE announces as "Output:" (any white space
# counts as one blank) and end with 0. Without a driver it must do the same, if it needs no device,
# or fail with the library's sentence and print nothing. NO_DEVICE_TEST is test_nodevice.
set -eu
source=$1 no_device_test=$2 work=$3
shift 3

. "$(dirname "$0")/../common.sh"
fail() {
    echo "FAILED: $source: $*"
    exit 1
}

rm -rf "$work"
mkdir -p "$work/empty"
expected=$(announced_output "$source")
[ -n "$expected" ] || fail "its head announces no output"

status=0
OCL_ICD_VENDORS="$work/empty" CLSORT_DEVICE='' "$no_device_test" no_platform >"$work/output" ||
    status=$?
if [ "$status" -ne 77 ]; then # 77: the loader has a platform whatever the variable says
    if OCL_ICD_VENDORS="$work/empty" CLSORT_DEVICE='' "$@" >"$work/output" 2>"$work/errors"; then
        [ "$(one_line <"$work/output")" = "$expected" ] || fail "without a driver it ended with 0"
    else
        [ ! -s "$work/output" ] || fail "without a driver it printed $(cat "$work/output")"
        grep -q 'no OpenCL platform' "$work/errors" || fail "without a driver it does not say so"
    fi
fi

status=0
"$no_device_test" have_device >"$work/output" || status=$?
if [ "$status" -eq 77 ]; then
    echo "skipped: there is no OpenCL device"
    exit 77
fi
"$@" >"$work/output" || fail "it ended with $?"
output=$(one_line <"$work/output")
case $output in
skipped:*)
    echo "$output"
    exit 77
    ;;
esac
[ "$output" = "$expected" ] || fail "it printed: $output, not: $expected"
echo "$output"
