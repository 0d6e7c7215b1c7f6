#!/usr/bin/env bash
# which lines of the library's host code the tests run, and which lines of the kernels
#
# Host code: gcov, over the tests of COVERAGE_TESTS (a regular expression of names). Less than
# COVERAGE_LEAST percent (95) fails. Kernels: Valgrind's callgrind follows PoCL's code, compiled
# without optimisation and with line numbers, through test_races, as a GPU and as a CPU. The
# executable lines are those of all kernels in PoCL's cache. $CHECK_DIR/coverage lists the lines
# that no test ran.
. tests/check/common.sh

out=$CHECK_DIR/coverage
mkdir -p "$out"

tests="$slow_tests|^(host_sort|tuning(_file)?|whole|passes|faults|every_call|memory"
tests+='|batch\.(limited|small_cache)|plan\.limited|quick|no_platform|no_device|selection)$'
if have gcov; then
    build gcov all -D CMAKE_BUILD_TYPE=Debug -D CMAKE_C_FLAGS="-O0 --coverage"
    find "$CHECK_DIR/gcov" -name '*.gcda' -delete
    run_tests "tests for host code" gcov -R "${COVERAGE_TESTS-$tests}"
    objects=$(find "$CHECK_DIR/gcov" -type d -name 'clsort_objects.dir' | head -n 1)
    (cd "$out" && find "$objects/src" -name '*.gcda' | xargs gcov >gcov.txt 2>&1)
    awk -v root="$PWD/" '
        /^File / { name = substr($2, 2, length($2) - 2); sub(root, "", name) }
        /^Lines executed:/ && name ~ /^src\// {
            split($2, p, /[:%]/)
            printf "        %-24s %6.2f%% of %d\n", name, p[2], $4
            lines += $4
            all += p[2] * $4 / 100
            name = ""
        }
        END { printf "%.1f%% of %d lines\n", 100 * all / lines, lines }' \
        "$out/gcov.txt" | sort >"$out/host.txt"
    sum=$(grep '% of [0-9]* lines$' "$out/host.txt")
    grep -v ' 100.00%' "$out/host.txt" | grep -v lines || true
    (cd "$out" && grep -H '#####' src*.gcov ./*.c.gcov 2>/dev/null |
        sed 's/ *#####: */ /' >host.unrun || true)
    if awk -v sum="$sum" -v least="${COVERAGE_LEAST-95}" 'BEGIN { exit sum + 0 < least }'; then
        passed "host code" "$sum"
    else
        failed "host code" "$sum; see $out/host.unrun"
    fi
else
    skipped "host code" "there is no gcov"
fi

have valgrind && have readelf || { skipped kernels "valgrind or readelf is not installed"; exit 0; }
build plain test_races -D CMAKE_BUILD_TYPE=Release
# Without optimisation lines are not merged. Valgrind knows the instructions of a plain x86-64.
use_pocl coverage
export POCL_EXTRA_BUILD_FLAGS="-g -cl-opt-disable" POCL_LLVM_CPU_NAME=x86-64
export POCL_MAX_PTHREAD_COUNT=1
for limit in $as_gpu $as_cpu; do
    log=$out/kernels.$limit.log rc=0
    export CLSORT_LIMIT=$limit
    "$CHECK_DIR/plain/tests/test_races" >"$log" 2>&1 || rc=$?
    if [ $rc -eq 0 ]; then
        valgrind --tool=callgrind --dump-line=yes --compress-strings=no --compress-pos=no \
            --callgrind-out-file="$out/callgrind.$limit" "$CHECK_DIR/plain/tests/test_races" \
            >>"$log" 2>&1 || rc=$?
    fi
    if [ $rc -eq 77 ]; then
        skipped kernels "there is no device"
        exit 0
    elif [ $rc -ne 0 ]; then
        failed kernels "status $rc; log: $log"
        exit 0
    fi
done
find "$POCL_CACHE_DIR" -name '*.so' -exec readelf --debug-dump=decodedline {} \; 2>/dev/null |
    awk 'NF >= 3 && $2 ~ /^[0-9]+$/ && $3 ~ /^0x/ { print $1, $2 }' | sort -u >"$out/kernels.lines"
awk -F'[= ]' '/^f[lie]=/ { n = split($2, path, "/"); file = path[n] }
    /^[0-9]+ [0-9]+$/ { print file, $1 }' "$out"/callgrind.* | sort -u >"$out/kernels.ran"
for file in $(git ls-files cl) include/clsort/clsort_*.h; do
    grep "^$(basename "$file") " "$out/kernels.lines" || true
done | sort -u >"$out/kernels.all"
comm -23 "$out/kernels.all" "$out/kernels.ran" >"$out/kernels.unrun"
all=$(wc -l <"$out/kernels.all") unrun=$(wc -l <"$out/kernels.unrun")
cut -d ' ' -f 1 "$out/kernels.unrun" | sort | uniq -c | sed 's/^/        not run: /'
passed kernels "$((all - unrun)) of $all lines ran"
