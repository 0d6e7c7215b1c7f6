/* partition.c: steps that partition by digits and by splitters have in common. */
#include "plan/sorts/partition/partition.h"

#define GROUPS_PER_UNIT 16

uint64_t plan_partition_groups(const struct route *route, uint64_t tasks)
{
    return smaller(tasks, ((uint64_t)route->facts->num_units + 1) * GROUPS_PER_UNIT);
}

void plan_partition_reserve_copy(const struct route *route, struct step *first, struct plan *plan)
{
    struct partition_params *p = &first->params.partition;
    const uint64_t key_bytes = route->num_elements * route->key_size;
    p->work_keys = plan_reserve(plan, key_bytes);
    p->work_payload = plan_reserve(plan, route->num_elements * route->payload.size);
    /* An argsort must not write its keys: it sorts copies of them. */
    if (route->problem->index_size)
        first->buffers[1] = plan_reserve_buffer(plan, key_bytes);
}

void plan_partition_reserve(const struct partition_sizes *sizes, const struct table *own,
                            size_t num_own, struct step *first, struct plan *plan)
{
    struct partition_params *p = &first->params.partition;
    const int by_digits = !first->variant.splitters;
    const uint64_t segment =
        by_digits ? sizeof(struct digits_segment) : sizeof(struct partition_segment);
    const uint64_t leaf = by_digits ? sizeof(struct digits_leaf) : sizeof(struct partition_leaf);
    const struct table before[] = {
        {&p->control, sizeof(struct partition_control)},
        {&p->segments, sizes->segments * segment},
        {&p->next_segments, sizes->segments * segment},
        {&p->owners, sizes->blocks * 4},
        {&p->next_owners, sizes->blocks * 4},
    };
    const struct table behind[] = {
        {&p->totals, sizes->buckets * 4},
        {&p->cursors, sizes->buckets * 4},
        {&p->counts, sizes->counts * 4},
        {&p->leaves, sizes->leaves * leaf},
    };
    plan_reserve_tables(plan, before, sizeof before / sizeof *before);
    plan_reserve_tables(plan, own, num_own);
    plan_reserve_tables(plan, behind, sizeof behind / sizeof *behind);
}

void plan_partition_swap(struct partition_params *params)
{
    param_u64 *const pairs[][2] = {
        {&params->segments, &params->next_segments},
        {&params->owners, &params->next_owners},
        {&params->totals, &params->next_totals},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        const param_u64 kept = *pairs[i][0];
        *pairs[i][0] = *pairs[i][1];
        *pairs[i][1] = kept;
    }
}

/* A step whose kernel sees no elements, so that all types share it. */
static struct step *add_for_lists(enum kernel_id kernel, const struct step *first,
                                  uint32_t group_size, struct plan *plan)
{
    struct step like = *first;
    like.variant = (struct variant){
        .key_bits = 32, .key_num_bits = 32, .move_unit = 1, .splitters = first->variant.splitters};
    return plan_add(plan, kernel, &like, (struct shape){group_size, 1, 1});
}

void plan_partition_begin(const struct route *route, const struct step *first, uint32_t group_size,
                          struct plan *plan)
{
    const struct partition_params *p = &first->params.partition;
    const uint64_t per_array = larger(p->blocks_per_array, p->buckets_per_array);
    const uint64_t words = larger(p->num_arrays * per_array, sizeof(struct partition_control) / 4);
    struct step *step = add_for_lists(KERNEL_PARTITION_BEGIN, first, group_size, plan);
    step->num_groups = plan_partition_groups(route, ceil_div(words, group_size));
}

struct step *plan_partition_scan(const struct route *route, const struct step *first,
                                 uint32_t group_size, uint32_t width, uint64_t segments,
                                 struct plan *plan)
{
    struct step *step = add_for_lists(KERNEL_PARTITION_SCAN, first, group_size, plan);
    struct partition_params *p = &step->params.partition;
    p->scan_width = (uint32_t)smaller(group_size, width);
    step->num_groups =
        plan_partition_groups(route,
                              segments * ceil_div((uint64_t)1 << p->digit_bits, p->scan_width));
    step->local_size = group_size * 4;
    return step;
}
