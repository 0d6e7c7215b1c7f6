/* serial_ties.cl: strings whose keys are equal put in order, each run of them by one work-item. Step of
 * the sort of strings on CPUs.
 *
 * Idea: work-items take chunks of the order by an atomic counter, and sort the runs that begin in them
 * (string_sort.h).
 *
 * Local memory: none. Runs after the sort of the keys. In place. */
#include "string_sort.h"

KERNEL void serial_ties(const struct string_params p, STRING_ARGS)
{
    struct string_set set;
    string_open(&p, bytes, offsets, &set);
    __global uchar *room = STRING_TABLE(uchar, items);
    room += (0 - (size_t)room) % SERIAL_ALIGNMENT;
    __global ITEM *items = (__global ITEM *)room;
    __global const ulong *keys = STRING_TABLE(const ulong, keys);
    __global const ulong *depths = STRING_TABLE(const ulong, depths);
    __global payload_t *order = AT(payload_t, index, 2);
    const ulong flip = p.flags & FLAG_DESCENDING ? ~0ul : 0;
    for (;;) {
        const ulong begin = atomic_inc(STRING_TABLE(uint, taken)) * p.chunk_size;
        if (begin >= p.count)
            break;
        const ulong end = min(begin + p.chunk_size, (ulong)p.count);
        ulong i = begin;
        while (i > 0 && i < end && keys[i] == keys[i - 1])
            ++i;
        while (i < end) {
            const ulong key = keys[i];
            ulong next = i + 1;
            while (next < p.count && keys[next] == key)
                ++next;
            if (next - i > 1 && STRING_KEY_GOES_ON(key ^ flip)) {
                __global ITEM *own = items + i;
                const uint num = (uint)(next - i);
                for (uint j = 0; j < num; ++j)
                    own[j].y = order[i + j];
                strings_sort(&set, own, own + p.count, num, string_key_depth(depths, key ^ flip),
                             flip);
                for (uint j = 0; j < num; ++j)
                    order[i + j] = (payload_t)own[j].y;
            }
            i = next;
        }
    }
}
