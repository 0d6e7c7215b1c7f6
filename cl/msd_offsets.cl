/* msd_offsets.cl: where each leaf begins in the output, if rests are short (msd_offsets.h).
 *
 * Local memory: as there. Runs after: msd_scatter.cl. Before: msd_finish.cl. */
#include "config.h"
#include "msd_offsets.h"

KERNEL void msd_offsets(const struct msd_params p, PART_ARGS)
{
    const struct part_params *q = &p.part;
    __local struct offsets_local shared;
    LOCAL_FITS(sizeof(shared));
    if (MSD_HAS_BLOCKS) /* not PART_IS_EVEN, which groups that end may change */
        offsets_digit(&p, scratch, get_group_id(0), &shared);
}
