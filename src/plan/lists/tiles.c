/* tiles.c: steps that find segments by offsets, sort those that fit in tiles, and list the others
 * for the partition that follows: of numbers by digits, of records the leaves and merges behind
 * splitters (sorts/partition/). */
#include "plan/route.h"

void plan_segments_list(const struct route *route, const struct step *first, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct partition_params *p = &first->params.partition;
    const int are_records = problem->record_size != 0;
    struct step like = *first;
    like.variant.subgroup = like.variant.radix_bits = 0; /* it knows neither */
    if (!are_records) {
        like.variant.key_first_bit = problem->first_bit;
        like.variant.key_num_bits = problem->num_bits;
        like.variant.keeps_order = (uint32_t)route->keeps_order;
        like.variant.registers = route->listed_tuning.registers;
    }
    plan_segments_mark(route, p->control, sizeof(struct partition_control), plan);
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
