#!/usr/bin/env bash
# ThreadSanitizer: no report, none suppressed
#
# It does not see inside PoCL. CHECK_TESTS='.*' takes every test.
. tests/check/common.sh

build tsan all -D CMAKE_BUILD_TYPE=Debug -D CMAKE_C_FLAGS="-O1 -fsanitize=thread \
    -fno-omit-frame-pointer"
run_tests "data races" tsan -R "$slow_tests"
