#!/usr/bin/env bash
# AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer: no report, none suppressed
#
# The tests run twice, since PoCL's compiler leaks: the first run ignores leaks and leaves all
# kernels in PoCL's cache. The tests include every error path, and the kernels' code compiled as C
# (host_sort). CHECK_TESTS='.*' takes every test.
. tests/check/common.sh

build asan all -D CMAKE_BUILD_TYPE=Debug -D CMAKE_C_FLAGS="-O1 -fsanitize=address,undefined \
    -fno-sanitize-recover=all -fno-omit-frame-pointer" -D CLSORT_TESTS_OPTIMISED=ON
tests="$slow_tests|^(faults|every_call|memory|host_sort)\$"
ASAN_OPTIONS=detect_leaks=0 run_tests "memory and behaviour" asan -R "$tests"
run_tests "the same with leaks" asan -R "$tests"
# MPI itself leaks. So test_mpi counts the memory that clsort_mpi does not free, and test_mpi_calls
# the MPI objects.
if [ -e "$CHECK_DIR/asan/tests/mpi/test_mpi" ]; then
    ASAN_OPTIONS=detect_leaks=0 run_tests "over MPI" asan -L '^mpi$'
fi
