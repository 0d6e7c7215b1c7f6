#!/usr/bin/env bash
# what a release needs: versions that agree, and a build without a network
#
# CHECK_RELEASE=1 also asks for a dated heading in CHANGELOG.md. CONTRIBUTING.md has the
# steps of a release.
. tests/check/common.sh

log=$CHECK_DIR/release.log
try "versions" "$log" sh tests/check/text/test_release.sh .
if ! unshare --net true 2>/dev/null; then
    skipped "a build without a network" "unshare --net is not allowed here"
    exit 0
fi
rm -rf "$CHECK_DIR/release.build"
# Not by build(), which ends the shell with 0 where it fails.
try "a build without a network" "$log" unshare --net bash -c 'dir=$CHECK_DIR/release.build
    ! getent hosts debian.org &&
        cmake -S . -B "$dir" -D CLSORT_WERROR=ON -D CLSORT_BUILD_TESTS=ON &&
        cmake --build "$dir" --parallel "$CHECK_JOBS" &&
        cmake --install "$dir" --prefix "$dir/prefix" &&
        ls "$dir"/prefix/lib*/libclsort.so'
