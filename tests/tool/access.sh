#!/usr/bin/env bash
# tests/tool/access.sh TOOL ACCESS
#
# Who may read a file that is replaced, and a new one: owner, group, mode, POSIX list of access,
# security label and users' attributes. ACCESS (access.c's library) is preloaded where calls fail or
# are looked at; the program $ATTRIBUTES (attributes.c) reads and writes attributes. The judges are
# the old file, and the shell's own new files. Exit status 77: no root, no lists, or no device.
preloaded=ACCESS
. "$(dirname "$0")/common.sh"
[ "$(id -u)" = 0 ] || {
    echo "skipped: only root gives files to others"
    exit 77
}
umask 022
list=system.posix_acl_access label=security.selinux
attribute() { "$ATTRIBUTES" get "$1" "$2"; }
give() { "$ATTRIBUTES" set "$@"; }
# acl TAG:BITS[:ID]...: a list of access as the system has it. The tags: 1 the owner, 2 a user, 4
# the owning group, 8 a group, 16 the mask, 32 all others.
acl() {
    local entry tag bits id
    printf 02000000
    for entry in "$@"; do
        IFS=: read -r tag bits id <<<"$entry:4294967295"
        id=$(printf %08x "${id%%:*}")
        printf '%02x00%02x00%s' "$tag" "$bits" "${id:6:2}${id:4:2}${id:2:2}${id:0:2}"
    done
}
# A user is let in, and the owning group is not, although the mode of such a file says 660.
shut=$(acl 1:6 2:6:1000 4:0 16:6 32:0)
: >file
give file $list "$shut" 2>err || {
    cat err
    echo "skipped: the file system has no lists of access"
    exit 77
}
has_label=
give file $label 6c6162656c00 2>err && has_label=1
chmod 755 "$dir"

# facts FILE: all that decides who may read it, and what users have written about it.
facts() {
    stat -c 'mode %a, owner %u:%g' "$1"
    local name
    for name in $list $label user.note; do echo "$name $(attribute "$1" $name)"; done
}
# fresh FILE: a file to be replaced.
fresh() {
    rm -f "$1"
    echo old >"$1"
    chown 0:50 "$1"
    chmod 640 "$1"
    [ -z "$has_label" ] || give "$1" $label 6c6162656c00
    give "$1" user.note 6b656570
    give "$1" $list "$shut"
}
# is_kept NAME FILE: the facts are those in the file before.
is_kept() {
    facts "$2" >after
    cmp -s before after || fail "$1: $(diff before after | tr '\n' ' ')"
    [ "$(head -c 3 "$2" | tr -d '\0')" != old ] || fail "$1: the file is not replaced"
}
printf 'dcba' >keys
printf 'abcd' >ordered
printf '4321' >values
printf '2\n1\n' >numbers
printf '\0\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0' >offsets
head -c 200000 /dev/urandom >large

# ---- Every output of every command ---------------------------------------------------------------
fresh file
facts file >before
while read -r options; do
    fresh file
    # shellcheck disable=SC2086 # several options
    status "$options" 0 timeout 100 "$tool" $options
    is_kept "$options" file
    rm -f file.gp
done <<'END'
sort -y u8 -o file keys
sort -y u32 -S 64K -o file large
sort -y u8 --argsort -o file keys
sort -y u8 --segments offsets -o file keys
sort -y u8 --values values --values-output file -o new keys
sort -o file numbers
sort -S 64K -o file large
sort --text -o file numbers
sort -n --argsort -o file numbers
sort -m -o file numbers
merge -y u8 -o file ordered
top -y u8 -N 2 -o file keys
top -y u8 -N 2 --segments offsets -o new --segments-output file keys
tune --quick -N 2^10 -y u32 --seconds 1 -o file
bench -N 300 -y u8 -a rank --repeat 1 --csv file
END
if "$tool" devices --json >out 2>err; then
    fresh file
    status "bench --json" 0 "$tool" bench -N 300 -y u8 -a rank --repeat 1 --json file
    is_kept "bench --json" file
fi
# reads USER GROUP FILE: whether a user can.
reads() { setpriv --reuid "$1" --regid "$2" --clear-groups cat "$3" >out 2>err; }
if setpriv --reuid 2000 --regid 2000 --clear-groups true 2>err; then
    fresh file
    status "users" 0 "$tool" sort -y u8 -o file keys
    reads 1000 1000 file || fail "users: who was let in is not"
    reads 2000 50 file && fail "users: the owning group, which was kept out, is let in"
    reads 2000 2000 file && fail "users: others are let in"
fi

# ---- At no moment may more users read ------------------------------------------------------------
# looked_at NAME: a group that is not the file's, and one without the list, has no rights, and
# others never have any.
looked_at() {
    rm -f moments
    fresh file
    CLSORT_TEST_ACCESS=$dir/moments status "$1" 0 preload "$tool" sort -y u8 -o file keys
    is_kept "$1" file
    [ -s moments ] || fail "$1: nothing is looked at"
    while read -r mode group has_list; do
        [ $((0$mode & 07)) -eq 0 ] &&
            { [ $((0$mode & 070)) -eq 0 ] || [ "$group $has_list" = "50 1" ]; } ||
            fail "$1: mode $mode with group $group, list: $has_list"
    done <moments
}
looked_at "moments"
CLSORT_TEST_REFUSE=nameless looked_at "moments of a file with a temporary name"
# A change while the tool sorts counts.
fresh file
mkfifo pipe
"$tool" sort -y u8 -o file - <pipe >out 2>err &
exec 3>pipe
for _ in $(seq 200); do
    [ "$(find /proc/$!/fd -lname "$dir/*" 2>/dev/null | wc -l)" -ge 2 ] && break
    sleep 0.05
done
chmod 600 file
facts file >before
printf ba >&3
exec 3>&-
wait $! || fail "a change meanwhile: exit status $?"
is_kept "a change meanwhile" file

# ---- New files, and files without a list, in a folder that gives one -----------------------------
# made NAME FILE: it is as a new file of the shell's.
made() {
    rm -f "${2%/*}/judge"
    : >"${2%/*}/judge"
    facts "${2%/*}/judge" >before
    is_kept "$1" "$2"
    rm "$2"
}
mkdir plain giving grouped
chown 0:50 grouped
chmod 2755 grouped
give giving system.posix_acl_default "$(acl 1:6 2:6:1000 4:4 16:6 32:0)"
for folder in plain giving grouped; do
    for mask in 022 077 000 027; do
        umask $mask
        status "new in $folder, $mask" 0 "$tool" sort -y u8 -o $folder/new keys
        made "new in $folder, $mask" $folder/new
        CLSORT_TEST_REFUSE=nameless status "new and named in $folder, $mask" 0 preload "$tool" \
            sort -y u8 -o $folder/new keys
        made "new and named in $folder, $mask" $folder/new
    done
    umask 022
    for mode in 600 640 664 4755; do
        cp keys old
        chown 7:50 old
        chmod $mode old
        mv old $folder/old
        facts $folder/old >before
        status "replaced in $folder, $mode" 0 "$tool" sort -y u8 -o $folder/old keys
        is_kept "replaced in $folder, $mode" $folder/old
    done
done

# ---- What cannot be kept narrows the mode --------------------------------------------------------
# narrows NAME FILE FACTS CALLS: if the calls fail.
narrows() {
    CLSORT_TEST_REFUSE=$4 status "$1" 0 preload "$tool" sort -y u8 -o "$2" keys
    says "$1" "$2: fewer users may read it than before, since its group, access list or label"
    [ "$(stat -c '%a %u:%g' "$2")" = "$3" ] || fail "$1: $(stat -c '%a %u:%g' "$2"), not $3"
    [ "$(attribute "$2" $list)" = none ] || [ "${3%% *}" = 600 ] || fail "$1: it has a list"
}
fresh file
narrows "no list" file "600 0:50" $list
fresh file
narrows "no group" file "600 0:0" fchown
for modes in "664 644" "604 600" "647 644" "6775 755"; do
    cp keys file2
    chown 7:50 file2
    chmod "${modes% *}" file2
    narrows "no group, ${modes% *}" file2 "${modes#* } 0:0" fchown
    rm file2
done
cp keys old
chown 7:50 old
chmod 664 old
mv old giving/old2
narrows "the folder's list stays" giving/old2 "600 7:50" $list
if [ -n "$has_label" ] && fresh file; then
    CLSORT_TEST_REFUSE=$label status "no label" 0 preload "$tool" sort -y u8 -o file keys
    [ "$(attribute file $label)" = none ] && [ ! -s err ] ||
        says "no label" "fewer users may read it"
fi
# Rights that a file has for all are theirs in another group, too.
cp keys file2
chown 7:50 file2
chmod 666 file2
CLSORT_TEST_REFUSE=fchown status "a file for all" 0 preload "$tool" sort -y u8 -o file2 keys
[ ! -s err ] && [ "$(stat -c %a file2)" = 666 ] || fail "a file for all: $(stat -c %a file2)"

exit $((num_failed > 0))
