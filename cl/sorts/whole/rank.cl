/* rank.cl: the pivots that whole.cl begins with.
 *
 * Idea: the sample is that of partition/pivots.cl, but many work-groups sort it, by rank. Each
 * reads all of it, and finds how many elements come before each of its own SHARE. A work-item
 * counts for one of these in a part of the sample. Elements whose ranks are those of pivots are
 * written to their places. One work-group would take 25 microseconds to sort 5120 u32.
 *
 * Local memory: the sample. Before: whole.cl. */
#include "base/config.h"
#include "sorts/partition/splitters.h"

#define SHARE (GROUP_SIZE < 32 ? GROUP_SIZE : 32)

KERNEL void whole_rank(const struct partition_params p, PARTITION_ARGS)
{
    const struct partition_params *q = &p;
    __local ITEM tile[TILE_SLOTS];
    __local uint ranks[SHARE];
    LOCAL_FITS(sizeof(tile) + sizeof(ranks));
    const uint me = get_local_id(0);
    const uint wanted = buckets_wanted(q->count, q->bucket_size);
    const uint samples = wanted * q->samples_per_bucket;
    __global const stored_key_t *keys = place_keys(q, PARTITION_BUFFERS, PLACE_IN);
    __global const payload_t *payloads = place_payload(q, PARTITION_BUFFERS, PLACE_IN);
    GROUP_LOOP(i, 0, samples) {
        const uint at = pivots_place(q, 0, q->count, i, samples);
        PLACE_LOAD(tile[i], keys, payloads, at, 0, PLACE_LOAD_FLAGS(PLACE_IN));
    }
    GROUP_LOOP(i, 0, SHARE)
        ranks[i] = 0;
    /* What groups of the next launch count. */
    if (get_group_id(0) == 0) {
        __global uint *control = PARTITION_TABLE(uint, control);
        GROUP_LOOP(i, 0, sizeof(struct partition_control) / 4)
            control[i] = 0;
        GROUP_LOOP(i, 0, PARTITION_BUCKETS)
            PARTITION_TABLE(uint, totals)[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the sample is there */

    const uint own = get_group_id(0) * SHARE + me % SHARE;
    const uint part = (samples + GROUP_SIZE / SHARE - 1) / (GROUP_SIZE / SHARE);
    const uint begin = min(me / SHARE * part, samples);
    const uint end = min(begin + part, samples);
    uint rank = 0;
    if (own < samples) {
        const ITEM item = tile[own];
        /* Before the group's own, among them, behind them: equal ones go by their numbers. An item
         * is not compared with itself, which a relation that is no order may put before itself. */
        const uint first = get_group_id(0) * SHARE;
        const uint low = clamp(first, begin, end), high = clamp(first + SHARE, begin, end);
#pragma unroll 8
        for (uint i = begin; i < low; ++i)
            rank += SPLITTERS_LESS(item, tile[i]) ? 0 : 1;
        for (uint i = low; i < high; ++i)
            rank += i != own &&
                    (SPLITTERS_LESS(tile[i], item) || (i < own && !SPLITTERS_LESS(item, tile[i])));
#pragma unroll 8
        for (uint i = high; i < end; ++i)
            rank += SPLITTERS_LESS(tile[i], item) ? 1 : 0;
        atomic_add(&ranks[me % SHARE], rank);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all parts are counted */
    if (me < SHARE && own < samples && ranks[me] % q->samples_per_bucket == 0)
        pivots_table(q, scratch)[ranks[me] / q->samples_per_bucket] = tile[own];
}
