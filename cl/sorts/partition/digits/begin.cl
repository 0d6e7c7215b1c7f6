/* begin.cl: before the first level, empties the lists and the tables that are added to
 * (part.h).
 *
 * Local memory: none. Runs before: count.cl. */
#include "base/config.h"
#include "sorts/partition/digits/part.h"

KERNEL void part_begin(const struct part_params p, PART_ARGS)
{
    part_empty(&p, scratch, 0, 0, (uint)get_global_id(0), (uint)get_global_size(0));
}
