/* listed.c: chooses how GPUs sort segments by offsets: in tiles, and the longer ones as
 * radix sort or quicksort would, which find them in lists. */
#include "plan/route.h"

/* An index goes to scratch: in the end it counts from its segment's beginning. */
static void leave_index(const struct problem *problem, struct payload *payload)
{
    if (problem->index_size) {
        payload->work = role_ref(BUFFER_NONE);
        payload->work_size = problem->count * payload->size;
    }
}

/* What moves with the keys of segments. All is stable in a tile, but longer segments keep equal
 * keys in order only by an index, or by moving values without atomics. */
static struct payload listed_payload(const struct problem *problem)
{
    const int has_none = !problem->value_size && !problem->index_size;
    struct problem stable = *problem;
    stable.stable = 1;
    struct payload payload = has_none && problem_shows_order(problem) ? payload_choose(&stable, 0)
                                                                      : payload_choose(problem, 1);
    leave_index(problem, &payload);
    return payload;
}

/* Elements in which a tile's segments begin: whole words of bits. 0: local memory is too small. */
static void set_tile(struct route *route)
{
    const uint32_t slots = (uint32_t)shape_slots(route->listed_tuning.shape);
    route->listed_tile = slots * route->listed_tuning.tile_percent / 100 / 32 * 32;
}

/* Records: every step keeps equal ones in their order, so no index has to. */
static int takes_records(struct route *route)
{
    const struct problem *problem = route->problem;
    struct payload *payload = &route->payload;
    *payload = payload_choose(problem, 1);
    leave_index(problem, payload);
    route->form = FORM_SPLITTERS;
    route->algorithm = CLSORT_MERGE;
    route->stable = 1;
    route->item_size = payload_item_size(problem, payload);
    route->variant = payload_variant(problem, payload);
    route->splitters = tuning_splitters(route->facts, route->item_size, 0);
    route->moves_in_order = 0;
    route->listed_tuning = tuning_segments(route->facts, payload_slot_size(problem, payload), 1);
    set_tile(route);
    return route->listed_tile > 0;
}

int plan_choose_listed(const struct device_facts *facts, const struct problem *problem,
                       const struct segments_params *params, struct route *route_ret)
{
    *route_ret = (struct route){
        .facts = facts,
        .problem = problem,
        .num_elements = problem->count,
        .key_size = problem_key_size(problem),
        .algorithm = CLSORT_RADIX,
        .form = FORM_DIGITS,
        .payload = listed_payload(problem),
        .move = tuning_move(facts),
        .listed = params,
    };
    struct route *route = route_ret;
    if (facts->cpu_kernels || problem->num_columns || problem->count > UINT32_MAX / 2)
        return 0;
    if (problem->record_size)
        return takes_records(route);
    route->item_size = payload_item_size(problem, &route->payload);
    route->keeps_order = payload_keeps_order(problem, &route->payload);
    route->stable = !route->payload.size || route->keeps_order;
    route->variant = payload_variant(problem, &route->payload);
    route->variant.key_first_bit = 0;
    route->variant.key_num_bits = problem->type->bits;
    route->listed_tuning = tuning_segments(facts, route->item_size, 0);
    set_tile(route);
    return route->listed_tile && plan_digits_takes(route, &route->digits, &route->levels);
}
