#!/usr/bin/env bash
# random sorts for SOAK_SECONDS (60), and 10000 sorts over which memory stays flat
#
# SOAK_SEED repeats a run; without it the clock chooses. The seed is printed first.
. tests/check/common.sh

build plain soak -D CMAKE_BUILD_TYPE=Release
seed=${SOAK_SEED-$(date +%s)}
echo "        seed $seed"
log=$CHECK_DIR/soak.log
export POCL_CACHE_DIR=$CHECK_DIR/soak.cache CLSORT_TEST_SEED=$seed
mkdir -p "$POCL_CACHE_DIR"
rc=0
OCL_ICD_VENDORS=${OCL_ICD_VENDORS-pocl.icd} \
    "$CHECK_DIR/plain/tests/soak" "${SOAK_SECONDS-60}" >"$log" 2>&1 || rc=$?
case $rc in
0) passed "seed $seed" "$(tail -n 2 "$log" | tr '\n' ';')" ;;
77) skipped soak "there is no device" ;;
*)
    tail -n 10 "$log"
    failed "seed $seed" "status $rc; log: $log"
    ;;
esac
