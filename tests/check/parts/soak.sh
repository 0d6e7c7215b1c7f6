#!/usr/bin/env bash
# random sorts for SOAK_SECONDS (60), and 10000 sorts over which memory use stays constant
#
# SOAK_SEED repeats a run; the default is the time. The seed is printed first.
. tests/check/common.sh

build plain soak -D CMAKE_BUILD_TYPE=Release
seed=${SOAK_SEED-$(date +%s)}
echo "        seed $seed"
log=$CHECK_DIR/soak.log
use_pocl soak
export CLSORT_TEST_SEED=$seed
rc=0
"$CHECK_DIR/plain/tests/soak" "${SOAK_SECONDS-60}" >"$log" 2>&1 || rc=$?
verdict "seed $seed" $rc "$log" "$(tail -n 2 "$log" | tr '\n' ';')"
