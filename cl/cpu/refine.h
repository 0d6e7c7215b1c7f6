/* refine.h: a bucket that a work-item's cache does not hold, sorted by that work-item.
 *
 * Idea: keys that crowd around a few values leave buckets that are far too large, of keys that
 * differ in their low bits alone. Such a bucket is sorted like an array: it is sampled, cut into
 * bins and dealt to buckets again, by its own range. What is still too large waits for the same. A
 * level costs as much as two passes by digits, and one level is most often enough. Deeper than
 * REFINE_SAMPLED levels, bins divide the exact range from the smallest key to the largest: each
 * level then cuts the range to a bin, or leaves out buckets of it. So the work is bounded, whatever
 * the keys are.
 *
 * Vectors need none of this (cpu_sort_items() in cpu.h), and lose by it. */
#ifndef CLSORT_CPU_REFINE_H
#define CLSORT_CPU_REFINE_H

#include "cpu/buckets.h"
#include "cpu/sort.h"

#define REFINE_SAMPLED 3           /* levels; no tuning: most often there is one */
#define REFINE_COUNTED (1ul << 31) /* keys at a time: counts have 32 bits */

/* Elements that lie in order of their buckets, items from `begin` on. */
struct refine_part {
    ulong begin, count, level;
};

/* A work-item's tables for one level. */
struct refine_tables {
    __global uint *counts;          /* [bin] */
    __global ulong *histogram;      /* [bin] */
    __global ulong *bucket_offsets; /* [bucket + 1] */
    __global ushort *bucket_of;     /* [bin] */
    __global struct refine_part *waiting;
};

/* Counts keys by bin. Returns their monotonicity. */
CLSORT_INLINE uint refine_count(const struct refine_tables *tables,
                                __global const stored_key_t *keys, ulong count,
                                const struct bins *bins, uint num_bins)
{
    uint monotonicity = 0;
    for (uint i = 0; i < num_bins; ++i)
        tables->histogram[i] = 0;
    for (ulong begin = 0; begin < count; begin += REFINE_COUNTED) {
        for (uint i = 0; i < num_bins; ++i)
            tables->counts[i] = 0;
        monotonicity |= bins_count(keys, begin, min(begin + REFINE_COUNTED, count), bins,
                                   bins->flat, tables->counts);
        for (uint i = 0; i < num_bins; ++i)
            tables->histogram[i] += tables->counts[i];
    }
    return monotonicity;
}

/* Deals the items of a part to new buckets, tables->bucket_offsets, within the same place; keys and
 * payloads are the room beside it. Returns how many buckets there are; 0: the keys were in
 * order, and are now there. A bucket that is too large has a bin alone, or is the last. */
CPU_CALLED uint refine_deal(const struct cpu_params *p, const struct refine_tables *tables,
                            struct refine_part part, __global ITEM *items,
                            __global stored_key_t *keys, __global payload_t *payloads)
{
    struct bins bins;
    ulong write_offsets[CPU_BUCKETS];
    for (ulong i = 0; i < part.count; ++i)
        item_store(keys, payloads, i, items[i], p->flags | FLAG_STORE_KEYS | FLAG_STORE_PAYLOAD);
    if (part.level < REFINE_SAMPLED) {
        bins_sample(keys, part.count, p->num_bins, &bins);
    } else {
        key_t low, high;
        items_range(items, part.count, &low, &high);
        bins_flat(low, high, p->num_bins, &bins);
    }
    if (!(refine_count(tables, keys, part.count, &bins, p->num_bins) & DESCENDING))
        return 0;
    const uint num_buckets =
        buckets_merge(tables->histogram, p->num_bins,
                      min((ulong)p->bucket_target, (ulong)p->spare_items / 2), p->max_buckets,
                      tables->bucket_of, tables->bucket_offsets);
    for (uint i = 0; i < num_buckets; ++i)
        write_offsets[i] = tables->bucket_offsets[i];
    buckets_scatter(keys, payloads, 0, part.count, p->flags & ~FLAG_MAKE_INDEX, &bins, bins.flat,
                    tables->bucket_of, write_offsets, items);
    return num_buckets;
}

/* Sorts count items to keys and payloads, in which there is room for all of them, keys included
 * where only payloads are wanted. All parts that wait are too large, so there is room for them. */
CPU_CALLED void refine_sort(const struct cpu_params *p, const struct refine_tables *tables,
                            __global ITEM *items, __global ITEM *spare, ulong count,
                            __global stored_key_t *keys, __global payload_t *payloads)
{
    __global struct refine_part *waiting = tables->waiting;
    ulong num = 1;
    waiting[0] = (struct refine_part){0, count, 0};
    while (num > 0) {
        const struct refine_part part = waiting[--num];
        const uint num_buckets = refine_deal(p, tables, part, items + part.begin, keys + part.begin,
                                             payloads + part.begin);
        for (uint i = 0; i < num_buckets; ++i) {
            const ulong begin = part.begin + tables->bucket_offsets[i];
            const ulong size = tables->bucket_offsets[i + 1] - tables->bucket_offsets[i];
            if (size <= p->spare_items)
                bucket_sort(items + begin, spare, size, keys + begin, payloads + begin, p->flags);
            else
                waiting[num++] = (struct refine_part){begin, size, part.level + 1};
        }
    }
}

#endif
