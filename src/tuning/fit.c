/* fit.c: fits rows of the bitonic network, rank sort, radix sort and merge sort to the
 * device. */
#include "base/params.h"
#include "tuning/tuning.h"

#define MIN_ITEMS 2              /* the network's windows need a bit of register index */
#define MAX_BITS_WITHOUT_VOTES 4 /* a row of counters for each work-item must fit in local memory */
#define PADDING (2 * 16)         /* between variables, which compilers may align for vectors */

uint64_t tuning_string_local(uint32_t group_size)
{
    return 8 * (3 * (uint64_t)group_size + 2); /* one for where the chunk ends, one for alignment */
}

struct string_tuning tuning_strings(const struct device_facts *facts)
{
    struct string_tuning row = tuning_row(facts, TUNING_STRINGS, 0, 0).strings;
    while (row.group_size > 1 && (row.group_size > facts->max_group_size ||
                                  tuning_string_local(row.group_size) > facts->local_size))
        row.group_size /= 2;
    return row;
}

/* ---- general ---- */

/* Elements in a vector of the device; 1 where vectors are not wanted or do not pay. */
static uint32_t fit_lanes(const struct device_facts *facts, uint32_t item_size, uint32_t wanted)
{
    if (!wanted || item_size == 16)
        return 1;
    const uint32_t lanes = facts->vector_bytes / item_size;
    return lanes >= 16 ? 16 : lanes >= 8 ? 8 : lanes >= 4 ? 4 : 1;
}

/* Makes a tile smaller until local memory holds it: few items, then few work-items, or the
 * reverse. If a few bytes are still too many, the build says so. */
static void fit_tile(const struct device_facts *facts, uint32_t item_size, struct shape *shape)
{
    while (shape_slots(*shape) * item_size > facts->local_size) {
        if (shape->group_size > 1)
            shape->group_size /= 2;
        else if (shape->items > MIN_ITEMS)
            shape->items /= 2;
        else
            break;
    }
}

uint64_t tuning_radix_local(const struct tuning *tuning, uint32_t item_size)
{
    const uint64_t radix = (uint64_t)1 << tuning->radix_bits;
    const uint64_t group_size = tuning->radix.group_size;
    const uint64_t num_subgroups =
        group_size / (tuning->radix_subgroup ? tuning->radix_subgroup : 1);
    const uint64_t ranking = radix * num_subgroups * 4 + 2 * group_size * 4; /* counters, a scan */
    const uint64_t totals =
        2 * group_size * 8; /* in the same place, before: a scan of the totals */
    return shape_slots(tuning->radix) * item_size + (ranking > totals ? ranking : totals) +
           radix * (3 * 8 + 4); /* each digit's target and end */
}

/* Votes need whole sub-groups, wide digits need votes. */
static void fit_radix(const struct device_facts *facts, uint32_t item_size, struct tuning *tuning)
{
    struct shape *radix = &tuning->radix;
    tuning->radix_subgroup = tuning_group_votes(facts, tuning->radix_subgroup, radix->group_size);
    if (!tuning->radix_subgroup && tuning->radix_bits > MAX_BITS_WITHOUT_VOTES)
        tuning->radix_bits = MAX_BITS_WITHOUT_VOTES;
    while (tuning_radix_local(tuning, item_size) > facts->local_size) {
        const uint32_t whole = tuning->radix_subgroup ? tuning->radix_subgroup : 1;
        if (radix->items > MIN_ITEMS)
            radix->items /= 2;
        else if (radix->group_size > 1 && radix->group_size / 2 % whole == 0)
            radix->group_size /= 2;
        else if (tuning->radix_subgroup) { /* one sub-group is too much: do without */
            tuning->radix_subgroup = 0;
            tuning->radix_bits = MAX_BITS_WITHOUT_VOTES;
        } else if (tuning->radix_bits > 1)
            tuning->radix_bits -= 1;
        else
            break;
    }
}

struct tuning tuning_for(const struct device_facts *facts, uint32_t item_size)
{
    struct tuning row = tuning_row(facts, TUNING_GENERAL, item_size, 0).general;
    struct shape *const shapes[] = {&row.tile,        &row.window, &row.rank_tile,
                                    &row.rank_stream, &row.radix,  &row.move};
    row.tile.lanes = row.window.lanes = fit_lanes(facts, item_size, row.tile.lanes);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
        tuning_fit_shape(facts, shapes[i]);
    fit_tile(facts, item_size, &row.tile);
    fit_tile(facts, item_size, &row.rank_tile);
    fit_tile(facts, item_size, &row.rank_stream);
    fit_radix(facts, item_size, &row);
    /* A window with few strides reaches below them, into what is the tile's. */
    while (row.window.items > MIN_ITEMS &&
           (uint64_t)row.window.items * row.window.lanes > shape_slots(row.tile))
        row.window.items /= 2;
    /* Shuffles need whole sub-groups. */
    const uint32_t subgroup = row.subgroup ? facts->subgroup_size : 0;
    row.subgroup = subgroup && row.tile.group_size % subgroup == 0 ? subgroup : 0;
    if (row.tile.lanes > 1) /* clsort_device.h: vectors go without both */
        row.bank_bytes = row.subgroup = 0;
    return row;
}

/* ---- merge ---- */

uint64_t tuning_merge_local(struct shape shape, uint32_t item_size)
{
    /* The tile, the parts' bounds and a flag. */
    return shape_slots(shape) * item_size + ((uint64_t)shape.group_size + 1) * 4 + 4 + PADDING;
}

/* struct segments_heads. */
static uint32_t heads_local(uint32_t slots)
{
    const uint32_t words = (2 * slots / 32 + 2 + 3) / 4 * 4, filled = (words + 31) / 32;
    return (words + filled + 7 + 3) * 4;
}

uint32_t tuning_segments_local(struct shape shape, uint32_t item_size)
{
    const uint32_t slots = (uint32_t)shape_slots(shape);
    const uint32_t reached = slots + (shape.items < 25 ? 8 : 33 - shape.items);
    return reached * item_size + heads_local(slots) + PADDING;
}

uint64_t tuning_segment_records_local(struct shape shape, uint32_t slot_size)
{
    /* What a merge of slots takes, which list is the order, and the first leaf that is listed. */
    return tuning_merge_local(shape, slot_size) + 2 * 4 + heads_local((uint32_t)shape_slots(shape));
}

struct merge_tuning tuning_merge(const struct device_facts *facts, uint32_t item_size,
                                 int is_of_two)
{
    struct merge_tuning row = tuning_row(facts, TUNING_MERGE, item_size, 0).merge;
    if (is_of_two)
        row.shape.items = row.two_items;
    tuning_fit_shape(facts, &row.shape);
    while ((tuning_merge_local(row.shape, item_size) > facts->local_size ||
            shape_slots(row.shape) > MAX_MERGE_SLOTS) &&
           tuning_shrink(&row.shape, MIN_ITEMS))
        ;
    return row;
}

/* Few items first: insertion takes less for fewer. */
static void fit_segment_records(const struct device_facts *facts, uint32_t slot_size,
                                struct shape *shape)
{
    while (tuning_segment_records_local(*shape, slot_size) > facts->local_size ||
           shape_slots(*shape) > MAX_MERGE_SLOTS) {
        if (shape->items > 1)
            shape->items -= 1;
        else if (shape->group_size > 1)
            shape->group_size /= 2;
        else
            break;
    }
}

struct segments_tuning tuning_segments(const struct device_facts *facts, uint32_t item_size,
                                       int of_records)
{
    struct segments_tuning row = tuning_row(facts, TUNING_SEGMENTS, item_size, 0).segments;
    if (of_records) {
        row.shape = row.records;
        row.registers = 0;
    }
    tuning_fit_shape(facts, &row.shape);
    if (of_records)
        fit_segment_records(facts, item_size, &row.shape);
    while (!of_records && row.shape.group_size > 1 &&
           tuning_segments_local(row.shape, item_size) > facts->local_size)
        row.shape.group_size /= 2;
    return row;
}

/* ---- counting ---- */

#define MAX_COUNTERS (1 << 15) /* bytes of 8-bit keys' counters: a copy for each bank */
#define MAX_SLICES 32          /* each reads all keys; 4 where local memory has 32 KiB */

/* Local memory: the counters; or the sums of a block's values, and a scan. */
struct counting_tuning tuning_counting(const struct device_facts *facts, uint32_t key_size)
{
    struct counting_tuning row = tuning_row(facts, TUNING_COUNTING, key_size, 0).counting;
    tuning_fit_shape(facts, &row.shape);
    row.subgroup = tuning_group_votes(facts, 1, row.shape.group_size);
    const uint32_t strips = row.shape.group_size / COUNTING_BLOCK;
    const uint32_t scan = ((strips ? strips : 1) * COUNTING_BLOCK + 1) * 4 +
                          tuning_scan_local(row.shape.group_size, row.subgroup);
    const uint32_t most =
        facts->local_size > UINT16_MAX ? UINT16_MAX + 1 : (uint32_t)facts->local_size;
    const uint32_t bytes = key_size == 1 ? COUNTING_BLOCK * 4 : 2 << 16;
    if (key_size == 1) {
        row.local_size = MAX_COUNTERS;
        while (row.local_size > most)
            row.local_size /= 2;
    } else {
        row.num_slices = (bytes + most - 1) / most;
        row.local_size = (bytes / 4 + row.num_slices - 1) / row.num_slices * 4;
    }
    row.local_size = row.local_size < scan ? (scan + 3) / 4 * 4 : row.local_size;
    row.num_slices = (bytes + row.local_size - 1) / row.local_size;
    if (row.num_slices > MAX_SLICES || row.local_size > facts->local_size)
        row.num_slices = 0;
    return row;
}
