#!/usr/bin/env bash
# the packages: made twice, judged by lintian, installed and used on a bare Debian 12
#
# debootstrap makes $CHECK_DIR/bookworm once, from CHECK_MIRROR or from where this machine's apt
# gets its packages. tests/install/bare.sh runs in a copy of it. Needs root and the network. The
# workflow of tools/build/packaging/ci.yml runs there as well, on a project that uses clsort.
. tests/check/common.sh

export CLSORT_BUILD_DIR=$CHECK_DIR/packages
packages=$CLSORT_BUILD_DIR/packages
log=$CHECK_DIR/packages.log
try "tools/release" "$log" tools/release
[ -s "$packages/SHA256SUMS" ] || exit 0
cp "$packages/SHA256SUMS" "$CHECK_DIR/packages.sums"
# The options of a run have no part in the next one.
tools/package -D CLSORT_BUILD_MPI=OFF -D CPACK_PACKAGE_CONTACT="none <none@example.org>" \
    >"$log" 2>&1 || true
tools/release >"$log" 2>&1 || true
try "the same bytes again" "$log" diff "$CHECK_DIR/packages.sums" "$packages/SHA256SUMS"

if have lintian; then
    try "lintian" "$log" lintian --allow-root --fail-on error "$packages"/*.deb
else
    skipped "lintian" "it is not installed"
fi

# ---- A bare Debian -------------------------------------------------------------------------------
if [ "$(id -u)" -ne 0 ] || ! have debootstrap; then
    skipped "the packages on a bare Debian 12" "needs root and debootstrap"
    exit 0
fi
mirror=${CHECK_MIRROR-$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' \
    'Created-By: Packages' | sed -n 's/ bookworm$//p' | head -n 1)}
if [ ! -e "$CHECK_DIR/bookworm/complete" ]; then
    rm -rf "$CHECK_DIR/bookworm"
    # shellcheck disable=SC2086 # an empty mirror is debootstrap's own choice
    if ! debootstrap --variant=minbase bookworm "$CHECK_DIR/bookworm" $mirror >"$log" 2>&1; then
        skipped "the packages on a bare Debian 12" "debootstrap failed; log: $log"
        exit 0
    fi
    touch "$CHECK_DIR/bookworm/complete"
fi

root=$CHECK_DIR/packages.root
trap 'rm -rf --one-file-system "$root"' EXIT
# make_root: a bare Debian with the sources and the packages.
make_root() {
    cp -a "$CHECK_DIR/bookworm" "$root"
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    find /etc/apt/apt.conf.d -name '*proxy*' -exec cp {} "$root/etc/apt/apt.conf.d/" \;
    mkdir "$root/source" "$root/packages"
    git ls-files -z | xargs -0 tar -cf - | tar -xf - -C "$root/source" --no-same-owner
    cp "$packages"/* "$root/packages"
}
rm -rf --one-file-system "$root"
make_root

# in_root COMMAND...: in a mount namespace of its own, which ends with the command. PoCL needs /sys.
in_root() {
    # shellcheck disable=SC2016 # expanded by the inner shell
    env -i PATH="$PATH" unshare --mount sh -ec 'root=$1
        shift
        for folder in proc sys dev; do mount --rbind "/$folder" "$root/$folder"; done
        exec chroot "$root" "$@"' sh "$root" "$@"
}
try "on a bare Debian 12" "$log" in_root sh /source/tests/install/bare.sh /source /packages

if have yamllint; then
    try "the workflows are valid" "$log" yamllint -s -d \
        '{extends: default, rules: {document-start: disable, truthy: disable, line-length: {max: 100}}}' \
        tools/build/packaging/ci.yml .github/workflows/ci.yml
else
    skipped "the workflows are valid" "yamllint is not installed"
fi
if ! python3 -c 'import yaml' 2>/dev/null; then
    skipped "the workflow's commands" "python3 has no yaml (Debian: python3-yaml)"
    exit 0
fi
# Bare again, without what bare.sh has installed.
rm -rf --one-file-system "$root"
make_root
python3 tests/install/workflow.py tools/build/packaging/ci.yml /project /source >"$root/job.sh"
try "the workflow's commands" "$log" in_root sh /source/tests/install/ci.sh /job.sh /project
