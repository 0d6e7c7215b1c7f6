/* listed.c: chooses how GPUs sort segments by offsets: in tiles, and the longer ones as
 * radix sort or quicksort would, which find them in lists. */
#include "plan/route.h"

/* What moves with the keys of segments. All is stable in a tile, but longer segments keep equal
 * keys in order only by an index, or by moving values without atomics. Every step of records keeps
 * equal ones in their order, so no index has to. */
static struct payload listed_payload(const struct problem *problem)
{
    const int has_none = !problem->value_size && !problem->index_size && !problem->record_size;
    struct problem stable = *problem;
    stable.stable = 1;
    struct payload payload = has_none && problem_shows_order(problem) ? payload_choose(&stable, 0)
                                                                      : payload_choose(problem, 1);
    if (problem->index_size) { /* to scratch: in the end it counts from its segment's begin */
        payload.work = role_ref(BUFFER_NONE);
        payload.work_size = problem->count * payload.size;
    }
    return payload;
}

int plan_choose_listed(const struct device_facts *facts, const struct problem *problem,
                       const struct segments_params *params, struct route *route_ret)
{
    const int are_records = problem->record_size != 0;
    *route_ret = (struct route){
        .facts = facts,
        .problem = problem,
        .num_elements = problem->count,
        .key_size = problem_key_size(problem),
        .algorithm = are_records ? CLSORT_MERGE : CLSORT_RADIX,
        .form = are_records ? FORM_SPLITTERS : FORM_DIGITS,
        .stable = 1,
        .payload = listed_payload(problem),
        .move = tuning_move(facts),
        .listed = params,
    };
    struct route *route = route_ret;
    if (facts->cpu_kernels || problem->num_columns || problem->count > UINT32_MAX / 2)
        return 0;
    route->item_size = payload_item_size(problem, &route->payload);
    route->variant = payload_variant(problem, &route->payload);
    route->listed_tuning = tuning_segments(facts,
                                           are_records ? payload_slot_size(problem, &route->payload)
                                                       : route->item_size,
                                           are_records);
    /* Elements in which a tile's segments begin: whole words of bits. */
    const uint32_t slots = (uint32_t)shape_slots(route->listed_tuning.shape);
    route->listed_tile = slots * route->listed_tuning.tile_percent / 100 / 32 * 32;
    if (!route->listed_tile) /* local memory is too small */
        return 0;
    if (are_records) {
        route->splitters = tuning_splitters(facts, route->item_size, 0);
        route->moves_in_order = 0;
        return 1;
    }
    route->keeps_order = payload_keeps_order(problem, &route->payload);
    route->stable = !route->payload.size || route->keeps_order;
    route->variant.key_first_bit = 0;
    route->variant.key_num_bits = problem->type->bits;
    return plan_digits_takes(route, &route->digits, &route->levels);
}
