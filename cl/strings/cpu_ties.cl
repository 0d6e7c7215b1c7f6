/* cpu_ties.cl: strings whose keys are equal put in order, each run of them by one work-item.
 * Step of the sort of strings on CPUs.
 *
 * Idea: work-items take chunks of the order by an atomic counter, and sort the runs that begin
 * in them (sort.h). Strings lie anywhere, so most of the time goes into waiting for
 * memory: what is needed first of all of a chunk's is read before any are sorted, so that many
 * wait together. Items lie in a room of the work-item's own, which stays in its cache, unless a
 * run is longer.
 *
 * Local memory: none. Runs after the sort of the keys. In place. */
#include "strings/sort.h"

/* Not tuning: it bounds private arrays, and its optimum is flat. */
#define TIE_BLOCK 256u /* strings whose memory is awaited together */

/* Makes items of the strings of order[begin, end) whose keys another one of them has, and that
 * go on: items[0] is the first's, if it is one. */
CLSORT_INLINE void ties_load(const struct string_set *set, __global const ulong *keys,
                             __global const ulong *depths, __global const payload_t *order,
                             ulong begin, ulong end, ulong flip, __global ITEM *items)
{
    uint ties[TIE_BLOCK];
    struct string_span spans[TIE_BLOCK];
    ulong tied_depths[TIE_BLOCK];
    for (ulong first = begin; first < end; first += TIE_BLOCK) {
        const uint size = (uint)min((ulong)TIE_BLOCK, end - first);
        uint num = 0;
        for (uint i = 0; i < size; ++i) {
            const ulong at = first + i;
            const ulong key = keys[at];
            const int tied = (keys[at > begin     ? at - 1
                                   : at + 1 < end ? at + 1
                                                  : at] == key) |
                             (keys[at + 1 < end ? at + 1 : at - 1] == key);
            ties[num] = i;
            num += tied & STRING_KEY_GOES_ON(key ^ flip);
        }
        for (uint i = 0; i < num; ++i)
            string_find(set, order[first + ties[i]], &spans[i]);
        for (uint i = 0; i < num; ++i)
            tied_depths[i] = string_key_depth(depths, keys[first + ties[i]] ^ flip);
        for (uint i = 0; i < num; ++i) {
            ITEM item;
            item.x = string_chunk(set, &spans[i], tied_depths[i]) ^ flip;
            item.y = order[first + ties[i]];
            items[first - begin + ties[i]] = item;
        }
    }
}

KERNEL void cpu_ties(const struct string_params p, STRING_ARGS)
{
    struct string_set set;
    string_open(&p, bytes, offsets, &set);
    __global uchar *room = STRING_TABLE(uchar, items);
    room += (0 - (size_t)room) % CPU_ALIGNMENT;
    __global ITEM *rooms = (__global ITEM *)room;
    __global ITEM *items = rooms + (ulong)p.num_workers * 2 * p.room;
    __global const ulong *keys = STRING_TABLE(const ulong, keys);
    __global const ulong *depths = STRING_TABLE(const ulong, depths);
    __global payload_t *order = AT(payload_t, index, 2);
    const ulong flip = p.flags & STRINGS_FLAG_DESCENDING ? ~0ul : 0;
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
        if (end - begin < 2)
            continue;
        const int fits = end - begin <= p.room;
        __global ITEM *own = fits ? rooms + get_group_id(0) * 2 * p.room : items + begin;
        __global ITEM *other = own + (fits ? p.room : p.count);
        ties_load(&set, keys, depths, order, begin, end, flip, own);
        for (ulong i = begin; i < end;) {
            const ulong key = keys[i];
            const ulong first = i;
            for (++i; i < end && keys[i] == key;)
                ++i;
            if (i - first == 1 || !STRING_KEY_GOES_ON(key ^ flip))
                continue;
            strings_sort(&set, own + (first - begin), other + (first - begin), (uint)(i - first),
                         string_key_depth(depths, key ^ flip), flip);
            for (ulong j = first; j < i; ++j)
                order[j] = (payload_t)own[j - begin].y;
        }
    }
}
