/* splitters.h: between which splitters a string lies. Strings and splitters are compared
 * chunk by chunk: by the splitters' tables first, by their bytes behind those. */
#ifndef CLSORT_STRING_SPLITTERS_H
#define CLSORT_STRING_SPLITTERS_H

#include "strings/chunk.h"

struct splitters {
    __global const ulong *samples;
    __global const ulong *words; /* [level][num] chunks */
    uint num;
};

/* The first of num words from `low` on that is not below `chunk`. */
CLSORT_INLINE uint splitters_search(__global const ulong *words, uint low, uint num, ulong chunk)
{
    while (num > 0) {
        const uint part = num / 2;
        const int above = words[low + part] < chunk;
        low += above ? part + 1 : 0;
        num = above ? num - part - 1 : part;
    }
    return low;
}

/* The same of the splitters [low, high) by their bytes from `depth` on. */
CLSORT_INLINE uint splitters_search_deep(const struct string_set *set,
                                         const struct splitters *splitters, uint low, uint high,
                                         ulong depth, ulong chunk)
{
    while (low < high) {
        const uint cut = (low + high) / 2;
        struct string_span span;
        string_find(set, splitters->samples[cut], &span);
        if (string_chunk(set, &span, depth) < chunk)
            low = cut + 1;
        else
            high = cut;
    }
    return low;
}

/* The bucket of a string with which the splitters [low, high) agree in `depth` bytes, and go on. */
CLSORT_INLINE uint splitters_bucket_deep(const struct string_set *set,
                                         const struct splitters *splitters,
                                         const struct string_span *own, uint low, uint high,
                                         ulong depth)
{
    for (;;) {
        struct string_span first, last;
        string_find(set, splitters->samples[low], &first);
        string_find(set, splitters->samples[high - 1], &last);
        /* What first and last have in common, all between them have. */
        const ulong agreed = string_agree(set, own, &first, depth, ~0ul);
        depth = string_agree(set, own, &last, depth, agreed);
        const ulong chunk = string_chunk(set, own, depth);
        if (chunk < string_chunk(set, &first, depth))
            return 2 * low;
        if (chunk > string_chunk(set, &last, depth))
            return 2 * high;
        low = splitters_search_deep(set, splitters, low, high, depth, chunk);
        if (low == high)
            return 2 * low;
        string_find(set, splitters->samples[low], &first);
        if (string_chunk(set, &first, depth) != chunk)
            return 2 * low;
        if (!CHUNK_GOES_ON(chunk))
            return 2 * low + 1;
        high = splitters_search_deep(set, splitters, low, high, depth, chunk + 1);
        depth += CHUNK_BYTES;
    }
}

/* The bucket of a string whose first chunk is known, and which splitter is the first not below
 * that. */
CLSORT_INLINE uint splitters_bucket(const struct string_set *set, const struct splitters *splitters,
                                    const struct string_span *own, ulong chunk, uint low)
{
    __global const ulong *words = splitters->words;
    uint high = splitters->num;
    ulong depth = 0;
    for (uint level = 0; low < high && words[low] == chunk;) {
        if (!CHUNK_GOES_ON(chunk))
            return 2 * low + 1;
        high = splitters_search(words, low + 1, high - low - 1, chunk + 1);
        depth += CHUNK_BYTES;
        if (++level == STRING_LEVELS)
            return splitters_bucket_deep(set, splitters, own, low, high, depth);
        words += splitters->num;
        chunk = string_chunk(set, own, depth);
        low = splitters_search(words, low, high - low, chunk);
    }
    return 2 * low;
}

#endif
