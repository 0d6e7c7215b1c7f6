#!/usr/bin/env bash
# tests/tool/outputs.sh TOOL
#
# Outputs that can be written but not replaced, folders, and files in folders of others: refused
# before anything is read, and with what to do. What needs root, or another user, is left out where
# there is none.
. "$(dirname "$0")/common.sh"
mounted=
append=()
# shellcheck disable=SC2317 # called by the trap
clean_up() {
    [ -z "$mounted" ] || umount "$mounted"
    [ ${#append[@]} -eq 0 ] || chattr -a "${append[@]}"
    rm -rf "$dir"
}
trap clean_up EXIT
chmod 755 "$dir"
printf "1 x\n22 y\n" >bad # no numbers, no whole offsets
printf 'dcba' >keys
printf '4321' >values
printf '\0\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0' >offsets
no_temp() { [ -z "$(find . -name '.clsort*')" ] || fail "$1: a temporary file is left"; }

# refused NAME TEXT FILE: by every command that writes files, although what they would read is bad,
# or a device that is not there is looked for later.
refused() {
    local name=$1 text=$2 file=$3 options
    while read -r options; do
        # shellcheck disable=SC2086 # several options
        refuses "$name, $options" "$text" timeout 60 "$tool" ${options//FILE/$file}
    done <<'END'
sort -y u8 -D no-such-device -o FILE keys
sort -y u8 -o new --values bad --values-output FILE keys
sort -y u8 -o FILE --values bad --values-output new keys
sort -y u8 --segments bad -o FILE keys
sort --text -o FILE bad
sort --text -y u8 --argsort -o FILE bad
sort --lines -D no-such-device -o FILE keys
sort -n --strict -o FILE bad
sort -m -o FILE keys
merge -y u8 -o FILE keys
top -y u8 -D no-such-device -o FILE keys
top -y u8 -D no-such-device --segments offsets -o new --segments-output FILE keys
tune -D no-such-device -o FILE
bench -D no-such-device --csv FILE
END
    if "$tool" devices --json >out 2>err; then
        refuses "$name, bench --json" "$text" "$tool" bench -D no-such-device --json "$file"
    fi
    [ ! -e new ] || fail "$name: another output is there"
    no_temp "$name"
}
rm -f new

# ---- A folder ------------------------------------------------------------------------------------
mkdir folder
refused "a folder" "cannot write folder: Is a directory" folder

refused "no folder" "cannot write nodir/a/out: there is no folder nodir/a; create it first" \
    nodir/a/out

# ---- A mount point, as docker -v makes it --------------------------------------------------------
echo good >on_host
: >file
if mount --bind on_host file 2>err; then
    mounted=$dir/file
    by_cp="write to a file in another folder, then copy that file over this one with cp"
    refused "a mount point" "cannot replace file: it is a mount point; $by_cp" file
    ln -s file link
    refuses "a mount point by a link" "it is a mount point" "$tool" sort -y u8 -o link keys
    [ "$(cat on_host)" = good ] || fail "a mount point: it is touched"
    # What the message says.
    cp keys on_host
    status "beside a mount point" 0 "$tool" sort -y u8 -o folder/new file
    cp folder/new file
    [ "$(cat on_host)" = abcd ] || fail "beside a mount point: $(cat on_host)"
    # No folder of it is one, and neither is what is mounted elsewhere.
    status "what is mounted elsewhere" 0 "$tool" sort -y u8 -o on_host keys
    umount file && mounted=
else
    echo "skipped: a mount point (nothing can be mounted here)"
fi

# ---- Files and folders that can only grow --------------------------------------------------------
echo good >grows
mkdir growing
echo good >growing/file
if chattr +a grows growing 2>err; then
    append=(grows growing)
    refused "a file that can only grow" \
        "cannot replace grows: it can only grow (chattr +a); write to another file" grows
    refused "a folder that can only grow" \
        "cannot replace growing/file: its folder can only grow (chattr +a); write to a file" \
        growing/file
    [ "$(cat grows growing/file | uniq)" = good ] || fail "what can only grow is touched"
    chattr -a grows growing && append=()
    # A file that becomes so when its output is open already.
    cp keys sorted
    cp values moved
    mkfifo pipe
    "$tool" sort -y u8 -o sorted --values moved --values-output moved - <pipe >out 2>err &
    exec 3>pipe
    for _ in $(seq 200); do
        [ "$(find /proc/$!/fd -lname "$dir/*" 2>/dev/null | wc -l)" -ge 3 ] && break
        sleep 0.05
    done
    chattr +a moved && append=(moved)
    cat keys >&3
    exec 3>&-
    rc=0
    wait $! || rc=$?
    chattr -a moved && append=()
    [ $rc -eq 2 ] || fail "a rename that fails: exit status $rc"
    mentions "a rename that fails" "cannot replace moved: Operation not permitted"
    mentions "a rename that fails" \
        "sorted is written already, but moved is not: the two do not belong together"
    [ "$(cat sorted moved)" = abcd4321 ] || fail "a rename that fails: $(cat sorted moved)"
    no_temp "a rename that fails"
else
    echo "skipped: files that can only grow (chattr +a is refused)"
fi

# ---- Folders of others ---------------------------------------------------------------------------
# by_other COMMAND...: by another user than root, without a device.
by_other() {
    env -u CLSORT_DEVICE -u CLSORT_TUNING OCL_ICD_VENDORS=/nonexistent \
        setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}
if by_other "$tool" --version >out 2>err; then
    mkdir sticky others own
    for file in sticky/file sticky/own others/file own/file; do cp keys $file; done
    chmod 1777 sticky own
    chown 65534 sticky/own own
    chmod 666 sticky/file sticky/own others/file own/file
    refuses "a sticky folder" "cannot replace sticky/file: only its owner may, since its folder is \
sticky; write to a file in another folder, then copy that file over this one with cp" \
        by_other "$tool" sort -y u8 --segments bad -o sticky/file keys
    refuses "a sticky folder, values" "cannot replace sticky/file: only its owner may" \
        by_other "$tool" sort -y u8 -o own/new --values values --values-output sticky/file keys
    [ ! -e own/new ] || fail "a sticky folder: the keys are written"
    refuses "a folder of others" "cannot create a temporary file beside others/file: Permission \
denied; write to a file in another folder, then copy that file over this one with cp" \
        by_other "$tool" sort -y u8 --segments bad -o others/file keys
    refuses "a new file in a folder of others" "beside others/new: Permission denied; write to a \
file in another folder" by_other "$tool" sort -y u8 --segments bad -o others/new keys
    (umask 077 && cp keys closed)
    for option in "-y u8" -n "" "-y u8 --argsort"; do
        # shellcheck disable=SC2086
        refuses "a file of others, $option" "cannot open closed: Permission denied" \
            by_other "$tool" sort $option closed
    done
    same "a sticky folder" keys sticky/file
    same "a folder of others" keys others/file
    for file in sticky/own own/file own/new; do
        status "may be replaced: $file" 0 by_other "$tool" sort -y u8 -o $file keys
        [ "$(cat $file)" = abcd ] || fail "may be replaced: $file: $(cat $file)"
    done
    status "may be replaced by root" 0 "$tool" sort -y u8 -o sticky/own values
    [ "$(cat sticky/own)" = 1234 ] || fail "may be replaced by root: $(cat sticky/own)"
    no_temp "folders of others"
else
    echo "skipped: folders of others (no other user can run the tool)"
fi

exit $((num_failed > 0))
