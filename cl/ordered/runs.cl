/* runs.cl: the distinct keys of arrays in order, where the run of each begins, and how many there
 * are.
 *
 * On any device, an array in blocks:
 *   runs_count   how many runs begin in each block
 *   scan         how many begin before it, and behind the blocks', in all (move/table.cl)
 *   runs_write   numbers them, and writes them
 * An array of one block needs runs_write alone.
 *
 * In one launch, where work-groups may look back (device/lookback.h):
 *   runs_once    counts, looks back and writes, a tile after the other. The tiles' words were 0
 *
 * Local memory: what runs.h needs; a place for the sums. */
#include "ordered/runs.h"

struct runs_context {
    __global const stored_key_t *keys;
    ulong count;
};

/* The runs that begin in a tile, counted by one work-item alone. */
CLSORT_INLINE uint runs_recount(const struct runs_context *context, uint tile)
{
    uint count = 0;
    const ulong begin = (ulong)tile * TILE_SLOTS;
    for (ulong at = begin; at < min(begin + TILE_SLOTS, context->count); ++at)
        count += at == 0 || STORED_DIFFER(context->keys[at - 1], context->keys[at]) ? 1 : 0;
    return count;
}

#define LOOKBACK_CONTEXT const struct runs_context *
#define LOOKBACK_RECOUNT(context, tile) runs_recount(context, tile)
#include "device/lookback.h"

KERNEL void runs_count(RUNS_ARGS)
{
    __local struct runs_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint me = get_local_id(0);
    const ulong array = get_group_id(0) / p.num_blocks;
    const ulong begin = get_group_id(0) % p.num_blocks * p.block_size;
    const ulong end = min(begin + p.block_size, (ulong)p.count);
    uint count = 0;
    for (ulong tile = begin; tile < end; tile += TILE_SLOTS) {
        stored_key_t own[RUNS_HELD];
        const uint size = (uint)min((ulong)TILE_SLOTS, end - tile);
        runs_load(RUNS_KEYS(array), tile, size, own);
        count += popcount(runs_mark(RUNS_KEYS(array), tile, size, TILE_SLOTS, own));
    }
    const uint before = group_scan_before(&shared.scan, count);
    if (me == GROUP_SIZE - 1)
        AT(ulong, table, 4)[get_group_id(0)] = before + count;
}

KERNEL void runs_write(RUNS_ARGS)
{
    __local struct runs_local shared;
    LOCAL_FITS(sizeof(shared));
    const ulong array = get_group_id(0) / p.num_blocks;
    const ulong begin = get_group_id(0) % p.num_blocks * p.block_size;
    const ulong end = min(begin + p.block_size, (ulong)p.count);
    RUNS_OUTPUT(output, array);
    ulong before = p.num_blocks > 1 ? AT(const ulong, table, 4)[get_group_id(0)] : 0;
    stored_key_t own[RUNS_HELD], next[RUNS_HELD];
    runs_load(RUNS_KEYS(array), begin, (uint)min((ulong)TILE_SLOTS, end - begin), own);
    for (ulong tile = begin; tile < end; tile += TILE_SLOTS) {
        uint ranks[ITEMS];
        const uint heads = runs_mark(RUNS_KEYS(array), tile,
                                     (uint)min((ulong)TILE_SLOTS, end - tile), TILE_SLOTS, own);
        /* The next tile's are on their way while this one's are counted and written. */
        if (tile + TILE_SLOTS < end)
            runs_load(RUNS_KEYS(array), tile + TILE_SLOTS,
                      (uint)min((ulong)TILE_SLOTS, end - tile - TILE_SLOTS), next);
        const uint first = runs_scan_tile(&shared, runs_rank(heads, ranks));
        runs_write_tile(RUNS_KEYS(array), tile, own, heads, ranks, before + first, output);
        before += shared.total;
#pragma unroll
        for (int i = 0; i < RUNS_READ_AHEAD; ++i)
            STORED_COPY(own[i], next[i]);
    }
    if (begin == 0 && get_local_id(0) == 0)
        runs_finish(&p, output, AT(ulong, result, 3) + array,
                    p.num_blocks > 1 ? AT(const ulong, table, 4)[get_num_groups(0) + array]
                                     : before);
}

/* num_blocks: tiles. table: the ticket, then a word for each tile. */
KERNEL void runs_once(RUNS_ARGS)
{
    __local struct runs_local shared;
    __local uint found[1]; /* the tile; then how many runs begin before it */
    LOCAL_FITS(sizeof(shared) + sizeof(found));
    const uint me = get_local_id(0);
    volatile __global uint *words = AT(uint, table, 4) + 1;
    struct runs_context context;
    context.keys = RUNS_KEYS(0);
    context.count = p.count;
    RUNS_OUTPUT(output, 0);
    if (me == 0)
        found[0] = atomic_inc(words - 1);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile is known */
    const uint number = found[0];
    const ulong tile = (ulong)number * TILE_SLOTS;
    uint ranks[ITEMS];
    stored_key_t own[RUNS_HELD];
    const uint size = (uint)min((ulong)TILE_SLOTS, p.count - tile);
    runs_load(context.keys, tile, size, own);
    const uint heads = runs_mark(context.keys, tile, size, TILE_SLOTS, own);
    const uint first = runs_scan_tile(&shared, runs_rank(heads, ranks));
    const uint count = shared.total;
    if (me == 0) {
        device_store_relaxed(words + number, TILE_STATE_PARTIAL | count);
        found[0] = device_look_back(words, 1, number, p.spin_limit, &context);
        device_store_relaxed(words + number, TILE_STATE_INCLUSIVE | (found[0] + count));
        if (number + 1 == p.num_blocks)
            runs_finish(&p, output, AT(ulong, result, 3), found[0] + count);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* it is known how many begin before the tile */
    runs_write_tile(context.keys, tile, own, heads, ranks, found[0] + first, output);
}
