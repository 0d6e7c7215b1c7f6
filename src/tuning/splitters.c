/* splitters.c: partition by splitters, and its form in one launch, fitted to the device. */
#include "tuning/tuning.h"

#include "base/math.h"

#define MIN_ITEMS 2
#define MAX_BUCKET_BITS 10 /* as in fields.h */
#define MIN_BUCKET_BITS 1  /* large records on devices with 1 KiB of local memory */

/* Compilers for CPUs take all of a work-item's items apart: PoCL 3.1 worked 17 to 32 s on the first
 * quicksort with 32 of a text's, 12 to 14 with 16, 8 with 8, and 4.5 with the 5 of cpu.tuning. */
#define CPU_MAX_ITEMS 8

uint32_t tuning_leaf_local(struct shape leaf, uint32_t subgroup, uint32_t item_size)
{
    uint32_t bits = 6; /* of bins, whose counts records do not need (cl/sorts/partition/leaf.h) */
    while (bits < 11 && (uint64_t)2 << bits <= shape_slots(leaf))
        ++bits;
    return (uint32_t)tuning_merge_local(leaf, item_size) + 2 * 4 +
           ((1u << bits) + (1u << bits) / 32 + 3 + 2 * 2) * 4 +
           tuning_scan_local(leaf.group_size, subgroup);
}

uint32_t tuning_splitters_sample_local(const struct partition_tuning *tuning, uint32_t item_size)
{
    return (uint32_t)tuning_merge_local(tuning->sample, item_size) +
           (((1u << tuning->bucket_bits) + 1) << 2) +
           tuning_scan_local(tuning->sample.group_size, tuning->subgroup);
}

/* A bucket's counters: one for each sub-group, or for each work-item if they do not vote. */
static uint64_t counters_in_order(const struct partition_tuning *tuning)
{
    const uint64_t rows = tuning->scatter.group_size / (tuning->subgroup ? tuning->subgroup : 1);
    return rows * 4 << tuning->bucket_bits;
}

uint64_t tuning_splitters_scatter_local(const struct partition_tuning *tuning, uint32_t item_size,
                                        int in_order)
{
    enum { PADDING = 2 * 16 };
    const uint64_t counters = 4u << tuning->bucket_bits;
    return shape_slots(tuning->scatter) * (item_size + (tuning->bucket_bits > 8 ? 2 : 1)) +
           counters + (in_order ? counters_in_order(tuning) : counters) +
           tuning_scan_local(tuning->scatter.group_size, tuning->subgroup) + PADDING;
}

/* The tables of counting: the search tree and two more; then where buckets begin and what they
 * are. */
static uint64_t count_tables(const struct partition_tuning *tuning, uint32_t item_size)
{
    return larger(item_size + 8, LIST_LOCAL) << tuning->bucket_bits;
}

uint32_t tuning_splitters_count_local(const struct partition_tuning *tuning, uint32_t item_size)
{
    return (uint32_t)count_tables(tuning, item_size) +
           tuning_scan_local(tuning->count.group_size, tuning->subgroup) + 12 * 4;
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

/* Smaller shapes until local memory holds them. */
static void fit(struct partition_tuning *tuning, const struct device_facts *facts,
                uint32_t item_size)
{
    const uint64_t room = facts->local_size;
    /* Tables are half of local memory at most. */
    while (tuning->bucket_bits > MIN_BUCKET_BITS && count_tables(tuning, item_size) > room / 2)
        tuning->bucket_bits -= 1;
    while (tuning_splitters_count_local(tuning, item_size) > room && tuning->count.group_size > 1)
        tuning->count.group_size /= 2;
    while ((tuning_leaf_local(tuning->leaf, tuning->subgroup, item_size) > room ||
            shape_slots(tuning->leaf) > MAX_MERGE_SLOTS) &&
           shape_slots(tuning->leaf) > MIN_ITEMS)
        halve(&tuning->leaf);
    while ((tuning_splitters_sample_local(tuning, item_size) > room ||
            shape_slots(tuning->sample) > MAX_MERGE_SLOTS) &&
           shape_slots(tuning->sample) > MIN_ITEMS)
        halve(&tuning->sample);
    while (tuning_splitters_scatter_local(tuning, item_size, 0) > room &&
           shape_slots(tuning->scatter) > MIN_ITEMS)
        halve(&tuning->scatter);
}

struct partition_tuning tuning_splitters(const struct device_facts *facts, uint32_t item_size,
                                         uint32_t payload_size)
{
    struct partition_tuning row =
        tuning_row(facts, TUNING_SPLITTERS, item_size, payload_size).splitters;
    struct shape *const shapes[] = {&row.leaf, &row.sample, &row.count, &row.scatter};
    const size_t num_shapes = sizeof shapes / sizeof *shapes;
    for (size_t k = 0; k < num_shapes; ++k)
        tuning_fit_shape(facts, shapes[k]);
    row.subgroup = tuning_votes(facts, row.subgroup);
    if (facts->class == DEVICE_CPU) {
        row.leaf.items = (uint32_t)smaller(row.leaf.items, CPU_MAX_ITEMS);
        row.sample.items = (uint32_t)smaller(row.sample.items, CPU_MAX_ITEMS);
    }
    fit(&row, facts, item_size);
    int are_whole = 1;
    for (size_t k = 0; k < num_shapes; ++k)
        are_whole &= !row.subgroup || shapes[k]->group_size % row.subgroup == 0;
    if (!are_whole) { /* what does without votes takes more room */
        row.subgroup = 0;
        fit(&row, facts, item_size);
    }
    return row;
}

/* Counters that take more than half of local memory are not worth it. */
int tuning_fit_splitters_in_order(const struct device_facts *facts, uint32_t item_size,
                                  struct partition_tuning *row)
{
    if (counters_in_order(row) > facts->local_size / 2)
        return 0;
    while (tuning_splitters_scatter_local(row, item_size, 1) > facts->local_size &&
           row->scatter.items > MIN_ITEMS)
        row->scatter.items = (row->scatter.items + 1) / 2;
    return tuning_splitters_scatter_local(row, item_size, 1) <= facts->local_size;
}

/* Tiles may become smaller for it: the tables of more buckets take their room. */
int tuning_splitters_widen(const struct device_facts *facts, uint32_t item_size, int in_order,
                           struct partition_tuning *row)
{
    struct partition_tuning wide = *row;
    wide.bucket_bits += wide.spare_bits;
    if (wide.bucket_bits > MAX_BUCKET_BITS)
        return 0;
    fit(&wide, facts, item_size);
    if (wide.bucket_bits != row->bucket_bits + row->spare_bits ||
        (in_order && !tuning_fit_splitters_in_order(facts, item_size, &wide)))
        return 0;
    *row = wide;
    return 1;
}

/* ---- in one launch ---- */

uint32_t tuning_whole_local(const struct whole_tuning *tuning, uint32_t leaf_items,
                            uint32_t item_size)
{
    enum { PADDING = 3 * 16 }; /* before items of 16 bytes, and behind them */
    const struct shape leaf = {tuning->group_size, leaf_items, 1};
    const uint32_t buckets = 1u << tuning->bucket_bits;
    const uint32_t tree = buckets * (2 * item_size + 8) + 4;
    const uint32_t sort = tuning_leaf_local(leaf, tuning->subgroup, item_size);
    return (tree > sort ? tree : sort) + tuning_scan_local(tuning->group_size, tuning->subgroup) +
           (buckets + 1 + 6) * 4 + PADDING;
}

struct whole_tuning tuning_whole(const struct device_facts *facts, uint32_t item_size)
{
    struct whole_tuning row = tuning_row(facts, TUNING_WHOLE, item_size, 0).whole;
    row.subgroup = tuning_votes(facts, 1);
    row.sample.lanes = 1;
    tuning_fit_shape(facts, &row.single);
    if (row.subgroup && (row.group_size % row.subgroup || row.single.group_size % row.subgroup))
        row.subgroup = 0;
    while (row.single.items > 1 &&
           tuning_leaf_local(row.single, row.subgroup, item_size) > facts->local_size)
        row.single.items -= 1;
    while (row.group_size > WHOLE_MIN_GROUP &&
           (row.group_size > facts->max_group_size ||
            tuning_whole_local(&row, 2, item_size) > facts->local_size)) {
        row.group_size /= 2;
        row.groups_per_unit *= 2;
        row.bucket_min = (row.bucket_min + 1) / 2;
    }
    while (row.leaf_items > 2 &&
           tuning_whole_local(&row, row.leaf_items, item_size) > facts->local_size)
        row.leaf_items -= 1;
    /* An element's place among those of its group has 16 bits. */
    row.held = (uint32_t)smaller(row.held, (1 << 16) / row.group_size);
    /* Not worth a smaller form. */
    if (row.held == 0 || row.group_size > facts->max_group_size ||
        row.sample.group_size > facts->max_group_size ||
        shape_slots(row.sample) * item_size + 256 > facts->local_size ||
        shape_slots(row.sample) >> row.bucket_bits == 0 || /* a bucket has one at least */
        tuning_leaf_local(row.single, row.subgroup, item_size) > facts->local_size ||
        tuning_whole_local(&row, row.leaf_items, item_size) > facts->local_size)
        row.groups_per_unit = 0;
    return row;
}
