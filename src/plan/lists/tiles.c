/* tiles.c: steps that find segments by offsets, sort those that fit in tiles, and list the others
 * for the sort that follows: of numbers radix sort from the highest digit, of records the leaves
 * and merges of quicksort (part.c and quick_leaves.c of sorts/partition/). */
#include "plan/route.h"

/* Adds the kernel for tiles behind the steps that find the segments. control: what these empty. */
static struct step *add_tiles(const struct route *route, enum kernel_id kernel,
                              const struct step *like, uint64_t control, uint64_t control_size,
                              struct plan *plan)
{
    const struct problem *problem = route->problem;
    plan_segments_mark(route, control, control_size, plan);
    struct step *step = plan_add(plan, kernel, like, route->listed_tuning.shape);
    step->num_buffers = PARAM_BUFFERS;
    step->num_groups = ceil_div(problem->count, route->listed_tile);
    step->bytes_read = step->bytes_written =
        problem->count * (route->key_size + (uint64_t)route->payload.size);
    return step;
}

clsort_status plan_segments_list(const struct route *route, const struct part_params *part,
                                 const struct buffer_ref buffers[PARAM_BUFFERS], struct plan *plan)
{
    const struct problem *problem = route->problem;
    struct step like = {.variant = route->variant};
    like.variant.key_first_bit = problem->first_bit;
    like.variant.key_num_bits = problem->num_bits;
    like.variant.keeps_order = (uint32_t)route->keeps_order;
    like.variant.registers = route->listed_tuning.registers;
    for (uint32_t i = 0; i < PARAM_BUFFERS; ++i)
        like.buffers[i] = buffers[i]; /* further steps may move them */
    struct step *step = add_tiles(route, KERNEL_SEGMENTS_TILE, &like, part->control,
                                  sizeof(struct part_control), plan);
    step->local_size = tuning_segments_local(route->listed_tuning.shape, route->item_size);
    STEP_PARAMS(step, segments_tile) = (struct segments_tile_params){
        .part = *part,
        .bits_of_segments = route->listed->bits,
        .tops_of_segments = route->listed->tops,
        .tile = route->listed_tile,
        .flags =
            store_flags(!problem->index_size, route->payload.size != 0, route->payload.is_index),
    };
    return plan->status;
}

clsort_status plan_segments_records(const struct route *route, const struct step *like,
                                    struct plan *plan)
{
    const struct quick_params *quick = &like->params.quick;
    struct step *step = add_tiles(route, KERNEL_SEGMENTS_RECORDS, like, quick->control,
                                  sizeof(struct quick_control), plan);
    step->local_size =
        (uint32_t)tuning_segment_records_local(route->listed_tuning.shape,
                                               payload_slot_size(route->problem, &route->payload));
    step->variant.subgroup = step->variant.radix_bits = 0; /* it knows neither */
    STEP_PARAMS(step, segments_records) = (struct segments_records_params){
        .quick = *quick,
        .bits_of_segments = route->listed->bits,
        .tops_of_segments = route->listed->tops,
        .tile = route->listed_tile,
    };
    return plan->status;
}
