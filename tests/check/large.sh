#!/usr/bin/env bash
# the largest buffer that the device allows, with counts above 32 bits; more scratch than there is
. tests/check/common.sh

build plain test_large -D CMAKE_BUILD_TYPE=Release
log=$CHECK_DIR/large.log
export POCL_CACHE_DIR=$CHECK_DIR/large.cache OCL_ICD_VENDORS=${OCL_ICD_VENDORS-pocl.icd}
mkdir -p "$POCL_CACHE_DIR"
rc=0
"$CHECK_DIR/plain/tests/test_large" >"$log" 2>&1 || rc=$?
case $rc in
0) passed large "$(grep -E 'keys are right|^skipped' "$log" | tr '\n' ';')" ;;
77) skipped large "there is no device" ;;
*)
    tail -n 10 "$log"
    failed large "status $rc; log: $log"
    ;;
esac
