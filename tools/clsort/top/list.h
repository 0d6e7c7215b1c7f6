/* list.h: some places at the front of the order of a list of numbers that come one after
 * another. A buffer holds the best so far and new ones that come before the last of these. If it is
 * full, a selection reduces it. If more are wanted, it becomes a sorted run, in memory or, if there
 * is too little, in a temporary file. Every failure prints its message. */
#ifndef CLSORT_TOOL_TOP_LIST_H
#define CLSORT_TOOL_TOP_LIST_H

#include "external/runs.h"
#include "top/filter.h"
#include "top/select.h"

struct top_list {
    struct top_select *select;
    const char *dir; /* of the temporary file; NULL: the usual one */
    uint64_t need;   /* this many places are wanted, from the first on; UINT64_MAX: all */
    struct top_filter filter;
    struct bytes keys, indices; /* the buffer: what came first stands first */
    uint64_t num, capacity;     /* elements in it, and at most */
    struct runs runs;
    bool is_on_disk; /* the runs; else they lie in memory */
};

struct top_output;

/* Begins a list, an empty one; what the struct has of memory and device is used again. */
bool top_list_begin(struct top_list *list, uint64_t need);

/* Adds numbers, the first of which is number `first` of the list. */
bool top_list_add(struct top_list *list, const void *keys, uint64_t first, uint64_t count);

/* Writes places skip up to skip + num, which are within what is needed and what there was. */
bool top_list_write(struct top_list *list, uint64_t skip, uint64_t num, struct top_output *output);

void top_list_free(struct top_list *list);

#endif
