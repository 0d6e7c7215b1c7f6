#!/bin/sh
# test_bench_page.sh SOURCE_DIR WORK_DIR PYTHON
#
# BENCHMARKS.md's and README's tables and the picture are what the results give. In a copy: a figure
# that was changed by hand is found; a row that is measured again takes the place of the earlier one,
# and is marked once one of its kernels has changed, but not for a comment.
set -eu
. "$(dirname "$0")/../../common.sh"
source=$1 work=$2 python=$3
"$python" -B "$source/tools/bench/page" --check || fail "see above"

fresh_dir "$work"
mkdir -p "$work/tools/bench/results" "$work/src/program"
cp -R "$source/cl" "$work/cl"
cp "$source/src/program/program.h" "$work/src/program/"
cp "$source/tools/bench/page" "$source/tools/bench/rates.gnuplot" "$work/tools/bench/"
cp "$source/tools/rates.svg" "$work/tools/"
printf '# Page\n\n<!-- table place -->\n\nText.\n' >"$work/BENCHMARKS.md"
echo >"$work/README.md"
mkdir "$work/bin"
printf '#!/bin/sh\necho "<svg></svg>" >rates.svg\n' >"$work/bin/gnuplot"
chmod +x "$work/bin/gnuplot"
PATH=$work/bin:$PATH
results=$work/tools/bench/results/nvidia.jsonl
page() { "$python" -B "$work/tools/bench/page" "$@" >"$work/out" || return 1; }
# has TEXT WHAT: the page has a line with the text.
has() { grep -qF -e "$1" "$work/BENCHMARKS.md" || fail "no '$1': $2"; }
# add SECONDS: a row of 2^24 keys.
add() {
    printf '%s\n' keys,type,sort,out_of_place,device_median_s,device_ratio,note,kernels \
        "16777216,u32,clsort,1,$1,,,rank_tile" 16777216,u32,cub-radix,1,,2.5,, |
        page --add "$results" place nvidia abc1234 'clsort bench --out-of-place'
}

add 1e-3
add 2e-3
[ "$(wc -l <"$results")" = 1 ] || fail "two rows of one sort"
! page --check || fail "a page without its row is not found"
page
page --check || fail "the page is not what was written"
has '| 2²⁴ | 8.39 (2.50, -) | abc1234 |' 'a row as it was measured'
grep -qx 'Text\.' "$work/BENCHMARKS.md" || fail "the text below a table is gone"
grep -q '^# numbers, u32' "$work/tools/rates.svg" || fail "the picture has no data"

sed -i 's/8\.39/8.40/' "$work/BENCHMARKS.md"
! page --check || fail "a figure that was changed by hand is not found"
echo '/* A comment. */' >>"$work/cl/sorts/rank/tile.cl"
page
has '| abc1234 |' 'a comment changes no kernel'
echo '#define CHANGED' >>"$work/cl/base/config.h"
page --check || fail "a kernel's change is no change of the page"
grep -q '^1 rows, 1 of kernels that have changed' "$work/out" || fail "a changed kernel is not told"
page
has '| abc1234 † |' 'a mark of a row whose kernel has changed'
add 1e-3
page
has '| 16.8 (2.50, -) | abc1234 |' 'no mark of a row that was measured again'
echo "bench_page: every check passed"
