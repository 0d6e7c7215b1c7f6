/* serial_runs.cl: an array's runs, each sorted by one work-item in its cache. First step of merge sort
 * on CPUs.
 *
 * Local memory: none. Runs before serial_merge.cl, or alone. In place is fine. */
#include "serial_merge.h"

KERNEL void serial_runs(const struct merge_params p, ITEM_ARGS, __global void *scratch)
{
    const ulong worker = get_group_id(0);
    __global uchar *room = AT(uchar, scratch, 4);
    room += (0 - (size_t)room) % SERIAL_ALIGNMENT;
    __global ITEM *items = (__global ITEM *)room + worker * 2 * (p.run + 1);
    __global ITEM *other = items + (p.run + 1);
    __global const stored_key_t *from_keys = AT(const stored_key_t, keys_in, 0);
    __global const payload_t *from_payload = AT(const payload_t, payload_in, 2);
    __global stored_key_t *to_keys = AT(stored_key_t, keys_out, 1);
    __global payload_t *to_payload = AT(payload_t, payload_out, 3);
    for (ulong number = worker; number < p.num_runs * p.num_arrays; number += p.num_workers) {
        const ulong base = number / p.num_runs * p.count;
        const ulong begin = number % p.num_runs * p.run;
        const uint count = (uint)min((ulong)p.run, p.count - begin);
        for (uint i = 0; i < count; ++i)
            ITEM_LOAD(items[i], from_keys, from_payload, base + begin + i, begin + i, p.flags);
        __global const ITEM *sorted = merge_sort(items, other, count) ? other : items;
        for (uint i = 0; i < count; ++i)
            item_store(to_keys, to_payload, base + begin + i, sorted[i], p.flags);
    }
}
