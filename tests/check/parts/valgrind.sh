#!/usr/bin/env bash
# Valgrind's memcheck on short tests: no use of values that were never set
#
# The part asan looks for leaks. Under Valgrind PoCL compiles for another processor, so its cache is
# empty at first, which costs minutes. Compiling without optimisation is shorter.
. tests/check/common.sh

have valgrind || { skipped valgrind "it is not installed"; exit 0; }
programs="test_oracle test_names test_white test_plan test_args test_example"
build plain "$programs" -D CMAKE_BUILD_TYPE=Release
use_pocl valgrind
export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable POCL_LLVM_CPU_NAME=x86-64
# The loader's strncmp() intentionally reads whole words, also of a shorter text.
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
