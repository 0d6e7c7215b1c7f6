#!/bin/sh
# test_oclgrind.sh OCLGRIND_LIBRARY WORK_DIR PROGRAM...
#
# Runs each PROGRAM on Oclgrind's simulated device, an OpenCL platform of its own, which reports
# races and accesses out of bounds. With OCLGRIND_UNINITIALIZED set it instead reports uses of
# values that were never written. Kernels are then not optimised, since version 21.10 stops at
# LLVM's "freeze", nor are their functions inlined, since it does not know what LLVM then says of
# aliases; an exchange is a store, since Oclgrind takes it for a sum with the old value, which may be
# unset (no kernel uses what it returns); and programs release no buffer (keep_buffers.c). A copy
# within local memory is then no use: rests of a tile move as whole vectors, whose last elements may
# be unset (cl/group/combine.h). A use of such a copy is reported. Oclgrind always exits with 0,
# so nothing else may be in its log.
set -eu
. "$(dirname "$0")/../common.sh"
library=$1
work=$2
shift 2
mkdir -p "$work"
export OCL_ICD_VENDORS="$library" OCLGRIND_CHECK_API=1 OCLGRIND_LOG="$work/log"
if [ -n "${OCLGRIND_UNINITIALIZED-}" ]; then
    export OCLGRIND_BUILD_OPTIONS="-cl-opt-disable -D always_inline=unused"
    OCLGRIND_BUILD_OPTIONS="$OCLGRIND_BUILD_OPTIONS -D atomic_xchg(p,v)=(*(p)=(v))"
    export OCLGRIND_MAX_ERRORS=1000000 # copies count, too
else
    export OCLGRIND_DATA_RACES=1
fi
unset CLSORT_DEVICE

# Oclgrind's reports, but those of copies, a paragraph each.
reports() {
    [ ! -s "$OCLGRIND_LOG" ] ||
        awk -v RS= -v ORS='\n\n' '!/^Uninitialized value written to local/' "$OCLGRIND_LOG"
}

for program in "$@"; do
    rm -f "$OCLGRIND_LOG"
    "$program" &
    pid=$!
    trap 'kill $pid' INT TERM
    # The first report ends the program: its cause may make the simulation endless.
    while kill -0 $pid 2>/dev/null && [ -z "$(reports)" ]; do
        sleep 0.5
    done
    [ -z "$(reports)" ] || kill $pid 2>/dev/null || true
    status=0
    wait $pid || status=$?
    if [ -n "$(reports)" ]; then
        reports | head -n 40
        fail "Oclgrind reports $(reports | wc -l) lines for $program"
    fi
    [ $status -eq 0 ] || fail "$program exited with $status"
done
