/* bytes.h: a growing array of bytes on page boundaries, where a device that shares the host's
 * memory can work on it in place. */
#ifndef CLSORT_TOOL_BYTES_H
#define CLSORT_TOOL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    void *data; /* NULL while nothing has been reserved */
    size_t size;
    size_t capacity;
};

/* The smaller of two sizes or counts. */
static inline uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* calloc(), which dies if there is no memory. */
void *zeroed(size_t num, size_t size);

/* Dies, since there is no such memory, for errno's reason, and says what takes less. */
_Noreturn void bytes_refuse(uint64_t size);

/* Makes room for that many bytes in all; size and the bytes stay. If there is none it dies, or
 * returns false, with a message or without. */
void bytes_need(struct bytes *bytes, uint64_t capacity);
bool bytes_reserve(struct bytes *bytes, uint64_t capacity);
bool bytes_try(struct bytes *bytes, uint64_t capacity);

/* Puts more bytes behind those there are. */
void bytes_append(struct bytes *bytes, const void *data, size_t size);

/* Gives the memory before that many bytes back until it is written again. */
void bytes_trim_begin(struct bytes *bytes, uint64_t size);

void bytes_free(struct bytes *bytes);

#endif
