/* refine.h: a bucket that a work-item's cache does not hold, sorted by that work-item.
 *
 * Idea: keys that crowd around a few values leave buckets that are far too large, of keys that
 * differ in their low bits alone. Such a bucket is sorted like an array: it is sampled, cut into
 * bins and dealt to buckets again, by its own range. What is still too large waits on a stack for
 * the same. A level costs as much as two passes by digits, and one level is most often enough, so
 * REFINE_LEVELS are few. What they do not cut, or the stack has no room for, is sorted by digits
 * (items_sort_long). So the work is bounded, whatever the keys are.
 *
 * Vectors need none of this (cpu_sort_items() in cpu.h), and lose by it. */
#ifndef CLSORT_CPU_REFINE_H
#define CLSORT_CPU_REFINE_H

#include "cpu/buckets.h"
#include "cpu/sort.h"

/* Bounds of tables and of a private stack, no tuning. */
#define REFINE_LEVELS 4
#define REFINE_WAITING 64

/* A work-item's tables for one level. */
struct refine_tables {
    __global uint *counts;          /* [bin] */
    __global ulong *histogram;      /* [bin] */
    __global ulong *bucket_offsets; /* [bucket + 1] */
    __global ushort *bucket_of;     /* [bin] */
};

/* Elements that lie in order of their buckets, items from `begin` on. */
struct refine_part {
    ulong begin, count;
    uint level;
};

/* Deals count items to new buckets, tables->bucket_offsets, within the same place; keys and
 * payloads are the room beside it. Returns how many buckets there are; 0: the keys were in
 * order, and are now there. */
CPU_CALLED uint refine_deal(const struct cpu_params *p, const struct refine_tables *tables,
                            __global ITEM *items, ulong count, __global stored_key_t *keys,
                            __global payload_t *payloads)
{
    struct bins bins;
    ulong write_offsets[CPU_BUCKETS];
    for (ulong i = 0; i < count; ++i)
        item_store(keys, payloads, i, items[i], p->flags | FLAG_STORE_KEYS | FLAG_STORE_PAYLOAD);
    bins_sample(keys, count, p->num_bins, &bins);
    for (uint i = 0; i < p->num_bins; ++i)
        tables->counts[i] = 0;
    if (!(bins_count(keys, 0, count, &bins, bins.flat, tables->counts) & DESCENDING))
        return 0;
    for (uint i = 0; i < p->num_bins; ++i)
        tables->histogram[i] = tables->counts[i];
    const uint num_buckets =
        buckets_merge(tables->histogram, p->num_bins, p->bucket_target, p->max_buckets,
                      tables->bucket_of, tables->bucket_offsets);
    for (uint i = 0; i < num_buckets; ++i)
        write_offsets[i] = tables->bucket_offsets[i];
    buckets_scatter(keys, payloads, 0, count, p->flags & ~FLAG_MAKE_INDEX, &bins, bins.flat,
                    tables->bucket_of, write_offsets, items);
    return num_buckets;
}

/* Sorts count items to keys and payloads, in which there is room for all of them, keys included
 * where only payloads are wanted. */
CPU_CALLED void refine_sort(const struct cpu_params *p, const struct refine_tables *tables,
                            __global ITEM *items, __global ITEM *spare, ulong count,
                            __global stored_key_t *keys, __global payload_t *payloads)
{
    struct refine_part waiting[REFINE_WAITING];
    uint num = 1;
    waiting[0].begin = 0;
    waiting[0].count = count;
    waiting[0].level = 0;
    if (count > UINT_MAX) { /* tables of a part count in 32 bits */
        items_sort_long(items, count, keys, payloads, p->flags);
        return;
    }
    while (num > 0) {
        const struct refine_part part = waiting[--num];
        const uint num_buckets = refine_deal(p, tables, items + part.begin, part.count,
                                             keys + part.begin, payloads + part.begin);
        for (uint i = 0; i < num_buckets; ++i) {
            const ulong begin = part.begin + tables->bucket_offsets[i];
            const ulong size = tables->bucket_offsets[i + 1] - tables->bucket_offsets[i];
            if (size <= p->spare_items) {
                bucket_sort(items + begin, spare, (uint)size, keys + begin, payloads + begin,
                            p->flags);
            } else if (size < part.count && part.level + 1 < REFINE_LEVELS &&
                       num < REFINE_WAITING) {
                waiting[num].begin = begin;
                waiting[num].count = size;
                waiting[num].level = part.level + 1;
                ++num;
            } else {
                items_sort_long(items + begin, size, keys + begin, payloads + begin, p->flags);
            }
        }
    }
}

#endif
