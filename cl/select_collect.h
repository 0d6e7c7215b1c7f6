/* select_collect.h: the pass of select.h over an array. It collects what lies between two bounds
 * and counts what lies before them.
 *
 * Idea: a work-item has some neighbours in stripes of a tile. Those between the bounds are few; a
 * tile takes room for all of them by one atomic. On CPUs, where a group is one work-item, a loop
 * without a branch asks whether any of a block is between the bounds, by the keys alone. */
#ifndef CLSORT_SELECT_COLLECT_H
#define CLSORT_SELECT_COLLECT_H

#include "select.h"

struct select_collect_local {
    uint num[2]; /* of a tile, and of the next */
    uint first;
    uint below;
};

/* Where a pass writes: the table, and how many have been taken of it. */
struct select_sink {
    __global ulong *candidates;
    __global uint *indices;
    volatile __global uint *taken;
    uint capacity;
};

#if GROUP_SIZE == 1

#define SELECT_BLOCK (4 * ITEMS)

CLSORT_INLINE uint select_block(__global const stored_key_t *keys, uint begin, uint end,
                                const struct select_bounds *bounds, const struct select_sink *sink)
{
    uint any = 0, below = 0, num = 0;
    for (uint i = begin; i < end; ++i) {
        const key_t key = SELECT_KEY(keys[i]);
        any |= (key >= bounds->low) & (key <= bounds->high);
        below += key < bounds->low;
    }
    if (!any)
        return below;
    for (uint i = begin; i < end; ++i) {
        const key_t key = SELECT_KEY(keys[i]);
        below += (key == bounds->low) & (i < bounds->low_index);
        num += select_is_between(bounds, key, i);
    }
    uint at = num ? atomic_add(sink->taken, num) : 0;
    for (uint i = begin; num && i < end; ++i) {
        const key_t key = SELECT_KEY(keys[i]);
        if (select_is_between(bounds, key, i)) {
            if (at < sink->capacity)
                SELECT_STORE(sink->candidates, sink->indices, at, key, i);
            ++at;
        }
    }
    return below;
}

/* By the groups of an array, of which this is number `group`. Returns how many are before. */
CLSORT_INLINE uint select_pass(const struct select_params *p, __global const stored_key_t *keys,
                               uint group, const struct select_bounds *bounds,
                               const struct select_sink *sink,
                               __local struct select_collect_local *shared)
{
    const uint share = (p->count - 1) / p->groups_per_array + 1;
    const uint begin = (uint)min((ulong)group * share, (ulong)p->count);
    const uint end = begin + min(share, p->count - begin);
    uint below = 0, at = begin;
    for (; end - at >= SELECT_BLOCK; at += SELECT_BLOCK)
        below += select_block(keys, at, at + SELECT_BLOCK, bounds, sink);
    return below + select_block(keys, at, end, bounds, sink);
}

#else

/* A tile's elements from `base` on. The groups' barriers are between two tiles. */
CLSORT_INLINE uint select_tile(const struct select_params *p, __global const stored_key_t *keys,
                               uint base, uint parity, const struct select_bounds *bounds,
                               const struct select_sink *sink,
                               __local struct select_collect_local *shared)
{
    const uint me = get_local_id(0);
    const uint room = p->count - base;
    key_t own[ITEMS];
    uint hits = 0, below = 0;
    if (room >= GROUP_SIZE * ITEMS) {
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i)
            own[i] = SELECT_KEY(keys[base + i * GROUP_SIZE + me]);
    } else {
        for (uint i = 0; i < ITEMS; ++i)
            own[i] = i * GROUP_SIZE + me < room ? SELECT_KEY(keys[base + i * GROUP_SIZE + me]) : 0;
    }
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        const uint slot = i * GROUP_SIZE + me, is_there = slot < room;
        const uint between = select_is_between(bounds, own[i], base + slot);
        hits |= (between & is_there) << i;
        below += select_is_before(own[i], base + slot, bounds->low, bounds->low_index) & is_there;
    }
    const uint num = popcount(hits);
    const uint before = num ? atomic_add(&shared->num[parity], num) : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile's number is known */
    if (me == 0) {
        const uint all = shared->num[parity];
        shared->first = all ? atomic_add(sink->taken, all) : 0;
        shared->num[1 - parity] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* it has its room */
    uint at = shared->first + before;
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        if (hits >> i & 1) {
            if (at < sink->capacity)
                SELECT_STORE(sink->candidates, sink->indices, at, own[i],
                             base + i * GROUP_SIZE + me);
            ++at;
        }
    }
    return below;
}

CLSORT_INLINE uint select_pass(const struct select_params *p, __global const stored_key_t *keys,
                               uint group, const struct select_bounds *bounds,
                               const struct select_sink *sink,
                               __local struct select_collect_local *shared)
{
    const uint num_tiles = (p->count - 1) / (GROUP_SIZE * ITEMS) + 1;
    uint below = 0, parity = 0;
    if (get_local_id(0) == 0)
        shared->num[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* it is 0 */
    for (uint tile = group; tile < num_tiles; tile += p->groups_per_array) {
        below += select_tile(p, keys, tile * (GROUP_SIZE * ITEMS), parity, bounds, sink, shared);
        parity = 1 - parity;
    }
    return below;
}

#endif

#endif
