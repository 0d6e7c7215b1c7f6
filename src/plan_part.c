/* plan_part.c: steps of radix sort from the most significant digit down (cl/part.h). A level is two
 * or three launches, the leaves are two. A sample of the keys may come first, and a fallback sort
 * for keys that it shows to be skewed. */
#include "route.h"

#define GROUPS_PER_UNIT 16 /* if the number of tasks is not known: enough for a few rounds */

struct part {
    const struct route *route;
    const struct part_tuning *tuning;
    const struct part_levels *levels;
    struct part_params params;
    struct buffer_ref keys_to;           /* PART_OUT */
    uint32_t count_local, scatter_local; /* bytes of local memory */
    int samples;                         /* the first step looks at some keys */
    struct onesweep_params onesweep;
    struct msd_params msd;
};

void plan_part_data(const struct route *route, struct part_params *p, struct plan *plan)
{
    const uint64_t key_bytes = route->num_elements * route->key_size;
    const uint64_t even_bytes = route_is_even(route) ? plan_msd_block_bytes(route) : 0;
    const struct table data[] = {
        /* onesweep.h wants these two side by side */
        {&p->work_keys, key_bytes},
        {&p->work_payload, larger(route->num_elements * route->payload.size,
                                  even_bytes > key_bytes ? even_bytes - key_bytes : 0)},
        {&p->control, sizeof(struct part_control)},
    };
    plan_reserve_tables(plan, data, sizeof data / sizeof *data);
}

/* All levels share these tables, or take turns in two of a kind. */
static void take_tables(struct part *part, struct plan *plan)
{
    struct part_params *p = &part->params;
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
    const struct table cursors[] = {
        {&p->next_totals, totals * 4},
        {&p->cursors, totals * 4},
        {&p->next_seen, segments * sizeof(struct part_seen)},
    };
    const struct table counters[] = {
        {&p->counts, counts * 4},
        {&p->blocks, blocks * sizeof(struct part_seen)},
    };
    const struct table lists[] = {
        {&p->segments, segments * sizeof(struct part_segment)},
        {&p->next_segments, segments * sizeof(struct part_segment)},
        {&p->owners, blocks * 4},
        {&p->next_owners, blocks * 4},
        {&p->totals, totals * 4},
        {&p->seen, segments * sizeof(struct part_seen)},
    };
    const struct table leaves[] = {
        {&p->leaves, part->levels->max_leaves * sizeof(struct part_leaf)},
        {&p->crowded, part->levels->max_leaves * 4},
    };
    p->max_totals = (uint32_t)(totals < UINT32_MAX ? totals : UINT32_MAX);
    plan_part_data(part->route, p, plan);
    plan_reserve_tables(plan, lists, sizeof lists / sizeof *lists);
    if (p->flags & FLAG_UNORDERED)
        plan_reserve_tables(plan, cursors, sizeof cursors / sizeof *cursors);
    else
        plan_reserve_tables(plan, counters, sizeof counters / sizeof *counters);
    plan_reserve_tables(plan, leaves, sizeof leaves / sizeof *leaves);
}

/* The fallback's tables lie over the main sort's, since only one of the two sorts runs.
 * part_control is apart from both. */
static void lay_onesweep(struct part *part, struct plan *plan)
{
    const struct route *route = part->route;
    struct part_params *p = &part->params;
    struct onesweep_params *onesweep = &part->onesweep;
    const uint64_t size =
        plan_onesweep_tables(route, &route->second_tuning.onesweep, p->segments, onesweep);
    const uint64_t end = plan_reserve(plan, 0);
    if (p->segments + size > end)
        plan_reserve(plan, p->segments + size - end);
    onesweep->flags |= FLAG_SAMPLES;
    onesweep->parting = p->control;
    onesweep->work_keys = p->work_keys;
    onesweep->work_payload = p->work_payload;
    p->onesweep = onesweep->control;
    p->onesweep_size = (uint32_t)(onesweep->tile_states - onesweep->control);
}

static struct step *add(struct plan *plan, const struct part *part, enum kernel_id kernel,
                        struct shape shape)
{
    const struct route *route = part->route;
    const int is_leaf = kernel == KERNEL_PART_LEAF || kernel == KERNEL_PART_CROWDED;
    struct step *step = plan_add(plan, kernel, &route->variant, shape);
    if (!step)
        return NULL;
    step->variant.keeps_order = (kernel == KERNEL_PART_SCATTER || is_leaf) && route->keeps_order;
    step->variant.subgroup = part->tuning->subgroup;
    step->variant.registers = kernel == KERNEL_PART_SCATTER || kernel == KERNEL_PART_DEEP
                                  ? part->tuning->scatter_registers
                              : kernel == KERNEL_PART_LEAF ? part->tuning->leaf_registers
                                                           : 0;
    step->variant.radix_bits = is_leaf ? part->tuning->bin_bits : part->tuning->digit_bits;
    step->num_buffers = PARAM_BUFFERS;
    step->buffers[0] = (struct buffer_ref){BUFFER_KEYS, 0};
    step->buffers[1] = part->keys_to;
    step->buffers[2] = part->route->payload.from;
    step->buffers[3] = part->route->payload.work;
    step->buffers[4] = (struct buffer_ref){BUFFER_SCRATCH, 0};
    step->params.part = part->params;
    step->params_size = sizeof step->params.part;
    return step;
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
    for (int i = 0; i < (p->flags & FLAG_UNORDERED ? 4 : 2); ++i) {
        const param_u64 kept = *pairs[i][0];
        *pairs[i][0] = *pairs[i][1];
        *pairs[i][1] = kept;
    }
}

/* The step before the first level. */
static clsort_status add_begin(struct plan *plan, struct part *part)
{
    const struct shape shape = {part->tuning->scatter.group_size, part->tuning->count_items, 1};
    part->params.digit_bits = part->levels->digit_bits[0];
    struct step *step =
        add(plan, part, part->samples ? KERNEL_PART_SAMPLE : KERNEL_PART_BEGIN, shape);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    const uint64_t segments = part->levels->max_segments[0];
    const uint64_t slots = segments << part->levels->digit_bits[0];
    const uint64_t groups = part->samples ? 1 : ceil_div(slots, shape.group_size);
    const uint64_t units = ((uint64_t)part->route->facts->num_units + 1) * GROUPS_PER_UNIT;
    step->num_groups = groups < units ? groups : units;
    step->local_size = part->samples ? PART_SAMPLE_LOCAL : 0;
    step->variant.payload_size = step->variant.payload_index = 0;
    step->params.part.num_arrays = (uint32_t)segments;
    return part->route->listed ? plan_segments_list(part->route, &part->params, step->buffers, plan)
                               : CLSORT_OK;
}

/* The steps of a level. Bytes are counted for random keys, which need only the first levels. */
static clsort_status add_level(struct plan *plan, struct part *part, uint32_t level)
{
    struct part_params *p = &part->params;
    const uint64_t n = level < part->levels->num_split ? part->route->num_elements : 0;
    const uint32_t key_size = part->route->key_size;
    const uint64_t units = ((uint64_t)part->route->facts->num_units + 1) * GROUPS_PER_UNIT;
    const uint64_t blocks = part->levels->max_blocks[level];
    const int has_cursors = (p->flags & FLAG_UNORDERED) != 0;
    const int is_exact = level == 0 && !part->route->listed;
    const int known = level < 2 && !part->route->listed; /* about as many groups as tasks */
    p->level = level;
    p->digit_bits = part->levels->digit_bits[level];
    p->next_digit_bits =
        level + 1 < part->levels->num_levels ? part->levels->table_bits[level + 1] : 0;
    const struct shape count = {part->tuning->scatter.group_size, part->tuning->count_items, 1};

    struct step *step = add(plan, part, KERNEL_PART_COUNT, count);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    const uint64_t exact = part->route->problem->num_arrays * p->blocks_per_array;
    step->num_groups = is_exact ? exact : known || blocks < units ? blocks : units;
    if (!has_cursors) /* with cursors, the kernel asks whether there is a payload */
        step->variant.payload_size = step->variant.payload_index = 0;
    step->local_size = part->count_local;
    step->bytes_read = n * key_size;

    if (!has_cursors) {
        const uint64_t tasks =
            part->levels->max_segments[level] * ceil_div((uint64_t)1 << p->digit_bits, 32);
        step = add(plan, part, KERNEL_PART_SCAN, count);
        if (!step)
            return CLSORT_ERROR_HOST_MEMORY;
        step->num_groups = tasks < units ? tasks : units;
        step->local_size = tuning_part_scan_local(part->tuning);
        step->variant.payload_size = step->variant.payload_index = 0;
    }

    step = add(plan, part, KERNEL_PART_SCATTER, part->tuning->scatter);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = is_exact ? exact : known || blocks < units ? blocks : units;
    step->local_size = part->scatter_local;
    step->bytes_read = step->bytes_written = n * (key_size + (uint64_t)part->route->payload.size);

    swap_lists(p);
    return CLSORT_OK;
}

/* All levels that random keys do not need, in one launch. */
static clsort_status add_deep(struct plan *plan, struct part *part)
{
    struct part_params *p = &part->params;
    const uint32_t first = part->levels->num_split;
    p->level = first;
    p->next_digit_bits = part->levels->table_bits[first];
    p->num_levels = part->levels->num_levels;
    p->bits_left = part->levels->bits_left[first];
    p->patience = part->tuning->spin_limit;
    struct step *step = add(plan, part, KERNEL_PART_DEEP, part->tuning->scatter);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    const uint64_t most = plan_groups(part->route->facts, part->tuning->groups_per_unit);
    const uint64_t blocks = part->levels->max_blocks[first];
    step->num_groups = blocks < most ? blocks : most;
    step->local_size = (uint32_t)larger(part->count_local, part->scatter_local) + 4;
    return CLSORT_OK;
}

static clsort_status add_leaves(struct plan *plan, struct part *part)
{
    const uint64_t n = part->route->num_elements;
    const uint32_t key_size = part->route->key_size;
    const uint64_t units = 2 * ((uint64_t)part->route->facts->num_units + 1) * GROUPS_PER_UNIT;
    const uint32_t stores_keys = part->route->problem->index_size ? 0 : FLAG_STORE_KEYS;
    const struct msd_tuning *msd = &part->route->msd;
    const int has_bits = part->route->has_bit_leaves;
    const enum kernel_id kernels[] = {has_bits ? KERNEL_MSD_LEAF : KERNEL_PART_LEAF,
                                      KERNEL_PART_CROWDED};
    const uint32_t local_size =
        tuning_part_leaf_local(part->tuning, key_size, part->route->payload.size);
    for (int i = 0; i < 2; ++i) {
        struct step *step =
            add(plan, part, kernels[i], i == 0 && has_bits ? msd->leaf : part->tuning->leaf);
        if (!step)
            return CLSORT_ERROR_HOST_MEMORY;
        const uint64_t most =
            i == 0 ? units : plan_groups(part->route->facts, part->tuning->crowded_per_unit);
        step->num_groups = part->levels->max_leaves < most ? part->levels->max_leaves : most;
        step->params.part.flags |= stores_keys;
        step->local_size = local_size;
        if (i == 0 && has_bits) {
            step->variant.radix_bits = msd->bin_bits;
            step->variant.subgroup = msd->subgroup;
            step->variant.registers = msd->leaf_registers;
            step->local_size = tuning_msd_leaf_local(msd, key_size < 4 ? 4 : key_size);
        }
        if (i == 0) {
            step->bytes_read = n * (key_size + (uint64_t)part->route->payload.size);
            step->bytes_written =
                n * ((stores_keys ? key_size : 0) + (uint64_t)part->route->payload.size);
        }
    }
    return CLSORT_OK;
}

/* The engine for evenly spread keys. What it leaves is listed as if the second level had. */
static clsort_status add_even(struct plan *plan, struct part *part)
{
    if (!route_is_even(part->route))
        return CLSORT_OK;
    struct part_params *p = &part->msd.part;
    *p = part->params;
    p->level = 1;
    swap_lists(p);
    return plan_msd_add(part->route, part->keys_to, &part->msd, plan);
}

static clsort_status add_fallback(struct plan *plan, const struct part *part)
{
    const struct route *route = part->route;
    const uint32_t first_step = plan->num_steps;
    clsort_status status = CLSORT_OK;
    if (route->fallback == FALLBACK_ONESWEEP)
        status = plan_onesweep_add(route, &route->second_tuning.onesweep, part->keys_to,
                                   &part->onesweep, plan);
    else if (route->fallback == FALLBACK_QUICK)
        status = plan_quick_add(route, &part->params, part->params.segments, plan);
    for (uint32_t i = first_step; i < plan->num_steps; ++i)
        plan->steps[i].role = CLSORT_ROLE_FALLBACK;
    return status;
}

clsort_status plan_part(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct part_levels *levels = &route->levels;
    const uint64_t key_bytes = route->num_elements * route->key_size;
    struct part part = {
        .route = route,
        .tuning = &route->tuning.part,
        .levels = levels,
        .count_local = tuning_part_count_local(&route->tuning.part),
        .scatter_local =
            tuning_part_scatter_local(&route->tuning.part, route->key_size, route->payload.size),
    };
    /* An argsort must not write its keys: it sorts copies of them. */
    part.keys_to = problem->index_size ? plan_reserve_buffer(plan, key_bytes)
                                       : (struct buffer_ref){BUFFER_KEYS_OUT, 0};
    part.params = (struct part_params){
        .digits_mask = ~(uint64_t)0 >> (64 - problem->num_bits),
        .count = (uint32_t)problem->count,
        .num_arrays = (uint32_t)problem->num_arrays,
        .blocks_per_array = (uint32_t)ceil_div(problem->count, levels->block_size),
        .block_size = (uint32_t)levels->block_size,
        .num_bits = problem->num_bits,
        .first_bit = problem->first_bit,
        .leaf_size = (uint32_t)levels->leaf_size,
        .leaf_bits = levels->leaf_bits,
        .flags = (problem->in_place && !problem->index_size ? FLAG_IN_PLACE : 0) |
                 (route->keeps_order ? 0 : FLAG_UNORDERED) | (route->listed ? FLAG_LISTED : 0),
    };
    take_tables(&part, plan);
    part.samples = route->fallback || route_is_even(route);
    if (route_is_even(route))
        plan_msd_tables(route, &part.msd, &part.params, plan);
    if (route->fallback)
        part.params.flags |= FLAG_SAMPLES;
    if (route->fallback == FALLBACK_ONESWEEP)
        lay_onesweep(&part, plan);
    const uint32_t first_step = plan->num_steps;
    clsort_status status = add_begin(plan, &part);
    /* The fallback comes before the levels: while it sorts, the host enqueues them, and then they
     * have nothing to do. */
    if (!status)
        status = add_fallback(plan, &part);
    if (!status)
        status = add_even(plan, &part);
    const int has_deep = levels->deep_is_one && levels->num_levels > levels->num_split;
    const uint32_t num_launched = has_deep ? levels->num_split : levels->num_levels;
    for (uint32_t level = 0; level < num_launched && !status; ++level)
        status = add_level(plan, &part, level);
    if (!status && has_deep)
        status = add_deep(plan, &part);
    if (!status)
        status = add_leaves(plan, &part);
    for (uint32_t i = first_step; route->fallback && i < plan->num_steps; ++i) {
        if (plan->steps[i].role != CLSORT_ROLE_FALLBACK)
            plan->steps[i].role = CLSORT_ROLE_MAIN;
    }
    return status;
}
