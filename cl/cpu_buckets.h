/* cpu_buckets.h: neighbouring cells merged to buckets of nearly equal size, and the move of the
 * elements to them, by one work-item. */
#ifndef CLSORT_CPU_BUCKETS_H
#define CLSORT_CPU_BUCKETS_H

#include "cpu_cells.h"

#define LINE (64 / ITEM_SIZE) /* items of a cache line */

/* Deals num_cells cells, of which the whole array has `totals` elements, to at most max_buckets
 * buckets of about `target` elements. bucket_of[cell] and starts[bucket] are written; returns the
 * number of buckets, and starts has one entry more. */
CLSORT_INLINE uint buckets_merge(__global const ulong *totals, uint num_cells, ulong target,
                                 uint max_buckets, __global ushort *bucket_of,
                                 __global ulong *starts)
{
    uint bucket = 0;
    ulong begin = 0;
    ulong end = 0;
    starts[0] = 0;
    for (uint cell = 0; cell < num_cells; ++cell) {
        const ulong size = totals[cell];
        if (end > begin && end - begin + size / 2 > target && bucket + 1 < max_buckets) {
            starts[++bucket] = end;
            begin = end;
        }
        bucket_of[cell] = (ushort)bucket;
        end += size;
    }
    starts[bucket + 1] = end;
    return bucket + 1;
}

/* Stores a full line past the cache, so that its old content is not read first. */
CLSORT_INLINE void line_store(__global const ITEM *line, __global ITEM *to)
{
#if defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define HAS_STREAMING_STORE
#endif
#endif
#ifdef HAS_STREAMING_STORE
    __builtin_nontemporal_store(*(__global const uint16 *)line, (__global uint16 *)to);
#else
    *(__global uint16 *)to = *(__global const uint16 *)line;
#endif
}

/* Asks for the line of an item that is to be written: a processor foresees one place that is written
 * item after item, but not one for each bucket. On one core 1.0 ns for an item instead of 1.2 (4 bytes)
 * and 2.4 (8 bytes), at 2^20. As good for 8 to 32. Oclgrind, which compiles for no processor, knows no such
 * instruction. */
#define FETCH_AHEAD 16
#if defined(__x86_64__) || defined(__aarch64__)
#define LINE_FETCH(item) __builtin_prefetch(item, 1)
#else
#define LINE_FETCH(item) (void)(item)
#endif

/* Elements [begin, end) of an array to items: the next of bucket b to items[places[b]++]. */
CLSORT_INLINE void buckets_scatter(__global const stored_key_t *keys,
                                   __global const payload_t *payloads, ulong begin, ulong end,
                                   uint flags, const struct cells *cells, int flat,
                                   __global const ushort *bucket_of, ulong *places,
                                   __global ITEM *items)
{
    for (ulong i = begin; i < end; ++i) {
        const ITEM item = item_load(keys, payloads, i, i, flags);
        const ulong place = places[bucket_of[cell_of(cells, ITEM_RADIX(item), flat)]]++;
        items[place] = item;
        LINE_FETCH(items + place + FETCH_AHEAD);
    }
}

/* The same through a line in the cache for each bucket, written as a whole: for arrays that the
 * cache does not hold. lines[bucket * LINE] on are the lines; starts is what places begins as: a
 * bucket's first line is not whole. On one core, for a 4-byte item, instead of asking for lines: 2.1 ns and
 * not 1.5 at 2^24, 2.1 and not 1.9 at 2^25; but memory is read a third less. */
CLSORT_INLINE void buckets_scatter_lines(__global const stored_key_t *keys,
                                         __global const payload_t *payloads, ulong begin, ulong end,
                                         uint flags, const struct cells *cells, int flat,
                                         __global const ushort *bucket_of, ulong *places,
                                         __global const ulong *starts, uint num_buckets,
                                         __global ITEM *lines, __global ITEM *items)
{
    /* Places are counted from the start of the line that items begins in. */
    const uint lead = (uint)((size_t)items / ITEM_SIZE % LINE);
    __global ITEM *aligned = items - lead;
    for (uint bucket = 0; bucket < num_buckets; ++bucket)
        places[bucket] += lead;
    for (ulong i = begin; i < end; ++i) {
        const ITEM item = item_load(keys, payloads, i, i, flags);
        const uint bucket = bucket_of[cell_of(cells, ITEM_RADIX(item), flat)];
        __global ITEM *line = lines + bucket * LINE;
        const ulong place = places[bucket]++;
        line[place % LINE] = item;
        if (place % LINE == LINE - 1) {
            const ulong first = place - (LINE - 1);
            if (first >= starts[bucket] + lead) {
                line_store(line, aligned + first);
            } else {
                for (ulong at = starts[bucket] + lead; at <= place; ++at)
                    aligned[at] = line[at % LINE];
            }
        }
    }
    for (uint bucket = 0; bucket < num_buckets; ++bucket) {
        const ulong start = starts[bucket] + lead;
        const ulong place = places[bucket];
        const ulong first = place - place % LINE;
        for (ulong at = first > start ? first : start; at < place; ++at)
            aligned[at] = lines[bucket * LINE + at % LINE];
    }
    mem_fence(CLK_GLOBAL_MEM_FENCE); /* stores past the cache are not ordered by themselves */
}

#endif
