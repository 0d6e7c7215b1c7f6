/* quick.c: partition quicksort (cl/sorts/partition/splitters/quick.h): what its steps have in
 * common, its tables in scratch, and segments of records that it sorts. */
#include "plan/sorts/partition/quick.h"

#define BLOCKS_PER_UNIT 4  /* at least, if that leaves whole tiles */
#define LEAVES_PER_UNIT 16 /* below which they are not filled */

static void take_tables(struct quick *quick, struct plan *plan)
{
    struct quick_params *p = &quick->first.params.quick;
    uint64_t segments = 0, blocks = 0, level_blocks = 0, buckets = 0;
    for (uint32_t i = 0; i <= quick->num_levels; ++i) {
        segments = larger(segments, quick->max_segments[i]);
        blocks = larger(blocks, plan_quick_max_blocks(quick, i));
        if (i < quick->num_levels) {
            level_blocks = blocks;
            buckets = larger(buckets, quick->max_buckets[i]);
        }
    }
    const struct table tables[] = {
        {&p->control, sizeof(struct quick_control)},
        {&p->segments, segments * sizeof(struct quick_segment)},
        {&p->next_segments, segments * sizeof(struct quick_segment)},
        {&p->owners, blocks * 4},
        {&p->next_owners, blocks * 4},
        {&p->pivots, buckets * quick->route->item_size + QUICK_ALIGNMENT},
        {&p->marks, buckets * 4},
        {&p->totals, buckets * 4},
        {&p->cursors, buckets * 4},
        {&p->starts,
         quick->route->moves_in_order ? level_blocks * 4 << quick->tuning->bucket_bits : 0},
        {&p->ids, quick->route->num_elements * (quick->tuning->bucket_bits > 8 ? 2 : 1)},
        {&p->leaves, quick->max_leaves * sizeof(struct quick_leaf)},
    };
    plan_reserve_tables(plan, tables, sizeof tables / sizeof *tables);
    if (plan_quick_may_be_no_order(quick))
        p->splits = plan_reserve(plan, blocks * 4);
}

/* Full leaves are the fastest, but few of them leave compute units without work: 2^20 structs of 16
 * bytes take an H100 147 microseconds with full leaves, and 144 with leaves 5/8 full. */
static uint64_t fill_size(const struct quick *quick, uint64_t n)
{
    const uint64_t few = ((uint64_t)quick->facts->num_units + 1) * LEAVES_PER_UNIT;
    return n / quick->leaf_size < few ? ceil_div(quick->leaf_size * 5, 8) : quick->leaf_size;
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
    /* In order a block is one tile: it takes its places once (quick_scatter_reserve), and tiles
     * that run at the same time write neighbouring places. */
    const uint64_t most = quick->route->moves_in_order ? 1 : tuning->block_tiles;
    const uint64_t tiles = share < 1 ? 1 : smaller(share, most);
    struct step *first = &quick->first;
    quick->leaf_size = shape_slots(tuning->sort);
    quick->keeps_order = quick->payload->is_index && !quick->route->moves_in_order;
    quick->compared_size =
        quick->keeps_order ? quick->route->item_size : payload_item_size(problem, &none);
    quick->sort_local = tuning_quick_sort_local(tuning, quick->route->item_size);
    first->variant = quick->route->variant;
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
        .fill_size = (uint32_t)fill_size(quick, n),
    };
    plan_quick_cut(quick);
    if (quick->num_levels) /* else there are no tables */
        first->buffers[4] = (struct buffer_ref){BUFFER_SCRATCH, 0};
}

static clsort_status add_steps(struct plan *plan, struct quick *quick)
{
    clsort_status status = plan_quick_add_levels(plan, quick);
    if (!status)
        status = plan_quick_add_leaves(plan, quick);
    if (!status)
        status = plan_quick_add_merges(plan, quick);
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
    const uint64_t blocks = quick->max_leaves = plan_quick_max_blocks(quick, 1);
    const struct table tables[] = {
        {&p->control, sizeof(struct quick_control)},
        {&p->segments, quick->max_segments[1] * sizeof(struct quick_segment)},
        {&p->owners, blocks * 4},
        {&p->leaves, blocks * sizeof(struct quick_leaf)},
        {&p->splits, plan_quick_may_be_no_order(quick) ? blocks * 4 : 0},
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

/* Segments of records: the short ones in tiles, the others by merges. All steps keep equal records
 * in their order. */
static clsort_status plan_listed(struct quick *quick, struct plan *plan)
{
    quick->is_second = 1;
    quick->keeps_order = 0;
    quick->first.variant.keeps_order = 0;
    quick->first.params.quick.flags = plan_quick_store_flags(quick);
    take_lists(quick, plan);
    clsort_status status = plan_segments_records(quick->route, &quick->first, plan);
    if (!status)
        status = plan_quick_add_leaves(plan, quick);
    if (!status)
        status = plan_quick_add_merges(plan, quick);
    return status;
}

clsort_status plan_quick(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    struct quick_tuning tuning = route->quick;
    struct quick quick = {.route = route,
                          .facts = route->facts,
                          .problem = problem,
                          .payload = &route->payload,
                          .tuning = &tuning};
    if (!route->listed)
        plan_quick_widen(route, &tuning);
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
        plan_quick_bound_lists(&quick);
        take_tables(&quick, plan);
    }
    return add_steps(plan, &quick);
}
