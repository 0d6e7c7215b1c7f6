/* count_splitters.h: the bucket of every element of a block, and how many each has (splitters.h).
 *
 * Idea: elements go down a tree of the pivots (group/search_tree.h). An element that arrives at a
 * heavy pivot is compared with it once more. The bucket is kept for scatter.cl.
 *
 * The work-group that counts a segment's last block finds where its buckets begin
 * (list_splitters.h). Where equal elements stay in order by their moves alone, a block's counts are
 * kept, too, for scan.cl.
 *
 * Local memory: the tree, the pivots' marks, counters of the buckets; then what list_splitters.h
 * needs. Runs after: pivots.cl. Before: scan.cl, or scatter.cl. */
#ifndef CLSORT_COUNT_SPLITTERS_H
#define CLSORT_COUNT_SPLITTERS_H

#include "device/phases.h"
#include "sorts/partition/list_splitters.h"

#if SPLITTERS
#define SEARCH_ITEM ITEM
#define SEARCH_LESS(pivot, own) SPLITTERS_LESS_IN(local, pivot, private, own)
#define SEARCH_ITEMS ITEMS
#include "group/search_tree.h"

struct splitters_count_tables {
    uint counters[PARTITION_BUCKETS];
    uint marks[PARTITION_BUCKETS];
    ITEM tree[PARTITION_BUCKETS];
};

/* One behind the other, in the same room. In a union, clang takes an index of the one for an index
 * of the other's arrays, which Oclgrind then reports. */
#define COUNT_ROOM                                                        \
    (sizeof(struct splitters_count_tables) > sizeof(struct buckets_local) \
         ? sizeof(struct splitters_count_tables)                          \
         : sizeof(struct buckets_local))

struct partition_count_local {
    uchar room[COUNT_ROOM] __attribute__((aligned(__alignof__(struct splitters_count_tables))));
    uint is_last;
};

/* Counts block `block`. Begins after a barrier, or after another block, and ends with one. */
CLSORT_INLINE void partition_count_block(const struct partition_params *q, PARTITION_ARGS,
                                         uint block, __local struct partition_count_local *shared)
{
    const uint me = get_local_id(0);
    __local struct splitters_count_tables *tables =
        (__local struct splitters_count_tables *)shared->room;
    __global segment_t *listed = PARTITION_SEGMENT(PARTITION_OWNER(block));
    const segment_t segment = *listed;
    const uint num_pivots = segment.num_pivots;
    __global const ITEM *pivots = pivots_table(q, scratch) + segment.first_bucket;
    GROUP_SEARCH_FILL(tables->tree, pivots, num_pivots);
    GROUP_LOOP(i, 0, num_pivots + 1)
        tables->marks[i] = PARTITION_TABLE(const uint, marks)[segment.first_bucket + i];
    group_clear(tables->counters, PARTITION_BUCKETS);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tree is there, counters are 0 */

    __global const stored_key_t *keys = place_keys(q, PARTITION_BUFFERS, segment.place);
    __global const payload_t *payloads = place_payload(q, PARTITION_BUFFERS, segment.place);
    const uint flags = PLACE_LOAD_FLAGS(segment.place);
    const uint base = PAYLOAD_INDEX ? segment.begin / q->count * q->count : 0;
    const uint from = (block - segment.first_block) * q->block_size;
    const uint begin = segment.begin + from; /* begin + size can be all 32 bits */
    const uint size = min(q->block_size, segment.size - from);
    for (uint slot = me; slot < size; slot += GROUP_SIZE * ITEMS) {
        ITEM own[ITEMS];
        uint befores[ITEMS], nearest[ITEMS];
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i)
            PLACE_LOAD(own[i], keys, payloads, begin + min(slot + i * GROUP_SIZE, size - 1), base,
                       flags);
        group_search_descend(own, tables->tree, num_pivots, befores, nearest);
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            const uint mark = tables->marks[befores[i]];
            uint id = mark & ~PIVOT_HEAVY;
            if (mark & PIVOT_HEAVY &&
                !SPLITTERS_LESS_IN(private, own[i], local, tables->tree[nearest[i]]))
                ++id;
            if (slot + i * GROUP_SIZE < size) {
                PARTITION_TABLE(bucket_id_t, ids)[begin + slot + i * GROUP_SIZE] = (bucket_id_t)id;
                atomic_inc(&tables->counters[id]);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    __global uint *totals = PARTITION_TABLE(uint, totals) + segment.first_bucket;
    GROUP_LOOP(i, 0, PARTITION_BUCKETS)
        if (tables->counters[i])
            atomic_add(&totals[i], tables->counters[i]);
    if (SPLITTERS_IN_ORDER & (PAYLOAD_SIZE == 0)) /* else an index is compared */
        GROUP_LOOP(i, 0, PARTITION_BUCKETS)
            partition_row(q, scratch, block)[i] = tables->counters[i];
    if (device_phases_done(&listed->counted, 1, listed->num_blocks, &shared->is_last))
        splitters_list(q, scratch, listed, (__local struct buckets_local *)shared->room);
}

#endif

#endif
