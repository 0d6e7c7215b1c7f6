/* A device buffer with random canaries before and after the bytes that a sort may touch. */
#ifndef TESTS_GUARD_H
#define TESTS_GUARD_H

#include "clsort/clsort.h"

typedef struct guard {
    cl_mem mem;
    uint64_t offset; /* of the range, in bytes */
    uint64_t size;
    uint64_t total;
    unsigned char *image; /* what was uploaded, canaries included */
    unsigned char *back;  /* what was last read back */
} guard;

/* A range of `size` bytes that holds `data` (random bytes if NULL), between canaries of at least 64
 * elements. The range begins at a multiple of `alignment`, and of no larger power of two. The test
 * fails if memory runs out. */
void guard_create(guard *g, cl_context context, cl_mem_flags flags, const void *data, uint64_t size,
                  uint64_t element_size, uint64_t alignment, uint64_t seed);

/* The same, but the range begins `behind` bytes after a multiple of 256. */
void guard_create_at(guard *g, cl_context context, cl_mem_flags flags, const void *data,
                     uint64_t size, uint64_t element_size, uint64_t behind, uint64_t seed);

/* Scratch. It holds random bytes, or numbers of 64 bits that are 1: a kernel that reads a counter
 * or a mark that was not cleared takes the latter for real. */
void guard_create_scratch(guard *g, cl_context context, uint64_t size, uint64_t seed);

/* Writes the original image again. */
void guard_upload(guard *g, cl_command_queue queue);

/* Reads everything back; returns the range's bytes. */
const void *guard_read(guard *g, cl_command_queue queue);

/* After guard_read(): true if the canaries are unchanged, or if canaries and range are. */
int guard_intact(const guard *g);
int guard_unchanged(const guard *g);

/* The range as a clsort_buffer; {NULL, 0} if there is no buffer. */
clsort_buffer guard_buffer(const guard *g);

/* A guard of zeros is allowed. */
void guard_free(guard *g);

#endif
