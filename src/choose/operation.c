/* operation.c: the routes of what is done besides sorting (clsort_operation). Like
 * choose.c a pure function of the problem and the device's facts. */
#include "plan/route.h"

#define MAX_LOOKBACK ((uint64_t)1 << 30) /* elements: cl/device/lookback.h counts in 30 bits */

static int has_nothing_to_do(const struct problem *problem)
{
    switch (problem->operation) {
    case CLSORT_OPERATION_CHECK:
    case CLSORT_OPERATION_RUNS:
        return 0; /* the result of an empty array is written, too */
    case CLSORT_OPERATION_SEARCH:
        return problem->num_queries == 0;
    default:
        return num_elements(problem) == 0;
    }
}

/* Numbers that a kernel writes besides keys have the macros of a payload. */
static struct payload numbers_of(const struct problem *problem)
{
    const uint32_t size = problem->operation == CLSORT_OPERATION_RUNS ? problem->run_offset_size
                                                                      : problem->index_size;
    return (struct payload){.size = size ? size : 4};
}

clsort_status choose_operation(struct route *route)
{
    static const enum route_form forms[] = {
        [CLSORT_OPERATION_CHECK] = FORM_CHECK,   [CLSORT_OPERATION_MERGE] = FORM_MERGE_RANGES,
        [CLSORT_OPERATION_RUNS] = FORM_RUNS,     [CLSORT_OPERATION_SEARCH] = FORM_SEARCH,
        [CLSORT_OPERATION_GATHER] = FORM_GATHER,
    };
    _Static_assert(sizeof forms / sizeof *forms == CLSORT_NUM_OPERATIONS, "one each");
    const struct problem *problem = route->problem;
    const struct device_facts *facts = route->facts;
    route->algorithm = CLSORT_MERGE;
    if (has_nothing_to_do(problem)) {
        route->form = FORM_NOTHING;
        return CLSORT_OK;
    }
    route->form = forms[problem->operation];
    if (route->form != FORM_GATHER && problem->num_columns)
        route->form = FORM_PACKED;
    if (route->form == FORM_GATHER || route->form == FORM_PACKED)
        return CLSORT_OK;
    if (route->form == FORM_MERGE_RANGES) {
        route->payload = payload_choose(problem, 1);
        route->item_size = payload_item_size(problem, &route->payload);
        route->variant = payload_variant(problem, &route->payload);
        route->merge = tuning_merge(facts, route->item_size, 1);
        return CLSORT_OK;
    }
    const struct payload numbers = numbers_of(problem);
    route->variant = payload_variant(problem, &numbers);
    route->range = tuning_range(facts, route->key_size);
    route->variant.subgroup = route->form == FORM_RUNS ? route->range.subgroup : 0;
    route->range.look_back &= problem->num_arrays == 1 && problem->count < MAX_LOOKBACK;
    return CLSORT_OK;
}
