/* filter.h: which of many numbers come before a threshold. */
#ifndef CLSORT_TOOL_TOP_FILTER_H
#define CLSORT_TOOL_TOP_FILTER_H

#include "numbers/key.h"

/* Numbers that are looked at in one call, at most. */
enum { TOP_FILTER_MOST = 4096 };

struct top_filter {
    clsort_type type;
    struct key_map map;
    uint64_t end;    /* places before this one pass, */
    bool passes_all; /* or all do */
};

/* A filter that lets all numbers pass. */
struct top_filter top_filter_of(clsort_type type, clsort_order order);

/* From now on only those pass that come before a key of an array, none that are equal to it. */
void top_filter_set(struct top_filter *filter, const void *keys, uint64_t position);

/* Writes the positions of those that pass, in rising order; returns how many. `positions` has room
 * for `count` of them. */
uint32_t top_filter_find(const struct top_filter *filter, const void *keys, uint32_t count,
                         uint16_t *positions);

#endif
