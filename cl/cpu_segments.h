/* cpu_segments.h: segments of numbers on CPUs, where a work-group is one work-item.
 *
 * Idea: each work-item has an equal share of the elements, whatever the lengths. It sorts the
 * segments that begin in its share in its cache. A segment that is longer than a chunk is cut into
 * chunks, which belong to the work-items in whose shares they begin. Rounds of merges follow, each
 * by equal shares too. A long segment takes part in as many rounds as it needs, and its chunks are
 * put where the last round then ends in the output. */
#ifndef CLSORT_CPU_SEGMENTS_H
#define CLSORT_CPU_SEGMENTS_H

#include "cpu_sort.h"
#include "segments.h"

#define SEGMENTS_CPU_ARGS                                                       \
    const struct cpu_segments_params p, ITEM_ARGS, __global void *scratch

/* Where elements lie. */
struct segments_place {
    __global stored_key_t *keys;
    __global payload_t *payloads;
};

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

/* Rounds of merges that a segment takes part in. */
CLSORT_INLINE uint segments_rounds(const struct cpu_segments_params *p, ulong size)
{
    const ulong last = (size - 1) / p->chunk;
    return last ? 64 - (uint)clz(last) : 0;
}

#endif
