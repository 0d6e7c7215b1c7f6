/* ranges.c: steps of what is asked of arrays in order: whether they are, the runs of equal
 * elements in them, and where other keys belong. */
#include "plan/route.h"

#define MAX_BLOCK ((uint64_t)1 << 30) /* elements that a work-group numbers in 32 bits */
#define SCAN_GROUP 256                /* work-items that scan the blocks' counts, at most */
/* The sample of a search: the least distance of its keys, and the least and largest number. */
#define MIN_STRIDE 16
#define MIN_SAMPLES 16
#define MAX_SAMPLES ((uint64_t)1 << 30)

/* How an array is cut: for as many work-groups as keep the device busy, each with whole tiles. Or
 * how many short arrays a work-group has. */
struct blocks {
    uint64_t size; /* elements, or queries; or arrays */
    uint32_t num;  /* of an array; 0: a block is several arrays */
};

/* A work-group takes several short arrays if its slots hold the elements of two or more. It takes
 * no more arrays than it has work-items. */
static struct blocks cut(const struct route *route, uint64_t count, struct shape shape)
{
    const uint64_t tile = shape_slots(shape);
    const uint64_t num_arrays = route->problem->num_arrays;
    const uint64_t fitting = smaller(tile / larger(count, 1), shape.group_size);
    const uint64_t joined = plan_arrays_of_group(route->facts, route->problem, fitting);
    if (count > 0 && joined >= 2)
        return (struct blocks){joined, 0};
    const uint64_t num_groups = plan_groups(route->facts, route->range.groups_per_unit);
    const uint64_t wanted = larger(num_groups / num_arrays, ceil_div(count, MAX_BLOCK));
    const uint64_t tiles = larger(ceil_div(count, tile), 1);
    const uint64_t size = ceil_div(tiles, larger(smaller(wanted, tiles), 1)) * tile;
    return (struct blocks){size, (uint32_t)larger(ceil_div(count, size), 1)};
}

static struct step *add_step(const struct route *route, enum kernel_id kernel, struct shape shape,
                             struct blocks blocks, struct plan *plan)
{
    const struct problem *problem = route->problem;
    struct step *step = plan_add(plan, kernel, &(struct step){.variant = route->variant}, shape);
    step->num_groups =
        blocks.num ? blocks.num * problem->num_arrays : ceil_div(problem->num_arrays, blocks.size);
    STEP_PARAMS(step, range) = (struct range_params){
        .count = problem->count,
        .num_arrays = problem->num_arrays,
        .num_queries = problem->num_queries,
        .block_size = blocks.size,
        .num_blocks = blocks.num,
        .spin_limit = route->range.spin_limit,
    };
    return step;
}

/* ---- check ---- */
void plan_check(const struct route *route, struct plan *plan)
{
    const uint64_t n = route->num_elements;
    const struct shape shape = route->range.check;
    const struct blocks blocks = cut(route, route->problem->count, shape);
    const uint64_t num_groups = blocks.num * route->problem->num_arrays;
    const struct buffer_ref table =
        blocks.num > 1 ? plan_reserve_buffer(plan, 4 * num_groups) : role_ref(BUFFER_NONE);
    const enum kernel_id kernel = blocks.num ? KERNEL_CHECK_BLOCKS : KERNEL_CHECK_SHORT;
    struct step *step = add_step(route, kernel, shape, blocks, plan);
    STEP_BIND(step, role_ref(BUFFER_KEYS), role_ref(BUFFER_RESULT), table);
    step->num_buffers = blocks.num ? 3 : 2;
    step->local_size = blocks.num ? 4 : 4 * shape.group_size;
    step->compares = n;
    step->bytes_read = n * route->key_size;
    step->bytes_written = blocks.num > 1 ? 4 * num_groups : 8 * route->problem->num_arrays;
    if (blocks.num <= 1)
        return;
    step = add_step(route, KERNEL_CHECK_RESULT, shape, blocks, plan);
    step->num_groups = route->problem->num_arrays;
    STEP_BIND(step, role_ref(BUFFER_RESULT), table);
    step->local_size = 4;
    step->bytes_read = 4 * num_groups;
    step->bytes_written = 8 * step->num_groups;
}

/* ---- runs ---- */
/* A step of runs.cl, with the table that it shares with the others. */
static struct step *add_runs(const struct route *route, enum kernel_id kernel, struct shape shape,
                             struct blocks blocks, struct buffer_ref table, struct plan *plan)
{
    const uint32_t offset_size = route->problem->run_offset_size;
    struct step *step = add_step(route, kernel, shape, blocks, plan);
    STEP_BIND(step, role_ref(BUFFER_KEYS), role_ref(BUFFER_KEYS_OUT),
              role_ref(offset_size ? BUFFER_OFFSETS_OUT : BUFFER_NONE), role_ref(BUFFER_RESULT),
              table);
    step->params.range.flags = FLAG_STORE_KEYS | (offset_size ? FLAG_STORE_PAYLOAD : 0);
    /* runs_short also has a number for each array. */
    step->local_size = tuning_scan_local(shape.group_size, route->variant.subgroup) + 8 +
                       (blocks.num ? 0 : 4 * shape.group_size);
    step->bytes_read = route->num_elements * route->key_size;
    return step;
}

/* The most that the step that writes the runs can write. */
static void count_written(const struct route *route, struct step *step)
{
    step->compares = route->num_elements;
    step->bytes_written =
        route->num_elements * (route->key_size + (uint64_t)route->problem->run_offset_size);
}

void plan_runs(const struct route *route, struct plan *plan)
{
    const struct shape shape = route->range.runs;
    const struct blocks blocks = cut(route, route->problem->count, shape);
    const uint64_t num_arrays = route->problem->num_arrays;
    struct buffer_ref table = role_ref(BUFFER_NONE);
    struct step *step;
    if (route->range.look_back && blocks.num > 1) {
        const uint64_t num_tiles = ceil_div(route->problem->count, shape_slots(shape));
        const struct blocks tiles = {shape_slots(shape), (uint32_t)num_tiles};
        table = plan_reserve_buffer(plan, 4 * (num_tiles + 1));
        plan_fill(route, table, 4, num_tiles + 1, 1, plan);
        count_written(route, add_runs(route, KERNEL_RUNS_ONCE, shape, tiles, table, plan));
        return;
    }
    if (blocks.num > 1) {
        table = plan_reserve_buffer(plan, 8 * (blocks.num + 1ull) * num_arrays);
        step = add_runs(route, KERNEL_RUNS_COUNT, shape, blocks, table, plan);
        step->compares = route->num_elements;
        step->bytes_written = 8 * (blocks.num * num_arrays);
        /* How many runs begin before each block. */
        plan_scan((uint32_t)smaller(shape.group_size, SCAN_GROUP), route->variant.subgroup, table,
                  num_arrays, blocks.num, plan);
    }
    step = add_runs(route, blocks.num ? KERNEL_RUNS_WRITE : KERNEL_RUNS_SHORT, shape, blocks, table,
                    plan);
    count_written(route, step);
}

/* ---- search ---- */
static struct step *add_search(const struct route *route, enum kernel_id kernel, struct shape shape,
                               struct blocks blocks, struct buffer_ref table, uint32_t num_samples,
                               struct plan *plan)
{
    struct step *step = add_step(route, kernel, shape, blocks, plan);
    step->params.range.num_samples = num_samples;
    step->params.range.stride = num_samples ? ceil_div(route->problem->count, num_samples) : 0;
    STEP_BIND(step, role_ref(BUFFER_KEYS), role_ref(BUFFER_QUERIES), role_ref(BUFFER_LOWER),
              role_ref(BUFFER_UPPER), table);
    step->local_size = 8; /* of search_tiles, whose program the others share */
    return step;
}

/* A step reads some keys for each of its searches, and the queries. */
static void count_searches(const struct route *route, struct step *step, uint64_t num_searches)
{
    step->compares = num_searches * (ceil_log2(route->problem->count) + 1);
    step->bytes_read = step->compares * route->key_size;
    step->bytes_written = 2 * num_searches * route->problem->index_size;
}

/* How many keys, side by side, a search in any order looks at first: enough that what is between
 * two of them is read from few lines, and so few that they are quickly read, and stay in caches. */
static uint32_t count_samples(const struct route *route)
{
    const struct problem *problem = route->problem;
    const uint64_t share = larger(route->range.sample_share, 1);
    const uint64_t most = smaller(problem->num_queries / share, problem->count / MIN_STRIDE);
    if (problem->record_size || most < MIN_SAMPLES ||
        problem->num_queries < route->range.sample_min)
        return 0;
    return (uint32_t)1 << (ceil_log2(smaller(most, MAX_SAMPLES) + 1) - 1);
}

void plan_search(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct shape shape = route->range.search;
    const uint64_t num_arrays = problem->num_arrays;
    const uint64_t num_searches = problem->num_queries * num_arrays;
    const int is_cpu = route->facts->cpu_kernels;
    struct blocks blocks = cut(route, problem->num_queries, shape);
    struct step *step;
    if (is_cpu || blocks.num == 0) {
        if (!is_cpu)
            blocks = (struct blocks){1, (uint32_t)problem->num_queries};
        step = add_search(route, is_cpu ? KERNEL_CPU_SEARCH : KERNEL_SEARCH_SPLIT, shape, blocks,
                          role_ref(BUFFER_NONE), 0, plan);
        step->params.range.flags = FLAG_STORE_PAYLOAD;
        if (!is_cpu)
            step->num_groups = ceil_div(num_searches, shape.group_size);
        count_searches(route, step, num_searches);
        return;
    }
    const uint64_t num_tiles = ceil_div(problem->num_queries, shape_slots(shape)); /* groups */
    const struct blocks tiles = {shape_slots(shape), (uint32_t)num_tiles};
    const uint32_t num_samples = count_samples(route);
    const struct buffer_ref table =
        plan_reserve_buffer(plan,
                            num_arrays * (8 * num_tiles + (uint64_t)num_samples * route->key_size));
    step = add_search(route, KERNEL_SEARCH_SPLIT, shape, tiles, table, num_samples, plan);
    step->num_groups = ceil_div(num_tiles * num_arrays, shape.group_size);
    count_searches(route, step, num_tiles * num_arrays);
    step->bytes_written = 8 * num_tiles * num_arrays;
    if (num_samples) {
        step = add_search(route, KERNEL_SEARCH_SAMPLE, shape, tiles, table, num_samples, plan);
        step->num_groups = ceil_div(num_samples, 16 * (uint64_t)shape.group_size) * num_arrays;
        step->bytes_read = step->bytes_written = num_arrays * num_samples * route->key_size;
    }
    step = add_search(route, KERNEL_SEARCH_TILES, shape, tiles, table, num_samples, plan);
    count_searches(route, step, num_searches);
}
