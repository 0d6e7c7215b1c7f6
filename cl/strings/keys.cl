/* keys.cl: a number for each string that sorts as it does, as far as a number can: the
 * bucket between which splitters it lies, and the bytes behind those in which its bucket agrees.
 * So many strings that begin alike are told apart by one sort of numbers, however much they
 * share.
 *
 * Idea: chunks of the string are looked for among those of the splitters by bisection, deeper as
 * long as some splitter agrees (splitters.h).
 *
 * Local memory: none. Runs after split.cl, if there are splitters; before a sort of
 * numbers. */
#include "strings/splitters.h"

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
