#!/usr/bin/env bash
# libFuzzer on sorts, on comparisons as text, on plans and on the tool's reading of files; all pairs
# of a description's members
#
# Each target runs for FUZZ_SECONDS (60), starting from tests/fuzz/corpus/TARGET. New inputs stay in
# $CHECK_DIR/fuzz.corpus/TARGET for the next run, crashes in $CHECK_DIR/fuzz.crash. With
# AddressSanitizer and UndefinedBehaviorSanitizer. test_combinations runs as long, from random
# seeds, as a CPU and as a small GPU in turn. Its log names the seed and the case of a failure.
. tests/check/common.sh

clang=
target='int LLVMFuzzerTestOneInput(const char *data, long size) { return !data + !size; }'
for name in clang clang-15 clang-14; do
    if have "$name" && echo "$target" |
        "$name" -x c - -fsanitize=fuzzer,address -o "$CHECK_DIR/fuzz.try" 2>/dev/null; then
        clang=$name
        break
    fi
done
[ -n "$clang" ] || { skipped fuzz "no clang here has libFuzzer"; exit 0; }
flags="-O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined"
flags+=" -Wno-pass-failed" # with these checks loops are not unrolled
build fuzz "fuzz_sort fuzz_record fuzz_plan fuzz_input test_combinations" \
    -D CMAKE_C_COMPILER="$clang" \
    -D CMAKE_BUILD_TYPE=Debug -D CMAKE_C_FLAGS="$flags -fno-sanitize-recover=undefined" \
    -D CLSORT_BUILD_FUZZ=ON -D CLSORT_INSTALL=OFF

# The part asan looks for leaks. Here the driver's compiler, which leaks, is in the process.
export ASAN_OPTIONS=detect_leaks=0
use_pocl fuzz
mkdir -p "$CHECK_DIR/fuzz.crash"
for target in fuzz_plan fuzz_input fuzz_sort fuzz_record; do
    corpus=$CHECK_DIR/fuzz.corpus/$target
    log=$CHECK_DIR/$target.log
    mkdir -p "$corpus"
    rc=0
    "$CHECK_DIR/fuzz/tests/fuzz/$target" -max_total_time="${FUZZ_SECONDS-60}" -timeout=60 \
        -rss_limit_mb=4096 -detect_leaks=0 -max_len=4096 -close_fd_mask=3 -print_final_stats=1 \
        -artifact_prefix="$CHECK_DIR/fuzz.crash/$target-" "$corpus" "tests/fuzz/corpus/$target" \
        >"$log" 2>&1 || rc=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: //p' "$log" | head -n 1)
    if [ $rc -eq 0 ]; then
        passed "$target" "$runs inputs"
    else
        grep -m 5 -E 'ERROR|SUMMARY|runtime error|Test unit written' "$log" || tail -n 5 "$log"
        failed "$target" "status $rc after ${runs-?} inputs; log: $log"
    fi
done

log=$CHECK_DIR/combinations.log
end=$((SECONDS + ${FUZZ_SECONDS-60}))
runs=0
rc=0
while [ $SECONDS -lt $end ] && [ $rc -eq 0 ]; do
    limit=()
    [ $((runs % 2)) -eq 0 ] || limit=("CLSORT_LIMIT=$as_gpu,host=0")
    env "${limit[@]}" CLSORT_TEST_SEED=$((RANDOM * 32768 + RANDOM)) \
        "$CHECK_DIR/fuzz/tests/test_combinations" >"$log" 2>&1 || rc=$?
    runs=$((runs + 1))
done
if [ $rc -eq 0 ]; then
    passed combinations "$runs seeds"
else
    grep -m 5 -E 'case [0-9]+ of|ERROR|SUMMARY|runtime error' "$log" || tail -n 5 "$log"
    failed combinations "status $rc at seed number $runs; log: $log"
fi
