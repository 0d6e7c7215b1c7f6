/* runs.h: the runs of equal elements in a tile: each begins where an element differs from the one
 * before it. The first element of a run, and its place, go to the output.
 *
 * Idea: a work-item keeps a bit for each of its elements that begins a run. Sub-groups vote, or
 * each work-item counts for itself; a scan over the sub-groups gives every beginning its number,
 * in the order of the input.
 *
 * Local memory: struct runs_local. */
#ifndef CLSORT_RUNS_H
#define CLSORT_RUNS_H

#include "group/scan.h"
#include "group/tile_load.h"
#include "base/index.h"
#include "base/item.h"

#if RECORD_SIZE
#define STORED_DIFFER(a, b) (STORED_LESS(a, b) || STORED_LESS(b, a))
#elif KEY_PARTIAL
#define STORED_DIFFER(a, b) (STORED_LESS(a, b) | STORED_LESS(b, a))
#else
#define STORED_DIFFER(a, b) ((a) != (b))
#endif

/* Comparisons of records are long, and one is enough of them in a kernel. Numbers are read once,
 * into registers. */
#if RECORD_SIZE
#define RUNS_UNROLL 1
#define RUNS_HELD 1 /* not used */
#define RUNS_READ_AHEAD 0
#define RUNS_OWN(own, i, keys, at) (keys)[at]
#define STORED_COPY(to, from) RECORD_COPY(to, from)
#else
#define RUNS_UNROLL ITEMS
#define RUNS_HELD ITEMS
#define RUNS_READ_AHEAD ITEMS /* elements of the next tile */
#define RUNS_OWN(own, i, keys, at) (own)[i]
#define STORED_COPY(to, from) ((to) = (from))
#endif

/* What of the output an array has. No pointer is read that the flags leave out. */
struct runs_output {
    __global stored_key_t *keys;
    __global index_t *offsets;
    uint flags;
};

struct runs_local {
    struct group_scan_local scan;
    uint total;
};

/* The slot of element i of this work-item. */
CLSORT_INLINE uint runs_slot(uint i)
{
    return TILE_SUBGROUP_FIRST((uint)get_local_id(0)) + i * TILE_SUBGROUP;
}

/* Reads this work-item's elements of a tile, or those that there are. */
CLSORT_INLINE void runs_load(__global const stored_key_t *keys, ulong tile, uint size,
                             stored_key_t *own)
{
#if !RECORD_SIZE
    if (size == TILE_SLOTS) {
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i)
            own[i] = keys[tile + runs_slot(i)];
    } else {
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i)
            if (runs_slot(i) < size)
                own[i] = keys[tile + runs_slot(i)];
    }
#endif
}

/* Whether element i of this work-item, element `at` of the array but not its first, begins a
 * run. */
CLSORT_INLINE uint run_begins(__global const stored_key_t *keys, ulong at, const stored_key_t *own,
                              uint i)
{
    return STORED_DIFFER(keys[at - 1], RUNS_OWN(own, i, keys, at)) ? 1 : 0;
}

/* Bit i: element i of this work-item begins a run. size: elements of the tile, from `tile` on. In
 * the first one an array begins every `period` elements. */
CLSORT_INLINE uint runs_mark(__global const stored_key_t *keys, ulong tile, uint size, uint period,
                             const stored_key_t *own)
{
    uint heads = 0;
    if (size == TILE_SLOTS && tile > 0) {
#pragma unroll RUNS_UNROLL
        for (uint i = 0; i < ITEMS; ++i)
            heads |= run_begins(keys, tile + runs_slot(i), own, i) << i;
    } else {
#pragma unroll RUNS_UNROLL
        for (uint i = 0; i < ITEMS; ++i) {
            const uint slot = runs_slot(i);
            const int is_first = tile == 0 && slot % period == 0;
            if (slot < size)
                heads |= (is_first ? 1 : run_begins(keys, tile + slot, own, i)) << i;
        }
    }
    return heads;
}

/* The number of each beginning of this work-item in its sub-group's. Returns how many the
 * sub-group has. */
#ifdef CLSORT_SUBGROUP_VOTES
CLSORT_INLINE uint runs_rank(uint heads, uint *ranks)
{
    const uint below = clsort_subgroup_lanes_below();
    uint count = 0;
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        const uint is_head = heads >> i & 1;
        const uint same = clsort_subgroup_match(is_head, 1);
        const uint all = is_head ? same : ~same & (0xffffffffu >> (32 - CLSORT_SUBGROUP));
        ranks[i] = count + popcount(all & below);
        count += popcount(all);
    }
    return count;
}
#else
CLSORT_INLINE uint runs_rank(uint heads, uint *ranks)
{
    for (uint i = 0; i < ITEMS; ++i)
        ranks[i] = popcount(heads & ((1u << i) - 1));
    return popcount(heads);
}
#endif

/* The number of this sub-group's first beginning in the tile's; shared->total: of all. Begins after
 * a barrier, and ends with one. */
CLSORT_INLINE uint runs_scan_tile(__local struct runs_local *shared, uint count)
{
    const uint me = get_local_id(0);
    const uint is_first = me % TILE_SUBGROUP == 0;
    const uint before = group_scan_before(&shared->scan, is_first ? count : 0);
    const uint first = before - (is_first ? 0 : count);
    if (me == GROUP_SIZE - 1)
        shared->total = first + count;
    barrier(CLK_LOCAL_MEM_FENCE); /* the sum of all is there */
    return first;
}

/* Writes this work-item's beginnings; first: the number of the sub-group's first in the array. */
CLSORT_INLINE void runs_write_tile(__global const stored_key_t *keys, ulong tile,
                                   const stored_key_t *own, uint heads, const uint *ranks,
                                   ulong first, struct runs_output output)
{
#pragma unroll RUNS_UNROLL
    for (uint i = 0; i < ITEMS; ++i) {
        if (heads >> i & 1) {
            const ulong at = tile + runs_slot(i);
            if (output.flags & FLAG_STORE_KEYS)
                STORED_COPY(output.keys[first + ranks[i]], RUNS_OWN(own, i, keys, at));
            if (output.flags & FLAG_STORE_PAYLOAD)
                output.offsets[first + ranks[i]] = (index_t)at;
        }
    }
}

/* What follows the last run. */
CLSORT_INLINE void runs_finish(const struct range_params *p, struct runs_output output,
                               __global ulong *result, ulong num_runs)
{
    if (output.flags & FLAG_STORE_PAYLOAD)
        output.offsets[num_runs] = (index_t)p->count;
    *result = num_runs;
}

#define RUNS_ARGS                                                                       \
    const struct range_params p, __global const void *keys_in, __global void *keys_out, \
        __global void *offsets_out, __global void *result, __global void *table
#define RUNS_KEYS(array) (AT(const stored_key_t, keys_in, 0) + (array)*p.count)
/* There is one more offset than there are keys. */
#define RUNS_OUTPUT(name, array)                                          \
    struct runs_output name;                                              \
    name.keys = AT(stored_key_t, keys_out, 1) + (array)*p.count;          \
    name.offsets = AT(index_t, offsets_out, 2) + (array) * (p.count + 1); \
    name.flags = p.flags

#endif
