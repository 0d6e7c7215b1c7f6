/* segments.h: segments of numbers on CPUs, where a work-group is one work-item.
 *
 * Idea: each work-item has an equal share of the elements, whatever the lengths. It sorts the
 * segments that begin in its share: short ones in its cache, others as it refines a bucket
 * (refine.h). A segment longer than a share is long. All work-items sort it together, by the
 * steps of an array (cpu.h); its chunks are the shares that begin in it. No two long segments have
 * a share in common. So they need no list: the tables have a row and a slot for each share, and a
 * long segment takes those of its first share. */
#ifndef CLSORT_CPU_SEGMENTS_H
#define CLSORT_CPU_SEGMENTS_H

#include "cpu/refine.h"
#include "segments/segments.h"

/* Where segments begin, as bits. */
struct segments_heads {
    __global const uint *bits, *tops;
    ulong count;
};

/* The first head behind element `at`: the count if there is no other. */
CLSORT_INLINE ulong head_after(const struct segments_heads *heads, ulong at)
{
    ulong word = (at + 1) / 32;
    uint value = heads->bits[word] & ~0u << ((at + 1) & 31);
    while (!value) {
        ++word;
        while (word % 32 == 0 && !(heads->tops[word / 1024] >> (word / 32 % 32) & 1))
            word += 32;
        value = heads->bits[word];
    }
    return min(word * 32 + 31 - clz(value & (0u - value)), heads->count);
}

/* The last head up to element `at`: 0 if there is no other. */
CLSORT_INLINE ulong head_before(const struct segments_heads *heads, ulong at)
{
    ulong word = at / 32;
    uint value = heads->bits[word] & ~0u >> (31 - (at & 31));
    while (!value && word > 0) {
        --word;
        while (word % 32 == 31 && word > 31 && !(heads->tops[word / 1024] >> (word / 32 % 32) & 1))
            word -= 32;
        value = heads->bits[word];
    }
    return value ? word * 32 + 31 - clz(value) : 0;
}

/* Elements [begin, end) as an array in the buffers; shares that begin in it are its chunks. */
CLSORT_INLINE void segments_open(const struct cpu_segments_params *q, CPU_ARGS, ulong begin,
                                 ulong end, struct cpu_array *array)
{
    const struct cpu_params *p = &q->cpu;
    const ulong slot = (begin + q->share - 1) / q->share;
    cpu_bind(p, q->offsets, CPU_BUFFERS, begin, q->tables, begin, array);
    cpu_take_slot(p, slot, slot, array);
    array->count = end - begin;
    array->first_index = q->flags & SEGMENTS_FLAG_GAPS ? 0 : begin;
    array->num_chunks = (uint)((end + q->share - 1) / q->share - slot);
    array->lead = slot * q->share - begin;
}

/* Where the long segment of each share begins and ends. */
struct segments_long {
    ulong begin, end; /* 0, 0: there is none */
};

#define SEGMENTS_LONG (SEGMENTS_TABLE(struct segments_long, longs))

#endif
