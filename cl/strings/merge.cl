/* merge.cl: strings whose keys are equal put in order, by merging neighbouring runs to
 * runs twice as long. Later steps of the sort of strings, where a work-group is more than one
 * work-item.
 *
 * Idea: the indices are in order by keys, so of two neighbouring runs only the strings with the
 * key at their boundary can have to move. Each of these finds its target by bisection of
 * those in the other run, comparing strings; all others stay. Where no key crosses a boundary
 * this is a copy.
 *
 * Local memory: none. Runs after the sort of the keys, log2(count) times. Not in place. */
#include "strings/chunk.h"

/* The first of the keys [low, high) that is like `key`, if is_like is 1, or is not, if it is 0. All
 * before it are not so, and all behind it are. */
CLSORT_INLINE ulong key_bound(__global const ulong *keys, ulong low, ulong high, ulong key,
                              int is_like)
{
    while (low < high) {
        const ulong cut = low + (high - low) / 2;
        if ((keys[cut] == key) == is_like)
            high = cut;
        else
            low = cut + 1;
    }
    return low;
}

/* How many of the strings index[begin, end), which are in order, come before `own`: those that are
 * equal too, if they lie in the first run. */
CLSORT_INLINE ulong strings_before(const struct string_set *set, __global const payload_t *index,
                                   ulong begin, ulong end, const struct string_span *own,
                                   ulong depth, int descending, int in_first)
{
    ulong low = begin;
    ulong high = end;
    while (low < high) {
        const ulong cut = low + (high - low) / 2;
        struct string_span span;
        string_find(set, index[cut], &span);
        /* Not "own comes before it", or "it comes before own". */
        const int own_first = in_first != descending;
        const int less =
            own_first ? string_less(set, own, &span, depth) : string_less(set, &span, own, depth);
        if (in_first ? !less : less)
            low = cut + 1;
        else
            high = cut;
    }
    return low - begin;
}

KERNEL void string_merge(const struct string_params p, STRING_ARGS)
{
    const ulong me = get_global_id(0);
    if (me >= p.count)
        return;
    __global const ulong *keys = STRING_TABLE(const ulong, keys);
    __global const payload_t *from = AT(const payload_t, index, 2);
    __global payload_t *to = AT(payload_t, other, 3);
    const ulong begin = me / (2 * p.run) * (2 * p.run);
    const ulong middle = min(begin + p.run, (ulong)p.count);
    const ulong end = min(middle + p.run, (ulong)p.count);
    const ulong flip = p.flags & STRINGS_FLAG_DESCENDING ? ~0ul : 0;
    const payload_t own_index = from[me];
    const ulong stored = keys[me];
    const ulong key = stored ^ flip;
    ulong target = me;
    if (middle < end && STRING_KEY_GOES_ON(key) && keys[middle - 1] == stored &&
        keys[middle] == stored) {
        const ulong depth = string_key_depth(STRING_TABLE(const ulong, depths), key);
        const int descending = (p.flags & STRINGS_FLAG_DESCENDING) != 0;
        struct string_set set;
        struct string_span own;
        string_open(&p, bytes, offsets, &set);
        string_find(&set, own_index, &own);
        if (me < middle)
            target += strings_before(&set, from, middle, key_bound(keys, middle, end, stored, 0),
                                     &own, depth, descending, 0);
        else {
            const ulong first = key_bound(keys, begin, middle, stored, 1);
            const ulong before =
                strings_before(&set, from, first, middle, &own, depth, descending, 1);
            target = first + before + (me - middle);
        }
    }
    to[target] = own_index;
}
