#!/usr/bin/env bash
# tools/start and tools/test in any checkout: closed homes, blanks, read-only, umasks
#
# A copy of the tracked files in /tmp has blanks in its path. First root owns it, in a folder closed
# to all others. Then it is read-only, and another user builds it in a closed home. Needs root.
# Takes two builds and two runs of the quick tests.
. tests/check/common.sh

if [ "$(id -u)" -ne 0 ] || ! id nobody >/dev/null 2>&1; then
    skipped "other users' places" "only root can go there"
    exit 0
fi
dir=$(mktemp -d -p /tmp)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/a checkout" "$dir/a home"
git ls-files -z | xargs -0 tar -cf - | tar -xf - -C "$dir/a checkout" --no-same-owner
head -c 4000000 /dev/urandom >"$dir/file"
chmod 644 "$dir/file"

log=$CHECK_DIR/places.log
with_umask() { (umask "$1" && shift && "$@"); } # UMASK COMMAND...
clean=(env -u POCL_CACHE_DIR -u CLSORT_BUILD_DIR)
try "tools/start, root's closed folder" "$log" \
    with_umask 077 "${clean[@]}" "$dir/a checkout/tools/start" "$dir/file"
try "tools/test, root's closed folder" "$log" \
    with_umask 077 "${clean[@]}" "$dir/a checkout/tools/test"

chmod 755 "$dir"
rm -rf "$dir/a checkout/build"
chmod -R u+rwX,go+rX,go-w "$dir/a checkout"
chown nobody "$dir/a home"
chmod 700 "$dir/a home"
other=(setpriv --reuid nobody --regid nogroup --clear-groups "${clean[@]}" HOME="$dir/a home"
    CLSORT_BUILD_DIR="$dir/a home/build")
if "${other[@]}" env -u CLSORT_BUILD_DIR "$dir/a checkout/tools/start" >"$log" 2>&1 ||
    ! grep -q 'CLSORT_BUILD_DIR=DIR tools/start' "$log"; then
    failed "a read-only checkout is named" "log: $log"
else
    passed "a read-only checkout is named"
fi
try "tools/start, another user's home" "$log" \
    with_umask 000 "${other[@]}" "$dir/a checkout/tools/start" "$dir/file"
try "tools/test, another user's home" "$log" \
    with_umask 077 "${other[@]}" "$dir/a checkout/tools/test"
