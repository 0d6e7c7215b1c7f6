/* msd_list.cl: what is to be known between the levels of msd.h, in one launch.
 *
 * Idea: each step is a phase (device_phases.h). The blocks of level 1 are listed by digit
 * (msd_list.h). The digits of level 2 are counted in them (msd_count.h), which tells where leaves
 * begin (msd_offsets.h); or leaves get room for short rests (msd_capacity.h). A launch for each
 * takes an H200 five microseconds, also if there is nothing to do. If msd_split has counted the
 * leaves, no group waits for another. If there are few different keys, it writes the runs of them
 * (msd_few.h).
 *
 * Local memory: the largest that a phase needs. Runs after: msd_split.cl. Before:
 * msd_scatter.cl. */
#include "config.h"
#include "device_phases.h"
#include "msd_capacity.h"
#include "msd_count.h"
#include "msd_few.h"
#include "msd_list.h"
#include "msd_offsets.h"

union phases_local {
    struct list_local list;
    uint counters[MSD_COUNTERS];
    struct offsets_local offsets;
    uint before; /* rests of the digits before one */
};

/* msd_split has counted the leaves. RADIX_BITS are those of the wider digit, which is level 1's. */
#define LIST_IS_COUNTED (MSD_COUNTS_LEAVES && p.counts_leaves)

/* The tasks of a phase that this group gets. A group that has waited too long for others ends. */
#define LIST_PHASE(phase, num_tasks, DO)                                                          \
    do {                                                                                          \
        __global uint *tickets_ = &control->even_tickets[phase];                                  \
        uint num_done_ = 0;                                                                       \
        for (uint task = device_phases_take(tickets_, &answer); task < (num_tasks);               \
             task = device_phases_take(tickets_, &answer), ++num_done_)                           \
            DO;                                                                                   \
        if (device_phases_done(&control->even_done[phase], num_done_, num_tasks, &answer))        \
            device_phases_begin(&control->even_phases, (phase) + 1);                              \
        else if (!device_phases_wait(&control->even_phases, (phase) + 1, q->spin_limit, &answer)) \
            return;                                                                               \
    } while (0)

/* The blocks of group `task` of msd_split; and its share of the counts becomes 0. */
CLSORT_INLINE void list_task(const struct msd_params *params, __global void *scratch, uint task,
                             __local struct list_local *shared)
{
    const struct msd_params p = *params;
    const uint num_digits = 1u << p.bits[0], num_leaves = num_digits << p.bits[1];
    const uint first_block = task * p.blocks_per_group;
    __global uint *totals = MSD_TABLE(uint, totals);
    for (uint i = task * GROUP_SIZE + (uint)get_local_id(0); !LIST_IS_COUNTED && i < num_leaves;
         i += p.num_groups * GROUP_SIZE)
        MSD_TABLE(uint, counts)[i] = 0;
    if (task == 0)
        list_tell(shared, totals, num_digits, MSD_TABLE(uint, list_begins));
    list_blocks(shared, MSD_TABLE(uint, kinds) + first_block, first_block, p.blocks_per_group,
                totals, MSD_TABLE(uint, list));
}

KERNEL void msd_list(const struct msd_params p, PART_ARGS)
{
    const struct part_params *q = &p.part;
    __local union phases_local shared;
    __local uint answer;
    LOCAL_FITS(sizeof(shared) + sizeof(answer));
#if PAYLOAD_SIZE == 0
    msd_few_write(q, PART_BUFFERS);
#endif
    if (!MSD_HAS_BLOCKS)
        return;
    __global struct part_control *control = PART_CONTROL;
    const uint num_digits = 1u << p.bits[0];
    list_begin(&shared.list, MSD_TABLE(uint, totals), num_digits);
    if (LIST_IS_COUNTED) { /* nothing depends on what another group does here */
        for (uint task = get_group_id(0); task < p.num_groups; task += get_num_groups(0))
            list_task(&p, scratch, task, &shared.list);
        for (uint digit = get_group_id(0); digit < num_digits; digit += get_num_groups(0)) {
            barrier(CLK_LOCAL_MEM_FENCE); /* the lists, or another digit's sums, have been read */
            offsets_digit(&p, scratch, digit, &shared.offsets);
        }
        return;
    }
    LIST_PHASE(0, p.num_groups, list_task(&p, scratch, task, &shared.list));
    if (MSD_SHORT) {
        LIST_PHASE(1, num_digits, capacity_digit(&p, scratch, task, &shared.before));
    } else {
        LIST_PHASE(1, num_digits * p.parts, count_task(&p, scratch, task, shared.counters));
        LIST_PHASE(2, num_digits, offsets_digit(&p, scratch, task, &shared.offsets));
    }
}
