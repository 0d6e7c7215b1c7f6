/* begin.cl: empties what counting adds to (onesweep.h).
 *
 * Local memory: none. Runs before: sort.cl. */
#include "base/config.h"
#include "sorts/onesweep/onesweep.h"

KERNEL void onesweep_begin(const struct onesweep_params p, ONESWEEP_ARGS)
{
    const struct onesweep_params *q = &p;
    const uint me = (uint)get_global_id(0);
    const uint step = (uint)get_global_size(0);
    __global uint *control = ONESWEEP_TABLE(uint, control);
#pragma unroll 1
    for (uint i = me; i < sizeof(struct onesweep_control) / 4; i += step)
        control[i] = 0;
#pragma unroll 1
    for (uint i = me; i < q->num_digits << RADIX_BITS; i += step)
        ONESWEEP_TABLE(uint, bin_offsets)[i] = 0;
}
