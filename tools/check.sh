#!/usr/bin/env bash
# tools/check.sh [PART...] [--against COMMIT]
#
# Runs all checks of clsort that go beyond tools/test --all. Prints a line for each check (passed,
# FAILED, or skipped and why) and a summary. The parts are the scripts in tests/check/parts/, and
# their heads say what they do. Without a PART all of them run, which takes hours:
#
#     tools/check.sh offline columns
#     tools/check.sh quick               ten minutes on two cores: a sample of the others
#
# With --against the part "offline" compares each GPU kernel, in each form, with that of COMMIT.
# Environment variables: CHECK_DIR is the folder to build in (build/check), and CHECK_JOBS is the
# number of jobs at once (the number of cores). The heads of the parts explain more. A check is
# skipped if its tool is missing; "tools/setup check" installs all tools on Debian. A part without
# any check fails.
set -eu
check_caller=$PWD
unset CDPATH # it would lead cd elsewhere
cd "$(dirname "$0")/.."
. tests/check/common.sh

parts=()
while [ $# -gt 0 ]; do
    case $1 in
    --against)
        export CHECK_AGAINST=${2:?--against needs a commit}
        shift
        ;;
    *) parts+=("$1") ;;
    esac
    shift
done
set -- "${parts[@]}"

all="offline cmake places columns oclgrind mutants fuzz asan tsan valgrind faults large coverage"
all="$all compile soak"
for script in tests/check/parts/*.sh; do
    part=$(basename "$script" .sh)
    case " quick $all " in *" $part "*) ;; *) all="$all $part" ;; esac
done
[ $# -gt 0 ] || set -- $all
for part in "$@"; do
    if [ ! -e "tests/check/parts/$part.sh" ]; then
        printf 'tools/check.sh: there is no part "%s"; the parts are: %s\n' "$part" "$all" >&2
        exit 2
    fi
done

# Each call needs a folder of its own. A call that was killed may have left a part at work.
exec 9>"$CHECK_DIR/lock"
flock -n 9 || {
    printf 'tools/check.sh: another call works in %s; CHECK_DIR names another folder\n' \
        "$CHECK_DIR" >&2
    exit 2
}
: >"$CHECK_RESULTS"
for part in "$@"; do
    printf '\n== %s: %s\n' "$part" "$(sed -n '2s/^# //p' "tests/check/parts/$part.sh")"
    start=$SECONDS
    before=$(wc -l <"$CHECK_RESULTS")
    CHECK_PART=$part bash "tests/check/parts/$part.sh" ||
        CHECK_PART=$part failed "$part" "the script ended with $?"
    [ "$(wc -l <"$CHECK_RESULTS")" -gt "$before" ] ||
        CHECK_PART=$part failed "$part" "it checked nothing"
    printf '   (%d seconds)\n' $((SECONDS - start))
done

number() { grep -c "^$1" "$CHECK_RESULTS" || true; }
printf '\n== %s\n' \
    "$([ "$(number FAILED)" -eq 0 ] && echo 'No check failed' || echo 'Some checks FAILED:')"
grep '^FAILED' "$CHECK_RESULTS" || true
printf '%d passed, %d failed, %d skipped\n' \
    "$(number passed)" "$(number FAILED)" "$(number skipped)"
[ "$(number FAILED)" -eq 0 ]
