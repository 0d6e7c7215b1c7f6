/* check.c: checks a description, and says which buffers it needs. */
#include "check/check.h"

#include "base/names.h"
#include "program/record.h"

#define MAX_BYTES ((uint64_t)1 << 62)

static struct refusal check_bits(const clsort_desc *desc, uint32_t key_bits)
{
    if (desc->first_bit == 0 && desc->end_bit == 0)
        return accepted();
    if (desc->end_bit > key_bits)
        return refuse(CLSORT_ERROR_BIT_RANGE, "desc.end_bit");
    return desc->first_bit < desc->end_bit ? accepted()
                                           : refuse(CLSORT_ERROR_BIT_RANGE, "desc.first_bit");
}

static struct refusal check_index(const clsort_desc *desc)
{
    if (desc->index_size == 0 || desc->operation != CLSORT_OPERATION_SORT) /* operation.c */
        return accepted();
    if (desc->index_size != 4 && desc->index_size != 8)
        return refuse(CLSORT_ERROR_INDEX_SIZE, "desc.index_size");
    if (desc->index_size == 4 && desc->count > (uint64_t)UINT32_MAX + 1)
        return refuse(CLSORT_ERROR_INDEX_SIZE, "desc.index_size");
    if (desc->value_size)
        return refuse(CLSORT_ERROR_INDEX_AND_VALUES, "desc.value_size");
    return accepted();
}

static struct refusal check_record(const clsort_desc *desc)
{
    const struct refusal refusal = record_check(desc->record);
    if (refusal.status)
        return refusal;
    const int by_radix = desc->algorithm == CLSORT_RADIX && desc->record->num_fields;
    return desc->algorithm == CLSORT_AUTO || desc->algorithm == CLSORT_MERGE ||
                   desc->algorithm == CLSORT_QUICK || by_radix
               ? accepted()
               : refuse(CLSORT_ERROR_ALGORITHM_RECORD, "desc.algorithm");
}

static struct refusal check_columns(const clsort_desc *desc)
{
    if (desc->num_columns == 0 && !desc->columns)
        return accepted();
    const struct mistake wrong[] = {
        {desc->num_columns == 0 || desc->num_columns > MAX_MEMBERS, "desc.num_columns"},
        {!desc->columns, "desc.columns"},
        {desc->type != 0, "desc.type"},
        {desc->first_bit != 0, "desc.first_bit"},
        {desc->end_bit != 0, "desc.end_bit"},
        {desc->record != NULL, "desc.record"},
        {desc->strings != NULL, "desc.strings"},
    };
    const struct refusal refusal =
        check_mistakes(CLSORT_ERROR_COLUMNS, wrong, sizeof wrong / sizeof *wrong);
    if (refusal.status)
        return refusal;
    for (uint32_t i = 0; i < desc->num_columns; ++i) {
        const clsort_column *column = &desc->columns[i];
        if (!key_type_of(column->type))
            return refuse(CLSORT_ERROR_TYPE, check_part_name(COLUMN_TYPE, i));
        if (column->order != CLSORT_ASCENDING && column->order != CLSORT_DESCENDING)
            return refuse(CLSORT_ERROR_ORDER, check_part_name(COLUMN_ORDER, i));
    }
    return accepted();
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

static struct refusal check_count(const clsort_desc *desc)
{
    const uint64_t num_arrays = desc->num_arrays ? desc->num_arrays : 1;
    if (desc->count >= MAX_COUNT)
        return refuse(CLSORT_ERROR_COUNT, "desc.count");
    if (num_arrays >= MAX_COUNT || (desc->count && num_arrays > (MAX_COUNT - 1) / desc->count))
        return refuse(CLSORT_ERROR_COUNT, "desc.num_arrays");
    const uint64_t places = desc->offset_size && desc->num_segments ? desc->limit : 0;
    if (places && desc->num_segments > (MAX_COUNT - 1) / places)
        return refuse(CLSORT_ERROR_COUNT, "desc.limit");
    const uint64_t n = check_most_elements(desc);
    const uint64_t size = desc->record && desc->record->size > desc->value_size ? desc->record->size
                                                                                : desc->value_size;
    const int has_too_many_columns = /* each may take a sort of its own */
        desc->num_columns && n > (MAX_COUNT - 1) / desc->num_columns;
    const int is_too_large = n && size > (MAX_BYTES - 1) / n;
    return has_too_many_columns || is_too_large ? refuse(CLSORT_ERROR_COUNT, "desc.count")
                                                : accepted();
}

/* Checks the members that do not depend on each other. */
static struct refusal check_members(const clsort_desc *desc)
{
    if (!key_type_of(desc->type))
        return refuse(CLSORT_ERROR_TYPE, "desc.type");
    const struct mistake with_record[] = {
        {desc->record && desc->type, "desc.type"},
        {desc->record && desc->first_bit, "desc.first_bit"},
        {desc->record && desc->end_bit, "desc.end_bit"},
    };
    const struct refusal refusal =
        check_mistakes(CLSORT_ERROR_RECORD, with_record, sizeof with_record / sizeof *with_record);
    if (refusal.status)
        return refusal;
    if (desc->order != CLSORT_ASCENDING && desc->order != CLSORT_DESCENDING)
        return refuse(CLSORT_ERROR_ORDER, "desc.order");
    if ((unsigned)desc->algorithm >= CLSORT_NUM_ALGORITHMS)
        return refuse(CLSORT_ERROR_ALGORITHM, "desc.algorithm");
    for (size_t i = 0; i < sizeof desc->reserved / sizeof *desc->reserved; ++i) {
        if (desc->reserved[i])
            return refuse(CLSORT_ERROR_RESERVED, "desc.reserved");
    }
    return accepted();
}

struct refusal check_desc(const clsort_desc *desc, struct problem *problem_ret)
{
    if (!desc)
        return refuse(CLSORT_ERROR_NULL, "desc");
    struct strings strings = {0};
    struct refusal refusal = check_members(desc);
    if (refusal.status)
        return refusal;
    const struct key_type *type = key_type_of(desc->type);
    refusal = check_columns(desc);
    if (!refusal.status && desc->strings)
        refusal = check_strings(desc, &strings);
    if (!refusal.status)
        refusal = check_bits(desc, type->bits);
    if (!refusal.status && desc->record)
        refusal = check_record(desc);
    if (!refusal.status && !desc->strings)
        refusal = check_index(desc);
    if (!refusal.status)
        refusal = check_count(desc);
    if (!refusal.status)
        refusal = check_wanted(desc);
    if (refusal.status)
        return refusal;
    const int all_bits = desc->end_bit == 0;
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
        .num_bits = all_bits ? type->bits : desc->end_bit - desc->first_bit,
        .is_strings = desc->strings != NULL,
        .strings = strings,
    };
    for (uint32_t i = 0; i < desc->num_values; ++i)
        problem_ret->value_sizes[i] = desc->value_sizes[i];
    add_members(desc, problem_ret);
    return accepted();
}

/* Whether no keys are written to another buffer. */
static int keeps_keys(const struct problem *problem)
{
    return problem->in_place || problem->operation == CLSORT_OPERATION_CHECK ||
           problem->operation == CLSORT_OPERATION_SEARCH;
}

/* Bytes of an element of one of a list's buffers. */
static uint32_t listed_size(const struct problem *problem, enum buffer_role role)
{
    const int is_query = role_is_in(role, BUFFER_QUERY_COLUMN);
    const int is_column = role < BUFFER_LISTED || is_query;
    const uint32_t number = ((uint32_t)role - BUFFER_COLUMN) % MAX_MEMBERS;
    if ((role_is_in(role, BUFFER_COLUMN_OUT) && keeps_keys(problem)) ||
        (role_is_in(role, BUFFER_LISTED_OUT) && problem->in_place) ||
        (is_query && problem->operation != CLSORT_OPERATION_SEARCH) ||
        number >= (is_column ? problem->num_columns : problem->num_values))
        return 0;
    return is_column ? problem->members[number].type->bits / 8 : problem->value_sizes[number];
}

static uint32_t element_size(const struct problem *problem, enum buffer_role role)
{
    const uint32_t key_size = problem->num_columns ? 0 : problem_key_size(problem);
    if (role >= BUFFER_COLUMN && role < BUFFER_SCRATCH)
        return listed_size(problem, role);
    switch (role) {
    case BUFFER_KEYS:
        return key_size;
    case BUFFER_KEYS_OUT:
        return keeps_keys(problem) ? 0 : key_size;
    case BUFFER_VALUES:
        return problem->value_size;
    case BUFFER_VALUES_OUT:
        return problem->in_place ? 0 : problem->value_size;
    case BUFFER_INDICES:
        return problem->operation == CLSORT_OPERATION_SEARCH ? 0 : problem->index_size;
    case BUFFER_OFFSETS:
        return problem->segment_offset_size;
    default:
        return check_operation_element(problem, role);
    }
}

int check_expects(const struct problem *problem, enum buffer_role role)
{
    return problem->is_strings ? check_strings_expect(problem, role)
                               : element_size(problem, role) != 0;
}

/* Whether a role's buffer holds what is sorted. */
static int is_source(enum buffer_role role)
{
    return role == BUFFER_KEYS || role == BUFFER_VALUES || role_is_in(role, BUFFER_COLUMN) ||
           role_is_in(role, BUFFER_LISTED);
}

uint64_t check_size(const struct problem *problem, enum buffer_role role)
{
    if (problem->is_strings)
        return check_strings_size(problem, role);
    const int has_offsets = num_elements(problem) && problem->num_segments;
    if (role == BUFFER_OFFSETS)
        return has_offsets ? (problem->num_segments + 1) * problem->segment_offset_size : 0;
    const uint64_t num = problem->operation != CLSORT_OPERATION_SORT
                             ? check_operation_count(problem, role)
                         : is_source(role) ? num_elements(problem)
                                           : num_wanted(problem);
    return num * element_size(problem, role);
}

uint32_t check_alignment(const struct problem *problem, enum buffer_role role)
{
    if (problem->is_strings)
        return check_strings_alignment(problem, role);
    const uint32_t size =
        role == BUFFER_SCRATCH ? GIVEN_SCRATCH_ALIGNMENT : element_size(problem, role);
    if (problem->record_size &&
        (role == BUFFER_KEYS || role == BUFFER_KEYS_OUT || role == BUFFER_QUERIES))
        return record_alignment(size);
    uint32_t alignment = 1;
    while (alignment < 8 && size % (2 * alignment) == 0)
        alignment *= 2;
    return alignment;
}

enum buffer_role check_next(const struct problem *problem, enum buffer_role role)
{
    if (role == BUFFER_RESULT && !problem->num_columns && !problem->num_values)
        return BUFFER_SCRATCH;
    do
        role = (enum buffer_role)(role + 1);
    while (role >= BUFFER_COLUMN && role < BUFFER_SCRATCH && element_size(problem, role) == 0);
    return role;
}

int check_writes(const struct problem *problem, enum buffer_role role)
{
    if (role == BUFFER_OFFSETS || role == BUFFER_QUERIES || role_is_in(role, BUFFER_QUERY_COLUMN))
        return 0;
    if (role == BUFFER_INDICES && problem->operation == CLSORT_OPERATION_GATHER)
        return 0;
    return !is_source(role) || (problem->in_place && !problem->index_size);
}

struct refusal check_lists(const struct problem *problem, struct given_lists lists)
{
    const int is_search = problem->operation == CLSORT_OPERATION_SEARCH;
    const struct mistake unexpected[] = {
        {lists.columns && !problem->num_columns, "columns"},
        {lists.columns_out && (!problem->num_columns || keeps_keys(problem)), "columns_out"},
        {lists.values && !problem->num_values, "values_list"},
        {lists.values_out && (!problem->num_values || problem->in_place), "values_list_out"},
        {lists.query_columns && !(problem->num_columns && is_search), "query_columns"},
    };
    return check_mistakes(CLSORT_ERROR_BUFFER_UNEXPECTED, unexpected,
                          sizeof unexpected / sizeof *unexpected);
}

struct given_lists lists_of_arrays(const clsort_arrays *arrays)
{
    return (struct given_lists){
        .columns = arrays->columns != NULL,
        .columns_out = arrays->columns_out != NULL,
        .values = arrays->values_list != NULL,
        .values_out = arrays->values_list_out != NULL,
    };
}

void *array_of(const clsort_arrays *arrays, enum buffer_role role)
{
    void *const *const lists[] = {arrays->columns, arrays->columns_out, arrays->values_list,
                                  arrays->values_list_out, NULL};
    if (role >= BUFFER_COLUMN) {
        const uint32_t number = (uint32_t)role - BUFFER_COLUMN;
        void *const *list = lists[number / MAX_MEMBERS];
        return list ? list[number % MAX_MEMBERS] : NULL;
    }
    void *const members[BUFFER_COLUMN] = {
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

/* Checks one array by itself. */
static clsort_status check_array(const struct problem *problem, enum buffer_role role, uintptr_t at,
                                 uint64_t size)
{
    const int is_expected = check_expects(problem, role);
    if (!at && is_expected && size)
        return CLSORT_ERROR_BUFFER_MISSING;
    if (at && !is_expected)
        return CLSORT_ERROR_BUFFER_UNEXPECTED;
    if (at % check_alignment(problem, role))
        return CLSORT_ERROR_BUFFER_MISALIGNED;
    return size > UINTPTR_MAX - at ? CLSORT_ERROR_COUNT : CLSORT_OK;
}

/* Offsets on the host must not decrease or pass the count. */
static struct refusal check_offsets(const struct problem *problem, const void *offsets)
{
    uint64_t before = 0;
    for (uint64_t i = 0; i <= problem->num_segments && problem->num_segments; ++i) {
        const uint64_t offset = problem->segment_offset_size == 8 ? ((const uint64_t *)offsets)[i]
                                                                  : ((const uint32_t *)offsets)[i];
        if (offset < before || offset > problem->count)
            return refuse(CLSORT_ERROR_SEGMENTS, check_buffer_name(BUFFER_OFFSETS));
        before = offset;
    }
    return accepted();
}

static int is_result(enum buffer_role role)
{
    return role == BUFFER_KEYS_OUT || role == BUFFER_VALUES_OUT || role == BUFFER_INDICES ||
           role >= BUFFER_COLUMN_OUT;
}

struct refusal check_places(const struct problem *problem, const struct problem *results,
                            const clsort_arrays *arrays)
{
    const struct refusal refusal = check_lists(problem, lists_of_arrays(arrays));
    if (refusal.status)
        return refusal;
    for (enum buffer_role role = BUFFER_KEYS; role < BUFFER_SCRATCH;
         role = check_next(problem, role)) {
        const uintptr_t at = (uintptr_t)array_of(arrays, role);
        const uint64_t size = check_size(is_result(role) ? results : problem, role);
        const clsort_status status = check_array(problem, role, at, size);
        if (status)
            return refuse(status, check_buffer_name(role));
        for (enum buffer_role other = BUFFER_KEYS; other < role;
             other = check_next(problem, other)) {
            const uintptr_t other_at = (uintptr_t)array_of(arrays, other);
            const uint64_t other_size = check_size(is_result(other) ? results : problem, other);
            if (at && other_at && size && other_size && at < other_at + other_size &&
                other_at < at + size)
                return refuse(CLSORT_ERROR_BUFFER_OVERLAP, check_buffer_name(role));
        }
    }
    return accepted();
}

struct refusal check_arrays(const struct problem *problem, const clsort_arrays *arrays)
{
    const struct refusal refusal = check_places(problem, problem, arrays);
    const int has_segments = problem->segment_offset_size && num_elements(problem);
    return refusal.status || !has_segments ? refusal : check_offsets(problem, arrays->offsets);
}
