/* segments.c: steps that sort each segment by itself, where offsets on the device say what the
 * segments are (cl/segments/segments.h), and steps that sort several arrays as segments of one
 * length. On GPUs numbers and records are sorted in tiles of whole segments (lists/lists.c); CPUs
 * sort segments of numbers by sorts/cpu.c. All else is sorted by the number of its segment and then
 * by key, as rows of two columns are: any key takes two or three sorts of the whole array. */
#include "plan/lists/lists.h"
#include "plan/rows.h"

struct segments {
    struct segments_steps steps;
    struct problem problem; /* with the number as the first member */
    struct rows rows;
};

/* Numbers the elements' segments. */
static void add_numbers(const struct segments *segments)
{
    const struct segments_params *p = &segments->steps.params;
    const struct shape *shape = &segments->steps.route->move;
    const uint64_t words = p->count / 32 + 1;
    segments_add_step(&segments->steps, KERNEL_SEGMENTS_COUNT, words);
    plan_scan(shape->group_size, 0, (struct buffer_ref){BUFFER_SCRATCH, p->sums}, 1,
              ceil_div(words, shape_slots(*shape)), segments->steps.plan);
    segments_add_step(&segments->steps, KERNEL_SEGMENTS_NUMBER, words);
}

/* The number comes before what the keys are sorted by. A comparison is no number: it comes first in
 * a sort of its own. */
static void set_members(struct segments *segments)
{
    const struct problem *problem = segments->steps.route->problem;
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
        rows->members[rows->num_members++] = (struct member){problem->type, 0, problem->descending,
                                                             problem->first_bit, problem->num_bits};
}

/* The tables; num_numbers: that elements may get, 0 if they get none. */
static void reserve_tables(struct segments *segments, uint64_t num_numbers)
{
    struct segments_params *p = &segments->steps.params;
    const uint64_t n = p->count, words = n / 32 + 1;
    const uint32_t size = segments->steps.index_size;
    const int has_begins = (p->flags & FLAG_MAKE_INDEX) != 0;
    const struct table numbers[] = {
        {&p->sums, (ceil_div(words, shape_slots(segments->steps.route->move)) + 1) * 8},
        {&p->numbers, n * size},
        {&p->begins, has_begins ? (num_numbers + 1) * size : 0},
    };
    segments_reserve_bits(&segments->steps);
    if (num_numbers)
        plan_reserve_tables(segments->steps.plan, numbers, sizeof numbers / sizeof *numbers);
}

/* The order of all records by their comparison, as indices. */
static void add_comparison(struct segments *segments)
{
    const struct rows *rows = &segments->rows;
    struct problem sort = segments->problem;
    sort.num_members = 0;
    sort.in_place = 1;
    sort.value_size = sort.num_values = 0;
    sort.index_size = rows->index_size;
    sort.algorithm = CLSORT_AUTO;
    const struct buffer_ref places[NUM_BUFFER_ROLES] = {[BUFFER_INDICES] = rows->index};
    plan_inner(segments->steps.route->facts, &sort, places, segments->steps.plan);
}

/* There are no segments: the output is the input. */
static void copy_all(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    struct moved_array moved[MAX_MOVED_ARRAYS];
    if (plan->algorithm == CLSORT_AUTO) /* of columns, which none has been chosen for */
        plan->algorithm = CLSORT_RADIX;
    if (problem->in_place)
        return;
    const uint32_t num = problem_moved(problem, moved);
    for (uint32_t i = 0; i < num; ++i)
        payload_copy(route, moved[i].size, route->problem->count, role_ref(moved[i].from),
                     role_ref(role_out(moved[i].from)), plan);
}

/* Indices count from their segment's beginning at last. The keys follow them, out of place. */
static void finish_indices(struct segments *segments, struct buffer_ref index)
{
    const struct problem *problem = segments->steps.route->problem;
    segments->steps.index = index;
    if (!segments->steps.params.stride)
        add_numbers(segments);
    segments_add_step(&segments->steps, KERNEL_SEGMENTS_FINISH, problem->count);
    payload_place(segments->steps.route, 0, index, segments->rows.index_size, segments->steps.plan);
}

/* Sorts in tiles, and longer segments from lists. Returns whether the device can, and the problem
 * allows it. */
static int plan_tiles(struct segments *segments)
{
    const struct problem *problem = segments->steps.route->problem;
    struct route route;
    const struct problem inner = plan_listed_problem(problem);
    const uint32_t flags = segments->steps.params.flags;
    segments->steps.params.flags |= SEGMENTS_FLAG_GAPS;
    if (!segments->steps.plan->maker->choose_listed(segments->steps.route->facts, &inner,
                                                    &segments->steps.params, &route)) {
        segments->steps.params.flags = flags;
        return 0;
    }
    const int has_numbers = problem->index_size && !segments->steps.params.stride;
    reserve_tables(segments, has_numbers ? problem->count + 1 : 0);
    segments->steps.plan->maker->write(&route, segments->steps.plan);
    if (problem->index_size)
        finish_indices(segments, route.payload.work);
    return 1;
}

void plan_segments_number(const struct route *route, struct segments_params *params,
                          struct plan *plan)
{
    const uint64_t count = route->problem->count;
    struct segments segments = {
        .steps = {route, plan, segment_number_size(count), *params, {BUFFER_SCRATCH, 0}},
    };
    segments.steps.params.flags |= FLAG_MAKE_INDEX;
    reserve_tables(&segments, smaller(params->num_segments + 1, count) + 1);
    segments_add_bits(&segments.steps);
    add_numbers(&segments);
    *params = segments.steps.params;
}

/* What all segments have in common. */
static struct segments begin(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const uint32_t index_size = segment_number_size(problem->count);
    const struct segments_params params = {
        .count = problem->count,
        .index_size = problem->index_size,
        .flags = problem->index_size ? FLAG_MAKE_INDEX : 0,
    };
    return (struct segments){
        .steps = {route, plan, index_size, params, {BUFFER_NONE, 0}},
        .rows = {.plan = plan, .route = route, .index_size = index_size, .number_size = index_size},
    };
}

/* Indices of 8 bytes that 4 can hold. The sort moves 4, and a last step writes them wide, as those
 * of one segment. 2^24 u32 take an H100 0.41 ms so, and 0.76 by moving 8 bytes; u16 0.42 and
 * 1.07. */
void plan_wide_index(const struct route *route, struct plan *plan)
{
    struct problem narrow = *route->problem;
    narrow.index_size = 4;
    const struct segments_steps steps = {
        .route = route,
        .plan = plan,
        .index_size = 4,
        .params = {.count = narrow.count,
                   .num_segments = 1,
                   .stride = UINT32_MAX,
                   .index_size = route->problem->index_size,
                   .flags = FLAG_MAKE_INDEX},
        .index = plan_reserve_buffer(plan, narrow.count * narrow.index_size),
    };
    const struct buffer_ref places[NUM_BUFFER_ROLES] = {[BUFFER_INDICES] = steps.index};
    plan_inner(route->facts, &narrow, places, plan);
    segments_add_step(&steps, KERNEL_SEGMENTS_FINISH, narrow.count);
}

/* Arrays of one length are segments that need no table of offsets. takes_arrays() (choose/choose.c)
 * has made sure that the device can sort them so. */
void plan_arrays(const struct route *route, struct plan *plan)
{
    struct problem whole = *route->problem;
    struct route whole_route = *route;
    whole.count = route->num_elements;
    whole.num_arrays = 1;
    whole_route.problem = &whole;
    struct segments segments = begin(&whole_route, plan);
    segments.steps.params.num_segments = route->problem->num_arrays;
    segments.steps.params.stride = (uint32_t)route->problem->count;
    if (!plan_tiles(&segments))
        plan_fail(plan, CLSORT_ERROR_ALGORITHM_COUNT);
}

void plan_segments(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    if (!problem->num_segments) {
        copy_all(route, plan);
        return;
    }
    struct segments segments = begin(route, plan);
    segments.steps.params.num_segments = problem->num_segments;
    segments.steps.params.offset_size = problem->segment_offset_size;
    if (plan_tiles(&segments))
        return;
    set_members(&segments);
    struct rows *rows = &segments.rows;
    rows->problem = &segments.problem;
    reserve_tables(&segments, smaller(problem->num_segments + 1, problem->count) + 1);
    rows->numbers = (struct buffer_ref){BUFFER_SCRATCH, segments.steps.params.numbers};
    rows_group(rows);
    rows_reserve_key(rows);
    rows->index = segments.steps.index =
        plan_reserve_buffer(plan, problem->count * rows->index_size);
    const int is_compared = problem->record_size && !problem->num_members;
    segments_add_bits(&segments.steps);
    add_numbers(&segments);
    if (is_compared)
        add_comparison(&segments);
    rows_sort(rows, is_compared);
    segments_add_step(&segments.steps, KERNEL_SEGMENTS_FINISH, problem->count);
    payload_place(route, 0, rows->index, rows->index_size, plan);
    plan->stable = 1;
}
