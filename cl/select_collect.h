/* select_collect.h: the pass of select.h over an array. It collects what lies between two bounds
 * and counts what lies before them.
 *
 * Idea: few elements lie between the bounds. A first look, at the keys alone, is two operations an
 * element; what passes it is looked at closely and kept in local memory, which a group writes out
 * at its end. What has no room there is written at once. On CPUs, where a group is one work-item,
 * the first look is a loop without a branch over a block of keys. */
#ifndef CLSORT_SELECT_COLLECT_H
#define CLSORT_SELECT_COLLECT_H

#include "select.h"

#define SELECT_ROOM (SELECT_BINS / 2)

struct select_collect_local {
#if GROUP_SIZE > 1
    ulong candidates[SELECT_ROOM];
#if KEY_BITS == 64
    uint indices[SELECT_ROOM];
#else
    uint indices[1]; /* none: they are in the numbers */
#endif
#endif
    uint num;
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

/* Keeps an element. */
CLSORT_INLINE void select_keep(const struct select_sink *sink, key_t key, uint index,
                               __local struct select_collect_local *shared)
{
    uint at = atomic_inc(&shared->num);
    if (at < SELECT_ROOM) {
        SELECT_STORE(shared->candidates, shared->indices, at, key, index);
        return;
    }
    at = atomic_inc(sink->taken);
    if (at < sink->capacity)
        SELECT_STORE(sink->candidates, sink->indices, at, key, index);
}

/* A tile's elements from `base` on; is_whole is a constant. Returns how many are before. */
CLSORT_INLINE uint select_tile(const struct select_params *p, __global const stored_key_t *keys,
                               uint base, uint is_whole, const struct select_bounds *bounds,
                               const struct select_sink *sink,
                               __local struct select_collect_local *shared)
{
    const uint me = get_local_id(0);
    const uint room = p->count - base;
    const key_t low = bounds->low, span = bounds->high - bounds->low;
    key_t own[ITEMS];
    uint hits = 0, below = 0;
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        own[i] = is_whole || i * GROUP_SIZE + me < room
                     ? SELECT_KEY(keys[base + i * GROUP_SIZE + me])
                     : low;
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        hits |= (uint)((key_t)(own[i] - low) <= span) << i;
    if (p->low > 0) {
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i)
            below += own[i] < low;
    }
    if (hits) {
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            const uint slot = i * GROUP_SIZE + me;
            if (hits >> i & 1 && (is_whole || slot < room)) {
                if (select_is_between(bounds, own[i], base + slot))
                    select_keep(sink, own[i], base + slot, shared);
                else
                    below += own[i] == low && base + slot < bounds->low_index;
            }
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
    const uint num_tiles = (p->count - 1) / (GROUP_SIZE * ITEMS) + 1;
    const uint me = get_local_id(0);
    uint below = 0;
    if (me == 0)
        shared->num = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* it is 0 */
    for (uint tile = group; tile < num_tiles; tile += p->groups_per_array) {
        const uint base = tile * (GROUP_SIZE * ITEMS);
        if (p->count - base >= GROUP_SIZE * ITEMS)
            below += select_tile(p, keys, base, 1, bounds, sink, shared);
        else
            below += select_tile(p, keys, base, 0, bounds, sink, shared);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all have kept theirs */
    const uint num = min(shared->num, SELECT_ROOM);
    if (me == 0)
        shared->first = num ? atomic_add(sink->taken, num) : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* they have their room */
    for (uint i = me; i < num; i += GROUP_SIZE) {
        const uint at = shared->first + i;
        if (at < sink->capacity)
            SELECT_STORE(sink->candidates, sink->indices, at,
                         SELECT_STORED_KEY(shared->candidates, i),
                         SELECT_STORED_INDEX(shared->candidates, shared->indices, i));
    }
    return below;
}

#endif

#endif
