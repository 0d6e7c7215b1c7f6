#!/bin/sh
# test_setuid.sh PROGRAM
#
# A setuid copy of test_nodevice, owned by another user and started by root, must ignore
# CLSORT_DEVICE, CLSORT_TUNING and CLSORT_LIMIT. The copy lies in /tmp, which every user can enter,
# and the library is linked into it, since the build may lie in a closed home. Skipped unless run by
# root.
set -eu
. "$(dirname "$0")/../common.sh"
[ "$(id -u)" -eq 0 ] && id nobody >/dev/null 2>&1 || skip "only root can make such a file"
dir=$(mktemp -d -p /tmp)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
cp "$1" "$dir/program"
chown nobody "$dir/program"
chmod 4755 "$dir/program"
mkdir -m 777 "$dir/cache" # for a driver's cache, where that user can write
HOME=$dir/cache XDG_CACHE_HOME=$dir/cache POCL_CACHE_DIR=$dir/cache "$dir/program" setuid
