/* join.h: all work-items' values joined to one in a word of local memory: added up, joined
 * bit by bit, or the least or largest of them.
 *
 * Idea: sub-groups, where they exchange values, join theirs first; else all work-items wait for one
 * another at the word. The word has its first value before, and a barrier stands on either side. */
#ifndef CLSORT_GROUP_JOIN_H
#define CLSORT_GROUP_JOIN_H

#include "base/config.h"

#ifdef CLSORT_SUBGROUP_VOTES
#define GROUP_JOIN(word, value, JOIN, ATOMIC)                                     \
    do {                                                                          \
        uint joined_ = (value);                                                   \
        for (uint step_ = 1; step_ < CLSORT_SUBGROUP; step_ *= 2)                 \
            joined_ = JOIN(joined_, clsort_subgroup_shuffle_xor(joined_, step_)); \
        if (get_local_id(0) % CLSORT_SUBGROUP == 0)                               \
            ATOMIC(word, joined_);                                                \
    } while (0)
#else
#define GROUP_JOIN(word, value, JOIN, ATOMIC) ATOMIC(word, value)
#endif

#define GROUP_PLUS(a, b) ((a) + (b))
#define GROUP_OR(a, b) ((a) | (b))

#define GROUP_JOIN_ADD(word, value) GROUP_JOIN(word, value, GROUP_PLUS, atomic_add)
#define GROUP_JOIN_OR(word, value) GROUP_JOIN(word, value, GROUP_OR, atomic_or)
#define GROUP_JOIN_MIN(word, value) GROUP_JOIN(word, value, min, atomic_min)
#define GROUP_JOIN_MAX(word, value) GROUP_JOIN(word, value, max, atomic_max)

#endif
