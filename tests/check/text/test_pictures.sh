#!/bin/bash
# test_pictures.sh SOURCE_DIR WORK_DIR DRAW_ALGORITHM
#
# tools/draw-algorithms draws the pictures of docs/choosing.md as they are, byte for byte, and
# docs/choosing.md shows each of them. DRAW_ALGORITHM is the built program. It needs PoCL, on which
# the pictures are drawn, by one thread.
set -eu
. "$(dirname "$0")/../../common.sh"
source=$1 work=$2 draw=$3
fresh_dir "$work"
log=$work/log

unset CLSORT_DEVICE
CLSORT_DEVICE=Portable "$draw" rank 0 '' >"$work/probe" 2>"$log" ||
    { grep -q 'no device\|no OpenCL' "$log" && skip "PoCL is not there: $(cat "$log")"; } ||
    fail "draw_algorithm"
CLSORT_DRAW=$draw "$source/tools/draw-algorithms" "$work/pictures" >"$log" 2>&1 ||
    fail "draw-algorithms"
number=0
for picture in "$work"/pictures/*.svg; do
    name=$(basename "$picture")
    cmp -s "$picture" "$source/docs/pictures/$name" ||
        fail \
        "docs/pictures/$name is not what tools/draw-algorithms draws; run it and look at the difference"
    grep -q "(pictures/$name)" "$source/docs/choosing.md" ||
        fail "docs/choosing.md does not show $name"
    number=$((number + 1))
done
[ "$number" = "$(ls "$source/docs/pictures" | wc -l)" ] ||
    fail "docs/pictures has files that nothing draws"
[ "$number" -ge 6 ] || fail "only $number pictures were drawn"
echo "pictures: $number"
