/* bench_opponents.h: the CPU's sorts that the bench compares with, as a table. Read by C and by C++,
 * which has most of them. */
#ifndef CLSORT_TOOL_BENCH_OPPONENTS_H
#define CLSORT_TOOL_BENCH_OPPONENTS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is sorted: keys, or pairs of a value and, behind it, a key of the same size. */
struct opponent_items {
    int kind; /* of the keys: 0 unsigned, 1 signed, 2 float (without NaN and -0) */
    int bits; /* of a key */
    int has_values;
};

/* Sorts count items by their keys, ascending; 0 where it has no sort for such items, which a count
 * of 0 asks. */
typedef int opponent_sort(const struct opponent_items *items, void *data, size_t count);

opponent_sort opponent_std_sort;
opponent_sort opponent_par_sort;
opponent_sort opponent_vqsort;

struct opponent {
    const char *name;
    const char *label;   /* at most six characters */
    const char *column;  /* of the rows written as CSV and JSON */
    opponent_sort *sort; /* NULL where it was not built in */
    const char *missing; /* and what was missing */
};

enum { NUM_OPPONENTS = 4 };
extern const struct opponent opponents[NUM_OPPONENTS];

#ifdef __cplusplus
}
#endif

#endif
