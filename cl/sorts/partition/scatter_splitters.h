/* scatter_splitters.h: moves the elements of a level's segments to their buckets (splitters.h).
 *
 * Idea: a work-group goes over the tiles of its block. An element's rank in its bucket of the tile
 * comes from an atomic increment. The tile reserves room in the segment's buckets with one addition
 * for each, and is put in order in local memory, so that neighbours are written by neighbours.
 *
 * Where equal elements are to stay in order, ranks are stable (group/digit_rank.h), and the tile
 * takes its room from the block's own places, which scan.cl has found.
 *
 * Local memory: counters of the buckets, where they go, a tile with its buckets. Runs after:
 * count.cl or scan.cl. Before: the next level's pivots.cl, or leaf.cl. */
#ifndef CLSORT_SCATTER_SPLITTERS_H
#define CLSORT_SCATTER_SPLITTERS_H

#include "sorts/partition/splitters.h"
#include "group/digit_rank.h"

#if SPLITTERS

/* Where a work-item's element i lies in the tile, and which row of counters it counts in. In order,
 * each sub-group has a row, and slots behind the tile's elements count last, in the last bucket. */
#if SPLITTERS_IN_ORDER
#define SCATTER_SLOT(i) (TILE_SUBGROUP_FIRST(get_local_id(0)) + (i)*TILE_SUBGROUP)
#define SCATTER_ROWS NUM_SUBGROUPS
#define SCATTER_ROW (get_local_id(0) / TILE_SUBGROUP)
#define NO_BUCKET (PARTITION_BUCKETS - 1u)
#define SCATTER_HAS(i) (SCATTER_SLOT(i) < size)
#else
#define SCATTER_SLOT(i) (get_local_id(0) + (i)*GROUP_SIZE)
#define SCATTER_ROWS 1
#define SCATTER_ROW 0
#define NO_BUCKET 0xffffu
#define SCATTER_HAS(i) (ids[i] != NO_BUCKET)
#endif

struct partition_scatter_local {
    struct group_scan_local scan;
    uint counters[PARTITION_BUCKETS *
                  SCATTER_ROWS];  /* [bucket][row], then where one begins in the tile */
    uint next[PARTITION_BUCKETS]; /* where slot 0 would go if the bucket began there */
    bucket_id_t ids[TILE_SLOTS];
    ITEM tile[TILE_SLOTS];
};

/* Items are in registers while their places are found. In order, those without values are read
 * later: holding them costs 5 %, but gains 5 % with values of 8 bytes. */
#define HOLDS_ITEMS (!(RECORD_IS_WIDE | (SPLITTERS_IN_ORDER & (PAYLOAD_SIZE == 0))))

/* Where a segment's elements come from and go to. */
struct splitters_move {
    __global const stored_key_t *from_keys;
    __global const payload_t *from_payload;
    __global stored_key_t *to_keys;
    __global payload_t *to_payload;
    uint base, flags; /* of PLACE_LOAD */
};

CLSORT_INLINE struct splitters_move splitters_scatter_bind(const struct partition_params *q,
                                                           PARTITION_ARGS, const segment_t *segment)
{
    const uint to = PLACE_NEXT(segment->place);
    struct splitters_move move;
    move.from_keys = place_keys(q, PARTITION_BUFFERS, segment->place);
    move.from_payload = place_payload(q, PARTITION_BUFFERS, segment->place);
    move.to_keys = place_keys(q, PARTITION_BUFFERS, to) + segment->begin;
    move.to_payload = place_payload(q, PARTITION_BUFFERS, to) + segment->begin;
    move.base = PAYLOAD_INDEX ? segment->begin / q->count * q->count : 0;
    move.flags = PLACE_LOAD_FLAGS(segment->place);
    return move;
}

/* The numbers of a work-item's elements among those of their buckets, or rows of them, that have
 * counted before. */
#if SPLITTERS_IN_ORDER
CLSORT_INLINE void splitters_scatter_number(__local uint *counters, const uint *ids, uint *numbers)
{
#pragma unroll
    for (uint i = 0; i < ITEMS; i += DIGIT_RANK_ROUND)
        group_number_in_order(counters + SCATTER_ROW, SCATTER_ROWS, 0, DIGIT_RANK_ROUND, ids + i,
                              numbers + i);
}
#else
CLSORT_INLINE void splitters_scatter_number(__local uint *counters, const uint *ids, uint *numbers)
{
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        numbers[i] = ids[i] != NO_BUCKET ? atomic_inc(&counters[ids[i]]) : 0;
}
#endif

/* Takes room for the tile's elements from the buckets' places, which in order are the block's
 * own. Ends before a barrier. */
CLSORT_INLINE void splitters_scatter_reserve(__local struct partition_scatter_local *shared,
                                             __global uint *places, uint num_buckets, uint size)
{
    GROUP_LOOP(i, 0, num_buckets) {
        const uint begin = shared->counters[i * SCATTER_ROWS];
        const uint end =
            i + 1 < PARTITION_BUCKETS ? shared->counters[(i + 1) * SCATTER_ROWS] : size;
        uint place = 0;
        if (SPLITTERS_IN_ORDER)
            place = places[i]; /* a block is one tile */
        else if (end > begin)
            place = atomic_add(&places[i], end - begin);
        shared->next[i] = place - begin;
    }
}

/* The buckets of a tile's elements, and the elements if registers hold them. */
CLSORT_INLINE void splitters_scatter_load(const struct splitters_move *move,
                                          __global const bucket_id_t *ids, uint first, uint size,
                                          uint *own_ids, ITEM *own)
{
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        const uint slot = SCATTER_SLOT(i);
        const uint at = first + min(slot, size - 1);
        own_ids[i] = slot < size ? ids[at] : NO_BUCKET;
        if (HOLDS_ITEMS)
            PLACE_LOAD(own[i], move->from_keys, move->from_payload, at, move->base, move->flags);
    }
}

/* Puts the tile in the order of its buckets. Ends with a barrier. */
CLSORT_INLINE void splitters_scatter_order(__local struct partition_scatter_local *shared,
                                           const struct splitters_move *move, uint first, uint size,
                                           const uint *ids, const uint *numbers, const ITEM *own)
{
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        if (SCATTER_HAS(i)) {
            const uint slot = shared->counters[ids[i] * SCATTER_ROWS + SCATTER_ROW] + numbers[i];
            if (HOLDS_ITEMS)
                shared->tile[slot] = own[i];
            else
                PLACE_LOAD(shared->tile[slot], move->from_keys, move->from_payload,
                           first + SCATTER_SLOT(i), move->base, move->flags);
            shared->ids[slot] = (bucket_id_t)ids[i];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is in order, the buckets' places are known */
}

CLSORT_INLINE void splitters_scatter_store(__local const struct partition_scatter_local *shared,
                                           const struct splitters_move *move, uint size)
{
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        const uint slot = i * GROUP_SIZE + get_local_id(0);
        if (slot < size)
            ITEM_STORE(move->to_keys, move->to_payload, shared->next[shared->ids[slot]] + slot,
                       shared->tile[slot], FLAG_STORE_KEYS | FLAG_STORE_PAYLOAD);
    }
}

/* Moves block `block`. Begins after a barrier, since it writes local memory. */
CLSORT_INLINE void partition_scatter_block(const struct partition_params *q, PARTITION_ARGS,
                                           uint block,
                                           __local struct partition_scatter_local *shared)
{
    const segment_t segment = *PARTITION_SEGMENT(PARTITION_OWNER(block));
    const uint num_buckets = segment.num_buckets;
    __global uint *places = SPLITTERS_IN_ORDER
                                ? partition_row(q, scratch, block)
                                : PARTITION_TABLE(uint, cursors) + segment.first_bucket;
    const struct splitters_move move = splitters_scatter_bind(q, PARTITION_BUFFERS, &segment);
    const uint from = (block - segment.first_block) * q->block_size;
    const uint block_size = min(q->block_size, segment.size - from);
#pragma unroll 1
    for (uint done = 0; done < block_size; done += TILE_SLOTS) {
        const uint first = segment.begin + from + done; /* its end can be all 32 bits */
        const uint size = min((uint)TILE_SLOTS, block_size - done);
        /* With this behind the loads, NVIDIA's compiler puts items that are structs into private
         * memory, which takes a third longer. */
        group_clear(shared->counters, PARTITION_BUCKETS * SCATTER_ROWS);
        barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0, the last tile has been written */
        uint numbers[ITEMS], ids[ITEMS];
        ITEM own[ITEMS];
        splitters_scatter_load(&move, PARTITION_TABLE(const bucket_id_t, ids), first, size, ids,
                               own);
        splitters_scatter_number(shared->counters, ids, numbers);
        barrier(CLK_LOCAL_MEM_FENCE); /* the counts are complete */
        group_scan_exclusive(&shared->scan, shared->counters, PARTITION_BUCKETS * SCATTER_ROWS);
        splitters_scatter_reserve(shared, places, num_buckets, size);
        splitters_scatter_order(shared, &move, first, size, ids, numbers, own);
        splitters_scatter_store(shared, &move, size);
    }
}

#endif

#endif
