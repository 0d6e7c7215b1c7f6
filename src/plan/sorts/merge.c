/* merge.c: steps of merge sort: runs sorted on the chip, then merged two and two until one is
 * left, between the output and scratch in turn. On CPUs a run fills a work-item's cache, elsewhere
 * it is a work-group's tile. */
#include "plan/route.h"

#define MIN_RUN 8 /* elements, however small the cache */

struct merge {
    const struct route *route;
    int is_cpu;
    struct shape shape;
    uint64_t run, num_runs; /* of each array; on the others a tile is a run */
    uint32_t tile;          /* elements; or short arrays, */
    int is_short;           /* if a work-group has several of them (cl/sorts/merge/short.cl) */
    uint32_t local_size;
    uint64_t num_workers;
    uint32_t num_passes; /* the making of runs included */
    struct double_buffer data;
    struct buffer_ref table;
};

static struct merge begin(const struct route *route)
{
    const int is_cpu = route->facts->cpu_kernels;
    const struct shape shape = is_cpu ? (struct shape){1, 1, 1} : route->merge.shape;
    return (struct merge){
        .route = route, .is_cpu = is_cpu, .shape = shape, .tile = (uint32_t)shape_slots(shape)};
}

/* GPUs: whether work-groups have several short arrays. If so, the tile is set. */
static int joins(struct merge *merge)
{
    const struct route *route = merge->route;
    const struct problem *problem = route->problem;
    const uint64_t owners = ceil_div(problem->count, merge->shape.items); /* of an array */
    const uint64_t num =
        plan_arrays_of_group(route->facts, problem, merge->shape.group_size / larger(owners, 1));
    /* Each array has a flag and, if records stay in their slots, a turn. */
    const uint64_t local_size =
        tuning_merge_local(merge->shape, route->item_size) + 2 * 4 * merge->shape.group_size;
    if (merge->is_cpu || num < 2 || local_size > route->facts->local_size)
        return 0;
    merge->is_short = 1;
    merge->tile = (uint32_t)num;
    merge->local_size = (uint32_t)local_size;
    return 1;
}

static void split_runs(struct merge *merge)
{
    const struct route *route = merge->route;
    const struct problem *problem = route->problem;
    if (merge->is_cpu) {
        const struct cpu_tuning *tuning = &route->cpu.tuning;
        const uint64_t fitting = tuning->run_bytes / route->item_size;
        merge->num_workers = (uint64_t)route->facts->num_units * tuning->workers_per_unit;
        const uint64_t share = ceil_div(route->num_elements, merge->num_workers);
        merge->run = smaller(smaller(larger(fitting, MIN_RUN), larger(share, tuning->run_min)),
                             problem->count);
    } else {
        merge->run = merge->tile;
        merge->local_size = (uint32_t)tuning_merge_local(merge->shape, route->item_size);
    }
    merge->num_runs = ceil_div(problem->count, merge->run);
    merge->num_workers = smaller(merge->num_workers, problem->num_arrays * merge->num_runs);
    merge->num_passes = 1 + ceil_log2(merge->num_runs);
}

/* CPUs: a place to merge in for each work-item. Others: where each tile's parts of two runs
 * begin. */
static void reserve_table(struct plan *plan, struct merge *merge)
{
    const struct route *route = merge->route;
    const struct problem *problem = route->problem;
    if (merge->is_cpu) {
        const uint64_t places = 2 * merge->num_workers * merge->run;
        merge->table = plan_reserve_buffer(plan, ceil_div(places * route->key_size, CPU_ALIGNMENT) *
                                                         CPU_ALIGNMENT +
                                                     places * route->payload.size + CPU_ALIGNMENT);
    } else {
        merge->table = plan_reserve_buffer(plan, 8 * problem->num_arrays * (1 + merge->num_runs));
    }
}

/* The pass that makes runs is number 0. */
static struct step *add_step(struct plan *plan, const struct merge *merge, enum kernel_id kernel,
                             uint32_t pass)
{
    const struct problem *problem = merge->route->problem;
    struct step *step =
        plan_add(plan, kernel, &(struct step){.variant = merge->route->variant}, merge->shape);
    const uint64_t tiles_per_array = merge->is_cpu ? 1 : merge->num_runs;
    step->num_groups = merge->is_cpu ? merge->num_workers : tiles_per_array * problem->num_arrays;
    if (merge->is_short)
        step->num_groups = ceil_div(problem->num_arrays, merge->tile);
    STEP_PARAMS(step, merge) = (struct merge_params){
        .count = problem->count,
        .num_arrays = problem->num_arrays,
        .run = pass ? merge->run << (pass - 1) : merge->run,
        .span = pass ? merge->run << pass : 2 * merge->run,
        .num_runs = merge->num_runs,
        .tiles_per_array = tiles_per_array,
        .num_workers = (uint32_t)step->num_groups,
        .pass = pass,
        .tile = merge->tile,
    };
    return step;
}

/* What a step that moves all elements reads and writes. */
static void bind(struct step *step, const struct merge *merge, uint32_t pass, struct elements in)
{
    const struct route *route = merge->route;
    const struct problem *problem = route->problem;
    const struct payload *payload = &route->payload;
    const uint32_t left = merge->num_passes - pass;
    const struct elements out = double_buffer_at(&merge->data, left);
    const int stores_keys = left > 1 || !problem->index_size;
    const uint32_t flags =
        store_flags(stores_keys, payload->size != 0, pass == 0 && payload->is_index);
    STEP_BIND(step, in.keys, stores_keys ? out.keys : role_ref(BUFFER_NONE), in.payload,
              out.payload, merge->table);
    step->num_buffers -= merge->is_short || step->kernel == KERNEL_CPU_MERGE; /* of no table */
    step->params.merge.flags = flags;
    step->local_size = merge->local_size;
    route_count_bytes(route, flags, step);
    /* A merge compares once for each item that it places; a run is merges of all its halves. */
    step->compares =
        route->num_elements * (pass ? 1 : ceil_log2(smaller(merge->run, problem->count)));
}

/* Finds where each tile's parts of two runs begin. */
static struct step *add_split(struct plan *plan, const struct merge *merge, uint32_t pass,
                              struct buffer_ref keys)
{
    struct step *step = add_step(plan, merge, KERNEL_MERGE_SPLIT, pass);
    const uint64_t num_tiles = step->num_groups;
    /* A tile of records looks for its end, too. */
    const uint32_t num_bounds = merge->route->problem->record_size ? 2 : 1;
    const uint32_t steps = num_bounds * ceil_log2((uint64_t)step->params.merge.run + 1);
    step->num_groups = ceil_div(num_tiles, step->variant.group_size);
    step->num_buffers = PARAM_BUFFERS;
    step->buffers[0] = keys;
    step->buffers[4] = merge->table;
    step->compares = num_tiles * steps;
    step->bytes_read = num_tiles * steps * 2 * merge->route->key_size;
    step->bytes_written = num_tiles * 8;
    return step;
}

static void add_merge(struct plan *plan, const struct merge *merge, uint32_t pass)
{
    const struct elements in = double_buffer_at(&merge->data, merge->num_passes - pass + 1);
    if (!merge->is_cpu)
        add_split(plan, merge, pass, in.keys);
    struct step *step =
        add_step(plan, merge, merge->is_cpu ? KERNEL_CPU_MERGE : KERNEL_MERGE_PASS, pass);
    bind(step, merge, pass, in);
}

/* Makes the step one of a merge of the problem's two ranges. */
static void set_ranges(const struct problem *problem, struct step *step)
{
    step->params.merge.run = problem->first_count;
    step->params.merge.span = problem->count;
}

/* The merge of two ranges is the last pass of a sort whose first run is the first range. */
void plan_merge_ranges(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    struct elements in = {role_ref(BUFFER_KEYS), route->payload.from};
    struct merge merge = begin(route);
    merge.num_passes = 2;
    merge.data.at[0] = (struct elements){role_ref(BUFFER_KEYS_OUT), route->payload.work};
    merge.run = merge.tile;
    merge.num_runs = ceil_div(problem->count, merge.run);
    if (merge.is_cpu) {
        const struct cpu_tuning tuning = tuning_cpu(route->facts);
        merge.num_workers = smaller((uint64_t)route->facts->num_units * tuning.workers_per_unit,
                                    ceil_div(route->num_elements, tuning.run_min));
        if (route->payload.is_index) {
            /* CPUs' merges move payloads and make none. */
            in.payload = plan_reserve_buffer(plan, route->num_elements * route->payload.size);
            plan_fill(route, in.payload, route->payload.size, route->num_elements, problem->count,
                      plan);
        }
    } else if (!joins(&merge)) {
        merge.local_size = (uint32_t)tuning_merge_local(merge.shape, route->item_size);
        reserve_table(plan, &merge);
        /* No array's comparison is known to be broken, which merge_tile.cl notes in sorts. */
        if (problem->record_size)
            plan_fill(route, merge.table, 8, problem->num_arrays, 1, plan);
        set_ranges(problem, add_split(plan, &merge, 1, in.keys));
    }
    const enum kernel_id kernel = merge.is_cpu     ? KERNEL_CPU_MERGE
                                  : merge.is_short ? KERNEL_MERGE_SHORT
                                                   : KERNEL_MERGE_PASS;
    struct step *step = add_step(plan, &merge, kernel, 1);
    set_ranges(problem, step);
    bind(step, &merge, 1, in);
    step->buffers[1] = merge.data.at[0].keys;
    step->params.merge.flags |=
        FLAG_STORE_KEYS | (route->payload.is_index && !merge.is_cpu ? FLAG_MAKE_INDEX : 0);
}

void plan_merge(const struct route *route, struct plan *plan)
{
    struct merge merge = begin(route);
    split_runs(&merge);
    if (!joins(&merge))
        reserve_table(plan, &merge);
    merge.data = double_buffer_choose(route, merge.num_passes, plan);
    const enum kernel_id kernel = merge.is_cpu     ? KERNEL_CPU_RUNS
                                  : merge.is_short ? KERNEL_MERGE_SHORT
                                                   : KERNEL_MERGE_TILE;
    bind(add_step(plan, &merge, kernel, 0), &merge, 0,
         (struct elements){role_ref(BUFFER_KEYS), route->payload.from});
    for (uint32_t pass = 1; pass < merge.num_passes; ++pass)
        add_merge(plan, &merge, pass);
}
