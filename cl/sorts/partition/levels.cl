/* levels.cl: all levels that random keys do not need, in one launch, if equal keys need no order
 * (digits.h).
 *
 * Idea: each level has two phases, counting and scattering (device/phases.h), whose tasks are its
 * blocks. Mostly there are none, and the launch does nothing.
 *
 * Local memory: the larger one of what counting and scattering need. Runs after: the last
 * scatter.cl. Before: rests.cl. */
#include "base/config.h"
#define DIGITS_COUNT_ITEMS (ITEMS < 16 ? ITEMS : 16)
#include "device/phases.h"
#include "sorts/partition/count_digits.h"
#include "sorts/partition/scatter_digits.h"

/* From a level to the next: whose tables become this one's, and digits narrower at the end. */
CLSORT_INLINE void digits_descend(struct partition_params *q, __global void *scratch)
{
    const uint digit_bits = digits_next_bits(q, scratch);
    const param_u64 segments = q->segments, owners = q->owners, totals = q->totals;
    q->segments = q->next_segments;
    q->next_segments = segments;
    q->owners = q->next_owners;
    q->next_owners = owners;
    q->totals = q->next_totals;
    q->next_totals = totals;
    q->level += 1;
    q->bits_left -= q->digit_bits;
    q->digit_bits = digit_bits;
    q->next_digit_bits = min((uint)RADIX_BITS, q->bits_left - digit_bits);
}

/* What the first level of this launch knows. */
CLSORT_INLINE void digits_first(struct partition_params *level, __global void *scratch)
{
    const struct partition_params *q = level;
    if (level->level == 0)
        return;
    level->level -= 1; /* whose next level the first one is */
    level->digit_bits = digits_next_bits(q, scratch);
    level->level += 1;
    level->next_digit_bits = min((uint)RADIX_BITS, level->bits_left - level->digit_bits);
}

KERNEL void partition_levels(const struct partition_params p, PARTITION_ARGS)
{
    struct partition_params level = p;
    const struct partition_params *q = &level;
    __local union {
        struct partition_count_local count;
        struct partition_scatter_local scatter;
    } shared;
    __local uint answer;
    LOCAL_FITS(sizeof(shared) + sizeof(answer));
    __global struct partition_control *control = PARTITION_CONTROL;
    digits_first(&level, scratch);
#pragma unroll 1
    for (uint phase = 0;; phase += 2) {
        const uint num_blocks = PARTITION_NUM_BLOCKS;
        if (num_blocks == 0)
            return;
        __global uint *tickets = &control->tickets[phase];
        uint num_done = 0;
        DEVICE_PHASES_TASKS(block, num_done, tickets, num_blocks, &answer)
            partition_count_block(q, PARTITION_BUFFERS, block, &shared.count);
        if (device_phases_done(&control->done[phase], num_done, num_blocks, &answer))
            device_phases_begin(&control->phases, phase + 1);
        else if (!device_phases_wait(&control->phases, phase + 1, q->spin_limit, &answer))
            return;
        num_done = 0;
        ++tickets;
        DEVICE_PHASES_TASKS(block, num_done, tickets, num_blocks, &answer)
            partition_scatter_block(q, PARTITION_BUFFERS, block, &shared.scatter);
        if (q->level + 1 == q->num_levels)
            return;
        if (device_phases_done(&control->done[phase + 1], num_done, num_blocks, &answer)) {
            digits_clear(PARTITION_TABLE(uint, next_totals),
                         control->num_segments[q->level + 1] << digits_next_bits(q, scratch),
                         get_local_id(0), GROUP_SIZE);
            device_phases_begin(&control->phases, phase + 2);
        } else if (!device_phases_wait(&control->phases, phase + 2, q->spin_limit, &answer)) {
            return;
        }
        digits_descend(&level, scratch);
    }
}
