/* keys.cl: a number for each string that sorts as it does, as far as a number can: the
 * bucket between which splitters it lies, and the bytes behind those in which its bucket agrees.
 * So many strings that begin alike are told apart by one sort of numbers, however much they
 * share.
 *
 * Idea: chunks of the string are looked for among those of the splitters by bisection, deeper as
 * long as some splitter agrees: by the splitters' tables first, by their bytes behind those.
 *
 *   string_split  makes these tables, if there are splitters: the first chunks of each, and in how
 *                 many bytes it agrees with the one before it, in which all strings between them
 *                 agree too
 *   string_keys   makes the keys
 *
 * Local memory: none. Run after sample.cl or cpu_sample.cl; before a sort of numbers. */
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

KERNEL void string_split(const struct string_params p, STRING_ARGS)
{
    const uint me = (uint)get_global_id(0);
    __global const ulong *samples = STRING_TABLE(const ulong, samples);
    __global ulong *words = STRING_TABLE(ulong, words);
    struct string_set set;
    struct string_span own, before;
    if (me >= p.num_splitters)
        return;
    string_open(&p, bytes, offsets, &set);
    string_find(&set, samples[me], &own);
    string_find(&set, samples[me > 0 ? me - 1 : 0], &before);
    for (uint level = 0; level < STRING_LEVELS; ++level)
        words[level * p.num_splitters + me] =
            string_chunk(&set, &own, min((ulong)level * CHUNK_BYTES, own.size));
    STRING_TABLE(ulong, depths)[me] = me > 0 ? string_agree(&set, &before, &own, 0, ~0ul) : 0;
}

KERNEL void string_keys(const struct string_params p, STRING_ARGS)
{
    struct string_set set;
    struct splitters splitters;
    string_open(&p, bytes, offsets, &set);
    __global ulong *to_keys = STRING_TABLE(ulong, keys);
    __global payload_t *to_index = AT(payload_t, index, 2);
    __global ulong *depths = STRING_TABLE(ulong, depths);
    splitters.samples = STRING_TABLE(const ulong, samples);
    splitters.words = STRING_TABLE(const ulong, words);
    splitters.num = p.num_splitters;
    const ulong flip = p.flags & STRINGS_FLAG_DESCENDING ? ~0ul : 0;
    const ulong begin = get_group_id(0) * p.chunk_size;
    const ulong end = min(begin + p.chunk_size, (ulong)p.count);
    if (get_global_id(0) == 0) {
        STRING_TABLE(uint, taken)[0] = 0;
        depths[p.num_splitters] = 0; /* of those behind the last splitter nothing is known */
    }
    for (ulong i = begin + get_local_id(0); i < end; i += GROUP_SIZE) {
        struct string_span own;
        string_find(&set, i, &own);
        const ulong chunk = string_chunk(&set, &own, 0);
        const uint bucket =
            splitters_bucket(&set, &splitters, &own, chunk,
                             splitters_search(splitters.words, 0, splitters.num, chunk));
        ulong key = string_key(bucket, 0);
        if (bucket % 2 == 0) {
            const ulong agreed = bucket / 2 < splitters.num ? depths[bucket / 2] : 0;
            key = string_key(bucket, string_chunk(&set, &own, min(agreed, own.size)));
        }
        to_keys[i] = key ^ flip;
        to_index[i] = (payload_t)i;
    }
}
