/* offsets.cl: where each leaf begins in the output, if leaves have had rooms (offsets.h);
 * and larger rooms for a digit of which a leaf has lacked room.
 *
 * Local memory: as there. Runs after: scatter.cl. Before: scatter.cl again, or
 * finish.cl. */
#include "base/config.h"
#include "sorts/msd/offsets.h"

KERNEL void msd_offsets(const struct msd_params p, PART_ARGS)
{
    const struct part_params *q = &p.part;
    __local struct offsets_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint digit = get_group_id(0);
    if (!MSD_HAS_BLOCKS) /* not PART_IS_EVEN, which groups that end may change */
        return;
    offsets_digit(&p, scratch, digit, &shared);
    if (MSD_MOVES_AGAIN && MSD_TABLE(uint, totals)[digit * MSD_PAD + MSD_AGAIN])
        offsets_rooms(&p, scratch, digit, &shared);
}
