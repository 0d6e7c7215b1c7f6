#!/bin/sh
# test_oclgrind.sh OCLGRIND_LIBRARY WORK_DIR PROGRAM...
#
# Runs each PROGRAM on Oclgrind's simulated device, an OpenCL platform of its own, which reports
# races and accesses out of bounds. With OCLGRIND_UNINITIALIZED set it instead reports uses of
# values that were never written. Kernels are then not optimised, since version 21.10 stops at
# LLVM's "freeze", nor are their functions inlined, since it does not know what LLVM then says of
# aliases; and programs release no buffer (keep_buffers.c). Oclgrind always exits with 0, so its log
# must be empty.
set -eu
. "$(dirname "$0")/common.sh"
library=$1
work=$2
shift 2
mkdir -p "$work"
export OCL_ICD_VENDORS="$library" OCLGRIND_CHECK_API=1 OCLGRIND_LOG="$work/log"
if [ -n "${OCLGRIND_UNINITIALIZED-}" ]; then
    export OCLGRIND_BUILD_OPTIONS="-cl-opt-disable -D always_inline=unused"
else
    export OCLGRIND_DATA_RACES=1
fi
unset CLSORT_DEVICE

for program in "$@"; do
    rm -f "$OCLGRIND_LOG"
    "$program" &
    pid=$!
    trap 'kill $pid' INT TERM
    # The first report ends the program: its cause may make the simulation endless.
    while kill -0 $pid 2>/dev/null && [ ! -s "$OCLGRIND_LOG" ]; do
        sleep 0.5
    done
    [ ! -s "$OCLGRIND_LOG" ] || kill $pid 2>/dev/null || true
    status=0
    wait $pid || status=$?
    if [ -s "$OCLGRIND_LOG" ]; then
        head -n 40 "$OCLGRIND_LOG"
        fail "Oclgrind reports $(wc -l <"$OCLGRIND_LOG") lines for $program"
    fi
    [ $status -eq 0 ] || fail "$program exited with $status"
done
