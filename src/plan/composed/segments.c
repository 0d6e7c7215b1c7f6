/* segments.c: steps that sort each segment by itself, where offsets on the device say what the
 * segments are (cl/segments/segments.h), and steps that sort several arrays as segments of one
 * length. On GPUs numbers and records are sorted in tiles of whole segments (lists/tiles.c). Rows
 * of columns, and what other devices sort, are sorted by the number of their segment and then by
 * key, as rows of two columns are: any key takes two or three sorts of the whole array. */
#include "plan/lists/lists.h"
#include "plan/rows.h"

struct segments {
    const struct route *route;
    struct plan *plan;
    struct problem problem; /* with the number as the first member */
    struct route rows_route;
    struct rows rows;
    struct segments_params params;
    struct buffer_ref index; /* of the steps: the elements' */
};

static struct segments_steps steps_of(const struct segments *segments)
{
    return (struct segments_steps){
        .route = segments->route,
        .plan = segments->plan,
        .index_size = segments->rows.index_size,
        .params = segments->params,
        .index = segments->index,
    };
}

static clsort_status add_step(const struct segments *segments, enum kernel_id kernel,
                              uint64_t num_items)
{
    const struct segments_steps steps = steps_of(segments);
    return segments_add_step(&steps, kernel, num_items);
}

static clsort_status add_bits(const struct segments *segments)
{
    const struct segments_steps steps = steps_of(segments);
    return segments_add_bits(&steps);
}

/* Numbers the elements' segments. */
static clsort_status add_numbers(const struct segments *segments)
{
    const uint64_t words = segments->params.count / 32 + 1;
    clsort_status status = add_step(segments, KERNEL_SEGMENTS_COUNT, words);
    if (!status)
        status = add_step(segments, KERNEL_SEGMENTS_SCAN, 1);
    if (!status)
        status = add_step(segments, KERNEL_SEGMENTS_NUMBER, words);
    return status;
}

/* The number comes before what the keys are sorted by. A comparison is no number: it comes first in
 * a sort of its own. */
static void set_members(struct segments *segments)
{
    const struct problem *problem = segments->route->problem;
    struct problem *rows = &segments->problem;
    const uint64_t numbers = smaller(problem->num_segments + 1, problem->count) + 1;
    *rows = *problem;
    rows->segment_offset_size = 0;
    rows->members[0] = (struct member){
        .type = key_type_of(segments->rows.index_size == 4 ? CLSORT_U32 : CLSORT_U64),
        .num_bits = ceil_log2(numbers),
    };
    for (uint32_t i = 0; i < problem->num_members; ++i)
        rows->members[i + 1] = problem->members[i];
    rows->num_members = problem->num_members + 1;
    if (!problem->record_size && !problem->num_columns)
        rows->members[rows->num_members++] = (struct member){
            .type = problem->type,
            .descending = problem->descending,
            .first_bit = problem->first_bit,
            .num_bits = problem->num_bits,
        };
}

/* The tables; num_numbers: that elements may get, 0 if they get none. */
static void reserve_tables(struct segments *segments, uint64_t num_numbers)
{
    struct segments_params *p = &segments->params;
    const uint64_t n = p->count, words = n / 32 + 1;
    const uint32_t size = segments->rows.index_size;
    const int has_begins = (p->flags & FLAG_MAKE_INDEX) != 0;
    const struct table bits[] = {{&p->bits, words * 4},
                                 {&p->tops, (words / 1024 + 1) * 4},
                                 {&p->ends, 3 * 8}};
    const struct table numbers[] = {
        {&p->sums, ceil_div(words, shape_slots(segments->route->move)) * 8},
        {&p->numbers, n * size},
        {&p->begins, has_begins ? (num_numbers + 1) * size : 0},
    };
    plan_reserve_tables(segments->plan, bits, sizeof bits / sizeof *bits);
    if (num_numbers)
        plan_reserve_tables(segments->plan, numbers, sizeof numbers / sizeof *numbers);
}

static void reserve(struct segments *segments)
{
    const struct segments_params *p = &segments->params;
    struct rows *rows = &segments->rows;
    const uint64_t n = p->count;
    reserve_tables(segments, smaller(p->num_segments + 1, n) + 1);
    rows->numbers = (struct buffer_ref){BUFFER_SCRATCH, p->numbers};
    rows_group(rows);
    rows_reserve_key(rows);
    rows->index = segments->index = plan_reserve_buffer(segments->plan, n * rows->index_size);
    rows_begin_sections(rows);
}

/* The order of all records by their comparison, as indices. */
static clsort_status add_comparison(struct segments *segments)
{
    struct rows *rows = &segments->rows;
    struct problem sort = segments->problem;
    sort.num_members = 0;
    sort.in_place = 1;
    sort.value_size = sort.num_values = 0;
    sort.index_size = rows->index_size;
    sort.algorithm = CLSORT_AUTO;
    const struct buffer_ref places[NUM_BUFFER_ROLES] = {[BUFFER_INDICES] = rows->index};
    const clsort_status status = plan_inner(segments->route->facts, &sort, places, segments->plan);
    rows_end_section(rows);
    return status;
}

/* Puts all that moves in the order of the indices. */
static clsort_status place_all(struct segments *segments)
{
    const struct problem *problem = segments->route->problem;
    struct rows *rows = &segments->rows;
    const int moves_columns = problem->num_columns && !(problem->index_size && problem->in_place);
    const enum buffer_role out = problem->in_place ? BUFFER_COLUMN : BUFFER_COLUMN_OUT;
    clsort_status status = CLSORT_OK;
    for (uint32_t i = 0; i < problem->num_columns && moves_columns && !status; ++i)
        status = rows_place(rows, problem->members[i].type->bits / 8,
                            (enum buffer_role)(BUFFER_COLUMN + i), (enum buffer_role)(out + i));
    if (!status && !problem->num_columns && !(problem->index_size && problem->in_place))
        status = rows_place(rows, problem_key_size(problem), BUFFER_KEYS, BUFFER_KEYS_OUT);
    if (!status)
        status = rows_place_values(rows);
    return status;
}

/* There are no segments: the output is the input. */
static clsort_status copy_all(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    clsort_status status = CLSORT_OK;
    if (plan->algorithm == CLSORT_AUTO) /* of columns, which none has been chosen for */
        plan->algorithm = CLSORT_RADIX;
    if (problem->in_place)
        return status;
    for (uint32_t i = 0; i < problem->num_columns && !status; ++i)
        status =
            payload_copy(route, problem->members[i].type->bits / 8,
                         (struct buffer_ref){(enum buffer_role)(BUFFER_COLUMN + i), 0},
                         (struct buffer_ref){(enum buffer_role)(BUFFER_COLUMN_OUT + i), 0}, plan);
    if (!status && !problem->num_columns)
        status = payload_copy(route, problem_key_size(problem), (struct buffer_ref){BUFFER_KEYS, 0},
                              (struct buffer_ref){BUFFER_KEYS_OUT, 0}, plan);
    for (uint32_t i = 0; i < problem_num_values(problem) && !status; ++i)
        status = payload_copy(route, problem_value_size(problem, i),
                              (struct buffer_ref){problem_values(problem, i), 0},
                              (struct buffer_ref){problem_values_out(problem, i), 0}, plan);
    return status;
}

/* Indices count from their segment's beginning at last. The keys follow them, out of place. */
static clsort_status finish_indices(struct segments *segments, struct buffer_ref index)
{
    const struct problem *problem = segments->route->problem;
    segments->index = segments->rows.index = index;
    clsort_status status = segments->params.stride ? CLSORT_OK : add_numbers(segments);
    if (!status)
        status = add_step(segments, KERNEL_SEGMENTS_FINISH, problem->count);
    if (!status && !problem->in_place)
        status =
            rows_place(&segments->rows, problem_key_size(problem), BUFFER_KEYS, BUFFER_KEYS_OUT);
    return status;
}

/* Sorts in tiles, and longer segments from lists. *is_done_ret: whether the device
 * can, and the problem allows it. */
static clsort_status plan_tiles(struct segments *segments, int *is_done_ret)
{
    const struct problem *problem = segments->route->problem;
    struct rows *rows = &segments->rows;
    struct route route;
    const struct problem inner = plan_listed_problem(problem);
    segments->params.flags |= SEGMENTS_FLAG_GAPS;
    *is_done_ret = segments->plan->maker->choose_listed(segments->route->facts, &inner,
                                                        &segments->params, &route);
    if (!*is_done_ret) {
        segments->params.flags &= ~SEGMENTS_FLAG_GAPS;
        return CLSORT_OK;
    }
    const int has_numbers = problem->index_size && !segments->params.stride;
    reserve_tables(segments, has_numbers ? problem->count + 1 : 0);
    clsort_status status = segments->plan->maker->write(&route, segments->plan);
    const int stable = segments->plan->stable;
    rows_begin_sections(rows);
    if (!status && problem->index_size)
        status = finish_indices(segments, route.payload.work);
    segments->plan->scratch_size = rows->scratch_end;
    segments->plan->stable = stable;
    return status;
}

clsort_status plan_segments_number(const struct route *route, struct segments_params *params,
                                   struct plan *plan)
{
    const uint64_t count = route->problem->count;
    struct segments segments = {
        .route = route,
        .plan = plan,
        .rows = {.index_size = segment_number_size(count)},
        .params = *params,
        .index = {BUFFER_SCRATCH, 0},
    };
    segments.params.flags |= FLAG_MAKE_INDEX;
    reserve_tables(&segments, smaller(params->num_segments + 1, count) + 1);
    clsort_status status = add_bits(&segments);
    if (!status)
        status = add_numbers(&segments);
    *params = segments.params;
    return status;
}

/* ---- CPUs ------------------------------------------------------------------------------------ */

struct cpu_segments {
    const struct route *route; /* its payload has its place */
    struct cpu_segments_params params;
    int writes_keys;
};

static clsort_status add_cpu_step(struct plan *plan, const struct cpu_segments *cpu,
                                  enum kernel_id kernel)
{
    const struct route *route = cpu->route;
    struct step *step =
        plan_add(plan, kernel, &(struct step){.variant = route->variant}, plan_cpu_shape(route));
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    const uint64_t bytes = route->num_elements * (route->key_size + (uint64_t)route->payload.size);
    step->variant.radix_bits = route->cpu.tuning.digit_bits;
    step->num_groups = cpu->params.cpu.num_workers;
    step->num_buffers = PARAM_BUFFERS;
    step->buffers[0] = (struct buffer_ref){BUFFER_KEYS, 0};
    step->buffers[1] = (struct buffer_ref){cpu->writes_keys ? BUFFER_KEYS_OUT : BUFFER_NONE, 0};
    step->buffers[2] = route->payload.from;
    step->buffers[3] = route->payload.work;
    step->buffers[4] = (struct buffer_ref){BUFFER_SCRATCH, 0};
    step->params.cpu_segments = cpu->params;
    step->params_size = sizeof step->params.cpu_segments;
    if (kernel == KERNEL_CPU_SEGMENTS) /* the others are for long segments alone */
        step->bytes_read = step->bytes_written = bytes;
    return CLSORT_OK;
}

/* Shares and tables. Returns whether a segment may be long. */
static int reserve_cpu(struct segments *segments, struct cpu_segments *cpu)
{
    const struct route *route = cpu->route;
    const struct problem *problem = route->problem;
    const struct cpu_tuning *tuning = &route->cpu.tuning;
    const uint64_t n = problem->count;
    struct cpu_segments_params *p = &cpu->params;
    const uint64_t workers = plan_groups(route->facts, tuning->workers_per_unit);
    p->share = ceil_div(n, workers);
    p->longest = larger(p->share, larger(tuning->run_bytes / route->item_size, 16));
    p->longest = smaller(p->longest, n);
    cpu->writes_keys = !problem->index_size || !problem->in_place;
    p->flags = (cpu->writes_keys ? FLAG_STORE_KEYS : 0) |
               (route->payload.size ? FLAG_STORE_PAYLOAD : 0) |
               (route->payload.is_index ? FLAG_MAKE_INDEX : 0) |
               (problem->in_place && cpu->writes_keys ? FLAG_IN_PLACE : 0);
    reserve_tables(segments, 0);
    const uint64_t size = plan_cpu_segments(route, p->share, p->longest, p);
    const struct table tables[] = {
        {&p->longs, (uint64_t)p->cpu.num_workers * 16},
        {&p->tables, size},
    };
    plan_reserve_tables(segments->plan, tables, sizeof tables / sizeof *tables);
    p->bits = segments->params.bits;
    p->tops = segments->params.tops;
    p->ends = segments->params.ends;
    p->flags |= problem->index_size ? SEGMENTS_FLAG_GAPS : 0;
    return n > p->longest;
}

/* Sorts segments of numbers by shares of all work-items. */
static clsort_status plan_shares(struct segments *segments)
{
    const struct problem *problem = segments->route->problem;
    struct plan *plan = segments->plan;
    struct route route = *segments->route;
    struct cpu_segments cpu = {.route = &route};
    route.payload = payload_choose(problem, 1);
    route.item_size = payload_item_size(problem, &route.payload);
    route.variant = payload_variant(problem, &route.payload);
    route.cpu = (struct cpu_cut){.tuning = tuning_cpu(route.facts)};
    payload_reserve(&route.payload, plan);
    cpu.params.count = problem->count;
    segments->params.flags = SEGMENTS_FLAG_GAPS;
    segments->index = (struct buffer_ref){BUFFER_SCRATCH, 0};
    const enum kernel_id of_long[] = {KERNEL_CPU_SEGMENTS_SCAN, KERNEL_CPU_SEGMENTS_SCATTER,
                                      KERNEL_CPU_SEGMENTS_BUCKETS};
    const uint32_t num_of_long = reserve_cpu(segments, &cpu) ? 3 : 0;
    clsort_status status = add_bits(segments);
    if (!status)
        status = add_cpu_step(plan, &cpu, KERNEL_CPU_SEGMENTS);
    for (uint32_t i = 0; i < num_of_long && !status; ++i)
        status = add_cpu_step(plan, &cpu, of_long[i]);
    plan->stable = 1;
    return status ? status : payload_gather(&route, plan);
}

/* What all segments have in common. */
static struct segments begin(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const uint32_t index_size = segment_number_size(problem->count);
    return (struct segments){
        .route = route,
        .plan = plan,
        .rows_route = *route,
        .rows = {.plan = plan, .route = route, .index_size = index_size, .number_size = index_size},
        .params = {.count = problem->count,
                   .index_size = problem->index_size,
                   .flags = problem->index_size ? FLAG_MAKE_INDEX : 0},
    };
}

clsort_status plan_segments_widen(const struct route *route, struct buffer_ref index,
                                  struct plan *plan)
{
    const struct segments segments = {
        .route = route,
        .plan = plan,
        .rows = {.index_size = 4},
        .params = {.count = route->problem->count,
                   .num_segments = 1,
                   .stride = UINT32_MAX,
                   .index_size = route->problem->index_size,
                   .flags = FLAG_MAKE_INDEX},
        .index = index,
    };
    return add_step(&segments, KERNEL_SEGMENTS_FINISH, route->problem->count);
}

/* Arrays of one length are segments that need no table of offsets. takes_arrays() (choose/choose.c)
 * has made sure that the device can sort them so. */
clsort_status plan_arrays(const struct route *route, struct plan *plan)
{
    struct problem whole = *route->problem;
    struct route whole_route = *route;
    int is_done = 0;
    whole.count = route->num_elements;
    whole.num_arrays = 1;
    whole_route.problem = &whole;
    struct segments segments = begin(&whole_route, plan);
    segments.params.num_segments = route->problem->num_arrays;
    segments.params.stride = (uint32_t)route->problem->count;
    const clsort_status status = plan_tiles(&segments, &is_done);
    return status || is_done ? status : CLSORT_ERROR_ALGORITHM_COUNT;
}

clsort_status plan_segments(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    if (!problem->num_segments)
        return copy_all(route, plan);
    int is_done = 0;
    struct segments segments = begin(route, plan);
    segments.params.num_segments = problem->num_segments;
    segments.params.offset_size = problem->segment_offset_size;
    if (route->facts->cpu_kernels && !problem->record_size && !problem->num_columns &&
        problem->count <= UINT32_MAX)
        return plan_shares(&segments);
    clsort_status status = plan_tiles(&segments, &is_done);
    if (status || is_done)
        return status;
    set_members(&segments);
    segments.rows_route.problem = segments.rows.problem = &segments.problem;
    segments.rows.route = &segments.rows_route;
    reserve(&segments);
    const int is_compared = problem->record_size && !problem->num_members;
    status = add_bits(&segments);
    if (!status)
        status = add_numbers(&segments);
    if (!status && is_compared)
        status = add_comparison(&segments);
    if (!status)
        status = rows_sort(&segments.rows, is_compared);
    if (!status)
        status = add_step(&segments, KERNEL_SEGMENTS_FINISH, problem->count);
    if (!status)
        status = place_all(&segments);
    plan->scratch_size = segments.rows.scratch_end;
    plan->stable = 1;
    return status;
}
