/* bitonic.c: steps of the bitonic network. Tiles are sorted in local memory first. Each longer
 * merge then makes its long strides in windows over global memory, and its short ones in tiles. */
#include "plan/route.h"

struct network {
    const struct route *route;
    const struct tuning *tuning;
    uint32_t tile_bits, lane_bits, item_bits; /* of the tile; of a window's pack, and its items */
    uint64_t packs;                           /* of an array */
    struct tile_params tile;
    uint64_t tile_slots, num_tiles;
    uint64_t pairs_below[64]; /* comparators of all strides below 2^[bit] of an array */
    struct buffer_ref keys;   /* where the keys lie between steps; NONE: there is one step only */
};

/* Counts the comparators of each stride, or mirrored merge, of 2^bit whose upper end is a real
 * element. */
static void count_pairs(struct network *network, uint64_t count, uint32_t last_stage)
{
    for (uint32_t bit = 0; bit < last_stage; ++bit) {
        const uint64_t half = (uint64_t)1 << bit;
        const uint64_t rest = count & (2 * half - 1);
        network->pairs_below[bit + 1] = network->pairs_below[bit] + (count >> (bit + 1)) * half +
                                        (rest > half ? rest - half : 0);
    }
}

/* A step that works where the data lies. It counts the bytes that the step moves. */
static struct step *add_step(struct plan *plan, const struct network *network,
                             enum kernel_id kernel, struct shape shape, int first, uint32_t flags)
{
    const struct route *route = network->route;
    const struct payload *payload = &route->payload;
    struct step *step = plan_add(plan, kernel, &(struct step){.variant = route->variant}, shape);
    STEP_BIND(step, first ? role_ref(BUFFER_KEYS) : network->keys, network->keys,
              first ? payload->from : payload->work, payload->work);
    route_count_bytes(route, flags, step);
    return step;
}

/* Tiles: from stride 2^(top-1) of merge first_stage to the end of merge last_stage. */
static void add_tiles(struct plan *plan, const struct network *network, uint32_t first_stage,
                      uint32_t top, uint32_t last_stage, int last)
{
    const struct problem *problem = network->route->problem;
    const struct payload *payload = &network->route->payload;
    const struct shape shape = network->tuning->tile;
    const int first = first_stage == 1;
    const uint32_t flags = store_flags(!(last && problem->index_size), payload->stored || !last,
                                       first && payload->is_index);
    struct step *step = add_step(plan, network, KERNEL_BITONIC_TILE, shape, first, flags);
    step->variant.banks = network->tuning->bank_bytes;
    step->variant.subgroup = network->tuning->subgroup;
    step->local_size = (uint32_t)network->tile_slots * network->route->item_size;
    struct tile_params params = network->tile;
    params.flags = flags;
    params.first_stage = first_stage;
    params.top = top;
    params.last_stage = last_stage;
    STEP_PARAMS(step, tile) = params;
    step->num_groups = network->num_tiles;
    uint64_t strides = top, pairs = network->pairs_below[top];
    for (uint32_t stage = first_stage + 1; stage <= last_stage; ++stage) {
        strides += stage;
        pairs += network->pairs_below[stage];
    }
    if (first_stage > last_stage)
        strides = pairs = 0;
    step->compares = step->num_groups * (network->tile_slots / 2) * strides;
    step->exchanges = problem->num_arrays * pairs;
}

/* Strides 2^(top-1) down to 2^low of one merge, at most log2(items) of them. */
static void add_window(struct plan *plan, const struct network *network, uint32_t top, uint32_t low,
                       int flip)
{
    const struct problem *problem = network->route->problem;
    const struct shape shape = network->tuning->window;
    const uint32_t item_bits = network->item_bits;
    /* A window with fewer strides than bits reaches below its strides, so that no register is idle.
     * The tile below is at least as large as a window, so there is something to reach. */
    const uint32_t strides = top - low;
    const uint32_t window = low - network->lane_bits - (item_bits - strides);
    const uint64_t units_per_array = ceil_div(network->packs, (uint64_t)1 << (window + item_bits))
                                     << window;
    const uint64_t num_units = units_per_array * problem->num_arrays;
    struct step *step =
        add_step(plan, network, KERNEL_BITONIC_WINDOW, shape, 0, store_flags(1, 1, 0));
    step->num_groups = ceil_div(num_units, shape.group_size);
    STEP_PARAMS(step, window) = (struct window_params){
        .count = problem->count,
        .units_per_array = units_per_array,
        .num_units = num_units,
        .window = window,
        .high = item_bits - 1,
        .low = item_bits - strides,
        .flip = (uint32_t)flip,
    };
    step->compares = num_units * (shape.items / 2) * shape.lanes * strides;
    step->exchanges = problem->num_arrays * (network->pairs_below[top] - network->pairs_below[low]);
}

/* The long strides of one merge: the short window first, so that the others are full. */
static void add_windows(struct plan *plan, const struct network *network, uint32_t stage)
{
    const uint32_t item_bits = network->item_bits;
    for (uint32_t top = stage; top > network->tile_bits;) {
        const uint32_t strides = (top - network->tile_bits - 1) % item_bits + 1;
        add_window(plan, network, top, top - strides, top == stage);
        top -= strides;
    }
}

void plan_bitonic(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct tuning *tuning = &route->general;
    const int one_tile = problem->count <= shape_slots(tuning->tile);
    const uint32_t last_stage = ceil_log2(problem->count);
    struct network network = {
        .route = route,
        .tuning = tuning,
        .lane_bits = ceil_log2(tuning->window.lanes),
        .item_bits = ceil_log2(tuning->window.items),
        .packs = ceil_div(problem->count, tuning->window.lanes),
        .tile_slots = shape_slots(tuning->tile),
        .keys = {BUFFER_KEYS_OUT, 0},
    };
    network.tile_bits = ceil_log2(network.tile_slots);
    network.tile = plan_divide_tiles(problem, tuning->tile);
    network.num_tiles =
        ceil_div(problem->num_arrays, network.tile.arrays_per_tile) * network.tile.tiles_per_array;
    count_pairs(&network, problem->count, last_stage);
    if (problem->index_size)
        network.keys = one_tile ? role_ref(BUFFER_NONE)
                                : plan_reserve_buffer(plan, route->num_elements * route->key_size);

    const uint32_t tile_stage = one_tile ? last_stage : network.tile_bits;
    add_tiles(plan, &network, 1, 1, tile_stage, one_tile);
    for (uint32_t stage = tile_stage + 1; stage <= last_stage; ++stage) {
        add_windows(plan, &network, stage);
        add_tiles(plan, &network, stage, network.tile_bits, stage, stage == last_stage);
    }
}
