/* part_crowded.cl: sorts the leaves that part_leaf.cl has left, by merging in local memory
 * (merge_local.h), which costs the same for all keys (part.h). Payloads follow by their key's
 * place, as there.
 *
 * Local memory: the elements, the place of each slot's element, and what merging needs. Runs after:
 * part_leaf.cl. */
#include "config.h"
#include "part_leaf.h"
#define MERGE_ITEM part_rest_t
#define MERGE_LESS(a, b) ((a) < (b))
#include "merge_local.h"

KERNEL void part_crowded(const struct part_params p, PART_ARGS)
{
    const struct part_params *q = &p;
    __local struct part_leaf_local shared;
    __local struct local_sort merging;
    LOCAL_FITS(sizeof(shared) + sizeof(merging));
    const uint me = get_local_id(0);
    const uint num_crowded = PART_CONTROL->num_crowded;
    for (uint i = get_group_id(0); i < num_crowded; i += get_num_groups(0)) {
        const struct part_leaf leaf =
            PART_TABLE(struct part_leaf, leaves)[PART_TABLE(uint, crowded)[i]];
        __global const stored_key_t *from =
            part_keys(q, PART_BUFFERS, leaf.place & 3u) + leaf.begin;
#if PART_JOINED
        __global const payload_t *with =
            part_payload(q, PART_BUFFERS, leaf.place & 3u) + leaf.begin;
#define WITH(slot) with[slot]
#else
#define WITH(slot) (slot)
#endif
        for (uint slot = me; slot < leaf.size; slot += GROUP_SIZE)
            shared.tile.rests[slot] = PART_REST(PART_ORDER(from[slot]), leaf.low, WITH(slot));
        /* All have been read from where the output may be. */
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        local_sort(&merging, (__local part_rest_t *)shared.tile.rests, leaf.size);
        /* A work-item takes from the slots where it will put the next leaf's. */
#if PART_JOINED
        for (uint slot = me; slot < leaf.size; slot += GROUP_SIZE)
            leaf_put(q, PART_BUFFERS, &leaf, slot, shared.tile.rests[slot]);
#elif PAYLOAD_SIZE == 0
        __global stored_key_t *to = part_keys(q, PART_BUFFERS, PART_OUT) + leaf.begin;
        for (uint slot = me; slot < leaf.size; slot += GROUP_SIZE)
            to[slot] = (stored_key_t)KEY_DECODE((key_t)leaf.low + shared.tile.rests[slot]);
#else
        for (uint slot = me; slot < leaf.size; slot += GROUP_SIZE)
            shared.table.places[PART_REST_SLOT(shared.tile.rests[slot])] = (ushort)slot;
        barrier(CLK_LOCAL_MEM_FENCE); /* each slot's place is there */
        leaf_store(q, PART_BUFFERS, &leaf, leaf.size, &shared);
#endif
    }
}
