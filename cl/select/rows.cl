/* rows.cl: some places of each row's order, a row for each work-group, in one launch.
 *
 * Idea: digits are counted from the highest down, until the elements between the bounds of the
 * wanted places fit in local memory (select.h has the words). They are collected and sorted there.
 * A row is read once for each digit, and once more, mostly from the cache. The digits of the
 * indices come after those of the keys, so equal keys need no special case.
 *
 * Local memory: a tile of items; the counters of both bounds; a scan's sums. Alone. */
#include "base/config.h"
#include "select/range.h"
#include "select/tile.h"

/* Loads of a work-item in flight: a row may be long for one group. */
#define LOADS 8

/* A work-item's keys from `base` on. */
CLSORT_INLINE void select_rows_load(const struct select_params *p,
                                    __global const stored_key_t *keys, uint base,
                                    stored_key_t own[LOADS])
{
#pragma unroll
    for (uint j = 0; j < LOADS; ++j) {
        const uint i = base + j * GROUP_SIZE + get_local_id(0);
        own[j] = i < p->count ? keys[i] : 0;
    }
}

/* Counts a digit of the row. */
CLSORT_INLINE void select_rows_count(const struct select_params *p,
                                     __global const stored_key_t *keys,
                                     const struct select_range *range, struct select_digit digit,
                                     __local struct select_range_local *shared)
{
    select_range_clear(digit, shared);
    for (uint base = 0; base < p->count; base += GROUP_SIZE * LOADS) {
        stored_key_t own[LOADS];
        select_rows_load(p, keys, base, own);
#pragma unroll
        for (uint j = 0; j < LOADS; ++j) {
            const uint i = base + j * GROUP_SIZE + get_local_id(0);
            if (i < p->count)
                select_range_count(range, digit, SELECT_KEY(own[j]), i, shared);
        }
    }
}

/* Collects what lies between the bounds. */
CLSORT_INLINE void select_rows_collect(const struct select_params *p,
                                       __global const stored_key_t *keys,
                                       const struct select_range *range, __local ITEM *items,
                                       __local uint *num)
{
    for (uint base = 0; base < p->count; base += GROUP_SIZE * LOADS) {
        stored_key_t own[LOADS];
        select_rows_load(p, keys, base, own);
#pragma unroll
        for (uint j = 0; j < LOADS; ++j) {
            const uint i = base + j * GROUP_SIZE + get_local_id(0);
            const key_t key = SELECT_KEY(own[j]);
            if (i < p->count && select_range_has(range, key, i)) {
                const uint at = atomic_inc(num);
                if (at < TILE_SLOTS)
                    clsort_item_store(items, clsort_item_slot(at), SELECT_ITEM(key, i), 1);
            }
        }
    }
}

KERNEL void select_rows(const struct select_params p, SELECT_ARGS)
{
    __local ITEM items[TILE_SLOTS];
    __local struct select_range_local shared;
    __local uint num[1];
    LOCAL_FITS(sizeof(items) + sizeof(shared) + sizeof(num));
    const ulong row = get_group_id(0);
    __global const stored_key_t *keys = AT(const stored_key_t, keys_in, 0) + row * p.count;
    struct select_range range;
    select_range_begin(&range, p.index_bits, p.count);
    for (uint round = 0; round < p.num_rounds && select_range_between(&range) > TILE_SLOTS;
         ++round) {
        const struct select_digit digit = select_range_digit(&range);
        select_rows_count(&p, keys, &range, digit, &shared);
        select_range_narrow(&range, digit, p.skip, p.skip + p.limit - 1, &shared);
    }
    if (get_local_id(0) == 0)
        num[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* none are collected */
    select_rows_collect(&p, keys, &range, items, num);
    select_tile_write(&p, keys_in, keys_out, values_in, payload_out, row, items,
                      min(select_range_between(&range), (uint)TILE_SLOTS), p.skip - range.before[0],
                      p.limit);
}
