/* tuning.c: finds the row, sets what the sorter's text sets, and fits it to the device. */
#include "tuning.h"

#include "params.h"
#include "tuning_numbers.h"

#define ITEM_SIZE_MOVES 8
#define MIN_ITEMS 2              /* the network's windows need a bit of register index */
#define NVIDIA_REGISTERS 65536   /* of a compute unit */
#define MAX_BITS_WITHOUT_VOTES 4 /* a row of counters for each work-item must fit in local memory */

enum { DEVICE_ANY = -1, ITEM_ANY = 0 };

struct row {
    int class;
    uint32_t item_size;
    struct tuning tuning;
};

#define ITEM_SIZE_ANY ITEM_ANY
#define ITEM_SIZE_4 4
#define ITEM_SIZE_8 8
#define ITEM_SIZE_16 16
/* clang-format off */
#define ROW(device, item, tile_group, tile_items, window_group, window_items, rank_group,        \
            rank_items, stream_group, stream_items, move_group, move_items, vectors, banks,      \
            shuffles, rank_max, radix_group, radix_items, digit_bits, votes, blocks, radix_min)  \
    {DEVICE_##device,                                                                            \
     ITEM_SIZE_##item,                                                                           \
     {.tile = {tile_group, tile_items, vectors},                                                 \
      .window = {window_group, window_items, vectors},                                           \
      .rank_tile = {rank_group, rank_items, 0},                                                  \
      .rank_stream = {stream_group, stream_items, 0},                                            \
      .radix = {radix_group, radix_items, 0},                                                    \
      .move = {move_group, move_items, 0},                                                       \
      .bank_bytes = banks,                                                                       \
      .subgroup = shuffles,                                                                      \
      .radix_bits = digit_bits,                                                                  \
      .radix_subgroup = votes,                                                                   \
      .radix_blocks = blocks,                                                                    \
      .rank_auto_max = rank_max,                                                                 \
      .radix_auto_min = radix_min}},
/* clang-format on */
static const struct row rows[] = {
#include "tuning_table.h"
};
#undef ROW

#define HOST_ROW(device, max) {DEVICE_##device, max},
static const struct {
    int class;
    uint64_t max;
} host_rows[] = {HOST_ROWS(HOST_ROW)};
#undef HOST_ROW

#define RECORD_ROW(device, radix, radix_free, quick) {DEVICE_##device, {radix, radix_free, quick}},
static const struct {
    int class;
    struct record_tuning tuning;
} record_rows[] = {RECORD_ROWS(RECORD_ROW)};
#undef RECORD_ROW

/* Elements in a vector of the device; 1 where vectors are not wanted or do not pay. */
static uint32_t fit_lanes(const struct device_facts *facts, uint32_t item_size, uint32_t wanted)
{
    if (!wanted || item_size == 16)
        return 1;
    const uint32_t lanes = facts->vector_bytes / item_size;
    return lanes >= 16 ? 16 : lanes >= 8 ? 8 : lanes >= 4 ? 4 : 1;
}

static void fit(struct shape *shape, const struct device_facts *facts, uint32_t item_size,
                int uses_local)
{
    shape->lanes = fit_lanes(facts, item_size, shape->lanes);
    while (shape->group_size > facts->max_group_size)
        shape->group_size /= 2;
    while (uses_local && shape_slots(*shape) * item_size > facts->local_size) {
        if (shape->group_size > 1)
            shape->group_size /= 2;
        else if (shape->items > MIN_ITEMS)
            shape->items /= 2;
        else
            break; /* a few bytes; the build will say that there is too little */
    }
}

uint64_t tuning_radix_local(const struct tuning *tuning, uint32_t item_size)
{
    const uint64_t radix = (uint64_t)1 << tuning->radix_bits;
    const uint64_t group_size = tuning->radix.group_size;
    const uint64_t num_subgroups =
        group_size / (tuning->radix_subgroup ? tuning->radix_subgroup : 1);
    return shape_slots(tuning->radix) * item_size           /* the tile */
           + radix * num_subgroups * 4 + 2 * group_size * 4 /* ranking: counters, their scan */
           + radix * (3 * 8 + 4); /* each digit's places, totals and end */
}

uint32_t tuning_votes(const struct device_facts *facts, uint32_t wanted)
{
    return wanted && facts->class == DEVICE_NVIDIA ? facts->subgroup_size : 0;
}

/* Votes need whole sub-groups, wide digits need votes. */
static void fit_radix(struct tuning *tuning, const struct device_facts *facts, uint32_t item_size)
{
    fit(&tuning->radix, facts, item_size, 0);
    const uint32_t votes = tuning_votes(facts, tuning->radix_subgroup);
    tuning->radix_subgroup = votes && tuning->radix.group_size % votes == 0 ? votes : 0;
    if (!tuning->radix_subgroup && tuning->radix_bits > MAX_BITS_WITHOUT_VOTES)
        tuning->radix_bits = MAX_BITS_WITHOUT_VOTES;
    while (tuning_radix_local(tuning, item_size) > facts->local_size) {
        if (tuning->radix.items > MIN_ITEMS)
            tuning->radix.items /= 2;
        else if (tuning->radix.group_size > 1 &&
                 tuning->radix.group_size / 2 %
                         (tuning->radix_subgroup ? tuning->radix_subgroup : 1) ==
                     0)
            tuning->radix.group_size /= 2;
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
    union tuning_row row;
    tuning_row(facts, TUNING_GENERAL, item_size, 0, &row);
    struct tuning tuning = row.general;
    tuning.window.lanes = tuning.tile.lanes;
    fit(&tuning.tile, facts, item_size, 1);
    fit(&tuning.window, facts, item_size, 0);
    /* A window with few strides reaches below them, into what is the tile's. */
    while (tuning.window.items > MIN_ITEMS &&
           (uint64_t)tuning.window.items * tuning.window.lanes > shape_slots(tuning.tile))
        tuning.window.items /= 2;
    fit(&tuning.rank_tile, facts, item_size, 1);
    fit(&tuning.rank_stream, facts, item_size, 1);
    fit(&tuning.move, facts, item_size, 0);
    fit_radix(&tuning, facts, item_size);
    /* Shuffles need whole sub-groups. */
    const uint32_t subgroup = tuning.subgroup ? facts->subgroup_size : 0;
    tuning.subgroup = subgroup && tuning.tile.group_size % subgroup == 0 ? subgroup : 0;
    if (tuning.tile.lanes > 1) /* clsort_device.h: vectors go without both */
        tuning.bank_bytes = tuning.subgroup = 0;
    return tuning;
}

uint64_t tuning_host_max(const struct device_facts *facts)
{
    union tuning_row row;
    tuning_row(facts, TUNING_HOST, 0, 0, &row);
    const uint64_t max =
        facts->class == DEVICE_NONE ? row.host.without_sorter : row.host.with_sorter;
    return max < facts->host_limit ? max : facts->host_limit;
}

struct record_tuning tuning_records(const struct device_facts *facts)
{
    union tuning_row row;
    tuning_row(facts, TUNING_RECORDS, 0, 0, &row);
    return row.records;
}

struct shape tuning_move(const struct device_facts *facts)
{
    const struct shape cpu = CPU_MOVE;
    return facts->cpu_kernels ? cpu : tuning_for(facts, ITEM_SIZE_MOVES).move;
}

#define MERGE_ROW(device, item, group, items) \
    {DEVICE_##device, ITEM_SIZE_##item, {group, items, 1}},
static const struct {
    int class;
    uint32_t item_size; /* at most */
    struct shape shape;
} merge_rows[] = {MERGE_ROWS};
#undef MERGE_ROW

static struct shape find_merge(const struct device_facts *facts, uint32_t item_size)
{
    size_t i = 0;
    while ((merge_rows[i].class != DEVICE_ANY && merge_rows[i].class != (int)facts->class) ||
           (merge_rows[i].item_size != ITEM_ANY && merge_rows[i].item_size < item_size))
        ++i;
    return merge_rows[i].shape;
}

uint64_t tuning_merge_local(struct shape shape, uint32_t item_size)
{
    /* The tile, the parts' bounds and a flag, which compilers may align for vectors. */
    enum { PADDING = 2 * 16 };
    return shape_slots(shape) * item_size + ((uint64_t)shape.group_size + 1) * 4 + 4 + PADDING;
}

struct shape tuning_merge(const struct device_facts *facts, uint32_t item_size)
{
    union tuning_row row;
    tuning_row(facts, TUNING_MERGE, item_size, 0, &row);
    struct shape shape = row.merge;
    while (shape.group_size > facts->max_group_size)
        shape.group_size /= 2;
    while (tuning_merge_local(shape, item_size) > facts->local_size) {
        if (shape.items > MIN_ITEMS)
            shape.items /= 2;
        else if (shape.group_size > 1)
            shape.group_size /= 2;
        else
            break;
    }
    return shape;
}

uint32_t tuning_registers(const struct device_facts *facts, uint32_t wanted,
                          const struct shape *shape)
{
    const uint32_t most = NVIDIA_REGISTERS / shape->group_size;
    if (facts->class != DEVICE_NVIDIA)
        return 0;
    return wanted < most ? wanted : most;
}

struct cpu_tuning tuning_cpu(const struct device_facts *facts)
{
    union tuning_row row;
    tuning_row(facts, TUNING_CPU, 0, 0, &row);
    struct cpu_tuning tuning = row.cpu;
    const uint64_t cache = facts->cache_size;
    if (!cache)
        return tuning;
    /* Buckets of the row fit in the part of a cache that is one core's; less cache, less of each. */
    if (tuning.spare_bytes > cache)
        tuning.spare_bytes = cache;
    if (tuning.bucket_bytes > cache / CPU_BUCKET_PART)
        tuning.bucket_bytes = cache / CPU_BUCKET_PART;
    if (tuning.run_bytes > cache / CPU_BUCKET_PART)
        tuning.run_bytes = cache / CPU_BUCKET_PART;
    if (tuning.alone_bytes > tuning.bucket_bytes)
        tuning.alone_bytes = tuning.bucket_bytes;
    return tuning;
}

uint64_t tuning_string_local(uint32_t group_size)
{
    return 8 * (3 * (uint64_t)group_size + 2); /* one for where the chunk ends, one for alignment */
}

struct string_tuning tuning_strings(const struct device_facts *facts)
{
    union tuning_row row;
    tuning_row(facts, TUNING_STRINGS, 0, 0, &row);
    struct string_tuning tuning = row.strings;
    while (tuning.group_size > 1 && (tuning.group_size > facts->max_group_size ||
                                     tuning_string_local(tuning.group_size) > facts->local_size))
        tuning.group_size /= 2;
    return tuning;
}

static const struct tuning *find_general(const struct device_facts *facts, uint32_t item_size)
{
    const struct row *row = rows;
    while ((row->class != DEVICE_ANY && row->class != (int)facts->class) ||
           (row->item_size != ITEM_ANY && row->item_size != item_size))
        ++row;
    return &row->tuning;
}

static uint64_t find_host(enum device_class class)
{
    size_t i = 0;
    while (host_rows[i].class != DEVICE_ANY && host_rows[i].class != (int)class)
        ++i;
    return host_rows[i].max;
}

static struct record_tuning find_record(enum device_class class)
{
    size_t i = 0;
    while (record_rows[i].class != DEVICE_ANY && record_rows[i].class != (int)class)
        ++i;
    return record_rows[i].tuning;
}

static struct cpu_tuning find_cpu(const struct device_facts *facts)
{
    struct cpu_tuning tuning = CPU_TUNING;
    if (facts->cache_size)
        tuning.stream_bytes = facts->cache_size;
    return tuning;
}

void tuning_row(const struct device_facts *facts, enum tuning_kind_id kind, uint32_t first_size,
                uint32_t second_size, union tuning_row *row_ret)
{
    *row_ret = (union tuning_row){0};
    switch (kind) {
    case TUNING_GENERAL:
        row_ret->general = *find_general(facts, first_size);
        break;
    case TUNING_PART:
        row_ret->part = tuning_part_row(facts, first_size, second_size);
        break;
    case TUNING_MERGE:
        row_ret->merge = find_merge(facts, first_size);
        break;
    case TUNING_QUICK:
        row_ret->quick = tuning_quick_row(facts, first_size);
        break;
    case TUNING_WHOLE:
        row_ret->whole = tuning_whole_row(facts, first_size);
        break;
    case TUNING_ONESWEEP:
        row_ret->onesweep = tuning_onesweep_row(facts, first_size, second_size);
        break;
    case TUNING_CPU:
        row_ret->cpu = find_cpu(facts);
        break;
    case TUNING_STRINGS:
        row_ret->strings = (struct string_tuning)STRING_TUNING;
        break;
    case TUNING_RECORDS:
        row_ret->records = find_record(facts->class);
        break;
    default:
        row_ret->host = (struct host_tuning){find_host(facts->class), find_host(DEVICE_NONE)};
    }
    tuning_rows_apply(facts->tuning_rows, kind, first_size, second_size, row_ret);
}
