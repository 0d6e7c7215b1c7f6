/* memory.h: a rank's working memory on the host: two areas, kept with the caller's sorter between calls. */
#ifndef MEMORY_H
#define MEMORY_H

#include "sorter.h"

enum area_name { AREA_SENT, AREA_RECEIVED, NUM_AREAS };

struct memory {
    struct kept_memory areas[NUM_AREAS];
};

/* Takes over what the sorter keeps; nothing if there is no sorter or another thread uses it. */
void memory_take(struct memory *memory, clsort_sorter *sorter);

/* Makes an area `size` bytes large; its contents are lost. Returns where it begins, at a multiple of
 * AREA_ALIGNMENT, or NULL if memory is out. */
enum { AREA_ALIGNMENT = 128 };
char *memory_fit(struct memory *memory, enum area_name name, size_t size);

/* Leaves both areas with the sorter. Frees them if there is no sorter or another thread uses it. */
void memory_give(struct memory *memory, clsort_sorter *sorter);

#endif
