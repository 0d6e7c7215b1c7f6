/* serial_ties.cl: strings whose keys are equal put in order, each run of them by one work-item. Step of
 * the sort of strings on CPUs.
 *
 * Idea: work-items take chunks of the order by an atomic counter, and sort the runs that begin in them
 * (string_sort.h). Strings lie anywhere, so most of the time goes into waiting for memory: what is
 * needed first of all of a chunk's is read before any are sorted, so that many wait together.
 *
 * Local memory: none. Runs after the sort of the keys. In place. */
#include "string_sort.h"

/* Item i, its chunk at the depth that its key says. */
CLSORT_INLINE void tie_load(const struct string_set *set, __global const ulong *depths, ulong key,
                            ulong index, ulong flip, __global ITEM *item)
{
    struct string_place place;
    string_find(set, index, &place);
    item->x = string_chunk(set, &place, string_key_depth(depths, key ^ flip)) ^ flip;
    item->y = index;
}

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
        ulong begin = atomic_inc(STRING_TABLE(uint, taken)) * p.chunk_size;
        ulong end = min(begin + p.chunk_size, (ulong)p.count);
        if (begin >= p.count)
            break;
        /* Runs that begin here, as a whole. */
        while (begin > 0 && begin < end && keys[begin] == keys[begin - 1])
            ++begin;
        while (begin < end && end < p.count && keys[end] == keys[end - 1])
            ++end;
        for (ulong i = begin; i < end; ++i) {
            const ulong key = keys[i];
            const int tied =
                (i > begin && keys[i - 1] == key) | (i + 1 < end && keys[i + 1] == key);
            if (tied && STRING_KEY_GOES_ON(key ^ flip))
                tie_load(&set, depths, key, order[i], flip, &items[i]);
        }
        for (ulong i = begin; i < end;) {
            const ulong key = keys[i];
            const ulong first = i;
            for (++i; i < end && keys[i] == key;)
                ++i;
            if (i - first == 1 || !STRING_KEY_GOES_ON(key ^ flip))
                continue;
            strings_sort(&set, items + first, items + p.count + first, (uint)(i - first),
                         string_key_depth(depths, key ^ flip), flip);
            for (ulong j = first; j < i; ++j)
                order[j] = (payload_t)items[j].y;
        }
    }
}
