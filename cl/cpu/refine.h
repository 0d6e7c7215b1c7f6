/* refine.h: the sort of an array's buckets, of which one may be too large for a work-item's cache.
 *
 * Idea: keys that crowd around a few values leave buckets that are far too large, of keys that
 * differ in their low bits alone. One work-item sorts such a bucket like an array (cpu.h): it is
 * sampled, cut into bins and dealt to buckets again, by its own range. What is still too large
 * waits for the same. A level costs as much as two passes by digits, and one level is most often
 * enough. Deeper than CPU_SAMPLED levels, bins divide the exact range from the smallest key to the
 * largest: each level then cuts the range to a bin, or leaves out buckets of it. So the work is
 * bounded, whatever the keys are.
 *
 * Vectors need none of this, and lose by it. */
#ifndef CLSORT_CPU_REFINE_H
#define CLSORT_CPU_REFINE_H

#include "cpu/cpu.h"

/* Elements that lie in order of their buckets, items from `begin` on. */
struct refine_part {
    ulong begin, count;
    uint level;
};

/* Deals the items of a part of an array to new buckets, within the same place. Beside it there is
 * room in the output, keys included where only payloads are wanted. A bucket that is too large has
 * a bin alone, or is the last. */
CLSORT_INLINE void refine_deal(const struct cpu_params *p, const struct cpu_array *all,
                               struct refine_part part, ulong worker, struct cpu_array *array)
{
    __global stored_key_t *keys =
        (p->flags & FLAG_STORE_KEYS ? all->keys_out : all->spare_keys) + part.begin;
    __global payload_t *payloads = all->payloads_out + part.begin;
    *array = *all;
    cpu_take_slot(p, p->refine_slot + worker, p->refine_row + worker * CPU_REFINE_CHUNKS(p->count),
                  array);
    array->keys = array->keys_out = keys;
    array->payloads = array->payloads_out = payloads;
    array->items += part.begin;
    array->count = part.count;
    array->first_index = array->lead = 0;
    array->chunk_size = CPU_REFINE_CHUNK;
    array->num_chunks = (uint)CPU_REFINE_CHUNKS(part.count);
    array->level = part.level;
    array->flags = (p->flags & ~FLAG_MAKE_INDEX) | FLAG_IN_PLACE;
    for (ulong i = 0; i < part.count; ++i)
        item_store(keys, payloads, i, array->items[i],
                   p->flags | FLAG_STORE_KEYS | FLAG_STORE_PAYLOAD);
    cpu_deal(p, array);
    if (!CPU_IS_MIXED(array))
        cpu_copy(array, 0, 1);
}

/* Sorts items [begin, begin + count) of an array that the cache does not hold, to the output. All
 * parts that wait are too large, so there is room for them. */
CPU_CALLED void refine_sort(const struct cpu_params *p, const struct cpu_array *array, ulong begin,
                            ulong count, ulong worker)
{
    __global ITEM *spare = TABLE(ITEM, spare) + worker * p->spare_items;
    __global struct refine_part *waiting =
        TABLE(struct refine_part, waiting) + worker * p->refine_parts;
    struct cpu_array dealt;
    ulong num = 1;
    waiting[0] = (struct refine_part){begin, count, 0};
    while (num > 0) {
        const struct refine_part part = waiting[--num];
        refine_deal(p, array, part, worker, &dealt);
        for (uint i = 0; i < dealt.state->num_buckets; ++i) {
            const ulong from = dealt.bucket_offsets[i];
            const ulong size = dealt.bucket_offsets[i + 1] - from;
            if (size <= p->spare_items)
                bucket_sort(dealt.items + from, spare, size, dealt.keys_out + from,
                            dealt.payloads_out + from, p->flags);
            else
                waiting[num++] = (struct refine_part){part.begin + from, size,
                                                      min(part.level + 1, (uint)CPU_SAMPLED)};
        }
    }
}

/* The same of any number. Vectors need neither a cache that holds the items nor a table. */
CPU_CALLED void cpu_sort_items(const struct cpu_params *p, const struct cpu_array *array,
                               ulong begin, ulong count, ulong worker)
{
    if (!VECTORS_OF_ITEMS && count > p->spare_items)
        refine_sort(p, array, begin, count, worker);
    else
        bucket_sort(array->items + begin, TABLE(ITEM, spare) + worker * p->spare_items, count,
                    array->keys_out + begin, array->payloads_out + begin, p->flags);
}

/* Sorts those of an array's buckets that no other work-item takes, or makes part `part` of
 * num_parts of an array that has none. */
CLSORT_INLINE void cpu_finish(const struct cpu_params *p, const struct cpu_array *array, ulong part,
                              ulong num_parts, ulong worker)
{
    if (!CPU_IS_MIXED(array)) {
        cpu_copy(array, part, num_parts);
        return;
    }
    if (KEY_BITS <= 16 && p->steps == CPU_FILL) {
        cpu_fill(p, array, part, num_parts);
        return;
    }
    __global const ulong *offsets = array->bucket_offsets;
    __global uint *next_bucket = (__global uint *)&array->state->next_bucket;
    for (uint bucket; (bucket = atomic_inc(next_bucket)) < array->state->num_buckets;)
        cpu_sort_items(p, array, offsets[bucket], offsets[bucket + 1] - offsets[bucket], worker);
}

#endif
