/* cpu_sample.cl: some of the strings, in order. First step of the sort of strings on CPUs, by one
 * work-item.
 *
 * Local memory: none. Runs before keys.cl. */
#include "strings/sort.h"

KERNEL void cpu_sample(const struct string_params p, STRING_ARGS)
{
    const ulong part = p.count / p.num_splitters;
    struct string_set set;
    string_open(&p, bytes, offsets, &set);
    __global uchar *room = STRING_TABLE(uchar, items);
    room += (0 - (size_t)room) % CPU_ALIGNMENT;
    __global ITEM *items = (__global ITEM *)room;
    for (uint i = 0; i < p.num_splitters; ++i)
        items[i].y = sampled_place(i, part);
    strings_load(&set, items, 0, p.num_splitters, 0, 0);
    strings_sort(&set, items, items + p.num_splitters, p.num_splitters, 0, 0);
    for (uint i = 0; i < p.num_splitters; ++i)
        STRING_TABLE(ulong, samples)[i] = items[i].y;
}
