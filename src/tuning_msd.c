/* tuning_msd.c: the engine of cl/msd_*, fitted to the device. */
#include "plan_math.h"
#include "tuning.h"

#define MAX_SLOTS (1 << 15) /* of a leaf: ranks have 16 bits */
#define MIN_BIN_BITS \
    6 /* more than log2 of the group's size: each work-item clears 4 words of 16 bins */

/* cl/group_bin_sort.h: the bins, the tile, late items, the scan. */
uint32_t tuning_msd_leaf_local(const struct msd_tuning *tuning, uint32_t item_size)
{
    const uint32_t slots = (uint32_t)shape_slots(tuning->leaf);
    const uint32_t words = 1u << (tuning->bin_bits - 4);
    const uint32_t rows = words / 4 / tuning->leaf.group_size;
    const uint32_t likely = (uint32_t)((uint64_t)slots * slots >> (tuning->bin_bits + 1));
    const uint32_t late = slots / 14 > likely ? slots / 14 : likely;
    const uint32_t parts =
        tuning->subgroup ? tuning->leaf.group_size / tuning->subgroup : 2 * tuning->leaf.group_size;
    return words * 4 + slots * item_size + late * (item_size + 2) +
           (rows + 1) / 2 * parts * 4 + 64; /* a counter, and what alignment takes */
}

/* cl/group_combine.h: a bucket's room is MSD_CAPACITY of cl/msd.h, of `least` times 16 bytes. */
uint32_t tuning_msd_split_local(const struct msd_tuning *tuning, uint32_t digit_bits,
                                uint32_t item_size, uint32_t least)
{
    const uint32_t slots = (uint32_t)shape_slots(tuning->split);
    const uint32_t share = slots >> digit_bits;
    const uint32_t wanted = item_size == 2 ? share * 4 + 8 : share * 5 / 2;
    const uint32_t quads = wanted * item_size / 16;
    return ((quads < least ? least : quads) | 1) * (16u << digit_bits) + (12u << digit_bits);
}

void tuning_fit_msd(const struct device_facts *facts, uint32_t item_size, struct msd_tuning *row)
{
    row->subgroup = tuning_votes(facts, row->subgroup);
    tuning_fit_shape(facts, &row->leaf);
    tuning_fit_shape(facts, &row->split);
    row->split_registers = tuning_registers(facts, row->split_registers, &row->split);
    row->leaf_registers = tuning_registers(facts, row->leaf_registers, &row->leaf);
    const uint32_t least = MIN_BIN_BITS + ceil_log2(row->leaf.group_size);
    if (row->bin_bits < least)
        row->bin_bits = least;
    while (row->bin_bits > least && tuning_msd_leaf_local(row, item_size) > facts->local_size)
        row->bin_bits -= 1;
    if (shape_slots(row->leaf) > MAX_SLOTS || shape_slots(row->leaf) < 16 ||
        tuning_msd_leaf_local(row, item_size) > facts->local_size ||
        (row->subgroup && row->leaf.group_size % row->subgroup))
        row->leaf.group_size = 0;
}
