/* mark.c: steps of cl/segments/segments.cl: those that mark where segments begin, and what all of
 * them have in common. */
#include "plan/lists/lists.h"

/* Bytes of local memory of a kernel of segments.cl. */
static uint32_t step_local(enum kernel_id kernel, const struct shape *shape)
{
    switch (kernel) {
    case KERNEL_SEGMENTS_COUNT:
        return 4;
    case KERNEL_SEGMENTS_SCAN:
        return 8 * shape->group_size;
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

void plan_segments_mark(const struct route *route, uint64_t control, uint64_t control_size,
                        struct plan *plan)
{
    struct segments_steps segments = {
        .route = route,
        .plan = plan,
        .index_size = 4,
        .params = *route->listed,
        .index = {BUFFER_SCRATCH, 0},
    };
    segments.params.control = control;
    segments.params.control_words = (uint32_t)(control_size / 4);
    segments_add_bits(&segments);
}
