#!/usr/bin/env bash
# tests/test_versus.sh PROGRAM OPPONENT...
#
# Tests a program of tools/versus by what it prints and writes: its own checks of the outputs make it
# fail. OPPONENT: the names of the others that it measures. Exit status 77: there is no OpenCL device.
set -u
export LC_ALL=C
[ $# -ge 2 ] || {
    echo "usage: $0 PROGRAM OPPONENT..." >&2
    exit 2
}
program=$(realpath "$1")
shift
opponents=("$@")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2

if ! "$program" -n 1 -t u8 --repeat 1 >out 2>err && grep -qE 'no OpenCL platform' err; then
    cat err
    echo "skipped: no OpenCL device"
    exit 77
fi

num_failed=0
fail() {
    num_failed=$((num_failed + 1))
    echo "FAILED: $*"
    [ ! -s err ] || sed 's/^/    stderr: /' err | head -5
}
# status NAME STATUS OPTION...: the exit status; stdout to out, stderr to err.
status() {
    local name=$1 expected=$2 rc=0
    shift 2
    "$program" "$@" >out 2>err || rc=$?
    [ $rc -eq "$expected" ] || fail "$name: exit status $rc, not $expected"
}
# count NAME NUM PATTERN FILE: as many lines match.
count() {
    local found
    found=$(grep -cE -- "$3" "$4")
    [ "$found" -eq "$2" ] || fail "$1: $found lines, not $2, match '$3'"
}
# refuses NAME TEXT OPTION...: the exit status is 2, and the message has the text.
refuses() {
    local name=$1 text=$2
    shift 2
    status "$name" 2 "$@"
    grep -qF -- "$text" err || fail "$name: the message does not say '$text'"
}

types=u8,u16,u32,u64,i32,f32,f64,u32+u32,u64+u64,u32+16,struct16,struct16f
distributions=random,sorted,reversed,equal,few16,zipf,entropy54,entropy20,low24

status --help 0 --help
for word in ${types//,/ } ${distributions//,/ } auto merge radix bitonic; do
    grep -qE "(^| )${word/+/\\+}( |\$)" out || fail "--help does not name $word"
done

# ---- Everything once, each output checked by the program -----------------------------------------
status everything 0 -n 1,700 -t $types --dist $distributions --repeat 1
count everything $((12 * 9)) '^\| 700 \|' out
count everything $((12 * 9)) '^\| 1 \|' out
# Which algorithm it is depends on the device.
count "everything: struct16" 9 '^\| 700 \| struct16 \| [a-z0-9]* \| auto:[a-z]+ \| .*[(][0-9.]*[)].* \|  \|$' out

# ---- Several algorithms, a row each --------------------------------------------------------------
status algorithms 0 -n 3000 -t struct16,struct16f -a merge,radix --repeat 2 --csv rounds.csv --plot rates.svg
count algorithms 2 '^\| 3000 \| struct16f \| random \| (merge|radix) \| [0-9]' out
count algorithms 1 '^\| 3000 \| struct16 \| random \| merge \| [0-9]' out
count "algorithms: a reason" 1 '^\| 3000 \| struct16 \| random \| radix \| - \| - .* clsort: merge sort and quicksort sort records' out
count "--csv" 2 '^3000,struct16,random,clsort,merge,[01],' rounds.csv
count "--csv" 1 '^3000,struct16,random,clsort,radix,,,,,,".*merge sort and quicksort sort records' rounds.csv
for opponent in "${opponents[@]}"; do
    count "--csv" 2 "^3000,struct16f,random,$opponent,,[01],[^,]*,[0-9.e-]*,[^,]*,[0-9.e+-]*,\$" rounds.csv
    count "--plot" 2 "<polyline .*>$opponent</text>" rates.svg
done
count "--plot" 2 '<polyline .*>clsort merge</text>' rates.svg
count "--plot" 1 '<polyline .*>clsort radix</text>' rates.svg
count "--plot" 1 '^</svg>$' rates.svg

# ---- What cannot be measured is told, and the rest goes on ----------------------------------------
status "too many" 0 -n 2^40,300 -t u64+u64,struct16 --repeat 1 --plot rates.svg
count "too many" 2 '^\| 1099511627776 .* - \| - .* clsort: more than ' out
count "too many" 2 '^\| 300 .* [0-9]' out
status "nothing" 0 -n 2^40 -t u64 --repeat 1 --plot rates.svg
count "nothing" 1 'nothing was measured' rates.svg
status "--stable" 0 -n 300 -t u32+u32 -a radix,merge --stable --repeat 1
count "--stable" 2 '^\| 300 \| u32\+u32 \| random \| stable (radix|merge) \| [0-9]' out
status "--against" 0 -n 300 -t struct16 --repeat 1 --against "${opponents[0]}"
count "--against" 1 "^\\| keys .* ${opponents[0]}, device \\| host \\| note \\|\$" out

# ---- An opponent that is wrong is out, and the rest goes on ---------------------------------------
if [ -n "${WRONG_QSORT-}" ] && [ "${opponents[0]}" = qsort ]; then
    cp "$WRONG_QSORT" wrong_qsort.so # LD_PRELOAD is several paths, parted by blanks
    LD_PRELOAD=./wrong_qsort.so status "a wrong sort" 0 -n 300,90 -t struct16f --repeat 2 --csv rounds.csv
    count "a wrong sort" 1 '^\| 300 .*\| qsort: the output is not a permutation of the input \|$' out
    count "a wrong sort: the others" 1 '^\| 300 \| struct16f \| random \| auto:[a-z]+ \| .* - \| - \| - \| [0-9.]+ ' out
    count "a wrong sort: the next row" 1 '^\| 90 \| .* \|  \|$' out
    count "a wrong sort" 2 '^300,struct16f,random,std::sort,,[01],' rounds.csv
fi

# ---- Mistakes ------------------------------------------------------------------------------------
refuses "an unknown algorithm" "'bogo'" -a merge,bogo
refuses "an unknown type" "'struct17'" -t struct17
refuses "an unknown distribution" "'gauss'" --dist gauss
refuses "an unknown opponent" "there are ${opponents[0]}" --against nobody
refuses "no keys" "'0'" -n 0
refuses "no rounds" "'0'" --repeat 0
refuses "--csv that cannot be written" rounds.csv --csv nowhere/rounds.csv
refuses "--plot that cannot be written" rates.svg --plot nowhere/rates.svg
refuses "an unknown device" "no device" -d nonexistent

[ $num_failed -eq 0 ] || {
    echo "$num_failed failed"
    exit 1
}
