#!/usr/bin/env bash
# the largest buffer that the device allows, counts above 32 bits, more scratch than memory
. tests/check/common.sh

build plain test_large -D CMAKE_BUILD_TYPE=Release
log=$CHECK_DIR/large.log
use_pocl large
rc=0
"$CHECK_DIR/plain/tests/test_large" >"$log" 2>&1 || rc=$?
verdict large $rc "$log" "$(grep -E 'keys are right|^skipped' "$log" | tr '\n' ';')"
