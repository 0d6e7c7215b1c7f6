/* rests.cl: sorts leaves in local memory, and moves those that are in order already (digits.h).
 *
 * Idea: a work-group reads a leaf once and counts its elements in BINS bins, by the highest bits in
 * which they differ. The atomic increment that counts an element also gives its number in its bin.
 * A scan turns the counts into places, and the elements are put there. There are about as many
 * bins as elements, so a bin holds few of them. Each element is compared with the others of its
 * bin, which are its neighbours in local memory, and is written to its place in the output. Two
 * bins' counts share a word, bin b those of b + BINS / 2, so the scan does two at once. A leaf in
 * which a bin holds more than CROWDED is left for crowded.cl, untouched.
 *
 * Payloads follow by the place that their key got, through local memory, so that they are written
 * in runs. If equal keys need no order, a narrow payload and its key are sorted as one number.
 *
 * Local memory: the bins, later the place of each slot's element; the elements. Runs after: the
 * last level's scatter.cl, or levels.cl. The leaf may already lie in the output. */
#include "base/config.h"
#include "sorts/partition/rests.h"

/* Comparing within a bin costs its size for each element; merging (crowded.cl) costs the same for
 * all. For entropy 0.54, TILE_SLOTS / 8 takes 9 % longer, 32 takes 2 %. */
#define CROWDED (TILE_SLOTS / 8 < 128 ? TILE_SLOTS / 8 : 128)
/* Bins for single keys need no comparing, unless equal ones are to keep their order. */
#define BINS_ARE_ENOUGH(bins) (!KEEPS_ORDER && (bins)->shift == 0)

/* How a leaf's elements lie in their bins. */
struct leaf_bins {
    uint size;    /* elements */
    uint shift;   /* of a rest's key, for its bin */
    uint low_sum; /* elements in the bins of the lower half */
    uint cut;     /* bits that rests lack */
};
#define BIN(rest, bins) ((uint)(DIGITS_REST_KEY(rest) >> (bins)->shift))

/* A work-item's element i is at slot i * GROUP_SIZE + me, if that is less than the leaf's size. So
 * it exists if i * GROUP_SIZE < left, where left is the size minus me. */

/* The first place of a bin's elements. */
CLSORT_INLINE uint bin_begin(__local const struct digits_leaf_local *shared,
                             const struct leaf_bins *bins, uint bin)
{
    const uint word = shared->table.bins[bin % (BINS / 2)];
    return bin < BINS / 2 ? word & 0xffff : (word >> 16) + bins->low_sum;
}

/* The rank in the leaf of the element at `slot`, which lies somewhere in its bin. Where rests are
 * cut, keys decide between elements whose rests are the same, then slots; from: the keys. */
CLSORT_INLINE uint leaf_place(const struct partition_params *q, __global const stored_key_t *from,
                              __local const struct digits_leaf_local *shared,
                              const struct leaf_bins *bins, digits_rest_t rest, uint slot)
{
    if (BINS_ARE_ENOUGH(bins))
        return slot;
    const uint bin = BIN(rest, bins);
    const uint begin = bin_begin(shared, bins, bin);
    const uint end = bin + 1 < BINS ? bin_begin(shared, bins, bin + 1) : bins->size;
    const key_t own = bins->cut ? DIGITS_ORDER(from[DIGITS_REST_SLOT(rest)]) : 0;
    uint place = begin;
#pragma unroll 1
    for (uint other = begin; other < end; ++other) {
        const digits_rest_t its = shared->tile.rests[other];
        int is_before = its < rest || (its == rest && other < slot);
        if (bins->cut && its != rest && DIGITS_REST_KEY(its) == DIGITS_REST_KEY(rest)) {
            const key_t order = DIGITS_ORDER(from[DIGITS_REST_SLOT(its)]);
            is_before = order < own || (order == own && is_before);
        }
        place += is_before;
    }
    return place;
}

/* What moves with the element at slot `i * GROUP_SIZE` behind this work-item's first. */
#if DIGITS_JOINED
#define WITH(i) with[(i)*GROUP_SIZE]
#else
#define WITH(i) (me + (uint)(i)*GROUP_SIZE)
#endif

CLSORT_INLINE void digits_leaf_load(const struct partition_params *q, PARTITION_ARGS,
                                    const leaf_t *leaf, int left, digits_rest_t *own)
{
    const uint me = get_local_id(0);
    const uint place = leaf->place;
    __global const stored_key_t *mine = place_keys(q, PARTITION_BUFFERS, place) + leaf->begin + me;
    __global const payload_t *with = place_payload(q, PARTITION_BUFFERS, place) + leaf->begin + me;
    (void)with;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            own[i] = DIGITS_REST(DIGITS_ORDER(mine[i * GROUP_SIZE]), leaf->low,
                                 DIGITS_CUT(leaf->bits), WITH(i));
}

/* Counts the elements' bins. `numbers` gets each element's number in its bin, and above bit 16 the
 * bin. Ends with a barrier. */
CLSORT_INLINE void digits_leaf_count(__local struct digits_leaf_local *shared,
                                     const digits_rest_t *own, int left,
                                     const struct leaf_bins *bins, uint *numbers)
{
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        if (i * GROUP_SIZE < left) {
            const uint bin = BIN(own[i], bins);
            const uint half_shift = bin < BINS / 2 ? 0 : 16;
            const uint before = atomic_add(&shared->table.bins[bin % (BINS / 2)], 1u << half_shift);
            numbers[i] = (before >> half_shift & 0xffff) | bin << 16;
            if (((numbers[i] & 0xffff) >= CROWDED) & !BINS_ARE_ENOUGH(bins))
                shared->crowded = 1;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all are counted */
}

/* Puts the elements into their bins. Ends with a barrier. */
CLSORT_INLINE void digits_leaf_bin(__local struct digits_leaf_local *shared,
                                   const digits_rest_t *own, const uint *numbers, int left,
                                   const struct leaf_bins *bins)
{
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            shared->tile.rests[bin_begin(shared, bins, numbers[i] >> 16) + (numbers[i] & 0xffff)] =
                own[i];
    /* Elements are in their bins, and all have been read from where the output may be. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

/* digits_leaf_write(): elements go from their bins to their places in the output. Ends with a
 * barrier. */
#if DIGITS_JOINED || PAYLOAD_SIZE == 0

CLSORT_INLINE void digits_leaf_write(const struct partition_params *q, PARTITION_ARGS,
                                     const leaf_t *leaf, int crowded, const struct leaf_bins *bins,
                                     __local struct digits_leaf_local *shared)
{
    const int left = crowded ? 0 : (int)bins->size - (int)get_local_id(0);
#pragma unroll 2
    for (int i = 0; i < ITEMS; ++i) {
        if (i * GROUP_SIZE < left) {
            const uint slot = get_local_id(0) + (uint)i * GROUP_SIZE;
            const digits_rest_t rest = shared->tile.rests[slot];
            leaf_put(q, PARTITION_BUFFERS, leaf, leaf_place(q, 0, shared, bins, rest, slot), rest);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all have been read before the next leaf's come */
}

#else

CLSORT_INLINE void digits_leaf_write(const struct partition_params *q, PARTITION_ARGS,
                                     const leaf_t *leaf, int crowded, const struct leaf_bins *bins,
                                     __local struct digits_leaf_local *shared)
{
    const int left = crowded ? 0 : (int)bins->size - (int)get_local_id(0);
    uint places[ITEMS]; /* the slot that an element came from, and its place from bit 16 on */
    __global const stored_key_t *from = place_keys(q, PARTITION_BUFFERS, leaf->place) + leaf->begin;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        if (i * GROUP_SIZE < left) {
            const uint slot = get_local_id(0) + (uint)i * GROUP_SIZE;
            const digits_rest_t rest = shared->tile.rests[slot];
            places[i] =
                leaf_place(q, from, shared, bins, rest, slot) << 16 | DIGITS_REST_SLOT(rest);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* places are known, and the bins are no longer needed */
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            shared->table.places[places[i] & 0xffff] = (ushort)(places[i] >> 16);
    barrier(CLK_LOCAL_MEM_FENCE); /* each slot's place is there */
    leaf_store(q, PARTITION_BUFFERS, leaf, crowded ? 0 : bins->size, shared);
}

#endif

KERNEL void partition_rests(const struct partition_params p, PARTITION_ARGS)
{
    const struct partition_params *q = &p;
    __local struct digits_leaf_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint me = get_local_id(0);
    const uint num_leaves = PARTITION_CONTROL->num_leaves;
#pragma unroll 1
    for (uint number = get_group_id(0); number < num_leaves; number += get_num_groups(0)) {
        const leaf_t leaf = PARTITION_LEAF(number);
        const int moves = leaf.kind != LEAF_SORT;
        if (leaf.kind == LEAF_REVERSE)
            digits_reverse(q, PARTITION_BUFFERS, &leaf);
        else if (moves)
            partition_copy(q, PARTITION_BUFFERS, &leaf, q->flags | FLAG_STORE_PAYLOAD);
        struct leaf_bins bins = {.size = moves ? 0 : leaf.size, .cut = DIGITS_CUT(leaf.bits)};
        bins.shift = sub_sat(leaf.bits - bins.cut, (uint)RADIX_BITS);
        const int left = (int)bins.size - (int)me;
        digits_rest_t own[ITEMS];
        uint numbers[ITEMS];
        group_clear(shared.table.bins, BINS / 2 + 1);
        if (me == 0)
            shared.crowded = 0;
        digits_leaf_load(q, PARTITION_BUFFERS, &leaf, left, own);
        barrier(CLK_LOCAL_MEM_FENCE); /* counts are 0 */
        digits_leaf_count(&shared, own, left, &bins, numbers);
        group_scan_exclusive(&shared.scan, shared.table.bins, BINS / 2 + 1);
        const int crowded = shared.crowded != 0;
        bins.low_sum = shared.table.bins[BINS / 2] & 0xffff;
        if (crowded && me == 0)
            PARTITION_TABLE(uint, crowded)[atomic_inc(&PARTITION_CONTROL->num_crowded)] = number;
        digits_leaf_bin(&shared, own, numbers, crowded ? 0 : left, &bins);
        digits_leaf_write(q, PARTITION_BUFFERS, &leaf, crowded, &bins, &shared);
    }
}
