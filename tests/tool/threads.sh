#!/usr/bin/env bash
# tests/tool/threads.sh TOOL COUNT
#
# How many threads sort: --parallel, and the processors that the process may use. COUNT (threads.c's
# library) is preloaded. One of the threads that it counts waits for signals and sorts nothing.
preloaded=COUNT
. "$(dirname "$0")/common.sh"
seq 600000 | awk '{ print $1 * 7919 % 600011 }' >numbers
head -c 3000000 numbers >bytes

# at_most NAME NUMBER COMMAND...: the command works with at most that many threads, the calling one
# included.
at_most() {
    local name=$1 number=$2
    shift 2
    CLSORT_TEST_THREADS=$dir/count status "$name" 0 preload "$@"
    [ "$(cat count)" -le "$number" ] || fail "$name: $(cat count) threads, not $number"
}

while read -r way; do
    way=${way//DEVICE/${on[*]}}
    # shellcheck disable=SC2086 # several words
    status "sort $way" 0 "$tool" sort $way
    mv out expected
    for number in 1 2 3 5; do
        # shellcheck disable=SC2086
        at_most "sort $way --parallel=$number" $number "$tool" sort --parallel=$number $way
        same "sort $way --parallel=$number" expected out
    done
    [ -z "$(command -v taskset)" ] || {
        first=$(taskset -pc $$ | sed 's/.*: \([0-9]*\).*/\1/')
        # shellcheck disable=SC2086
        at_most "sort $way on one processor" 1 taskset -c "$first" "$tool" sort $way
        same "sort $way on one processor" expected out
    }
done <<'END'
numbers
-n numbers
-n -S 1M numbers
-k1,1 --verify numbers
-n DEVICE numbers
--lines DEVICE numbers
--lines DEVICE -S 1M numbers
-y u32 --text DEVICE -S 1M numbers
-y u32 --argsort DEVICE -S 1M bytes
-y u16 DEVICE -S 1M bytes
-y u64 DEVICE bytes
END

# Files are read and written by threads, too.
for number in 1 2 5; do
    at_most "raw numbers to a file, --parallel=$number" $number "$tool" sort -y u64 "${on[@]}" \
        --parallel=$number -S 1M -o got bytes
    "$tool" check -y u64 got || fail "raw numbers to a file, --parallel=$number: disorder"
done
if [ -w /dev/shm ]; then
    shared=$(mktemp -p /dev/shm)
    trap 'rm -rf "$dir" "$shared"' EXIT
    at_most "to memory" 1 "$tool" sort -y u64 "${on[@]}" --parallel=1 -o "$shared" bytes
    same "to memory" expected "$shared"
fi

exit $((num_failed > 0))
