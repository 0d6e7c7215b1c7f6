/* search_tree.h: which bucket between splitters an element belongs to.
 *
 * Idea: the splitters lie in local memory as a search tree without pointers, the children of
 * node j being 2j and 2j + 1, so that the work-items of a sub-group, which are at the same
 * depth, read from different banks. All go down to the same depth without a branch, each with
 * several elements, whose reads overlap (Sanders and Winkel, Super Scalar Sample Sort, 2004).
 *
 * Defined before: SEARCH_ITEM, its type, SEARCH_LESS(splitter, own), and SEARCH_ITEMS, of a
 * work-item.
 *
 * Local memory: 2 to the power of the depth items, of which item 0 is unused; the caller has
 * them. */
#ifndef CLSORT_GROUP_SEARCH_TREE_H
#define CLSORT_GROUP_SEARCH_TREE_H

#include "base/config.h"

/* Levels of a complete tree that holds the splitters; it is filled up with the last one. */
#define SEARCH_DEPTH(num_splitters) (32 - (uint)clz((uint)(num_splitters)))

/* The splitter, from 0 on, at a node of a tree of `depth` levels. */
CLSORT_INLINE uint search_splitter(uint node, uint num_splitters, uint depth)
{
    const uint level = 31 - (uint)clz(node);
    const uint number = (2 * (node - (1u << level)) + 1) << (depth - level - 1);
    return min(number, num_splitters) - 1;
}

/* The tree of splitters in order, at least one, which lie in any memory. Ends before a barrier. */
#define GROUP_SEARCH_FILL(tree, splitters, num_splitters)                               \
    do {                                                                                \
        const uint depth_ = SEARCH_DEPTH(num_splitters);                                \
        GROUP_LOOP(node_, 1, 1u << depth_)                                              \
            (tree)[node_] = (splitters)[search_splitter(node_, num_splitters, depth_)]; \
    } while (0)

/* For each of a work-item's elements: how many splitters come before it; and in `nearest` the
 * node of the first that does not, if there is one. Equal to the element is that one, or none. */
CLSORT_INLINE void group_search_descend(const SEARCH_ITEM *own, __local const SEARCH_ITEM *tree,
                                        uint num_splitters, uint *before, uint *nearest)
{
    const uint depth = SEARCH_DEPTH(num_splitters);
#pragma unroll
    for (uint i = 0; i < SEARCH_ITEMS; ++i)
        before[i] = nearest[i] = 1;
#pragma unroll 1
    for (uint level = 0; level < depth; ++level) {
#pragma unroll
        for (uint i = 0; i < SEARCH_ITEMS; ++i) {
            const uint is_behind = SEARCH_LESS(tree[before[i]], own[i]) ? 1 : 0;
            nearest[i] = is_behind ? nearest[i] : before[i];
            before[i] = 2 * before[i] + is_behind;
        }
    }
#pragma unroll
    for (uint i = 0; i < SEARCH_ITEMS; ++i)
        before[i] = min(before[i] - (1u << depth), num_splitters);
}

#endif
