/* quick_merge.h: which merge a block of what the levels have left over belongs to (quick.h). */
#ifndef CLSORT_QUICK_MERGE_H
#define CLSORT_QUICK_MERGE_H

#include "quick.h"
#define MERGE_LESS(a, b) QUICK_LESS(a, b)
#include "merge_local.h"

/* Runs [begin, middle) and [middle, end), and the tile of the result from `at` on; elements of all
 * arrays. */
struct quick_merge {
    uint begin, middle, end;
    uint at, size;
    uint broken; /* of the segment */
    __global const stored_key_t *keys;
    __global const payload_t *payloads;
    __global stored_key_t *to_keys;
    __global payload_t *to_payloads;
};

/* False if the block's segment has no merge in this pass. */
CLSORT_INLINE int quick_merge_find(const struct quick_params *q, QUICK_ARGS, uint block,
                                   struct quick_merge *merge)
{
    const struct quick_segment segment =
        QUICK_TABLE(struct quick_segment, segments)[QUICK_TABLE(uint, owners)[block]];
    const uint pieces = (segment.size - 1) / q->leaf_size + 1;
    const uint passes = 32 - (uint)clz(pieces - 1); /* a segment has two pieces at least */
    const uint done = passes - min(q->passes_left, passes);
    const uint stop = segment.begin + segment.size;
    const ulong run = (ulong)q->leaf_size << done;
    const uint from = (block - segment.first_block) * q->leaf_size;
    const ulong start = from / (2 * run) * (2 * run);
    merge->begin = segment.begin + (uint)start;
    merge->middle = segment.begin + (uint)min(start + run, (ulong)segment.size);
    merge->end = segment.begin + (uint)min(start + 2 * run, (ulong)segment.size);
    merge->at = segment.begin + from;
    merge->size = min(q->leaf_size, stop - merge->at);
    merge->broken = segment.broken;
    const uint to = q->passes_left % 2 ? PLACE_OUT : PLACE_WORK;
    const uint place = q->passes_left % 2 ? PLACE_WORK : PLACE_OUT;
    merge->keys = quick_keys(q, QUICK_BUFFERS, place);
    merge->payloads = quick_payload(q, QUICK_BUFFERS, place);
    merge->to_keys = quick_keys(q, QUICK_BUFFERS, to);
    merge->to_payloads = quick_payload(q, QUICK_BUFFERS, to);
    return q->passes_left <= passes;
}

/* Merge path (merge.h): how many of the first `diagonal` items of the merge come from the first run. */
CLSORT_INLINE uint quick_path(const struct quick_merge *merge, uint diagonal)
{
    uint low = sub_sat(diagonal, merge->end - merge->middle);
    uint high = min(diagonal, merge->middle - merge->begin);
    while (low < high) {
        const uint cut = low + (high - low) / 2;
        ITEM first, second;
        QUICK_LOAD(first, merge->keys, merge->payloads, merge->begin + cut, 0, FLAG_STORE_PAYLOAD);
        QUICK_LOAD(second, merge->keys, merge->payloads, merge->middle + diagonal - 1 - cut, 0,
                   FLAG_STORE_PAYLOAD);
        if (QUICK_LESS(second, first))
            high = cut;
        else
            low = cut + 1;
    }
    return low;
}

#endif
