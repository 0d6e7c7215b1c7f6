#!/usr/bin/env bash
# tests/tool/limits.sh TOOL WATCH
#
# Below limits of address space and data (ulimit -v, -d) the tool sorts what sort(1) sorts there, and
# refuses a device that is asked for; and what -S promises about all memory, the driver's included,
# as WATCH (watch.c's library) tells. Exit status 77: there is no OpenCL device, or a sanitizer, which
# takes all address space.
preloaded=WATCH
. "$(dirname "$0")/common.sh"
if grep -qE '__(asan|tsan|msan)_init' "$tool"; then
    echo "skipped: a sanitizer takes all address space"
    exit 77
fi
mkdir tmp
export TMPDIR=$dir/tmp
ulimit -c 0
unset CLSORT_TUNING

# ---- Data: the same each time --------------------------------------------------------------------
awk 'BEGIN { for (i = 0; i < 400000; i++)
    printf "%d %032x\n", i * 7919 % 400009 * 31 % 65537, i * 2654435761 % 4294967296 }' >lines
cut -d ' ' -f 1 lines >numbers
gzip -n -1 <lines >bytes
while [ "$(stat -c %s bytes)" -lt 40000000 ]; do cat bytes bytes >more && mv more bytes; done
head -c 40000000 bytes >keys

# ---- Limits --------------------------------------------------------------------------------------
sort lines >lines.sorted
sort -s -n numbers >numbers.sorted
"$tool" sort -y u32 -o keys.sorted keys
"$tool" sort -y u32 --argsort -o keys.order keys
"$tool" sort -y f64 -r -o floats.sorted keys
# below LIMIT KIB COMMAND...
below() { (
    ulimit "$1" "$2"
    shift 2
    env -u CLSORT_DEVICE "$@"
); }
for limit in "-v 100000" "-v 450000" "-v 1000000" "-d 60000"; do
    # shellcheck disable=SC2086 # a limit and its size
    status "sort(1) below $limit" 0 below $limit sort lines
    while read -r expected file options; do
        for memory in "" "-S 1G"; do
            # shellcheck disable=SC2086
            status "$limit: $options $memory $file" 0 below $limit timeout 100 "$tool" sort \
                $options $memory -o got $file
            same "$limit: $options $memory $file" $expected got
        done
    done <<'END'
lines.sorted lines
numbers.sorted numbers -s -n
numbers.sorted numbers --text
keys.sorted keys -y u32
keys.order keys -y u32 --argsort
floats.sorted keys -y f64 -r
END
done
# A driver is not loaded: it would abort the process.
for options in "-y u32" --text --lines; do
    for command in sort top; do
        [ "$command $options" != "top --lines" ] || continue
        # shellcheck disable=SC2086
        refuses "a device below a limit: $command $options" "'ulimit -v' or 'ulimit -d' leaves" \
            below -v 300000 "$tool" $command "${on[@]}" $options numbers
    done
done
refuses "devices below a limit" "'ulimit -v' or 'ulimit -d' leaves" below -v 300000 "$tool" devices

# ---- All memory of -S ----------------------------------------------------------------------------
: >empty
CLSORT_TEST_USAGE=$dir/usage status "nothing" 0 preload "$tool" sort -y u32 -o got empty
read -r _ base _ <usage
for _ in 1 2 3 4 5 6; do cat keys; done >many
for _ in 1 2 3 4; do cat lines; done >text
# promised SIZE OPTION... FILE: the most memory is SIZE and 64 MiB above what an empty run takes.
promised() {
    local name="-S ${1}M ${*:2}" peak
    status "$name, what is in no cache yet" 0 "$tool" sort -S "$1M" -o got "${@:2}"
    CLSORT_TEST_USAGE=$dir/usage status "$name" 0 preload "$tool" sort -S "$1M" -o got "${@:2}"
    read -r _ peak _ <usage
    echo "$name: $((peak - base)) KiB more than for nothing"
    [ $((peak - base)) -le $((($1 + 64) * 1024)) ] || fail "$name: $((peak - base)) KiB"
}
for size in 96 16; do
    promised $size -y u32 many
    promised $size -y f64 -r --argsort many
    promised $size -s -n text
    promised $size text
    promised $size --text numbers
done
# A driver would take more than that, so none is loaded without being asked for.
status "a small -S" 0 env -u CLSORT_DEVICE "$tool" sort -S 16M --stats -y u32 -o got keys
mentions "a small -S" "device none"
same "a small -S" keys.sorted got
status "a small -S, asked for" 0 "$tool" sort "${on[@]}" -S 16M --stats -y u32 -o got keys
grep -q "device none" err && fail "a small -S, asked for: no device"
same "a small -S, asked for" keys.sorted got

exit $((num_failed > 0))
