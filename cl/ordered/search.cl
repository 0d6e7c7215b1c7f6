/* search.cl: where keys, the queries, belong in arrays in order: how many keys come before each,
 * and how many do not come after it.
 *
 * search_split: a work-item for each tile of queries finds where its first one belongs. With
 *               FLAG_STORE_PAYLOAD, for few queries of many arrays, tiles have one query, and this
 *               is all.
 * search_sample: unless these are in order, every stride-th key side by side: most rounds of a
 *               search then read what the caches hold.
 * search_tiles: a work-group looks whether its tile of queries is in order. If so, they belong
 *               between where this tile's and the next one's first query do; else it looks at the
 *               sample first.
 * cpu_search:   alone, for CPUs. A work-item, alone in its group, has a share of the queries;
 *               while they are in order, each begins where the one before it belongs.
 *
 * The table has a number for each tile, and the sample. A result that is not asked for has no
 * buffer.
 *
 * Local memory: two words. They run one after the other. */
#include "ordered/search.h"

#define SEARCH_ARGS                                                                      \
    __global const void *keys_in, __global const void *queries_in, __global void *lower, \
        __global void *upper, __global void *table

#define SEARCH_KEYS(array) (AT(const stored_key_t, keys_in, 0) + (array)*p.count)
#define SEARCH_QUERIES(array) (AT(const stored_key_t, queries_in, 1) + (array)*p.num_queries)

/* Writes the places of query `at` of all arrays', which is known to be at `from` or behind. */
CLSORT_INLINE void search_write(const struct range_params *p, SEARCH_ARGS, ulong at, ulong array,
                                ulong from)
{
    if (lower)
        BUFFER_AT(index_t, p->offsets, lower, 2)[at] = (index_t)from;
    if (upper)
        BUFFER_AT(index_t, p->offsets, upper, 3)
    [at] = (index_t)search_near(BUFFER_AT(const stored_key_t, p->offsets, keys_in, 0) +
                                    array * p->count,
                                from, p->count,
                                BUFFER_AT(const stored_key_t, p->offsets, queries_in, 1) + at, 1);
}

KERNEL void search_split(const struct range_params p, SEARCH_ARGS)
{
    const ulong number = get_global_id(0);
    if (number >= p.num_arrays * p.num_blocks)
        return;
    const ulong array = number / p.num_blocks;
    const ulong first = number % p.num_blocks * p.block_size;
    const struct search_queries one = {SEARCH_QUERIES(array), first, first, 0};
    index_t place = 0;
    search_lower(SEARCH_KEYS(array), (index_t)p.count, &one, 1, &place);
    if (p.flags & FLAG_STORE_PAYLOAD)
        search_write(&p, keys_in, queries_in, lower, upper, table, number, array, place);
    else
        AT(ulong, table, 4)[number] = place;
}

#define SEARCH_SAMPLE(array)                                                        \
    ((__global stored_key_t *)(AT(ulong, table, 4) + p.num_arrays * p.num_blocks) + \
     (array)*p.num_samples)

/* Whether some tiles' first queries are out of order. *falls was 0. Begins and ends with a
 * barrier. */
CLSORT_INLINE uint search_falls(__global const ulong *splits, uint num_blocks, __local uint *falls)
{
    const uint me = get_local_id(0);
    const uint at = (uint)((ulong)me * num_blocks / GROUP_SIZE);
    const uint next = (uint)((ulong)(me + 1) * num_blocks / GROUP_SIZE);
    barrier(CLK_LOCAL_MEM_FENCE); /* it is 0 */
    if (next < num_blocks && splits[next] < splits[at])
        *falls = 1;
    barrier(CLK_LOCAL_MEM_FENCE); /* it is known whether some are */
    return *falls;
}

KERNEL void search_sample(const struct range_params p, SEARCH_ARGS)
{
    __local uint falls[2];
    LOCAL_FITS(sizeof(falls));
    if (get_local_id(0) == 0)
        falls[0] = 0;
    const ulong groups = get_num_groups(0) / p.num_arrays, array = get_group_id(0) / groups;
    if (!search_falls(AT(const ulong, table, 4) + array * p.num_blocks, p.num_blocks, falls))
        return;
    __global const stored_key_t *keys = SEARCH_KEYS(array);
    __global stored_key_t *sample = SEARCH_SAMPLE(array);
    for (ulong i = get_group_id(0) % groups * GROUP_SIZE + get_local_id(0); i < p.num_samples;
         i += groups * GROUP_SIZE)
        sample[i] = keys[min((i + 1) * p.stride, (ulong)p.count) - 1];
}

/* Where queries belong: among `size` keys from `first` on, after a look at the sample if there is
 * one. */
struct search_where {
    ulong array;
    index_t first, size;
    uint has_sample;
};

/* Searches for a work-item's first `num` queries of a tile. */
CLSORT_INLINE void search_tile(const struct range_params *params, SEARCH_ARGS,
                               const struct search_queries *tile, uint num,
                               struct search_where where)
{
    const struct range_params p = *params;
    index_t places[ITEMS];
    for (uint i = 0; i < num; ++i)
        places[i] = where.first;
    if (where.has_sample) {
        search_lower(SEARCH_SAMPLE(where.array), p.num_samples - 1, tile, num, places);
        where.size = (index_t)p.stride;
        for (uint i = 0; i < num; ++i)
            places[i] = (index_t)min(places[i] * p.stride, p.count - p.stride);
    }
    search_lower(SEARCH_KEYS(where.array), where.size, tile, num, places);
    for (uint i = 0; i < num; ++i)
        if (tile->first + i * tile->step <= tile->last)
            search_write(&p, keys_in, queries_in, lower, upper, table,
                         where.array * p.num_queries + tile->first + i * tile->step, where.array,
                         places[i]);
}

KERNEL void search_tiles(const struct range_params p, SEARCH_ARGS)
{
    __local uint falls[2];
    LOCAL_FITS(sizeof(falls));
    const uint me = get_local_id(0);
    const ulong array = get_group_id(0) / p.num_blocks;
    const ulong block = get_group_id(0) % p.num_blocks;
    const ulong begin = block * TILE_SLOTS;
    const ulong end = min(begin + TILE_SLOTS, (ulong)p.num_queries);
    __global const stored_key_t *queries = SEARCH_QUERIES(array);
    __global const ulong *splits = AT(const ulong, table, 4) + array * p.num_blocks;
    if (me == 0)
        falls[0] = falls[1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* none is out of order yet */
    uint mine = 0;
    for (ulong at = begin + me; at < min(end, p.num_queries - 1); at += GROUP_SIZE)
        mine |= STORED_LESS(queries[at + 1], queries[at]) ? 1 : 0;
    if (mine)
        falls[1] = 1;
    barrier(CLK_LOCAL_MEM_FENCE); /* it is known whether the tile falls */
    const uint is_any = falls[1]; /* in any order; only then are other tiles looked at */
    const uint has_sample = is_any && p.num_samples && search_falls(splits, p.num_blocks, falls);
    const ulong first = is_any ? 0 : splits[block];
    const ulong last = is_any || block + 1 == p.num_blocks ? p.count : splits[block + 1];
    struct search_queries tile;
    tile.queries = queries;
    tile.first = begin + me;
    tile.last = end - 1;
    tile.step = GROUP_SIZE;
    struct search_where where;
    where.array = array;
    where.first = (index_t)first;
    where.size = (index_t)(max(first, last) - first);
    where.has_sample = has_sample;
    if (!is_any) {
        search_tile(&p, keys_in, queries_in, lower, upper, table, &tile, ITEMS, where);
        return;
    }
    /* One after the other: more at a time read other lines, and caches hold fewer of each. */
#pragma unroll 1
    for (uint i = 0; i < ITEMS; ++i, tile.first += GROUP_SIZE)
        search_tile(&p, keys_in, queries_in, lower, upper, table, &tile, 1, where);
}

KERNEL void cpu_search(const struct range_params p, SEARCH_ARGS)
{
    const ulong array = get_group_id(0) / p.num_blocks;
    const ulong begin = get_group_id(0) % p.num_blocks * p.block_size;
    const ulong end = min(begin + p.block_size, (ulong)p.num_queries);
    __global const stored_key_t *keys = SEARCH_KEYS(array);
    __global const stored_key_t *queries = SEARCH_QUERIES(array);
    ulong before = 0; /* where the last query belongs */
    struct search_queries tile;
    tile.queries = queries;
    tile.last = p.num_queries - 1;
    tile.step = 1;
    for (tile.first = begin; tile.first < end; tile.first += ITEMS) {
        uint falls = 0;
        for (ulong at = max(tile.first, begin + 1); at < min(tile.first + ITEMS, end); ++at)
            falls |= STORED_LESS(queries[at], queries[at - 1]) ? 1 : 0;
        index_t places[ITEMS];
        for (uint i = 0; i < ITEMS; ++i)
            places[i] = 0;
        if (falls)
            search_lower(keys, (index_t)p.count, &tile, ITEMS, places);
        for (uint i = 0; i < ITEMS && tile.first + i < end; ++i) {
            if (!falls)
                places[i] =
                    (index_t)search_near(keys, before, p.count, queries + tile.first + i, 0);
            before = places[i];
            search_write(&p, keys_in, queries_in, lower, upper, table,
                         array * p.num_queries + tile.first + i, array, before);
        }
    }
}
