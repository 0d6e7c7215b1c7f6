/* serial_merge.cl: neighbouring runs merged to runs twice as long, by all work-items together. Later
 * steps of merge sort on CPUs.
 *
 * Idea: every work-item makes an equal part of the output, whichever runs it comes from; merge path
 * says where its part begins in them. A part is merged as two chains at once (serial_merge.h).
 *
 * Local memory: none. Runs after serial_runs.cl or another merge. Not in place. */
#include "serial_merge.h"

/* A chain on arrays in global memory. */
struct long_chain {
    ulong first, first_end;
    ulong second, second_end;
};

CLSORT_INLINE ulong long_chain_next(__global const stored_key_t *keys, struct long_chain *chain,
                                    ulong last)
{
    const ulong first = chain->first;
    const ulong second = chain->second;
    const int take_second =
        (second < chain->second_end) &
        ((first >= chain->first_end) | STORED_LESS(keys[min(second, last)], keys[first]));
    chain->first += !take_second;
    chain->second += take_second;
    return take_second ? second : first;
}

CLSORT_INLINE void move(__global const stored_key_t *from_keys,
                        __global const payload_t *from_payload, ulong from,
                        __global stored_key_t *to_keys, __global payload_t *to_payload, ulong to,
                        uint flags)
{
    ITEM item;
    ITEM_LOAD(item, from_keys, from_payload, from, from, flags);
    item_store(to_keys, to_payload, to, item, flags);
}

/* Items [first, last) of the merge of the array's runs [begin, middle) and [middle, end); first_bound
 * and last_bound of them come from the first run. */
CLSORT_INLINE void merge_part(__global const stored_key_t *from_keys,
                              __global const payload_t *from_payload,
                              __global stored_key_t *to_keys, __global payload_t *to_payload,
                              ulong begin, ulong middle, ulong end, ulong first, ulong last,
                              ulong first_bound, ulong last_bound, uint flags)
{
    const ulong size = last - first;
    const ulong cut = first + size / 2;
    const ulong low = sub_sat(last_bound, last - cut);
    const ulong middle_bound =
        clamp(merge_path(from_keys, begin, middle, end, cut), max(first_bound, low),
              min(first_bound + (cut - first), last_bound));
    struct long_chain front = {begin + first_bound, begin + middle_bound,
                               middle + (first - first_bound), middle + (cut - middle_bound)};
    struct long_chain back = {front.first_end, begin + last_bound, front.second_end,
                              middle + (last - last_bound)};
    for (ulong i = 0; i < size / 2; ++i) {
        move(from_keys, from_payload, long_chain_next(from_keys, &front, end - 1), to_keys,
             to_payload, begin + first + i, flags);
        move(from_keys, from_payload, long_chain_next(from_keys, &back, end - 1), to_keys,
             to_payload, begin + cut + i, flags);
    }
    if (size % 2)
        move(from_keys, from_payload, long_chain_next(from_keys, &back, end - 1), to_keys,
             to_payload, begin + last - 1, flags);
}

KERNEL void serial_merge(const struct merge_params p, ITEM_ARGS)
{
    const ulong total = p.num_arrays * p.count;
    const ulong share = (total + p.num_workers - 1) / p.num_workers;
    const ulong part_begin = min(get_group_id(0) * share, total);
    const ulong part_end = min(part_begin + share, total);
    for (ulong at = part_begin; at < part_end;) { /* a pair of runs, or what is mine of it */
        const ulong base = at / p.count * p.count;
        __global const stored_key_t *from_keys = AT(const stored_key_t, keys_in, 0) + base;
        __global const payload_t *from_payload = AT(const payload_t, payload_in, 2) + base;
        __global stored_key_t *to_keys = AT(stored_key_t, keys_out, 1) + base;
        __global payload_t *to_payload = AT(payload_t, payload_out, 3) + base;
        const ulong begin = (at - base) / (2 * p.run) * (2 * p.run);
        const ulong middle = min(begin + p.run, (ulong)p.count);
        const ulong end = min(middle + p.run, (ulong)p.count);
        const ulong first = at - base - begin;
        const ulong last = min(end, part_end - base) - begin;
        ulong bound = 0;
#if RECORD_SIZE /* the comparison may be no order: then a boundary depends on those before it */
        ulong before = 0;
        for (ulong next = share - (base + begin) % share; next < first; next += share) {
            bound =
                merge_bound(merge_path(from_keys, begin, middle, end, next), bound, next - before);
            before = next;
        }
        bound =
            merge_bound(merge_path(from_keys, begin, middle, end, first), bound, first - before);
#else
        bound = merge_path(from_keys, begin, middle, end, first);
#endif
        const ulong last_bound =
            merge_bound(merge_path(from_keys, begin, middle, end, last), bound, last - first);
        merge_part(from_keys, from_payload, to_keys, to_payload, begin, middle, end, first, last,
                   bound, last_bound, p.flags);
        at = base + begin + last;
    }
}
