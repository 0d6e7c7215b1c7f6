/* lookback.cl: device_lookback.h: a tile is GROUP_SIZE numbers, and counts those whose lowest
 * bits are a digit. */
#include "base/config.h"
#define LOOKBACK_CONTEXT __global const uint *
#define LOOKBACK_RECOUNT(numbers, tile) recount(numbers, tile)
#define DIGITS 4
CLSORT_INLINE uint recount(__global const uint *numbers, uint tile);
#include "device/lookback.h"
#include "device/phases.h"

/* Of the digit whose work-item looks back. */
CLSORT_INLINE uint recount(__global const uint *numbers, uint tile)
{
    uint count = 0;
    for (uint i = 0; i < GROUP_SIZE; ++i)
        count += numbers[tile * GROUP_SIZE + i] % DIGITS == get_local_id(0);
    return count;
}

/* n: tiles. out: a ticket; [tile][digit] words; [tile][digit] the counts of the tiles before.
 * Every tile whose number has a bit of `silent` publishes nothing, as if its work-group did not
 * run. */
KERNEL void look_back(__global const uint *in, __global uint *out, uint n, uint silent)
{
    __local uint counters[DIGITS], answer;
    __global uint *words = out + 1;
    const uint me = get_local_id(0);
    for (uint tile = device_phases_take(out, &answer); tile < n;
         tile = device_phases_take(out, &answer)) {
        if (me < DIGITS)
            counters[me] = 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0 */
        atomic_inc(&counters[in[tile * GROUP_SIZE + me] % DIGITS]);
        barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
        if (me < DIGITS) {
            __global uint *own = &words[tile * DIGITS + me];
            if (!(tile & silent))
                device_store_relaxed(own, (tile == 0 ? TILE_STATE_INCLUSIVE : TILE_STATE_PARTIAL) |
                                              counters[me]);
            const uint before = device_look_back(words + me, DIGITS, tile, silent ? 1 : 100000, in);
            if (!(tile & silent))
                device_store_relaxed(own, TILE_STATE_INCLUSIVE | (before + counters[me]));
            out[1 + (n + tile) * DIGITS + me] = before;
        }
    }
}
