#!/bin/sh
# test_release.sh SOURCE_DIR
#
# The version stands in clsort.h. What must repeat it repeats it: the newest heading of
# CHANGELOG.md, the port for vcpkg, the workflow to copy, README and the manual of the packages at
# each place. What the project's own workflow runs is there. CHECK_RELEASE=1 asks for a heading with a day, as a release has; so does a tag on this
# commit, which must be v and the version.
set -eu
. "$(dirname "$0")/../../common.sh"
cd "$1"

version=$(sed -n 's/^#define CLSORT_VERSION_[A-Z]* \([0-9]*\)$/\1/p' include/clsort/clsort.h |
    paste -sd .)
expr "$version" : '[0-9]*\.[0-9]*\.[0-9]*$' >/dev/null || fail "clsort.h has no version: $version"
# repeats FILE NAME TEXT: what the file says is the version; else the file is named.
differs=
repeats() {
    [ "$3" != "$2$version" ] || return 0
    echo "$1 says '$3', but the version of clsort.h is $version"
    differs=yes
}

heading=$(sed -n 's/^## //p' CHANGELOG.md | head -n 1)
tag=$(git tag --points-at HEAD --list 'v*' 2>/dev/null | head -n 1) || true
day=$(expr "$heading" : '.* (\([0-9]\{4\}-[0-1][0-9]-[0-3][0-9]\))$') || true
if [ -n "$day" ]; then
    repeats CHANGELOG.md '' "${heading% (*}"
elif [ -n "${CHECK_RELEASE-}$tag" ]; then
    fail "CHANGELOG.md's newest heading has no day, as in '## $version (2026-01-31)': $heading"
else
    repeats CHANGELOG.md 'Unreleased: ' "$heading"
fi
[ -z "$tag" ] || repeats "the tag of this commit" v "$tag"

repeats vcpkg.json '' \
    "$(sed -n 's/^  "version": "\(.*\)",$/\1/p' tools/build/packaging/vcpkg/clsort/vcpkg.json)"
repeats ci.yml v "$(sed -n 's/^ *ref: //p' tools/build/packaging/ci.yml)"
manual=docs/packages.md
for file in $(grep -oh 'clsort-[0-9][0-9.]*[0-9]' README.md $manual); do
    repeats "README.md or $manual" clsort- "$file"
done
# The library's package has MAJOR.MINOR in its name.
for file in README.md $manual; do
    packages=$(grep -o 'libclsort[0-9][0-9.]*' $file) || fail "$file names no libclsort"
    for package in $packages; do
        repeats $file libclsort "$package.${version##*.}"
    done
done
workflow=.github/workflows/ci.yml
commands=$(sed -n 's/^  *\(run: \)\{0,1\}\(\.ci\/run\|tools\/[a-z]*\)\( .*\)\{0,1\}$/\2/p' $workflow)
for command in .ci/run tools/setup tools/release $commands; do
    [ -x "$command" ] || fail "there is no $command"
    echo "$commands" | grep -qxF "$command" || fail "$workflow does not run $command"
done
[ -z "$differs" ] || fail "the files above do not repeat the version"
echo "release: $version, ${day:-not released}${tag:+, tag $tag}"
