# common.sh: what the parts of tools/check.sh share. Sourced from the repository's root.
set -eu
export CHECK_DIR=${CHECK_DIR-${CLSORT_BUILD_DIR:-$PWD/build}/check}
export CHECK_JOBS=${CHECK_JOBS-$(nproc)}
export CHECK_PART=${CHECK_PART-}
export CHECK_RESULTS=$CHECK_DIR/results
mkdir -p "$CHECK_DIR"

# One line for a check: passed|failed|skipped NAME [DETAIL...].
line() {
    local word=$1 name=$2
    shift 2
    printf '%-7s %s: %s%s\n' "$word" "$CHECK_PART" "$name" "${*:+ ($*)}" | tee -a "$CHECK_RESULTS"
}
passed() { line passed "$@"; }
failed() { line FAILED "$@"; }
skipped() { line skipped "$@"; }

# build NAME TARGETS [CMAKE-OPTION...]: builds these targets ("all" for all) in $CHECK_DIR/NAME; the
# log is shown if that fails, and the part ends.
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

# run_tests NAME BUILD [CTEST-ARGUMENT...]: these tests of a build, as one check.
run_tests() {
    local name=$1 dir=$CHECK_DIR/$2 log=$CHECK_DIR/$CHECK_PART.log rc=0
    shift 2
    OCL_ICD_VENDORS=${OCL_ICD_VENDORS-pocl.icd} ctest --test-dir "$dir" --parallel "$CHECK_JOBS" \
        --output-on-failure --no-tests=error "$@" >"$log" 2>&1 || rc=$?
    if [ $rc -eq 0 ]; then
        passed "$name" "$(sed -n 's/^\([0-9]*% tests passed.*\)/\1/p' "$log")"
    else
        grep -m 20 -E '\*\*\*|: error:|ERROR: |WARNING: |SUMMARY|runtime error' "$log" || true
        failed "$name" "log: $log"
    fi
}

# What runs under tools that slow everything down, unless CHECK_TESTS is a regular expression of names:
# '.*' for all. Not the tests that go over all types, shapes and sizes: quick has a little of those.
slow_tests=${CHECK_TESTS-'^(oracle|names|white|quick|quick_plan|record|columns|strings|host|plan|enqueue|buffers|threads|timing|(strings_)?args[a-z_]*|arguments|build_log|calls|example)$'}
