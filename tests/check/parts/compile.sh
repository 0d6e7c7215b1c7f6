#!/usr/bin/env bash
# no description of records makes kernels that take a driver long to compile
#
# check/compile_times.c compiles the largest forms and COMPILE_DESCRIPTIONS (60) random ones, with
# the driver's cache off. CLSORT_DEVICE names the device, PoCL by default. A form fails if it takes
# more than COMPILE_SECONDS: 5, or 2 on an NVIDIA GPU. COMPILE_SEED repeats a run. The list stays in
# $CHECK_DIR/compile.log.
. tests/check/common.sh

build plain compile_times -D CMAKE_BUILD_TYPE=Release
COMPILE_DESCRIPTIONS=${COMPILE_DESCRIPTIONS-60}
seed=${COMPILE_SEED-$(date +%s)}
log=$CHECK_DIR/compile.log
limit=5
case ${CLSORT_DEVICE-} in
*[Nn][Vv][Ii][Dd][Ii][Aa]*) limit=2 ;;
*)
    use_pocl compile
    export POCL_KERNEL_CACHE=0 COMPILE_LAUNCH=1
    ;;
esac
export COMPILE_SECONDS=${COMPILE_SECONDS-$limit} CUDA_CACHE_DISABLE=1
rc=0
"$CHECK_DIR/plain/tests/compile_times" "$COMPILE_DESCRIPTIONS" "$seed" >"$log" 2>&1 || rc=$?
tail -n 3 "$log" | sed 's/^/        /'
verdict "seed $seed" $rc "$log" \
    "$((COMPILE_DESCRIPTIONS + 20)) descriptions within $COMPILE_SECONDS s, the slowest above"
