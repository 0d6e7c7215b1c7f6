#!/bin/sh
# test_docs.sh BUILD_DIR WORK_DIR DOXYGEN HEADER...
#
# The target docs makes HTML of the documents and the public HEADERs without a warning. Every function
# and struct that they declare is in it, and is found by the search. A member without a comment makes
# it fail, and so does a link that leads nowhere.
set -eu
. "$(dirname "$0")/../../common.sh"
build=$1 work=$2 doxygen=$3
shift 3
cd "$(dirname "$0")/../../.."
fresh_dir "$work"
log=$work/log

cmake --build "$build" --target docs >"$log" 2>&1 || fail "the target docs"
cat "$build"/docs/html/*.html >"$work/pages"
sed -n -e 's/^CLSORT[A-Z_]*_API .*[ *]\(clsort_[a-z_]*\)(.*/\1/p' \
    -e 's/^} \(clsort_[a-z_]*\);$/\1/p' \
    -e 's/^CLSORT_INLINE uint \(clsort_[a-z_]*\)(.*/\1/p' "$@" | sort -u >"$work/names"
[ "$(wc -l <"$work/names")" -gt 40 ] || fail "too few names were found in the headers"
while read -r name; do
    function="class=\"memname\">.*[ *>;]$name\\(</a>\\)* *</td>"
    grep -q "$function\|class=\"title\">$name Struct" "$work/pages" ||
        fail "$name is not in the pages"
done <"$work/names"

html=$build/docs/html
for page in index guide choosing faq benchmarks reference limits clsort_8h; do
    [ -s "$html/$page.html" ] || fail "there is no page $page"
done
for entry in clsort_enqueue clsort_desc CLSORT_F32; do
    grep -qi "'$entry'" "$html"/search/all_*.js || fail "the search does not find $entry"
done
cp -R "$html" "$work/html"
sed 's/href="guide.html"/href="gide.html"/' "$html/index.html" >"$work/html/index.html"
! python3 -B tools/build/pages.py --check "$work/html" >"$log" 2>&1 ||
    fail "a link that leads nowhere is no error"
grep -q '^index.html: gide.html$' "$log" || fail "a link that leads nowhere is not named"

cat >"$work/bare.h" <<'HEADER'
/** @file
 * A header with one member that has no comment. */

/** A struct. */
struct clsort_bare {
    int with; /**< a comment */
    int without;
};
HEADER
cp "$build/Doxyfile.docs" "$work/Doxyfile"
printf 'INPUT = "%s"\nOUTPUT_DIRECTORY = "%s"\n' "$work/bare.h" "$work" >>"$work/Doxyfile"
! "$doxygen" "$work/Doxyfile" >"$log" 2>&1 || fail "a member without a comment is no error"
grep -q 'without.*is not documented' "$log" || fail "a member without a comment is not named"
echo "docs: $(wc -l <"$work/names") names"
