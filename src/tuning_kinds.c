/* tuning_kinds.c: the table of all that a text can set: a kind of row is a list of fields and a line
 * of tuning_kinds[]. Limits are those of the kernels and of what a plan's numbers can hold; a device's
 * own come later, when tuning.c fits what is set as it fits compiled-in rows. */
#include "tuning_kinds.h"

#include "params.h"
#include "tuning.h"

#include <string.h>

#define MAX_GROUP 4096
#define MAX_ITEMS 64                     /* registers of a work-item */
#define MAX_NETWORK 32                   /* CLSORT_ITEMS of clsort_device.h */
#define MAX_ELEMENTS ((uint64_t)1 << 48) /* counts are below it, so it is "never", or "always" */
#define MAX_BYTES (1 << 30)

#define AT(member) offsetof(OWNER, member), sizeof(((OWNER *)0)->member)
#define NUMBER(name, member, min, max) \
    {                                  \
#name, AT(member), min, max, 0 \
    }
#define POWER(name, member, min, max)  \
    {                                  \
#name, AT(member), min, max, 1 \
    }
#define YES_OR_NO(name, member)    \
    {                              \
#name, AT(member), 0, 1, 0 \
    }
#define ELEMENTS(name, member)                \
    {                                         \
#name, AT(member), 0, MAX_ELEMENTS, 0 \
    }

/* clang-format off */
#define OWNER struct tuning
static const struct tuning_field general[] = {
    POWER(tile_group, tile.group_size, 1, MAX_GROUP),
    POWER(tile_items, tile.items, 2, MAX_NETWORK),
    POWER(window_group, window.group_size, 1, MAX_GROUP),
    POWER(window_items, window.items, 2, MAX_NETWORK),
    YES_OR_NO(vectors, tile.lanes),
    POWER(bank_bytes, bank_bytes, 0, 256),
    YES_OR_NO(shuffles, subgroup),
    POWER(rank_tile_group, rank_tile.group_size, 1, MAX_GROUP),
    POWER(rank_tile_items, rank_tile.items, 2, MAX_NETWORK),
    POWER(rank_stream_group, rank_stream.group_size, 1, MAX_GROUP),
    POWER(rank_stream_items, rank_stream.items, 2, MAX_NETWORK),
    ELEMENTS(rank_max, rank_auto_max),
    POWER(radix_group, radix.group_size, 1, MAX_GROUP),
    NUMBER(radix_items, radix.items, 2, MAX_ITEMS),
    NUMBER(radix_bits, radix_bits, 1, 8),
    YES_OR_NO(radix_votes, radix_subgroup),
    NUMBER(radix_blocks, radix_blocks, 1, 1 << 16),
    ELEMENTS(radix_min, radix_auto_min),
    POWER(move_group, move.group_size, 1, MAX_GROUP),
    POWER(move_items, move.items, 1, MAX_ITEMS),
};
#undef OWNER

#define OWNER struct part_tuning
static const struct tuning_field part[] = {
    POWER(scatter_group, scatter.group_size, 16, MAX_GROUP),
    NUMBER(scatter_items, scatter.items, 2, MAX_ITEMS),
    NUMBER(scatter_registers, scatter_registers, 0, 255),
    NUMBER(block_tiles, block_tiles, 1, 64),
    NUMBER(count_items, count_items, 1, MAX_ITEMS),
    NUMBER(digit_bits, digit_bits, 3, 8),
    NUMBER(deep_bits, deep_bits, 3, 8),
    POWER(leaf_group, leaf.group_size, 16, MAX_GROUP),
    NUMBER(leaf_items, leaf.items, 2, MAX_ITEMS),
    NUMBER(leaf_registers, leaf_registers, 0, 255),
    NUMBER(bin_bits, bin_bits, 4, 14),
    YES_OR_NO(votes, subgroup),
    NUMBER(groups_per_unit, groups_per_unit, 0, 64),
    NUMBER(crowded_per_unit, crowded_per_unit, 1, 64),
    NUMBER(patience, patience, 0, 1 << 30),
    ELEMENTS(min, min_count),
    ELEMENTS(quick_min, quick_min),
};
#undef OWNER

#define OWNER struct shape
static const struct tuning_field merge[] = {
    POWER(group, group_size, 1, MAX_GROUP),
    NUMBER(items, items, 2, MAX_NETWORK),
};
#undef OWNER

#define OWNER struct quick_tuning
static const struct tuning_field quick[] = {
    POWER(leaf_group, sort.group_size, 1, MAX_GROUP),
    NUMBER(leaf_items, sort.items, 2, MAX_NETWORK),
    NUMBER(leaf_registers, sort_registers, 0, 255),
    POWER(sample_group, sample.group_size, 1, MAX_GROUP),
    NUMBER(sample_items, sample.items, 2, MAX_NETWORK),
    POWER(count_group, count.group_size, 1, MAX_GROUP),
    NUMBER(count_items, count.items, 1, MAX_NETWORK),
    POWER(scatter_group, move.group_size, 1, MAX_GROUP),
    NUMBER(scatter_items, move.items, 1, MAX_NETWORK),
    NUMBER(bucket_bits, bucket_bits, 2, 10),
    NUMBER(block_tiles, block_tiles, 1, 64),
    YES_OR_NO(votes, subgroup),
    NUMBER(rest_max, rest_max, 0, 1 << 24),
    NUMBER(groups_per_unit, groups_per_unit, 0, 64),
    NUMBER(patience, patience, 0, 1 << 30),
};
#undef OWNER

#define OWNER struct whole_tuning
static const struct tuning_field whole[] = {
    POWER(group, group_size, 1, MAX_GROUP),
    NUMBER(held, held, 1, MAX_NETWORK),
    NUMBER(leaf_items, leaf_items, 2, MAX_NETWORK),
    NUMBER(registers, registers, 0, 255),
    NUMBER(groups_per_unit, groups_per_unit, 0, 64),
    NUMBER(bucket_bits, bucket_bits, 2, 10),
    POWER(sample_group, sample.group_size, 1, MAX_GROUP),
    NUMBER(sample_items, sample.items, 2, MAX_NETWORK),
    POWER(single_group, single.group_size, 1, MAX_GROUP),
    NUMBER(single_items, single.items, 1, MAX_NETWORK),
    NUMBER(patience, patience, 0, 1 << 30),
    ELEMENTS(max, auto_max),
    ELEMENTS(narrow_max, narrow_max),
};
#undef OWNER

#define OWNER struct onesweep_tuning
static const struct tuning_field onesweep[] = {
    POWER(scatter_group, scatter.group_size, 16, MAX_GROUP),
    NUMBER(scatter_items, scatter.items, 2, MAX_ITEMS),
    NUMBER(registers, registers, 0, 255),
    NUMBER(groups_per_unit, groups_per_unit, 1, 64),
    NUMBER(digit_bits, digit_bits, 4, 8),
    NUMBER(patience, patience, 0, 1 << 30),
    YES_OR_NO(votes, subgroup),
    ELEMENTS(min, min_count),
    ELEMENTS(max, max_count),
    ELEMENTS(stable_min, stable_min),
    ELEMENTS(skew_min, skew_min),
};
#undef OWNER

#define OWNER struct cpu_tuning
static const struct tuning_field cpu[] = {
    NUMBER(alone_bytes, alone_bytes, 0, MAX_BYTES),
    NUMBER(bucket_bytes, bucket_bytes, 256, MAX_BYTES),
    NUMBER(spare_bytes, spare_bytes, 256, MAX_BYTES),
    NUMBER(run_bytes, run_bytes, 256, MAX_BYTES),
    NUMBER(stream_bytes, stream_bytes, 0, MAX_ELEMENTS),
    NUMBER(digit_bits, digit_bits, 4, 12),
};
#undef OWNER

#define OWNER struct string_tuning
static const struct tuning_field strings[] = {
    POWER(group, group_size, 1, MAX_GROUP),
    NUMBER(splitters, splitters, 1, STRING_SPLITTERS),
    NUMBER(splitter_strings, splitter_strings, 1, 1 << 20),
    NUMBER(chunks_per_unit, chunks_per_unit, 1, 1 << 10),
    NUMBER(chunk_strings, chunk_strings, 1, 1 << 20),
    NUMBER(tie_strings, tie_strings, 16, 1 << 20),
};
#undef OWNER

#define OWNER struct record_tuning
static const struct tuning_field records[] = {
    ELEMENTS(radix_min, radix_min),
    ELEMENTS(radix_free_min, radix_free_min),
    ELEMENTS(quick_min, quick_min),
};
#undef OWNER

#define OWNER struct host_tuning
static const struct tuning_field host[] = {
    NUMBER(with_sorter, with_sorter, 0, 1 << 30),
    NUMBER(without_sorter, without_sorter, 0, 1 << 30),
};
#undef OWNER

#define FIELDS(fields) fields, sizeof fields / sizeof *fields
#define NO_SIZE {NULL, {0}, 0}
const struct tuning_kind tuning_kinds[NUM_TUNING_KINDS] = {
    [TUNING_GENERAL] = {"general", {{"item", {4, 8, 16}, 3}, NO_SIZE}, FIELDS(general)},
    [TUNING_PART] = {"part", {{"key", {4, 8}, 2}, {"payload", {0, 4, 8}, 3}}, FIELDS(part)},
    [TUNING_MERGE] = {"merge", {{"item", {4, 8, 16, 32}, 4}, NO_SIZE}, FIELDS(merge)},
    [TUNING_QUICK] = {"quick", {{"item", {4, 8, 16, 32}, 4}, NO_SIZE}, FIELDS(quick)},
    [TUNING_WHOLE] = {"whole", {{"item", {4, 8, 16, 32}, 4}, NO_SIZE}, FIELDS(whole)},
    [TUNING_ONESWEEP] = {"onesweep", {{"key", {1, 2, 4, 8}, 4}, {"payload", {0, 4, 8}, 3}}, FIELDS(onesweep)},
    [TUNING_CPU] = {"cpu", {NO_SIZE, NO_SIZE}, FIELDS(cpu)},
    [TUNING_STRINGS] = {"strings", {NO_SIZE, NO_SIZE}, FIELDS(strings)},
    [TUNING_RECORDS] = {"records", {NO_SIZE, NO_SIZE}, FIELDS(records)},
    [TUNING_HOST] = {"host", {NO_SIZE, NO_SIZE}, FIELDS(host)},
};
/* clang-format on */

static int applies(const struct tuning_size *size, uint32_t value, uint32_t actual)
{
    if (!size->name || value == TUNING_SIZE_ANY)
        return 1;
    uint32_t i = 0;
    while (i + 1 < size->num_values && size->values[i] < actual)
        ++i;
    return size->values[i] == value;
}

void tuning_rows_apply(const struct tuning_rows *rows, enum tuning_kind_id kind,
                       uint32_t first_size, uint32_t second_size, void *row)
{
    const struct tuning_size *sizes = tuning_kinds[kind].sizes;
    for (size_t i = 0; rows && i < rows->num_settings; ++i) {
        const struct tuning_setting *setting = &rows->settings[i];
        if (setting->kind != kind || !applies(&sizes[0], setting->sizes[0], first_size) ||
            !applies(&sizes[1], setting->sizes[1], second_size))
            continue;
        const uint32_t narrow = (uint32_t)setting->value;
        const struct tuning_field *field = setting->field;
        if (field->size == sizeof narrow)
            memcpy((char *)row + field->offset, &narrow, sizeof narrow);
        else
            memcpy((char *)row + field->offset, &setting->value, sizeof setting->value);
    }
}

uint64_t tuning_field_value(const struct tuning_field *field, const void *row)
{
    uint32_t narrow = 0;
    uint64_t wide = 0;
    if (field->size == sizeof narrow) {
        memcpy(&narrow, (const char *)row + field->offset, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, (const char *)row + field->offset, sizeof wide);
    return wide;
}
