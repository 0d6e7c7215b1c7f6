/* string_keys.cl: a number for each string that sorts as it does, as far as a number can: the bucket
 * between which splitters it lies, and the bytes behind those in which its bucket agrees. So many
 * strings that begin alike are told apart by one sort of numbers, however much they share.
 *
 * Idea: chunks of the string are looked for among those of the splitters by bisection, deeper as long
 * as some splitter agrees.
 *
 * Local memory: none. Runs after string_split.cl, if there are splitters; before a sort of numbers. */
#include "string_chunk.h"

/* The first splitter of [low, high) whose chunk at `depth` is not below `chunk`. */
CLSORT_INLINE uint splitter_find(const struct string_set *set, __global const ulong *samples,
                                 uint low, uint high, ulong depth, ulong chunk)
{
    while (low < high) {
        const uint cut = (low + high) / 2;
        struct string_place place;
        string_find(set, samples[cut], &place);
        if (string_chunk(set, &place, depth) < chunk)
            low = cut + 1;
        else
            high = cut;
    }
    return low;
}

/* The same of all splitters at depth 0. */
CLSORT_INLINE uint splitter_find_first(__global const ulong *words, uint num, ulong chunk)
{
    uint low = 0;
    while (num > 0) {
        const uint half_num = num / 2;
        const int above = words[low + half_num] < chunk;
        low += above ? half_num + 1 : 0;
        num = above ? num - half_num - 1 : half_num;
    }
    return low;
}

KERNEL void string_keys(const struct string_params p, STRING_ARGS)
{
    struct string_set set;
    string_open(&p, bytes, offsets, &set);
    __global ulong *to_keys = STRING_TABLE(ulong, keys);
    __global payload_t *to_index = AT(payload_t, index, 2);
    __global const ulong *samples = STRING_TABLE(const ulong, samples);
    __global const ulong *words = STRING_TABLE(const ulong, words);
    __global ulong *depths = STRING_TABLE(ulong, depths);
    const uint num = p.num_splitters;
    const ulong flip = p.flags & FLAG_DESCENDING ? ~0ul : 0;
    const ulong begin = get_group_id(0) * p.chunk_size;
    const ulong end = min(begin + p.chunk_size, (ulong)p.count);
    if (get_global_id(0) == 0) {
        STRING_TABLE(uint, taken)[0] = 0;
        depths[num] = 0; /* nothing is known of those behind the last splitter */
    }
    for (ulong i = begin + get_local_id(0); i < end; i += GROUP_SIZE) {
        struct string_place own;
        string_find(&set, i, &own);
        ulong chunk = string_chunk(&set, &own, 0);
        ulong depth = 0;
        uint low = splitter_find_first(words, num, chunk);
        uint high = num;
        int equal = low < num && words[low] == chunk;
        while (equal && CHUNK_GOES_ON(chunk)) {
            high = splitter_find(&set, samples, low, high, depth, chunk + 1);
            depth += CHUNK_BYTES;
            chunk = string_chunk(&set, &own, depth);
            low = splitter_find(&set, samples, low, high, depth, chunk);
            equal = 0;
            if (low < high) {
                struct string_place place;
                string_find(&set, samples[low], &place);
                equal = string_chunk(&set, &place, depth) == chunk;
            }
        }
        ulong key = string_key(2 * low + 1, 0);
        if (!equal) {
            const ulong agreed = low < num ? depths[low] : 0;
            key = string_key(2 * low, string_chunk(&set, &own, min(agreed, own.size)));
        }
        to_keys[i] = key ^ flip;
        to_index[i] = (payload_t)i;
    }
}
