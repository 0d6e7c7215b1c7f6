/* check.c: says which buffers a problem needs, and checks host arrays. */
#include "check/check.h"

#include "base/names.h"
#include "program/record.h"

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
    const uint32_t key_size = problem->is_strings    ? 1
                              : problem->num_columns ? 0
                                                     : problem_key_size(problem);
    const clsort_operation operation = problem->operation;
    const int is_search = operation == CLSORT_OPERATION_SEARCH;
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
        return is_search ? 0 : problem->index_size;
    case BUFFER_OFFSETS:
        return problem->is_strings ? problem->strings.offset_size : problem->segment_offset_size;
    case BUFFER_OFFSETS_OUT:
        return problem->is_strings && !problem->in_place ? problem->strings.offset_size
                                                         : problem->run_offset_size;
    case BUFFER_QUERIES:
        return is_search ? key_size : 0;
    case BUFFER_LOWER:
    case BUFFER_UPPER:
        return is_search ? problem->index_size : 0;
    case BUFFER_RESULT:
        return operation == CLSORT_OPERATION_CHECK || operation == CLSORT_OPERATION_RUNS ? 8 : 0;
    default:
        return 0;
    }
}

int check_expects(const struct problem *problem, enum buffer_role role)
{
    return element_size(problem, role) != 0;
}

/* How many elements operations besides sorting have in a role's buffer. */
static uint64_t count_of_operation(const struct problem *problem, enum buffer_role role)
{
    if (role_is_in(role, BUFFER_QUERY_COLUMN))
        return problem->num_arrays * problem->num_queries;
    switch (role) {
    case BUFFER_QUERIES:
    case BUFFER_LOWER:
    case BUFFER_UPPER:
        return problem->num_arrays * problem->num_queries;
    case BUFFER_RESULT:
        return problem->num_arrays;
    case BUFFER_OFFSETS_OUT:
        return problem->num_arrays * (problem->count + 1);
    default:
        return num_elements(problem);
    }
}

/* How many elements strings have in a role's buffer: bytes, offsets or indices. */
static uint64_t count_of_strings(const struct problem *problem, enum buffer_role role)
{
    if (role == BUFFER_KEYS || role == BUFFER_KEYS_OUT)
        return problem->count ? problem->strings.num_bytes : 0;
    return problem->count && role != BUFFER_INDICES ? problem->count + 1 : problem->count;
}

uint64_t check_size(const struct problem *problem, enum buffer_role role)
{
    if (problem->is_strings)
        return count_of_strings(problem, role) * element_size(problem, role);
    const int has_offsets = num_elements(problem) && problem->num_segments;
    if (role == BUFFER_OFFSETS)
        return has_offsets ? (problem->num_segments + 1) * problem->segment_offset_size : 0;
    const uint64_t num = problem->operation != CLSORT_OPERATION_SORT
                             ? count_of_operation(problem, role)
                         : role_is_source(role) ? num_elements(problem)
                                                : num_wanted(problem);
    return num * element_size(problem, role);
}

uint32_t check_alignment(const struct problem *problem, enum buffer_role role)
{
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
    return !role_is_source(role) || (problem->in_place && !problem->index_size);
}

struct refusal check_lists(const struct problem *problem, const void *const lists[NUM_LISTS])
{
    static const char *const names[NUM_LISTS] = {"columns", "columns_out", "values_list",
                                                 "values_list_out", "query_columns"};
    for (uint32_t i = 0; i < NUM_LISTS; ++i) {
        if (lists[i] && !listed_size(problem, (enum buffer_role)(BUFFER_COLUMN + i * MAX_MEMBERS)))
            return refuse(CLSORT_ERROR_BUFFER_UNEXPECTED, names[i]);
    }
    return accepted();
}

clsort_status check_presence(const struct problem *problem, enum buffer_role role, int is_given,
                             uint64_t size)
{
    if (!is_given)
        return size ? CLSORT_ERROR_BUFFER_MISSING : CLSORT_OK;
    return size || check_expects(problem, role) ? CLSORT_OK : CLSORT_ERROR_BUFFER_UNEXPECTED;
}

int check_overlaps(const struct problem *problem, enum buffer_role role,
                   const struct memory_range ranges[NUM_BUFFER_ROLES])
{
    const struct memory_range *a = &ranges[role];
    for (enum buffer_role other = BUFFER_KEYS; other < role; other = check_next(problem, other)) {
        const struct memory_range *b = &ranges[other];
        if (a->root == b->root && a->begin < a->end && b->begin < b->end && a->begin < b->end &&
            b->begin < a->end)
            return 1;
    }
    return 0;
}

void **array_at(clsort_arrays *arrays, enum buffer_role role)
{
    void *const *const lists[] = {arrays->columns, arrays->columns_out, arrays->values_list,
                                  arrays->values_list_out, NULL};
    if (role >= BUFFER_COLUMN) {
        const uint32_t number = (uint32_t)role - BUFFER_COLUMN;
        void *const *list = lists[number / MAX_MEMBERS];
        return list ? (void **)&list[number % MAX_MEMBERS] : NULL;
    }
    void **const members[BUFFER_COLUMN] = {
        [BUFFER_KEYS] = &arrays->keys,
        [BUFFER_KEYS_OUT] = &arrays->keys_out,
        [BUFFER_VALUES] = &arrays->values,
        [BUFFER_VALUES_OUT] = &arrays->values_out,
        [BUFFER_INDICES] = &arrays->indices,
        [BUFFER_OFFSETS] = (void **)&arrays->offsets,
        [BUFFER_OFFSETS_OUT] = &arrays->offsets_out,
    };
    return members[role];
}

void *array_of(const clsort_arrays *arrays, enum buffer_role role)
{
    void *const *const at = array_at((clsort_arrays *)arrays, role);
    return at ? *at : NULL;
}

/* Checks one array by itself. */
static clsort_status check_array(const struct problem *problem, enum buffer_role role, uintptr_t at,
                                 uint64_t size)
{
    const clsort_status status = check_presence(problem, role, at != 0, size);
    if (status)
        return status;
    if (at % check_alignment(problem, role))
        return CLSORT_ERROR_BUFFER_MISALIGNED;
    return size > UINTPTR_MAX - at ? CLSORT_ERROR_COUNT : CLSORT_OK;
}

/* Offsets on the host must not decrease or pass the count. */
static struct refusal check_offsets(const struct problem *problem, const void *offsets)
{
    uint64_t before = 0;
    for (uint64_t i = 0; i <= problem->num_segments && problem->num_segments; ++i) {
        const uint64_t offset = offset_at(offsets, problem->segment_offset_size, i);
        if (offset < before || offset > problem->count)
            return refuse(CLSORT_ERROR_SEGMENTS, check_buffer_name(BUFFER_OFFSETS));
        before = offset;
    }
    return accepted();
}

struct refusal check_places(const struct problem *problem, const struct problem *results,
                            const clsort_arrays *arrays)
{
    const void *const lists[NUM_LISTS] = {arrays->columns, arrays->columns_out, arrays->values_list,
                                          arrays->values_list_out};
    struct memory_range ranges[NUM_BUFFER_ROLES] = {0};
    const struct refusal refusal = check_lists(problem, lists);
    if (refusal.status)
        return refusal;
    for (enum buffer_role role = BUFFER_KEYS; role < BUFFER_SCRATCH;
         role = check_next(problem, role)) {
        const uintptr_t at = (uintptr_t)array_of(arrays, role);
        const uint64_t size = check_size(role_is_source(role) ? problem : results, role);
        const clsort_status status = check_array(problem, role, at, size);
        if (status)
            return refuse(status, check_buffer_name(role));
        ranges[role] = (struct memory_range){NULL, at, at + size};
        if (check_overlaps(problem, role, ranges))
            return refuse(CLSORT_ERROR_BUFFER_OVERLAP, check_buffer_name(role));
    }
    return accepted();
}

struct refusal check_arrays(const struct problem *problem, const clsort_arrays *arrays)
{
    const struct refusal refusal = check_places(problem, problem, arrays);
    const int has_segments = problem->segment_offset_size && num_elements(problem);
    return refusal.status || !has_segments ? refusal : check_offsets(problem, arrays->offsets);
}
