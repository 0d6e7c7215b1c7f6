/* string_sample.cl: some of the strings, in order. First step of the sort of strings.
 *
 * Idea: strings are taken at equal distances. A work-item compares its own with all others, and so
 * learns its rank.
 *
 * Local memory: none. Runs before string_split.cl. */
#include "string_chunk.h"

KERNEL void string_sample(const struct string_params p, STRING_ARGS)
{
    const uint me = (uint)get_global_id(0);
    const ulong step = p.count / p.num_splitters;
    struct string_set set;
    struct string_span own, span;
    if (me >= p.num_splitters)
        return;
    string_open(&p, bytes, offsets, &set);
    string_find(&set, me * step, &own);
    uint rank = 0;
    for (uint i = 0; i < p.num_splitters; ++i) {
        string_find(&set, i * step, &span);
        rank += i < me ? !string_less(&set, &own, &span, 0) : string_less(&set, &span, &own, 0);
    }
    STRING_TABLE(ulong, samples)[rank] = me * step;
}
