/* pieces_case.h: devices that are too small for an array, and all arrays of a sort, so that two
 * sorters can be compared. */
#ifndef TESTS_PIECES_CASE_H
#define TESTS_PIECES_CASE_H

#include "support/fixture.h"

/* Small devices: a few runs, many runs, small buffers only, shared memory; samples taken by the
 * device and by the host. */
enum { NUM_PIECES_LIMITS = 4 };
extern const char *const pieces_limits[NUM_PIECES_LIMITS];

/* A sorter of the fixture's context whose device has a limit. */
clsort_sorter *pieces_sorter(const fixture *fix, const char *limit, uint32_t num_threads);

enum { PIECES_MOST_ARRAYS = 8, PIECES_ROOM = 16 };

/* All arrays of a sort, filled with bytes. */
typedef struct pieces_arrays {
    unsigned char *at[PIECES_MOST_ARRAYS];
    size_t sizes[PIECES_MOST_ARRAYS];
    void *columns[PIECES_ROOM], *columns_out[PIECES_ROOM];
    clsort_arrays arrays;
    int num;
} pieces_arrays;

void pieces_open(pieces_arrays *all, const clsort_desc *desc);
void pieces_close(pieces_arrays *all);

/* Sorts the same arrays by clsort_sort_many() with `num` small sorters, or by clsort_sort() with
 * the first one if num is 0, and with the large one. Fails unless all bytes are the same then. */
void pieces_run_both(clsort_sorter *const *small, uint32_t num, clsort_sorter *large,
                     const clsort_desc *desc);

#endif
