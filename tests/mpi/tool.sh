#!/usr/bin/env bash
# tool.sh CLSORT-MPI MPIEXEC DIR: the tool over several ranks, checked by od and sort.
set -eu
. "$(dirname "$0")/../common.sh"
tool=$1 mpiexec=$2 dir=$3
# What a test that was ended by a time limit has left.
umount "$dir/mounted" "$dir/small" 2>/dev/null || true
chattr -a "$dir/grows" 2>/dev/null || true
fresh_dir "$dir"
cd "$dir"
log=$PWD/log

ranks() { # NUMBER ARGUMENT...
    local number=$1
    shift
    "$mpiexec" -n "$number" "$tool" "$@" >log 2>&1
}
words() { od -An -v -w"$1" -t "$2$1" | tr -d ' '; } # BYTES FORMAT <FILE
refused() { # TEXT NUMBER ARGUMENT...: the tool fails, prints TEXT, and leaves no result
    local text=$1
    shift
    rm -f out out.part
    ranks "$@" && fail "accepted: $*"
    grep -q "clsort-mpi: .*$text" log || fail "did not print \"$text\": $*"
    [ ! -e out ] && [ ! -e out.part ] || fail "a result was left behind: $*"
}

# 25001 numbers, many of them equal.
seq 1 25001 | awk '{ printf "%c%c%c%c", $1 * 7919 % 256, $1 * 31 % 7, 0, $1 % 3 }' |
    head -c 100004 >in
[ "$(stat -c %s in)" = 100004 ] || fail "the input has another size"
words 4 u <in | sort -n >expected

for number in 1 3 4; do
    ranks $number sort --verify -o out in || fail "$number ranks"
    words 4 u <out | cmp - expected || fail "$number ranks: wrong order"
    grep -q 'a permutation of the input' log || fail "$number ranks: no verdict"
done
ranks 3 sort -r -y i16 --verify -o out in || fail "descending"
words 2 d <out | sort -nrc || fail "descending: wrong order"

# One process without mpiexec, whose own libraries may ask PoCL for devices.
env POCL_CACHE_DIR= XDG_CACHE_HOME="$PWD/cache" "$tool" sort -D 0 -o out in 2>log ||
    grep -q "no OpenCL" log || fail "an empty POCL_CACHE_DIR"

# A file for each rank, written and read.
ranks 3 sort --verify -o 'part%r' in || fail "one output file for each rank"
cat part0 part1 part2 | words 4 u | cmp - expected ||
    fail "one output file for each rank: wrong order"
cp in in0 && head -c 400 in >in1 && : >in2
ranks 3 sort --verify -N 50 -o out 'in%r' || fail "one input file for each rank"
[ "$(stat -c %s out)" = 400 ] || fail "-N: $(stat -c %s out) bytes"
: >empty
ranks 2 sort --verify -o out empty && [ -e out ] && [ ! -s out ] || fail "an empty file"

mkdir d0 d1
ranks 2 sort --verify -o 'd%r/out%r' in || fail "a name with two marks"
cat d0/out0 d1/out1 | words 4 u | cmp - expected || fail "a name with two marks: wrong order"

# The input may be the output.
cp in both
ranks 2 sort -o both both || fail "in place"
words 4 u <both | cmp - expected || fail "in place: wrong order"

# A private file stays private.
chmod 600 both
(umask 022 && ranks 2 sort -o both both) || fail "a private file"
[ "$(stat -c %a both)" = 600 ] || fail "a private file has mode $(stat -c %a both)"

# Owner, group and list of access (a user's, and nothing for the owning group) stay.
shut=0200000001000600ffffffff02000600e803000004000000ffffffff10000600ffffffff20000000ffffffff
if [ -n "${ATTRIBUTES-}" ] && chown 7:50 both 2>/dev/null &&
    "$ATTRIBUTES" set both system.posix_acl_access $shut 2>/dev/null; then
    ranks 2 sort -o both both || fail "a file with a list of access"
    [ "$("$ATTRIBUTES" get both system.posix_acl_access)" = $shut ] || fail "the list is lost"
    [ "$(stat -c '%u:%g %a' both)" = "7:50 660" ] || fail "the list: $(stat -c '%u:%g %a' both)"
else
    echo "skipped: lists of access (no root, or a file system without)"
fi

ranks 2 sort --stats -o out in || fail "--stats"
for word in sort_seconds split_seconds exchange_seconds wait_seconds copy_seconds balance; do
    grep -q "^$word *[0-9]" log || fail "--stats: no $word"
done
ranks 2 sort --json -o out in || fail "--json"
grep -q '^{"ranks":2,"type":"u32","count":25001,.*"balance":1[.0-9]*,"bytes_sent":[0-9]*}$' log || fail "--json"

refused 'larger than the memory of all ranks' 2 sort --memory 10K -o out in
refused 'not a multiple of 8' 2 sort -y u64 -o out in
refused "cannot read 'nothing'" 2 sort -o out nothing
refused "cannot read 'in3'" 4 sort -o out 'in%r'
mkdir folder
refused "not a regular file" 2 sort -o folder in
echo mine >kept.part
ranks 2 sort -o kept in && fail "a file is taken for the result's"
grep -q "is there already" log && [ "$(cat kept.part)" = mine ] && [ ! -e kept ] ||
    fail "a file of the user's is touched"
# An output that cannot be written is found before the input is held against the memory, and stays.
early() { # TEXT OUT
    refused "$1" 2 sort --memory 1 -o "$2" in
    [ ! -e "$2.part" ] || fail "a file is left beside $2"
}
early "cannot write 'nowhere/out.part': No such file" nowhere/out
ln -s both link
early "cannot write 'link': it is there, and is not a regular file" link
ranks 2 sort --memory 1 -o kept in && fail "a file is taken for the result's, early"
grep -q "is there already" log && [ "$(cat kept.part)" = mine ] || fail "kept.part, early"
for rank in 0 1; do echo good >"split$rank"; done
mkdir split1.part
early "'split1.part' is there already" split%r
[ ! -e split0.part ] || fail "a file is left beside split0"
rmdir split1.part
echo good >grows
if chattr +a grows 2>/dev/null; then
    early "cannot replace 'grows': it can only grow" grows
    chattr -a grows
else
    echo "skipped: a file that can only grow (chattr +a is refused)"
fi
echo good >on_host && : >mounted
if mount --bind on_host mounted 2>/dev/null; then
    trap 'umount "$PWD/mounted"' EXIT
    early "cannot replace 'mounted': it is a mount point; write to a file in another folder" mounted
    umount mounted && trap - EXIT
else
    echo "skipped: a mount point (nothing can be mounted here)"
fi
chmod 444 split0
if [ ! -w split0 ]; then
    early "cannot write 'split0': Permission denied" split0
else
    echo "skipped: a file without permission (this user may write it)"
fi
[ "$(cat grows on_host split0 split1 | grep -cx good)" = 4 ] || fail "a refused output is touched"
words 4 u <in | sort -n | cmp - expected || fail "a refused output: the input is touched"
{ cat in && printf x; } >longer
ranks 2 sort -N 25001 -o out longer || fail "-N of all whole keys"
ranks 2 sort -N 2^4 -o out in && [ "$(stat -c %s out)" = 64 ] || fail "-N 2^4"
# Two files on a disk with room for one.
mkdir -p small
if mount -t tmpfs -o size=64k tmpfs small 2>/dev/null; then
    trap 'umount "$PWD/small"' EXIT
    early "cannot write 'small/out0.part': No space left" small/out%r
    umount small && trap - EXIT
else
    echo "skipped: a full disk (nothing can be mounted here)"
fi
refused 'unknown type' 2 sort -y q -o out in
refused 'unknown algorithm' 2 sort -a q -o out in
refused "option '--foo' is unknown" 2 sort --foo -o out in
refused "option '--vreify' is unknown; did you mean '--verify'?" 2 sort --vreify -o out in
refused "option '-t' is kept for what sort(1) means by it" 2 sort -t -o out in
refused 'whole number' 2 sort -N x -o out in
refused 'whole number' 2 sort -N 0x10 -o out in
refused 'too large' 2 sort -N 1e30 -o out in
refused 'OUT is missing' 2 sort -o '' in
printf 'splitters nonsense=1\n' >tuning
CLSORT_TUNING=$PWD/tuning refused 'tuning.*1.*nonsense' 2 sort -o out in
refused 'not a regular file' 2 sort -o out /dev/zero
refused 'OUT is missing' 2 sort in
refused 'no device has' 2 sort -D nonsense -o out in
"$tool" --help >log && grep -q usage log || fail "--help"
"$tool" --version >log && grep -q '^clsort-mpi [0-9]' log || fail "--version"
echo "clsort-mpi: every check passed"
