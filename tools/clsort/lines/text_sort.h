/* text_sort.h: what sorts of numbers in text share. */
#ifndef CLSORT_TOOL_TEXT_SORT_H
#define CLSORT_TOOL_TEXT_SORT_H

#include "io/output.h"

/* Writes indices of 4 or 8 bytes as decimal numbers, one a line. */
bool text_write_indices(const void *indices, size_t index_size, uint64_t count,
                        struct output *output);

#endif
