/* allocations.h: what the library allocates. A program that links allocations.c has the linker wrap
 * malloc() and its neighbours (--wrap). */
#ifndef TESTS_ALLOCATIONS_H
#define TESTS_ALLOCATIONS_H

#include <stddef.h>

struct allocations {
    _Atomic int left;      /* until one is refused; 0: none is refused */
    _Atomic int for_ever;  /* all behind that one are refused, too */
    _Atomic int num_calls; /* of functions that allocate */
    _Atomic int number;    /* allocated and not yet freed */
    _Atomic size_t bytes, most_bytes;
};
extern struct allocations allocations;

#endif
