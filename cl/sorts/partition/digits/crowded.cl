/* crowded.cl: sorts the leaves that leaf.cl has left, by merging in local memory
 * (group/merge_local.h), which costs the same for all keys (part.h). Payloads follow by their key's
 * place, as there.
 *
 * Local memory: the elements, the place of each slot's element, and what merging needs. Runs after:
 * leaf.cl. */
#include "base/config.h"
#include "group/join.h"
#include "sorts/partition/digits/leaf.h"
#define MERGE_ITEM part_rest_t
#define MERGE_LESS(a, b) ((a) < (b))
#include "group/merge_local.h"

/* crowded_sort(): merges a leaf, and writes it. Work-items take from the slots where they will put
 * the next leaf's. */
#if PART_JOINED || PAYLOAD_SIZE == 0

CLSORT_INLINE void crowded_sort(const struct part_params *q, PART_ARGS,
                                const struct part_leaf *leaf,
                                __local struct part_leaf_local *shared,
                                __local struct local_sort *merging, __local uint *differing)
{
    (void)differing;
    const uint me = get_local_id(0), place = leaf->place & 3u;
    __global const stored_key_t *from = part_keys(q, PART_BUFFERS, place) + leaf->begin;
    __global const payload_t *with = part_payload(q, PART_BUFFERS, place) + leaf->begin;
    (void)with;
    for (uint slot = me; slot < leaf->size; slot += GROUP_SIZE)
        shared->tile.rests[slot] = PART_REST(PART_ORDER(from[slot]), leaf->low, 0, with[slot]);
    /* All have been read from where the output may be. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    local_sort(merging, (__local part_rest_t *)shared->tile.rests, leaf->size);
    for (uint slot = me; slot < leaf->size; slot += GROUP_SIZE)
        leaf_put(q, PART_BUFFERS, leaf, slot, shared->tile.rests[slot]);
}

#else

/* In how many bits, from the lowest, rests of the leaf differ: often fewer than the levels know. */
CLSORT_INLINE uint crowded_bits(const struct part_params *q, __global const stored_key_t *from,
                                const struct part_leaf *leaf, __local uint *differing)
{
    const uint me = get_local_id(0);
    const key_t low = (key_t)leaf->low, first = PART_ORDER(from[0]) - low;
    key_t own = 0;
    for (uint slot = me; slot < leaf->size; slot += GROUP_SIZE)
        own |= (PART_ORDER(from[slot]) - low) ^ first;
    differing[0] = differing[1] = 0; /* by all: see group/merge_local.h */
    barrier(CLK_LOCAL_MEM_FENCE);    /* none differ */
    GROUP_JOIN_OR(&differing[0], (uint)own);
    GROUP_JOIN_OR(&differing[1], (uint)((ulong)own >> 32));
    barrier(CLK_LOCAL_MEM_FENCE); /* all are joined */
    return differing[1] ? 64 - (uint)clz(differing[1]) : 32 - (uint)clz(differing[0]);
}

/* Where rests are cut, slots are sorted in two passes: first by the bits that are cut off, then,
 * stably, by the others. After the first pass the table has the slot at each place; at the end it
 * has the place of each slot. Ends with a barrier. */
CLSORT_INLINE void crowded_places(const struct part_params *q, PART_ARGS,
                                  const struct part_leaf *leaf,
                                  __local struct part_leaf_local *shared,
                                  __local struct local_sort *merging, __local uint *differing)
{
    __global const stored_key_t *from = part_keys(q, PART_BUFFERS, leaf->place & 3u) + leaf->begin;
    const uint me = get_local_id(0);
    const uint cut = PART_CUT(crowded_bits(q, from, leaf, differing));
    const key_t cut_off = ((key_t)1 << cut) - 1;
    ushort own[ITEMS];
#pragma unroll 1
    for (uint pass = cut > 0 ? 0 : 1; pass < 2; ++pass) {
        const uint is_second = cut > 0 && pass > 0;
        for (uint at = me; at < leaf->size; at += GROUP_SIZE) {
            const uint slot = is_second ? shared->table.places[at] : at;
            const key_t order = PART_ORDER(from[slot]) - (key_t)leaf->low;
            shared->tile.rests[at] =
                (ulong)(pass > 0 ? order >> cut : order & cut_off) << PART_SLOT_BITS | at;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* all rests are there */
        local_sort(merging, (__local part_rest_t *)shared->tile.rests, leaf->size);
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            const uint at = me + i * GROUP_SIZE;
            const uint before = at < leaf->size ? PART_REST_SLOT(shared->tile.rests[at]) : 0;
            own[i] = is_second ? shared->table.places[before] : (ushort)before;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* all have looked */
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            const uint at = me + i * GROUP_SIZE;
            if (at < leaf->size)
                shared->table.places[pass > 0 ? own[i] : at] = pass > 0 ? (ushort)at : own[i];
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the table is there */
    }
}

CLSORT_INLINE void crowded_sort(const struct part_params *q, PART_ARGS,
                                const struct part_leaf *leaf,
                                __local struct part_leaf_local *shared,
                                __local struct local_sort *merging, __local uint *differing)
{
    crowded_places(q, PART_BUFFERS, leaf, shared, merging, differing);
    leaf_store(q, PART_BUFFERS, leaf, leaf->size, shared);
}

#endif

KERNEL void part_crowded(const struct part_params p, PART_ARGS)
{
    const struct part_params *q = &p;
    __local struct part_leaf_local shared;
    __local struct local_sort merging;
    __local uint differing[2];
    LOCAL_FITS(sizeof(shared) + sizeof(merging) + sizeof(differing));
    const uint num_crowded = PART_CONTROL->num_crowded;
    for (uint i = get_group_id(0); i < num_crowded; i += get_num_groups(0)) {
        const struct part_leaf leaf =
            PART_TABLE(struct part_leaf, leaves)[PART_TABLE(uint, crowded)[i]];
        crowded_sort(q, PART_BUFFERS, &leaf, &shared, &merging, differing);
    }
}
