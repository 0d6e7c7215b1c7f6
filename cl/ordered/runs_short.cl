/* runs_short.cl: runs.cl for short arrays, several to a work-group, in one launch. p.block_size:
 * arrays of a work-group.
 *
 * Idea: runs of the group's arrays are numbered as if the arrays were one. A run's number in its
 * array is that number less that of the array's first run.
 *
 * Local memory: what runs.h needs; the numbers of the arrays' first runs. Alone. */
#include "ordered/runs.h"

KERNEL void runs_short(RUNS_ARGS)
{
    __local struct runs_local shared;
    __local uint firsts[GROUP_SIZE]; /* the number of each array's first run */
    LOCAL_FITS(sizeof(shared) + sizeof(firsts));
    const uint me = get_local_id(0), count = (uint)p.count;
    const ulong first = get_group_id(0) * p.block_size;
    const uint num = (uint)min((ulong)p.block_size, p.num_arrays - first), size = num * count;
    __global const stored_key_t *keys = RUNS_KEYS(first);
    RUNS_OUTPUT(output, first);
    stored_key_t own[RUNS_HELD];
    uint ranks[ITEMS];
    runs_load(keys, 0, size, own);
    const uint heads = runs_mark(keys, 0, size, count, own);
    const uint before = runs_scan_tile(&shared, runs_rank(heads, ranks));
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        if (runs_slot(i) < size && runs_slot(i) % count == 0)
            firsts[runs_slot(i) / count] = before + ranks[i];
    barrier(CLK_LOCAL_MEM_FENCE); /* it is known where each array's runs begin */
#pragma unroll RUNS_UNROLL
    for (uint i = 0; i < ITEMS; ++i) {
        if (heads >> i & 1) {
            const uint at = runs_slot(i), array = at / count;
            const uint place = array * count + before + ranks[i] - firsts[array];
            if (p.flags & FLAG_STORE_KEYS)
                STORED_COPY(output.keys[place], RUNS_OWN(own, i, keys, at));
            if (p.flags & FLAG_STORE_PAYLOAD)
                output.offsets[place + array] = (index_t)(at - array * count);
        }
    }
    if (me < num) {
        const uint end = me + 1 < num ? firsts[me + 1] : shared.total;
        output.offsets += me * (count + 1);
        runs_finish(&p, output, AT(ulong, result, 3) + first + me, end - firsts[me]);
    }
}
