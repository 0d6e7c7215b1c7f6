/* quick_scatter.cl: moves the elements of a level's segments to their buckets (quick.h).
 *
 * Idea: a work-group goes over the tiles of its block. Each element takes a number in its bucket of the tile, by
 * an atomic increment; where the segment has few buckets sub-groups vote on that, and one work-item adds
 * for all (quick_rank). The tile takes room in the segment's buckets with one addition for each, and
 * is put in order in local memory, so that neighbours are written by neighbours.
 *
 * Local memory: counters of the buckets, where they go, a tile with its buckets. Runs after:
 * quick_cursors.cl. Before: the next level's quick_sample.cl, or quick_leaf.cl. */
#include "config.h"
#include "quick.h"
#include "group_scan.h"

struct quick_scatter_local {
    struct group_scan_local scan;
    uint counters[QUICK_BUCKETS]; /* then where a bucket begins in the tile */
    uint next[QUICK_BUCKETS];     /* slot 0's element, if all of the tile were of this bucket */
    quick_id_t ids[TILE_SLOTS];
    ITEM tile[TILE_SLOTS];
};

#define HOLDS_ITEMS (!RECORD_IS_WIDE) /* in registers, while their places are found */
#define NO_BUCKET 0xffffu             /* of a slot behind the tile's elements */
#define VOTES_FEW 4 /* buckets: then votes are fewer than additions to the same counters */

/* The number of an element among those of its bucket that have counted before. */
CLSORT_INLINE uint quick_rank(__local uint *counters, uint id, uint num_buckets)
{
    uint rank = 0;
#ifdef CLSORT_SUBGROUP_VOTES
    if (num_buckets <= VOTES_FEW) {
        const uint voters = clsort_subgroup_match(min(id, (uint)VOTES_FEW), 3);
        const uint below = popcount(voters & clsort_subgroup_lanes_below());
        if (below == 0 && id != NO_BUCKET)
            rank = atomic_add(&counters[id], popcount(voters));
        return clsort_subgroup_shuffle(rank, 31 - (uint)clz(voters & (0u - voters))) + below;
    }
#endif
    if (id != NO_BUCKET)
        rank = atomic_inc(&counters[id]);
    return rank;
}

KERNEL void quick_scatter(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    __local struct quick_scatter_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint me = get_local_id(0);
    const uint num_blocks = quick_num_blocks(q, scratch);
    for (uint block = get_group_id(0); block < num_blocks; block += get_num_groups(0)) {
        const struct quick_segment segment =
            QUICK_TABLE(struct quick_segment, segments)[quick_owner(q, scratch, block)];
        const uint num_buckets =
            QUICK_TABLE(const uint, marks)[segment.first_bucket + segment.num_pivots] + 1;
        __global const stored_key_t *from_keys = quick_keys(q, QUICK_BUFFERS, segment.place);
        __global const payload_t *from_payload = quick_payload(q, QUICK_BUFFERS, segment.place);
        const uint to = QUICK_NEXT(segment.place);
        __global stored_key_t *to_keys = quick_keys(q, QUICK_BUFFERS, to) + segment.begin;
        __global payload_t *to_payload = quick_payload(q, QUICK_BUFFERS, to) + segment.begin;
        __global uint *cursors = QUICK_TABLE(uint, cursors) + segment.first_bucket;
        const uint flags = QUICK_LOAD_FLAGS(segment.place);
        const uint base = PAYLOAD_INDEX ? segment.begin / q->count * q->count : 0;
        const uint from = (block - segment.first_block) * q->block_size;
        const uint block_size = min(q->block_size, segment.size - from);
        for (uint done = 0; done < block_size; done += TILE_SLOTS) {
            const uint first = segment.begin + from + done; /* its end can be all 32 bits */
            const uint size = min((uint)TILE_SLOTS, block_size - done);
            for (uint i = me; i < QUICK_BUCKETS; i += GROUP_SIZE)
                shared.counters[i] = 0;
            barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0, the last tile has been written */
            uint places[ITEMS];
            uint ids[ITEMS];
            ITEM own[ITEMS];
#pragma unroll
            for (uint i = 0; i < ITEMS; ++i) {
                const uint slot = i * GROUP_SIZE + me;
                const uint at = first + min(slot, size - 1);
                ids[i] = slot < size ? QUICK_TABLE(const quick_id_t, ids)[at] : NO_BUCKET;
                if (HOLDS_ITEMS)
                    QUICK_LOAD(own[i], from_keys, from_payload, at, base, flags);
            }
#pragma unroll
            for (uint i = 0; i < ITEMS; ++i)
                places[i] = quick_rank(shared.counters, ids[i], num_buckets);
            barrier(CLK_LOCAL_MEM_FENCE); /* the counts are complete */
            for (uint i = me; i < num_buckets; i += GROUP_SIZE) {
                const uint count = shared.counters[i];
                shared.next[i] = count ? atomic_add(&cursors[i], count) : 0;
            }
            group_scan_exclusive(&shared.scan, shared.counters, QUICK_BUCKETS);
#pragma unroll
            for (uint i = 0; i < ITEMS; ++i) {
                if (ids[i] != NO_BUCKET) {
                    const uint place = shared.counters[ids[i]] + places[i];
                    if (HOLDS_ITEMS)
                        shared.tile[place] = own[i];
                    else
                        QUICK_LOAD(shared.tile[place], from_keys, from_payload,
                                   first + i * GROUP_SIZE + me, base, flags);
                    shared.ids[place] = (quick_id_t)ids[i];
                }
            }
            for (uint i = me; i < num_buckets; i += GROUP_SIZE)
                shared.next[i] -= shared.counters[i];
            barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in order, the buckets' places are known */
#pragma unroll
            for (uint i = 0; i < ITEMS; ++i) {
                const uint slot = i * GROUP_SIZE + me;
                if (slot < size)
                    ITEM_STORE(to_keys, to_payload, shared.next[shared.ids[slot]] + slot,
                               shared.tile[slot], FLAG_STORE_KEYS | FLAG_STORE_PAYLOAD);
            }
        }
    }
}
