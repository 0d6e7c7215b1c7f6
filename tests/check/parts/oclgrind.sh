#!/usr/bin/env bash
# races, wild accesses and unset values on Oclgrind's device: every algorithm, the device header
#
# Oclgrind's log must stay empty. A planted race and a value that is not set show that it can report
# something; the part mutants plants many more.
. tests/check/common.sh

oclgrind=$(oclgrind_library)
[ -n "$oclgrind" ] || { skipped oclgrind "it is not installed"; exit 0; }
build plain "test_races test_device_header test_example" -D CMAKE_BUILD_TYPE=Release

# watch NAME PROGRAM: PROGRAM on Oclgrind's device, as a check.
watch() {
    try "$1, $CLSORT_LIMIT" "$CHECK_DIR/oclgrind.$1.$CLSORT_LIMIT.log" \
        sh tests/races/test_oclgrind.sh "$oclgrind" "$CHECK_DIR/oclgrind.$1" \
            "$CHECK_DIR/plain/tests/$2"
}
for run in test_races:$as_gpu test_races:$as_cpu test_device_header:subgroup=0 \
    test_example:subgroup=0; do
    export CLSORT_LIMIT=${run#*:}
    watch "${run%%:*}" "${run%%:*}"
done
export OCLGRIND_UNINITIALIZED=1
for CLSORT_LIMIT in $as_gpu $as_cpu; do
    watch unset test_races
done
unset CLSORT_LIMIT OCLGRIND_UNINITIALIZED
MUTANTS="radix_count_not_atomic merge_flag_unset" bash tests/check/parts/mutants.sh
