/* leaf.h: sorts a leaf of partition quicksort in local memory (splitters.h).
 *
 * Numbers: a leaf has neighbours in value out of a much larger array, which mostly are spread
 * evenly between the smallest and the largest. So elements are counted in bins of equal width,
 * about two elements in each. They are put into their bins and compared with the others of the bin
 * for their places.
 *
 * A bin of more than LEAF_CROWDED elements is crowded. If its keys are equal they are in order.
 * Others are compared, too, as long as that takes less than to merge the leaf
 * (group/merge_local.h), which costs about the same for all inputs. Records are merged.
 *
 * The limit is 32 comparisons an element: 64 take 7 % longer, 128 27 % (2^26 u64 of entropy 0.54,
 * H100). docs/studies.md has other ways with crowded bins, which all lost. */
#ifndef CLSORT_PARTITION_LEAF_H
#define CLSORT_PARTITION_LEAF_H

#include "sorts/partition/splitters.h"
#include "group/merge_local.h"
#include "group/join.h"
#include "group/scan.h"

/* The optimiser of PoCL 3.1 (LLVM 15) breaks this code: leaves that begin below 0x80000000 and end
 * above come out of order, or PoCL crashes. Without it the results are right, as they are with
 * Oclgrind and NVIDIA. */
#if !RECORD_SIZE && (defined(CLSORT_SUBGROUP_VOTES) || !defined(__OPTIMIZE__))
#define LEAF_HAS_BINS 1
#else
#define LEAF_HAS_BINS 0
#endif

#define LEAF_CROWDED 32u
#define LEAF_BIN_BITS              \
    (TILE_SLOTS >= 1 << 11   ? 11u \
     : TILE_SLOTS >= 1 << 10 ? 10u \
     : TILE_SLOTS >= 1 << 9  ? 9u  \
     : TILE_SLOTS >= 1 << 8  ? 8u  \
     : TILE_SLOTS >= 1 << 7  ? 7u  \
                             : 6u)
#define LEAF_BINS (1 << LEAF_BIN_BITS)

struct leaf_local {
#if LEAF_HAS_BINS
    /* Counts, then where bins begin; the last one is the size. */
    uint bins[LEAF_BINS + 1];
    uint low[2], high[2]; /* bounds of the keys' upper 32 bits, and of the lower ones of 64 */
    uint differs[LEAF_BINS / 32]; /* a bit for each crowded bin whose keys differ, or need order */
    uint is_crowded;              /* some bin */
    uint work; /* comparisons in crowded bins whose keys differ, by LEAF_CROWDED */
    struct group_scan_local scan;
#endif
    struct local_sort sort;
    ITEM tile[TILE_SLOTS];
};

#if LEAF_HAS_BINS
#define LEAF_BIN(order) ((uint)(((order)-least) >> shift))
#if ITEM_SIZE == 16
#define LEAF_ITEM_ORDER(item) ITEM_ORDER(item)
#else
#define LEAF_ITEM_ORDER(item) KEY_DIGITS((key_t)ITEM_KEY(item))
#endif

/* Whether all keys of 64 bits agree in the upper 32. */
#define LEAF_IS_NARROW(shared) ((shared)->low[0] == (shared)->high[0])

/* The smallest key, or one below it, and how far keys are shifted for the number of a bin. */
CLSORT_INLINE key_t leaf_least(__local const struct leaf_local *shared)
{
#if KEY_BITS == 64
    return (key_t)shared->low[0] << 32 | (LEAF_IS_NARROW(shared) ? shared->low[1] : 0);
#else
    return shared->low[0];
#endif
}

CLSORT_INLINE uint leaf_shift(__local const struct leaf_local *shared)
{
    key_t range = shared->high[0] - shared->low[0];
#if KEY_BITS == 64
    range = range ? range << 32 | 0xffffffffu : shared->high[1] - shared->low[1];
#endif
    return sub_sat(KEY_WORK_BITS - (uint)clz(range), LEAF_BIN_BITS);
}

/* Bins of one key need no comparing, where equal ones need no order. */
#define LEAF_EQUAL_NEED_NO_ORDER (!(KEEPS_ORDER | KEY_PARTIAL))
#define LEAF_BINS_ARE_ENOUGH(shift) ((shift) == 0 && !KEEPS_ORDER && !KEY_PARTIAL)

#define LEAF_DIFFERS(shared, bin) ((shared)->differs[(bin) / 32] >> (bin) % 32 & 1)

/* A work-item's keys in their ordered form: those of slots me, me + GROUP_SIZE, ... below
 * `size`. */
#define LEAF_HAS_SLOT(i, size) ((int)(i)*GROUP_SIZE < (int)(size) - (int)get_local_id(0))

CLSORT_INLINE void leaf_load_keys(__global const stored_key_t *keys, uint size, key_t *own)
{
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (LEAF_HAS_SLOT(i, size))
            own[i] = KEY_ENCODE((key_t)keys[get_local_id(0) + (uint)i * GROUP_SIZE]);
}

/* Joins the bounds of this work-item's keys, of 32 bits from first_bit on, to those of all. Between
 * barriers. */
CLSORT_INLINE void leaf_bound_bits(const key_t *own, uint size, uint first_bit, __local uint *low,
                                   __local uint *high)
{
    uint least = ~0u, most = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        if (LEAF_HAS_SLOT(i, size)) {
            const uint bits = (uint)(KEY_DIGITS(own[i]) >> first_bit);
            least = min(least, bits);
            most = max(most, bits);
        }
    }
    GROUP_JOIN_MIN(low, least);
    GROUP_JOIN_MAX(high, most);
}

/* Empties the bins and the bounds. Ends before a barrier. */
CLSORT_INLINE void leaf_begin(__local struct leaf_local *shared, uint size)
{
    group_clear(shared->bins, LEAF_BINS);
    if (get_local_id(0) == 0) {
        shared->low[0] = shared->low[1] = ~0u;
        shared->high[0] = shared->high[1] = 0;
        shared->bins[LEAF_BINS] = size;
        shared->is_crowded = shared->work = 0;
    }
}

/* Counts the keys' bins, and sees whether one is crowded. numbers: the keys' in their bins. Ends
 * with a barrier. */
CLSORT_INLINE void leaf_count_bins(__local struct leaf_local *shared, const key_t *own, uint size,
                                   key_t least, uint shift, uint *numbers)
{
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        if (LEAF_HAS_SLOT(i, size)) {
            numbers[i] = atomic_inc(&shared->bins[LEAF_BIN(KEY_DIGITS(own[i]))]);
            if (numbers[i] >= LEAF_CROWDED && !LEAF_BINS_ARE_ENOUGH(shift))
                shared->is_crowded = 1;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all are counted */
}

#if PAYLOAD_INDEX
#define LEAF_PAYLOAD(slot) (makes_index ? begin % q->count + (slot) : payload[slot])
#elif PAYLOAD_SIZE
#define LEAF_PAYLOAD(slot) payload[slot]
#else
#define LEAF_PAYLOAD(slot) 0
#endif

/* Finds the crowded bins whose keys differ, or need order, and how many comparisons those take.
 * Begins after a barrier, and ends with one. */
CLSORT_INLINE void leaf_judge(__local struct leaf_local *shared, uint size, key_t least, uint shift)
{
    uint work = 0;
    group_clear(shared->differs, LEAF_BINS / 32);
    barrier(CLK_LOCAL_MEM_FENCE); /* no bin is marked */
    /* A key that differs from the bin's first marks the bin if the key before it does not. If all
     * did that differ, they would wait for one another at one word. */
    GROUP_LOOP(slot, 0, size) {
        const key_t order = LEAF_ITEM_ORDER(shared->tile[slot]);
        const uint bin = LEAF_BIN(order), begin = shared->bins[bin];
        const key_t first = LEAF_ITEM_ORDER(shared->tile[begin]);
        const key_t before = LEAF_ITEM_ORDER(shared->tile[max(slot, begin + 1) - 1]);
        const uint differs =
            LEAF_EQUAL_NEED_NO_ORDER ? (order != first) & (before == first) : slot == begin;
        if (differs & (shared->bins[bin + 1] - begin > LEAF_CROWDED))
            atomic_or(&shared->differs[bin / 32], 1u << bin % 32);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all are marked */
    GROUP_LOOP(bin, 0, LEAF_BINS) {
        const uint count = shared->bins[bin + 1] - shared->bins[bin];
        work += LEAF_DIFFERS(shared, bin) ? count * (count / LEAF_CROWDED) : 0;
    }
    GROUP_JOIN_ADD(&shared->work, work);
    barrier(CLK_LOCAL_MEM_FENCE); /* all work is added up */
}

/* Puts a leaf's elements into bins in the tile. They are in order then, except within a bin. Ends
 * with a barrier. */
CLSORT_INLINE void leaf_bin(const struct partition_params *q, PARTITION_ARGS,
                            __local struct leaf_local *shared, uint begin, uint size, uint from)
{
    __global const payload_t *payload = place_payload(q, PARTITION_BUFFERS, from) + begin;
    const int makes_index = (PLACE_LOAD_FLAGS(from) & FLAG_MAKE_INDEX) != 0;
    (void)payload, (void)makes_index;
    key_t own[ITEMS];
    uint numbers[ITEMS];
    leaf_load_keys(place_keys(q, PARTITION_BUFFERS, from) + begin, size, own);
    leaf_begin(shared, size);
    barrier(CLK_LOCAL_MEM_FENCE); /* nothing is counted, no bound is known */
    leaf_bound_bits(own, size, KEY_WORK_BITS - 32, &shared->low[0], &shared->high[0]);
    barrier(CLK_LOCAL_MEM_FENCE); /* the bounds of the upper bits are known */
    if (KEY_BITS == 64) {
        if (LEAF_IS_NARROW(shared))
            leaf_bound_bits(own, size, 0, &shared->low[1], &shared->high[1]);
        barrier(CLK_LOCAL_MEM_FENCE); /* the bounds of the lower bits are known, if they count */
    }
    const key_t least = leaf_least(shared);
    const uint shift = leaf_shift(shared);
    leaf_count_bins(shared, own, size, least, shift, numbers);
    group_scan_exclusive(&shared->scan, shared->bins, LEAF_BINS);
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (LEAF_HAS_SLOT(i, size))
            shared->tile[shared->bins[LEAF_BIN(KEY_DIGITS(own[i]))] + numbers[i]] =
                item_make(own[i], LEAF_PAYLOAD(get_local_id(0) + (uint)i * GROUP_SIZE));
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all are in their bins */
    if (shared->is_crowded)                              /* all or none: a barrier stands before */
        leaf_judge(shared, size, least, shift);
}

/* What is known of a leaf whose elements are in bins. */
struct leaf_order {
    key_t least;
    uint shift;
    uint is_hopeless, is_crowded;
    uint is_in_order; /* the tile, once a hopeless leaf has been merged */
};

CLSORT_INLINE struct leaf_order leaf_order_of(__local const struct leaf_local *shared, uint size)
{
    struct leaf_order order = {leaf_least(shared), leaf_shift(shared), 0, 0, 0};
    order.is_hopeless = shared->work > size;
    order.is_crowded = shared->is_crowded;
    order.is_in_order = order.is_hopeless || LEAF_BINS_ARE_ENOUGH(order.shift);
    return order;
}

/* The place of the item at `slot` of the tile. */
CLSORT_INLINE uint leaf_place(__local const struct leaf_local *shared,
                              const struct leaf_order *leaf, uint slot, ITEM item)
{
    const key_t least = leaf->least;
    const uint shift = leaf->shift;
    if (leaf->is_in_order)
        return slot;
    const uint bin = LEAF_BIN(LEAF_ITEM_ORDER(item));
    const uint end = shared->bins[bin + 1];
    uint place = shared->bins[bin];
    if (leaf->is_crowded && end - place > LEAF_CROWDED && !LEAF_DIFFERS(shared, bin))
        return slot;
#pragma unroll 1
    for (uint other = place; other < end; ++other) {
        const ITEM its = shared->tile[other];
        place +=
            (SPLITTERS_LESS(its, item) || (other < slot && !SPLITTERS_LESS(item, its))) ? 1 : 0;
    }
    return place;
}
#endif

/* Sorts `size` elements from `begin` on, from one place to another or to the same. `stores` says
 * what is written: FLAG_STORE_KEYS, FLAG_STORE_PAYLOAD. Begins after, and ends with, a barrier. */
CLSORT_INLINE void leaf_sort(const struct partition_params *q, PARTITION_ARGS,
                             __local struct leaf_local *shared, uint begin, uint size, uint from,
                             uint to, uint stores)
{
    const uint me = get_local_id(0);
#if LEAF_HAS_BINS
    leaf_bin(q, PARTITION_BUFFERS, shared, begin, size, from);
    const struct leaf_order leaf = leaf_order_of(shared, size);
    if (leaf.is_hopeless) /* all or none: leaf_bin() ends with a barrier */
        local_sort(&shared->sort, shared->tile, size);
#else
    __global const stored_key_t *keys = place_keys(q, PARTITION_BUFFERS, from) + begin;
    __global const payload_t *payload = place_payload(q, PARTITION_BUFFERS, from) + begin;
    const uint flags = PLACE_LOAD_FLAGS(from);
    const uint base = PAYLOAD_INDEX ? begin / q->count * q->count : 0;
    for (uint slot = me; slot < size; slot += GROUP_SIZE)
        PLACE_LOAD(shared->tile[slot], keys, payload, slot, base - begin, flags);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the leaf is there */
    local_sort(&shared->sort, shared->tile, size);
#endif
    __global stored_key_t *to_keys = place_keys(q, PARTITION_BUFFERS, to) + begin;
    __global payload_t *to_payload = place_payload(q, PARTITION_BUFFERS, to) + begin;
#pragma unroll 1
    for (uint slot = me; slot < size; slot += GROUP_SIZE) {
#if LEAF_HAS_BINS
        const ITEM item = shared->tile[slot];
        item_store(to_keys, to_payload, leaf_place(shared, &leaf, slot, item), item, stores);
#else
        ITEM_STORE(to_keys, to_payload, slot, LOCAL_ITEM(&shared->sort, shared->tile, slot),
                   stores);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the leaf is written */
}

#endif
