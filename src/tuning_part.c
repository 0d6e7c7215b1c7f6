/* tuning_part.c: the numbers of radix sort from the most significant digit down, fitted to the device. */
#include "params.h"
#include "tuning.h"
#include "tuning_numbers.h"

#define MIN_ITEMS 2
#define MAX_SLOTS (1 << 15) /* of a tile: places have 16 bits */

enum { DEVICE_ANY = -1, ITEM_ANY = 0 };
#define ITEM_SIZE_ANY ITEM_ANY
#define ITEM_SIZE_4 4
#define ITEM_SIZE_8 8

/* clang-format off */
#define PART_ROW(device, key, payload, group, items, leaf_group, leaf_items, bins, counting, tiles, \
                 scatter_regs, leaf_regs, votes, groups, crowded, deep, least, quick_least)         \
    {DEVICE_##device,                                                                               \
     ITEM_SIZE_##key,                                                                               \
     payload,                                                                                       \
     {.scatter = {group, items, 1},                                                                 \
      .leaf = {leaf_group, leaf_items, 1},                                                          \
      .count_items = counting,                                                                      \
      .digit_bits = PART_DIGIT_BITS,                                                                \
      .deep_bits = deep,                                                                            \
      .bin_bits = bins,                                                                             \
      .block_tiles = tiles,                                                                         \
      .scatter_registers = scatter_regs,                                                            \
      .leaf_registers = leaf_regs,                                                                  \
      .subgroup = votes,                                                                            \
      .groups_per_unit = groups,                                                                    \
      .crowded_per_unit = crowded,                                                                  \
      .patience = DEVICE_PATIENCE,                                                                  \
      .min_count = least,                                                                           \
      .quick_min = quick_least}},
/* clang-format on */
static const struct {
    int class;
    uint32_t key_size;
    uint32_t payload_size; /* at most */
    struct part_tuning tuning;
} part_rows[] = {PART_ROWS};
#undef PART_ROW

/* Nothing where there is no row. */
struct part_tuning tuning_part_row(const struct device_facts *facts, uint32_t key_size,
                                   uint32_t payload_size)
{
    const size_t num_rows = sizeof part_rows / sizeof *part_rows;
    size_t i = 0;
    while (i < num_rows &&
           ((part_rows[i].class != DEVICE_ANY && part_rows[i].class != (int)facts->class) ||
            (part_rows[i].key_size != ITEM_ANY && part_rows[i].key_size < key_size) ||
            part_rows[i].payload_size < payload_size))
        ++i;
    return i < num_rows ? part_rows[i].tuning : (struct part_tuning){0};
}

uint32_t tuning_part_count_local(const struct part_tuning *tuning)
{
    const uint32_t radix = 1u << tuning->digit_bits;
    const uint32_t copies = tuning->scatter.group_size >= 128 ? 4 : 1;
    const uint32_t counters = copies * radix * 4;
    const uint32_t cursors =
        (2 * radix + 3) * 4 + tuning_scan_local(tuning->scatter.group_size, tuning->subgroup);
    return (counters > cursors ? counters : cursors) + 16; /* and what has been seen */
}

uint32_t tuning_part_scan_local(const struct part_tuning *tuning)
{
    return tuning->scatter.group_size * 4 + 12; /* sums, what has been seen */
}

uint32_t tuning_part_scatter_local(const struct part_tuning *tuning, uint32_t key_size,
                                   uint32_t payload_size)
{
    const uint32_t radix = 1u << tuning->digit_bits;
    const uint32_t group_size = tuning->scatter.group_size;
    const uint32_t slots = (uint32_t)shape_slots(tuning->scatter);
    const uint32_t copies =
        payload_size ? group_size / (tuning->subgroup ? tuning->subgroup : 1) : 1;
    const uint32_t widest = payload_size > key_size ? payload_size : key_size;
    /* Ranking by votes and one array after the other; or by atomics, narrow pairs as one. */
    const uint32_t votes = radix * copies * 4 + slots * widest;
    const uint32_t joined = payload_size && widest <= 4 ? radix * 4 + slots * 8 : 0;
    return (votes > joined ? votes : joined) + tuning_scan_local(group_size, tuning->subgroup) +
           (radix + 2) * 4 /* where digits begin */
           + 2 * radix * 4 + 4 /* where their next element goes */;
}

uint32_t tuning_part_leaf_local(const struct part_tuning *tuning, uint32_t key_size,
                                uint32_t payload_size)
{
    const uint32_t slots = (uint32_t)shape_slots(tuning->leaf);
    const uint32_t bins = ((1u << tuning->bin_bits) / 2 + 1) * 4;
    const uint32_t places = payload_size ? slots * 2 : 0;
    return (bins > places ? bins : places) +
           tuning_scan_local(tuning->leaf.group_size, tuning->subgroup) +
           slots * (payload_size   ? 8
                    : key_size < 4 ? 4
                                   : key_size) +
           (tuning->leaf.group_size + 2) * 4 /* merging */ + 16;
}

static void fit_slots(struct shape *shape, uint64_t max)
{
    while (shape_slots(*shape) > max) {
        if (shape->items > MIN_ITEMS)
            shape->items /= 2;
        else
            shape->group_size /= 2;
    }
}

/* Smaller shapes until local memory holds them; 0 if that cannot be. Counting and scanning need less than
 * scattering does. */
static int fit_part(struct part_tuning *tuning, const struct device_facts *facts, uint32_t key_size,
                    uint32_t payload_size)
{
    struct shape *scatter = &tuning->scatter, *leaf = &tuning->leaf;
    const uint32_t least = tuning->subgroup ? tuning->subgroup : 1;
    while (scatter->group_size > facts->max_group_size)
        scatter->group_size /= 2;
    while (leaf->group_size > facts->max_group_size)
        leaf->group_size /= 2;
    fit_slots(scatter, MAX_SLOTS);
    fit_slots(leaf, payload_size ? 1 << PART_SLOT_BITS : MAX_SLOTS);
    tuning->scatter_registers = tuning_registers(facts, tuning->scatter_registers, scatter);
    tuning->leaf_registers = tuning_registers(facts, tuning->leaf_registers, leaf);
    while (tuning_part_leaf_local(tuning, key_size, payload_size) > facts->local_size) {
        if (leaf->items > 4)
            leaf->items /= 2;
        else if (tuning->bin_bits > 4)
            tuning->bin_bits -= 1;
        else if (leaf->group_size > 2 * least)
            leaf->group_size /= 2;
        else
            return 0;
    }
    while (tuning_part_scatter_local(tuning, key_size, payload_size) > facts->local_size) {
        if (scatter->items > 4)
            scatter->items /= 2;
        else if (scatter->group_size > 2 * least)
            scatter->group_size /= 2;
        else if (tuning->digit_bits > PART_MIN_DIGIT_BITS)
            tuning->digit_bits -= 1;
        else
            return 0;
    }
    return scatter->group_size % least == 0 && leaf->group_size % least == 0;
}

struct part_tuning tuning_part(const struct device_facts *facts, uint32_t key_size,
                               uint32_t payload_size)
{
    union tuning_row row;
    tuning_row(facts, TUNING_PART, key_size, payload_size, &row);
    struct part_tuning tuning = row.part;
    tuning.subgroup = tuning_votes(facts, tuning.subgroup);
    /* Keeping an order without votes takes a row of counters for each work-item: for tests. */
    const int lacks_votes = payload_size && row.part.subgroup && !tuning.subgroup;
    const int has_row = tuning_part_row(facts, key_size, payload_size).digit_bits != 0;
    if (!has_row || lacks_votes || !fit_part(&tuning, facts, key_size, payload_size))
        tuning.digit_bits = 0;
    return tuning;
}
