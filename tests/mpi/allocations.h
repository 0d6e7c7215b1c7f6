/* allocations.h: what the library allocates. The linker wraps malloc() and its neighbours. */
#ifndef TESTS_MPI_ALLOCATIONS_H
#define TESTS_MPI_ALLOCATIONS_H

#include <stddef.h>

struct allocations {
    int left;   /* until one is refused; 0: none is refused */
    int number; /* allocated and not yet freed */
    size_t bytes, most_bytes;
};
extern struct allocations allocations;

#endif
