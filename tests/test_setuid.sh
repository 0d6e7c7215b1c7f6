#!/bin/sh
# test_setuid.sh PROGRAM
#
# A copy of test_nodevice that belongs to another user and runs as that user, started by root: it must
# not hear CLSORT_DEVICE, CLSORT_TUNING and CLSORT_LIMIT. It lies in /tmp, where any user can go, and has
# the library in it: the build may lie in a closed home. Ends with 77 where that cannot be set up.
set -eu
[ "$(id -u)" -eq 0 ] && id nobody >/dev/null 2>&1 || {
    echo "skipped: only root can make such a file"
    exit 77
}
dir=$(mktemp -d -p /tmp)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
cp "$1" "$dir/program"
chown nobody "$dir/program"
chmod 4755 "$dir/program"
mkdir -m 777 "$dir/cache" # a driver's, which that user can write to
HOME=$dir/cache XDG_CACHE_HOME=$dir/cache POCL_CACHE_DIR=$dir/cache "$dir/program" setuid
