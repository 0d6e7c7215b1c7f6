#!/usr/bin/env bash
# tools/start and tools/test --quick wherever a checkout lies: closed homes, blanks, read-only, umasks
#
# A copy of the tracked files in /tmp, below a path with blanks: first it is root's, in a folder closed to
# all others; then it may not be written to, and another user builds it in a closed home. Needs root. Takes
# two builds and two runs of the quick tests.
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

# try NAME UMASK COMMAND...
try() {
    local name=$1 mask=$2 log=$CHECK_DIR/places.log
    shift 2
    if (umask "$mask" && "$@") >"$log" 2>&1; then
        passed "$name" "$(tail -n 1 "$log")"
    else
        tail -n 20 "$log"
        failed "$name" "log: $log"
    fi
}
clean=(env -u POCL_CACHE_DIR -u CLSORT_BUILD_DIR)
try "tools/start, root's closed folder" 077 "${clean[@]}" "$dir/a checkout/tools/start" "$dir/file"
try "tools/test --quick, root's closed folder" 077 "${clean[@]}" "$dir/a checkout/tools/test" --quick

chmod 755 "$dir"
rm -rf "$dir/a checkout/build"
chmod -R u+rwX,go+rX,go-w "$dir/a checkout"
chown nobody "$dir/a home"
chmod 700 "$dir/a home"
other=(setpriv --reuid nobody --regid nogroup --clear-groups "${clean[@]}" HOME="$dir/a home"
    CLSORT_BUILD_DIR="$dir/a home/build")
if "${other[@]}" -u CLSORT_BUILD_DIR "$dir/a checkout/tools/start" >"$CHECK_DIR/places.log" 2>&1 ||
    ! grep -q 'CLSORT_BUILD_DIR=DIR tools/start' "$CHECK_DIR/places.log"; then
    failed "a checkout that cannot be written to is told" "log: $CHECK_DIR/places.log"
else
    passed "a checkout that cannot be written to is told"
fi
try "tools/start, another user's home" 000 "${other[@]}" "$dir/a checkout/tools/start" "$dir/file"
try "tools/test --quick, another user's home" 077 "${other[@]}" "$dir/a checkout/tools/test" --quick
