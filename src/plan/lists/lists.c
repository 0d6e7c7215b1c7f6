/* lists.c: steps of cl/segments/segments.cl: what they have in common, and those that mark where
 * segments begin. Then those that find segments by offsets, sort those that fit in tiles, and list
 * the others for the partition that follows: of numbers by digits, of records the leaves and merges
 * behind splitters (sorts/partition/). */
#include "plan/lists/lists.h"

/* Bytes of local memory of a kernel of segments.cl. */
static uint32_t step_local(enum kernel_id kernel, const struct shape *shape)
{
    switch (kernel) {
    case KERNEL_SEGMENTS_COUNT:
        return 4;
    case KERNEL_SEGMENTS_NUMBER:
        return tuning_move_local(*shape);
    default:
        return 0;
    }
}

void segments_add_step(const struct segments_steps *segments, enum kernel_id kernel,
                       uint64_t num_items)
{
    struct shape shape = segments->route->move;
    shape.lanes = 1;
    if (kernel == KERNEL_SEGMENTS_BEGIN || kernel == KERNEL_SEGMENTS_MARK)
        shape.items = 1; /* they are few: four one after the other take 25 us, not 9 (H200) */
    struct step *step = plan_add_keyless(segments->plan, kernel, segments->index_size, 1, shape);
    const uint32_t words = shape_slots(shape);
    step->local_size = step_local(kernel, &shape);
    /* Kernels of one program are built with the most that one of them takes. */
    step->variant.local_size = step_local(KERNEL_SEGMENTS_NUMBER, &shape);
    step->num_groups = ceil_div(num_items, words);
    STEP_BIND(step, role_ref(BUFFER_OFFSETS), segments->index,
              segments->route->problem->index_size ? role_ref(BUFFER_INDICES) : segments->index,
              segments->index, role_ref(BUFFER_SCRATCH));
    STEP_PARAMS(step, segments) = segments->params;
}

void segments_reserve_bits(struct segments_steps *segments)
{
    struct segments_params *p = &segments->params;
    const uint64_t words = p->count / 32 + 1;
    const struct table tables[] = {{&p->bits, words * 4},
                                   {&p->tops, (words / 1024 + 1) * 4},
                                   {&p->ends, 3 * 8}};
    plan_reserve_tables(segments->plan, tables, sizeof tables / sizeof *tables);
}

void segments_add_bits(const struct segments_steps *segments)
{
    const struct segments_params *p = &segments->params;
    segments_add_step(segments, KERNEL_SEGMENTS_BEGIN, p->count / 32 + 1);
    segments_add_step(segments, KERNEL_SEGMENTS_MARK,
                      ceil_div(p->num_segments + 1, SEGMENTS_MARKED));
}

void plan_segments_list(const struct route *route, const struct step *first, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct partition_params *p = &first->params.partition;
    const int are_records = problem->record_size != 0;
    struct segments_steps segments = {route, plan, 4, *route->listed, {BUFFER_SCRATCH, 0}};
    struct step like = *first;
    like.variant.subgroup = like.variant.radix_bits = 0; /* it knows neither */
    if (!are_records) {
        like.variant.key_first_bit = problem->first_bit;
        like.variant.key_num_bits = problem->num_bits;
        like.variant.keeps_order = (uint32_t)route->keeps_order;
        like.variant.registers = route->listed_tuning.registers;
    }
    segments.params.control = p->control; /* is emptied */
    segments.params.control_words = sizeof(struct partition_control) / 4;
    segments_add_bits(&segments);
    struct step *step = plan_add(plan, are_records ? KERNEL_SEGMENTS_RECORDS : KERNEL_SEGMENTS_TILE,
                                 &like, route->listed_tuning.shape);
    step->num_groups = ceil_div(problem->count, route->listed_tile);
    step->bytes_read = step->bytes_written =
        problem->count * (route->key_size + (uint64_t)route->payload.size);
    step->local_size =
        are_records
            ? (uint32_t)tuning_segment_records_local(route->listed_tuning.shape,
                                                     payload_slot_size(problem, &route->payload))
            : tuning_segments_local(route->listed_tuning.shape, route->item_size);
    STEP_PARAMS(step, segments_tile) = (struct segments_tile_params){
        .partition = *p,
        .bits_of_segments = route->listed->bits,
        .tops_of_segments = route->listed->tops,
        .tile = route->listed_tile,
        .flags =
            store_flags(!problem->index_size, route->payload.size != 0, route->payload.is_index),
    };
}
