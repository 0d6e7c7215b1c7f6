/* leaf.cl: sorts the leaves in local memory, and copies what is in order (splitters.h).
 *
 * Idea: a work-group takes a leaf, puts it in order (leaf.h), and writes it to the output. A
 * piece of a segment that is too large is written to where merges begin. Without levels the arrays
 * are the leaves.
 *
 * Local memory: a leaf, and what sorting needs. Runs after: the last level. Before: the
 * merges. In place is fine. */
#include "base/config.h"
#include "sorts/partition/leaf.h"

KERNEL void partition_leaf(const struct partition_params p, PARTITION_ARGS)
{
    const struct partition_params *q = &p;
    __local struct leaf_local shared;
    LOCAL_FITS(sizeof(shared));
    const int is_whole = q->level == 0;
    const uint num_leaves = is_whole ? q->num_arrays : PARTITION_CONTROL->num_leaves;
    /* There can be more than 2^31 arrays of one element: a sum of two numbers would overflow. */
    const uint stride = min((uint)get_num_groups(0), num_leaves);
    for (uint number = get_group_id(0); number < num_leaves;
         number += min(stride, num_leaves - number)) {
        leaf_t leaf;
        if (is_whole) {
            leaf.begin = number * q->count;
            leaf.size = q->count;
            leaf.place = PLACE_IN;
            leaf.kind = LEAF_SORT;
        } else {
            leaf = PARTITION_LEAF(number);
        }
        const int copies = leaf.kind == LEAF_COPY;
        if (copies)
            partition_copy(q, PARTITION_BUFFERS, &leaf, q->flags);
        /* Pieces are still to be compared, so their keys are written where no keys are
         * wanted, too. */
        leaf_sort(q, PARTITION_BUFFERS, &shared, leaf.begin, copies ? 0 : leaf.size, leaf.place,
                  leaf.kind == LEAF_PIECE_WORK ? PLACE_WORK : PLACE_OUT,
                  leaf.kind >= LEAF_PIECE ? q->flags | FLAG_STORE_KEYS : q->flags);
    }
}
