/* plan_bitonic.c: steps of the bitonic network. Tiles are sorted in local memory first. Each longer
 * merge then makes its long strides in windows over global memory, and its short ones in tiles. */
#include "route.h"

struct network {
    const struct route *route;
    const struct tuning *tuning;
    uint32_t tile_bits;
    struct buffer_ref keys; /* where the keys lie between steps; NONE: there is one step only */
};

/* Comparators of one stride, or mirrored merge, of 2^bit whose upper end is a real element. */
static uint64_t real_pairs(uint64_t count, uint32_t bit)
{
    const uint64_t half = (uint64_t)1 << bit;
    const uint64_t rest = count & (2 * half - 1);
    return (count >> (bit + 1)) * half + (rest > half ? rest - half : 0);
}

static uint64_t real_pairs_below(uint64_t count, uint32_t top)
{
    uint64_t pairs = 0;
    while (top-- > 0)
        pairs += real_pairs(count, top);
    return pairs;
}

/* A step that works where the data lies. It counts the bytes that the step moves. */
static struct step *add_step(struct plan *plan, const struct network *network,
                             enum kernel_id kernel, struct shape shape, int first, int last)
{
    const struct route *route = network->route;
    const struct payload *payload = &route->payload;
    struct step *step = plan_add(plan, kernel, &route->variant, shape);
    if (!step)
        return NULL;
    const int stores_keys = !(last && route->problem->index_size);
    const int stores_payload = payload->stored || !last;
    const uint64_t n = route->num_elements;
    step->num_buffers = 4;
    step->buffers[0] = first ? (struct buffer_ref){BUFFER_KEYS, 0} : network->keys;
    step->buffers[1] = network->keys;
    step->buffers[2] = first ? payload->from : payload->work;
    step->buffers[3] = payload->work;
    step->bytes_read = n * (route->key_size + (first && payload->is_index ? 0 : payload->size));
    step->bytes_written =
        n * ((stores_keys ? route->key_size : 0) + (stores_payload ? payload->size : 0));
    return step;
}

/* How tiles divide arrays: an array has several tiles, or a tile has several arrays. */
static struct tile_params divide_tiles(const struct problem *problem, struct shape shape,
                                       uint32_t tile_bits)
{
    const uint64_t slots = shape_slots(shape);
    const int whole = problem->count > slots;
    /* Arrays below a vector's width still get slots of their own for a whole vector. */
    const uint32_t slot_bits =
        whole ? tile_bits : ceil_log2(problem->count > shape.lanes ? problem->count : shape.lanes);
    return (struct tile_params){
        .count = problem->count,
        .num_arrays = problem->num_arrays,
        .tiles_per_array = whole ? ceil_div(problem->count, slots) : 1,
        .arrays_per_tile = (uint32_t)(slots >> slot_bits),
        .slot_bits = slot_bits,
    };
}

/* Tiles: from stride 2^(top-1) of merge first_stage to the end of merge last_stage. */
static clsort_status add_tiles(struct plan *plan, const struct network *network,
                               uint32_t first_stage, uint32_t top, uint32_t last_stage, int last)
{
    const struct problem *problem = network->route->problem;
    const struct payload *payload = &network->route->payload;
    const struct shape shape = network->tuning->tile;
    const int first = first_stage == 1;
    struct step *step = add_step(plan, network, KERNEL_BITONIC_TILE, shape, first, last);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->variant.banks = network->tuning->bank_bytes;
    step->variant.subgroup = network->tuning->subgroup;
    step->local_size = (uint32_t)shape_slots(shape) * network->route->item_size;
    struct tile_params params = divide_tiles(problem, shape, network->tile_bits);
    params.flags = (last && problem->index_size ? 0 : FLAG_STORE_KEYS) |
                   (payload->stored || !last ? FLAG_STORE_PAYLOAD : 0) |
                   (first && payload->is_index ? FLAG_MAKE_INDEX : 0);
    params.first_stage = first_stage;
    params.top = top;
    params.last_stage = last_stage;
    step->params.tile = params;
    step->params_size = sizeof step->params.tile;
    step->num_groups =
        ceil_div(problem->num_arrays, params.arrays_per_tile) * params.tiles_per_array;
    uint64_t strides = top, pairs = real_pairs_below(problem->count, top);
    for (uint32_t stage = first_stage + 1; stage <= last_stage; ++stage) {
        strides += stage;
        pairs += real_pairs_below(problem->count, stage);
    }
    if (first_stage > last_stage)
        strides = pairs = 0;
    step->compares = step->num_groups * (shape_slots(shape) / 2) * strides;
    step->exchanges = problem->num_arrays * pairs;
    return CLSORT_OK;
}

/* Strides 2^(top-1) down to 2^low of one merge, at most log2(items) of them. */
static clsort_status add_window(struct plan *plan, const struct network *network, uint32_t top,
                                uint32_t low, int flip)
{
    const struct problem *problem = network->route->problem;
    const struct shape shape = network->tuning->window;
    const uint32_t lane_bits = ceil_log2(shape.lanes);
    const uint32_t item_bits = ceil_log2(shape.items);
    /* A window with fewer strides than bits reaches below its strides, so that no register is idle.
     * The tile below is at least as large as a window, so there is something to reach. */
    const uint32_t strides = top - low;
    const uint32_t window = low - lane_bits - (item_bits - strides);
    const uint64_t packs = ceil_div(problem->count, shape.lanes);
    const uint64_t units_per_array = ceil_div(packs, (uint64_t)1 << (window + item_bits)) << window;
    const uint64_t num_units = units_per_array * problem->num_arrays;
    struct step *step = add_step(plan, network, KERNEL_BITONIC_WINDOW, shape, 0, 0);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->num_groups = ceil_div(num_units, shape.group_size);
    step->params.window = (struct window_params){
        .count = problem->count,
        .units_per_array = units_per_array,
        .num_units = num_units,
        .window = window,
        .high = item_bits - 1,
        .low = item_bits - strides,
        .flip = (uint32_t)flip,
    };
    step->params_size = sizeof step->params.window;
    step->compares = num_units * (shape.items / 2) * shape.lanes * strides;
    for (uint32_t bit = low; bit < top; ++bit)
        step->exchanges += problem->num_arrays * real_pairs(problem->count, bit);
    return CLSORT_OK;
}

/* The long strides of one merge: the short window first, so that the others are full. */
static clsort_status add_windows(struct plan *plan, const struct network *network, uint32_t stage)
{
    const uint32_t item_bits = ceil_log2(network->tuning->window.items);
    for (uint32_t top = stage; top > network->tile_bits;) {
        const uint32_t strides = (top - network->tile_bits - 1) % item_bits + 1;
        const clsort_status status = add_window(plan, network, top, top - strides, top == stage);
        if (status)
            return status;
        top -= strides;
    }
    return CLSORT_OK;
}

clsort_status plan_bitonic(const struct route *route, struct plan *plan)
{
    const int one_tile = route->form == FORM_BITONIC_TILE;
    struct network network = {
        .route = route,
        .tuning = &route->tuning.general,
        .tile_bits = ceil_log2(shape_slots(route->tuning.general.tile)),
        .keys = {BUFFER_KEYS_OUT, 0},
    };
    if (route->problem->index_size)
        network.keys = one_tile ? (struct buffer_ref){BUFFER_NONE, 0}
                                : plan_reserve_buffer(plan, route->num_elements * route->key_size);

    const uint32_t last_stage = ceil_log2(route->problem->count);
    const uint32_t tile_stage = one_tile ? last_stage : network.tile_bits;
    clsort_status status = add_tiles(plan, &network, 1, 1, tile_stage, one_tile);
    for (uint32_t stage = tile_stage + 1; stage <= last_stage && !status; ++stage) {
        status = add_windows(plan, &network, stage);
        if (!status)
            status =
                add_tiles(plan, &network, stage, network.tile_bits, stage, stage == last_stage);
    }
    return status;
}
