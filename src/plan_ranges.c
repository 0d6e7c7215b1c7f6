/* plan_ranges.c: steps of what is asked of arrays in order: whether they are, the runs of equal
 * elements in them, and where other keys belong. */
#include "route.h"

#define MAX_BLOCK ((uint64_t)1 << 30) /* elements that a work-group numbers in 32 bits */
#define SCAN_GROUP 256                /* work-items that scan the blocks' counts, at most */

static struct buffer_ref whole(enum buffer_role role)
{
    return (struct buffer_ref){role, 0};
}

/* How an array is cut: for as many work-groups as keep the device busy, each with whole tiles. */
struct blocks {
    uint64_t size;
    uint32_t num; /* of an array; at least 1 */
};

static struct blocks cut(const struct route *route, uint64_t count, struct shape shape)
{
    const uint64_t tile = shape_slots(shape);
    const uint64_t num_arrays = route->problem->num_arrays;
    const uint64_t num_groups = plan_groups(route->facts, route->tuning.range.groups_per_unit);
    const uint64_t wanted = larger(num_groups / num_arrays, ceil_div(count, MAX_BLOCK));
    const uint64_t tiles = larger(ceil_div(count, tile), 1);
    const uint64_t size = ceil_div(tiles, larger(smaller(wanted, tiles), 1)) * tile;
    return (struct blocks){size, (uint32_t)larger(ceil_div(count, size), 1)};
}

static struct step *add_step(const struct route *route, enum kernel_id kernel, struct shape shape,
                             struct blocks blocks, struct plan *plan)
{
    const struct problem *problem = route->problem;
    struct step *step = plan_add(plan, kernel, &route->variant, shape);
    if (!step)
        return NULL;
    step->num_groups = blocks.num * problem->num_arrays;
    step->num_buffers = PARAM_BUFFERS;
    step->params.range = (struct range_params){
        .count = problem->count,
        .num_arrays = problem->num_arrays,
        .num_queries = problem->num_queries,
        .block_size = blocks.size,
        .num_blocks = blocks.num,
        .spin_limit = route->tuning.range.spin_limit,
    };
    step->params_size = sizeof step->params.range;
    return step;
}

/* ---- check ---- */
clsort_status plan_check(const struct route *route, struct plan *plan)
{
    const uint64_t n = route->num_elements;
    const struct shape shape = route->tuning.range.check;
    const struct blocks blocks = cut(route, route->problem->count, shape);
    const uint64_t num_groups = blocks.num * route->problem->num_arrays;
    const struct buffer_ref table =
        blocks.num > 1 ? plan_reserve_buffer(plan, 4 * num_groups) : whole(BUFFER_NONE);
    struct step *step = add_step(route, KERNEL_CHECK_BLOCKS, shape, blocks, plan);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_buffers = 3;
    step->buffers[0] = whole(BUFFER_KEYS);
    step->buffers[1] = whole(BUFFER_RESULT);
    step->buffers[2] = table;
    step->local_size = 4;
    step->compares = n;
    step->bytes_read = n * route->key_size;
    step->bytes_written = num_groups * (blocks.num > 1 ? 4 : 8);
    if (blocks.num == 1)
        return CLSORT_OK;
    step = add_step(route, KERNEL_CHECK_RESULT, shape, blocks, plan);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = route->problem->num_arrays;
    step->num_buffers = 2;
    step->buffers[0] = whole(BUFFER_RESULT);
    step->buffers[1] = table;
    step->local_size = 4;
    step->bytes_read = 4 * num_groups;
    step->bytes_written = 8 * step->num_groups;
    return CLSORT_OK;
}

/* ---- runs ---- */
/* A step of runs.cl, with the table that it shares with the others. */
static struct step *add_runs(const struct route *route, enum kernel_id kernel, struct shape shape,
                             struct blocks blocks, struct buffer_ref table, struct plan *plan)
{
    const uint32_t offset_size = route->problem->run_offset_size;
    struct step *step = add_step(route, kernel, shape, blocks, plan);
    if (!step)
        return NULL;
    step->buffers[0] = whole(BUFFER_KEYS);
    step->buffers[1] = whole(BUFFER_KEYS_OUT);
    step->buffers[2] = whole(offset_size ? BUFFER_OFFSETS_OUT : BUFFER_NONE);
    step->buffers[3] = whole(BUFFER_RESULT);
    step->buffers[4] = table;
    step->params.range.flags = FLAG_STORE_KEYS | (offset_size ? FLAG_STORE_PAYLOAD : 0);
    /* As the program's largest kernel needs: runs_scan, or runs_write. */
    step->local_size = (uint32_t)larger(
        tuning_scan_local(shape.group_size, route->variant.subgroup) + 8, 16 * shape.group_size);
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

static clsort_status plan_runs_once(const struct route *route, struct plan *plan)
{
    const struct shape shape = route->tuning.range.runs;
    const uint64_t num_tiles = ceil_div(route->problem->count, shape_slots(shape));
    const struct blocks tiles = {shape_slots(shape), (uint32_t)num_tiles};
    const struct buffer_ref table = plan_reserve_buffer(plan, 4 * (num_tiles + 1));
    struct step *step = add_runs(route, KERNEL_RUNS_BEGIN, shape, tiles, table, plan);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = ceil_div(num_tiles + 1, shape_slots(shape));
    step->bytes_read = 0;
    step->bytes_written = 4 * (num_tiles + 1);
    step = add_runs(route, KERNEL_RUNS_ONCE, shape, tiles, table, plan);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    count_written(route, step);
    return CLSORT_OK;
}

/* Counts the runs of blocks, and how many begin before each. */
static clsort_status add_counts(const struct route *route, struct blocks blocks,
                                struct buffer_ref table, struct plan *plan)
{
    const struct shape shape = route->tuning.range.runs;
    const struct shape scan = {(uint32_t)smaller(shape.group_size, SCAN_GROUP), 1, 1};
    const uint64_t num_groups = blocks.num * route->problem->num_arrays;
    struct step *step = add_runs(route, KERNEL_RUNS_COUNT, shape, blocks, table, plan);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->compares = route->num_elements;
    step->bytes_written = 8 * num_groups;
    step = add_runs(route, KERNEL_RUNS_SCAN, scan, blocks, table, plan);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = route->problem->num_arrays;
    step->bytes_read = 2 * 8 * num_groups;
    step->bytes_written = 8 * num_groups;
    return CLSORT_OK;
}

clsort_status plan_runs(const struct route *route, struct plan *plan)
{
    const struct shape shape = route->tuning.range.runs;
    const struct blocks blocks = cut(route, route->problem->count, shape);
    if (route->looks_back && blocks.num > 1)
        return plan_runs_once(route, plan);
    struct buffer_ref table = whole(BUFFER_NONE);
    if (blocks.num > 1) {
        table = plan_reserve_buffer(plan, 8 * blocks.num * route->problem->num_arrays);
        const clsort_status status = add_counts(route, blocks, table, plan);
        if (status)
            return status;
    }
    struct step *step = add_runs(route, KERNEL_RUNS_WRITE, shape, blocks, table, plan);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    count_written(route, step);
    return CLSORT_OK;
}

/* ---- search ---- */
static struct step *add_search(const struct route *route, enum kernel_id kernel, struct shape shape,
                               struct blocks blocks, struct buffer_ref table, struct plan *plan)
{
    struct step *step = add_step(route, kernel, shape, blocks, plan);
    if (!step)
        return NULL;
    step->buffers[0] = whole(BUFFER_KEYS);
    step->buffers[1] = whole(BUFFER_QUERIES);
    step->buffers[2] = whole(BUFFER_LOWER);
    step->buffers[3] = whole(BUFFER_UPPER);
    step->buffers[4] = table;
    step->local_size = 4; /* of search_tiles, whose program the others share */
    return step;
}

/* A step reads some keys for each of its searches, and the queries. */
static void count_searches(const struct route *route, struct step *step, uint64_t num_searches)
{
    step->compares = num_searches * (ceil_log2(route->problem->count) + 1);
    step->bytes_read = step->compares * route->key_size;
}

clsort_status plan_search(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct shape shape = route->tuning.range.search;
    const uint64_t num_queries = problem->num_queries * problem->num_arrays;
    const int is_cpu = route->facts->cpu_kernels;
    struct blocks blocks = cut(route, problem->num_queries, shape);
    struct buffer_ref table = whole(BUFFER_NONE);
    struct step *step = NULL;
    if (!is_cpu) { /* a work-group a tile */
        const uint64_t num_tiles = ceil_div(problem->num_queries, shape_slots(shape));
        blocks = (struct blocks){shape_slots(shape), (uint32_t)num_tiles};
        table = plan_reserve_buffer(plan, 8 * num_tiles * problem->num_arrays);
        step = add_search(route, KERNEL_SEARCH_SPLIT, shape, blocks, table, plan);
        if (!step)
            return CLSORT_ERROR_HOST_MEMORY;
        step->num_groups = ceil_div(num_tiles * problem->num_arrays, shape.group_size);
        step->bytes_written = 8 * num_tiles * problem->num_arrays;
        count_searches(route, step, num_tiles * problem->num_arrays);
    }
    step = add_search(route, is_cpu ? KERNEL_CPU_SEARCH : KERNEL_SEARCH_TILES, shape, blocks, table,
                      plan);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->bytes_written = 2 * num_queries * problem->index_size;
    count_searches(route, step, num_queries);
    return CLSORT_OK;
}
