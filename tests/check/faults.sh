#!/usr/bin/env bash
# everything that can fail is made to: OpenCL calls, memory, files, pipes, the process
#
# The tests faults, sweep and calls (every OpenCL call in turn), memory (every allocation), args* (every
# wrong argument) and tool (a full disk, a closed pipe, signals in the middle).
. tests/check/common.sh

build plain all -D CMAKE_BUILD_TYPE=Release
for test in faults sweep calls memory args args_buffers args_objects no_platform no_device setuid tool; do
    run_tests "$test" plain -R "^$test\$"
done
