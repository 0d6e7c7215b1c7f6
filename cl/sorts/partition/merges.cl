/* merges.cl: merge passes over the segments that are left after the last level (splitters.h).
 *
 * Idea: a pass is a phase (device/phases.h). If the comparison may be no order, finding where tiles
 * begin is a phase of its own before it. A launch makes all phases, or where work-groups are not to
 * wait for each other, only one: phases_left says which. Mostly no segment is left, and a launch
 * does nothing.
 *
 * Tiles are merged as in merge/pass.cl. A segment of few pieces takes part only in the last passes,
 * so that all end in the output. Two work-items find where the tile begins and ends in its two
 * runs. If the comparison may be no order, left_split_tile() has found it before, since the parts
 * of tiles must fit together even then.
 *
 * Local memory: the tile, and what merging needs. Runs after: leaf.cl. */
#include "base/config.h"
#include "device/phases.h"
#include "sorts/partition/merge.h"

struct left_merge_local {
    struct local_sort sort;
    uint splits[2];
    ITEM tile[TILE_SLOTS];
};

/* One work-item finds where a block begins in its two runs, and where the next one does. If the two
 * do not fit together, the comparison is no order, and the segment is marked: this pass does not
 * merge it. Both are found by one piece of code, so that the next block finds the same. */
CLSORT_INLINE void left_split_tile(const struct partition_params *q, PARTITION_ARGS, uint block)
{
    struct left_merge merge;
    if (!left_merge_find(q, PARTITION_BUFFERS, block, &merge))
        return;
    uint bound = 0, next = 0;
#pragma unroll 1
    for (uint i = 0; i < 2; ++i) {
        bound = next;
        next = left_path(&merge, merge.at + i * merge.size - merge.begin);
    }
    PARTITION_TABLE(uint, splits)[block] = bound;
    if (next < bound || next - bound > merge.size)
        PARTITION_TABLE(segment_t, segments)
    [PARTITION_TABLE(uint, owners)[block]].broken = q->passes_left;
}

/* A block's tile in this pass. No barrier at the end: the next tile is loaded behind one. */
CLSORT_INLINE void left_merge_tile(const struct partition_params *q, PARTITION_ARGS, uint block,
                                   __local struct left_merge_local *shared)
{
    const uint me = get_local_id(0);
    struct left_merge merge;
    const int takes_part = left_merge_find(q, PARTITION_BUFFERS, block, &merge);
    /* A work-group may be one work-item. */
#if LEFT_SPLITS
    const int merges = merge.broken != q->passes_left;
    for (uint i = me; i < 2; i += GROUP_SIZE)
        shared->splits[i] = takes_part && merge.at + i * merge.size < merge.end
                                ? PARTITION_TABLE(const uint, splits)[block + i]
                                : merge.middle - merge.begin;
#else
    const int merges = 1;
    for (uint i = me; i < 2 && takes_part; i += GROUP_SIZE)
        shared->splits[i] = left_path(&merge, merge.at + i * merge.size - merge.begin);
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile's parts are known */
    const uint size = takes_part ? merge.size : 0;
    const uint split = shared->splits[0];
    const uint first_size = merges ? shared->splits[1] - split : size;
    const uint first_at = merges ? merge.begin + split : merge.at;
    const uint second_at = merge.middle + (merge.at - merge.begin - split);
    const uint stores = q->passes_left > 1 ? q->flags | FLAG_STORE_KEYS : q->flags;
    left_merge_parts(&merge, &shared->sort, shared->tile, size, first_at, first_size, second_at,
                     merges, stores);
}

#define PHASES (1 + LEFT_SPLITS) /* of a pass */

/* Passes of the largest segment, by all of a work-group. Ends with a barrier. */
CLSORT_INLINE uint left_most_passes(const struct partition_params *q, __global void *scratch,
                                    __local uint *most)
{
    const uint num_segments = PARTITION_CONTROL->num_segments[q->level];
    uint size = 1;
    if (get_local_id(0) == 0)
        *most = 1;
    barrier(CLK_LOCAL_MEM_FENCE); /* it is 1 */
    GROUP_LOOP(i, 0, num_segments)
        size = max(size, (uint)PARTITION_SEGMENT(i)[0].size);
    atomic_max(most, size);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have been looked at */
    return left_passes(*most, q->leaf_size);
}

KERNEL void partition_merges(const struct partition_params p, PARTITION_ARGS)
{
    struct partition_params pass = p;
    const struct partition_params *q = &pass;
    __local struct left_merge_local shared;
    __local uint answer;
    LOCAL_FITS(sizeof(shared) + sizeof(answer));
    __global struct partition_control *control = PARTITION_CONTROL;
    const uint num_blocks = control->num_blocks[q->level];
    if (num_blocks == 0)
        return;
    const uint num_phases = left_most_passes(q, scratch, &answer) * PHASES;
    if (q->phases_left > num_phases)
        return;
    const uint first = q->phases_left ? num_phases - q->phases_left : 0;
    const uint end = q->phases_left ? first + 1 : num_phases;
    for (uint phase = first; phase < end; ++phase) {
        const int splits = LEFT_SPLITS && phase % PHASES == 0;
        const uint num_tasks = splits ? (num_blocks - 1) / GROUP_SIZE + 1 : num_blocks;
        pass.passes_left = (num_phases - phase - 1) / PHASES + 1;
        uint num_done = 0;
        __global uint *tickets = &control->tickets[phase];
        DEVICE_PHASES_TASKS(task, num_done, tickets, num_tasks, &answer) {
            if (!splits)
                left_merge_tile(q, PARTITION_BUFFERS, task, &shared);
            else if (task * GROUP_SIZE + get_local_id(0) < num_blocks)
                left_split_tile(q, PARTITION_BUFFERS, task * GROUP_SIZE + (uint)get_local_id(0));
        }
        if (phase + 1 == end)
            return;
        if (device_phases_done(&control->done[phase], num_done, num_tasks, &answer))
            device_phases_begin(&control->phases, phase + 1);
        else if (!device_phases_wait(&control->phases, phase + 1, q->spin_limit, &answer))
            return;
    }
}
