/* quick_tree.h: which bucket between pivots an element belongs to.
 *
 * Idea: the pivots lie in local memory as a search tree without pointers, the children of node j being 2j and
 * 2j + 1, so that the work-items of a sub-group, which are at the same depth, read from different
 * banks. All go down to the same depth without a branch, each with several elements, whose reads
 * overlap (Sanders and Winkel 2004). */
#ifndef CLSORT_QUICK_TREE_H
#define CLSORT_QUICK_TREE_H

#include "quick.h"

/* Elements that a work-item takes down at once. */
#ifndef TREE_ITEMS
#define TREE_ITEMS ITEMS
#endif

/* Levels of a complete tree that holds the pivots; it is filled up with the last one. */
#define QUICK_DEPTH(num_pivots) (32 - (uint)clz(num_pivots))

/* The pivot, from 0 on, at a node of a tree of `depth` levels. */
CLSORT_INLINE uint quick_pivot(uint node, uint num_pivots, uint depth)
{
    const uint level = 31 - (uint)clz(node);
    const uint number = (2 * (node - (1u << level)) + 1) << (depth - level - 1);
    return min(number, num_pivots) - 1;
}

/* For each of a work-item's elements: how many pivots are before it, in befores, at most num_pivots; and in
 * nearest the node of the first pivot that is not, if there is one. */
CLSORT_INLINE void quick_descend(const ITEM *own, __local const ITEM *tree, uint num_pivots,
                                 uint depth, uint *befores, uint *nearest)
{
#pragma unroll
    for (uint i = 0; i < TREE_ITEMS; ++i)
        befores[i] = nearest[i] = 1;
    for (uint level = 0; level < depth; ++level) {
#pragma unroll
        for (uint i = 0; i < TREE_ITEMS; ++i) {
            const uint is_behind = QUICK_LESS_IN(local, tree[befores[i]], private, own[i]) ? 1 : 0;
            nearest[i] = is_behind ? nearest[i] : befores[i];
            befores[i] = 2 * befores[i] + is_behind;
        }
    }
#pragma unroll
    for (uint i = 0; i < TREE_ITEMS; ++i)
        befores[i] = min(befores[i] - (1u << depth), num_pivots);
}

#endif
