/* cpu_fill.cl: keys of few bits, written out as often as they were counted. Last step of the
 * CPUs' radix sort of 8- and 16-bit keys without payload.
 *
 * Idea: where every bin is one key, the counts say all. Each work-item writes an equal part of the
 * output: it looks up the bin that its part begins in, and goes on from there.
 *
 * Local memory: none. Runs after cpu_scan.cl. */
#include "cpu.h"

KERNEL void cpu_fill(const struct cpu_params p, CPU_ARGS)
{
    const ulong number = get_group_id(0) / p.num_workers;
    const ulong part = get_group_id(0) % p.num_workers;
    struct cpu_array array;
    cpu_open(&p, keys_in, keys_out, payload_in, payload_out, scratch, number, number, &array);
    if (array.state->monotonicity != (DESCENDING | ASCENDING)) {
        cpu_copy(&p, &array, part, p.num_workers);
        return;
    }
    const ulong size = (p.count + p.num_workers - 1) / p.num_workers;
    const ulong begin = min(part * size, (ulong)p.count);
    const ulong end = min(begin + size, (ulong)p.count);
    uint bin = 0;
    for (uint step = p.num_bins / 2; step > 0; step /= 2) /* the last that starts at or before it */
        bin += array.bucket_offsets[bin + step] <= begin ? step : 0;
    for (ulong at = begin; at < end; ++bin) {
        const stored_key_t key = (stored_key_t)KEY_DECODE((key_t)bin);
        const ulong last = min((ulong)array.bucket_offsets[bin + 1], end);
        for (; at < last; ++at)
            array.keys_out[at] = key;
    }
}
