/* part.c: steps of radix sort from the most significant digit down
 * (cl/sorts/partition/digits/part.h). A level is two or three launches, the leaves are two. */
#include "plan/route.h"

#define GROUPS_PER_UNIT 16 /* if the number of tasks is not known: enough for a few rounds */

struct part {
    const struct route *route;
    const struct part_tuning *tuning;
    const struct part_levels *levels;
    struct step first;                /* what all steps have in common */
    uint32_t count_local, scan_local; /* bytes of local memory */
};

/* All levels share these tables, or take turns in two of a kind. */
static void take_tables(struct part *part, struct plan *plan)
{
    struct part_params *p = &part->first.params.part;
    uint64_t segments = 0, blocks = 0, counts = 0, totals = 0;
    for (uint32_t i = 0; i < part->levels->num_levels; ++i) {
        const uint64_t s = part->levels->max_segments[i], b = part->levels->max_blocks[i];
        segments = s > segments ? s : segments;
        blocks = b > blocks ? b : blocks;
        counts =
            b << part->levels->digit_bits[i] > counts ? b << part->levels->digit_bits[i] : counts;
        totals =
            s << part->levels->digit_bits[i] > totals ? s << part->levels->digit_bits[i] : totals;
    }
    const uint64_t n = part->route->num_elements;
    const struct table lists[] = {
        {&p->work_keys, n * part->route->key_size},
        {&p->work_payload, n * part->route->payload.size},
        {&p->control, sizeof(struct part_control)},
        {&p->segments, segments * sizeof(struct part_segment)},
        {&p->next_segments, segments * sizeof(struct part_segment)},
        {&p->owners, blocks * 4},
        {&p->next_owners, blocks * 4},
        {&p->totals, totals * 4},
        {&p->seen, segments * sizeof(struct part_seen)},
        {&p->next_totals, totals * 4},
        {&p->cursors, totals * 4},
        {&p->next_seen, segments * sizeof(struct part_seen)},
        {&p->counts, part->route->keeps_order ? counts * 4 : 0},
        {&p->leaves, part->levels->max_leaves * sizeof(struct part_leaf)},
        {&p->crowded, part->levels->max_leaves * 4},
    };
    p->max_totals = (uint32_t)(totals < UINT32_MAX ? totals : UINT32_MAX);
    plan_reserve_tables(plan, lists, sizeof lists / sizeof *lists);
}

/* The next level reads what this one has written. */
static void swap_lists(struct part_params *p)
{
    param_u64 *const pairs[][2] = {
        {&p->segments, &p->next_segments},
        {&p->owners, &p->next_owners},
        {&p->totals, &p->next_totals},
        {&p->seen, &p->next_seen},
    };
    for (int i = 0; i < 4; ++i) {
        const param_u64 kept = *pairs[i][0];
        *pairs[i][0] = *pairs[i][1];
        *pairs[i][1] = kept;
    }
}

/* The step before the first level, which empties the lists, and what this level adds to. */
static clsort_status add_begin(struct plan *plan, struct part *part)
{
    struct part_params *p = &part->first.params.part;
    p->digit_bits = part->levels->digit_bits[0];
    if (part->route->listed)
        return plan_segments_list(part->route, p, part->first.buffers, plan);
    const uint64_t segments = part->levels->max_segments[0];
    const struct table tables[] = {
        {&p->control, sizeof(struct part_control)},
        {&p->totals, segments * 4 << p->digit_bits},
        {&p->seen, segments * sizeof(struct part_seen)},
    };
    return plan_clear(plan, part->route->facts, part->tuning->scatter.group_size, tables,
                      sizeof tables / sizeof *tables);
}

/* As many groups for the blocks of a level as there are blocks, where their number is known, or
 * about; else a few rounds' worth. */
static uint64_t level_groups(const struct part *part, uint32_t level)
{
    const uint64_t units = ((uint64_t)part->route->facts->num_units + 1) * GROUPS_PER_UNIT;
    const int is_first = level == 0 && !part->route->listed;
    const int known = level < 2 && !part->route->listed;
    const uint64_t blocks =
        is_first ? part->route->problem->num_arrays * part->first.params.part.blocks_per_array
                 : part->levels->max_blocks[level];
    return known || blocks < units ? blocks : units;
}

/* Bytes are counted for random keys, which need only the first levels. */
static uint64_t level_elements(const struct part *part, uint32_t level)
{
    return level < part->levels->num_split ? part->route->num_elements : 0;
}

static clsort_status add_count(struct plan *plan, struct part *part, uint32_t level)
{
    struct part_params *p = &part->first.params.part;
    const struct part_levels *levels = part->levels;
    p->level = level;
    p->digit_bits = levels->digit_bits[level];
    p->next_digit_bits = level + 1 < levels->num_levels ? levels->table_bits[level + 1] : 0;
    const struct shape shape = {part->tuning->scatter.group_size, part->tuning->count_items, 1};
    struct step *step = plan_add(plan, KERNEL_PART_COUNT, &part->first, shape);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = level_groups(part, level);
    step->local_size = part->count_local;
    step->bytes_read = level_elements(part, level) * part->route->key_size;
    return CLSORT_OK;
}

static clsort_status add_level(struct plan *plan, struct part *part, uint32_t level)
{
    struct part_params *p = &part->first.params.part;
    const uint64_t units = ((uint64_t)part->route->facts->num_units + 1) * GROUPS_PER_UNIT;
    const struct shape count = {part->tuning->scatter.group_size, part->tuning->count_items, 1};
    struct step *step;
    if (add_count(plan, part, level))
        return CLSORT_ERROR_HOST_MEMORY;
    if (part->route->keeps_order) {
        const uint64_t tasks =
            part->levels->max_segments[level] * ceil_div((uint64_t)1 << p->digit_bits, 32);
        step = plan_add(plan, KERNEL_PART_SCAN, &part->first, count);
        if (!step)
            return CLSORT_ERROR_HOST_MEMORY;
        step->num_groups = tasks < units ? tasks : units;
        step->local_size = part->scan_local;
        step->variant.payload_size = step->variant.payload_index = 0;
    }

    step = plan_add(plan, KERNEL_PART_SCATTER, &part->first, part->tuning->scatter);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->variant.keeps_order = (uint32_t)part->route->keeps_order;
    step->variant.registers = part->tuning->scatter_registers;
    step->num_groups = level_groups(part, level);
    step->local_size = part->tuning->scatter_local;
    step->bytes_read = step->bytes_written =
        level_elements(part, level) * (part->route->key_size + (uint64_t)part->route->payload.size);

    swap_lists(p);
    return CLSORT_OK;
}

/* How many levels have launches of their own. One launch does those that random keys do not need;
 * it is all levels where most segments are short. */
static uint32_t num_launched(const struct part *part)
{
    const struct part_levels *levels = part->levels;
    if (!levels->deep_is_one || levels->num_levels <= levels->num_split)
        return levels->num_levels;
    return levels->num_split;
}

static clsort_status add_deep(struct plan *plan, struct part *part, uint32_t first)
{
    struct part_params *p = &part->first.params.part;
    p->level = first;
    p->digit_bits = part->levels->digit_bits[first];
    p->next_digit_bits = part->levels->table_bits[first ? first : 1];
    p->num_levels = part->levels->num_levels;
    p->bits_left = part->levels->bits_left[first];
    p->spin_limit = part->tuning->spin_limit;
    struct step *step = plan_add(plan, KERNEL_PART_DEEP, &part->first, part->tuning->scatter);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->variant.registers = part->tuning->scatter_registers;
    const uint64_t most = plan_groups(part->route->facts, part->tuning->groups_per_unit);
    const uint64_t blocks = part->levels->max_blocks[first];
    step->num_groups = blocks < most ? blocks : most;
    step->local_size =
        (part->count_local > part->tuning->scatter_local ? part->count_local
                                                         : part->tuning->scatter_local) +
        4;
    return CLSORT_OK;
}

static clsort_status add_leaves(struct plan *plan, struct part *part)
{
    const uint64_t n = part->route->num_elements;
    const uint32_t key_size = part->route->key_size, payload_size = part->route->payload.size;
    const uint64_t most = 2 * ((uint64_t)part->route->facts->num_units + 1) * GROUPS_PER_UNIT;
    const int stores_keys = !part->route->problem->index_size;
    struct step leaves = part->first;
    leaves.params.part.flags |= stores_keys ? FLAG_STORE_KEYS : 0;
    leaves.local_size = part->tuning->leaf_local;
    /* A key that is sorted by a part of its bits is no rest: its leaf moves elements by slots. */
    leaves.variant.keeps_order =
        (uint32_t)(part->route->keeps_order || problem_shows_order(part->route->problem));
    leaves.variant.radix_bits = part->tuning->bin_bits;
    struct step *step = plan_add(plan, KERNEL_PART_LEAF, &leaves, part->tuning->leaf);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = smaller(part->levels->max_leaves, most);
    step->variant.registers = part->tuning->leaf_registers;
    step->bytes_read = n * (key_size + payload_size);
    step->bytes_written = n * ((stores_keys ? key_size : 0) + payload_size);
    step = plan_add(plan, KERNEL_PART_CROWDED, &leaves, part->tuning->leaf);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = smaller(part->levels->max_leaves,
                               plan_groups(part->route->facts, part->tuning->crowded_per_unit));
    return CLSORT_OK;
}

/* What all steps have in common. An argsort must not write its keys: it sorts copies of them. */
static struct step first_step(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct part_levels *levels = &route->levels;
    struct step first = route_step(route, (struct buffer_ref){BUFFER_KEYS_OUT, 0});
    first.params_size = sizeof first.params.part;
    first.variant.subgroup = route->part.subgroup;
    first.variant.radix_bits = route->part.digit_bits;
    if (problem->index_size)
        first.buffers[1] = plan_reserve_buffer(plan, route->num_elements * route->key_size);
    first.params.part = (struct part_params){
        .digits_mask = ~(uint64_t)0 >> (64 - problem->num_bits),
        .count = (uint32_t)problem->count,
        .num_arrays = (uint32_t)problem->num_arrays,
        .blocks_per_array = (uint32_t)ceil_div(problem->count, levels->block_size),
        .block_size = (uint32_t)levels->block_size,
        .num_bits = problem->num_bits,
        .first_bit = problem->first_bit,
        .leaf_size = (uint32_t)levels->leaf_size,
        .flags = (problem->in_place && !problem->index_size ? FLAG_IN_PLACE : 0) |
                 (route->keeps_order ? 0 : FLAG_UNORDERED) | (route->listed ? PART_FLAG_LISTED : 0),
    };
    return first;
}

clsort_status plan_part(const struct route *route, struct plan *plan)
{
    const struct part_levels *levels = &route->levels;
    struct part part = {
        .route = route,
        .tuning = &route->part,
        .levels = levels,
        .count_local = tuning_part_count_local(&route->part),
        .scan_local = tuning_part_scan_local(&route->part),
        .first = first_step(route, plan),
    };
    take_tables(&part, plan);
    clsort_status status = add_begin(plan, &part);
    const uint32_t end_launched = num_launched(&part);
    for (uint32_t level = 0; level < end_launched && !status; ++level)
        status = add_level(plan, &part, level);
    if (!status && end_launched < levels->num_levels)
        status = add_deep(plan, &part, end_launched);
    return status ? status : add_leaves(plan, &part);
}
