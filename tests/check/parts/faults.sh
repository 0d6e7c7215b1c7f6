#!/usr/bin/env bash
# everything that can fail is made to fail: OpenCL calls, memory, files, pipes, the process
#
# Runs faults, every_call and calls (each OpenCL call in turn), memory (each allocation), args* and
# arguments (each wrong argument), no_platform, no_device and setuid, and tool (a full disk, a
# closed pipe, signals).
. tests/check/common.sh

build plain all -D CMAKE_BUILD_TYPE=Release -D CLSORT_BUILD_TESTS=ON
tests='^(faults|every_call|calls|memory|args[a-z_]*|arguments|no_platform|no_device|setuid|tool)$'
found=$(ctest --test-dir "$CHECK_DIR/plain" -N -R "$tests" | sed -n 's/^ *Test *#[0-9]*: //p')
[ -n "$found" ] || failed "tests" "the build has none of them"
for test in $found; do
    run_tests "$test" plain -R "^$test\$"
done
