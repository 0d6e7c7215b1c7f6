/* buckets.h: one work-item joins neighbouring bins to buckets of nearly equal size, and
 * moves the elements to them. */
#ifndef CLSORT_CPU_BUCKETS_H
#define CLSORT_CPU_BUCKETS_H

#include "cpu/bins.h"

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

#endif
