/* memory.h: a rank's working memory on the host: two areas that the caller's sorter keeps between
 * calls. */
#ifndef MEMORY_H
#define MEMORY_H

#include "call/sorter.h"

enum area_name { AREA_SENT, AREA_RECEIVED, NUM_AREAS };

struct memory {
    struct mpi_area areas[NUM_AREAS];
};

/* Moves the sorter's areas to `memory`. Without a sorter, or if another thread uses it, the areas
 * are empty. */
void memory_borrow(struct memory *memory, clsort_sorter *sorter);

/* Resizes an area to `size` bytes; its contents are lost. Returns its address, a multiple of
 * AREA_ALIGNMENT, or NULL if there is no memory. */
enum { AREA_ALIGNMENT = 128 };
char *memory_fit(struct memory *memory, enum area_name name, size_t size);

/* Returns both areas to the sorter. Without one, or if another thread uses it, frees them. If both
 * are empty, the sorter is not looked at. */
void memory_return(struct memory *memory, clsort_sorter *sorter);

#endif
