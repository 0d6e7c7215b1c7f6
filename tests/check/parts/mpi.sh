#!/usr/bin/env bash
# clsort_mpi with every MPI that is installed: Open MPI, MPICH
#
# A build may also go from one to the other.
. tests/check/common.sh

targets="clsort_mpi_tool simulate_mpi test_mpi test_mpi_calls test_mpi_choice
    test_mpi_device"
for flavour in openmpi mpich; do
    if ! have mpicc.$flavour || ! have mpiexec.$flavour; then
        skipped "$flavour" "it is not installed"
        continue
    fi
    build mpi.$flavour "$targets" -D CMAKE_BUILD_TYPE=Release \
        -D CLSORT_BUILD_TESTS=ON -D CLSORT_BUILD_MPI=ON -D MPI_C_COMPILER=mpicc.$flavour
    run_tests "$flavour" mpi.$flavour -L '^mpi$'
    try "$flavour in the build of another" "$CHECK_DIR/mpi.log" sh -ec '
        cmake -S . -B "$CHECK_DIR/mpi.any" -D CLSORT_BUILD_TESTS=OFF -D CLSORT_BUILD_MPI=ON \
            -D MPI_C_COMPILER="mpicc.$1"
        cmake --build "$CHECK_DIR/mpi.any" --parallel "$CHECK_JOBS" --target clsort_mpi_tool
        ls "$CHECK_DIR/mpi.any/src/mpi/libclsort_mpi_$1.so"' sh $flavour
done
