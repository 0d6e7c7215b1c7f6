/* tuning_quick.c: the numbers of partition quicksort, fitted to the device. */
#include "tuning.h"
#include "tuning_numbers.h"

#define MIN_ITEMS 2

enum { DEVICE_ANY = -1, ITEM_ANY = 0 };
#define ITEM_SIZE_ANY ITEM_ANY
#define ITEM_SIZE_4 4
#define ITEM_SIZE_8 8
#define ITEM_SIZE_16 16

/* clang-format off */
#define QUICK_ROW(device, item, sort_group, sort_items, sample_group, sample_items, count_group, \
                  count_items, move_group, move_items, bits, tiles, votes, sort_regs, rest, groups)    \
    {DEVICE_##device,                                                                         \
     ITEM_SIZE_##item,                                                                        \
     {.sort = {sort_group, sort_items, 1},                                                    \
      .sample = {sample_group, sample_items, 1},                                              \
      .count = {count_group, count_items, 1},                                                 \
      .move = {move_group, move_items, 1},                                                    \
      .bucket_bits = bits,                                                                    \
      .block_tiles = tiles,                                                                   \
      .rest_max = rest,                                                                       \
      .sort_registers = sort_regs,                                                            \
      .groups_per_unit = groups,                                                              \
      .patience = DEVICE_PATIENCE,                                                            \
      .subgroup = votes}},
/* clang-format on */
static const struct {
    int class;
    uint32_t item_size; /* at most */
    struct quick_tuning tuning;
} quick_rows[] = {QUICK_ROWS};
#undef QUICK_ROW

/* Scanning the buckets' counters, at most. */
uint32_t tuning_scan_local(uint32_t group_size, uint32_t subgroup)
{
    return subgroup ? group_size / subgroup * 4 : 2 * 4 * group_size;
}

/* Counts of a leaf's bins, of which records have none (cl/quick_leaf.h). */
static uint32_t leaf_bins_local(const struct quick_tuning *tuning)
{
    uint32_t bits = 6;
    while (bits < 11 && (uint64_t)2 << bits <= shape_slots(tuning->sort))
        ++bits;
    const uint32_t parts = tuning->sort.group_size / (tuning->subgroup ? tuning->subgroup : 1);
    return ((1u << bits) + 1 + 1 + 4 * (parts + 1)) * 4 +
           tuning_scan_local(tuning->sort.group_size, tuning->subgroup);
}

uint32_t tuning_quick_sort_local(const struct quick_tuning *tuning, uint32_t item_size)
{
    return (uint32_t)tuning_merge_local(tuning->sort, item_size) + 2 * 4 + leaf_bins_local(tuning);
}

uint32_t tuning_quick_sample_local(const struct quick_tuning *tuning, uint32_t item_size)
{
    return (uint32_t)tuning_merge_local(tuning->sample, item_size) +
           (((1u << tuning->bucket_bits) + 1) << 2) +
           tuning_scan_local(tuning->sample.group_size, tuning->subgroup);
}

uint32_t tuning_quick_move_local(const struct quick_tuning *tuning, uint32_t item_size)
{
    enum { PADDING = 2 * 16 };
    const uint32_t slots = (uint32_t)shape_slots(tuning->move);
    return slots * (item_size + (tuning->bucket_bits > 8 ? 2 : 1)) +
           (2 * 4 << tuning->bucket_bits) +
           tuning_scan_local(tuning->move.group_size, tuning->subgroup) + PADDING;
}

uint32_t tuning_quick_cursors_local(uint32_t group_size, uint32_t bucket_bits)
{
    const uint32_t bucket = 4 + 1 + 2 + 3 * 4; /* a begin, what it is, a place in the lists */
    return tuning_scan_local(group_size, 0) + (bucket << bucket_bits) + 4 + 4;
}

static void halve(struct shape *shape)
{
    if (shape_slots(*shape) == MIN_ITEMS + 1)
        shape->items = MIN_ITEMS;
    else if (shape->items > MIN_ITEMS)
        shape->items /= 2;
    else
        shape->group_size /= 2;
}

struct quick_tuning tuning_quick_row(const struct device_facts *facts, uint32_t item_size)
{
    size_t i = 0;
    while ((quick_rows[i].class != DEVICE_ANY && quick_rows[i].class != (int)facts->class) ||
           (quick_rows[i].item_size != ITEM_ANY && quick_rows[i].item_size < item_size))
        ++i;
    return quick_rows[i].tuning;
}

/* Compilers for CPUs take all of a work-item's items apart: PoCL 3.1 worked 17 to 32 s on the first quicksort with 32
 * of a text's, 12 to 14 with 16, 8 with 8, and 4.5 with the rows' 5. */
#define CPU_MAX_ITEMS 8

static void fit_cpu(struct quick_tuning *tuning)
{
    struct shape *const shapes[] = {&tuning->sort, &tuning->sample};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k)
        if (shapes[k]->items > CPU_MAX_ITEMS)
            shapes[k]->items = CPU_MAX_ITEMS;
}

/* Smaller shapes until local memory holds them. */
static void fit(struct quick_tuning *tuning, const struct device_facts *facts, uint32_t item_size)
{
    const uint64_t room = facts->local_size;
    /* The search tree and two tables are half of local memory at most. */
    while (tuning->bucket_bits > QUICK_MIN_BITS &&
           ((item_size + 8ull) << tuning->bucket_bits) > room / 2)
        tuning->bucket_bits -= 1;
    while (tuning_quick_sort_local(tuning, item_size) > room &&
           shape_slots(tuning->sort) > MIN_ITEMS)
        halve(&tuning->sort);
    while (tuning_quick_sample_local(tuning, item_size) > room &&
           shape_slots(tuning->sample) > MIN_ITEMS)
        halve(&tuning->sample);
    while (tuning_quick_move_local(tuning, item_size) > room &&
           shape_slots(tuning->move) > MIN_ITEMS)
        halve(&tuning->move);
}

struct quick_tuning tuning_quick(const struct device_facts *facts, uint32_t item_size)
{
    union tuning_row row;
    tuning_row(facts, TUNING_QUICK, item_size, 0, &row);
    struct quick_tuning tuning = row.quick;
    struct shape *const shapes[] = {&tuning.sort, &tuning.sample, &tuning.count, &tuning.move};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k)
        while (shapes[k]->group_size > facts->max_group_size)
            shapes[k]->group_size /= 2;
    tuning.subgroup = tuning_votes(facts, tuning.subgroup);
    if (facts->class == DEVICE_CPU)
        fit_cpu(&tuning);
    fit(&tuning, facts, item_size);
    int are_whole = 1;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k)
        are_whole &= !tuning.subgroup || shapes[k]->group_size % tuning.subgroup == 0;
    if (!are_whole) { /* what does without votes takes more room */
        tuning.subgroup = 0;
        fit(&tuning, facts, item_size);
    }
    tuning.sort_registers = tuning_registers(facts, tuning.sort_registers, &tuning.sort);
    return tuning;
}
