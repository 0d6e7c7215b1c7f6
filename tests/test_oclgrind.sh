#!/bin/sh
# test_oclgrind.sh OCLGRIND_LIBRARY WORK_DIR PROGRAM...
#
# Runs each PROGRAM on Oclgrind's simulated device, as an OpenCL platform of its own, which reports
# races and accesses out of bounds; or, if OCLGRIND_UNINITIALIZED is set, uses of values that were never
# written, in kernels that are not optimised (version 21.10 stops at LLVM's "freeze"), for programs that
# release no buffer then (keep_buffers.c). Oclgrind ends with 0 whatever it finds, so its log has to be
# empty.
set -eu
library=$1
work=$2
shift 2
mkdir -p "$work"
export OCL_ICD_VENDORS="$library" OCLGRIND_CHECK_API=1 OCLGRIND_LOG="$work/log"
if [ -n "${OCLGRIND_UNINITIALIZED-}" ]; then
    export OCLGRIND_BUILD_OPTIONS=-cl-opt-disable
else
    export OCLGRIND_DATA_RACES=1
fi
unset CLSORT_DEVICE

for program in "$@"; do
    rm -f "$OCLGRIND_LOG"
    "$program" &
    pid=$!
    trap 'kill $pid' INT TERM
    # No further than to the first report, which may be of something that makes the simulation endless.
    while kill -0 $pid 2>/dev/null && [ ! -s "$OCLGRIND_LOG" ]; do
        sleep 0.5
    done
    [ ! -s "$OCLGRIND_LOG" ] || kill $pid 2>/dev/null || true
    status=0
    wait $pid || status=$?
    if [ $status -ne 0 ] && [ ! -s "$OCLGRIND_LOG" ]; then
        echo "FAILED: $program ended with $status"
        exit 1
    fi
    if [ -s "$OCLGRIND_LOG" ]; then
        head -n 40 "$OCLGRIND_LOG"
        echo "FAILED: Oclgrind reports $(wc -l <"$OCLGRIND_LOG") lines for $program"
        exit 1
    fi
done
