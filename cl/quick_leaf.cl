/* quick_leaf.cl: sorts the leaves in local memory, and copies what is in order (quick.h).
 *
 * Idea: a work-group takes a leaf, puts it in order by merging (merge_local.h), and writes it: to the output, or if it is a piece of a segment that is too large, to where merges begin. Without levels the
 * arrays are the leaves.
 *
 * Not by one more partition: a tree of 511 pivots, from a sample sorted by the network, and rank sort in
 * bins of some five items reads local memory less often, but took 0.65 ms for 2^24 u32 on an H200, where
 * merging takes 0.38; for records of 16 bytes 1.33 and 1.20.
 *
 * Local memory: a leaf, and what sorting needs. Runs after: the last level. Before: quick_merge.cl. In place
 * is fine. */
#include "config.h"
#include "quick.h"
#define MERGE_LESS(a, b) QUICK_LESS(a, b)
#include "merge_local.h"

struct quick_leaf_local {
    struct local_sort sort;
    ITEM tile[TILE_SLOTS];
};

KERNEL void quick_leaf(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    __local struct quick_leaf_local shared;
    const uint me = get_local_id(0);
    const int is_whole = q->level == 0;
    const uint num_leaves = is_whole ? q->num_arrays : QUICK_CONTROL->num_leaves;
    /* Of arrays of one element there can be so many that twice the number has more than 32 bits. */
    const uint stride = min((uint)get_num_groups(0), num_leaves);
    for (uint number = get_group_id(0); number < num_leaves;
         number += min(stride, num_leaves - number)) {
        struct quick_leaf leaf;
        if (is_whole) {
            leaf.begin = number * q->count;
            leaf.size = q->count;
            leaf.place = PLACE_IN;
            leaf.kind = QUICK_SORT;
        } else {
            leaf = QUICK_TABLE(struct quick_leaf, leaves)[number];
        }
        const uint to = leaf.kind == QUICK_PIECE_WORK ? PLACE_WORK : PLACE_OUT;
        __global const stored_key_t *from_keys =
            quick_keys(q, QUICK_BUFFERS, leaf.place) + leaf.begin;
        __global const payload_t *from_payload =
            quick_payload(q, QUICK_BUFFERS, leaf.place) + leaf.begin;
        const uint flags = QUICK_LOAD_FLAGS(leaf.place);
        for (uint slot = me; slot < leaf.size; slot += GROUP_SIZE)
            QUICK_LOAD(shared.tile[slot], from_keys, from_payload, slot, 0, flags);
        barrier(CLK_LOCAL_MEM_FENCE); /* the leaf is there */
        if (leaf.kind != QUICK_COPY)
            local_sort(&shared.sort, shared.tile, leaf.size);
        __global stored_key_t *to_keys = quick_keys(q, QUICK_BUFFERS, to) + leaf.begin;
        __global payload_t *to_payload = quick_payload(q, QUICK_BUFFERS, to) + leaf.begin;
        /* Pieces are still to be compared, so their keys are written where no keys are wanted, too. */
        const uint stores = leaf.kind >= QUICK_PIECE ? q->flags | FLAG_STORE_KEYS : q->flags;
        for (uint slot = me; slot < leaf.size; slot += GROUP_SIZE)
            item_store(to_keys, to_payload, slot, shared.tile[slot], stores);
        /* No barrier: a slot is filled again by who has written it. */
    }
}
