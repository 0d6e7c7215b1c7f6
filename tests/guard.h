/* A device buffer with random canaries before and after the bytes that a sort may touch. */
#ifndef TESTS_GUARD_H
#define TESTS_GUARD_H

#include "clsort/clsort.h"

typedef struct guard {
    cl_mem mem;
    uint64_t offset; /* of the range, in bytes */
    uint64_t size;
    uint64_t total;
    unsigned char *image; /* what was uploaded, canaries and all */
    unsigned char *back;  /* what was read back last */
} guard;

/* A range of size bytes holding data (random bytes if it is NULL), with at least 64 elements of
 * canaries on both sides. The range starts at a multiple of alignment and of no larger power of
 * two. The test fails if there is no memory. */
void guard_create(guard *g, cl_context context, cl_mem_flags flags, const void *data, uint64_t size,
                  uint64_t element_size, uint64_t alignment, uint64_t seed);

/* Does the same, but the range starts that many bytes after a multiple of 256. */
void guard_create_at(guard *g, cl_context context, cl_mem_flags flags, const void *data,
                     uint64_t size, uint64_t element_size, uint64_t behind, uint64_t seed);

/* Writes the first image again. */
void guard_upload(guard *g, cl_command_queue queue);

/* Reads everything back; the range's bytes. */
const void *guard_read(guard *g, cl_command_queue queue);

/* After guard_read(): true if the canaries are as they were, and if all is as it was. */
int guard_intact(const guard *g);
int guard_unchanged(const guard *g);

/* The range as the library takes it; {NULL, 0} if there is no such buffer. */
clsort_buffer guard_buffer(const guard *g);

/* Also for a guard of zeros. */
void guard_free(guard *g);

#endif
