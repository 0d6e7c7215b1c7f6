/* desc.c: checks a description, and completes it to a problem. */
#include "check/check.h"

#include "base/names.h"
#include "program/record.h"

#define MAX_STRINGS UINT32_MAX
#define MAX_BYTES ((uint64_t)1 << 62)

/* Elements of the largest buffer. Segments may have an output for more than there are. */
static uint64_t most_elements(const clsort_desc *desc)
{
    const uint64_t num_places = desc->offset_size ? desc->num_segments * desc->limit : 0;
    return larger(desc->count * (desc->num_arrays ? desc->num_arrays : 1), num_places);
}

static int is_order(clsort_order order)
{
    return order == CLSORT_ASCENDING || order == CLSORT_DESCENDING;
}

/* Checks the members that do not depend on each other. */
static struct refusal check_members(const clsort_desc *desc)
{
    const int is_record = desc->record != NULL;
    const struct mistake wrong[] = {
        {!key_type_of(desc->type), CLSORT_ERROR_TYPE, "desc.type"},
        {is_record && desc->type, CLSORT_ERROR_RECORD, "desc.type"},
        {is_record && desc->first_bit, CLSORT_ERROR_RECORD, "desc.first_bit"},
        {is_record && desc->end_bit, CLSORT_ERROR_RECORD, "desc.end_bit"},
        {!is_order(desc->order), CLSORT_ERROR_ORDER, "desc.order"},
        {(unsigned)desc->algorithm >= CLSORT_NUM_ALGORITHMS, CLSORT_ERROR_ALGORITHM,
         "desc.algorithm"},
        {check_reserved(desc->reserved, sizeof desc->reserved / sizeof *desc->reserved),
         CLSORT_ERROR_RESERVED, "desc.reserved"},
    };
    return check_mistakes(wrong, sizeof wrong / sizeof *wrong);
}

static struct refusal check_columns(const clsort_desc *desc)
{
    if (desc->num_columns == 0 && !desc->columns)
        return accepted();
    const struct mistake wrong[] = {
        {desc->num_columns == 0 || desc->num_columns > MAX_MEMBERS, CLSORT_ERROR_COLUMNS,
         "desc.num_columns"},
        {!desc->columns, CLSORT_ERROR_COLUMNS, "desc.columns"},
        {desc->type != 0, CLSORT_ERROR_COLUMNS, "desc.type"},
        {desc->first_bit != 0, CLSORT_ERROR_COLUMNS, "desc.first_bit"},
        {desc->end_bit != 0, CLSORT_ERROR_COLUMNS, "desc.end_bit"},
        {desc->record != NULL, CLSORT_ERROR_COLUMNS, "desc.record"},
        {desc->strings != NULL, CLSORT_ERROR_COLUMNS, "desc.strings"},
    };
    struct refusal refusal = check_mistakes(wrong, sizeof wrong / sizeof *wrong);
    for (uint32_t i = 0; i < desc->num_columns && !refusal.status; ++i) {
        if (!key_type_of(desc->columns[i].type))
            refusal = refuse(CLSORT_ERROR_TYPE, check_part_name(COLUMN_TYPE, i));
        else if (!is_order(desc->columns[i].order))
            refusal = refuse(CLSORT_ERROR_ORDER, check_part_name(COLUMN_ORDER, i));
    }
    return refusal;
}

/* Strings, if there are any, and the members that they exclude. */
static struct refusal check_strings(const clsort_desc *desc)
{
    const clsort_strings *strings = desc->strings;
    if (!strings)
        return accepted();
    const uint32_t index_size = desc->index_size, offset_size = strings->offset_size;
    const int is_fixed = offset_size == 0;
    const struct mistake wrong[] = {
        /* An operation that is unknown is refused later. */
        {desc->operation != CLSORT_OPERATION_SORT &&
             (unsigned)desc->operation < CLSORT_NUM_OPERATIONS,
         CLSORT_ERROR_UNSUPPORTED, "desc.strings"},
        {check_reserved(strings->reserved, sizeof strings->reserved / sizeof *strings->reserved),
         CLSORT_ERROR_RESERVED, "desc.strings.reserved"},
        {desc->type != 0, CLSORT_ERROR_STRINGS, "desc.type"},
        {desc->record != NULL, CLSORT_ERROR_STRINGS, "desc.record"},
        {desc->first_bit != 0, CLSORT_ERROR_STRINGS, "desc.first_bit"},
        {desc->end_bit != 0, CLSORT_ERROR_STRINGS, "desc.end_bit"},
        {desc->value_size != 0, CLSORT_ERROR_STRINGS, "desc.value_size"},
        {desc->num_values != 0, CLSORT_ERROR_STRINGS, "desc.num_values"},
        {desc->num_arrays > 1, CLSORT_ERROR_STRINGS, "desc.num_arrays"},
        {!index_size && !desc->out_of_place, CLSORT_ERROR_STRINGS, "desc.index_size"},
        {desc->algorithm != CLSORT_AUTO && desc->algorithm != CLSORT_RADIX, CLSORT_ERROR_STRINGS,
         "desc.algorithm"},
        {index_size && index_size != 4 && index_size != 8, CLSORT_ERROR_INDEX_SIZE,
         "desc.index_size"},
        {desc->count > MAX_STRINGS, CLSORT_ERROR_COUNT, "desc.count"},
        {strings->num_bytes >= MAX_BYTES, CLSORT_ERROR_COUNT, "desc.strings.num_bytes"},
        {!is_fixed && offset_size != 4 && offset_size != 8, CLSORT_ERROR_STRINGS,
         "desc.strings.offset_size"},
        {is_fixed && strings->num_bytes != desc->count * strings->width, CLSORT_ERROR_STRINGS,
         "desc.strings.num_bytes"},
        {is_fixed && strings->tail_size > strings->width, CLSORT_ERROR_STRINGS,
         "desc.strings.tail_size"},
        {!is_fixed && strings->width, CLSORT_ERROR_STRINGS, "desc.strings.width"},
        {offset_size == 4 && strings->num_bytes > UINT32_MAX, CLSORT_ERROR_STRINGS,
         "desc.strings.num_bytes"},
    };
    return check_mistakes(wrong, sizeof wrong / sizeof *wrong);
}

static struct refusal check_bits(const clsort_desc *desc)
{
    const int is_range = desc->first_bit || desc->end_bit;
    const struct mistake wrong[] = {
        {desc->end_bit > key_type_of(desc->type)->bits, CLSORT_ERROR_BIT_RANGE, "desc.end_bit"},
        {is_range && desc->first_bit >= desc->end_bit, CLSORT_ERROR_BIT_RANGE, "desc.first_bit"},
    };
    return check_mistakes(wrong, sizeof wrong / sizeof *wrong);
}

static struct refusal check_record(const clsort_desc *desc)
{
    const clsort_algorithm algorithm = desc->algorithm;
    const struct refusal refusal = desc->record ? record_check(desc->record) : accepted();
    if (!desc->record || refusal.status)
        return refusal;
    const int by_radix = algorithm == CLSORT_RADIX && desc->record->num_fields;
    return algorithm == CLSORT_AUTO || algorithm == CLSORT_MERGE || algorithm == CLSORT_QUICK ||
                   by_radix
               ? accepted()
               : refuse(CLSORT_ERROR_ALGORITHM_RECORD, "desc.algorithm");
}

/* Checks indices, unless check_operation() or check_strings() does, and counts. */
static struct refusal check_counts(const clsort_desc *desc)
{
    const int is_plain = desc->operation == CLSORT_OPERATION_SORT && !desc->strings;
    const uint32_t index_size = is_plain ? desc->index_size : 0;
    const uint32_t record_size = desc->record ? desc->record->size : 0;
    const uint64_t num_arrays = desc->num_arrays ? desc->num_arrays : 1;
    const uint64_t places = desc->offset_size && desc->num_segments ? desc->limit : 0;
    const uint64_t n = most_elements(desc), size = larger(record_size, desc->value_size);
    const int has_too_many_columns = /* each may take a sort of its own */
        desc->num_columns && n > (MAX_COUNT - 1) / desc->num_columns;
    const int is_too_large = n && size > (MAX_BYTES - 1) / n;
    const struct mistake wrong[] = {
        {index_size && index_size != 4 && index_size != 8, CLSORT_ERROR_INDEX_SIZE,
         "desc.index_size"},
        {index_size == 4 && desc->count > (uint64_t)UINT32_MAX + 1, CLSORT_ERROR_INDEX_SIZE,
         "desc.index_size"},
        {index_size && desc->value_size, CLSORT_ERROR_INDEX_AND_VALUES, "desc.value_size"},
        {desc->count >= MAX_COUNT, CLSORT_ERROR_COUNT, "desc.count"},
        {num_arrays >= MAX_COUNT || (desc->count && num_arrays > (MAX_COUNT - 1) / desc->count),
         CLSORT_ERROR_COUNT, "desc.num_arrays"},
        {places && desc->num_segments > (MAX_COUNT - 1) / places, CLSORT_ERROR_COUNT, "desc.limit"},
        {has_too_many_columns || is_too_large, CLSORT_ERROR_COUNT, "desc.count"},
    };
    return check_mistakes(wrong, sizeof wrong / sizeof *wrong);
}

/* The members that an operation has a use for, apart from those that say what the keys are. */
enum use {
    USES_VALUES = 1,
    USES_INDICES = 2,
    NEEDS_INDICES = 4,
    USES_OFFSETS = 8, /* offset_size and num_segments */
    USES_RANKS = 16,
    USES_ALGORITHM = 32,
};

static uint32_t uses_of(clsort_operation operation)
{
    static const uint32_t uses[] = {
        [CLSORT_OPERATION_SORT] =
            USES_VALUES | USES_INDICES | USES_OFFSETS | USES_RANKS | USES_ALGORITHM,
        [CLSORT_OPERATION_CHECK] = 0,
        [CLSORT_OPERATION_MERGE] = USES_VALUES | USES_INDICES,
        [CLSORT_OPERATION_RUNS] = USES_OFFSETS,
        [CLSORT_OPERATION_SEARCH] = USES_INDICES | NEEDS_INDICES,
        [CLSORT_OPERATION_GATHER] = USES_VALUES | USES_INDICES | NEEDS_INDICES,
    };
    _Static_assert(sizeof uses / sizeof *uses == CLSORT_NUM_OPERATIONS, "one each");
    return uses[operation];
}

/* Numbers of this size count up to, and including, `most`. */
static int is_counted_by(uint32_t size, uint64_t most)
{
    return size == 8 || (size == 4 && most <= UINT32_MAX);
}

/* Checks the operation, and what it has a use for. */
static struct refusal check_operation(const clsort_desc *desc)
{
    const clsort_operation operation = desc->operation;
    if ((unsigned)operation >= CLSORT_NUM_OPERATIONS)
        return refuse(CLSORT_ERROR_OPERATION, "desc.operation");
    if (operation == CLSORT_OPERATION_SORT && !desc->first_count && !desc->num_queries)
        return accepted(); /* a sort has a use for all others */
    const uint32_t uses = uses_of(operation), index_size = desc->index_size;
    const int is_runs = operation == CLSORT_OPERATION_RUNS;
    const int is_search = operation == CLSORT_OPERATION_SEARCH;
    const int is_merge = operation == CLSORT_OPERATION_MERGE;
    const uint64_t num_queries = desc->num_queries;
    const uint64_t num_arrays = desc->num_arrays ? desc->num_arrays : 1;
    const uint64_t last_index = desc->count && !is_search ? desc->count - 1 : desc->count;
    const int wants_indices = index_size || uses & NEEDS_INDICES;
    const struct mistake wrong[] = {
        {desc->first_count > (is_merge ? desc->count : 0), CLSORT_ERROR_OPERATION,
         "desc.first_count"},
        {!is_search && num_queries, CLSORT_ERROR_OPERATION, "desc.num_queries"},
        {!(uses & USES_VALUES) && desc->value_size, CLSORT_ERROR_OPERATION, "desc.value_size"},
        {!(uses & USES_VALUES) && desc->num_values, CLSORT_ERROR_OPERATION, "desc.num_values"},
        {!(uses & USES_INDICES) && index_size, CLSORT_ERROR_OPERATION, "desc.index_size"},
        {!(uses & USES_OFFSETS) && desc->offset_size, CLSORT_ERROR_OPERATION, "desc.offset_size"},
        {(is_runs || !(uses & USES_OFFSETS)) && desc->num_segments, CLSORT_ERROR_OPERATION,
         "desc.num_segments"},
        {!(uses & USES_RANKS) && desc->skip, CLSORT_ERROR_OPERATION, "desc.skip"},
        {!(uses & USES_RANKS) && desc->limit, CLSORT_ERROR_OPERATION, "desc.limit"},
        {!(uses & USES_ALGORITHM) && desc->algorithm != CLSORT_AUTO, CLSORT_ERROR_OPERATION,
         "desc.algorithm"},
        {num_queries >= MAX_COUNT || (num_queries && num_arrays > (MAX_COUNT - 1) / num_queries),
         CLSORT_ERROR_COUNT, "desc.num_queries"},
        {is_runs && desc->offset_size && !is_counted_by(desc->offset_size, desc->count),
         CLSORT_ERROR_INDEX_SIZE, "desc.offset_size"},
        {operation != CLSORT_OPERATION_SORT && wants_indices &&
             !is_counted_by(index_size, last_index),
         CLSORT_ERROR_INDEX_SIZE, "desc.index_size"},
        {is_merge && index_size && desc->value_size, CLSORT_ERROR_INDEX_AND_VALUES,
         "desc.value_size"},
        {is_merge && index_size && desc->num_values, CLSORT_ERROR_INDEX_AND_VALUES,
         "desc.num_values"},
    };
    return check_mistakes(wrong, sizeof wrong / sizeof *wrong);
}

static struct refusal check_segments(const clsort_desc *desc)
{
    const uint32_t size = desc->offset_size;
    if (desc->operation != CLSORT_OPERATION_SORT /* check_operation() */ ||
        (!size && !desc->num_segments))
        return accepted();
    const struct mistake wrong[] = {
        {!size, CLSORT_ERROR_SEGMENTS, "desc.num_segments"},
        {size && size != 4 && size != 8, CLSORT_ERROR_SEGMENTS, "desc.offset_size"},
        {size && desc->num_arrays > 1, CLSORT_ERROR_SEGMENTS, "desc.num_arrays"},
        {size && desc->algorithm != CLSORT_AUTO, CLSORT_ERROR_SEGMENTS, "desc.algorithm"},
        {desc->num_segments >= MAX_COUNT, CLSORT_ERROR_COUNT, "desc.num_segments"},
        {size && desc->strings, CLSORT_ERROR_UNSUPPORTED, "desc.strings"},
    };
    return check_mistakes(wrong, sizeof wrong / sizeof *wrong);
}

static struct refusal check_values(const clsort_desc *desc)
{
    const uint32_t num = desc->num_values;
    if (!num && !desc->value_sizes)
        return accepted();
    const struct mistake wrong[] = {
        {num > MAX_MEMBERS, CLSORT_ERROR_VALUES, "desc.num_values"},
        {!num || !desc->value_sizes, CLSORT_ERROR_VALUES, "desc.value_sizes"},
        {desc->value_size != 0, CLSORT_ERROR_VALUES, "desc.value_size"},
        {desc->index_size && desc->operation == CLSORT_OPERATION_SORT,
         CLSORT_ERROR_INDEX_AND_VALUES, "desc.num_values"},
    };
    struct refusal refusal = check_mistakes(wrong, sizeof wrong / sizeof *wrong);
    const uint64_t n = most_elements(desc);
    uint64_t size = 0; /* of all: a plan adds them up */
    for (uint32_t i = 0; i < num && !refusal.status; ++i) {
        size += desc->value_sizes[i];
        if (!desc->value_sizes[i])
            refusal = refuse(CLSORT_ERROR_VALUES, check_part_name(VALUE_SIZE, i));
        else if (n && size > (MAX_BYTES - 1) / n)
            refusal = refuse(CLSORT_ERROR_COUNT, check_part_name(VALUE_SIZE, i));
    }
    return refusal;
}

/* Segments may be shorter than what is wanted of each. */
static struct refusal check_ranks(const clsort_desc *desc)
{
    const int is_bound = !desc->offset_size && desc->skip <= desc->count;
    if (!desc->skip && !desc->limit)
        return accepted();
    const struct mistake wrong[] = {
        {!desc->offset_size && desc->skip > desc->count, CLSORT_ERROR_RANKS, "desc.skip"},
        {is_bound && desc->limit > desc->count - desc->skip, CLSORT_ERROR_RANKS, "desc.limit"},
        {desc->strings && desc->skip, CLSORT_ERROR_UNSUPPORTED, "desc.skip"},
        {desc->strings && desc->limit, CLSORT_ERROR_UNSUPPORTED, "desc.limit"},
    };
    return check_mistakes(wrong, sizeof wrong / sizeof *wrong);
}

/* Columns, or a record's fields, in the order of the sort. */
static void add_members(const clsort_desc *desc, struct problem *problem)
{
    problem->num_columns = desc->num_columns;
    problem->num_members = desc->record ? desc->record->num_fields : desc->num_columns;
    for (uint32_t i = 0; i < problem->num_members; ++i) {
        const clsort_field field =
            desc->record ? desc->record->fields[i]
                         : (clsort_field){0, desc->columns[i].type, desc->columns[i].order};
        problem->members[i] =
            (struct member){key_type_of(field.type), field.offset, field.order != desc->order, 0,
                            clsort_type_size(field.type) * 8};
    }
}

struct refusal check_desc(const clsort_desc *desc, struct problem *problem_ret)
{
    static struct refusal (*const checks[])(const clsort_desc *) = {
        check_members, check_columns,   check_strings,  check_bits,   check_record,
        check_counts,  check_operation, check_segments, check_values, check_ranks,
    };
    struct refusal refusal = desc ? accepted() : refuse(CLSORT_ERROR_NULL, "desc");
    for (size_t i = 0; i < sizeof checks / sizeof *checks && !refusal.status; ++i)
        refusal = checks[i](desc);
    if (refusal.status)
        return refusal;
    const struct key_type *type = key_type_of(desc->type);
    const int is_runs = desc->operation == CLSORT_OPERATION_RUNS;
    *problem_ret = (struct problem){
        .count = desc->count,
        .num_arrays = desc->num_arrays ? desc->num_arrays : 1,
        .num_segments = desc->num_segments,
        .segment_offset_size = is_runs ? 0 : desc->offset_size,
        .run_offset_size = is_runs ? desc->offset_size : 0,
        .type = type,
        .descending = desc->order == CLSORT_DESCENDING,
        .stable = desc->stable != 0,
        .in_place = desc->out_of_place == 0 && desc->operation == CLSORT_OPERATION_SORT,
        .algorithm = desc->algorithm,
        .value_size = desc->value_size,
        .num_values = desc->num_values,
        .skip = smaller(desc->skip, desc->count),
        .limit = desc->limit,
        .operation = desc->operation,
        .first_count = desc->first_count,
        .num_queries = desc->num_queries,
        .index_size = desc->index_size,
        .first_bit = desc->first_bit,
        .record_size = desc->record ? desc->record->size : 0,
        .record_is_wide = desc->record && record_is_wide(desc->record),
        .num_bits = desc->end_bit ? desc->end_bit - desc->first_bit : type->bits,
        .is_strings = desc->strings != NULL,
    };
    if (desc->strings)
        problem_ret->strings = *desc->strings;
    for (uint32_t i = 0; i < desc->num_values; ++i)
        problem_ret->value_sizes[i] = desc->value_sizes[i];
    add_members(desc, problem_ret);
    return accepted();
}
