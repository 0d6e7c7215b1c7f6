/* cpu.h: the steps of the radix sort for devices whose work-groups are one work-item (CPUs), on
 * the tables that struct cpu_params lays out in scratch. cpu_count.cl, cpu_scan.cl,
 * cpu_scatter.cl and cpu_sort.cl are a step each, for few long arrays; cpu_arrays.cl does
 * them one after the other, for short arrays and many.
 *
 * No step waits for another work-group, none needs a barrier or local memory. */
#ifndef CLSORT_CPU_H
#define CLSORT_CPU_H

#include "cpu_refine.h"

#define CPU_ARGS ITEM_ARGS, __global void *scratch

/* An array, and its rows of the tables. */
struct cpu_array {
    __global const stored_key_t *keys;
    __global stored_key_t *keys_out;
    __global const payload_t *payloads;
    __global payload_t *payloads_out;
    __global uchar *tables;
    ulong slot;
    __global ITEM *items;
    __global struct cpu_state *state;
    __global ushort *bucket_of;
    __global ulong *starts;
};

#define TABLE(type, name) ((__global type *)(array->tables + p->name))

/* Array `number` of the buffers, in slot `slot` of the tables. */
CLSORT_INLINE void cpu_open(const struct cpu_params *p, CPU_ARGS, ulong number, ulong slot,
                            struct cpu_array *array)
{
    const ulong first = number * p->count;
    array->keys = BUFFER_AT(const stored_key_t, p->offsets, keys_in, 0) + first;
    array->keys_out = BUFFER_AT(stored_key_t, p->offsets, keys_out, 1) + first;
    array->payloads = BUFFER_AT(const payload_t, p->offsets, payload_in, 2) + first;
    array->payloads_out = BUFFER_AT(payload_t, p->offsets, payload_out, 3) + first;
    array->tables = BUFFER_AT(uchar, p->offsets, scratch, 4);
    array->tables += (0 - (size_t)array->tables) % CPU_ALIGNMENT;
    array->slot = slot;
    array->items = TABLE(ITEM, items) + slot * p->count;
    array->state = TABLE(struct cpu_state, states) + slot;
    array->bucket_of = TABLE(ushort, bucket_of) + slot * p->num_cells;
    array->starts = TABLE(ulong, starts) + slot * (p->max_buckets + 1);
}

CLSORT_INLINE ulong chunk_end(const struct cpu_params *p, uint chunk)
{
    return min((chunk + 1) * p->chunk_size, (ulong)p->count);
}

/* Counts a chunk's keys by cell, and notes which ways they go. */
CLSORT_INLINE void cpu_count_chunk(const struct cpu_params *p, const struct cpu_array *array,
                                   uint chunk)
{
    const ulong row = array->slot * p->num_chunks + chunk;
    __global uint *counts = TABLE(uint, counts) + row * p->num_cells;
    struct cells cells;
    if (p->flags & FLAG_EXACT)
        cells_exact(p->num_cells, &cells);
    else /* the same in every chunk: cheaper than a launch before this one */
        cells_sample(array->keys, p->count, p->num_cells, &cells);
    if (chunk == 0)
        cells_write(&cells, array->state);
    for (uint i = 0; i < p->num_cells; ++i)
        counts[i] = 0;
    const ulong begin = chunk * p->chunk_size;
    const ulong end = chunk_end(p, chunk);
    TABLE(uint, directions)
    [row] = cells.flat ? cells_count(array->keys, begin, end, &cells, 1, counts)
                       : cells_count(array->keys, begin, end, &cells, 0, counts);
}

/* Makes buckets of the cells, and finds where each chunk's part of each bucket begins. */
CLSORT_INLINE void cpu_scan_counts(const struct cpu_params *p, const struct cpu_array *array)
{
    const ulong first_row = array->slot * p->num_chunks;
    __global const uint *ways = TABLE(const uint, directions) + first_row;
    __global const uint *counts = TABLE(const uint, counts) + first_row * p->num_cells;
    __global ulong *totals = TABLE(ulong, totals) + array->slot * p->num_cells;
    __global ulong *places = TABLE(ulong, places) + first_row * p->max_buckets;
    uint directions = 0;
    for (uint chunk = 0; chunk < p->num_chunks; ++chunk)
        directions |= ways[chunk];
    array->state->directions = directions;
    array->state->next_bucket = 0;
    array->state->num_buckets = 0;
    if (directions != (GOES_DOWN | GOES_UP))
        return;
    for (uint i = 0; i < p->num_cells; ++i)
        totals[i] = counts[i];
    for (uint chunk = 1; chunk < p->num_chunks; ++chunk)
        for (uint i = 0; i < p->num_cells; ++i)
            totals[i] += counts[(ulong)chunk * p->num_cells + i];
    if (p->flags & FLAG_EXACT) {
        array->starts[0] = 0;
        for (uint i = 0; i < p->num_cells; ++i)
            array->starts[i + 1] = array->starts[i] + totals[i];
        return;
    }
    const uint num_buckets = buckets_merge(totals, p->num_cells, p->bucket_target, p->max_buckets,
                                           array->bucket_of, array->starts);
    array->state->num_buckets = num_buckets;
    ulong ends[CPU_BUCKETS];
    for (uint i = 0; i < num_buckets; ++i)
        ends[i] = array->starts[i];
    for (uint chunk = 0; chunk < p->num_chunks; ++chunk) {
        for (uint i = 0; i < num_buckets; ++i)
            places[(ulong)chunk * p->max_buckets + i] = ends[i];
        for (uint i = 0; i < p->num_cells; ++i)
            ends[array->bucket_of[i]] += counts[(ulong)chunk * p->num_cells + i];
    }
}

/* Moves a chunk's elements to their buckets. */
CLSORT_INLINE void cpu_scatter_chunk(const struct cpu_params *p, const struct cpu_array *array,
                                     uint chunk)
{
    if (array->state->directions != (GOES_DOWN | GOES_UP))
        return;
    const ulong row = array->slot * p->num_chunks + chunk;
    __global const ulong *starts = TABLE(const ulong, places) + row * p->max_buckets;
    __global ITEM *lines = TABLE(ITEM, lines) + row * p->max_buckets * LINE;
    const uint num_buckets = array->state->num_buckets;
    const ulong begin = chunk * p->chunk_size;
    const ulong end = chunk_end(p, chunk);
    struct cells cells;
    cells_read(array->state, &cells);
    ulong places[CPU_BUCKETS];
    for (uint i = 0; i < num_buckets; ++i)
        places[i] = starts[i];
#define SCATTER(flat)                                                                              \
    if (p->flags & FLAG_STREAM)                                                                    \
        buckets_scatter_lines(array->keys, array->payloads, begin, end, p->flags, &cells, flat,    \
                              array->bucket_of, places, starts, num_buckets, lines, array->items); \
    else                                                                                           \
        buckets_scatter(array->keys, array->payloads, begin, end, p->flags, &cells, flat,          \
                        array->bucket_of, places, array->items)
    if (cells.flat) {
        SCATTER(1);
    } else {
        SCATTER(0);
    }
#undef SCATTER
}

/* Sorts one bucket and writes it to the output. */
CLSORT_INLINE void cpu_sort_bucket(const struct cpu_params *p, const struct cpu_array *array,
                                   uint bucket, ulong worker)
{
    __global ITEM *spare = TABLE(ITEM, spare) + worker * p->spare_items;
    const ulong begin = array->starts[bucket];
    const ulong count = array->starts[bucket + 1] - begin;
    __global ITEM *items = array->items + begin;
    __global stored_key_t *keys = array->keys_out + begin;
    __global payload_t *payloads = array->payloads_out + begin;
    if (count == 0)
        return;
    if (count > p->spare_items) {
        /* An argsort's keys have no place in the output. */
        __global stored_key_t *room =
            p->flags & FLAG_STORE_KEYS
                ? keys
                : TABLE(stored_key_t, spare_keys) + array->slot * p->count + begin;
        const struct refine_tables tables = {
            TABLE(uint, refine_counts) + worker * p->num_cells,
            TABLE(ulong, refine_totals) + worker * p->num_cells,
            TABLE(ulong, refine_starts) + worker * (p->max_buckets + 1),
            TABLE(ushort, refine_bucket_of) + worker * p->num_cells,
        };
        refine_sort(p, &tables, items, spare, count, room, payloads);
        return;
    }
    items_store(keys, payloads, items_sort(items, spare, (uint)count) ? spare : items, (uint)count,
                p->flags);
}

/* Sorts an array that fits in the cache. */
CLSORT_INLINE void cpu_sort_short(const struct cpu_params *p, const struct cpu_array *array,
                                  ulong worker)
{
    __global ITEM *spare = TABLE(ITEM, spare) + worker * p->spare_items;
    const uint count = (uint)p->count;
    for (uint i = 0; i < count; ++i)
        array->items[i] = item_load(array->keys, array->payloads, i, i, p->flags);
    items_store(array->keys_out, array->payloads_out,
                items_sort(array->items, spare, count) ? spare : array->items, count, p->flags);
}

/* Part `part` of num_parts of an array whose keys go one way only, to the output. */
CLSORT_INLINE void cpu_copy(const struct cpu_params *p, const struct cpu_array *array, ulong part,
                            ulong num_parts)
{
    const int reverse = array->state->directions & GOES_DOWN;
    const int in_place = p->flags & FLAG_IN_PLACE;
    if (in_place && !reverse && !(p->flags & FLAG_MAKE_INDEX))
        return;
    const int swap = in_place && reverse; /* a pair of places at a time */
    const ulong count = swap ? (p->count + 1) / 2 : p->count;
    const ulong size = (count + num_parts - 1) / num_parts;
    const ulong begin = min(part * size, count);
    const ulong end = min(begin + size, count);
    for (ulong i = begin; i < end; ++i) {
        const ulong from = reverse ? p->count - 1 - i : i;
        const ITEM item = item_load(array->keys, array->payloads, from, from, p->flags);
        if (swap)
            item_store(array->keys_out, array->payloads_out, from,
                       item_load(array->keys, array->payloads, i, i, p->flags), p->flags);
        item_store(array->keys_out, array->payloads_out, i, item, p->flags);
    }
}

#endif
