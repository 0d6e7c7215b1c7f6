/* cpu_segments_merge.cl: one round of merges of the chunks of long segments (cpu_segments.h). A
 * work-item makes its share of the output, and finds by merge path where that begins in both runs.
 *
 * Local memory: none. Runs after: cpu_segments.cl, or itself. */
#include "cpu_segments.h"
#include "group_merge_path.h"

/* Elements [at, end) of the merge of runs [begin, middle) and [middle, last). */
CLSORT_INLINE void merge_part(const struct segments_place *from, const struct segments_place *to,
                              ulong begin, ulong middle, ulong last, ulong at, ulong end)
{
#define PART_LESS(j, i) STORED_LESS(from->keys[middle + (j)], from->keys[begin + (i)])
    MERGE_PATH(ulong, cut, middle - begin, last - middle, at - begin, PART_LESS)
    ulong low = begin + cut, high = middle + (at - begin - cut);
    for (; at < end; ++at) {
        const int takes_high =
            low >= middle || (high < last && STORED_LESS(from->keys[high], from->keys[low]));
        const ulong taken = takes_high ? high : low;
        to->keys[at] = from->keys[taken];
        if (PAYLOAD_SIZE)
            to->payloads[at] = from->payloads[taken];
        low += !takes_high;
        high += takes_high;
    }
}

KERNEL void cpu_segments_merge(SEGMENTS_CPU_ARGS)
{
    const struct cpu_segments_params *q = &p;
    const ulong begin = min(get_group_id(0) * p.share, (ulong)p.count);
    const ulong end = min(begin + p.share, (ulong)p.count);
    const struct segments_heads heads = {SEGMENTS_TABLE(const uint, bits),
                                         SEGMENTS_TABLE(const uint, tops), p.count};
    const struct segments_place out = {AT(stored_key_t, keys_out, 1),
                                       AT(payload_t, payload_out, 3)};
    const struct segments_place work = {SEGMENTS_TABLE(stored_key_t, work_keys),
                                        SEGMENTS_TABLE(payload_t, work_payload)};
    const ulong width = p.chunk << (p.round - 1);
    if (begin >= end || SEGMENTS_TABLE(const ulong, ends)[2] == 0)
        return;
    for (ulong head = head_before(&heads, begin); head < end;) {
        const ulong next = head_after(&heads, head);
        const uint rounds = segments_rounds(q, next - head);
        const int is_to_out = (rounds - p.round) % 2 == 0;
        for (ulong at = max(head, begin); rounds >= p.round && at < min(next, end);) {
            const ulong first = at - (at - head) % (2 * width);
            const ulong middle = min(first + width, next), last = min(middle + width, next);
            const ulong stop = min(last, end);
            merge_part(is_to_out ? &work : &out, is_to_out ? &out : &work, first, middle, last, at,
                       stop);
            at = stop;
        }
        head = next;
    }
}
