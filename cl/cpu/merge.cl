/* merge.cl: neighbouring runs merged to runs twice as long, by all work-items together. Later
 * steps of merge sort on CPUs.
 *
 * Idea: every work-item makes an equal part of the output, whichever runs it comes from; merge path
 * says where its part begins in them.
 *
 * Local memory: none. Runs after runs.cl or another merge. Not in place. */
#include "cpu/merge.h"

KERNEL void cpu_merge(const struct merge_params p, ITEM_ARGS)
{
    const ulong total = p.num_arrays * p.count;
    const ulong share = (total + p.num_workers - 1) / p.num_workers;
    const ulong part_begin = min(get_group_id(0) * share, total);
    const ulong part_end = min(part_begin + share, total);
    for (ulong at = part_begin; at < part_end;) { /* a pair of runs, or what is mine of it */
        const ulong base = at / p.count * p.count;
        const struct arrays from = {AT(stored_key_t, keys_in, 0), AT(payload_t, payload_in, 2)};
        const struct arrays to = {AT(stored_key_t, keys_out, 1), AT(payload_t, payload_out, 3)};
        __global const stored_key_t *keys = from.keys + base;
        const ulong begin = (at - base) / p.span * p.span;
        const ulong middle = min(begin + p.run, (ulong)p.count);
        const ulong end = min(begin + p.span, (ulong)p.count);
        const ulong first = at - base - begin;
        const ulong last = min(end, part_end - base) - begin;
        ulong bound = 0, before = 0;
        /* A comparison may be no order: then a boundary depends on those before it. */
        for (ulong next = share - (base + begin) % share; RECORD_SIZE && next < first;
             next += share) {
            bound = merge_bound(merge_path(keys, begin, middle, end, next), bound, next - before);
            before = next;
        }
        bound = merge_bound(merge_path(keys, begin, middle, end, first), bound, first - before);
        const ulong last_bound =
            merge_bound(merge_path(keys, begin, middle, end, last), bound, last - first);
        runs_merge(ARRAYS_AT(from, base), begin + bound, begin + last_bound,
                   middle + (first - bound), middle + (last - last_bound), ARRAYS_AT(to, base),
                   begin + first, (p.flags & FLAG_STORE_KEYS) != 0);
        at = base + begin + last;
    }
}
