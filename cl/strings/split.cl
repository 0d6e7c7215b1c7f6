/* split.cl: what is to be known of the splitters: the first chunks of each, and in how
 * many bytes it agrees with the one before it, in which all strings between them agree too.
 *
 * Local memory: none. Runs after sample.cl or cpu_sample.cl, before keys.cl. */
#include "strings/chunk.h"

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
