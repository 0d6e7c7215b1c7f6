/* buckets.h: one work-item joins neighbouring bins to buckets of nearly equal size, and
 * moves the elements to them. */
#ifndef CLSORT_CPU_BUCKETS_H
#define CLSORT_CPU_BUCKETS_H

#include "cpu/bins.h"

#define LINE (64 / ITEM_SIZE) /* items of a cache line */

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

/* Stores past the cache, if the compiler can. */
#define STREAMING_STORE(value, to) (*(to) = (value))
#if defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#undef STREAMING_STORE
#define STREAMING_STORE(value, to) __builtin_nontemporal_store(value, to)
#endif
#endif

/* Stores a full line past the cache, so that its old content is not read first. */
CLSORT_INLINE void line_store(__global const ITEM *line, __global ITEM *to)
{
    STREAMING_STORE(*(__global const uint16 *)line, (__global uint16 *)to);
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
                                   uint flags, const struct bins *bins, int flat,
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

/* The same with write combining, for arrays that the cache does not hold: each bucket has a line in
 * the cache, from lines[bucket * LINE] on, which is written as a whole. first_offsets are the
 * write_offsets to begin with, since a bucket's first line is not whole. One core is slower by it
 * than by prefetching, but reads a third less of memory. */
CLSORT_INLINE void buckets_scatter_combined(__global const stored_key_t *keys,
                                            __global const payload_t *payloads, ulong begin,
                                            ulong end, uint flags, const struct bins *bins,
                                            int flat, __global const ushort *bucket_of,
                                            ulong *write_offsets,
                                            __global const ulong *first_offsets, uint num_buckets,
                                            __global ITEM *lines, __global ITEM *items)
{
    /* Places are counted from the start of the line that items begins in. */
    const uint lead = (uint)((size_t)items / ITEM_SIZE % LINE);
    __global ITEM *aligned = items - lead;
    for (uint bucket = 0; bucket < num_buckets; ++bucket)
        write_offsets[bucket] += lead;
    for (ulong i = begin; i < end; ++i) {
        const ITEM item = item_load(keys, payloads, i, i, flags);
        const uint bucket = bucket_of[bin_of(bins, ITEM_RADIX(item), flat)];
        __global ITEM *line = lines + bucket * LINE;
        const ulong place = write_offsets[bucket]++;
        line[place % LINE] = item;
        if (place % LINE == LINE - 1) {
            const ulong first = place - (LINE - 1);
            if (first >= first_offsets[bucket] + lead) {
                line_store(line, aligned + first);
            } else {
                for (ulong at = first_offsets[bucket] + lead; at <= place; ++at)
                    aligned[at] = line[at % LINE];
            }
        }
    }
    for (uint bucket = 0; bucket < num_buckets; ++bucket) {
        const ulong start = first_offsets[bucket] + lead;
        const ulong place = write_offsets[bucket];
        const ulong first = place - place % LINE;
        for (ulong at = first > start ? first : start; at < place; ++at)
            aligned[at] = lines[bucket * LINE + at % LINE];
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE); /* stores past the cache are not ordered by themselves */
}

#endif
