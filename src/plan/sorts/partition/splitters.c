/* splitters.c: partition quicksort (cl/sorts/partition/splitters.h): what its steps have in
 * common, its tables in scratch, and segments of records that it sorts. */
#include "plan/sorts/partition/splitters.h"

#define BLOCKS_PER_UNIT 4  /* at least, if that leaves whole tiles */
#define LEAVES_PER_UNIT 16 /* below which they are not filled */

static void take_tables(struct splitters *quick, struct plan *plan)
{
    struct partition_params *p = &quick->first.params.partition;
    struct partition_sizes sizes = {.leaves = quick->max_leaves};
    for (uint32_t i = 0; i <= quick->num_levels; ++i) {
        sizes.segments = larger(sizes.segments, quick->max_segments[i]);
        sizes.blocks = larger(sizes.blocks, plan_splitters_max_blocks(quick, i));
        if (i == quick->num_levels)
            break; /* merges have no buckets */
        sizes.buckets = larger(sizes.buckets, quick->max_buckets[i]);
        if (quick->route->moves_in_order)
            sizes.counts = sizes.blocks << quick->tuning->bucket_bits;
    }
    const struct table own[] = {
        {&p->pivots, sizes.buckets * quick->route->item_size + PIVOTS_ALIGNMENT},
        {&p->marks, sizes.buckets * 4},
        {&p->ids, quick->route->num_elements * (quick->tuning->bucket_bits > 8 ? 2 : 1)},
    };
    plan_partition_reserve_copy(quick->route, &quick->first, plan);
    plan_partition_reserve(&sizes, own, sizeof own / sizeof *own, &quick->first, plan);
    p->next_totals = p->totals; /* which pivots.cl clears */
    if (plan_splitters_may_be_no_order(quick))
        p->splits = plan_reserve(plan, sizes.blocks * 4);
}

/* Full leaves are the fastest, but few of them leave compute units without work: 2^20 structs of 16
 * bytes take an H100 147 microseconds with full leaves, and 144 with leaves 5/8 full. */
static uint64_t fill_size(const struct splitters *quick, uint64_t n)
{
    const uint64_t few = ((uint64_t)quick->facts->num_units + 1) * LEAVES_PER_UNIT;
    return n / quick->leaf_size < few ? ceil_div(quick->leaf_size * 5, 8) : quick->leaf_size;
}

/* What all steps have in common, and how an array is cut. */
static void begin(struct splitters *quick)
{
    const struct problem *problem = quick->problem;
    const struct quick_tuning *tuning = quick->tuning;
    const struct payload none = {0};
    const uint64_t n = quick->route->num_elements;
    const uint64_t tile = shape_slots(tuning->move);
    const uint64_t share = n / (((uint64_t)quick->facts->num_units + 1) * BLOCKS_PER_UNIT) / tile;
    /* In order a block is one tile: it takes its places once (splitters_scatter_reserve), and tiles
     * that run at the same time write neighbouring places. */
    const uint64_t most = quick->route->moves_in_order ? 1 : tuning->block_tiles;
    const uint64_t tiles = share < 1 ? 1 : smaller(share, most);
    struct step *first = &quick->first;
    quick->leaf_size = shape_slots(tuning->sort);
    quick->keeps_order = quick->payload->is_index && !quick->route->moves_in_order;
    quick->compared_size =
        quick->keeps_order ? quick->route->item_size : payload_item_size(problem, &none);
    quick->sort_local = tuning_quick_sort_local(tuning, quick->route->item_size);
    *first = route_step(quick->route, (struct buffer_ref){BUFFER_KEYS_OUT, 0});
    first->variant.radix_bits = tuning->bucket_bits;
    first->variant.keeps_order = (uint32_t)quick->keeps_order;
    first->variant.subgroup = tuning->subgroup;
    first->params_size = sizeof first->params.partition;
    first->params.partition = (struct partition_params){
        .count = (uint32_t)problem->count,
        .num_arrays = (uint32_t)problem->num_arrays,
        .block_size = (uint32_t)(tile * tiles),
        .blocks_per_array = (uint32_t)ceil_div(problem->count, tile * tiles),
        .leaf_size = (uint32_t)quick->leaf_size,
        .fill_size = (uint32_t)fill_size(quick, n),
        .digit_bits = tuning->bucket_bits,
    };
    plan_splitters_cut(quick);
    if (quick->num_levels)
        first->params.partition.buckets_per_array =
            (uint32_t)plan_splitters_wanted(quick, problem->count, quick->bucket_size[0]);
    else if (!quick->route->listed) /* there are no tables */
        first->buffers[4] = (struct buffer_ref){BUFFER_NONE, 0};
}

/* Lists of the segments that do not fit in a tile, of which each tile has one at most. They stand
 * as those that a first level has left over. */
static void take_lists(struct splitters *quick, struct plan *plan)
{
    const struct route *route = quick->route;
    struct partition_params *p = &quick->first.params.partition;
    quick->num_levels = p->level = 1;
    quick->num_passes = ceil_log2(ceil_div(route->num_elements, quick->leaf_size));
    quick->max_segments[1] = ceil_div(route->num_elements, route->listed_tile);
    quick->max_leaves = plan_splitters_max_blocks(quick, 1);
    const struct partition_sizes sizes = {
        .segments = quick->max_segments[1],
        .blocks = quick->max_leaves,
        .leaves = quick->max_leaves,
    };
    const struct table own[] = {
        {&p->splits, plan_splitters_may_be_no_order(quick) ? sizes.blocks * 4 : 0},
    };
    plan_partition_reserve(&sizes, own, 1, &quick->first, plan);
    if (quick->num_passes)
        plan_partition_reserve_copy(route, &quick->first, plan);
}

void plan_quick(const struct route *route, struct plan *plan)
{
    struct quick_tuning tuning = route->quick;
    struct splitters quick = {.route = route,
                              .facts = route->facts,
                              .problem = route->problem,
                              .payload = &route->payload,
                              .tuning = &tuning};
    if (!route->listed)
        plan_splitters_widen(route, &tuning);
    begin(&quick);
    if (route->listed) { /* the short ones in tiles, the others by merges, all in order */
        quick.is_second = 1;
        quick.keeps_order = 0;
        quick.first.variant.keeps_order = 0;
        quick.first.params.partition.flags = plan_splitters_store_flags(&quick);
        take_lists(&quick, plan);
        plan_segments_list(route, &quick.first, plan);
    } else if (quick.num_levels) {
        plan_splitters_bound_lists(&quick);
        take_tables(&quick, plan);
        plan_splitters_add_levels(plan, &quick);
    }
    plan_splitters_add_leaves(plan, &quick);
    plan_splitters_add_merges(plan, &quick);
}
