/* short.cl: some places of the order of short rows, several to a work-group, in one launch.
 *
 * Idea: a row has a power of two of slots. It is cut into runs, also of a power of two, each long
 * enough for all wanted places. The network sorts all runs. Then runs are merged in pairs: the
 * first, mirrored stride of the network's merge puts the lower half of both runs into one of them,
 * and the other is dropped. So each round has half as much to do as the one before it, until a row
 * has one run.
 *
 * Work-items begin with ITEMS elements of a row in registers, which they sort by themselves. Rows
 * have at least ITEMS slots. Runs have ITEMS to ITEMS * ITEMS slots, or are whole rows.
 *
 * Local memory: a tile of items, in the order of clsort_item_slot() against bank conflicts; after
 * each round, half of it. Alone. */
#include "base/config.h"
#include "group/network.h"
#include "select/select.h"

/* The first row of the group, and those that it has. */
struct select_short_rows {
    ulong first;
    uint num;
};

CLSORT_INLINE uint select_short_slot(uint run_bits, uint run, uint place)
{
    return clsort_item_slot(run << run_bits | place);
}

/* A work-item's elements of a row, `step` apart. */
CLSORT_INLINE void select_short_load(const struct select_params *p,
                                     __global const stored_key_t *keys,
                                     const struct select_short_rows *rows, ITEM own[ITEMS])
{
    const uint step_bits = p->index_bits - ITEM_BITS;
    const uint row = get_local_id(0) >> step_bits;
    const uint first = get_local_id(0) & ((1u << step_bits) - 1);
    __global const stored_key_t *from = keys + (rows->first + row) * p->count;
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        const uint index = first + (i << step_bits);
        own[i] = ITEM_LAST;
        if (row < rows->num && index < p->count)
            own[i] = item_make(KEY_ENCODE((key_t)from[index]), index);
    }
}

/* Merges runs in pairs and keeps the lower halves; 2^slot_bits slots in all. */
CLSORT_INLINE void select_short_halve(__local ITEM *items, uint run_bits, uint slot_bits)
{
    const uint me = get_local_id(0), stride_bits = run_bits - ITEM_BITS;
    const uint is_busy = me < 1u << (slot_bits - 1 - ITEM_BITS);
    const uint run = me >> stride_bits, first = me & ((1u << stride_bits) - 1);
    ITEM own[ITEMS];
    if (is_busy) {
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            const uint place = i << stride_bits | first;
            ITEM other =
                items[select_short_slot(run_bits, 2 * run + 1, ((1u << run_bits) - 1) ^ place)];
            own[i] = items[select_short_slot(run_bits, 2 * run, place)];
            clsort_item_exchange(&own[i], &other, 1);
        }
        clsort_item_registers(own, ITEM_BITS - 1, 0, 0, 0, 0, ITEMS);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all runs are read */
    if (is_busy) {
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i)
            items[select_short_slot(run_bits, run, i << stride_bits | first)] = own[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* half as many are written, without the short strides */
    if (stride_bits == 0)
        return;
    if (is_busy)
        clsort_item_bottom(items, me, TILE_SLOTS, run_bits + 1, stride_bits, run_bits + 1);
    barrier(CLK_LOCAL_MEM_FENCE); /* the short strides are made */
}

KERNEL void select_short(const struct select_params p, SELECT_ARGS)
{
    __local ITEM items[TILE_SLOTS];
    LOCAL_FITS(sizeof(items));
    const uint me = get_local_id(0), row_bits = p.index_bits, run_bits = p.run_bits;
    struct select_short_rows rows;
    rows.first = (ulong)get_group_id(0) << (TILE_BITS - row_bits);
    rows.num = (uint)min((ulong)(1u << (TILE_BITS - row_bits)), p.num_arrays - rows.first);
    ITEM own[ITEMS];
    select_short_load(&p, AT(const stored_key_t, keys_in, 0), &rows, own);
#pragma unroll
    for (uint stage = 1; stage <= ITEM_BITS; ++stage)
        clsort_item_registers(own, stage - 1, 0, 1, 0, 0, ITEMS);
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        items[clsort_item_slot(me * ITEMS + i)] = own[i];
    clsort_item_network(items, TILE_SLOTS, TILE_BITS, ITEM_BITS + 1, ITEM_BITS + 1, run_bits);
    for (uint bits = row_bits; bits > run_bits; --bits)
        select_short_halve(items, run_bits, TILE_BITS - (row_bits - bits));
    /* As many work-items write a row as have loaded it. */
    const uint row = me >> (row_bits - ITEM_BITS);
    if (row >= rows.num)
        return;
    for (uint i = me & ((1u << (row_bits - ITEM_BITS)) - 1); i < p.limit;
         i += 1u << (row_bits - ITEM_BITS)) {
        const ITEM item = items[select_short_slot(run_bits, row, p.skip + i)];
        const stored_key_t key = (stored_key_t)KEY_DECODE(ITEM_STORED_KEY(item));
        select_write(&p, keys_in, keys_out, values_in, payload_out, rows.first + row,
                     (uint)ITEM_STORED_PAYLOAD(item), key, i);
    }
}
