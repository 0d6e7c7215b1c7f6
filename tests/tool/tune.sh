#!/usr/bin/env bash
# tests/tool/tune.sh TOOL
#
# Which numbers 'clsort tune' reaches. SOURCE: the source tree. JSON_LINES: a program
# (json_lines.c), without which the tool has no --json, and only the tables are compared.
. "$(dirname "$0")/common.sh"

# ---- Every number is measured, or the page says that it is not ---------------------------------
sed -n 's/^\(NUMBER\|POWER\|SWITCH\|COUNT\)(\([a-z]*\), \([a-z_]*\),.*/\2 \3/p' \
    "$SOURCE/src/tuning/fields.h" | sort >all
{
    sed -n 's/^    {"\([a-z]*\)", "\([a-z_]*\)", .*/\1 \2/p' "$SOURCE/tools/tune/limits.c"
    # A subject's second text is its kind; a coordinate is a name and a list of numbers.
    awk '/^    \{"/ { split($0, texts, "\""); kind = texts[4] }
        { while (match($0, /\{"[a-z_]+", \{/)) {
              print kind, substr($0, RSTART + 2, RLENGTH - 6)
              $0 = substr($0, RSTART + RLENGTH)
          } }' "$SOURCE/tools/tune/search.c"
} | sort -u >reached
sed -n '/^## What clsort tune leaves alone/,$p' "$SOURCE/docs/tuning.md" |
    awk -F '`' '/^- `/ { kind = $2 }
        kind { for (i = /^- `/ ? 4 : 2; i <= NF; i += 2) print kind, $i }' | sort >left
if [ "$(wc -l <reached)" -lt 50 ] || [ "$(wc -l <left)" -lt 20 ]; then
    fail "the tables cannot be read"
fi
sort reached left | diff all - >differences ||
    fail "neither reached by tune nor left alone in docs/tuning.md (<), or both, or unknown (>):" \
        "$(grep '^[<>]' differences)"

# --only takes each kind that is reached, and offers it.
status "tune of a kind" 2 "$tool" tune --only select,nothing
sed -n "s/.*'nothing' is no kind of row to measure; the kinds are //p" err | tr ' ' '\n' | sort >kinds
cut -d ' ' -f 1 reached | sort -u | diff - kinds || fail "tune --only: the kinds are others"
"$tool" --complete tune --only '' | sort | diff kinds - || fail "tune --only: others are offered"

# ---- They are measured in fact -------------------------------------------------------------------
# What is found depends on the machine; what is measured does not. GPUs' kernels run on any device.
# A device that is small for the library has small kernels, which take little time to compile.
# measures NAME LIMIT COUNT KINDS KIND:NUMBER[:ITEM]...: runs tune with COUNT u32 on a device with
# the limit. Each number must be among those that it measured, in the row of the item's size if that
# is given, and all numbers are of these kinds.
small_gpu=cpu=0,group=16,local=4096
measures() {
    local name=$1 limit=$2 count=$3 kinds=$4 number
    shift 4
    status "$name" 0 env CLSORT_LIMIT="$limit" "$tool" tune --quick -N "$count" -y u32 \
        --only "$kinds" --seconds 600 --json -o rows.txt
    grep -qE '^rows.txt: (no row; |[0-9]+ rows?; the largest gain is [0-9.]+ times .* set CLSORT_TUNING=rows.txt$)' \
        out || fail "$name: the end is not told: $(cat out)"
    "$JSON_LINES" measured <err >out || fail "$name: $(cat out)"
    for number in "$@"; do
        local kind row item
        IFS=: read -r kind row item <<<"$number"
        grep -q "{\"kind\":\"$kind\",\"sizes\":{${item:+\"item\":$item}[^}]*},\"name\":\"$row\"}" err ||
            fail "$name: $number is not measured"
    done
    grep -o '"kind":"[a-z]*"' err | grep -qvE ":\"(${kinds//,/|})\"" &&
        fail "$name: another kind is measured"
}
# A row of 64 keys cannot be made of 50; no driver's handler hides a division by 0.
status "tune of fewer keys than a row" 0 env POCL_SIGFPE_HANDLER=0 "$tool" tune --quick -N 50 -y u32 \
    --seconds 1 -o rows.txt
refuses "tune of a last type that does not fit" "u64+u64" timeout 60 "$tool" tune --quick -N 2^28 \
    -y u8,u64+u64 --seconds 600 -o rows.txt
if [ -n "${JSON_LINES-}" ]; then
    # A part's first share is too short for a compiler, but all have enough.
    status "tune in turns" 0 "$tool" tune --quick -N 50 -y u32 --seconds 90 --json -o rows.txt
    grep -q '"tried_all":true' err || fail "tune has time left, and parts that were cut short"
    measures "tune of segments" $small_gpu 2^15 segments segments:arrays_min segments:arrays_max \
        segments:arrays_total segments:tile_percent
    measures "tune of many keys" $small_gpu 2^14 select,general select:min select:row_max \
        select:row_min select:short_max select:sample_bits_max select:short_items \
        general:rank_compares general:wide_index_min general:rank_tile_items \
        general:rank_stream_items
    measures "tune of few keys" $small_gpu 2^11 merge,splitters,range,records merge:two_items \
        splitters:bucket_bits range:check_items range:runs_items range:search_items range:sample_min \
        records:quick_min:16
    # Vectors would sort u32 by another limit.
    measures "tune of CPUs" cpu=1,vector=0 2^14 cpu,records cpu:alone_bytes records:radix_min:16
    # Eight arrays or more, of which each has enough for a sample.
    measures "tune of CPUs' rows" cpu=1,vector=0 2^18 select select:several_min
fi

if [ $num_failed -gt 0 ]; then
    echo "$num_failed failed"
    exit 1
fi
echo "all passed"
