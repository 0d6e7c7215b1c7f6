#!/usr/bin/env bash
# Valgrind's memcheck on short tests: no use of values that were never set
#
# Leaks are asan's. PoCL compiles under Valgrind, for another processor than without it, which takes
# minutes the first time: without optimisation, to be shorter.
. tests/check/common.sh

have valgrind || { skipped valgrind "it is not installed"; exit 0; }
programs="test_oracle test_names test_white test_plan test_args test_example"
build plain "$programs" -D CMAKE_BUILD_TYPE=Release
export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable POCL_LLVM_CPU_NAME=x86-64 POCL_CACHE_DIR=$CHECK_DIR/valgrind.cache OCL_ICD_VENDORS=${OCL_ICD_VENDORS-pocl.icd}
mkdir -p "$POCL_CACHE_DIR"
# The loader's strncmp() reads a whole word of a shorter text, and knows what it does.
cat >"$CHECK_DIR/valgrind.supp" <<'END'
{
    ld.so
    Memcheck:Addr8
    fun:strncmp
    fun:is_dst
}
END
for program in $programs; do
    log=$CHECK_DIR/valgrind.$program.log rc=0
    "$CHECK_DIR/plain/tests/$program" >"$log" 2>&1 || rc=$?
    if [ $rc -eq 0 ]; then
        valgrind --quiet --error-exitcode=9 --leak-check=no \
            --suppressions="$CHECK_DIR/valgrind.supp" \
            "$CHECK_DIR/plain/tests/$program" >"$log" 2>&1 || rc=$?
    fi
    if [ $rc -eq 0 ] && ! grep -q '^==[0-9]*== [A-Z]' "$log"; then
        passed "$program"
    elif [ $rc -eq 77 ]; then
        skipped "$program" "there is no device"
    else
        grep -m 20 '^==' "$log" || tail -n 5 "$log"
        failed "$program" "status $rc; log: $log"
    fi
done
