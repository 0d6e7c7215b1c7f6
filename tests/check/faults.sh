#!/usr/bin/env bash
# everything that can fail is made to: OpenCL calls, memory, files, pipes, the process
#
# The tests faults, every_call and calls (every OpenCL call in turn), memory (every allocation), args* and
# strings_args (every wrong argument) and tool (a full disk, a closed pipe, signals in the middle).
. tests/check/common.sh

build plain all -D CMAKE_BUILD_TYPE=Release
tests='^(faults|every_call|calls|memory|(strings_)?args[a-z_]*|no_platform|no_device|setuid|tool)$'
for test in $(ctest --test-dir "$CHECK_DIR/plain" -N -R "$tests" | sed -n 's/^ *Test *#[0-9]*: //p'); do
    run_tests "$test" plain -R "^$test\$"
done
