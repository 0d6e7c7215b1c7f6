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
    "$program" || {
        echo "FAILED: $program ended with $?"
        exit 1
    }
    if [ -s "$OCLGRIND_LOG" ]; then
        head -n 40 "$OCLGRIND_LOG"
        echo "FAILED: Oclgrind reports $(wc -l <"$OCLGRIND_LOG") lines for $program"
        exit 1
    fi
done
