# common.sh: what the parts of tools/check.sh share. Sourced from the repository's root.
set -eu
export CHECK_DIR=${CHECK_DIR-${CLSORT_BUILD_DIR:-$PWD/build}/check}
# tools/check.sh says where its caller stood: relative names begin there.
[ "${CHECK_DIR#/}" != "$CHECK_DIR" ] || CHECK_DIR=${check_caller-$PWD}/$CHECK_DIR
export CHECK_JOBS=${CHECK_JOBS-$(nproc)}
export CHECK_PART=${CHECK_PART-}
export CHECK_RESULTS=$CHECK_DIR/results
mkdir -p "$CHECK_DIR"

# Prints one line for a check: passed|failed|skipped NAME [DETAIL...].
line() {
    local word=$1 name=$2
    shift 2
    printf '%-7s %s: %s%s\n' "$word" "$CHECK_PART" "$name" "${*:+ ($*)}" | tee -a "$CHECK_RESULTS"
}
passed() { line passed "$@"; }
failed() { line FAILED "$@"; }
skipped() { line skipped "$@"; }

# verdict NAME STATUS LOG DETAIL: the check of a program that exited with this status; 77 means that
# there is no device.
verdict() {
    case $2 in
    0) passed "$1" "$4" ;;
    77) skipped "$1" "there is no device" ;;
    *)
        tail -n 20 "$3"
        failed "$1" "status $2; log: $3"
        ;;
    esac
}

# try NAME LOG COMMAND...: a command as a check, whose detail is its last line of output.
try() {
    local name=$1 log=$2 status=0
    shift 2
    "$@" >"$log" 2>&1 || status=$?
    verdict "$name" "$status" "$log" "$(tail -n 1 "$log")"
}

# use_pocl NAME: runs programs on PoCL, unless the caller has set OCL_ICD_VENDORS. Compiled kernels
# are kept in $CHECK_DIR/NAME.cache.
use_pocl() {
    export OCL_ICD_VENDORS=${OCL_ICD_VENDORS-pocl.icd} POCL_CACHE_DIR=$CHECK_DIR/$1.cache
    mkdir -p "$POCL_CACHE_DIR"
}

# CLSORT_LIMIT for Oclgrind's device, which says that it is a GPU and a CPU.
as_gpu=subgroup=0,local=4096,group=16,cpu=0
as_cpu=cache=2048

# oclgrind_library: prints Oclgrind's OpenCL library, or nothing if it is not installed.
oclgrind_library() {
    find /usr/lib/oclgrind /usr/local/lib/oclgrind -name liboclgrind-rt-icd.so 2>/dev/null |
        head -n 1
}

# build NAME TARGETS [CMAKE-OPTION...]: builds these targets ("all" for all) in $CHECK_DIR/NAME. If
# that fails, shows the log and ends the part.
build() {
    local dir=$CHECK_DIR/$1 targets=$2 log=$CHECK_DIR/$1.log
    shift 2
    # shellcheck disable=SC2086 # targets are several words
    if ! { cmake -S "${CHECK_TREE-.}" -B "$dir" -D CLSORT_WERROR=ON "$@" &&
        cmake --build "$dir" --parallel "$CHECK_JOBS" --target $targets; } >"$log" 2>&1; then
        tail -n 30 "$log"
        failed "building $(basename "$dir")" "log: $log"
        exit 0
    fi
}

have() { command -v "$1" >/dev/null; }

# run_tests NAME BUILD [CTEST-ARGUMENT...]: runs these tests of a build as one check.
run_tests() {
    local name=$1 dir=$CHECK_DIR/$2 log=$CHECK_DIR/$CHECK_PART.log rc=0
    shift 2
    OCL_ICD_VENDORS=${OCL_ICD_VENDORS-pocl.icd} ctest --test-dir "$dir" --parallel "$CHECK_JOBS" \
        --output-on-failure --no-tests=error "$@" >"$log" 2>&1 || rc=$?
    local num_skipped num
    num_skipped=$(grep -c '\*\*\*Skipped' "$log" || true)
    num=$(sed -n 's/^[0-9]*% tests passed.* out of \([0-9]*\)$/\1/p' "$log")
    if [ $rc -eq 0 ] && [ "$num_skipped" = "$num" ]; then
        skipped "$name" "all $num tests were skipped; log: $log"
    elif [ $rc -eq 0 ]; then
        passed "$name" "$((num - num_skipped)) passed, $num_skipped skipped"
    else
        grep -m 20 -E '\*\*\*|: error:|ERROR: |WARNING: |SUMMARY|runtime error' "$log" || true
        failed "$name" "log: $log"
    fi
}

# The tests that run under slow tools. CHECK_TESTS replaces this regular expression of names; '.*'
# takes all tests. Tests that cover all types, shapes and sizes are left out: quick has a few of
# those.
slow_tests='^(oracle|names|white|quick|quick_plan|record|columns|strings|host|plan|enqueue|buffers'
slow_tests+='|threads|timing|args[a-z_]*|arguments|build_log|calls|example)$'
slow_tests=${CHECK_TESTS-$slow_tests}
