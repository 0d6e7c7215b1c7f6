/* compare.h: the order of records by fields, rows of columns and strings, by the calling thread. */
#ifndef HOST_COMPARE_H
#define HOST_COMPARE_H

#include "host/alone/items.h"
#include "plan/plan.h"

/* An array of keys that are not plain numbers: what clsort_arrays has of them. */
struct compared {
    const struct problem *problem;
    const char *keys; /* records, or the strings' bytes */
    const char *columns[MAX_MEMBERS];
    const void *offsets; /* of strings */
};

/* Whether keys have an order that this finds: not if it is the caller's text. */
int host_compare_takes(const struct problem *problem);

/* Writes where in order the elements come from. Equal ones keep their order. There must be room for
 * two pairs an element in `items`. */
void host_compare_order(const struct compared *compared, struct host_pair *items, uint32_t *order);

/* Writes the strings in this order, and where each begins and the last one ends. */
void host_compare_move_strings(const struct compared *compared, const uint32_t *order, char *bytes,
                               void *offsets);

#endif
