/* strings.c: steps of the sort of strings. Splitters are sampled, keys are made with them, and
 * radix sort sorts the keys with indices. Then strings whose keys are equal are sorted: by a
 * work-item on CPUs, by merging elsewhere. At last the strings are rearranged, if that is asked
 * for. */
#include "plan/route.h"

#define KEY_SIZE 8
#define ITEM_SIZE 16
#define ROOM_CHUNKS 2 /* a chunk and the end of its last run */

struct string_plan {
    const struct route *route;
    int is_cpu;
    struct variant variant;
    uint32_t index_size;
    uint32_t group_size;
    uint32_t num_passes; /* of merges */
    struct buffer_ref tables, keys;
    struct buffer_ref order; /* at last */
    struct buffer_ref other; /* where merges alternate with it */
    struct string_params params;
};

/* Parts of scratch that kernels find by their offset from the tables' begin. */
static uint64_t reserve_table(const struct string_plan *strings, struct plan *plan, uint64_t size)
{
    return plan_reserve(plan, size) - strings->tables.offset;
}

static void lay_out(struct string_plan *strings, struct plan *plan)
{
    struct string_params *p = &strings->params;
    const uint64_t num = p->num_splitters;
    const uint64_t order_size = p->count * strings->index_size;
    strings->tables = plan_reserve_buffer(plan, sizeof(uint32_t));
    p->taken = 0;
    p->samples = reserve_table(strings, plan, num * 8);
    p->words = reserve_table(strings, plan, STRING_LEVELS * num * 8);
    p->depths = reserve_table(strings, plan, (num + 1) * 8);
    strings->keys = plan_reserve_buffer(plan, p->count * KEY_SIZE);
    p->keys = strings->keys.offset - strings->tables.offset;
    strings->order = strings->route->problem->index_size ? role_ref(BUFFER_INDICES)
                                                         : plan_reserve_buffer(plan, order_size);
    strings->other = strings->num_passes ? plan_reserve_buffer(plan, order_size) : strings->order;
}

static struct step *add_step(struct plan *plan, const struct string_plan *strings,
                             enum kernel_id kernel, uint64_t num_groups)
{
    const struct shape shape = {strings->group_size, 1, 1};
    struct step *step = plan_add(plan, kernel, &(struct step){.variant = strings->variant}, shape);
    step->num_groups = num_groups;
    STEP_BIND(step, role_ref(BUFFER_KEYS),
              role_ref(strings->params.offset_size ? BUFFER_OFFSETS : BUFFER_NONE), strings->order,
              strings->other, strings->tables);
    STEP_PARAMS(step, string) = strings->params;
    return step;
}

static void add_splitters(struct string_plan *strings, struct plan *plan)
{
    const struct string_params *p = &strings->params;
    const uint64_t num = p->num_splitters;
    const uint64_t num_groups = ceil_div(num, strings->group_size);
    if (num == 0)
        return;
    struct step *sample =
        add_step(plan, strings, strings->is_cpu ? KERNEL_CPU_SAMPLE : KERNEL_STRING_SAMPLE,
                 strings->is_cpu ? 1 : num);
    sample->local_size = strings->is_cpu ? 0 : 4;
    sample->compares = strings->is_cpu ? num * ceil_log2(num) : num * num;
    struct step *split = add_step(plan, strings, KERNEL_STRING_SPLIT, num_groups);
    split->compares = num;
    split->bytes_written = (STRING_LEVELS + 1) * 8 * num;
}

static void add_keys(struct string_plan *strings, struct buffer_ref order, struct plan *plan)
{
    const struct string_params *p = &strings->params;
    struct step *step =
        add_step(plan, strings, KERNEL_STRING_KEYS, ceil_div(p->count, p->chunk_size));
    step->buffers[2] = order;
    step->compares = p->count * ceil_log2((uint64_t)p->num_splitters + 1);
    step->bytes_read = p->num_bytes + p->count * p->offset_size;
    step->bytes_written = p->count * (KEY_SIZE + strings->index_size);
}

/* Radix sort of the strings' keys, with their indices as values. */
static void add_sort(struct string_plan *strings, struct buffer_ref order, struct plan *plan)
{
    const struct problem numbers = {
        .count = strings->route->problem->count,
        .num_arrays = 1,
        .type = key_type_of(CLSORT_U64),
        .stable = 1,
        .in_place = 1,
        .algorithm = CLSORT_RADIX,
        .value_size = strings->index_size,
        .num_bits = 64,
    };
    const struct buffer_ref places[NUM_BUFFER_ROLES] = {
        [BUFFER_KEYS] = strings->keys,
        [BUFFER_KEYS_OUT] = strings->keys,
        [BUFFER_VALUES] = order,
        [BUFFER_VALUES_OUT] = order,
    };
    plan_inner(strings->route->facts, &numbers, places, plan);
}

static void add_merges(struct string_plan *strings, struct plan *plan)
{
    const struct string_params *p = &strings->params;
    for (uint32_t pass = 0; pass < strings->num_passes; ++pass) {
        const int to_order = (strings->num_passes - pass) % 2;
        struct step *step =
            add_step(plan, strings, KERNEL_STRING_MERGE, ceil_div(p->count, strings->group_size));
        step->params.string.run = (uint64_t)1 << pass;
        step->buffers[2] = to_order ? strings->other : strings->order;
        step->buffers[3] = to_order ? strings->order : strings->other;
        step->bytes_read = p->count * (3 * KEY_SIZE + (uint64_t)strings->index_size);
        step->bytes_written = p->count * strings->index_size;
    }
}

static struct step *add_move(struct string_plan *strings, struct plan *plan, enum kernel_id kernel,
                             uint64_t num_groups)
{
    struct step *step = add_step(plan, strings, kernel, num_groups);
    step->buffers[3] = role_ref(BUFFER_KEYS_OUT);
    step->buffers[4] = role_ref(strings->params.offset_size ? BUFFER_OFFSETS_OUT : BUFFER_NONE);
    return step;
}

static void add_moves(struct string_plan *strings, struct plan *plan)
{
    struct string_params *p = &strings->params;
    if (!strings->is_cpu)
        p->chunk_size = strings->group_size;
    p->num_chunks = (uint32_t)ceil_div(p->count, p->chunk_size);
    const uint64_t order_size = p->count * strings->index_size;
    const uint64_t offsets_size = p->count * p->offset_size;
    if (p->offset_size) {
        struct step *sizes = add_move(strings, plan, KERNEL_STRING_SIZES, p->num_chunks);
        sizes->local_size = 8 * strings->group_size;
        sizes->bytes_read = order_size + 2 * offsets_size;
        struct step *scan = add_move(strings, plan, KERNEL_STRING_SCAN, 1);
        scan->local_size = 8 * strings->group_size;
        scan->bytes_read = scan->bytes_written = (uint64_t)p->num_chunks * p->offset_size;
    }
    struct step *move = strings->is_cpu ? add_move(strings, plan, KERNEL_CPU_MOVE, p->num_chunks)
                                        : add_move(strings, plan, KERNEL_STRING_MOVE,
                                                   p->num_chunks + p->num_bytes / p->block_size);
    move->local_size = strings->is_cpu ? 0 : (uint32_t)tuning_string_local(strings->group_size);
    move->bytes_read = p->num_bytes + order_size + 2 * offsets_size;
    move->bytes_written = p->num_bytes + offsets_size;
}

/* GPUs compare all pairs of the sample, which has fewer strings if they are long. */
static uint32_t choose_splitters(const struct route *route)
{
    const struct problem *problem = route->problem;
    const struct string_tuning *tuning = &route->strings;
    const uint64_t num = smaller(problem->count / tuning->splitter_strings, tuning->splitters);
    const uint64_t length = ceil_div(problem->strings.num_bytes + 1, larger(problem->count, 1));
    const uint64_t most = square_root(tuning->compared_bytes / length);
    return (uint32_t)(route->facts->cpu_kernels ? num : smaller(num, larger(most, 1)));
}

/* The sizes of everything, for CPUs by shares of their cores. */
static struct string_plan choose_sizes(const struct route *route)
{
    const struct problem *problem = route->problem;
    const struct string_tuning *tuning = &route->strings;
    const int is_cpu = route->facts->cpu_kernels;
    const uint64_t count = problem->count;
    const uint64_t chunks = (uint64_t)route->facts->num_units * tuning->chunks_per_unit;
    const uint32_t group_size = is_cpu ? 1 : tuning->group_size;
    const uint64_t chunk_size =
        is_cpu ? larger(ceil_div(count, chunks), tuning->chunk_strings) : group_size;
    const uint32_t index_size = problem->index_size ? problem->index_size : 4;
    return (struct string_plan){
        .route = route,
        .is_cpu = is_cpu,
        .variant = {.key_bits = 64,
                    .key_num_bits = 64,
                    .payload_size = index_size,
                    .move_unit = 1,
                    /* the most that one of the kernels has, since they are one program */
                    .local_size = (uint32_t)tuning_string_local(group_size),
                    /* of the CPUs' sort of strings with equal keys */
                    .radix_bits = is_cpu ? tuning_cpu(route->facts).digit_bits : 0},
        .index_size = index_size,
        .group_size = group_size,
        .num_passes = is_cpu ? 0 : ceil_log2(count),
        .params = {.count = count,
                   .num_bytes = problem->strings.num_bytes,
                   .chunk_size = chunk_size,
                   .block_size = tuning->moved_bytes,
                   .num_splitters = choose_splitters(route),
                   .offset_size = problem->strings.offset_size,
                   .width = problem->strings.width,
                   .tail_size = problem->strings.tail_size,
                   .room = ROOM_CHUNKS * tuning->tie_strings,
                   .num_workers = route->facts->num_units,
                   .flags = problem->descending ? STRINGS_FLAG_DESCENDING : 0},
    };
}

void plan_strings(const struct route *route, struct plan *plan)
{
    struct string_plan strings = choose_sizes(route);
    lay_out(&strings, plan);
    struct string_params *p = &strings.params;
    /* The scratch of the sort of numbers is free before and after it. CPUs sort the splitters
     * there, and then strings whose keys are equal. */
    const uint64_t shared = plan->scratch_end;
    const uint64_t num_items =
        strings.is_cpu ? larger(p->count, p->num_splitters) + (uint64_t)p->num_workers * p->room
                       : 0;
    const struct buffer_ref sorted = strings.num_passes % 2 ? strings.other : strings.order;
    p->items = reserve_table(&strings, plan, 2 * num_items * ITEM_SIZE + CPU_ALIGNMENT);
    plan->scratch_end = shared;

    add_splitters(&strings, plan);
    add_keys(&strings, sorted, plan);
    add_sort(&strings, sorted, plan);
    if (strings.is_cpu) {
        struct step *step = add_step(plan, &strings, KERNEL_CPU_TIES, route->facts->num_units);
        step->params.string.chunk_size = route->strings.tie_strings;
        step->bytes_read = p->count * KEY_SIZE;
    } else {
        add_merges(&strings, plan);
    }
    if (!route->problem->in_place)
        add_moves(&strings, plan);
}
