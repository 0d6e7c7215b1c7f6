/* lsd.c: steps of radix sort from the least significant digit up. A pass is three launches:
 * they count the digits of every block, scan the counts, and move the elements. Passes alternate
 * between the output and scratch; the last one ends in the output. */
#include "plan/route.h"

struct pass {
    uint32_t shift, bits;
    int is_first;
};

struct radix {
    const struct route *route;
    const struct tuning *tuning;
    uint32_t num_passes;
    uint64_t block_size;
    uint64_t num_blocks;
    uint64_t counts_size; /* bytes */
    struct buffer_ref counts;
    struct double_buffer data;
};

/* In place, the first pass reads what the last writes, so between them lie an even number. */
static uint32_t count_passes(const struct problem *problem, uint32_t radix_bits)
{
    const uint32_t num_passes = (uint32_t)ceil_div(problem->num_bits, radix_bits);
    const int even = problem->in_place && !problem->index_size;
    return even ? num_passes + num_passes % 2 : num_passes;
}

static void split_blocks(struct radix *radix)
{
    const struct problem *problem = radix->route->problem;
    const uint64_t slots = shape_slots(radix->tuning->radix);
    const uint64_t num_tiles = ceil_div(problem->count, slots);
    const uint64_t share = radix->tuning->radix_blocks / problem->num_arrays;
    const uint64_t least = ceil_div(problem->count, (uint64_t)1 << 31); /* counts have 32 bits */
    const uint64_t wanted = larger(larger(share, least), 1);
    radix->block_size = ceil_div(num_tiles, wanted < num_tiles ? wanted : num_tiles) * slots;
    radix->num_blocks = ceil_div(problem->count, radix->block_size);
    radix->counts_size = problem->num_arrays * ((uint64_t)1 << radix->tuning->radix_bits) *
                         (radix->num_blocks + 1) * 8;
}

static struct step *add_step(struct plan *plan, const struct radix *radix, enum kernel_id kernel,
                             const struct pass *pass)
{
    struct shape shape = radix->tuning->radix;
    shape.lanes = 1;
    struct step *step =
        plan_add(plan, kernel, &(struct step){.variant = radix->route->variant}, shape);
    step->variant.subgroup = radix->tuning->radix_subgroup;
    step->variant.radix_bits = radix->tuning->radix_bits;
    STEP_PARAMS(step, radix) = (struct radix_params){
        .count = radix->route->problem->count,
        .block_size = radix->block_size,
        .num_blocks = (uint32_t)radix->num_blocks,
        .shift = pass->shift,
        .digit_mask = (1u << pass->bits) - 1,
    };
    return step;
}

static void add_count(struct plan *plan, const struct radix *radix, const struct pass *pass,
                      struct buffer_ref keys)
{
    struct step *step = add_step(plan, radix, KERNEL_RADIX_COUNT, pass);
    step->variant.payload_size = step->variant.payload_index = 0;
    STEP_BIND(step, keys, radix->counts);
    step->num_groups = radix->num_blocks * radix->route->problem->num_arrays;
    step->local_size = (1u << radix->tuning->radix_bits) * 4 * 4;
    step->bytes_read = radix->route->num_elements * radix->route->key_size;
    step->bytes_written = radix->counts_size;
}

/* Moves the keys and their payload from one place to another. */
static void add_scatter(struct plan *plan, const struct radix *radix, const struct pass *pass,
                        struct elements from, struct elements to)
{
    const struct route *route = radix->route;
    const struct payload *payload = &route->payload;
    struct step *step = add_step(plan, radix, KERNEL_RADIX_SCATTER, pass);
    const uint32_t flags = store_flags(to.keys.role != BUFFER_NONE, payload->size != 0,
                                       pass->is_first && payload->is_index);
    STEP_BIND(step, from.keys, to.keys, from.payload, to.payload, radix->counts);
    step->num_groups = radix->num_blocks * route->problem->num_arrays;
    step->local_size = (uint32_t)tuning_radix_local(radix->tuning, route->item_size);
    step->params.radix.flags = flags;
    route_count_bytes(route, flags, step);
    step->bytes_read += radix->counts_size;
}

static void add_passes(struct plan *plan, const struct radix *radix)
{
    const struct problem *problem = radix->route->problem;
    struct elements from = {role_ref(BUFFER_KEYS), radix->route->payload.from};
    uint32_t done = 0; /* bits */
    for (uint32_t i = 0; i < radix->num_passes; ++i) {
        const uint32_t left = radix->num_passes - i;
        const struct pass pass = {
            .shift = problem->first_bit + done,
            .bits = (uint32_t)ceil_div(problem->num_bits - done, left),
            .is_first = i == 0,
        };
        struct elements to = double_buffer_at(&radix->data, left);
        if (left == 1 && problem->index_size)
            to.keys = role_ref(BUFFER_NONE);
        add_count(plan, radix, &pass, from.keys);
        plan_scan(radix->tuning->radix.group_size, radix->tuning->radix_subgroup, radix->counts,
                  problem->num_arrays << radix->tuning->radix_bits, radix->num_blocks, plan);
        add_scatter(plan, radix, &pass, from, to);
        from = to;
        done += pass.bits;
    }
}

void plan_radix(const struct route *route, struct plan *plan)
{
    struct radix radix = {
        .route = route,
        .tuning = &route->general,
        .num_passes = count_passes(route->problem, route->general.radix_bits),
    };
    split_blocks(&radix);
    radix.counts = plan_reserve_buffer(plan, radix.counts_size);
    radix.data = double_buffer_choose(route, radix.num_passes, plan);
    add_passes(plan, &radix);
}
