/* sample.cl: some of the strings, in order. First step of the sort of strings.
 *
 * Idea: strings are taken from equal parts of the array. A work-group compares its own with all
 * others, and so learns its rank. Each work-item has a few of the others, since long strings that
 * agree take long to compare. With a work-item for each string of the sample, 40,000 equal ones of
 * 4096 bytes took 28 times as long.
 *
 * Local memory: a word. Runs before keys.cl. */
#include "strings/chunk.h"

KERNEL void string_sample(const struct string_params p, STRING_ARGS)
{
    __local uint rank;
    LOCAL_FITS(sizeof(rank));
    const uint number = get_group_id(0);
    const ulong part = p.count / p.num_splitters;
    struct string_set set;
    struct string_span own, span;
    string_open(&p, bytes, offsets, &set);
    string_find(&set, sampled_place(number, part), &own);
    if (get_local_id(0) == 0)
        rank = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the rank is 0 */
    uint before = 0;
    GROUP_LOOP(i, 0, p.num_splitters) {
        string_find(&set, sampled_place(i, part), &span);
        before +=
            i < number ? !string_less(&set, &own, &span, 0) : string_less(&set, &span, &own, 0);
    }
    if (before)
        atomic_add(&rank, before);
    barrier(CLK_LOCAL_MEM_FENCE); /* all others are compared */
    if (get_local_id(0) == 0)
        STRING_TABLE(ulong, samples)[rank] = sampled_place(number, part);
}
