/* leaf.c: how many leaves the sorts from the highest digit down cut an array into, and how
 * large a leaf is. Leaves of random keys are to fit. */
#include "plan/route.h"

/* Percent of a leaf that random keys fill on average, at most. At 90, of 4147 elements in 2^15 bins
 * 252 are late, give or take 17, and there is storage for 329: of 2^16 such leaves, one has more in
 * about every tenth sort. */
#define LEAF_FILL 89
#define MIN_LEAF_GROUP 64 /* work-items */
#define MAX_LEAF_ITEMS 32 /* of one; cl/group/bin_sort.h */

uint32_t plan_leaf_bits(const struct leaf_cut *cut, struct shape leaf)
{
    const uint64_t slots = shape_slots(leaf), room = slots * LEAF_FILL / 100;
    const uint32_t wanted = ceil_log2(ceil_div(cut->count, room ? room : 1));
    const uint32_t own = cut->slot_bits == LEAF_SLOT_BITS ? MSD_SLOT_BITS(slots) : cut->slot_bits;
    const uint32_t most = cut->rest_bits - own;
    return cut->num_bits > most && wanted < cut->num_bits - most ? cut->num_bits - most : wanted;
}

/* Whether leaves of random keys fit, though their sizes vary: the deviation is the root of the
 * average, and of 2^13 leaves seldom one is larger than that by five deviations. */
static int leaves_fit(const struct leaf_cut *cut, struct shape leaf)
{
    const uint64_t slots = shape_slots(leaf);
    const uint32_t bits = plan_leaf_bits(cut, leaf);
    const uint64_t mean =
        ceil_div(cut->count, (uint64_t)1 << (bits < cut->num_bits ? bits : cut->num_bits));
    return mean < slots && 25 * mean <= (slots - mean) * (slots - mean);
}

uint32_t plan_leaf_shrink(const struct leaf_cut *cut, struct shape *leaf)
{
    struct shape half = {leaf->group_size / 2, leaf->items + 1, leaf->lanes};
    uint32_t num = 0;
    if (cut->slot_bits == 0 || half.items > MAX_LEAF_ITEMS)
        return 0;
    for (; half.group_size >= MIN_LEAF_GROUP && leaves_fit(cut, half) &&
           plan_leaf_bits(cut, half) <= plan_leaf_bits(cut, *leaf);
         half.group_size /= 2, ++num)
        *leaf = half;
    return num;
}
