/* offsets.cl: where each leaf begins in the output, if leaves have had rooms (offsets.h).
 *
 * Local memory: as there. Runs after: scatter.cl. Before: finish.cl. */
#include "base/config.h"
#include "sorts/msd/offsets.h"

KERNEL void msd_offsets(const struct msd_params p, MSD_ARGS)
{
    const struct msd_params copied = p;
    const struct msd_params *q = &copied; /* read once: see array.h */
    __local struct offsets_local shared;
    LOCAL_FITS(sizeof(shared));
    if (MSD_HAS_BLOCKS) /* not MSD_HAS_LEAVES, which groups that end may change */
        offsets_digit(q, scratch, get_group_id(0), &shared);
}
