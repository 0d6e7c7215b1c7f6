/* plan_choose.c: chooses the algorithm for a problem and has it write its steps. */
#include "payload.h"

/* The rows of the algorithms, in the order of the public enumeration. */
static const struct {
    clsort_status (*plan)(const struct device_facts *, const struct problem *, struct plan *);
} algorithms[] = {
    [CLSORT_RANK] = {plan_rank},   [CLSORT_BITONIC] = {plan_bitonic}, [CLSORT_RADIX] = {plan_radix},
    [CLSORT_MERGE] = {plan_merge}, [CLSORT_QUICK] = {plan_quick},
};
_Static_assert(sizeof algorithms / sizeof *algorithms == CLSORT_NUM_ALGORITHMS, "one row each");

/* Records whose fields fit in a key together. */
static int is_one_number(const struct problem *problem)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < problem->num_members; ++i)
        bits += problem->members[i].type->bits;
    return bits > 0 && bits <= 64;
}

static clsort_algorithm record_algorithm(const struct device_facts *facts,
                                         const struct problem *problem)
{
    const struct record_tuning tuning = tuning_records(facts);
    const int keeps_order = problem->stable || problem->index_size;
    const uint64_t radix_min = keeps_order ? tuning.radix_min : tuning.radix_free_min;
    if (is_one_number(problem) && problem->count >= radix_min)
        return CLSORT_RADIX;
    if (!keeps_order && problem->count >= tuning.quick_min && !plan_quick_allows(problem))
        return CLSORT_QUICK;
    return CLSORT_MERGE;
}

/* Quicksort of records is seven kernels that CPUs' compilers work on for 5 to 13 s; merge sort, which AUTO takes there,
 * is three of 2 to 4 s. */
static int quick_compiles_long(const struct device_facts *facts, const struct problem *problem)
{
    return facts->cpu_kernels && problem->record_size;
}

clsort_algorithm plan_algorithm(const struct device_facts *facts, const struct problem *problem)
{
    if (problem->algorithm == CLSORT_QUICK && quick_compiles_long(facts, problem))
        return CLSORT_MERGE;
    if (problem->algorithm != CLSORT_AUTO)
        return problem->algorithm;
    if (problem->record_size)
        return record_algorithm(facts, problem);
    if (problem->is_strings)
        return CLSORT_RADIX;
    struct plan unused = {0};
    const struct payload payload = payload_choose(problem, &unused, 1, 1);
    const struct tuning tuning = tuning_for(facts, payload_item_size(problem, &payload));
    if (problem->count <= tuning.rank_auto_max && !plan_rank_allows(problem))
        return CLSORT_RANK;
    if (plan_whole_takes(facts, problem, 1))
        return CLSORT_QUICK;
    return problem->count >= tuning.radix_auto_min ? CLSORT_RADIX : CLSORT_BITONIC;
}

clsort_status plan_append(const struct device_facts *facts, const struct problem *problem,
                          struct plan *plan)
{
    plan->algorithm = plan_algorithm(facts, problem);
    plan->stable = problem->stable;
    if (problem->algorithm == CLSORT_RANK && plan_rank_allows(problem))
        return CLSORT_ERROR_ALGORITHM_COUNT;
    if (problem->algorithm == CLSORT_QUICK && plan_quick_allows(problem))
        return CLSORT_ERROR_ALGORITHM_COUNT;
    const int nothing = num_elements(problem) == 0 ||
                        (problem->count == 1 && problem->in_place && !problem->index_size);
    if (nothing) {
        plan->stable = 1;
        return CLSORT_OK;
    }
    if (problem->is_strings)
        return plan_strings(facts, problem, plan);
    if (problem->num_columns || (problem->record_size && plan->algorithm == CLSORT_RADIX))
        return plan_columns(facts, problem, plan);
    if (plan->algorithm == CLSORT_RADIX && facts->cpu_kernels)
        return plan_cpu(facts, problem, plan);
    return algorithms[plan->algorithm].plan(facts, problem, plan);
}

clsort_status plan_make(const struct device_facts *facts, const struct problem *problem,
                        struct plan *plan)
{
    plan->scratch_size = 0;
    plan->num_steps = 0;
    const clsort_status status = plan_append(facts, problem, plan);
    /* Every kernel asserts that its local memory is no more than that. */
    for (uint32_t i = 0; i < plan->num_steps; ++i) {
        struct step *step = &plan->steps[i];
        if (step->local_size > step->variant.local_size)
            step->variant.local_size = step->local_size;
    }
    return status;
}
