/* runs.cl: an array's runs, each sorted by one work-item in its cache. First step of merge sort
 * on CPUs.
 *
 * Local memory: none. Runs before merge.cl, or alone. In place is fine. */
#include "cpu/runs.h"

KERNEL void cpu_runs(const struct merge_params p, ITEM_ARGS, __global void *scratch)
{
    const ulong worker = get_group_id(0);
    const struct arrays from = {AT(stored_key_t, keys_in, 0), AT(payload_t, payload_in, 2)};
    const struct arrays to = {AT(stored_key_t, keys_out, 1), AT(payload_t, payload_out, 3)};
    __global uchar *room = AT(uchar, scratch, 4);
    room += (0 - (size_t)room) % CPU_ALIGNMENT;
    const ulong places = 2 * p.num_workers * p.run;
    __global uchar *payloads =
        room + (places * sizeof(stored_key_t) + CPU_ALIGNMENT - 1) / CPU_ALIGNMENT * CPU_ALIGNMENT;
    const struct arrays rooms = {(__global stored_key_t *)room, (__global payload_t *)payloads};
    const struct arrays one = ARRAYS_AT(rooms, 2 * worker * p.run);
    const struct arrays other = ARRAYS_AT(one, p.run);
    for (ulong number = worker; number < p.num_runs * p.num_arrays; number += p.num_workers) {
        const ulong begin = number % p.num_runs * p.run;
        const ulong at = number / p.num_runs * p.count + begin;
        const uint count = (uint)min((ulong)p.run, p.count - begin);
        run_sort(ARRAYS_AT(from, at), begin, one, other, ARRAYS_AT(to, at), count, p.flags);
    }
}
