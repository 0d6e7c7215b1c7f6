/* plan_segments.c: steps that sort each segment by itself, where offsets on the device say what the
 * segments are (cl/segments.h). Elements are sorted by the number of their segment and then by key,
 * as rows of two columns are. So any key, any length and any number of segments takes two or three
 * sorts of the whole array. */
#include "rows.h"

struct segments {
    const struct route *route;
    struct plan *plan;
    struct problem problem; /* with the number as the first member */
    struct route rows_route;
    struct rows rows;
    struct segments_params params;
    struct buffer_ref index; /* of the steps: the elements' */
};

static clsort_status add_step(const struct segments *segments, enum kernel_id kernel,
                              uint64_t num_items)
{
    const struct variant variant = {
        .key_bits = 32,
        .key_num_bits = 32,
        .payload_size = segments->rows.index_size,
        .move_unit = 1,
    };
    struct shape shape = segments->route->move;
    shape.lanes = 1;
    struct step *step = plan_add(segments->plan, kernel, &variant, shape);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    const uint32_t words = shape_slots(shape);
    step->local_size = kernel == KERNEL_SEGMENTS_NUMBER ? 8 * words + 8 * shape.group_size : 0;
    step->variant.local_size = 8 * words + 8 * shape.group_size; /* kernels of one program */
    step->num_groups = ceil_div(num_items, words);
    step->num_buffers = PARAM_BUFFERS;
    step->buffers[0] = (struct buffer_ref){BUFFER_OFFSETS, 0};
    step->buffers[1] = segments->index;
    step->buffers[2] = segments->route->problem->index_size ? (struct buffer_ref){BUFFER_INDICES, 0}
                                                            : segments->index;
    step->buffers[3] = segments->index;
    step->buffers[4] = (struct buffer_ref){BUFFER_SCRATCH, 0};
    step->params.segments = segments->params;
    step->params_size = sizeof step->params.segments;
    return CLSORT_OK;
}

/* Numbers the elements' segments. */
static clsort_status add_numbers(const struct segments *segments)
{
    const uint64_t words = segments->params.count / 32 + 1;
    const struct {
        enum kernel_id kernel;
        uint64_t num_items;
    } steps[] = {
        {KERNEL_SEGMENTS_BEGIN, words},
        {KERNEL_SEGMENTS_MARK, ceil_div(segments->params.num_segments + 1, SEGMENTS_MARKED)},
        {KERNEL_SEGMENTS_COUNT, words},
        {KERNEL_SEGMENTS_SCAN, 1},
        {KERNEL_SEGMENTS_NUMBER, words},
    };
    clsort_status status = CLSORT_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !status; ++i)
        status = add_step(segments, steps[i].kernel, steps[i].num_items);
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

static void reserve(struct segments *segments)
{
    const struct problem *problem = segments->route->problem;
    struct segments_params *p = &segments->params;
    struct rows *rows = &segments->rows;
    const uint64_t n = problem->count;
    const uint64_t words = n / 32 + 1;
    const uint64_t numbers = smaller(problem->num_segments + 1, n) + 1;
    const struct table tables[] = {
        {&p->bits, words * 4},
        {&p->sums, ceil_div(words, shape_slots(segments->route->move)) * 8},
        {&p->numbers, n * rows->number_size},
        {&p->begins, problem->index_size ? numbers * rows->number_size : 0},
    };
    plan_reserve_tables(segments->plan, tables, sizeof tables / sizeof *tables);
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
    struct route route;
    const uint32_t first_step = segments->plan->num_steps;
    clsort_status status = plan_choose(segments->route->facts, &sort, &route);
    if (!status)
        status = plan_write(&route, segments->plan);
    const struct buffer_ref places[NUM_BUFFER_ROLES] = {[BUFFER_INDICES] = rows->index};
    plan_redirect(segments->plan, first_step, places);
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

clsort_status plan_segments(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    if (!problem->num_segments)
        return copy_all(route, plan);
    const uint32_t index_size = problem->count > UINT32_MAX ? 8 : 4;
    struct segments segments = {
        .route = route,
        .plan = plan,
        .rows_route = *route,
        .rows = {.plan = plan, .index_size = index_size, .number_size = index_size},
        .params = {.count = problem->count,
                   .num_segments = problem->num_segments,
                   .offset_size = problem->segment_offset_size,
                   .index_size = problem->index_size,
                   .flags = problem->index_size ? FLAG_MAKE_INDEX : 0},
    };
    set_members(&segments);
    segments.rows_route.problem = segments.rows.problem = &segments.problem;
    segments.rows.route = &segments.rows_route;
    reserve(&segments);
    const int is_compared = problem->record_size && !problem->num_members;
    clsort_status status = add_numbers(&segments);
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
