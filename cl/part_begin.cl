/* part_begin.cl: empties the lists and the tables that are added to, before the first level (part.h).
 *
 * Local memory: none. Runs before: part_count.cl. */
#include "config.h"
#include "part.h"

KERNEL void part_begin(const struct part_params p, PART_ARGS)
{
    const struct part_params *q = &p;
    const uint me = (uint)get_global_id(0);
    const uint step = (uint)get_global_size(0);
    __global uint *control = PART_TABLE(uint, control);
    for (uint i = me; i < sizeof(struct part_control) / 4; i += step)
        control[i] = 0;
    if (q->flags & FLAG_CURSORS)
        part_clear(PART_TABLE(uint, totals), PART_TABLE(struct part_seen, seen), q->num_arrays,
                   q->digit_bits, me, step);
}
