/* payload.c: chooses what moves with the keys, and moves values by index. */
#include "plan/route.h"

#define MAX_PIECE 8       /* bytes moved at once; values are promised no larger alignment */
#define SLOT_SIZE 4       /* of a wide record, beside it: cl/group/merge_slots.h */
#define SHARES_PER_UNIT 8 /* a thread that started late does fewer; any small number will do */

struct payload payload_choose(const struct problem *problem, int places_ties)
{
    struct payload payload = {0};
    if (problem->index_size) {
        payload.size = problem->index_size;
        payload.is_index = 1;
        payload.stored = 1;
        payload.work = role_ref(BUFFER_INDICES);
        return payload;
    }
    const int needs_index = problem->stable && !places_ties;
    const uint32_t num_values = problem_num_values(problem);
    if (num_values == 0 && !(needs_index && problem_shows_order(problem)))
        return payload;
    const uint32_t size = problem_value_size(problem, 0);
    if (num_values == 1 && payload_piece(size) == size && !needs_index) {
        payload.size = size;
        payload.stored = 1;
        payload.from = role_ref(problem_values(problem, 0));
        payload.work = role_ref(role_out(payload.from.role));
        return payload;
    }
    payload.is_index = 1;
    payload.size = problem->count > (uint64_t)UINT32_MAX + 1 ? 8 : 4;
    payload.gathers = num_values != 0;
    payload.stored = payload.gathers;
    payload.work_size = num_elements(problem) * payload.size;
    return payload;
}

int payload_keeps_order(const struct problem *problem, const struct payload *payload)
{
    return payload->size ? payload->is_index || problem->stable : problem_shows_order(problem);
}

int payload_is_stable(const struct problem *problem, const struct payload *payload)
{
    return payload->size ? payload->is_index : !problem_shows_order(problem);
}

uint32_t payload_item_size(const struct problem *problem, const struct payload *payload)
{
    if (problem->record_size) {
        const uint32_t slots = problem->record_is_wide ? SLOT_SIZE : 0;
        /* The payload at its alignment, the whole at the record's, 16 at most. */
        return slots + (payload->size
                            ? (uint32_t)ceil_div(problem->record_size + 2 * payload->size, 16) * 16
                            : problem->record_size);
    }
    if (payload->size == 0)
        return problem->type->bits == 64 ? 8 : 4;
    return problem->type->bits <= 32 && payload->size <= 4 ? 8 : 16;
}

uint32_t payload_slot_size(const struct problem *problem, const struct payload *payload)
{
    return payload_item_size(problem, payload) + (problem->record_is_wide ? 0 : SLOT_SIZE);
}

struct variant payload_variant(const struct problem *problem, const struct payload *payload)
{
    return (struct variant){
        .key_bits = problem->type->bits,
        .key_signed = problem->type->kind == KEY_SIGNED,
        .key_mantissa = problem->type->mantissa_bits,
        .key_descending = (uint32_t)problem->descending,
        .key_first_bit = problem->first_bit,
        .key_num_bits = problem->num_bits,
        .record_size = problem->record_size,
        .record_text = problem->record_text,
        .payload_size = payload->size,
        .payload_index = (uint32_t)payload->is_index,
        .move_unit = 1,
    };
}

struct double_buffer double_buffer_choose(const struct route *route, uint32_t num_passes,
                                          struct plan *plan)
{
    const uint64_t key_bytes = route->num_elements * route->key_size;
    const uint64_t payload_bytes = route->num_elements * route->payload.size;
    struct double_buffer data = {.at[0] = {role_ref(BUFFER_KEYS_OUT), route->payload.work}};
    if (num_passes > 1)
        data.at[1].keys = plan_reserve_buffer(plan, key_bytes);
    if (num_passes > 1 && payload_bytes)
        data.at[1].payload = plan_reserve_buffer(plan, payload_bytes);
    /* An argsort must not write its keys: they get a second copy. */
    if (route->problem->index_size && num_passes > 2)
        data.at[0].keys = plan_reserve_buffer(plan, key_bytes);
    return data;
}

uint32_t payload_piece(uint32_t size)
{
    uint32_t piece = 1;
    while (piece < MAX_PIECE && size % (2 * piece) == 0)
        piece *= 2;
    return piece;
}

struct step *payload_move(const struct route *route, enum kernel_id kernel, uint32_t size,
                          uint64_t wanted, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const uint64_t n = wanted * problem->num_arrays;
    const uint32_t piece = kernel == KERNEL_GATHER_WHOLE ? 1 : payload_piece(size);
    struct shape shape = route->move;
    shape.lanes = 1;
    struct step *step = plan_add_keyless(plan, kernel, 0, piece, shape);
    STEP_PARAMS(step, move) = (struct move_params){
        .count = problem->count,
        .num_elements = n,
        .wanted = wanted,
        .order = problem->count,
        .num_units = size / piece,
    };
    step->num_groups = ceil_div(n * (size / piece), shape_slots(shape));
    step->bytes_read = step->bytes_written = n * size;
    return step;
}

/* A gather: by pieces, or on CPUs by whole elements, in equal shares for the work-items. */
static struct step *add_gather(const struct route *route, uint32_t size, uint32_t index_size,
                               struct plan *plan)
{
    const int is_cpu = route->facts->cpu_kernels;
    const uint64_t n = route->num_elements;
    struct step *step = payload_move(route, is_cpu ? KERNEL_GATHER_WHOLE : KERNEL_GATHER, size,
                                     route->problem->count, plan);
    step->variant.payload_size = index_size;
    step->bytes_read += n * index_size;
    if (is_cpu) {
        step->variant.group_size = step->variant.items = 1;
        step->params.move.share = ceil_div(n, (uint64_t)route->facts->num_units * SHARES_PER_UNIT);
        step->num_groups = ceil_div(n, step->params.move.share);
    }
    return step;
}

struct step *payload_copy(const struct route *route, uint32_t size, uint64_t wanted,
                          struct buffer_ref from, struct buffer_ref to, struct plan *plan)
{
    struct step *step = payload_move(route, KERNEL_GATHER, size, wanted, plan);
    STEP_BIND(step, from, to, from); /* no index is read */
    step->work = "copy";
    return step;
}

/* Gathers elements of `size` bytes, a source's, by indices: to where they are when sorted, through
 * a copy in scratch if the problem is in place. */
static void place(const struct route *route, uint32_t size, enum buffer_role role,
                  struct buffer_ref index, uint32_t index_size, struct plan *plan)
{
    const uint64_t scratch_end = plan->scratch_end; /* the copies of all have one place */
    struct buffer_ref from = role_ref(role);
    if (route->problem->in_place) {
        from = plan_reserve_buffer(plan, route->num_elements * size);
        payload_copy(route, size, route->problem->count, role_ref(role), from, plan);
    }
    struct step *step = add_gather(route, size, index_size, plan);
    STEP_BIND(step, from, role_ref(problem_out(route->problem, role)), index);
    plan->scratch_end = scratch_end;
}

void payload_place(const struct route *route, uint32_t first, struct buffer_ref index,
                   uint32_t index_size, struct plan *plan)
{
    const struct problem *problem = route->problem;
    struct moved_array moved[MAX_MOVED_ARRAYS];
    const uint32_t num =
        problem->index_size && problem->in_place ? 0 : problem_moved(problem, moved);
    for (uint32_t i = first; i < num; ++i)
        place(route, moved[i].size, moved[i].from, index, index_size, plan);
}

void plan_gather(const struct route *route, struct plan *plan)
{
    payload_place(route, 0, role_ref(BUFFER_INDICES), route->problem->index_size, plan);
}
