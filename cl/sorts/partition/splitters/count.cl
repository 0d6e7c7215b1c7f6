/* count.cl: the bucket of every element of a level's segments, and how many each has (quick.h).
 *
 * Idea: elements go down a tree of the pivots (group/search_tree.h). An element that arrives at a
 * heavy pivot is compared with it once more. The bucket is kept for scatter.cl.
 *
 * The work-group that counts a segment's last block finds where its buckets begin (cursors.h).
 * Where equal elements stay in order by their moves alone, a block's counts are kept, too, for
 * starts.cl.
 *
 * Local memory: the tree, the pivots' marks, counters of the buckets; then what cursors.h needs.
 * Runs after: sample.cl. Before: starts.cl, or scatter.cl. */
#include "base/config.h"
#include "device/phases.h"
#include "sorts/partition/splitters/cursors.h"
#define SEARCH_ITEM ITEM
#define SEARCH_LESS(pivot, own) QUICK_LESS_IN(local, pivot, private, own)
#include "group/search_tree.h"

struct quick_count_tables {
    uint counters[QUICK_BUCKETS];
    uint marks[QUICK_BUCKETS];
    ITEM tree[QUICK_BUCKETS];
};

struct quick_count_local {
    union {
        struct quick_count_tables count;
        struct quick_cursors_local cursors;
    } room;
    uint is_last;
};

/* Counts block `block`. Begins after a barrier, or after another block, and ends with one. */
CLSORT_INLINE void quick_count_block(const struct quick_params *q, QUICK_ARGS, uint block,
                                     __local struct quick_count_local *shared)
{
    const uint me = get_local_id(0);
    __local struct quick_count_tables *tables = &shared->room.count;
    __global struct quick_segment *listed =
        QUICK_TABLE(struct quick_segment, segments) + quick_owner(q, scratch, block);
    const struct quick_segment segment = *listed;
    const uint num_pivots = segment.num_pivots;
    __global const ITEM *pivots = quick_pivots(q, scratch) + segment.first_bucket;
    group_search_fill(tables->tree, pivots, num_pivots);
    GROUP_LOOP(i, 0, num_pivots + 1)
        tables->marks[i] = QUICK_TABLE(const uint, marks)[segment.first_bucket + i];
    GROUP_LOOP(i, 0, QUICK_BUCKETS)
        tables->counters[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the tree is there, counters are 0 */

    __global const stored_key_t *keys = quick_keys(q, QUICK_BUFFERS, segment.place);
    __global const payload_t *payloads = quick_payload(q, QUICK_BUFFERS, segment.place);
    const uint flags = QUICK_LOAD_FLAGS(segment.place);
    const uint base = PAYLOAD_INDEX ? segment.begin / q->count * q->count : 0;
    const uint from = (block - segment.first_block) * q->block_size;
    const uint begin = segment.begin + from; /* begin + size can be all 32 bits */
    const uint size = min(q->block_size, segment.size - from);
    for (uint slot = me; slot < size; slot += GROUP_SIZE * ITEMS) {
        ITEM own[ITEMS];
        uint befores[ITEMS], nearest[ITEMS];
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i)
            QUICK_LOAD(own[i], keys, payloads, begin + min(slot + i * GROUP_SIZE, size - 1), base,
                       flags);
        group_search_descend(own, tables->tree, num_pivots, befores, nearest);
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            const uint mark = tables->marks[befores[i]];
            uint id = mark & ~QUICK_HEAVY;
            if (mark & QUICK_HEAVY &&
                !QUICK_LESS_IN(private, own[i], local, tables->tree[nearest[i]]))
                ++id;
            if (slot + i * GROUP_SIZE < size) {
                QUICK_TABLE(quick_id_t, ids)[begin + slot + i * GROUP_SIZE] = (quick_id_t)id;
                atomic_inc(&tables->counters[id]);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    __global uint *totals = QUICK_TABLE(uint, totals) + segment.first_bucket;
    GROUP_LOOP(i, 0, QUICK_BUCKETS)
        if (tables->counters[i])
            atomic_add(&totals[i], tables->counters[i]);
    if (QUICK_IN_ORDER & (PAYLOAD_SIZE == 0)) /* else an index is compared */
        GROUP_LOOP(i, 0, QUICK_BUCKETS)
            quick_block_starts(q, scratch, block)[i] = tables->counters[i];
    if (device_phases_done(&listed->counted, 1, segment.num_blocks, &shared->is_last))
        quick_cursors(q, scratch, &segment, &shared->room.cursors);
}

KERNEL void quick_count(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    __local struct quick_count_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint num_blocks = quick_num_blocks(q, scratch);
    for (uint block = get_group_id(0); block < num_blocks; block += get_num_groups(0))
        quick_count_block(q, QUICK_BUFFERS, block, &shared);
}
