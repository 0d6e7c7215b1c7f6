#!/usr/bin/env bash
# no description of records makes kernels that a driver compiles for long
#
# tests/compile_times.c compiles the largest forms and COMPILE_DESCRIPTIONS (60) random ones, with the driver's
# cache off, on the device that CLSORT_DEVICE names or PoCL; one that takes more than COMPILE_SECONDS fails: 5,
# or on an NVIDIA GPU 2. COMPILE_SEED repeats a run. The list stays in $CHECK_DIR/compile.log.
. tests/check/common.sh

build plain compile_times -D CMAKE_BUILD_TYPE=Release
COMPILE_DESCRIPTIONS=${COMPILE_DESCRIPTIONS-60}
seed=${COMPILE_SEED-$(date +%s)}
log=$CHECK_DIR/compile.log
limit=5
case ${CLSORT_DEVICE-} in
*[Nn][Vv][Ii][Dd][Ii][Aa]*) limit=2 ;;
*)
    export OCL_ICD_VENDORS=${OCL_ICD_VENDORS-pocl.icd} POCL_KERNEL_CACHE=0 COMPILE_LAUNCH=1
    ;;
esac
export COMPILE_SECONDS=${COMPILE_SECONDS-$limit} CUDA_CACHE_DISABLE=1
rc=0
"$CHECK_DIR/plain/tests/compile_times" "$COMPILE_DESCRIPTIONS" "$seed" >"$log" 2>&1 || rc=$?
tail -n 3 "$log" | sed 's/^/        /'
case $rc in
0) passed "seed $seed" "$((COMPILE_DESCRIPTIONS + 20)) descriptions, the slowest above" ;;
77) skipped compile "there is no device" ;;
*) failed "seed $seed" "status $rc, above $COMPILE_SECONDS s; log: $log" ;;
esac
