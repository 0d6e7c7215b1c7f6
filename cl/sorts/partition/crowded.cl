/* crowded.cl: sorts the leaves that rests.cl has left, by merging in local memory
 * (group/merge_local.h), which costs the same for all keys. Payloads follow by their key's place,
 * as there.
 *
 * Local memory: the elements, the place of each slot's element, and what merging needs. Runs after:
 * rests.cl. */
#include "base/config.h"
#include "group/join.h"
#include "sorts/partition/rests.h"
#define MERGE_ITEM digits_rest_t
#define MERGE_LESS(a, b) ((a) < (b))
#include "group/merge_local.h"

/* crowded_sort(): merges a leaf, and writes it. Work-items take from the slots where they will put
 * the next leaf's. */
#if DIGITS_JOINED || PAYLOAD_SIZE == 0

CLSORT_INLINE void crowded_sort(const struct partition_params *q, PARTITION_ARGS,
                                const leaf_t *leaf, __local struct digits_leaf_local *shared,
                                __local struct local_sort *merging, __local uint *differing)
{
    (void)differing;
    const uint me = get_local_id(0), place = leaf->place;
    __global const stored_key_t *from = place_keys(q, PARTITION_BUFFERS, place) + leaf->begin;
    __global const payload_t *with = place_payload(q, PARTITION_BUFFERS, place) + leaf->begin;
    (void)with;
    for (uint slot = me; slot < leaf->size; slot += GROUP_SIZE)
        shared->tile.rests[slot] = DIGITS_REST(DIGITS_ORDER(from[slot]), leaf->low, 0, with[slot]);
    /* All have been read from where the output may be. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    local_sort(merging, (__local digits_rest_t *)shared->tile.rests, leaf->size);
    for (uint slot = me; slot < leaf->size; slot += GROUP_SIZE)
        leaf_put(q, PARTITION_BUFFERS, leaf, slot, shared->tile.rests[slot]);
}

#else

/* In how many bits, from the lowest, rests of the leaf differ: often fewer than the levels know. */
CLSORT_INLINE uint crowded_bits(const struct partition_params *q, __global const stored_key_t *from,
                                const leaf_t *leaf, __local uint *differing)
{
    const uint me = get_local_id(0);
    const key_t low = (key_t)leaf->low, first = DIGITS_ORDER(from[0]) - low;
    key_t own = 0;
    for (uint slot = me; slot < leaf->size; slot += GROUP_SIZE)
        own |= (DIGITS_ORDER(from[slot]) - low) ^ first;
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
CLSORT_INLINE void crowded_places(const struct partition_params *q, PARTITION_ARGS,
                                  const leaf_t *leaf, __local struct digits_leaf_local *shared,
                                  __local struct local_sort *merging, __local uint *differing)
{
    __global const stored_key_t *from = place_keys(q, PARTITION_BUFFERS, leaf->place) + leaf->begin;
    const uint me = get_local_id(0);
    const uint cut = DIGITS_CUT(crowded_bits(q, from, leaf, differing));
    const key_t cut_off = ((key_t)1 << cut) - 1;
    ushort own[ITEMS];
#pragma unroll 1
    for (uint pass = cut > 0 ? 0 : 1; pass < 2; ++pass) {
        const uint is_second = cut > 0 && pass > 0;
        for (uint at = me; at < leaf->size; at += GROUP_SIZE) {
            const uint slot = is_second ? shared->table.places[at] : at;
            const key_t order = DIGITS_ORDER(from[slot]) - (key_t)leaf->low;
            shared->tile.rests[at] =
                (ulong)(pass > 0 ? order >> cut : order & cut_off) << REST_SLOT_BITS | at;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* all rests are there */
        local_sort(merging, (__local digits_rest_t *)shared->tile.rests, leaf->size);
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            const uint at = me + i * GROUP_SIZE;
            const uint before = at < leaf->size ? DIGITS_REST_SLOT(shared->tile.rests[at]) : 0;
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

CLSORT_INLINE void crowded_sort(const struct partition_params *q, PARTITION_ARGS,
                                const leaf_t *leaf, __local struct digits_leaf_local *shared,
                                __local struct local_sort *merging, __local uint *differing)
{
    crowded_places(q, PARTITION_BUFFERS, leaf, shared, merging, differing);
    leaf_store(q, PARTITION_BUFFERS, leaf, leaf->size, shared);
}

#endif

KERNEL void partition_crowded(const struct partition_params p, PARTITION_ARGS)
{
    const struct partition_params *q = &p;
    __local struct digits_leaf_local shared;
    __local struct local_sort merging;
    __local uint differing[2];
    LOCAL_FITS(sizeof(shared) + sizeof(merging) + sizeof(differing));
    const uint num_crowded = PARTITION_CONTROL->num_crowded;
    for (uint i = get_group_id(0); i < num_crowded; i += get_num_groups(0)) {
        const leaf_t leaf = PARTITION_LEAF(PARTITION_TABLE(uint, crowded)[i]);
        crowded_sort(q, PARTITION_BUFFERS, &leaf, &shared, &merging, differing);
    }
}
