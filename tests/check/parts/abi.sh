#!/usr/bin/env bash
# the shared library's interface is that of the last tagged version, by abidiff
#
# CHECK_ABI names another commit to compare with. New functions are no difference. While MAJOR and
# MINOR stay, any other difference is an error, since the SONAME stays as well. A planted member,
# in front of those of clsort_desc, shows that abidiff sees one.
. tests/check/common.sh

if ! have abidiff; then
    skipped "interface" "abidiff is not installed (Debian: abigail-tools)"
    exit 0
fi
log=$CHECK_DIR/abi.log
for_abi=(-D CMAKE_BUILD_TYPE=Debug -D BUILD_SHARED_LIBS=ON -D CLSORT_BUILD_TOOL=OFF
    -D CLSORT_BUILD_TESTS=OFF -D CLSORT_BUILD_MPI=OFF)
# compare BASE NEW: the interfaces of two builds, of the sources in $CHECK_DIR/BASE.tree and
# NEW.tree.
compare() {
    abidiff --no-added-syms --headers-dir1 "$CHECK_DIR/$1.tree/include" \
        --headers-dir2 "$CHECK_DIR/$2.tree/include" \
        "$CHECK_DIR/$1/libclsort.so" "$CHECK_DIR/$2/libclsort.so"
}
version() { sed -n 's/^CMAKE_PROJECT_VERSION:.*=\([0-9]*\.[0-9]*\).*/\1/p' \
    "$CHECK_DIR/$1/CMakeCache.txt"; }
# fresh_tree NAME: an empty folder for sources.
fresh_tree() { rm -rf "$CHECK_DIR/$1.tree" && mkdir -p "$CHECK_DIR/$1.tree"; }

fresh_tree abi.new
git ls-files -z CMakeLists.txt LICENSE '*.md' cl docs include src tests/examples tools |
    xargs -0 tar -cf - | tar -xf - -C "$CHECK_DIR/abi.new.tree"
CHECK_TREE=$CHECK_DIR/abi.new.tree build abi.new clsort "${for_abi[@]}"

fresh_tree abi.planted
cp -a "$CHECK_DIR/abi.new.tree/." "$CHECK_DIR/abi.planted.tree"
sed -i 's/^typedef struct clsort_desc {$/& \/** Planted. *\/ uint64_t planted;/' \
    "$CHECK_DIR/abi.planted.tree/include/clsort/clsort.h"
CHECK_TREE=$CHECK_DIR/abi.planted.tree build abi.planted clsort "${for_abi[@]}"
if compare abi.new abi.planted >"$log" 2>&1 || ! grep -q planted "$log"; then
    failed "a planted member" "abidiff does not report it; log: $log"
else
    passed "a planted member is reported"
fi

base=${CHECK_ABI-$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null || true)}
if [ -z "$base" ]; then
    skipped "interface" "no version is tagged yet; CHECK_ABI=COMMIT names one to compare with"
    exit 0
fi
fresh_tree abi.old
git archive "$base" | tar -xf - -C "$CHECK_DIR/abi.old.tree"
CHECK_TREE=$CHECK_DIR/abi.old.tree build abi.old clsort "${for_abi[@]}"
if compare abi.old abi.new >"$log" 2>&1; then
    passed "interface" "as in $base"
elif [ "$(version abi.old)" != "$(version abi.new)" ]; then
    passed "interface" "it differs from $base, and so does the version: $(version abi.new)"
else
    tail -n 40 "$log"
    failed "interface" "it differs from $base under the same MAJOR.MINOR; log: $log"
fi
