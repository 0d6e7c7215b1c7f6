/* count.h: a number of keys on a command line. */
#ifndef CLSORT_TOOL_COUNT_H
#define CLSORT_TOOL_COUNT_H

#include <stdint.h>

/* Reads "65536", "1e6" or "2^20". */
enum count_form { COUNT_RIGHT, COUNT_NONE, COUNT_TOO_LARGE };
enum count_form count_of(const char *text, uint64_t *count_ret);

#endif
