/* runs.cl: an array's runs, each sorted by one work-item in its cache: every eight items by their
 * ranks, then merges between two places. First step of merge sort on CPUs.
 *
 * Local memory: none. Runs before merge.cl, or alone. In place is fine. */
#include "cpu/merge.h"

#define RUN 8 /* no tuning: the ranks of so few items are unrolled */

#if RECORD_SIZE <= 64 && !RECORD_COMPARES_LONG
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

/* Item `at` of an input whose first has this index. */
CLSORT_INLINE void item_take(struct arrays from, ulong at, ulong index, struct arrays to,
                             ulong to_at, uint flags)
{
    to.keys[to_at] = from.keys[at];
    if (PAYLOAD_INDEX && (flags & FLAG_MAKE_INDEX))
        to.payload[to_at] = (payload_t)(index + at);
    else if (PAYLOAD_SIZE)
        to.payload[to_at] = from.payload[at];
}

/* Puts up to RUN items in order, or for a comparison that is no order in some order. */
static __attribute__((noinline)) void few_sort(struct arrays from, ulong index, struct arrays to,
                                               uint count, uint flags)
{
    for (uint i = 0; i < count; ++i) {
        const stored_key_t key = from.keys[i];
        uint at = i;
        for (; at > 0; --at) {
            const stored_key_t before = to.keys[at - 1];
            if (!PRIVATE_LESS(key, before))
                break;
            item_place(to, (at - 1) * UNIT, to, at * UNIT, 1);
        }
        item_take(from, i, index, to, at, flags);
    }
}

/* Puts RUN items in order: each comparison of two adds to the rank of one of them, and none waits
 * for another. Odd-even transposition takes twice as long. Runs of 4 or of 16 are no faster. */
CLSORT_INLINE void eight_sort(struct arrays from, ulong index, struct arrays to, uint flags)
{
    stored_key_t own[RUN];
    uint rank[RUN];
    UNROLL
    for (uint i = 0; i < RUN; ++i) {
        own[i] = from.keys[i];
        rank[i] = 0;
    }
    UNROLL
    for (uint i = 0; i < RUN; ++i) {
        UNROLL
        for (uint k = i + 1; k < RUN; ++k) {
            const uint is_less = (uint)PRIVATE_LESS(own[k], own[i]);
            rank[i] += is_less;
            rank[k] += 1 - is_less;
        }
    }
    uint taken = 0;
    UNROLL
    for (uint i = 0; i < RUN; ++i) {
        taken |= 1u << rank[i];
        item_take(from, i, index, to, rank[i], flags);
    }
    if (taken != (1u << RUN) - 1) /* the comparison is no order */
        few_sort(from, index, to, RUN, flags);
}

/* Sorts count items, 1 or more, the first of which has this index, with room for them in `one` and
 * `other`. Keys are not stored without FLAG_STORE_KEYS. */
static __attribute__((noinline)) void run_sort(struct arrays from, ulong index, struct arrays one,
                                               struct arrays other, struct arrays to, uint count,
                                               uint flags)
{
    for (uint begin = 0; begin < count; begin += RUN) {
        if (count - begin >= RUN)
            eight_sort(ARRAYS_AT(from, begin), index + begin, ARRAYS_AT(one, begin), flags);
        else
            few_sort(ARRAYS_AT(from, begin), index + begin, ARRAYS_AT(one, begin), count - begin,
                     flags);
    }
    for (uint run = RUN; run < count; run *= 2) {
        struct arrays target = other;
        if (count - run <= run) { /* the last */
            target.keys = flags & FLAG_STORE_KEYS ? to.keys : other.keys;
            target.payload = to.payload;
        }
        for (uint begin = 0; begin < count; begin += 2 * run) {
            const uint middle = min(begin + run, count);
            const uint end = min(middle + run, count);
            runs_merge(one, begin, middle, middle, end, target, begin, 1);
        }
        other = one;
        one = target;
    }
    for (uint i = 0; count <= RUN && i < count; ++i)
        item_place(one, i * UNIT, to, i * UNIT, (flags & FLAG_STORE_KEYS) != 0);
}

KERNEL void cpu_runs(const struct merge_params p, ITEM_ARGS, __global void *scratch)
{
    const ulong worker = get_group_id(0);
    const struct arrays from = {AT(stored_key_t, keys_in, 0), AT(payload_t, payload_in, 2)};
    const struct arrays to = {AT(stored_key_t, keys_out, 1), AT(payload_t, payload_out, 3)};
    __global uchar *room = AT(uchar, scratch, 4);
    room += (0 - (size_t)room) % CPU_ALIGNMENT;
    const ulong places = 2 * p.num_workers * p.run;
    __global uchar *payloads =
        room + (places * sizeof(stored_key_t) + CPU_ALIGNMENT - 1) / CPU_ALIGNMENT * CPU_ALIGNMENT;
    const struct arrays rooms = {(__global stored_key_t *)room, (__global payload_t *)payloads};
    const struct arrays one = ARRAYS_AT(rooms, 2 * worker * p.run);
    const struct arrays other = ARRAYS_AT(one, p.run);
    for (ulong number = worker; number < p.num_runs * p.num_arrays; number += p.num_workers) {
        const ulong begin = number % p.num_runs * p.run;
        const ulong at = number / p.num_runs * p.count + begin;
        const uint count = (uint)min((ulong)p.run, p.count - begin);
        run_sort(ARRAYS_AT(from, at), begin, one, other, ARRAYS_AT(to, at), count, p.flags);
    }
}
