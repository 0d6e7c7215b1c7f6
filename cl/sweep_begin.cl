/* sweep_begin.cl: empties what sweep_count.cl adds to (sweep.h).
 *
 * Local memory: none. Runs before: sweep_count.cl. */
#include "config.h"
#include "sweep.h"

KERNEL void sweep_begin(const struct sweep_params p, SWEEP_ARGS)
{
    const struct sweep_params *q = &p;
    const uint me = (uint)get_global_id(0);
    const uint step = (uint)get_global_size(0);
    __global uint *control = SWEEP_TABLE(uint, control);
    for (uint i = me; i < sizeof(struct sweep_control) / 4; i += step)
        control[i] = 0;
    for (uint i = me; i < q->num_digits << RADIX_BITS; i += step)
        SWEEP_TABLE(uint, starts)[i] = 0;
}
