/* cpu.h: the steps of the radix sort for CPUs, where a work-group is one work-item. Struct
 * cpu_params lays out their tables in scratch. In radix.cl all work-items sort few long arrays
 * together, or each makes all steps one after the other, for arrays of its own.
 *
 * No step waits for another work-group; none needs a barrier or local memory. */
#ifndef CLSORT_CPU_H
#define CLSORT_CPU_H

#include "cpu/sort.h"

#define CPU_ARGS ITEM_ARGS, __global void *scratch
#define CPU_BUFFERS keys_in, keys_out, payload_in, payload_out, scratch

/* Joins num_bins bins, of which the array has `histogram` elements, to at most max_buckets
 * buckets of about `target` elements. Writes bucket_of[bin] and bucket_offsets[bucket]; returns the
 * number of buckets, and bucket_offsets has one entry more. */
CLSORT_INLINE uint buckets_merge(__global const ulong *histogram, uint num_bins, ulong target,
                                 uint max_buckets, __global ushort *bucket_of,
                                 __global ulong *bucket_offsets)
{
    uint bucket = 0;
    ulong begin = 0;
    ulong end = 0;
    bucket_offsets[0] = 0;
    for (uint bin = 0; bin < num_bins; ++bin) {
        const ulong size = histogram[bin];
        if (end > begin && end - begin + size / 2 > target && bucket + 1 < max_buckets) {
            bucket_offsets[++bucket] = end;
            begin = end;
        }
        bucket_of[bin] = (ushort)bucket;
        end += size;
    }
    bucket_offsets[bucket + 1] = end;
    return bucket + 1;
}

/* Prefetches the line of an item that is to be written. A processor's own prefetcher follows one
 * stream, but not one for each bucket. Distances of 8 to 32 are as good, so it is no tuning.
 * Oclgrind, which compiles for no processor, has no such instruction. */
#define FETCH_AHEAD 16
#if defined(__x86_64__) || defined(__aarch64__)
#define LINE_FETCH(item) __builtin_prefetch(item, 1)
#else
#define LINE_FETCH(item) (void)(item)
#endif

/* Elements [begin, end) of an array to items: the next of bucket b to items[write_offsets[b]++]. */
CLSORT_INLINE void buckets_scatter(__global const stored_key_t *keys,
                                   __global const payload_t *payloads, ulong begin, ulong end,
                                   uint flags, const struct cpu_bins *bins, int flat,
                                   __global const ushort *bucket_of, ulong *write_offsets,
                                   __global ITEM *items)
{
    for (ulong i = begin; i < end; ++i) {
        const ITEM item = item_load(keys, payloads, i, i, flags);
        const ulong place = write_offsets[bucket_of[bin_of(bins, ITEM_RADIX(item), flat)]]++;
        items[place] = item;
        LINE_FETCH(items + place + FETCH_AHEAD);
    }
}

/* An array, and its rows of the tables. */
struct cpu_array {
    __global const stored_key_t *keys;
    __global stored_key_t *keys_out;
    __global const payload_t *payloads;
    __global payload_t *payloads_out;
    __global stored_key_t *spare_keys;
    __global uchar *tables;
    ulong count;
    ulong first_index; /* that an element gets, if indices are made */
    ulong slot;
    ulong first_row; /* of its chunks */
    uint num_chunks;
    uint flags;
    ulong chunk_size;
    uint level; /* how often its elements have been dealt to buckets before */
    ulong lead; /* by which the first chunk is longer than the others */
    __global ITEM *items;
    __global struct cpu_state *state;
    __global ushort *bucket_of;
    __global ulong *bucket_offsets;
};

#define TABLE(type, name) ((__global type *)(array->tables + p->name))

/* Gives an array a slot of the tables, and rows from this one on. */
CLSORT_INLINE void cpu_take_slot(const struct cpu_params *p, ulong slot, ulong first_row,
                                 struct cpu_array *array)
{
    array->slot = slot;
    array->first_row = first_row;
    array->state = TABLE(struct cpu_state, states) + slot;
    array->bucket_of = TABLE(ushort, bucket_of) + slot * p->num_bins;
    array->bucket_offsets = TABLE(ulong, bucket_offsets) + slot * (p->max_buckets + 1);
}

/* Elements from `first` on of the buffers, which begin at these offsets, and what begins at `at` in
 * the tables, which begin at byte `tables` of scratch. */
CLSORT_INLINE void cpu_bind(const struct cpu_params *p, const param_u64 *buffers, CPU_ARGS,
                            ulong first, ulong tables, ulong at, struct cpu_array *array)
{
    array->keys = BUFFER_AT(const stored_key_t, buffers, keys_in, 0) + first;
    array->keys_out = BUFFER_AT(stored_key_t, buffers, keys_out, 1) + first;
    array->payloads = BUFFER_AT(const payload_t, buffers, payload_in, 2) + first;
    array->payloads_out = BUFFER_AT(payload_t, buffers, payload_out, 3) + first;
    array->tables = BUFFER_TABLE(uchar, buffers, scratch, tables);
    array->tables += (0 - (size_t)array->tables) % CPU_ALIGNMENT;
    array->items = TABLE(ITEM, items) + at;
    array->spare_keys = TABLE(stored_key_t, spare_keys) + at;
    array->flags = p->flags;
    array->chunk_size = p->chunk_size;
    array->level = 0;
}

/* Array `number` of the buffers, in slot `slot` of the tables. */
CLSORT_INLINE void cpu_open(const struct cpu_params *p, CPU_ARGS, ulong number, ulong slot,
                            struct cpu_array *array)
{
    cpu_bind(p, p->offsets, CPU_BUFFERS, number * p->count, 0, slot * p->count, array);
    cpu_take_slot(p, slot, slot * p->num_chunks, array);
    array->count = p->count;
    array->first_index = 0;
    array->num_chunks = p->num_chunks;
    array->lead = 0;
}

/* Where a chunk of an array begins, and where the one before it ends. */
CLSORT_INLINE ulong chunk_begin(const struct cpu_array *array, uint chunk)
{
    return chunk ? min((ulong)(array->lead + chunk * array->chunk_size), array->count) : 0;
}

/* Whether an array's keys are neither in order nor reversed. */
#define CPU_IS_MIXED(array) ((array)->state->monotonicity == (DESCENDING | ASCENDING))

/* Counts a chunk's keys by bin, and whether they are in order, reversed or neither. */
CPU_CALLED void cpu_count_chunk(const struct cpu_params *p, const struct cpu_array *array,
                                uint chunk)
{
    const ulong row = array->first_row + chunk;
    __global uint *counts = TABLE(uint, counts) + row * p->num_bins;
    struct cpu_bins bins;
    key_t low = 0, high = p->num_bins - 1; /* a bin is one key */
    if (array->level == CPU_SAMPLED)
        items_range(array->items, array->count, &low, &high);
    if (array->level == CPU_SAMPLED || p->flags & CPU_FLAG_EXACT)
        bins_flat(low, high, p->num_bins, &bins);
    else /* the same in every chunk: cheaper than a launch before this one */
        bins_sample(array->keys, array->count, p->num_bins, &bins);
    if (chunk == 0)
        array->state->bins = bins;
    for (uint i = 0; i < p->num_bins; ++i)
        counts[i] = 0;
    const ulong begin = chunk_begin(array, chunk), end = chunk_begin(array, chunk + 1);
    TABLE(uint, monotonicity)
    [row] = bins.flat ? bins_count(array->keys, begin, end, &bins, 1, counts)
                      : bins_count(array->keys, begin, end, &bins, 0, counts);
}

/* Joins bins to buckets, and finds where each chunk's part of each bucket begins. */
CPU_CALLED void cpu_scan_counts(const struct cpu_params *p, const struct cpu_array *array)
{
    const ulong first_row = array->first_row;
    __global const uint *ways = TABLE(const uint, monotonicity) + first_row;
    __global const uint *counts = TABLE(const uint, counts) + first_row * p->num_bins;
    __global ulong *histogram = TABLE(ulong, histogram) + array->slot * p->num_bins;
    __global ulong *write_offsets = TABLE(ulong, write_offsets) + first_row * p->max_buckets;
    uint monotonicity = 0;
    for (uint chunk = 0; chunk < array->num_chunks; ++chunk)
        monotonicity |= ways[chunk];
    array->state->monotonicity = monotonicity;
    array->state->next_bucket = 0;
    array->state->num_buckets = 0;
    if (!CPU_IS_MIXED(array))
        return;
    for (uint i = 0; i < p->num_bins; ++i)
        histogram[i] = counts[i];
    for (uint chunk = 1; chunk < array->num_chunks; ++chunk)
        for (uint i = 0; i < p->num_bins; ++i)
            histogram[i] += counts[(ulong)chunk * p->num_bins + i];
    if (p->flags & CPU_FLAG_EXACT) {
        array->bucket_offsets[0] = 0;
        for (uint i = 0; i < p->num_bins; ++i)
            array->bucket_offsets[i + 1] = array->bucket_offsets[i] + histogram[i];
        return;
    }
    const ulong most = array->level ? p->spare_items / 2 : ~0ul;
    const uint num_buckets =
        buckets_merge(histogram, p->num_bins, min((ulong)p->bucket_target, most), p->max_buckets,
                      array->bucket_of, array->bucket_offsets);
    array->state->num_buckets = num_buckets;
    ulong ends[CPU_BUCKETS];
    for (uint i = 0; i < num_buckets; ++i)
        ends[i] = array->bucket_offsets[i];
    for (uint chunk = 0; chunk < array->num_chunks; ++chunk) {
        for (uint i = 0; i < num_buckets; ++i)
            write_offsets[(ulong)chunk * p->max_buckets + i] = ends[i];
        for (uint i = 0; i < p->num_bins; ++i)
            ends[array->bucket_of[i]] += counts[(ulong)chunk * p->num_bins + i];
    }
}

/* Moves a chunk's elements to their buckets. */
CPU_CALLED void cpu_scatter_chunk(const struct cpu_params *p, const struct cpu_array *array,
                                  uint chunk)
{
    if (!CPU_IS_MIXED(array))
        return;
    const ulong row = array->first_row + chunk;
    __global const ulong *first_offsets = TABLE(const ulong, write_offsets) + row * p->max_buckets;
    const uint num_buckets = array->state->num_buckets;
    const ulong begin = chunk_begin(array, chunk), end = chunk_begin(array, chunk + 1);
    const struct cpu_bins bins = array->state->bins;
    ulong write_offsets[CPU_BUCKETS];
    for (uint i = 0; i < num_buckets; ++i)
        write_offsets[i] = first_offsets[i];
    /* Counted as indices are. */
    __global const stored_key_t *keys = array->keys - array->first_index;
    __global const payload_t *payloads = array->payloads - array->first_index;
    const ulong first = array->first_index + begin, last = array->first_index + end;
    if (bins.flat)
        buckets_scatter(keys, payloads, first, last, array->flags, &bins, 1, array->bucket_of,
                        write_offsets, array->items);
    else
        buckets_scatter(keys, payloads, first, last, array->flags, &bins, 0, array->bucket_of,
                        write_offsets, array->items);
}

/* Deals all of an array's elements to buckets, by one work-item. */
CPU_CALLED void cpu_deal(const struct cpu_params *p, const struct cpu_array *array)
{
    for (uint chunk = 0; chunk < array->num_chunks; ++chunk)
        cpu_count_chunk(p, array, chunk);
    cpu_scan_counts(p, array);
    for (uint chunk = 0; chunk < array->num_chunks; ++chunk)
        cpu_scatter_chunk(p, array, chunk);
}

/* Copies part `part` of num_parts of an array that is in order, or reversed, to the output. */
CPU_CALLED void cpu_copy(const struct cpu_array *array, ulong part, ulong num_parts)
{
    const int reverse = array->state->monotonicity & DESCENDING;
    const int in_place = array->flags & FLAG_IN_PLACE;
    if (in_place && !reverse && !(array->flags & FLAG_MAKE_INDEX))
        return;
    const int swap = in_place && reverse; /* two elements at a time */
    const ulong count = swap ? (array->count + 1) / 2 : array->count;
    const ulong size = (count + num_parts - 1) / num_parts;
    const ulong begin = min(part * size, count);
    const ulong end = min(begin + size, count);
    for (ulong i = begin; i < end; ++i) {
        const ulong from = reverse ? array->count - 1 - i : i;
        const ITEM item =
            item_load(array->keys, array->payloads, from, array->first_index + from, array->flags);
        if (swap)
            item_store(array->keys_out, array->payloads_out, from,
                       item_load(array->keys, array->payloads, i, array->first_index + i,
                                 array->flags),
                       array->flags);
        item_store(array->keys_out, array->payloads_out, i, item, array->flags);
    }
}

/* Writes part `part` of num_parts of the output, each key as often as it was counted: a bin is one
 * key. The first one is the last bin that starts at or before the part. */
CLSORT_INLINE void cpu_fill(const struct cpu_params *p, const struct cpu_array *array, ulong part,
                            ulong num_parts)
{
    const ulong size = (p->count + num_parts - 1) / num_parts;
    const ulong begin = min(part * size, (ulong)p->count);
    const ulong end = min(begin + size, (ulong)p->count);
    uint bin = 0;
    for (uint step = p->num_bins / 2; step > 0; step /= 2)
        bin += array->bucket_offsets[bin + step] <= begin ? step : 0;
    for (ulong at = begin; at < end; ++bin) {
        const stored_key_t key = (stored_key_t)KEY_DECODE((key_t)bin);
        const ulong last = min((ulong)array->bucket_offsets[bin + 1], end);
        for (; at < last; ++at)
            array->keys_out[at] = key;
    }
}

#endif
