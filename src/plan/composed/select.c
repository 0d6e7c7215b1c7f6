/* select.c: steps of selection (cl/select/select.h): a sample and its sort; a pass that collects;
 * counting and a second pass, in case the sample has misled; a sort of what was collected; and the
 * step that writes the wanted elements. The sorts are plans of numbers, inserted here. */
#include "plan/route.h"

struct select {
    const struct route *route;
    struct plan *plan;
    struct select_params params;
    int is_wide; /* keys of 64 bits, which have their indices beside them */
    struct buffer_ref indices;
};

static void reserve_tables(struct select *select)
{
    struct select_params *p = &select->params;
    const uint64_t m = p->num_arrays;
    const uint64_t indices = select->is_wide ? 4 : 0;
    const uint64_t bins = (uint64_t)4 * SELECT_BOUNDS << select->route->select.tuning.digit_bits;
    const struct table tables[] = {
        {&p->sample, m * p->sample_size * 8},
        {&p->sample_indices, m * p->sample_size * indices},
        {&p->candidates, m * p->capacity * 8},
        {&p->candidate_indices, m * p->capacity * indices},
        {&p->states, m * sizeof(struct select_state)},
        {&p->histograms, m * p->num_rounds * bins},
        {&p->tasks, m * p->num_rounds * 8},
    };
    plan_reserve_tables(select->plan, tables, sizeof tables / sizeof *tables);
    /* Values are gathered by these. */
    if (select->route->problem->value_size)
        select->indices = plan_reserve_buffer(select->plan, m * p->limit * 4);
}

/* Bytes of local memory that counting takes: counters, a scan, and some numbers. */
static uint32_t count_local(const struct select_tuning *tuning)
{
    return (4 * SELECT_BOUNDS << tuning->digit_bits) +
           tuning_scan_local(tuning->shape.group_size, 0) + (3 * SELECT_BOUNDS + 1) * 4;
}

/* And collecting: some elements, and three numbers. */
static uint32_t collect_local(const struct select *select)
{
    const struct select_tuning *tuning = &select->route->select.tuning;
    const uint32_t room = (uint32_t)1 << tuning->digit_bits >> 1;
    const uint32_t indices = select->is_wide ? room : 1;
    return tuning->shape.group_size > 1 ? 8 * room + 4 * indices + 4 * 3 : 4 * 3;
}

static struct step *add_step(struct select *select, enum kernel_id kernel, uint64_t num_groups)
{
    const struct problem *problem = select->route->problem;
    const struct select_tuning *tuning = &select->route->select.tuning;
    const struct payload index = {.size = 4};
    const struct variant variant = payload_variant(problem, &index);
    struct step *step =
        plan_add(select->plan, kernel, &(struct step){.variant = variant}, tuning->shape);
    step->variant.radix_bits = tuning->digit_bits;
    step->variant.local_size = count_local(tuning); /* the most that a kernel of the file has */
    step->num_groups = num_groups;
    STEP_BIND(step, role_ref(BUFFER_KEYS),
              role_ref(problem->in_place ? BUFFER_NONE : BUFFER_KEYS_OUT), role_ref(BUFFER_NONE),
              select->indices, role_ref(BUFFER_SCRATCH));
    STEP_PARAMS(step, select) = select->params;
    return step;
}

static void add_sample(struct select *select)
{
    const struct select_params *p = &select->params;
    const struct select_tuning *tuning = &select->route->select.tuning;
    const uint64_t most = (uint64_t)larger(p->sample_size, p->capacity) * p->num_arrays;
    const uint64_t groups = plan_groups(select->route->facts, tuning->groups_per_unit);
    struct step *step = add_step(select, KERNEL_SELECT_SAMPLE,
                                 smaller(ceil_div(most, tuning->shape.group_size), groups));
    step->bytes_read = (uint64_t)p->sample_size * p->num_arrays * select->route->key_size;
    step->bytes_written = most * 8;
}

/* A pass over the arrays that collects. */
static void add_collect(struct select *select, uint32_t flags)
{
    const struct select_params *p = &select->params;
    struct step *step =
        add_step(select, KERNEL_SELECT_COLLECT, (uint64_t)p->groups_per_array * p->num_arrays);
    step->params.select.flags = flags;
    step->local_size = collect_local(select);
    step->bytes_read = select->route->num_elements * select->route->key_size;
    step->bytes_written = (uint64_t)p->capacity * p->num_arrays * 8;
}

/* Sorts a table of each array in place, and values with it. */
static void sort_table(struct select *select, clsort_type type, uint32_t count, uint64_t keys_begin,
                       uint32_t value_size, uint64_t values_begin)
{
    const struct buffer_ref keys = {BUFFER_SCRATCH, keys_begin};
    const struct buffer_ref values = {BUFFER_SCRATCH, values_begin};
    const struct buffer_ref places[NUM_BUFFER_ROLES] = {
        [BUFFER_NONE] = keys,     [BUFFER_KEYS] = keys,         [BUFFER_KEYS_OUT] = keys,
        [BUFFER_VALUES] = values, [BUFFER_VALUES_OUT] = values,
    };
    struct problem sort = {
        .count = count,
        .num_arrays = select->params.num_arrays,
        .type = key_type_of(type),
        .stable = value_size != 0,
        .in_place = 1,
        .value_size = value_size,
    };
    sort.num_bits = sort.type->bits;
    struct plan *plan = select->plan;
    const uint32_t first_step = plan->num_steps;
    plan_inner(select->route->facts, &sort, places, plan);
    for (uint32_t i = first_step; i < plan->num_steps; ++i)
        plan->steps[i].role = CLSORT_ROLE_ONLY; /* skewed or not, both serve the selection */
}

/* Sorts numbers that hold key and index. Keys of 64 bits have their indices beside them: the
 * sample's are in order already, and collected elements are first sorted by theirs. */
static void sort_elements(struct select *select, uint32_t count, uint64_t keys, uint64_t indices,
                          int is_ordered)
{
    if (select->is_wide && !is_ordered)
        sort_table(select, CLSORT_U32, count, indices, 8, keys);
    sort_table(select, CLSORT_U64, count, keys, select->is_wide ? 4 : 0,
               select->is_wide ? indices : 0);
}

/* Writes the wanted keys and indices, and the values by these. */
static void add_places(struct select *select)
{
    const struct route *route = select->route;
    const struct problem *problem = route->problem;
    const uint64_t n = num_wanted(problem);
    struct step *step =
        add_step(select, KERNEL_SELECT_PLACE, ceil_div(n, shape_slots(route->select.tuning.shape)));
    const int has_indices = select->indices.role != BUFFER_NONE;
    step->params.select.flags = store_flags(!problem->in_place, has_indices, 0) |
                                (problem->index_size == 8 ? SELECT_FLAG_WIDE_INDEX : 0);
    step->bytes_read = n * (8 + route->key_size);
    step->bytes_written = n * (route->key_size + problem->index_size);
    plan_select_gather(route, select->indices, select->plan);
}

void plan_select(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct select_tuning *tuning = &route->select.tuning;
    const uint64_t tiles = ceil_div(problem->count, shape_slots(tuning->shape));
    const uint64_t groups = plan_groups(route->facts, tuning->groups_per_unit);
    struct select select = {
        .route = route,
        .plan = plan,
        .is_wide = problem->type->bits == 64,
        .indices = {problem->index_size ? BUFFER_INDICES : BUFFER_NONE, 0},
        .params = route->select.params,
    };
    struct select_params *p = &select.params;
    p->spin_limit = tuning->spin_limit;
    p->groups_per_array =
        (uint32_t)smaller(tiles, larger(ceil_div(groups, problem->num_arrays), 1));
    reserve_tables(&select);
    add_sample(&select);
    sort_elements(&select, p->sample_size, p->sample, p->sample_indices, 1);
    add_collect(&select, 0);
    add_step(&select, KERNEL_SELECT_COUNT, (uint64_t)p->groups_per_array * p->num_arrays)
        ->local_size = count_local(tuning);
    add_collect(&select, SELECT_FLAG_AGAIN);
    sort_elements(&select, p->capacity, p->candidates, p->candidate_indices, 0);
    add_places(&select);
    plan->stable = 1;
}
