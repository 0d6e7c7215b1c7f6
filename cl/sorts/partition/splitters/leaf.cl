/* leaf.cl: sorts the leaves in local memory, and copies what is in order (quick.h).
 *
 * Idea: a work-group takes a leaf, puts it in order (leaf.h), and writes it to the output. A
 * piece of a segment that is too large is written to where merges begin. Without levels the arrays
 * are the leaves.
 *
 * Local memory: a leaf, and what sorting needs. Runs after: the last level. Before: the
 * merges. In place is fine. */
#include "base/config.h"
#include "sorts/partition/splitters/leaf.h"

KERNEL void quick_leaf(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    __local struct quick_leaf_local shared;
    LOCAL_FITS(sizeof(shared));
    const uint me = get_local_id(0);
    const int is_whole = q->level == 0;
    const uint num_leaves = is_whole ? q->num_arrays : QUICK_CONTROL->num_leaves;
    /* There can be more than 2^31 arrays of one element: a sum of two numbers would overflow. */
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
        const int copies = leaf.kind == QUICK_COPY;
        __global const stored_key_t *keys = quick_keys(q, QUICK_BUFFERS, leaf.place);
        __global const payload_t *payload = quick_payload(q, QUICK_BUFFERS, leaf.place);
        for (uint slot = me; slot < (copies ? leaf.size : 0); slot += GROUP_SIZE) {
            ITEM item;
            QUICK_LOAD(item, keys, payload, leaf.begin + slot, 0, QUICK_LOAD_FLAGS(leaf.place));
            ITEM_STORE(quick_keys(q, QUICK_BUFFERS, PLACE_OUT),
                       quick_payload(q, QUICK_BUFFERS, PLACE_OUT), leaf.begin + slot, item,
                       q->flags);
        }
        /* Pieces are still to be compared, so their keys are written where no keys are
         * wanted, too. */
        quick_sort_leaf(q, QUICK_BUFFERS, &shared, leaf.begin, copies ? 0 : leaf.size, leaf.place,
                        leaf.kind == QUICK_PIECE_WORK ? PLACE_WORK : PLACE_OUT,
                        leaf.kind >= QUICK_PIECE ? q->flags | FLAG_STORE_KEYS : q->flags);
    }
}
