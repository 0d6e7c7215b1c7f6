/* tuning.c: the one look-up of a row, and the rows that need little fitting. fit.c,
 * digits.c, splitters.c and msd.c fit the others to the device. */
#include "tuning/tuning.h"

#include "base/math.h"

#include <string.h>

#define ITEM_SIZE_MOVES 8 /* moves know no item */
#define CPU_SHARE 8       /* of a cache is one core's: buckets and runs fit there */

const struct tuning_table *tuning_find(const struct tuning_device *devices, enum device_class class,
                                       cl_device_id device)
{
    for (; devices->name; ++devices)
        if (devices->class == class && device_is_named(device, devices->name))
            return devices->table;
    return NULL;
}

/* The index of the value that stands for a size. */
static uint32_t find_size(const struct tuning_size *size, uint32_t bytes)
{
    uint32_t at = 0;
    while (at + 1 < size->num_values && size->values[at] < bytes)
        ++at;
    return at;
}

/* The number of a kind's row among all, by the indices of its sizes. */
static uint32_t number_of(enum tuning_kind_id kind, const uint32_t at[TUNING_SIZES])
{
    uint32_t number = at[0] * tuning_kinds[kind].sizes[1].num_values + at[1];
    for (int k = 0; k < (int)kind; ++k)
        number += tuning_kinds[k].sizes[0].num_values * tuning_kinds[k].sizes[1].num_values;
    return number;
}

union tuning_row tuning_row(const struct device_facts *facts, enum tuning_kind_id kind,
                            uint32_t first_size, uint32_t second_size)
{
    const struct tuning_table *table =
        facts->tuning_table ? facts->tuning_table : tuning_classes[facts->class];
    const struct tuning_size *sizes = tuning_kinds[kind].sizes;
    const uint32_t at[] = {find_size(&sizes[0], first_size), find_size(&sizes[1], second_size)};
    static const union tuning_row none;
    union tuning_row row = table->rows[number_of(kind, at)];
    if (memcmp(&row, &none, sizeof row) == 0)
        return row;
    if (facts->tuning_rows)
        tuning_rows_apply(facts->tuning_rows, kind, at, &row);
    return row;
}

struct cpu_tuning tuning_cpu(const struct device_facts *facts)
{
    struct cpu_tuning cpu = tuning_row(facts, TUNING_CPU, 0, 0).cpu;
    if (facts->cache_size) { /* less cache, less of each */
        const uint64_t share = facts->cache_size / CPU_SHARE;
        cpu.spare_bytes = smaller(cpu.spare_bytes, facts->cache_size);
        cpu.bucket_bytes = smaller(cpu.bucket_bytes, share);
        cpu.run_bytes = smaller(cpu.run_bytes, share);
        cpu.alone_bytes = smaller(cpu.alone_bytes, share);
        cpu.vectors_alone_bytes = smaller(cpu.vectors_alone_bytes, share);
    }
    return cpu;
}

/* CPUs: shapes of one work-item, as cpu's row says. */
struct range_tuning tuning_range(const struct device_facts *facts, uint32_t key_size)
{
    struct range_tuning range = tuning_row(facts, TUNING_RANGE, key_size, 0).range;
    struct shape *const shapes[] = {&range.check, &range.runs, &range.search};
    if (facts->cpu_kernels) {
        const struct cpu_tuning cpu = tuning_cpu(facts);
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
            *shapes[i] = (struct shape){1, cpu.range_items, 1};
        range.groups_per_unit = cpu.workers_per_unit;
        range.look_back = range.subgroup = 0;
    }
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        tuning_fit_shape(facts, shapes[i]);
        /* A scan of wide words in two rows, and a few words. */
        while (shapes[i]->group_size > 1 && 16 * shapes[i]->group_size + 64 > facts->local_size)
            shapes[i]->group_size /= 2;
    }
    range.subgroup = tuning_group_votes(facts, range.subgroup, range.runs.group_size);
    return range;
}

struct record_tuning tuning_records(const struct device_facts *facts, uint32_t record_size)
{
    struct record_tuning row = tuning_row(facts, TUNING_RECORDS, record_size, 0).records;
    if (facts->cpu_kernels) { /* they compile for long, and PoCL 3.1 breaks the kernels */
        row.quick_min = row.quick_stable_min = UINT64_MAX;
        row.quick_stable_few = 0;
    }
    return row;
}

uint32_t tuning_move_local(struct shape shape)
{
    return 8 * (uint32_t)shape_slots(shape) + 8 * shape.group_size;
}

struct shape tuning_move(const struct device_facts *facts)
{
    struct shape move = {1, 1, 1};
    if (facts->cpu_kernels) {
        move.items = tuning_row(facts, TUNING_CPU, 0, 0).cpu.move_items;
    } else {
        move = tuning_row(facts, TUNING_GENERAL, ITEM_SIZE_MOVES, 0).general.move;
        tuning_fit_shape(facts, &move);
    }
    while (tuning_move_local(move) > facts->local_size && tuning_shrink(&move, 1))
        ;
    return move;
}

struct select_tuning tuning_select(const struct device_facts *facts)
{
    struct select_tuning select = tuning_row(facts, TUNING_SELECT, 0, 0).select;
    select.bank_bytes = tuning_row(facts, TUNING_GENERAL, 8, 0).general.bank_bytes;
    tuning_fit_shape(facts, &select.shape);
    tuning_fit_shape(facts, &select.short_rows);
    if (facts->cpu_kernels)
        select.shape.group_size = 1;
    /* Two histograms, a scan, and what the groups count together. */
    const uint32_t beside = tuning_scan_local(select.shape.group_size, 0) + 64;
    while (select.digit_bits > 1 && (8u << select.digit_bits) + beside > facts->local_size)
        select.digit_bits -= 1;
    return select;
}

struct host_tuning tuning_host(const struct device_facts *facts)
{
    return tuning_row(facts, TUNING_HOST, 0, 0).host;
}

/* Compute units of the CPU whose numbers are in cpu.tuning. */
#define UNITS_OF_ROWS 16

uint64_t tuning_host_max(const struct device_facts *facts, int by_vectors, uint32_t num_threads)
{
    const struct host_tuning host = tuning_host(facts);
    uint64_t max = by_vectors ? host.vectors_with_sorter : host.with_sorter;
    num_threads = num_threads ? num_threads : 1;
    if (facts->class == DEVICE_NONE)
        max = by_vectors ? host.vectors_without_sorter : host.without_sorter;
    else if (facts->class == DEVICE_CPU && by_vectors && num_threads >= facts->num_units)
        max = UINT32_MAX;
    else if (facts->class == DEVICE_CPU) /* a thread against all units */
        max = max * UNITS_OF_ROWS * num_threads / facts->num_units;
    return smaller(smaller(max, UINT32_MAX), facts->host_limit);
}
