/* cursors.h: where every digit of a segment begins, and what becomes of its elements (part.h).
 *
 * Idea: the blocks add their counts to the segment's totals. The last work-group to do so scans the
 * totals, and writes the lists for later steps (emit.h). part_scatter takes places from the cursors
 * that it leaves. A launch of its own would take five microseconds a level, even on levels that
 * have nothing to do. */
#ifndef CLSORT_PART_CURSORS_H
#define CLSORT_PART_CURSORS_H

#include "sorts/partition/digits/emit.h"
#include "group/scan.h"

#define WRITERS 32 /* work-items that list a segment's blocks */

struct part_cursors_local {
    struct part_digits digits;
    struct group_scan_local scan;
};

/* By all work-items of the group that has added the last counts, and knows of the others'. */
CLSORT_INLINE void part_cursors(const struct part_params *q, PART_ARGS, uint number,
                                const struct part_segment *segment,
                                __local struct part_cursors_local *shared)
{
    const uint me = get_local_id(0);
    const uint radix = 1u << q->digit_bits;
    __global uint *totals = PART_TABLE(uint, totals) + number * radix;
    __global struct part_seen *seen = PART_TABLE(struct part_seen, seen) + number;
    GROUP_LOOP(digit, 0, radix)
        shared->digits.number[digit] = NO_SEGMENT;
    shared->digits.dominant = 0; /* by all: see group/merge_local.h */
    part_begin_digits(&shared->digits, totals, radix, segment->size);
    GROUP_LOOP(digit, 0, radix) {
        const uint count = shared->digits.begin[digit];
        if (count > segment->size / PART_DOMINANT_SHARE)
            atomic_max(&shared->digits.dominant, count / (segment->size / 256 + 1) << 16 | digit);
    }
    group_scan_exclusive(&shared->scan, shared->digits.begin, radix);
    GROUP_LOOP(digit, 0, radix)
        PART_TABLE(uint, cursors)[number * radix + digit] = shared->digits.begin[digit];
    __global uint *halves = (__global uint *)&seen->differing;
    struct part_seen known;
    known.differing =
        (ulong)device_load_relaxed(&halves[1]) << 32 | device_load_relaxed(&halves[0]);
    known.directions = device_load_relaxed(&seen->directions);
    known.first = PART_ORDER(part_keys(q, PART_BUFFERS, segment->place)[segment->begin]);
    const uint shift = PART_SHIFT(*segment);
    struct part_action action;
    part_decide(q, segment, &known, shift, shared->digits.is_one, &action);
    part_emit(q, scratch, segment, &known, shift, &action, &shared->digits);
    if (me == 0) {
        const uint dominant =
            shared->digits.dominant ? shared->digits.dominant & 0xffff : PART_RADIX;
        seen->first = known.first;
        seen->action = (action.moves ? PART_ACTION_MOVES : 0) |
                       (action.fills ? PART_ACTION_FILLS : 0) | action.place << PART_ACTION_PLACE |
                       dominant << PART_ACTION_DOMINANT;
    }
    /* Segments are known, also their places in the list. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#pragma unroll 1
    for (uint digit = me / WRITERS; digit < radix; digit += (GROUP_SIZE + WRITERS - 1) / WRITERS) {
        const uint next_number = shared->digits.number[digit];
        if (next_number == NO_SEGMENT)
            continue;
        const struct part_segment next =
            PART_TABLE(struct part_segment, next_segments)[next_number];
#pragma unroll 1
        for (uint i = me % WRITERS; i < next.num_blocks; i += min(GROUP_SIZE, WRITERS))
            PART_TABLE(uint, next_owners)[next.first_block + i] = next_number;
    }
}

#endif
