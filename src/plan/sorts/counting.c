/* counting.c: steps of sorting by counting (cl/sorts/counting/counting.cl): keys of 8 or 16 bits
 * alone. */
#include "plan/route.h"

#define MIN_TEAM_ROUNDS 8 /* keys that a work-item writes, at least */

int plan_counting_takes(const struct route *route, struct counting_tuning *row_ret)
{
    const struct problem *problem = route->problem;
    if (route->facts->cpu_kernels || problem_shows_order(problem) || problem->type->bits > 16 ||
        problem_num_values(problem) || problem->index_size || problem->num_arrays != 1 ||
        problem->count > MAX_NUMBERED)
        return 0;
    *row_ret = tuning_counting(route->facts, route->key_size);
    return row_ret->num_slices && problem->count >= row_ret->min_count;
}

void plan_counting(const struct route *route, struct plan *plan)
{
    const struct counting_tuning *tuning = &route->counting;
    const uint64_t n = route->num_elements, bytes = n * route->key_size;
    const uint64_t values = (uint64_t)1 << route->problem->type->bits;
    const uint64_t groups = plan_groups(route->facts, tuning->groups_per_unit);
    /* All chunks' counts have no more bytes than the keys. */
    const uint64_t chunks =
        smaller(ceil_div(groups, tuning->num_slices), larger(bytes / (values * 4), 1));
    const uint32_t group_size = tuning->shape.group_size;
    const uint32_t team = group_size < COUNTING_TEAM ? group_size : COUNTING_TEAM;
    const uint64_t share = ceil_div(ceil_div(n, groups * (group_size / team)), team);
    const uint64_t team_share = larger(share, MIN_TEAM_ROUNDS) * team;
    struct step first = route_step(route, role_ref(BUFFER_KEYS_OUT));
    struct counting_params *p = &first.params.counting;
    *p = (struct counting_params){.team_share = team_share,
                                  .count = (uint32_t)n,
                                  .num_chunks = (uint32_t)chunks};
    const struct table tables[] = {
        {&p->counts, chunks * values * 4},
        {&p->begins, values * 4},
        {&p->sums, values / COUNTING_BLOCK * 4},
    };
    plan_reserve_tables(plan, tables, sizeof tables / sizeof *tables);
    first.params_size = sizeof *p;
    first.variant.subgroup = tuning->subgroup;
    first.local_size = tuning->local_size; /* as the program's largest kernel needs */
    const struct {
        enum kernel_id kernel;
        uint64_t num_groups, bytes_read, bytes_written;
    } steps[] = {
        {KERNEL_COUNTING_COUNT, chunks * tuning->num_slices, bytes, 0},
        {KERNEL_COUNTING_SCAN, values / COUNTING_BLOCK, 0, 0},
        {KERNEL_COUNTING_FILL, ceil_div(n, team_share * (group_size / team)), 0, bytes},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
        struct step *step = plan_add(plan, steps[i].kernel, &first, tuning->shape);
        step->num_groups = steps[i].num_groups;
        step->bytes_read = steps[i].bytes_read;
        step->bytes_written = steps[i].bytes_written;
    }
}
