#!/usr/bin/env bash
# races and wild accesses, on Oclgrind's simulated device: every algorithm, and the device header
#
# Its log has to stay empty. That it can say something is shown by a planted race; the part mutants
# plants many more.
. tests/check/common.sh

oclgrind=$(find /usr/lib/oclgrind /usr/local/lib/oclgrind -name liboclgrind-rt-icd.so 2>/dev/null | head -n 1)
[ -n "$oclgrind" ] || { skipped oclgrind "it is not installed"; exit 0; }
build plain "test_races test_device_header test_example" -D CMAKE_BUILD_TYPE=Release
export CLSORT_LIMIT=subgroup=0,local=4096,group=16
for program in test_races test_device_header test_example; do
    log=$CHECK_DIR/oclgrind.$program.log
    if sh tests/test_oclgrind.sh "$oclgrind" "$CHECK_DIR/oclgrind.$program" \
        "$CHECK_DIR/plain/tests/$program" >"$log" 2>&1; then
        passed "$program"
    else
        tail -n 20 "$log"
        failed "$program" "log: $log"
    fi
done
unset CLSORT_LIMIT
MUTANTS="radix_count_not_atomic" bash tests/check/mutants.sh
