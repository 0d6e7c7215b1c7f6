/* plan_part.c: steps of radix sort from the most significant digit down (cl/part.h): two or three launches a
 * level, and two for the leaves. The first levels have as many digits as make leaves of random keys;
 * those after them, until no bit is left, find work only where keys crowd. */
#include "route.h"

#define GROUPS_PER_UNIT 16 /* where the number of tasks is not known: a few rounds' worth */
#define LEAF_FILL 90 /* percent of a leaf's room that random keys fill on the average, at most */

struct part {
    const struct device_facts *facts;
    const struct problem *problem;
    const struct payload *payload;
    struct part_tuning tuning;
    struct part_levels levels;
    struct part_params params;
    struct buffer_ref keys_to, payload_to; /* PART_OUT */
    enum skew_fallback fallback;
    uint64_t tables; /* where the fallback's may begin in scratch */
    struct onesweep_params onesweep;
};

/* Whether all levels that random keys do not need are one launch: not where places by votes take a step more, between
 * counting and scattering. */
static int deep_is_one(const struct part *part)
{
    return part->tuning.groups_per_unit && !payload_keeps_order(part->problem, part->payload);
}

static uint64_t leaf_size(const struct part *part)
{
    return shape_slots(part->tuning.leaf);
}

/* As many bits as leave leaves of random keys, dealt evenly to levels; then what is left. */
static void cut_levels(struct part *part)
{
    const struct problem *problem = part->problem;
    const uint32_t most = part->tuning.digit_bits;
    const uint64_t room = leaf_size(part) * LEAF_FILL / 100;
    uint32_t wanted = ceil_log2(ceil_div(problem->count, room ? room : 1));
    if (problem->num_bits > part->levels.leaf_bits &&
        wanted < problem->num_bits - part->levels.leaf_bits)
        wanted = problem->num_bits - part->levels.leaf_bits;
    if (wanted > problem->num_bits)
        wanted = problem->num_bits;
    if (wanted == 0)
        wanted = 1;
    uint32_t left = problem->num_bits;
    part->levels.num_split = (uint32_t)ceil_div(wanted, most);
    for (uint32_t i = 0; i < part->levels.num_split; ++i) {
        part->levels.digit_bits[i] = (uint32_t)ceil_div(wanted, part->levels.num_split - i);
        wanted -= part->levels.digit_bits[i];
        left -= part->levels.digit_bits[i];
    }
    part->levels.num_levels = part->levels.num_split;
    const uint32_t deep =
        deep_is_one(part) && most > part->tuning.deep_bits ? part->tuning.deep_bits : most;
    while (left > 0) {
        const uint32_t bits = left < deep ? left : deep;
        part->levels.digit_bits[part->levels.num_levels++] = bits;
        left -= bits;
    }
}

/* Bits that the levels before this one leave. */
static uint32_t bits_left(const struct part *part, uint32_t level)
{
    uint32_t left = part->problem->num_bits;
    for (uint32_t i = 0; i < level; ++i)
        left -= part->levels.digit_bits[i];
    return left;
}

/* Of a level's digits; deep ones take what the tables have room for. */
static uint32_t wanted_bits(const struct part *part, uint32_t level)
{
    const uint32_t most = part->tuning.digit_bits;
    if (level < part->levels.num_split || !deep_is_one(part))
        return part->levels.digit_bits[level];
    const uint32_t left = bits_left(part, level);
    return left < most ? left : most;
}

/* How long the lists can become. A segment is larger than a leaf, or its bits are too many for one. Leaves:
 * of a level, two begin at least half a leaf apart, or one of them is larger than half of one or has
 * a segment beside it; copies are whole leaves but for a segment's last. */
static void bound_lists(struct part *part)
{
    const uint64_t n = num_elements(part->problem);
    const uint64_t by_size = n / (leaf_size(part) + 1);
    uint32_t left = part->problem->num_bits;
    part->levels.max_segments[0] = part->problem->num_arrays;
    part->levels.max_leaves = 8 * ceil_div(n, leaf_size(part)) + 2 * part->levels.max_segments[0];
    for (uint32_t i = 0; i < part->levels.num_levels; ++i) {
        const uint64_t digits = part->levels.max_segments[i] << wanted_bits(part, i);
        const uint64_t most = digits < n ? digits : n;
        if (left > part->levels.leaf_bits)
            part->levels.max_leaves += most;
        left -= part->levels.digit_bits[i];
        part->levels.max_segments[i + 1] =
            left > part->levels.leaf_bits || most < by_size ? most : by_size;
        part->levels.max_leaves += 2 * part->levels.max_segments[i + 1];
        if (part->levels.max_segments[i + 1] == 0)
            part->levels.num_levels = i + 1;
    }
}

static uint64_t max_blocks(const struct part *part, uint32_t level)
{
    return num_elements(part->problem) / part->levels.block_size + part->levels.max_segments[level];
}

/* Kernels find a digit of a block, or of a segment, by a number of 32 bits. */
static int tables_are_small(const struct part *part)
{
    for (uint32_t i = 0; i < part->levels.num_levels; ++i) {
        if (max_blocks(part, i) > UINT32_MAX >> part->levels.digit_bits[i])
            return 0;
    }
    return part->levels.max_leaves <= UINT32_MAX;
}

int plan_part_cut(const struct problem *problem, const struct payload *payload,
                  const struct part_tuning *tuning, struct part_levels *levels_ret)
{
    struct part part = {.problem = problem, .payload = payload, .tuning = *tuning};
    part.levels.block_size = shape_slots(tuning->scatter) * tuning->block_tiles;
    part.levels.leaf_bits = payload->size ? 64 - PART_SLOT_BITS : 64;
    cut_levels(&part);
    bound_lists(&part);
    *levels_ret = part.levels;
    return tables_are_small(&part);
}

static uint64_t take(struct plan *plan, uint64_t size)
{
    return plan_take_scratch(plan, size).offset;
}

/* Tables that every level uses anew, or every second one. */
static void take_tables(const struct route *route, struct part *part, struct plan *plan)
{
    struct part_params *p = &part->params;
    uint64_t segments = 0, blocks = 0, counts = 0, totals = 0;
    for (uint32_t i = 0; i < part->levels.num_levels; ++i) {
        const uint64_t s = part->levels.max_segments[i], b = max_blocks(part, i);
        segments = s > segments ? s : segments;
        blocks = b > blocks ? b : blocks;
        counts =
            b << part->levels.digit_bits[i] > counts ? b << part->levels.digit_bits[i] : counts;
        totals =
            s << part->levels.digit_bits[i] > totals ? s << part->levels.digit_bits[i] : totals;
    }
    p->control = take(plan, sizeof(struct part_control));
    part->tables = take(plan, 0);
    p->segments = take(plan, segments * sizeof(struct part_segment));
    p->next_segments = take(plan, segments * sizeof(struct part_segment));
    p->owners = take(plan, blocks * 4);
    p->next_owners = take(plan, blocks * 4);
    p->max_totals = (uint32_t)(totals < UINT32_MAX ? totals : UINT32_MAX);
    p->totals = take(plan, totals * 4);
    p->seen = take(plan, segments * sizeof(struct part_seen));
    if (p->flags & FLAG_CURSORS) {
        p->next_totals = take(plan, totals * 4);
        p->cursors = take(plan, totals * 4);
        p->next_seen = take(plan, segments * sizeof(struct part_seen));
    } else {
        p->counts = take(plan, counts * 4);
        p->blocks = take(plan, blocks * sizeof(struct part_seen));
    }
    p->leaves = take(plan, part->levels.max_leaves * sizeof(struct part_leaf));
    p->crowded = take(plan, part->levels.max_leaves * 4);
    if (part->fallback)
        p->flags |= FLAG_SAMPLES;
    if (part->fallback != FALLBACK_ONESWEEP)
        return;
    /* Either form's tables are needed; part_control is apart from both. */
    struct onesweep_params *onesweep = &part->onesweep;
    const uint64_t size =
        plan_onesweep_tables(route, &route->second_tuning.onesweep, part->tables, onesweep);
    const uint64_t end = take(plan, 0);
    if (part->tables + size > end)
        take(plan, part->tables + size - end);
    onesweep->flags |= FLAG_SAMPLES;
    onesweep->parting = p->control;
    onesweep->work_keys = p->work_keys;
    onesweep->work_payload = p->work_payload;
    p->onesweep = onesweep->control;
    p->onesweep_size = (uint32_t)(onesweep->words - onesweep->control);
}

static struct step *add(struct plan *plan, const struct part *part, enum kernel_id kernel,
                        struct shape shape)
{
    struct step *step = plan_add(plan);
    if (!step)
        return NULL;
    const struct problem *problem = part->problem;
    const int is_leaf = kernel == KERNEL_PART_LEAF || kernel == KERNEL_PART_CROWDED;
    step->kernel = kernel;
    step->variant = payload_variant(problem, part->payload);
    step->variant.key_first_bit = 0; /* parameters say which bits */
    step->variant.key_num_bits = problem->type->bits;
    step->variant.group_size = shape.group_size;
    step->variant.items = shape.items;
    step->variant.lanes = 1;
    step->variant.keeps_order =
        (kernel == KERNEL_PART_SCATTER || is_leaf) && payload_keeps_order(problem, part->payload);
    step->variant.subgroup = part->tuning.subgroup;
    step->variant.registers = kernel == KERNEL_PART_SCATTER || kernel == KERNEL_PART_DEEP
                                  ? part->tuning.scatter_registers
                              : kernel == KERNEL_PART_LEAF ? part->tuning.leaf_registers
                                                           : 0;
    step->variant.radix_bits = is_leaf ? part->tuning.bin_bits : part->tuning.digit_bits;
    step->num_buffers = PARAM_BUFFERS;
    step->buffers[0] = (struct buffer_ref){BUFFER_KEYS, 0};
    step->buffers[1] = part->keys_to;
    step->buffers[2] = part->payload->from;
    step->buffers[3] = part->payload_to;
    step->buffers[4] = (struct buffer_ref){BUFFER_SCRATCH, 0};
    step->params.part = part->params;
    step->params_size = sizeof step->params.part;
    return step;
}

static void exchange(param_u64 *a, param_u64 *b)
{
    const param_u64 kept = *a;
    *a = *b;
    *b = kept;
}

/* The step before the first level. */
static clsort_status add_begin(struct plan *plan, struct part *part)
{
    const struct shape shape = {part->tuning.scatter.group_size, part->tuning.count_items, 1};
    part->params.digit_bits = part->levels.digit_bits[0];
    struct step *step =
        add(plan, part, part->fallback ? KERNEL_PART_SAMPLE : KERNEL_PART_BEGIN, shape);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    const uint64_t slots = part->problem->num_arrays << part->levels.digit_bits[0];
    const uint64_t groups = part->fallback ? 1 : ceil_div(slots, shape.group_size);
    const uint64_t units = ((uint64_t)part->facts->num_units + 1) * GROUPS_PER_UNIT;
    step->num_groups = groups < units ? groups : units;
    step->local_size = part->fallback ? PART_SAMPLE_LOCAL : 0;
    step->variant.payload_size = step->variant.payload_index = 0;
    return CLSORT_OK;
}

/* The steps of a level. What they read and write is told of random keys: nothing on levels that
 * those do not need. */
static clsort_status add_level(struct plan *plan, struct part *part, uint32_t level)
{
    struct part_params *p = &part->params;
    const uint64_t n = level < part->levels.num_split ? num_elements(part->problem) : 0;
    const uint32_t key_size = problem_key_size(part->problem);
    const uint64_t units = ((uint64_t)part->facts->num_units + 1) * GROUPS_PER_UNIT;
    const uint64_t blocks = max_blocks(part, level);
    const int has_cursors = (p->flags & FLAG_CURSORS) != 0;
    const int known = level < 2; /* not more groups than tasks, about */
    p->level = level;
    p->digit_bits = part->levels.digit_bits[level];
    p->next_digit_bits = level + 1 < part->levels.num_levels ? wanted_bits(part, level + 1) : 0;
    const struct shape count = {part->tuning.scatter.group_size, part->tuning.count_items, 1};

    struct step *step = add(plan, part, KERNEL_PART_COUNT, count);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    const uint64_t exact = part->problem->num_arrays * p->blocks_per_array;
    step->num_groups = level == 0 ? exact : known || blocks < units ? blocks : units;
    if (!has_cursors) /* it decides whether keys are all that there is */
        step->variant.payload_size = step->variant.payload_index = 0;
    step->local_size = tuning_part_count_local(&part->tuning);
    step->bytes_read = n * key_size;

    if (!has_cursors) {
        const uint64_t tasks =
            part->levels.max_segments[level] * ceil_div((uint64_t)1 << p->digit_bits, 32);
        step = add(plan, part, KERNEL_PART_SCAN, count);
        if (!step)
            return CLSORT_ERROR_HOST_MEMORY;
        step->num_groups = tasks < units ? tasks : units;
        step->local_size = tuning_part_scan_local(&part->tuning);
        step->variant.payload_size = step->variant.payload_index = 0;
    }

    step = add(plan, part, KERNEL_PART_SCATTER, part->tuning.scatter);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = level == 0 ? exact : known || blocks < units ? blocks : units;
    step->local_size = tuning_part_scatter_local(&part->tuning, key_size, part->payload->size);
    step->bytes_read = step->bytes_written = n * (key_size + (uint64_t)part->payload->size);

    exchange(&p->segments, &p->next_segments);
    exchange(&p->owners, &p->next_owners);
    if (p->flags & FLAG_CURSORS) {
        exchange(&p->totals, &p->next_totals);
        exchange(&p->seen, &p->next_seen);
    }
    return CLSORT_OK;
}

/* All levels that random keys do not need. */
static clsort_status add_deep(struct plan *plan, struct part *part)
{
    struct part_params *p = &part->params;
    const uint32_t first = part->levels.num_split;
    p->level = first;
    p->next_digit_bits = wanted_bits(part, first);
    p->num_levels = part->levels.num_levels;
    p->bits_left = bits_left(part, first);
    p->patience = part->tuning.patience;
    struct step *step = add(plan, part, KERNEL_PART_DEEP, part->tuning.scatter);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    const uint64_t most = plan_groups(part->facts, part->tuning.groups_per_unit);
    const uint64_t blocks = max_blocks(part, first);
    const uint32_t count = tuning_part_count_local(&part->tuning);
    const uint32_t scatter =
        tuning_part_scatter_local(&part->tuning, problem_key_size(part->problem),
                                  part->payload->size);
    step->num_groups = blocks < most ? blocks : most;
    step->local_size = (count > scatter ? count : scatter) + 4;
    return CLSORT_OK;
}

static clsort_status add_leaves(struct plan *plan, struct part *part)
{
    const uint64_t n = num_elements(part->problem);
    const uint32_t key_size = problem_key_size(part->problem);
    const uint64_t units = 2 * ((uint64_t)part->facts->num_units + 1) * GROUPS_PER_UNIT;
    const uint32_t stores_keys = part->problem->index_size ? 0 : FLAG_STORE_KEYS;
    static const enum kernel_id kernels[] = {KERNEL_PART_LEAF, KERNEL_PART_CROWDED};
    for (int i = 0; i < 2; ++i) {
        struct step *step = add(plan, part, kernels[i], part->tuning.leaf);
        if (!step)
            return CLSORT_ERROR_HOST_MEMORY;
        const uint64_t most =
            i == 0 ? units : plan_groups(part->facts, part->tuning.crowded_per_unit);
        step->num_groups = part->levels.max_leaves < most ? part->levels.max_leaves : most;
        step->params.part.flags |= stores_keys;
        step->local_size = tuning_part_leaf_local(&part->tuning, key_size, part->payload->size);
        if (i == 0) {
            step->bytes_read = n * (key_size + (uint64_t)part->payload->size);
            step->bytes_written =
                n * ((stores_keys ? key_size : 0) + (uint64_t)part->payload->size);
        }
    }
    return CLSORT_OK;
}

static clsort_status add_fallback(struct plan *plan, const struct route *route,
                                  const struct part *part)
{
    if (part->fallback == FALLBACK_ONESWEEP)
        return plan_onesweep_add(route, &route->second_tuning.onesweep, part->keys_to,
                                 &part->onesweep, plan);
    return part->fallback == FALLBACK_QUICK
               ? plan_quick_add(route, &part->params, part->tables, plan)
               : CLSORT_OK;
}

clsort_status plan_part(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct payload *payload = &route->payload;
    const uint32_t key_size = problem_key_size(problem);
    struct part part = {
        .facts = route->facts,
        .problem = problem,
        .payload = payload,
        .tuning = route->tuning.part,
        .levels = route->levels,
        .fallback = route->fallback,
    };
    const uint64_t key_bytes = num_elements(problem) * key_size;
    /* An argsort's keys are not to be written: it has two more copies of them. */
    part.keys_to = problem->index_size ? plan_take_scratch(plan, key_bytes)
                                       : (struct buffer_ref){BUFFER_KEYS_OUT, 0};
    part.payload_to = payload->work;
    part.params = (struct part_params){
        .digits_mask = ~(uint64_t)0 >> (64 - problem->num_bits),
        .count = (uint32_t)problem->count,
        .num_arrays = (uint32_t)problem->num_arrays,
        .blocks_per_array = (uint32_t)ceil_div(problem->count, part.levels.block_size),
        .block_size = (uint32_t)part.levels.block_size,
        .num_bits = problem->num_bits,
        .first_bit = problem->first_bit,
        .leaf_size = (uint32_t)leaf_size(&part),
        .leaf_bits = part.levels.leaf_bits,
        .flags = (problem->in_place && !problem->index_size ? FLAG_IN_PLACE : 0) |
                 (payload_keeps_order(problem, payload) ? 0 : FLAG_CURSORS),
    };
    part.params.work_keys =
        take(plan, key_bytes); /* these two next to one another, for onesweep.h */
    part.params.work_payload = take(plan, num_elements(problem) * payload->size);
    take_tables(route, &part, plan);
    clsort_status status = add_begin(plan, &part);
    /* Before the levels, which then have nothing to do: the host tells the device so while it sorts. */
    if (!status)
        status = add_fallback(plan, route, &part);
    const int has_deep = deep_is_one(&part) && part.levels.num_levels > part.levels.num_split;
    const uint32_t num_launched = has_deep ? part.levels.num_split : part.levels.num_levels;
    for (uint32_t level = 0; level < num_launched && !status; ++level)
        status = add_level(plan, &part, level);
    if (!status && has_deep)
        status = add_deep(plan, &part);
    return status ? status : add_leaves(plan, &part);
}
