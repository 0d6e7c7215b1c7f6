/* tuning_whole.c: the numbers of quicksort in one launch, fitted to the device. */
#include "tuning.h"
#include "tuning_numbers.h"

enum { DEVICE_ANY = -1, ITEM_ANY = 0 };
#define ITEM_SIZE_ANY ITEM_ANY
#define ITEM_SIZE_4 4
#define ITEM_SIZE_8 8
#define ITEM_SIZE_16 16

/* clang-format off */
#define WHOLE_ROW(device, item, group_size_, held_, leaf, regs, groups, bits, sample_group, sample_items, \
                  single_group, single_items, max, narrow)                                      \
    {DEVICE_##device,                                                                           \
     ITEM_SIZE_##item,                                                                          \
     {.group_size = group_size_,                                                                \
      .held = held_,                                                                            \
      .leaf_items = leaf,                                                                       \
      .registers = regs,                                                                        \
      .groups_per_unit = groups,                                                                \
      .bucket_bits = bits,                                                                      \
      .sample = {sample_group, sample_items, 1},                                                \
      .single = {single_group, single_items, 1},                                                \
      .patience = WHOLE_PATIENCE,                                                               \
      .auto_max = max,                                                                          \
      .narrow_max = narrow}},
/* clang-format on */
static const struct {
    int class;
    uint32_t item_size; /* at most */
    struct whole_tuning tuning;
} whole_rows[] = {WHOLE_ROWS};
#undef WHOLE_ROW

struct whole_tuning tuning_whole_row(const struct device_facts *facts, uint32_t item_size)
{
    size_t i = 0;
    while ((whole_rows[i].class != DEVICE_ANY && whole_rows[i].class != (int)facts->class) ||
           (whole_rows[i].item_size != ITEM_ANY && whole_rows[i].item_size < item_size))
        ++i;
    return whole_rows[i].tuning;
}

uint32_t tuning_whole_local(const struct whole_tuning *tuning, uint32_t leaf_items,
                            uint32_t item_size)
{
    const struct shape leaf = {tuning->group_size, leaf_items, 1};
    const uint32_t buckets = 1u << tuning->bucket_bits;
    const uint32_t tree = buckets * (2 * item_size + 8) + 4;
    const struct quick_tuning as_quick = {.sort = leaf, .subgroup = tuning->subgroup};
    const uint32_t sort = tuning_quick_sort_local(&as_quick, item_size);
    return (tree > sort ? tree : sort) + tuning_scan_local(tuning->group_size, tuning->subgroup) +
           (buckets + 1 + 4) * 4;
}

static uint32_t single_local(const struct whole_tuning *tuning, uint32_t item_size)
{
    const struct quick_tuning as_quick = {.sort = tuning->single, .subgroup = tuning->subgroup};
    return tuning_quick_sort_local(&as_quick, item_size);
}

struct whole_tuning tuning_whole(const struct device_facts *facts, uint32_t item_size)
{
    union tuning_row row;
    tuning_row(facts, TUNING_WHOLE, item_size, 0, &row);
    struct whole_tuning tuning = row.whole;
    tuning.subgroup = tuning_votes(facts, 1);
    while (tuning.single.group_size > facts->max_group_size)
        tuning.single.group_size /= 2;
    if (tuning.subgroup &&
        (tuning.group_size % tuning.subgroup || tuning.single.group_size % tuning.subgroup))
        tuning.subgroup = 0;
    while (tuning.single.items > 1 && single_local(&tuning, item_size) > facts->local_size)
        tuning.single.items -= 1;
    while (tuning.leaf_items > 2 &&
           tuning_whole_local(&tuning, tuning.leaf_items, item_size) > facts->local_size)
        tuning.leaf_items -= 1;
    /* Not worth a smaller form. */
    if (tuning.group_size > facts->max_group_size ||
        tuning.sample.group_size > facts->max_group_size ||
        shape_slots(tuning.sample) * item_size + 256 > facts->local_size ||
        single_local(&tuning, item_size) > facts->local_size ||
        tuning_whole_local(&tuning, tuning.leaf_items, item_size) > facts->local_size)
        tuning.groups_per_unit = 0;
    const struct shape shape = {tuning.group_size, tuning.leaf_items, 1};
    tuning.registers = tuning_registers(facts, tuning.registers, &shape);
    return tuning;
}
