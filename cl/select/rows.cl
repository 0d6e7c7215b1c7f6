/* rows.cl: some places of each row's order, a row for each work-group, in one launch.
 *
 * Idea: digits are counted from the highest down, until the elements between the bounds of the
 * wanted places fit in local memory (select.h has the words). They are collected and sorted there.
 * A row is read once for each digit, and once more, mostly from the cache. The digits of the
 * indices come after those of the keys, so equal keys need no special case.
 *
 * Local memory: a tile of items; the counters of both bounds; a scan's sums. Alone. */
#include "group/network.h"
#include "select/range.h"

/* Loads of a work-item in flight: a row may be long for one group. */
#define LOADS 8
/* An item whose order is that of key and index. */
#define SELECT_ITEM(key, index) item_make((key) << KEY_FIRST_BIT, index)
/* Items that are compared with each other, at most. */
#define SELECT_FEW (2 * GROUP_SIZE)

/* Counts a digit of a row, or if `collects` is true collects what lies between the bounds, which
 * *num counts. */
CLSORT_INLINE void select_rows_pass(const struct select_params *p,
                                    __global const stored_key_t *keys,
                                    const struct select_range *range, struct select_digit digit,
                                    int collects, __local ITEM *items, __local uint *num,
                                    __local struct select_range_local *shared)
{
    struct select_bounds bounds;
    select_range_bounds(range, &bounds);
    for (uint first = get_local_id(0); first < p->count; first += GROUP_SIZE * LOADS) {
        stored_key_t own[LOADS];
#pragma unroll
        for (uint j = 0; j < LOADS; ++j)
            own[j] = first + j * GROUP_SIZE < p->count ? keys[first + j * GROUP_SIZE] : 0;
#pragma unroll
        for (uint j = 0; j < LOADS; ++j) {
            const uint i = first + j * GROUP_SIZE;
            const key_t key = SELECT_KEY(own[j]);
            if (!collects && i < p->count)
                select_range_count(range, digit, key, i, shared);
            if (collects && i < p->count && select_is_between(&bounds, key, i)) {
                const uint at = atomic_inc(num);
                if (at < TILE_SLOTS)
                    clsort_item_store(items, clsort_item_slot(at), SELECT_ITEM(key, i), 1);
            }
        }
    }
}

/* Puts `num` items in order, and writes `limit` of them, from place `from` on, as an array's. A
 * few items are compared with each other, and each is written to its rank. More items are sorted by
 * the network, which takes many steps with a barrier each. */
CLSORT_INLINE void select_tile_write(const struct select_params *p, SELECT_BUFFERS, ulong array,
                                     __local ITEM *items, uint num, uint from, uint limit)
{
    if (num <= SELECT_FEW) {
        barrier(CLK_LOCAL_MEM_FENCE); /* they are collected */
        GROUP_LOOP(i, 0, num) {
            const ITEM own = items[clsort_item_slot(i)];
            uint rank = 0;
#pragma unroll 4
            for (uint j = 0; j < num; ++j) {
                const ITEM other = items[clsort_item_slot(j)];
                rank += ITEM_LESS(other, own) ? 1 : 0;
            }
            if (rank - from < limit)
                select_write_stored(p, keys_in, keys_out, values_in, payload_out, array,
                                    (uint)ITEM_STORED_PAYLOAD(own), rank - from);
        }
        return;
    }
    const uint needed = num > 2 ? 32 - (uint)clz(num - 1) : 1;
    const uint bits = min(max(needed, (uint)ITEM_BITS + 6), (uint)TILE_BITS);
    GROUP_LOOP(i, num, TILE_SLOTS)
        clsort_item_store(items, clsort_item_slot(i), ITEM_LAST, 1);
    clsort_item_network(items, TILE_SLOTS, bits, 1, 1, bits);
    /* They are in order: the network ends with a barrier. */
    GROUP_LOOP(i, 0, limit) {
        const ITEM item = items[clsort_item_slot(min(from + i, TILE_SLOTS - 1u))];
        select_write_stored(p, keys_in, keys_out, values_in, payload_out, array,
                            (uint)ITEM_STORED_PAYLOAD(item), i);
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
    struct select_digit digit = {0, 0, 0};
    select_range_begin(&range, p.index_bits, p.count);
    for (uint round = 0; round < p.num_rounds && select_range_between(&range) > TILE_SLOTS;
         ++round) {
        digit = select_range_digit(&range);
        select_range_clear(digit, &shared);
        select_rows_pass(&p, keys, &range, digit, 0, items, num, &shared);
        select_range_narrow(&range, digit, p.skip, p.skip + p.limit - 1, &shared);
    }
    if (get_local_id(0) == 0)
        num[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* none are collected */
    select_rows_pass(&p, keys, &range, digit, 1, items, num, &shared);
    select_tile_write(&p, keys_in, keys_out, values_in, payload_out, row, items,
                      min(select_range_between(&range), (uint)TILE_SLOTS), p.skip - range.before[0],
                      p.limit);
}
