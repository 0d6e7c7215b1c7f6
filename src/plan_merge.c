/* plan_merge.c: steps of merge sort: runs sorted on the chip, then merged two and two until one is
 * left, between the output and scratch in turn. On CPUs a run is a work-item's cache full, elsewhere
 * a work-group's tile. */
#include "route.h"

#define WORKERS_PER_UNIT 4

struct merge {
    const struct problem *problem;
    const struct payload *payload;
    uint32_t item_size; /* at most */
    int cpu;
    struct shape shape;
    uint64_t run;
    uint64_t num_workers;
    uint32_t num_passes; /* the making of runs included */
    struct turns turns;
    struct buffer_ref table;
};

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void cut(const struct route *route, struct merge *merge)
{
    const struct problem *problem = merge->problem;
    if (merge->cpu) {
        const uint64_t fitting = route->tuning.cpu.run_bytes / merge->item_size;
        merge->num_workers = route->facts->num_units * WORKERS_PER_UNIT;
        const uint64_t share = ceil_div(num_elements(problem), merge->num_workers);
        merge->run = smaller(smaller(fitting > 8 ? fitting : 8, share > 1024 ? share : 1024),
                             problem->count);
        const uint64_t num_runs = problem->num_arrays * ceil_div(problem->count, merge->run);
        merge->num_workers = smaller(merge->num_workers, num_runs);
    } else {
        merge->run = shape_slots(merge->shape);
    }
    merge->num_passes = 1 + ceil_log2(ceil_div(problem->count, merge->run));
}

static void choose_table(struct plan *plan, struct merge *merge)
{
    const struct problem *problem = merge->problem;
    if (merge->cpu) {
        const uint64_t places = 2 * merge->num_workers * merge->run;
        merge->table =
            plan_take_scratch(plan, ceil_div(places * problem_key_size(problem), CPU_ALIGNMENT) *
                                            CPU_ALIGNMENT +
                                        places * merge->payload->size + CPU_ALIGNMENT);
    } else {
        merge->table = plan_take_scratch(plan, 8 * problem->num_arrays *
                                                   (1 + ceil_div(problem->count, merge->run)));
    }
}

/* The pass that makes runs is number 0. */
static struct step *add(struct plan *plan, const struct merge *merge, enum kernel_id kernel,
                        uint32_t pass)
{
    struct step *step = plan_add(plan);
    if (!step)
        return NULL;
    const struct problem *problem = merge->problem;
    const uint64_t tiles_per_array =
        merge->cpu ? 1 : ceil_div(problem->count, shape_slots(merge->shape));
    step->kernel = kernel;
    step->variant = payload_variant(problem, merge->payload);
    step->variant.group_size = merge->shape.group_size;
    step->variant.items = merge->shape.items;
    step->variant.lanes = 1;
    step->num_groups = merge->cpu ? merge->num_workers : tiles_per_array * problem->num_arrays;
    step->params.merge = (struct merge_params){
        .count = problem->count,
        .num_arrays = problem->num_arrays,
        .run = pass ? merge->run << (pass - 1) : merge->run,
        .num_runs = ceil_div(problem->count, merge->run),
        .tiles_per_array = tiles_per_array,
        .num_workers = (uint32_t)step->num_groups,
        .pass = pass,
        .tile = (uint32_t)shape_slots(merge->shape),
    };
    step->params_size = sizeof step->params.merge;
    return step;
}

/* What a step that moves all elements reads and writes. */
static void connect(struct step *step, const struct merge *merge, uint32_t pass,
                    struct buffer_ref keys_in, struct buffer_ref payload_in)
{
    const struct problem *problem = merge->problem;
    const struct payload *payload = merge->payload;
    const uint32_t left = merge->num_passes - pass;
    const int stores_keys = left > 1 || !problem->index_size;
    const int makes_index = pass == 0 && payload->is_index;
    const uint32_t key_size = problem_key_size(problem);
    const uint64_t n = num_elements(problem);
    step->num_buffers = PARAM_BUFFERS;
    step->buffers[0] = keys_in;
    step->buffers[1] =
        stores_keys ? turns_keys(&merge->turns, left) : (struct buffer_ref){BUFFER_NONE, 0};
    step->buffers[2] = payload_in;
    step->buffers[3] = turns_payload(&merge->turns, left);
    step->buffers[4] = merge->table;
    step->params.merge.flags = (stores_keys ? FLAG_STORE_KEYS : 0) |
                               (payload->size ? FLAG_STORE_PAYLOAD : 0) |
                               (makes_index ? FLAG_MAKE_INDEX : 0);
    step->bytes_read = n * (key_size + (makes_index ? 0 : payload->size));
    step->bytes_written = n * ((stores_keys ? key_size : 0) + payload->size);
    /* A merge compares once for each item that it places; a run is merges of all its halves. */
    const uint32_t levels =
        pass ? 1 : ceil_log2(merge->run < problem->count ? merge->run : problem->count);
    step->compares = n * levels;
}

static clsort_status add_runs(struct plan *plan, const struct merge *merge)
{
    struct step *step = add(plan, merge, merge->cpu ? KERNEL_CPU_RUNS : KERNEL_MERGE_TILE, 0);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    connect(step, merge, 0, (struct buffer_ref){BUFFER_KEYS, 0}, merge->payload->from);
    if (!merge->cpu)
        step->local_size = (uint32_t)tuning_merge_local(merge->shape, merge->item_size);
    return CLSORT_OK;
}

static clsort_status add_merge(struct plan *plan, const struct merge *merge, uint32_t pass)
{
    const uint32_t left = merge->num_passes - pass;
    const struct buffer_ref keys = turns_keys(&merge->turns, left + 1);
    const struct buffer_ref payload = turns_payload(&merge->turns, left + 1);
    if (!merge->cpu) {
        struct step *split = add(plan, merge, KERNEL_MERGE_SPLIT, pass);
        if (!split)
            return CLSORT_ERROR_HOST_MEMORY;
        const uint64_t num_tiles = split->num_groups;
        split->num_groups = ceil_div(num_tiles, split->variant.group_size);
        split->num_buffers = PARAM_BUFFERS;
        split->buffers[0] = keys;
        split->buffers[4] = merge->table;
        const uint32_t steps = ceil_log2(split->params.merge.run);
        split->compares = num_tiles * steps;
        split->bytes_read = num_tiles * steps * 2 * problem_key_size(merge->problem);
        split->bytes_written = num_tiles * 8;
    }
    struct step *step = add(plan, merge, merge->cpu ? KERNEL_CPU_MERGE : KERNEL_MERGE_PASS, pass);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    connect(step, merge, pass, keys, payload);
    if (merge->cpu) {
        step->num_buffers = PARAM_BUFFERS - 1;
        step->num_groups = step->params.merge.num_workers;
    } else {
        step->local_size = (uint32_t)tuning_merge_local(merge->shape, merge->item_size);
    }
    return CLSORT_OK;
}

clsort_status plan_merge(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const int is_cpu = route->form == FORM_CPU_MERGE;
    struct merge merge = {
        .problem = problem,
        .payload = &route->payload,
        .item_size = route->item_size,
        .cpu = is_cpu,
        .shape = is_cpu ? (struct shape){1, 1, 1} : route->tuning.merge,
    };
    cut(route, &merge);
    choose_table(plan, &merge);
    merge.turns = turns_choose(problem, &route->payload, merge.num_passes, plan);
    clsort_status status = add_runs(plan, &merge);
    for (uint32_t pass = 1; pass < merge.num_passes && !status; ++pass)
        status = add_merge(plan, &merge, pass);
    return status;
}
