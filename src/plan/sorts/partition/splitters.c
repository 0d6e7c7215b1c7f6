/* splitters.c: partition quicksort (cl/sorts/partition/splitters.h): what its steps have in
 * common, its tables in scratch, and segments of records that it sorts. */
#include "plan/sorts/partition/splitters.h"

#define BLOCKS_PER_UNIT 4  /* at least, if that leaves whole tiles */
#define LEAVES_PER_UNIT 16 /* below which they are not filled */

static void take_tables(struct splitters *sort, struct plan *plan)
{
    struct partition_params *p = &sort->first.params.partition;
    struct partition_sizes sizes = {.leaves = sort->max_leaves};
    for (uint32_t i = 0; i <= sort->num_levels; ++i) {
        sizes.segments = larger(sizes.segments, sort->max_segments[i]);
        sizes.blocks = larger(sizes.blocks, plan_splitters_max_blocks(sort, i));
        if (i == sort->num_levels)
            break; /* merges have no buckets */
        sizes.buckets = larger(sizes.buckets, sort->max_buckets[i]);
        if (sort->route->moves_in_order)
            sizes.counts = sizes.blocks << sort->tuning->bucket_bits;
    }
    const struct table own[] = {
        {&p->pivots, sizes.buckets * sort->route->item_size + PIVOTS_ALIGNMENT},
        {&p->marks, sizes.buckets * 4},
        {&p->ids, sort->route->num_elements * (sort->tuning->bucket_bits > 8 ? 2 : 1)},
    };
    plan_partition_reserve_copy(sort->route, &sort->first, plan);
    plan_partition_reserve(&sizes, own, sizeof own / sizeof *own, &sort->first, plan);
    p->next_totals = p->totals; /* which pivots.cl clears */
    if (plan_splitters_may_be_no_order(sort))
        p->splits = plan_reserve(plan, sizes.blocks * 4);
}

/* Full leaves are the fastest, but few of them leave compute units without work: 2^20 structs of 16
 * bytes take an H100 147 microseconds with full leaves, and 144 with leaves 5/8 full. */
static uint64_t fill_size(const struct splitters *sort, uint64_t n)
{
    const uint64_t few = ((uint64_t)sort->route->facts->num_units + 1) * LEAVES_PER_UNIT;
    return n / sort->leaf_size < few ? ceil_div(sort->leaf_size * 5, 8) : sort->leaf_size;
}

/* What all steps have in common, and how an array is cut. */
static void begin(struct splitters *sort)
{
    const struct problem *problem = sort->problem;
    const struct partition_tuning *tuning = sort->tuning;
    const struct payload none = {0};
    const uint64_t n = sort->route->num_elements;
    const uint64_t tile = shape_slots(tuning->scatter);
    const uint64_t share =
        n / (((uint64_t)sort->route->facts->num_units + 1) * BLOCKS_PER_UNIT) / tile;
    /* In order a block is one tile: it takes its places once (splitters_scatter_reserve), and tiles
     * that run at the same time write neighbouring places. */
    const uint64_t most = sort->route->moves_in_order ? 1 : tuning->block_tiles;
    const uint64_t tiles = share < 1 ? 1 : smaller(share, most);
    struct step *first = &sort->first;
    sort->leaf_size = shape_slots(tuning->leaf);
    sort->keeps_order =
        sort->route->payload.is_index && !sort->route->moves_in_order && !sort->route->listed;
    sort->compared_size =
        sort->keeps_order ? sort->route->item_size : payload_item_size(problem, &none);
    sort->leaf_local = tuning_leaf_local(tuning->leaf, tuning->subgroup, sort->route->item_size);
    *first = route_step(sort->route, (struct buffer_ref){BUFFER_KEYS_OUT, 0});
    first->variant.radix_bits = tuning->bucket_bits;
    first->variant.splitters = 1;
    first->variant.keeps_order = (uint32_t)sort->keeps_order;
    first->variant.subgroup = tuning->subgroup;
    first->params_size = sizeof first->params.partition;
    first->params.partition = (struct partition_params){
        .count = (uint32_t)problem->count,
        .num_arrays = (uint32_t)problem->num_arrays,
        .block_size = (uint32_t)(tile * tiles),
        .blocks_per_array = (uint32_t)ceil_div(problem->count, tile * tiles),
        .leaf_size = (uint32_t)sort->leaf_size,
        .fill_size = (uint32_t)fill_size(sort, n),
        .flags = store_flags(!problem->index_size, sort->route->payload.size != 0, 0),
        .digit_bits = tuning->bucket_bits,
    };
    plan_splitters_cut(sort);
    if (sort->num_levels)
        first->params.partition.buckets_per_array =
            (uint32_t)plan_splitters_wanted(sort, problem->count, sort->bucket_size[0]);
    else if (!sort->route->listed) /* there are no tables */
        first->buffers[4] = (struct buffer_ref){BUFFER_NONE, 0};
}

/* Lists of the segments that do not fit in a tile, of which each tile has one at most. They stand
 * as those that a first level has left over. */
static void take_lists(struct splitters *sort, struct plan *plan)
{
    const struct route *route = sort->route;
    struct partition_params *p = &sort->first.params.partition;
    sort->num_levels = p->level = 1;
    sort->num_passes = ceil_log2(ceil_div(route->num_elements, sort->leaf_size));
    sort->max_segments[1] = ceil_div(route->num_elements, route->listed_tile);
    sort->max_leaves = plan_splitters_max_blocks(sort, 1);
    const struct partition_sizes sizes = {
        .segments = sort->max_segments[1],
        .blocks = sort->max_leaves,
        .leaves = sort->max_leaves,
    };
    const struct table own[] = {
        {&p->splits, plan_splitters_may_be_no_order(sort) ? sizes.blocks * 4 : 0},
    };
    plan_partition_reserve(&sizes, own, 1, &sort->first, plan);
    if (sort->num_passes)
        plan_partition_reserve_copy(route, &sort->first, plan);
}

void plan_splitters(const struct route *route, struct plan *plan)
{
    struct partition_tuning tuning = route->splitters;
    struct splitters sort = {.route = route, .problem = route->problem, .tuning = &tuning};
    if (!route->listed)
        plan_splitters_widen(route, &tuning);
    begin(&sort);
    if (route->listed) { /* the short ones in tiles, the others by merges, all in order */
        take_lists(&sort, plan);
        plan_segments_list(route, &sort.first, plan);
    } else if (sort.num_levels) {
        plan_splitters_bound_lists(&sort);
        take_tables(&sort, plan);
        plan_splitters_add_levels(plan, &sort);
    }
    plan_splitters_add_leaves(plan, &sort);
    plan_splitters_add_merges(plan, &sort);
}
