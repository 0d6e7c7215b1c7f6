/* recount.cl: onesweep_scatter.h: a work-item counts a digit's elements of a tile itself. In a sort
 * that is rare, and no test can bring it about. */
#include "base/config.h"
#undef PAYLOAD_SIZE
#define PAYLOAD_SIZE 4 /* keys and payloads may be fused */
#include "sorts/onesweep/scatter.h"

/* in: keys, or pairs of a payload and a key, which are fused. n: tiles. out: [tile][digit]. */
KERNEL void recount(__global const uint *in, __global uint *out, uint n, uint is_fused)
{
    struct onesweep_pass pass;
    pass.from.keys = (__global stored_key_t *)in;
    pass.from.fused = is_fused ? (__global ulong *)in : 0;
    pass.shift = 3;
    pass.mask = RADIX - 1;
    for (uint i = get_global_id(0); i < n * RADIX; i += get_global_size(0))
        out[i] = onesweep_recount(&pass, i % RADIX, i / RADIX);
}
