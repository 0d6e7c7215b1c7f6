/* restore.cl: if msd_finish has met a leaf that does not fit, puts the keys back where the
 * input had them, so that onesweep/onesweep.h can sort them (msd.h). Only sorts in place need this;
 * others leave the input untouched.
 *
 * Idea: level 1's blocks still have all keys, each with its index.
 *
 * Local memory: none. Runs after: finish.cl. Before: onesweep/sort.cl. */
#include "base/config.h"
#include "sorts/msd/msd.h"
#include "sorts/msd/stretch.h"

KERNEL void msd_restore(const struct msd_params p, MSD_ARGS)
{
    const struct msd_params copied = p;
    const struct msd_params *q = &copied; /* read once: see array.h */
    const int is_needed = MSD_HAS_LEAVES && MSD_CONTROL->is_left;
    const uint num_tasks = is_needed ? q->parts << q->bits[0] : 0;
    __global stored_key_t *keys = msd_keys(q, MSD_BUFFERS, BUFFER_OUT);
    const struct key_stretch stretch = MSD_CONTROL->stretch;
    STRETCH_TABLE map = MSD_TABLE(struct float_map, map);
    for (uint task = get_group_id(0); task < num_tasks; task += get_num_groups(0)) {
        const struct msd_task own = msd_task_of(q, scratch, task);
        for (uint at = own.at; at < own.end; at += own.step) {
            const struct msd_share share = msd_share_of(q, scratch, at, own.end);
            __global const ITEM *mine = share.items;
            for (int i = 0; i < ITEMS && i * MSD_STEP < share.left; ++i) {
                key_t order = MSD_KEY(mine[i * MSD_STEP]);
                if (stretch.is_used)
                    order = msd_shrink(&stretch, stretch_find(map, order), order);
                keys[(uint)ITEM_STORED_PAYLOAD(mine[i * MSD_STEP])] =
                    (stored_key_t)KEY_DECODE(order);
            }
        }
    }
}
