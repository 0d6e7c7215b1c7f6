/* host_sort.h: arrays of the host sorted without a device, of any size: the library's calling
 * threads sort parts, which are then merged. Every failure prints its message. */
#ifndef CLSORT_TOOL_HOST_SORT_H
#define CLSORT_TOOL_HOST_SORT_H

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stdint.h>

/* clsort_sort() of numbers, or of records by one field, in place or as indices. They may have
 * values and lie in segments. Equal keys keep their order. */
bool host_sort(const clsort_desc *desc, const clsort_arrays *arrays);

/* Whether there is memory for that; it may be gone when it is needed. */
bool host_sort_has_memory(const clsort_desc *desc);

/* Bytes of memory that this takes beside the arrays. Up to 32 MiB come on top. */
uint64_t host_sort_cost(const clsort_desc *desc);

#endif
