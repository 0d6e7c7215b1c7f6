/* plan_quick.c: steps of partition quicksort (cl/quick.h). A level is four launches, or all levels
 * are one where another sort comes first; the leaves are one. Merges follow: a launch for each pass that a segment of any size could need, or one for all
 * passes. They are for samples that mislead; with random elements they find next to nothing to do.
 * */
#include "route.h"

#define GROUPS_PER_UNIT 16 /* if the number of tasks is not known: enough for a few rounds */
#define MERGERS_PER_UNIT 4
#define MAX_PARTS 8
#define SAMPLES 32        /* for as many buckets as fill a leaf */
#define BLOCKS_PER_UNIT 4 /* at least, if that leaves whole tiles */

struct quick {
    const struct route *route;
    const struct device_facts *facts;
    const struct problem *problem;
    const struct payload *payload;
    const struct quick_tuning *tuning;
    struct step first; /* what all steps have in common */
    uint64_t leaf_size;
    uint32_t compared_size; /* bytes of an item where drop_payload() has taken the payload away */
    uint32_t sort_local;    /* bytes of local memory */
    int keeps_order;
    int is_second; /* most often another sort, or the tiles of segments, do all the work */
    uint32_t num_levels;
    uint32_t num_passes; /* of merging */
    uint64_t bucket_size[QUICK_LEVELS];
    uint64_t max_segments[QUICK_LEVELS + 1];
    uint64_t max_buckets[QUICK_LEVELS];
    uint64_t max_leaves;
};

/* base^exponent, or a number above the limit. */
static uint64_t power(uint64_t base, uint32_t exponent, uint64_t limit)
{
    uint64_t result = 1;
    while (exponent-- > 0 && result <= limit)
        result *= base;
    return result;
}

/* Use the fewest levels whose buckets fit in a leaf. Then shrink the buckets, to no less than an
 * eighth of a leaf, so that several fill it. All levels make about as many buckets. */
static void cut_levels(struct quick *quick)
{
    const uint64_t count = quick->problem->count;
    const uint64_t room = quick->leaf_size;
    const uint64_t most = (uint64_t)1 << quick->tuning->bucket_bits;
    if (count <= room)
        return;
    uint32_t parts = 2; /* a bucket is to be this part of a leaf */
    uint32_t levels = 1;
    while (levels < QUICK_LEVELS && power(most, levels, count) * room < count * parts)
        ++levels;
    while (parts < MAX_PARTS && 2 * parts <= room &&
           power(most, levels, count) * room >= count * parts * 2)
        parts *= 2;
    const uint64_t target = room >= parts ? room / parts : 1;
    const uint64_t wanted = ceil_div(count, target);
    /* The fewest buckets on each level that give the wanted number on the last. */
    uint64_t buckets = most, too_few = 1;
    while (buckets - too_few > 1) {
        const uint64_t middle = (buckets + too_few) / 2;
        if (power(middle, levels, wanted) < wanted)
            too_few = middle;
        else
            buckets = middle;
    }
    uint64_t size = target;
    for (uint32_t i = levels; i-- > 0; size *= buckets)
        quick->bucket_size[i] = size < count ? size : count;
    quick->num_levels = levels;
    quick->num_passes = ceil_log2(ceil_div(count, room));
    /* Buckets up to three times as large as wanted share a leaf, if that still fits. */
    quick->first.params.quick.small_size =
        (uint32_t)(parts == MAX_PARTS ? 3 * target : parts / 2 * target);
    /* The fewer buckets fill a leaf, the better their pivots have to be. */
    quick->first.params.quick.samples_per_bucket = SAMPLES / parts;
}

static uint64_t wanted_buckets(const struct quick *quick, uint64_t size, uint64_t bucket_size)
{
    const uint64_t most = (uint64_t)1 << quick->tuning->bucket_bits;
    const uint64_t wanted = ceil_div(size, bucket_size);
    return wanted < 2 ? 2 : smaller(wanted, most);
}

/* How long the lists can become. All segments except the arrays are larger than a leaf. A level's
 * leaf is a bucket that is not small, or the first of its cell, or one behind a bucket that is not
 * small. Copies and pieces have a leaf's size, except the last of a bucket. */
static void bound_lists(struct quick *quick)
{
    const uint64_t n = quick->route->num_elements;
    const uint64_t by_size = n / (quick->leaf_size + 1);
    const uint64_t cells = ceil_div(n, quick->leaf_size - quick->first.params.quick.small_size);
    quick->max_segments[0] = quick->problem->num_arrays;
    quick->max_leaves =
        2 * (n / quick->first.params.quick.small_size) + 2 * ceil_div(n, quick->leaf_size);
    for (uint32_t i = 0; i < quick->num_levels; ++i) {
        const uint64_t segments = quick->max_segments[i];
        const uint64_t one =
            wanted_buckets(quick, i == 0 ? quick->problem->count : n, quick->bucket_size[i]);
        quick->max_buckets[i] = segments * one;
        if (i > 0 && n / quick->bucket_size[i] + 2 * segments < quick->max_buckets[i])
            quick->max_buckets[i] = n / quick->bucket_size[i] + 2 * segments;
        quick->max_segments[i + 1] = by_size;
        quick->max_leaves += cells + 2 * segments + by_size;
    }
}

static uint64_t max_blocks(const struct quick *quick, uint32_t level)
{
    const uint64_t n = quick->route->num_elements;
    const uint64_t size =
        level < quick->num_levels ? quick->first.params.quick.block_size : quick->leaf_size;
    return n / size + quick->max_segments[level];
}

/* A comparison that the caller wrote may be no order. */
static int may_be_no_order(const struct quick *quick)
{
    return quick->problem->record_size && quick->problem->num_members == 0;
}

static void take_tables(struct quick *quick, struct plan *plan)
{
    struct quick_params *p = &quick->first.params.quick;
    uint64_t segments = 0, blocks = 0, buckets = 0;
    for (uint32_t i = 0; i <= quick->num_levels; ++i) {
        const uint64_t s = quick->max_segments[i], b = max_blocks(quick, i);
        segments = s > segments ? s : segments;
        blocks = b > blocks ? b : blocks;
        if (i < quick->num_levels && quick->max_buckets[i] > buckets)
            buckets = quick->max_buckets[i];
    }
    const struct table tables[] = {
        {&p->control, quick->is_second ? 0 : sizeof(struct quick_control)},
        {&p->segments, segments * sizeof(struct quick_segment)},
        {&p->next_segments, segments * sizeof(struct quick_segment)},
        {&p->owners, blocks * 4},
        {&p->next_owners, blocks * 4},
        {&p->pivots, buckets * quick->route->item_size + QUICK_ALIGNMENT},
        {&p->marks, buckets * 4},
        {&p->totals, buckets * 4},
        {&p->cursors, buckets * 4},
        {&p->ids, quick->route->num_elements * (quick->tuning->bucket_bits > 8 ? 2 : 1)},
        {&p->leaves, quick->max_leaves * sizeof(struct quick_leaf)},
    };
    plan_reserve_tables(plan, tables, sizeof tables / sizeof *tables);
    if (may_be_no_order(quick))
        p->splits = plan_reserve(plan, blocks * 4);
}

static uint64_t groups_for(const struct quick *quick, uint64_t tasks)
{
    return smaller(tasks, ((uint64_t)quick->facts->num_units + 1) * GROUPS_PER_UNIT);
}

/* What a step does with random elements. A fallback does nothing with them. */
static void account(struct step *step, const struct quick *quick, uint64_t compares, uint64_t read,
                    uint64_t written)
{
    if (quick->is_second)
        return;
    step->compares = compares;
    step->bytes_read = read;
    step->bytes_written = written;
}

/* If no index settles ties, the keys alone decide, and what moves with them is not read. */
static void drop_payload(struct step *step, const struct quick *quick)
{
    if (!quick->keeps_order)
        step->variant.payload_size = step->variant.payload_index = 0;
}

/* The kernel compares nothing: all types of a size share it, ascending and descending. */
static void drop_order(struct step *step)
{
    step->variant.keeps_order = 0;
    step->variant.key_signed = step->variant.key_mantissa = step->variant.key_descending = 0;
    step->variant.key_first_bit = 0;
    step->variant.key_num_bits = step->variant.key_bits;
}

static void exchange(param_u64 *a, param_u64 *b)
{
    const param_u64 kept = *a;
    *a = *b;
    *b = kept;
}

/* Sees no keys, so all types share it. Work-groups shrink until local memory holds its tables. */
static clsort_status add_cursors(struct plan *plan, const struct quick *quick, uint64_t num_groups)
{
    const struct quick_tuning *tuning = quick->tuning;
    struct shape shape = {tuning->move.group_size, 1, 1};
    uint32_t local_size = tuning_quick_cursors_local(shape.group_size, tuning->bucket_bits);
    while (local_size > quick->facts->local_size && shape.group_size > 1) {
        shape.group_size /= 2;
        local_size = tuning_quick_cursors_local(shape.group_size, tuning->bucket_bits);
    }
    struct step *step = plan_add(plan, KERNEL_QUICK_CURSORS, &quick->first, shape);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = num_groups;
    step->local_size = local_size;
    if (tuning->subgroup && shape.group_size % tuning->subgroup)
        step->variant.subgroup = 0;
    step->variant.payload_size = step->variant.payload_index = 0;
    step->variant.record_size = step->variant.record_text = 0;
    step->variant.key_bits = 32;
    drop_order(step);
    return CLSORT_OK;
}

/* The four steps of a level. Bytes are counted for random elements, which stay in the sort to the
 * last level. */
static clsort_status add_level(struct plan *plan, struct quick *quick, uint32_t level)
{
    struct quick_params *p = &quick->first.params.quick;
    const struct quick_tuning *tuning = quick->tuning;
    const uint64_t n = quick->route->num_elements;
    const uint32_t key_size = quick->route->key_size;
    const uint32_t id_size = tuning->bucket_bits > 8 ? 2 : 1;
    const uint64_t size = key_size + (uint64_t)quick->payload->size;
    const uint64_t segment_groups = groups_for(quick, quick->max_segments[level]);
    const int is_last = level + 1 == quick->num_levels;
    p->level = level;
    p->bucket_size = (uint32_t)quick->bucket_size[level];
    p->next_bucket_size = is_last ? 0 : (uint32_t)quick->bucket_size[level + 1];
    p->next_block_size = is_last ? p->leaf_size : p->block_size;
    const uint64_t first_blocks = quick->problem->num_arrays * p->blocks_per_array;
    const int is_known = level == 0 && !(p->flags & FLAG_SAMPLES); /* else mostly none */
    const uint64_t blocks =
        is_known ? first_blocks
                 : groups_for(quick, level == 0 ? first_blocks : max_blocks(quick, level));
    const uint32_t depth = ceil_log2(
        wanted_buckets(quick, level == 0 ? quick->problem->count : quick->bucket_size[level - 1],
                       quick->bucket_size[level]));

    struct step *step = plan_add(plan, KERNEL_QUICK_SAMPLE, &quick->first, tuning->sample);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = segment_groups;
    drop_payload(step, quick);
    step->local_size = tuning_quick_sample_local(tuning, quick->compared_size);

    step = plan_add(plan, KERNEL_QUICK_COUNT, &quick->first, tuning->count);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = blocks;
    drop_payload(step, quick);
    step->local_size = (quick->compared_size + 8) << tuning->bucket_bits;
    account(step, quick, n * (depth + 1), n * key_size, n * id_size);

    if (add_cursors(plan, quick, segment_groups))
        return CLSORT_ERROR_HOST_MEMORY;

    step = plan_add(plan, KERNEL_QUICK_SCATTER, &quick->first, tuning->move);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = blocks;
    drop_order(step);
    step->local_size = tuning_quick_move_local(tuning, quick->route->item_size);
    account(step, quick, 0, n * (size + id_size), n * size);
    exchange(&p->segments, &p->next_segments);
    exchange(&p->owners, &p->next_owners);
    return CLSORT_OK;
}

/* Local memory of all levels in one launch, in the shape of what moves elements; 0: each level has
 * launches of its own. */
static uint32_t levels_local(const struct quick *quick)
{
    struct quick_tuning as_moves = *quick->tuning;
    const uint32_t item_size = quick->route->item_size;
    as_moves.sample = as_moves.move;
    const uint64_t parts[] = {
        tuning_quick_sample_local(&as_moves, item_size),
        (uint64_t)(item_size + 8) << as_moves.bucket_bits,
        tuning_quick_cursors_local(as_moves.move.group_size, as_moves.bucket_bits),
        tuning_quick_move_local(&as_moves, item_size),
    };
    uint64_t most = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        most = larger(most, parts[i]);
    most += sizeof(struct quick_params) + QUICK_ALIGNMENT; /* and what all steps have */
    return as_moves.levels_per_unit && most <= quick->facts->local_size ? (uint32_t)most : 0;
}

static clsort_status add_levels_at_once(struct plan *plan, struct quick *quick, uint32_t local_size)
{
    struct quick_params *p = &quick->first.params.quick;
    const struct quick_tuning *tuning = quick->tuning;
    p->spin_limit = tuning->spin_limit;
    p->num_levels = quick->num_levels;
    for (uint32_t i = 0; i < quick->num_levels; ++i)
        p->bucket_sizes[i] = (uint32_t)quick->bucket_size[i];
    struct step *step = plan_add(plan, KERNEL_QUICK_LEVELS, &quick->first, tuning->move);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = plan_groups(quick->facts, tuning->levels_per_unit);
    step->variant.registers = tuning->levels_registers;
    step->local_size = local_size;
    for (uint32_t i = 0; i < quick->num_levels; ++i) {
        exchange(&p->segments, &p->next_segments);
        exchange(&p->owners, &p->next_owners);
    }
    return CLSORT_OK;
}

static uint32_t store_flags(const struct quick *quick)
{
    return (quick->problem->index_size ? 0 : FLAG_STORE_KEYS) |
           (quick->payload->size ? FLAG_STORE_PAYLOAD : 0);
}

static clsort_status add_leaves(struct plan *plan, struct quick *quick)
{
    const struct problem *problem = quick->problem;
    const uint64_t n = quick->route->num_elements;
    const uint64_t size = quick->route->key_size + (uint64_t)quick->payload->size;
    quick->first.params.quick.level = quick->num_levels;
    quick->first.params.quick.flags = store_flags(quick);
    const uint64_t rounds = quick->route->listed ? 1 : 4; /* most often lists are empty */
    const uint64_t leaves =
        quick->num_levels ? groups_for(quick, quick->max_leaves) * rounds : problem->num_arrays;
    struct step *step = plan_add(plan, KERNEL_QUICK_LEAF, &quick->first, quick->tuning->sort);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = leaves;
    step->variant.registers = quick->tuning->sort_registers;
    step->local_size = quick->sort_local;
    account(step, quick, n * ceil_log2(smaller(problem->count, quick->leaf_size)), n * size,
            n * size);
    return CLSORT_OK;
}

static clsort_status add_merges(struct plan *plan, struct quick *quick)
{
    /* Long segments are to be expected, and quick_rest.cl gives each one work-group. */
    const uint64_t rest_max = quick->route->listed ? 0 : quick->tuning->rest_max;
    if (quick->num_passes && quick->route->num_elements <= rest_max) {
        struct step *step = plan_add(plan, KERNEL_QUICK_REST, &quick->first, quick->tuning->sort);
        if (!step)
            return CLSORT_ERROR_HOST_MEMORY;
        step->num_groups = groups_for(quick, quick->max_segments[quick->num_levels]);
        step->local_size = quick->sort_local;
        return CLSORT_OK;
    }
    if (quick->num_passes && quick->tuning->groups_per_unit) {
        const uint64_t tiles = max_blocks(quick, quick->num_levels);
        quick->first.params.quick.spin_limit = quick->tuning->spin_limit;
        struct step *step = plan_add(plan, KERNEL_QUICK_MERGES, &quick->first, quick->tuning->sort);
        if (!step)
            return CLSORT_ERROR_HOST_MEMORY;
        step->num_groups =
            smaller(tiles, plan_groups(quick->facts, quick->tuning->groups_per_unit));
        step->local_size = quick->sort_local + 4;
        return CLSORT_OK;
    }
    /* A launch without work takes less time the smaller it is. */
    const uint64_t blocks = smaller(max_blocks(quick, quick->num_levels),
                                    ((uint64_t)quick->facts->num_units + 1) * MERGERS_PER_UNIT);
    for (uint32_t left = quick->num_passes; left > 0; --left) {
        quick->first.params.quick.passes_left = left;
        const struct shape shape = quick->tuning->sort;
        struct step *step;
        if (may_be_no_order(quick)) {
            step = plan_add(plan, KERNEL_QUICK_SPLIT, &quick->first, shape);
            if (!step)
                return CLSORT_ERROR_HOST_MEMORY;
            step->num_groups = ceil_div(blocks, shape.group_size);
        }
        step = plan_add(plan, KERNEL_QUICK_MERGE, &quick->first, shape);
        if (!step)
            return CLSORT_ERROR_HOST_MEMORY;
        step->num_groups = blocks;
        step->local_size = quick->sort_local;
    }
    return CLSORT_OK;
}

/* What all steps have in common, and how an array is cut. */
static void begin(struct quick *quick)
{
    const struct problem *problem = quick->problem;
    const struct quick_tuning *tuning = quick->tuning;
    const struct payload none = {0};
    const uint64_t n = quick->route->num_elements;
    const uint64_t tile = shape_slots(tuning->move);
    const uint64_t share = n / (((uint64_t)quick->facts->num_units + 1) * BLOCKS_PER_UNIT) / tile;
    const uint64_t tiles = share < 1 ? 1 : smaller(share, tuning->block_tiles);
    struct step *first = &quick->first;
    quick->leaf_size = shape_slots(tuning->sort);
    quick->keeps_order = quick->payload->is_index;
    quick->compared_size =
        quick->keeps_order ? quick->route->item_size : payload_item_size(problem, &none);
    quick->sort_local = tuning_quick_sort_local(tuning, quick->route->item_size);
    first->variant = quick->route->variant;
    /* A main sort before this one knows its bits as a parameter; this one knows them by its
     * variant. */
    first->variant.key_first_bit = problem->first_bit;
    first->variant.key_num_bits = problem->num_bits;
    first->variant.radix_bits = tuning->bucket_bits;
    first->variant.keeps_order = (uint32_t)quick->keeps_order;
    first->variant.subgroup = tuning->subgroup;
    first->num_buffers = PARAM_BUFFERS;
    first->buffers[0] = (struct buffer_ref){BUFFER_KEYS, 0};
    first->buffers[1] = (struct buffer_ref){BUFFER_KEYS_OUT, 0};
    first->buffers[2] = quick->payload->from;
    first->buffers[3] = quick->payload->work;
    first->params_size = sizeof first->params.quick;
    first->params.quick = (struct quick_params){
        .count = (uint32_t)problem->count,
        .num_arrays = (uint32_t)problem->num_arrays,
        .block_size = (uint32_t)(tile * tiles),
        .blocks_per_array = (uint32_t)ceil_div(problem->count, tile * tiles),
        .leaf_size = (uint32_t)quick->leaf_size,
    };
    cut_levels(quick);
    if (quick->num_levels) /* else there are no tables */
        first->buffers[4] = (struct buffer_ref){BUFFER_SCRATCH, 0};
}

static clsort_status add_steps(struct plan *plan, struct quick *quick)
{
    const uint32_t at_once = quick->is_second ? levels_local(quick) : 0;
    clsort_status status = at_once ? add_levels_at_once(plan, quick, at_once) : CLSORT_OK;
    for (uint32_t level = 0; level < quick->num_levels && !at_once && !status; ++level)
        status = add_level(plan, quick, level);
    if (!status)
        status = add_leaves(plan, quick);
    if (!status)
        status = add_merges(plan, quick);
    return status;
}

/* Lists of the segments that do not fit in a tile, of which each tile has one at most. They stand
 * as those that a first level has left over. */
static void take_lists(struct quick *quick, struct plan *plan)
{
    const struct route *route = quick->route;
    const uint64_t n = route->num_elements, key_bytes = n * route->key_size;
    struct quick_params *p = &quick->first.params.quick;
    quick->num_levels = p->level = 1;
    quick->num_passes = ceil_log2(ceil_div(n, quick->leaf_size));
    quick->max_segments[1] = ceil_div(n, route->listed_tile);
    const uint64_t blocks = quick->max_leaves = max_blocks(quick, 1);
    const struct table tables[] = {
        {&p->control, sizeof(struct quick_control)},
        {&p->segments, quick->max_segments[1] * sizeof(struct quick_segment)},
        {&p->owners, blocks * 4},
        {&p->leaves, blocks * sizeof(struct quick_leaf)},
        {&p->splits, may_be_no_order(quick) ? blocks * 4 : 0},
    };
    plan_reserve_tables(plan, tables, sizeof tables / sizeof *tables);
    quick->first.buffers[4] = (struct buffer_ref){BUFFER_SCRATCH, 0};
    if (!quick->num_passes)
        return;
    p->work_keys = plan_reserve(plan, key_bytes);
    p->work_payload = plan_reserve(plan, n * route->payload.size);
    if (quick->problem->index_size)
        quick->first.buffers[1] = plan_reserve_buffer(plan, key_bytes);
}

/* Segments of records: the short ones in tiles, the others by merges, since quicksort's scatter
 * takes its places in any order. All steps keep equal records in theirs. */
static clsort_status plan_listed(struct quick *quick, struct plan *plan)
{
    quick->is_second = 1;
    quick->keeps_order = 0;
    quick->first.variant.keeps_order = 0;
    quick->first.params.quick.flags = store_flags(quick);
    take_lists(quick, plan);
    clsort_status status = plan_segments_records(quick->route, &quick->first, plan);
    if (!status)
        status = add_leaves(plan, quick);
    if (!status)
        status = add_merges(plan, quick);
    return status;
}

clsort_status plan_quick(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    struct quick quick = {.route = route,
                          .facts = route->facts,
                          .problem = problem,
                          .payload = &route->payload,
                          .tuning = &route->tuning.quick};
    begin(&quick);
    if (route->listed)
        return plan_listed(&quick, plan);
    if (quick.num_levels) {
        const uint64_t key_bytes = route->num_elements * route->key_size;
        quick.first.params.quick.work_keys = plan_reserve(plan, key_bytes);
        quick.first.params.quick.work_payload =
            plan_reserve(plan, route->num_elements * route->payload.size);
        /* An argsort must not write its keys: it sorts copies of them. */
        if (problem->index_size)
            quick.first.buffers[1] = plan_reserve_buffer(plan, key_bytes);
        bound_lists(&quick);
        take_tables(&quick, plan);
    }
    return add_steps(plan, &quick);
}

clsort_status plan_quick_add(const struct route *route, const struct part_params *first,
                             uint64_t tables, struct plan *plan)
{
    struct quick quick = {.route = route,
                          .facts = route->facts,
                          .problem = route->problem,
                          .payload = &route->payload,
                          .tuning = &route->quick,
                          .is_second = 1};
    begin(&quick);
    quick.first.params.quick.work_keys = first->work_keys;
    quick.first.params.quick.work_payload = first->work_payload;
    quick.first.params.quick.parting = first->control;
    quick.first.params.quick.flags = FLAG_SAMPLES;
    /* It runs only if no other sort does, so their tables share scratch. */
    const uint64_t end = plan->scratch_size;
    plan->scratch_size = tables;
    bound_lists(&quick);
    take_tables(&quick, plan);
    quick.first.params.quick.control = first->quick; /* the sample has emptied it */
    if (plan->scratch_size < end)
        plan->scratch_size = end;
    return add_steps(plan, &quick);
}
