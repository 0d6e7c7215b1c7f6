#!/usr/bin/env bash
# races, wild accesses and unset values, on Oclgrind's simulated device: every algorithm, the device header
#
# Its log has to stay empty. That it can say something is shown by a planted race and a value that is
# not set; the part mutants plants many more.
. tests/check/common.sh

oclgrind=$(find /usr/lib/oclgrind /usr/local/lib/oclgrind -name liboclgrind-rt-icd.so 2>/dev/null | head -n 1)
[ -n "$oclgrind" ] || { skipped oclgrind "it is not installed"; exit 0; }
build plain "test_races test_device_header test_example" -D CMAKE_BUILD_TYPE=Release
# As a GPU, and as a CPU: Oclgrind says that it is either.
for run in test_races:subgroup=0,local=4096,group=16,cpu=0 test_races:cache=2048 \
    test_device_header:subgroup=0 test_example:subgroup=0; do
    program=${run%%:*}
    export CLSORT_LIMIT=${run#*:}
    log=$CHECK_DIR/oclgrind.$program.$CLSORT_LIMIT.log
    if sh tests/test_oclgrind.sh "$oclgrind" "$CHECK_DIR/oclgrind.$program" \
        "$CHECK_DIR/plain/tests/$program" >"$log" 2>&1; then
        passed "$program, $CLSORT_LIMIT"
    else
        tail -n 20 "$log"
        failed "$program, $CLSORT_LIMIT" "log: $log"
    fi
done
export OCLGRIND_UNINITIALIZED=1
for CLSORT_LIMIT in subgroup=0,local=4096,group=16,cpu=0 cache=2048; do
    log=$CHECK_DIR/oclgrind.unset.$CLSORT_LIMIT.log
    if sh tests/test_oclgrind.sh "$oclgrind" "$CHECK_DIR/oclgrind.unset" \
        "$CHECK_DIR/plain/tests/test_races" >"$log" 2>&1; then
        passed "values that were never set, $CLSORT_LIMIT"
    else
        tail -n 20 "$log"
        failed "values that were never set, $CLSORT_LIMIT" "log: $log"
    fi
done
unset CLSORT_LIMIT OCLGRIND_UNINITIALIZED
MUTANTS="radix_count_not_atomic merge_flag_unset" bash tests/check/mutants.sh
