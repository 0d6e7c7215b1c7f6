/* msd.c: the numbers of msd, and of onesweep, which stands behind it, fitted to the device. */
#include "base/params.h"
#include "base/math.h"
#include "tuning/tuning.h"

#define MIN_ITEMS 2         /* of onesweep's work-item */
#define MIN_ONESWEEP_BITS 4 /* ONESWEEP_PASSES of cl/base/params.h for keys of 64 bits */
#define MAX_SLOTS (1 << 15) /* of a leaf or a tile: ranks and counts have 16 bits */
#define MIN_BIN_BITS \
    6 /* more than log2 of the group's size: each work-item clears 4 words of 16 bins */

/* cl/group/bin_sort.h: the bins, the tile, late items, the scan. Or the counters of
 * cl/sorts/msd/large.h. */
uint32_t tuning_msd_leaf_local(const struct msd_tuning *tuning, uint32_t item_size)
{
    const uint32_t slots = (uint32_t)shape_slots(tuning->leaf);
    const uint32_t words = 1u << (tuning->bin_bits - 4);
    const uint32_t rows = words / 4 / tuning->leaf.group_size;
    const uint32_t likely = (uint32_t)((uint64_t)slots * slots >> (tuning->bin_bits + 1));
    const uint32_t most = slots / MSD_LATE_SHARE(slots, likely);
    const uint32_t late = (most > likely ? most : likely) + (item_size == 2 ? 8 : 0);
    const uint32_t parts =
        tuning->subgroup ? tuning->leaf.group_size / tuning->subgroup : 2 * tuning->leaf.group_size;
    const uint32_t sort = words * 4 + slots * item_size + late * (item_size + 2) +
                          (rows + 1) / 2 * parts * 4 +
                          64; /* three counters, spare slots, and what alignment takes */
    const uint32_t cut =
        2 * MSD_LARGE_COLUMNS * 4 + tuning_scan_local(tuning->leaf.group_size, tuning->subgroup);
    return (sort > cut ? sort : cut) + 16; /* where a half begins, and what alignment takes */
}

/* cl/group/combine_order.h: a row of counters for two sub-groups, or for each work-item, and how
 * many elements each lacks; what alignment takes. */
static uint32_t order_local(const struct msd_tuning *tuning, uint32_t digit_bits)
{
    const uint32_t num = tuning->split.group_size / (tuning->subgroup ? tuning->subgroup : 1);
    const uint32_t rows = tuning->subgroup > 1 && num > 1 ? num / 2 : num;
    return (rows * 4u << digit_bits) + num * 4 + 16;
}

/* The counters of leaves of msd_split.cl: of 16 bits, or, of many or in order, of 8. */
static uint32_t leaves_local(uint32_t digit_bits, int in_order)
{
    const uint32_t bits = 2 * digit_bits > MSD_COUNTED_BITS ? MSD_COUNTED_BITS : 2 * digit_bits;
    const uint32_t bytes = in_order || digit_bits > MSD_FEW_BITS ? 1 : 2;
    return digit_bits <= (MSD_COUNTED_BITS + 1) / 2 ? bytes << bits : 4;
}

/* cl/group/combine.h: a bucket's room is MSD_CAPACITY of cl/sorts/msd/msd.h, of some times 16
 * bytes. */
void tuning_msd_split_local(const struct msd_tuning *tuning, const uint32_t digit_bits[2],
                            const struct split_items *items, uint32_t local_ret[2])
{
    const uint32_t slots = (uint32_t)shape_slots(tuning->split);
    const uint32_t sizes[] = {items->size, items->are_short ? 2 : items->size};
    const int is_exact = !items->are_short && !items->in_order;
    for (int i = 0; i < 2; ++i) {
        const uint32_t share = slots >> digit_bits[i];
        const uint32_t quarters = MSD_ROOM_QUARTERS(digit_bits[i], items->in_order);
        const uint32_t wanted = sizes[i] == 2 ? share * 4 + 8 : share * quarters / 4;
        const uint32_t quads = wanted * sizes[i] / 16;
        const uint32_t chunk = MSD_CHUNK_BYTES(digit_bits[i], sizes[i]);
        const uint32_t least = i && is_exact ? MSD_EXACT_ROOM(chunk) : MSD_LEAST_ROOM(chunk);
        local_ret[i] = ((quads < least ? least : quads) | 1) * (16u << digit_bits[i]) +
                       (12u << digit_bits[i]) +
                       (items->in_order ? order_local(tuning, digit_bits[i]) : 0);
    }
    const uint32_t counters = items->are_short ? 4 : leaves_local(digit_bits[0], items->in_order);
    local_ret[0] += 24 /* the next free block, an answer, alignment */ + counters;
}

void tuning_fit_msd(const struct device_facts *facts, uint32_t item_size, struct msd_tuning *row)
{
    row->subgroup = tuning_votes(facts, row->subgroup);
    tuning_fit_shape(facts, &row->leaf);
    tuning_fit_shape(facts, &row->split);
    const uint32_t least = MIN_BIN_BITS + ceil_log2(row->leaf.group_size);
    row->bin_bits = (uint32_t)larger(row->bin_bits, least);
    while ((row->leaf_local = tuning_msd_leaf_local(row, item_size)) > facts->local_size &&
           row->bin_bits > least)
        row->bin_bits -= 1;
    const uint64_t slots = shape_slots(row->leaf);
    if (slots > MAX_SLOTS || slots < 16 || row->leaf_local > facts->local_size ||
        shape_slots(row->split) > MAX_SLOTS ||
        (row->subgroup &&
         (row->leaf.group_size % row->subgroup || row->split.group_size % row->subgroup)))
        row->leaf.group_size = 0;
}

/* ---- onesweep ---- */

static uint32_t onesweep_local(const struct onesweep_tuning *tuning, uint32_t key_size,
                               uint32_t payload_size)
{
    const uint32_t radix = 1u << tuning->digit_bits;
    const uint32_t group_size = tuning->scatter.group_size;
    const uint32_t scan = tuning_scan_local(group_size, tuning->subgroup);
    const uint32_t digits = (key_size * 8 + tuning->digit_bits - 1) / tuning->digit_bits;
    const uint32_t few = ONESWEEP_FEW * (key_size > 4 ? 8 : 4) + 4;
    const uint32_t settle = key_size == 8 && digits <= 8 ? 2 * 4 + digits * 4 : 0;
    const uint32_t count = digits * radix * 4 + scan + 3 * 4 + few + settle;
    const uint32_t rows = group_size / (tuning->subgroup ? tuning->subgroup : 1);
    const uint32_t widest = payload_size > key_size ? payload_size : key_size;
    const uint32_t slot = payload_size && widest <= 4 ? 8 : widest; /* narrow pairs as one */
    const uint32_t counters = rows * radix * 4;
    const uint32_t tile = (uint32_t)shape_slots(tuning->scatter) * slot;
    const uint32_t scatter = (counters > tile ? counters : tile) + radix * 4 + scan + 4 + 16;
    return (count > scatter ? count : scatter) + 16;
}

void tuning_fit_onesweep(const struct device_facts *facts, uint32_t key_size, uint32_t payload_size,
                         struct onesweep_tuning *row)
{
    const uint32_t wanted = row->subgroup;
    tuning_fit_shape(facts, &row->scatter);
    row->subgroup = tuning_votes(facts, wanted);
    if (!row->digit_bits ||
        (wanted && !row->subgroup)) { /* a row of counters for each work-item would be too many */
        row->digit_bits = 0;
        return;
    }
    if (row->subgroup && row->scatter.group_size % row->subgroup)
        row->subgroup = 0;
    while ((row->local_size = onesweep_local(row, key_size, payload_size)) > facts->local_size ||
           shape_slots(row->scatter) > MAX_SLOTS) {
        if (row->scatter.items > MIN_ITEMS)
            row->scatter.items -= 1;
        else if (row->digit_bits > MIN_ONESWEEP_BITS)
            row->digit_bits -= 1;
        else {
            row->digit_bits = 0;
            break;
        }
    }
}
