/* collect.h: the pass of select.h over an array. It collects what lies between two bounds
 * and counts what lies before them.
 *
 * Idea: few elements lie between the bounds. The first test of a key is a subtraction and a
 * comparison; keys are loaded 16 aligned bytes at a time. An element that passes is compared with
 * the bounds' indices, too, and kept in local memory. A group writes these out once a round of
 * several tiles, so tiles have no barriers. If a round finds more than local memory holds, the
 * group goes over its tiles again and writes at once. On CPUs, where a group is one work-item, one
 * loop without a branch tests a block of keys, and another lists those that pass. */
#ifndef CLSORT_SELECT_COLLECT_H
#define CLSORT_SELECT_COLLECT_H

#include "select/select.h"

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
    uint num; /* of a round */
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

/* Lists the elements of a block whose keys are from one bound to the other. Returns how many. */
CLSORT_INLINE uint select_list(__global const stored_key_t *keys, uint begin, uint end,
                               const struct select_bounds *bounds, uint *list)
{
    uint num = 0;
    for (uint i = begin; i < end; ++i) {
        const key_t key = SELECT_KEY(keys[i]);
        list[num] = i;
        num += (key >= bounds->low) & (key <= bounds->high);
    }
    return num;
}

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
    uint list[SELECT_BLOCK + 1];
    const uint listed = select_list(keys, begin, end, bounds, list);
    for (uint i = 0; i < listed; ++i) { /* their indices decide where keys are a bound */
        const uint at = list[i];
        const key_t key = SELECT_KEY(keys[at]);
        below += (key == bounds->low) & (at < bounds->low_index);
        list[num] = at;
        num += select_is_between(bounds, key, at);
    }
    const uint first = num ? atomic_add(sink->taken, num) : 0;
    for (uint i = 0; i < num && first + i < sink->capacity; ++i)
        SELECT_STORE(sink->candidates, sink->indices, first + i, SELECT_KEY(keys[list[i]]),
                     list[i]);
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

#define SELECT_VECTOR (128 / KEY_BITS) /* keys of a load */
#define SELECT_LOADS (ITEMS > SELECT_VECTOR ? ITEMS / SELECT_VECTOR : 1)
#define SELECT_TILE (GROUP_SIZE * SELECT_LOADS * SELECT_VECTOR)
#define SELECT_ROUND 8 /* tiles */
typedef uint4 __attribute__((may_alias)) select_vector_t;
#if KEY_BITS == 64
#define SELECT_UNPACK(vector, keys) vstore2(as_ulong2(vector), 0, keys)
#elif KEY_BITS == 32
#define SELECT_UNPACK(vector, keys) vstore4(vector, 0, keys)
#elif KEY_BITS == 16
#define SELECT_UNPACK(vector, keys) vstore8(as_ushort8(vector), 0, keys)
#else
#define SELECT_UNPACK(vector, keys) vstore16(as_uchar16(vector), 0, keys)
#endif

/* What a group goes over. Tiles begin at multiples of 16 bytes. */
struct select_source {
    __global const stored_key_t *keys;
    uint count;
    uint skew; /* slots of the first tile that lie before the keys */
    uint stride, num_tiles;
    uint counts_below;
};

/* The slot of a work-item's key i. */
CLSORT_INLINE uint select_slot(uint i)
{
    return (i / SELECT_VECTOR * GROUP_SIZE + (uint)get_local_id(0)) * SELECT_VECTOR +
           i % SELECT_VECTOR;
}

/* A work-item's keys that may be between the bounds, as bits; *below: how many are before. */
CLSORT_INLINE uint select_look(const struct select_source *from, uint tile,
                               const struct select_bounds *bounds, uint *below)
{
    const ulong begin = (ulong)tile * SELECT_TILE;
    const key_t low = bounds->low, span = bounds->high - bounds->low;
    stored_key_t own[SELECT_LOADS * SELECT_VECTOR];
    uint hits = 0;
    if (begin >= from->skew && begin + SELECT_TILE <= (ulong)from->count + from->skew) {
        __global const select_vector_t *vectors =
            (__global const select_vector_t *)(from->keys + (begin - from->skew)) + get_local_id(0);
#pragma unroll
        for (uint i = 0; i < SELECT_LOADS; ++i)
            SELECT_UNPACK(vectors[i * GROUP_SIZE], own + i * SELECT_VECTOR);
#pragma unroll
        for (uint i = 0; i < SELECT_LOADS * SELECT_VECTOR; ++i)
            hits |= (uint)((key_t)(SELECT_KEY(own[i]) - low) <= span) << i;
        if (from->counts_below) {
#pragma unroll
            for (uint i = 0; i < SELECT_LOADS * SELECT_VECTOR; ++i)
                *below += SELECT_KEY(own[i]) < low;
        }
        return hits;
    }
    for (uint i = 0; i < SELECT_LOADS * SELECT_VECTOR; ++i) {
        const ulong at = begin + select_slot(i);
        if (at >= from->skew && at - from->skew < from->count) {
            const key_t key = SELECT_KEY(from->keys[at - from->skew]);
            hits |= (uint)((key_t)(key - low) <= span) << i;
            *below += from->counts_below && key < low;
        }
    }
    return hits;
}

/* A round from `tile` on. Elements between the bounds go to local memory as far as they have room,
 * or if writes is true to the places from shared->first on. shared->num counts them. Returns how
 * many are before the bounds. */
CLSORT_INLINE uint select_round(const struct select_source *from, uint tile, uint writes,
                                const struct select_bounds *bounds, const struct select_sink *sink,
                                __local struct select_collect_local *shared)
{
    uint below = 0;
    for (uint r = 0; r < SELECT_ROUND && tile < from->num_tiles; ++r) {
        const uint first = tile * SELECT_TILE - from->skew;
        for (uint hits = select_look(from, tile, bounds, &below); hits; hits &= hits - 1) {
            const uint index = first + select_slot(31 - (uint)clz(hits & (0u - hits)));
            const key_t key = SELECT_KEY(from->keys[index]);
            if (!select_is_between(bounds, key, index)) {
                below += key == bounds->low && index < bounds->low_index;
                continue;
            }
            const uint at = atomic_inc(&shared->num);
            if (writes) {
                if (shared->first + at < sink->capacity)
                    SELECT_STORE(sink->candidates, sink->indices, shared->first + at, key, index);
            } else if (at < SELECT_ROOM) {
                SELECT_STORE(shared->candidates, shared->indices, at, key, index);
            }
        }
        tile += from->stride;
    }
    return below;
}

/* By the groups of an array, of which this is number `group`. Returns how many are before. */
CLSORT_INLINE uint select_pass(const struct select_params *p, __global const stored_key_t *keys,
                               uint group, const struct select_bounds *bounds,
                               const struct select_sink *sink,
                               __local struct select_collect_local *shared)
{
    const uint me = get_local_id(0);
    struct select_source from;
    from.keys = keys;
    from.count = p->count;
    from.skew = (uint)((size_t)keys % 16 / sizeof(stored_key_t));
    from.stride = p->groups_per_array;
    from.num_tiles = (uint)(((ulong)p->count + from.skew - 1) / SELECT_TILE + 1);
    from.counts_below = p->low > 0;
    uint below = 0;
    for (uint tile = group; tile < from.num_tiles; tile += SELECT_ROUND * from.stride) {
        if (me == 0)
            shared->num = 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* it is 0 */
        below += select_round(&from, tile, 0, bounds, sink, shared);
        barrier(CLK_LOCAL_MEM_FENCE); /* all have kept theirs */
        const uint num = shared->num;
        barrier(CLK_LOCAL_MEM_FENCE); /* all know how many */
        if (me == 0) {
            shared->first = num ? atomic_add(sink->taken, num) : 0;
            shared->num = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* they have their room */
        if (num > SELECT_ROOM) {
            select_round(&from, tile, 1, bounds, sink, shared);
        } else {
            GROUP_LOOP(i, 0, num) {
                const uint at = shared->first + i;
                if (at < sink->capacity)
                    SELECT_STORE(sink->candidates, sink->indices, at,
                                 SELECT_STORED_KEY(shared->candidates, i),
                                 SELECT_STORED_INDEX(shared->candidates, shared->indices, i));
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* what was kept has been written */
    }
    return below;
}

#endif

#endif
