/* window.cl: strides of a bitonic merge that are too long for local memory.
 *
 * Idea: a work-item takes the ITEMS packs whose indices differ in a window of log2(ITEMS) bits,
 * does all strides of the window in registers, and writes the packs back where they were: one pass
 * over global memory for up to log2(ITEMS) strides. Neighbouring work-items have neighbouring
 * packs, so every access is coalesced. The first stride of a merge compares mirrored places; there
 * the upper half is read mirrored (clsort_device.h, `place`), which is coalesced too, downwards.
 *
 * Local memory: none. No barrier. Runs between tile.cl's tiles of one merge and the next.
 * In place only: it works on the output buffers. */
#include "base/config.h"
#include "group/network.h"

KERNEL void bitonic_window(const struct window_params p, ITEM_ARGS)
{
    const ulong id = get_global_id(0);
    if (id >= p.num_units)
        return;
    const ulong array = p.num_units == p.units_per_array ? 0 : id / p.units_per_array;
    const ulong unit = id - array * p.units_per_array;
    const ulong base = array * p.count;
    const ulong below = ((ulong)1 << p.window) - 1;
    const ulong first = unit >> p.window << (p.window + ITEM_BITS) | (unit & below);
    const uint flags = FLAG_STORE_KEYS | FLAG_STORE_PAYLOAD;

    __global const stored_key_t *from_keys = AT(const stored_key_t, keys_in, 0);
    __global const payload_t *from_payload = AT(const payload_t, payload_in, 2);
    PACK items[ITEMS];
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        const int mirrored = p.flip && (i >> p.high & 1);
        const ulong at = (mirrored ? first ^ below : first) + ((ulong)i << p.window);
        items[i] = pack_load(from_keys, from_payload, base, at * LANES, p.count, 0);
        items[i] = mirrored ? PACK_REVERSE(items[i]) : items[i];
    }

    clsort_item_registers(items, p.high, p.low, p.flip, 0, 0, 0);

    __global stored_key_t *to_keys = AT(stored_key_t, keys_out, 1);
    __global payload_t *to_payload = AT(payload_t, payload_out, 3);
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        const int mirrored = p.flip && (i >> p.high & 1);
        const ulong at = (mirrored ? first ^ below : first) + ((ulong)i << p.window);
        items[i] = mirrored ? PACK_REVERSE(items[i]) : items[i];
        pack_store(to_keys, to_payload, base, at * LANES, p.count, items[i], flags);
    }
}
