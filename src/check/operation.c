/* operation.c: checks an operation against the other members of its description, and says
 * what its buffers are. */
#include "check/check.h"

#include "base/names.h"

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

struct refusal check_operation(const clsort_desc *desc)
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

/* ---- Buffers ---- */
uint32_t check_operation_element(const struct problem *problem, enum buffer_role role)
{
    const clsort_operation operation = problem->operation;
    const int is_search = operation == CLSORT_OPERATION_SEARCH;
    const int counts = operation == CLSORT_OPERATION_CHECK || operation == CLSORT_OPERATION_RUNS;
    switch (role) {
    case BUFFER_QUERIES:
        return is_search && !problem->num_columns ? problem_key_size(problem) : 0;
    case BUFFER_LOWER:
    case BUFFER_UPPER:
        return is_search ? problem->index_size : 0;
    case BUFFER_RESULT:
        return counts ? 8 : 0;
    case BUFFER_OFFSETS_OUT:
        return problem->is_strings && !problem->in_place ? problem->strings.offset_size
                                                         : problem->run_offset_size;
    default:
        return 0;
    }
}

uint64_t check_operation_count(const struct problem *problem, enum buffer_role role)
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
