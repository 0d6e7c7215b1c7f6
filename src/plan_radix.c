/* plan_radix.c: steps of radix sort from the least significant digit up. A pass is three launches:
 * count the digits of every block, scan the counts, move the elements; passes alternate between the
 * output and scratch, and there are so many that the last one ends in the output. */
#include "route.h"

struct pass {
    uint32_t shift, bits;
    int first, last;
};

struct radix {
    const struct problem *problem;
    const struct payload *payload;
    struct tuning tuning;
    uint32_t item_size;
    uint32_t num_passes;
    uint64_t block_size;
    uint64_t num_blocks;
    struct buffer_ref counts;
    struct turns turns;
};

/* In place, the first pass reads what the last writes, so between them lie an even number. */
static uint32_t count_passes(const struct problem *problem, uint32_t radix_bits)
{
    const uint32_t num_passes = (uint32_t)ceil_div(problem->num_bits, radix_bits);
    const int even = problem->in_place && !problem->index_size;
    return even ? num_passes + num_passes % 2 : num_passes;
}

static void cut_blocks(struct radix *radix)
{
    const uint64_t count = radix->problem->count;
    const uint64_t slots = shape_slots(radix->tuning.radix);
    const uint64_t num_tiles = ceil_div(count, slots);
    const uint64_t share = radix->tuning.radix_blocks / radix->problem->num_arrays;
    const uint64_t wanted = share > 0 ? share : 1;
    radix->block_size = ceil_div(num_tiles, wanted < num_tiles ? wanted : num_tiles) * slots;
    radix->num_blocks = ceil_div(count, radix->block_size);
}

static struct step *add(struct plan *plan, const struct radix *radix, enum kernel_id kernel,
                        const struct pass *pass)
{
    struct step *step = plan_add(plan);
    if (!step)
        return NULL;
    const struct problem *problem = radix->problem;
    step->kernel = kernel;
    step->variant = payload_variant(problem, radix->payload);
    /* All bits, whatever the range: a pass knows its digit as a parameter. */
    step->variant.key_first_bit = 0;
    step->variant.key_num_bits = problem->type->bits;
    step->variant.group_size = radix->tuning.radix.group_size;
    step->variant.items = radix->tuning.radix.items;
    step->variant.lanes = 1;
    step->variant.subgroup = radix->tuning.radix_subgroup;
    step->variant.radix_bits = radix->tuning.radix_bits;
    step->params.radix = (struct radix_params){
        .count = problem->count,
        .block_size = radix->block_size,
        .num_blocks = (uint32_t)radix->num_blocks,
        .shift = pass->shift,
        .digit_mask = (1u << pass->bits) - 1,
    };
    step->params_size = sizeof step->params.radix;
    return step;
}

static uint64_t counts_size(const struct radix *radix)
{
    const uint64_t digits = (uint64_t)1 << radix->tuning.radix_bits;
    return radix->problem->num_arrays * digits * (radix->num_blocks + 1) * 8;
}

static clsort_status add_count(struct plan *plan, const struct radix *radix,
                               const struct pass *pass, struct buffer_ref keys)
{
    struct step *step = add(plan, radix, KERNEL_RADIX_COUNT, pass);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->variant.payload_size = step->variant.payload_index = 0;
    step->num_buffers = 2;
    step->buffers[0] = keys;
    step->buffers[1] = radix->counts;
    step->num_groups = radix->num_blocks * radix->problem->num_arrays;
    step->local_size = (1u << radix->tuning.radix_bits) * 4 * 4;
    step->bytes_read = num_elements(radix->problem) * problem_key_size(radix->problem);
    step->bytes_written = counts_size(radix);
    return CLSORT_OK;
}

static clsort_status add_scan(struct plan *plan, const struct radix *radix, const struct pass *pass)
{
    struct step *step = add(plan, radix, KERNEL_RADIX_SCAN, pass);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    step->variant.payload_size = step->variant.payload_index = 0;
    step->num_buffers = 1;
    step->buffers[0] = radix->counts;
    step->num_groups = radix->problem->num_arrays << radix->tuning.radix_bits;
    step->local_size = 2 * 8 * radix->tuning.radix.group_size;
    step->bytes_read = step->bytes_written = counts_size(radix);
    return CLSORT_OK;
}

static clsort_status add_scatter(struct plan *plan, const struct radix *radix,
                                 const struct pass *pass, struct buffer_ref keys_in,
                                 struct buffer_ref keys_out, struct buffer_ref payload_in,
                                 struct buffer_ref payload_out)
{
    struct step *step = add(plan, radix, KERNEL_RADIX_SCATTER, pass);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    const struct payload *payload = radix->payload;
    const int stores_keys = keys_out.role != BUFFER_NONE;
    step->num_buffers = PARAM_BUFFERS;
    step->buffers[0] = keys_in;
    step->buffers[1] = keys_out;
    step->buffers[2] = payload_in;
    step->buffers[3] = payload_out;
    step->buffers[4] = radix->counts;
    step->num_groups = radix->num_blocks * radix->problem->num_arrays;
    step->local_size = (uint32_t)tuning_radix_local(&radix->tuning, radix->item_size);
    step->params.radix.flags = (stores_keys ? FLAG_STORE_KEYS : 0) |
                               (payload->size ? FLAG_STORE_PAYLOAD : 0) |
                               (pass->first && payload->is_index ? FLAG_MAKE_INDEX : 0);
    const uint64_t n = num_elements(radix->problem);
    const uint32_t key_size = problem_key_size(radix->problem);
    step->bytes_read = n * (key_size + (pass->first && payload->is_index ? 0 : payload->size)) +
                       counts_size(radix);
    step->bytes_written = n * ((stores_keys ? key_size : 0) + payload->size);
    return CLSORT_OK;
}

clsort_status plan_radix(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct payload *payload = &route->payload;
    struct radix radix = {
        .problem = problem,
        .payload = payload,
        .tuning = route->tuning.general,
        .item_size = route->item_size,
    };
    radix.num_passes = count_passes(problem, radix.tuning.radix_bits);
    cut_blocks(&radix);
    radix.counts = plan_take_scratch(plan, counts_size(&radix));
    radix.turns = turns_choose(problem, payload, radix.num_passes, plan);

    struct buffer_ref keys = {BUFFER_KEYS, 0};
    struct buffer_ref payload_from = payload->from;
    uint32_t done = 0; /* bits */
    for (uint32_t i = 0; i < radix.num_passes; ++i) {
        const uint32_t left = radix.num_passes - i;
        const struct pass pass = {
            .shift = problem->first_bit + done,
            .bits = (uint32_t)ceil_div(problem->num_bits - done, left),
            .first = i == 0,
            .last = left == 1,
        };
        const struct buffer_ref keys_to = pass.last && problem->index_size
                                              ? (struct buffer_ref){BUFFER_NONE, 0}
                                              : turns_keys(&radix.turns, left);
        const struct buffer_ref payload_to = turns_payload(&radix.turns, left);
        clsort_status status = add_count(plan, &radix, &pass, keys);
        if (!status)
            status = add_scan(plan, &radix, &pass);
        if (!status)
            status = add_scatter(plan, &radix, &pass, keys, keys_to, payload_from, payload_to);
        if (status)
            return status;
        keys = keys_to;
        payload_from = payload_to;
        done += pass.bits;
    }
    return CLSORT_OK;
}
