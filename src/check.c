/* check.c: the description, and what buffers it asks for. */
#include "check.h"

#include "record.h"

#define MAX_BYTES ((uint64_t)1 << 62)

static clsort_status check_bits(const clsort_desc *desc, uint32_t key_bits)
{
    if (desc->first_bit == 0 && desc->end_bit == 0)
        return CLSORT_OK;
    return desc->first_bit < desc->end_bit && desc->end_bit <= key_bits ? CLSORT_OK
                                                                        : CLSORT_ERROR_BIT_RANGE;
}

static clsort_status check_index(const clsort_desc *desc)
{
    if (desc->index_size == 0)
        return CLSORT_OK;
    if (desc->index_size != 4 && desc->index_size != 8)
        return CLSORT_ERROR_INDEX_SIZE;
    if (desc->index_size == 4 && desc->count > (uint64_t)UINT32_MAX + 1)
        return CLSORT_ERROR_INDEX_SIZE;
    if (desc->value_size)
        return CLSORT_ERROR_INDEX_AND_VALUES;
    return desc->out_of_place && !desc->num_columns ? CLSORT_ERROR_INDEX_OUT_OF_PLACE : CLSORT_OK;
}

static clsort_status check_record(const clsort_desc *desc)
{
    const clsort_status status = record_check(desc->record);
    if (status)
        return status;
    const int by_radix = desc->algorithm == CLSORT_RADIX && desc->record->num_fields;
    return desc->algorithm == CLSORT_AUTO || desc->algorithm == CLSORT_MERGE ||
                   desc->algorithm == CLSORT_QUICK || by_radix
               ? CLSORT_OK
               : CLSORT_ERROR_ALGORITHM_RECORD;
}

static clsort_status check_columns(const clsort_desc *desc)
{
    if (desc->num_columns == 0 && !desc->columns)
        return CLSORT_OK;
    if (desc->num_columns == 0 || desc->num_columns > MAX_MEMBERS || !desc->columns || desc->type ||
        desc->first_bit || desc->end_bit || desc->record || desc->strings)
        return CLSORT_ERROR_COLUMNS;
    for (uint32_t i = 0; i < desc->num_columns; ++i) {
        const clsort_column *column = &desc->columns[i];
        if (!key_type_of(column->type))
            return CLSORT_ERROR_TYPE;
        if (column->order != CLSORT_ASCENDING && column->order != CLSORT_DESCENDING)
            return CLSORT_ERROR_ORDER;
    }
    return CLSORT_OK;
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
            (struct member){key_type_of(field.type), field.offset, field.order != desc->order};
    }
}

static clsort_status check_count(const clsort_desc *desc)
{
    const uint64_t num_arrays = desc->num_arrays ? desc->num_arrays : 1;
    if (desc->count >= MAX_COUNT || num_arrays >= MAX_COUNT)
        return CLSORT_ERROR_COUNT;
    if (desc->count && num_arrays > (MAX_COUNT - 1) / desc->count)
        return CLSORT_ERROR_COUNT;
    const uint64_t n = desc->count * num_arrays;
    if (desc->num_columns && n > (MAX_COUNT - 1) / desc->num_columns) /* a sort for each at most */
        return CLSORT_ERROR_COUNT;
    const uint64_t size = desc->record && desc->record->size > desc->value_size ? desc->record->size
                                                                                : desc->value_size;
    return n && size > (MAX_BYTES - 1) / n ? CLSORT_ERROR_COUNT : CLSORT_OK;
}

clsort_status check_desc(const clsort_desc *desc, struct problem *problem_ret)
{
    if (!desc)
        return CLSORT_ERROR_NULL;
    const struct key_type *type = key_type_of(desc->type);
    if (!type)
        return CLSORT_ERROR_TYPE;
    if (desc->record && (desc->type || desc->first_bit || desc->end_bit))
        return CLSORT_ERROR_RECORD;
    if (desc->order != CLSORT_ASCENDING && desc->order != CLSORT_DESCENDING)
        return CLSORT_ERROR_ORDER;
    if ((unsigned)desc->algorithm >= CLSORT_NUM_ALGORITHMS)
        return CLSORT_ERROR_ALGORITHM;
    for (size_t i = 0; i < sizeof desc->reserved / sizeof *desc->reserved; ++i) {
        if (desc->reserved[i])
            return CLSORT_ERROR_RESERVED;
    }
    struct strings strings = {0};
    clsort_status status = check_columns(desc);
    if (!status && desc->strings)
        status = check_strings(desc, &strings);
    if (!status)
        status = check_bits(desc, type->bits);
    if (!status && desc->record)
        status = check_record(desc);
    if (!status && !desc->strings)
        status = check_index(desc);
    if (!status)
        status = check_count(desc);
    if (status)
        return status;
    const int all_bits = desc->end_bit == 0;
    *problem_ret = (struct problem){
        .count = desc->count,
        .num_arrays = desc->num_arrays ? desc->num_arrays : 1,
        .type = type,
        .descending = desc->order == CLSORT_DESCENDING,
        .stable = desc->stable != 0,
        .in_place = desc->out_of_place == 0,
        .algorithm = desc->algorithm,
        .value_size = desc->value_size,
        .index_size = desc->index_size,
        .first_bit = desc->first_bit,
        .record_size = desc->record ? desc->record->size : 0,
        .record_is_wide = desc->record && record_is_wide(desc->record),
        .num_bits = all_bits ? type->bits : desc->end_bit - desc->first_bit,
        .is_strings = desc->strings != NULL,
        .strings = strings,
    };
    add_members(desc, problem_ret);
    return CLSORT_OK;
}

static uint32_t element_size(const struct problem *problem, enum buffer_role role)
{
    const uint32_t key_size = problem->num_columns ? 0 : problem_key_size(problem);
    if (role >= BUFFER_COLUMN && role < BUFFER_SCRATCH) {
        const int is_out = role >= BUFFER_COLUMN_OUT;
        const uint32_t number = (uint32_t)role - (is_out ? BUFFER_COLUMN_OUT : BUFFER_COLUMN);
        const int is_there = number < problem->num_columns && !(is_out && problem->in_place);
        return is_there ? problem->members[number].type->bits / 8 : 0;
    }
    switch (role) {
    case BUFFER_KEYS:
        return key_size;
    case BUFFER_KEYS_OUT:
        return problem->in_place ? 0 : key_size;
    case BUFFER_VALUES:
        return problem->value_size;
    case BUFFER_VALUES_OUT:
        return problem->in_place ? 0 : problem->value_size;
    case BUFFER_INDICES:
        return problem->index_size;
    default:
        return 0;
    }
}

int check_wants(const struct problem *problem, enum buffer_role role)
{
    return problem->is_strings ? check_strings_want(problem, role)
                               : element_size(problem, role) != 0;
}

uint64_t check_size(const struct problem *problem, enum buffer_role role)
{
    if (problem->is_strings)
        return check_strings_size(problem, role);
    return num_elements(problem) * element_size(problem, role);
}

uint32_t check_alignment(const struct problem *problem, enum buffer_role role)
{
    if (problem->is_strings)
        return check_strings_alignment(problem, role);
    const uint32_t size = role == BUFFER_SCRATCH ? 8 : element_size(problem, role);
    if (problem->record_size && (role == BUFFER_KEYS || role == BUFFER_KEYS_OUT))
        return record_alignment(size);
    uint32_t alignment = 1;
    while (alignment < 8 && size % (2 * alignment) == 0)
        alignment *= 2;
    return alignment;
}

int check_skips(const struct problem *problem, enum buffer_role role)
{
    return role >= BUFFER_COLUMN && role < BUFFER_SCRATCH && element_size(problem, role) == 0;
}

clsort_status check_lists(const struct problem *problem, int has_columns, int has_columns_out)
{
    const int unexpected = (has_columns && !problem->num_columns) ||
                           (has_columns_out && (!problem->num_columns || problem->in_place));
    return unexpected ? CLSORT_ERROR_BUFFER_UNEXPECTED : CLSORT_OK;
}

void *array_of(const clsort_arrays *arrays, enum buffer_role role)
{
    if (role >= BUFFER_COLUMN_OUT)
        return arrays->columns_out ? arrays->columns_out[role - BUFFER_COLUMN_OUT] : NULL;
    if (role >= BUFFER_COLUMN)
        return arrays->columns ? arrays->columns[role - BUFFER_COLUMN] : NULL;
    void *const members[] = {
        [BUFFER_KEYS] = arrays->keys,
        [BUFFER_KEYS_OUT] = arrays->keys_out,
        [BUFFER_VALUES] = arrays->values,
        [BUFFER_VALUES_OUT] = arrays->values_out,
        [BUFFER_INDICES] = arrays->indices,
        [BUFFER_OFFSETS] = arrays->offsets,
        [BUFFER_OFFSETS_OUT] = arrays->offsets_out,
    };
    return members[role];
}

clsort_status check_arrays(const struct problem *problem, const clsort_arrays *arrays)
{
    const clsort_status status =
        check_lists(problem, arrays->columns != NULL, arrays->columns_out != NULL);
    if (status)
        return status;
    for (enum buffer_role role = BUFFER_KEYS; role < BUFFER_SCRATCH; ++role) {
        if (check_skips(problem, role))
            continue;
        const uintptr_t at = (uintptr_t)array_of(arrays, role);
        const int wanted = check_wants(problem, role);
        const uint64_t size = check_size(problem, role);
        if (!at && wanted && size)
            return CLSORT_ERROR_BUFFER_MISSING;
        if (at && !wanted)
            return CLSORT_ERROR_BUFFER_UNEXPECTED;
        if (at % check_alignment(problem, role))
            return CLSORT_ERROR_BUFFER_MISALIGNED;
        if (size > UINTPTR_MAX - at)
            return CLSORT_ERROR_COUNT;
        for (enum buffer_role other = BUFFER_KEYS; other < role; ++other) {
            if (check_skips(problem, other))
                continue;
            const uintptr_t other_at = (uintptr_t)array_of(arrays, other);
            const uint64_t other_size = check_size(problem, other);
            if (at && other_at && at < other_at + other_size && other_at < at + size)
                return CLSORT_ERROR_BUFFER_OVERLAP;
        }
    }
    return CLSORT_OK;
}
