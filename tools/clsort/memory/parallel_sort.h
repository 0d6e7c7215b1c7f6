/* parallel_sort.h: a sort of items in memory by all threads, and its merge. */
#ifndef CLSORT_TOOL_PARALLEL_SORT_H
#define CLSORT_TOOL_PARALLEL_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Items, and room for as many more. */
struct parallel_items {
    char *items, *spare;
    size_t size; /* bytes of an item */
};

/* compare() is that of qsort_r(). */
struct parallel_order {
    int (*compare)(const void *a, const void *b, void *context);
    void *context;
};

/* Merges neighbouring runs of `run` items each, the last one maybe shorter, to one; equal items
 * keep their order. `run` is a multiple of PARALLEL_STEP. What compare() looks at are the items of
 * the first list; those of the others, of which there are num_lists in all, move along. Afterwards
 * the items are at `items`, which may be what `spare` was. */
enum { PARALLEL_STEP = 1 << 12 };
void parallel_merge(struct parallel_items *lists, uint32_t num_lists, uint64_t num, uint64_t run,
                    const struct parallel_order *order);

/* Sorts `num` items, of which none are equal; they are at `items` then, as above. */
void parallel_sort(struct parallel_items *list, uint64_t num, const struct parallel_order *order);

#endif
