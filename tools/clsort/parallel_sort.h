/* parallel_sort.h: a sort of items in memory by all threads. */
#ifndef CLSORT_TOOL_PARALLEL_SORT_H
#define CLSORT_TOOL_PARALLEL_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts `num` items of `size` bytes; `spare` has room for as many. Returns where they lie then:
 * `items` or `spare`. compare() is that of qsort_r(), and takes no two items for equal. */
void *parallel_sort(void *items, void *spare, uint64_t num, size_t size,
                    int (*compare)(const void *a, const void *b, void *context), void *context);

#endif
