#!/bin/sh
# test_readme_shell.sh SOURCE_DIR WORK_DIR NO_DEVICE_TEST TOOL
#
# Runs the tool's commands in docs/guide.md's section "From the shell" unchanged, on files of those
# names. The tool knows every option of the commands that the other documents show as blocks.
# The tool accepts the tuning files in clsort_plan.h and docs/limits.md. 'clsort bench' accepts the
# options by which BENCHMARKS.md's rows were measured. NO_DEVICE_TEST is test_nodevice.
set -eu
. "$(dirname "$0")/../../common.sh"
guide=$1/docs/guide.md results=$1/tools/bench/results
header=$1/include/clsort/clsort_plan.h limits=$1/docs/limits.md
work=$2 no_device_test=$3 tool=$4

status=0
"$no_device_test" have_device >/dev/null || status=$?
[ "$status" -ne 77 ] || skip "there is no OpenCL device"
fresh_dir "$work"
cd "$work"
PATH=$(dirname "$tool"):$PATH

awk '/^## / { section = $0 == "## From the shell" }
     /^```/ { inside = $0 == "```sh"; next }
     section && inside' "$guide" >commands
[ "$(grep -c '^clsort ' commands)" -ge 4 ] || fail "docs/guide.md has too few commands of the tool"
head -c 400000 "$tool" >keys.bin
awk 'BEGIN { for (i = 0; i < 20000; ++i) print sin(i) * 1e6 }' >numbers.txt
awk 'BEGIN { for (i = 0; i < 20000; ++i) printf "line %x\n", i * 40503 % 65536 }' >big.txt
LC_ALL=C sort big.txt >big.expected
awk 'BEGIN { for (i = 0; i < 20000; ++i) print "name" i % 777 "," i "," i * 40503 % 65536 / 8 }' \
    >table.csv
LC_ALL=C sort -t, -k3,3nr -k1,1 -u table.csv >table.expected

while IFS= read -r command; do
    echo "$command"
    sh -ec "$command" >output </dev/null || fail "$command ended with $?"
    case $command in
    *numbers.txt*)
        [ "$(wc -l <output)" -eq 20000 ] && LC_ALL=C sort -g -c output ||
            fail "$command: not in order"
        ;;
    *table.csv*) cmp output table.expected || fail "$command: the result differs from sort's" ;;
    *big.txt*) cmp big.txt big.expected || fail "$command: the result differs from sort's" ;;
    esac
done <commands

sed -n 's/^ \*     \([a-z]* [a-zA-Z][a-z0-9A-Z_= ^]*\( *#.*\)\{0,1\}\)$/\1/p' "$header" |
    grep '#\|=' >header.tuning
sed -n 's/.*`CLSORT_TUNING` with `\([^`]*\)`.*/\1/p' "$limits" >line.tuning
[ "$(grep -c '=' header.tuning)" -ge 3 ] && [ "$(wc -l <line.tuning)" -eq 2 ] ||
    fail "clsort_plan.h or docs/limits.md shows no tuning file"
for file in header.tuning line.tuning; do
    CLSORT_TUNING=$file clsort plan -N 1e5 >output ||
        fail "the tool refuses this tuning file of a document: $(cat $file)"
done

# -h ends a command when its options have been read.
sed -n 's/^    \(CLSORT_TUNING=[a-z.]* \)\{0,1\}\(clsort [a-z].*\)$/\2/p' "$1"/docs/*.md |
    sed 's/ *#.*//; s/ *>.*//' >shown
[ "$(wc -l <shown)" -ge 4 ] || fail "docs/ shows too few commands of the tool"
while IFS= read -r command; do
    sh -c "$command -h" >output </dev/null || fail "the tool refuses a document's $command"
done <shown
sed -n 's/.*"command": "clsort bench \([^"]*\)".*/\1/p' "$results"/*.jsonl | sort -u >options
[ "$(wc -l <options)" -ge 5 ] || fail "the results of the benchmarks have too few commands"
while IFS= read -r line; do
    # shellcheck disable=SC2086 # several options
    clsort bench $line -h >output || fail "clsort bench refuses the results' $line"
done <options
