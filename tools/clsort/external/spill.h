/* spill.h: one temporary file without a name, where sorted runs lie until they are merged. It is
 * gone when the process ends, however it ends. What fails dies. */
#ifndef CLSORT_TOOL_SPILL_H
#define CLSORT_TOOL_SPILL_H

#include "io/direct.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spill {
    int fd;
    struct direct direct; /* the same file, for much at once */
    const char *dir;
    uint64_t size; /* bytes in use */
};

/* Makes the file in `dir` (NULL: in $TMPDIR, or /tmp) and takes `expected` bytes of the disk, 0 if
 * it is not known how many there will be. */
void spill_open(struct spill *spill, const char *dir, uint64_t expected);

/* The same in memory. False, without a message, where the system cannot do that. */
bool spill_open_in_memory(struct spill *spill);

/* A place for that many bytes more, at the begin of a page. */
uint64_t spill_take(struct spill *spill, uint64_t size);

/* Gives the disk's room of whole pages back, of what lies behind `kept` of the `size` bytes at a
 * place; where the file system cannot do that they stay. */
void spill_drop(const struct spill *spill, uint64_t at, uint64_t kept, uint64_t size);

/* Much at any places, by several threads at once; of one caller at a time. */
void spill_write(const struct spill *spill, const struct span *spans, uint64_t num_spans);
void spill_read(const struct spill *spill, const struct span *spans, uint64_t num_spans);

/* By the calling thread alone. */
void spill_write_few(const struct spill *spill, const void *data, size_t size, uint64_t offset);
void spill_read_few(const struct spill *spill, void *data, size_t size, uint64_t offset);

/* What has been read is not what was written. */
_Noreturn void spill_refuse_damage(const struct spill *spill);

void spill_close(struct spill *spill);

#endif
