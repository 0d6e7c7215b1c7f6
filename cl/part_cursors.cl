/* part_cursors.cl: where every digit of a segment begins, and what becomes of its elements: the scan of
 * keys alone (part.h).
 *
 * Idea: the blocks have added their counts to the segment's totals; a work-group scans those, and writes
 * the lists for later steps (part_emit.h). part_scatter takes places from the cursors that are
 * left here.
 *
 * Local memory: the totals, and what scanning needs. Runs after: part_count.cl. */
#include "config.h"
#include "part_emit.h"
#include "group_scan.h"

#define LISTERS 32 /* work-items that list a segment's blocks */

struct part_cursors_local {
    struct part_digits digits;
    struct group_scan_local scan;
};

KERNEL void part_cursors(const struct part_params p, PART_ARGS)
{
    const struct part_params *q = &p;
    __local struct part_cursors_local shared;
    const uint me = get_local_id(0);
    const uint radix = 1u << q->digit_bits;
    const uint num_segments = part_num_segments(q, scratch);
    for (uint number = get_group_id(0); number < num_segments; number += get_num_groups(0)) {
        struct part_segment segment;
        part_find(q, scratch, number, &segment);
        __global const uint *totals = PART_TABLE(uint, totals) + number * radix;
        __global struct part_seen *seen = PART_TABLE(struct part_seen, seen) + number;
        for (uint digit = me; digit < radix; digit += GROUP_SIZE) {
            shared.digits.begin[digit] = totals[digit];
            shared.digits.number[digit] = NO_SEGMENT;
        }
        if (me == 0) {
            shared.digits.is_one = shared.digits.hot = 0;
            shared.digits.begin[radix] = segment.size;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the totals are there */
        for (uint digit = me; digit < radix; digit += GROUP_SIZE) {
            const uint count = shared.digits.begin[digit];
            if (count == segment.size)
                shared.digits.is_one = 1;
            if (count > segment.size / PART_HOT_SHARE)
                atomic_max(&shared.digits.hot, count / (segment.size / 256 + 1) << 16 | digit);
        }
        group_scan_exclusive(&shared.scan, shared.digits.begin, radix);
        for (uint digit = me; digit < radix; digit += GROUP_SIZE)
            PART_TABLE(uint, cursors)[number * radix + digit] = shared.digits.begin[digit];
        barrier(CLK_LOCAL_MEM_FENCE); /* the beginnings are there */
        struct part_seen known = *seen;
        known.first = PART_ORDER(part_keys(q, PART_BUFFERS, segment.place)[segment.begin]);
        const uint shift = PART_SHIFT(segment);
        struct part_fate fate;
        part_decide(q, &segment, &known, shift, shared.digits.is_one, &fate);
        part_emit(q, scratch, &segment, &known, shift, &fate, &shared.digits);
        if (me == 0) {
            const uint hot = shared.digits.hot ? shared.digits.hot & 0xffff : PART_RADIX;
            seen->first = known.first;
            seen->fate = (fate.moves ? PART_FATE_MOVES : 0) | (fate.fills ? PART_FATE_FILLS : 0) |
                         fate.place << PART_FATE_PLACE | hot << PART_FATE_HOT;
        }
        /* Segments are known, also their places in the list. */
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        for (uint digit = me / LISTERS; digit < radix;
             digit += (GROUP_SIZE + LISTERS - 1) / LISTERS) {
            const uint next_number = shared.digits.number[digit];
            if (next_number == NO_SEGMENT)
                continue;
            const struct part_segment next =
                PART_TABLE(struct part_segment, next_segments)[next_number];
            for (uint i = me % LISTERS; i < next.num_blocks; i += min(GROUP_SIZE, LISTERS))
                PART_TABLE(uint, next_owners)[next.first_block + i] = next_number;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* all is written before the next segment's */
    }
}
