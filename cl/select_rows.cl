/* select_rows.cl: some places of each row's order, a row for each work-group, in one launch.
 *
 * Idea: digits of keys, and then of indices, are counted from the highest down until no more
 * elements lie between the bounds of the wanted places than local memory holds (select.h has the
 * words). These are collected and sorted by the network. Rows are read once for each digit and once
 * more, mostly from the cache. All keys may be equal: the indices' digits then decide.
 *
 * Local memory: a tile of items; the counters of both bounds; a scan's sums. Alone. */
#include "config.h"
#include "group_scan.h"
#include "network.h"
#include "select.h"

struct select_rows_local {
    uint bins[SELECT_BOUNDS][SELECT_BINS];
    struct group_scan_local scan;
    ulong key[SELECT_BOUNDS];
    uint index[SELECT_BOUNDS];
    uint before[SELECT_BOUNDS], size[SELECT_BOUNDS];
    uint digit[SELECT_BOUNDS], inside[SELECT_BOUNDS]; /* of a round: the bin, and what is before it */
    uint num;
};

/* Loads of a work-item in flight: a row may be long for one group. */
#define LOADS 8

/* A work-item's encoded keys from `base` on. */
CLSORT_INLINE void select_rows_load(const struct select_params *p,
                                    __global const stored_key_t *keys, uint base,
                                    key_t own[LOADS])
{
#pragma unroll
    for (uint j = 0; j < LOADS; ++j) {
        const uint i = base + j * GROUP_SIZE + get_local_id(0);
        own[j] = i < p->count ? KEY_ENCODE((key_t)keys[i]) : 0;
    }
}

/* Counts a digit of the elements that agree with a bound so far. Begins and ends with a barrier. */
CLSORT_INLINE void select_rows_count(const struct select_params *p,
                                     __global const stored_key_t *keys, key_t free_key,
                                     uint free_index, uint is_index, uint shift,
                                     __local struct select_rows_local *shared)
{
    const uint me = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE); /* the bounds are known, the counters are free */
    for (uint i = me; i < SELECT_BOUNDS * SELECT_BINS; i += GROUP_SIZE)
        shared->bins[i / SELECT_BINS][i % SELECT_BINS] = 0;
    const key_t low = (key_t)shared->key[0], high = (key_t)shared->key[1];
    const uint low_index = shared->index[0], high_index = shared->index[1];
    barrier(CLK_LOCAL_MEM_FENCE); /* all are 0 */
    for (uint base = 0; base < p->count; base += GROUP_SIZE * LOADS) {
        key_t own[LOADS];
        select_rows_load(p, keys, base, own);
#pragma unroll
        for (uint j = 0; j < LOADS; ++j) {
            const uint i = base + j * GROUP_SIZE + me, is_there = i < p->count;
            const key_t key = KEY_DIGITS(own[j]);
            const uint digit = (is_index ? i >> shift : (uint)(key >> shift)) % SELECT_BINS;
            if (is_there && (key & ~free_key) == low && (i & ~free_index) == low_index)
                atomic_inc(&shared->bins[0][digit]);
            if (is_there && (key & ~free_key) == high && (i & ~free_index) == high_index)
                atomic_inc(&shared->bins[1][digit]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all are counted */
}

/* Finds a bound's digit. Begins and ends with a barrier. */
CLSORT_INLINE void select_rows_narrow(const struct select_params *p, uint bound, uint is_index,
                                      uint shift, __local struct select_rows_local *shared)
{
    const uint me = get_local_id(0);
    __local uint *bins = shared->bins[bound];
    const uint before = shared->before[bound], size = shared->size[bound];
    const uint place = (bound ? p->skip + p->limit - 1 : p->skip) - before;
    group_scan_exclusive(&shared->scan, bins, SELECT_BINS);
    for (uint i = me; i < SELECT_BINS; i += GROUP_SIZE) {
        const uint begin = bins[i], end = i + 1 < SELECT_BINS ? bins[i + 1] : size;
        if (begin <= place && place < end) { /* one does */
            shared->digit[bound] = i;
            shared->inside[bound] = begin;
            shared->num = end - begin;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the digit is found */
    if (me == 0) {
        shared->before[bound] = before + shared->inside[bound];
        shared->size[bound] = shared->num;
        if (is_index)
            shared->index[bound] |= shared->digit[bound] << shift;
        else
            shared->key[bound] |= (ulong)shared->digit[bound] << shift;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the bound is known */
}

/* Collects what lies between the bounds, and fills up with items that come last. Ends with a
 * barrier. */
CLSORT_INLINE void select_rows_collect(const struct select_params *p,
                                       __global const stored_key_t *keys,
                                       const struct select_bounds *bounds, uint num,
                                       __local ITEM *items,
                                       __local struct select_rows_local *shared)
{
    const uint me = get_local_id(0);
    if (me == 0)
        shared->num = 0;
    for (uint i = num + me; i < TILE_SLOTS; i += GROUP_SIZE)
        clsort_item_store(items, clsort_item_slot(i), ITEM_LAST, 1);
    barrier(CLK_LOCAL_MEM_FENCE); /* none are collected */
    for (uint base = 0; base < p->count; base += GROUP_SIZE * LOADS) {
        key_t own[LOADS];
        select_rows_load(p, keys, base, own);
#pragma unroll
        for (uint j = 0; j < LOADS; ++j) {
            const uint i = base + j * GROUP_SIZE + me;
            if (i < p->count && select_is_between(bounds, KEY_DIGITS(own[j]), i)) {
                const uint at = atomic_inc(&shared->num);
                clsort_item_store(items, clsort_item_slot(at), item_make(own[j], i), 1);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all are collected */
}

KERNEL void select_rows(const struct select_params p, SELECT_ARGS)
{
    __local ITEM items[TILE_SLOTS];
    __local struct select_rows_local shared;
    LOCAL_FITS(sizeof(items) + sizeof(shared));
    const uint me = get_local_id(0);
    const ulong row = get_group_id(0);
    __global const stored_key_t *keys = AT(const stored_key_t, keys_in, 0) + row * p.count;
    if (me < SELECT_BOUNDS) {
        shared.key[me] = 0;
        shared.index[me] = shared.before[me] = 0;
        shared.size[me] = p.count;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* nothing is known yet */
    key_t free_key = ~(key_t)0;
    uint free_index = ~0u, key_left = KEY_NUM_BITS, index_left = p.shift;
    uint between = p.count;
    for (uint round = 0; round < p.num_rounds && between > TILE_SLOTS; ++round) {
        const uint is_index = key_left == 0;
        key_left = sub_sat(key_left, is_index ? 0u : RADIX_BITS);
        index_left = sub_sat(index_left, is_index ? RADIX_BITS : 0u);
        const uint shift = is_index ? index_left : key_left;
        select_rows_count(&p, keys, free_key, free_index, is_index, shift, &shared);
        select_rows_narrow(&p, 0, is_index, shift, &shared);
        select_rows_narrow(&p, 1, is_index, shift, &shared);
        if (is_index)
            free_index = (1u << shift) - 1;
        else
            free_key = ((key_t)1 << shift) - 1;
        between = shared.before[1] + shared.size[1] - shared.before[0];
    }
    struct select_bounds bounds;
    bounds.low = (key_t)shared.key[0];
    bounds.low_index = shared.index[0];
    bounds.high = (key_t)shared.key[1] | free_key;
    bounds.high_index = shared.index[1] | free_index;
    const uint from = p.skip - shared.before[0];
    select_rows_collect(&p, keys, &bounds, between, items, &shared);
    clsort_item_network(items, TILE_SLOTS, TILE_BITS, 1, 1, TILE_BITS);
    barrier(CLK_LOCAL_MEM_FENCE); /* they are in order */
    __global stored_key_t *to = AT(stored_key_t, keys_out, 1);
    for (uint i = me; i < p.limit; i += GROUP_SIZE) {
        ITEM item;
        clsort_item_load(items, clsort_item_slot(from + i), &item, 1);
        const ulong at = row * p.limit + i;
        const uint index = (uint)ITEM_STORED_PAYLOAD(item);
        if (p.flags & FLAG_STORE_KEYS)
            to[at] = keys[index];
        if (p.flags & FLAG_WIDE_INDEX)
            AT(ulong, indices_out, 3)[at] = index;
        else if (p.flags & FLAG_STORE_PAYLOAD)
            AT(uint, indices_out, 3)[at] = index;
    }
}
