/* whole.c: steps of quicksort for one array that the device holds at once. One work-group
 * sorts a few thousand elements in one launch. More take two launches: a sample, and all the rest
 * (cl/sorts/whole/whole.cl). */
#include "plan/route.h"

#define RANK_SHARE 32 /* whole_rank.cl: elements of a work-group */
#define MIN_BUCKET_BITS 2
#define LEAF_CELLS 2 /* that a leaf has room for, beside one more element a work-item */

struct whole {
    const struct route *route;
    const struct whole_tuning *tuning;
    struct partition_params params;
    struct buffer_ref keys_to;
};

static struct step *add(struct plan *plan, const struct whole *whole, enum kernel_id kernel,
                        struct shape shape, uint64_t num_groups)
{
    struct step *step =
        plan_add(plan, kernel, &(struct step){.variant = whole->route->variant}, shape);
    step->variant.radix_bits = whole->tuning->bucket_bits;
    step->variant.keeps_order = (uint32_t)whole->route->payload.is_index;
    step->variant.subgroup = whole->tuning->subgroup;
    step->num_groups = num_groups;
    STEP_BIND(step, role_ref(BUFFER_KEYS), whole->keys_to, whole->route->payload.from,
              whole->route->payload.work, role_ref(BUFFER_NONE));
    STEP_PARAMS(step, partition) = whole->params;
    return step;
}

/* One work-group, whose work-items have as few elements each as possible. */
static void add_single(struct plan *plan, struct whole *whole)
{
    const uint64_t count = whole->route->problem->count;
    struct shape shape = whole->tuning->single;
    shape.items = (uint32_t)ceil_div(count, shape.group_size);
    if (shape.items % 2 == 0 && shape.items < whole->tuning->single.items)
        shape.items += 1; /* merge_local.h says why */
    whole->params.leaf_size = (uint32_t)shape_slots(shape);
    struct step *step = add(plan, whole, KERNEL_PARTITION_LEAF, shape, 1);
    const uint32_t size = whole->route->key_size + whole->route->payload.size;
    step->local_size = tuning_leaf_local(shape, whole->tuning->subgroup, whole->route->item_size);
    step->compares = count * ceil_log2(count);
    step->bytes_read = step->bytes_written = count * size;
}

static void take_tables(struct whole *whole, struct plan *plan)
{
    const uint64_t n = whole->route->problem->count;
    const uint64_t key_bytes = n * whole->route->key_size;
    const uint64_t buckets = (uint64_t)1 << whole->tuning->bucket_bits;
    struct partition_params *p = &whole->params;
    whole->keys_to = route_keys_to(whole->route, plan);
    const struct table tables[] = {
        {&p->work_keys, key_bytes},
        {&p->work_payload, n * whole->route->payload.size},
        {&p->control, sizeof(struct partition_control)},
        {&p->pivots, buckets * whole->route->item_size + PIVOTS_ALIGNMENT},
        {&p->totals, buckets * 4},
    };
    plan_reserve_tables(plan, tables, sizeof tables / sizeof *tables);
}

/* A sample of the array. Then each work-group gets a part of the array, and at last a cell of the
 * result of the same size. */
static void add_two(struct plan *plan, struct whole *whole)
{
    const struct whole_tuning *tuning = whole->tuning;
    const uint64_t n = whole->route->problem->count;
    const uint64_t most = plan_groups(whole->route->facts, tuning->groups_per_unit);
    const uint64_t part = ceil_div(n, smaller(ceil_div(n, tuning->group_size), most));
    const uint32_t size = whole->route->item_size;
    const uint64_t bytes = whole->route->key_size + (uint64_t)whole->route->payload.size;
    struct partition_params *p = &whole->params;
    const uint32_t held = (uint32_t)ceil_div(part, tuning->group_size);
    const uint64_t leaf_items = smaller(LEAF_CELLS * held + 1, tuning->leaf_items);
    const struct shape leaf = {tuning->group_size, (uint32_t)leaf_items, 1};
    const uint64_t buckets = (uint64_t)1 << tuning->bucket_bits;
    const uint64_t bucket_size = ceil_div(n, buckets);
    p->block_size = (uint32_t)part;
    p->small_size = (uint32_t)part;
    p->bucket_size = (uint32_t)bucket_size;
    p->leaf_size = (uint32_t)shape_slots(leaf);
    const uint64_t wanted_samples = shape_slots(tuning->sample) >> tuning->bucket_bits;
    const uint64_t most_samples = n / ceil_div(n, bucket_size); /* no more than elements */
    p->samples_per_bucket = (uint32_t)larger(smaller(wanted_samples, most_samples), 1);
    p->spin_limit = tuning->spin_limit;
    take_tables(whole, plan);

    const uint64_t samples = ceil_div(n, bucket_size) * p->samples_per_bucket; /* as the kernel */
    struct step *step = add(plan, whole, KERNEL_WHOLE_RANK, tuning->sample,
                            ceil_div(samples, smaller(tuning->sample.group_size, RANK_SHARE)));
    step->local_size = (uint32_t)shape_slots(tuning->sample) * size + RANK_SHARE * 4;
    step->compares = samples * samples;
    step->bytes_read = samples * bytes;
    step->buffers[4] = role_ref(BUFFER_SCRATCH);

    step = add(plan, whole, KERNEL_WHOLE_SORT, leaf, ceil_div(n, part));
    step->variant.held = held;
    step->variant.registers = tuning->registers;
    step->local_size = tuning_whole_local(tuning, leaf.items, size);
    step->compares = n * (tuning->bucket_bits + 1 + ceil_log2(p->leaf_size));
    step->bytes_read = step->bytes_written = 2 * n * bytes;
    step->buffers[4] = role_ref(BUFFER_SCRATCH);
}

/* From half_min on: as many work-items on a unit in groups of half the size, and leaves as large,
 * or larger by a group. */
static void halve_groups(const struct route *route, struct whole_tuning *tuning)
{
    tuning->group_size /= 2;
    tuning->groups_per_unit *= 2;
    tuning->leaf_items = tuning->leaf_items * 2 + 1;
    tuning->bucket_bits -= tuning->bucket_bits > MIN_BUCKET_BITS;
    while (tuning->leaf_items > 2 &&
           tuning_whole_local(tuning, tuning->leaf_items, route->item_size) >
               route->facts->local_size)
        tuning->leaf_items -= 1;
}

/* Few elements need smaller groups, so that more than half of the units have one; and no more
 * buckets than leave bucket_min in each, and a smaller sample. Microseconds of u32 on an H200 with
 * groups of 256, 512 and 1024, and buckets of at least as many: 2^14 17.8, 18.4, 20.3; 2^16 25.0,
 * 20.6, 21.6; 2^18 41, 29.2, 29.0; 2^19 50, 42, 37. */
static struct whole_tuning cut_buckets(const struct route *route, uint64_t count)
{
    struct whole_tuning tuning = route->whole;
    if (count >= tuning.half_min && tuning.group_size > WHOLE_MIN_GROUP)
        halve_groups(route, &tuning);
    while (tuning.group_size > WHOLE_MIN_GROUP &&
           count <= (uint64_t)route->facts->num_units * tuning.group_size / 2) {
        tuning.group_size /= 2;
        tuning.bucket_min = (tuning.bucket_min + 1) / 2;
    }
    const uint32_t most = tuning.bucket_bits;
    while (tuning.bucket_bits > MIN_BUCKET_BITS && count >> tuning.bucket_bits < tuning.bucket_min)
        --tuning.bucket_bits;
    const uint64_t samples = shape_slots(tuning.sample) >> (most - tuning.bucket_bits);
    tuning.sample.items = (uint32_t)ceil_div(samples, tuning.sample.group_size);
    return tuning;
}

void plan_whole(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct whole_tuning tuning = cut_buckets(route, problem->count);
    struct whole whole = {
        .route = route,
        .tuning = &tuning,
        .keys_to = {BUFFER_KEYS_OUT, 0},
        .params = {.count = (uint32_t)problem->count,
                   .num_arrays = 1,
                   .blocks_per_array = 1,
                   .flags = store_flags(!problem->index_size, route->payload.size != 0, 0)},
    };
    if (problem->count <= shape_slots(route->whole.single))
        add_single(plan, &whole);
    else
        add_two(plan, &whole);
}
