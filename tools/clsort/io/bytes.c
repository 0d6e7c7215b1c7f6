#include "io/bytes.h"

#include "cli/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *zeroed(size_t num, size_t size)
{
    void *memory = calloc(num, size);
    if (!memory)
        die("out of memory");
    return memory;
}

#define NO_MEMORY "cannot get %s of memory: %s; 'clsort sort -S SIZE' takes less"

void bytes_refuse(uint64_t size)
{
    char text[SIZE_TEXT];
    die(NO_MEMORY, size_text(size, text), strerror(errno));
}

bool bytes_try(struct bytes *bytes, uint64_t capacity)
{
    if (capacity <= bytes->capacity)
        return true;
    /* Whole pages: zero copy also wants a size that fills its last cache line. */
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t rounded = (capacity + page - 1) / page * page;
    void *data = MAP_FAILED;
    errno = ENOMEM;
    if (rounded >= capacity && rounded <= SIZE_MAX / 2) {
        data = bytes->data ? mremap(bytes->data, bytes->capacity, (size_t)rounded, MREMAP_MAYMOVE)
                           : mmap(NULL, (size_t)rounded, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    if (data == MAP_FAILED)
        return false;
    /* Fewer faults; what lies anywhere is found sooner. */
    madvise(data, (size_t)rounded, MADV_HUGEPAGE);
    bytes->data = data;
    bytes->capacity = (size_t)rounded;
    return true;
}

bool bytes_reserve(struct bytes *bytes, uint64_t capacity)
{
    char text[SIZE_TEXT];
    const bool ok = bytes_try(bytes, capacity);
    if (!ok)
        message(NO_MEMORY, size_text(capacity, text), strerror(errno));
    return ok;
}

void bytes_need(struct bytes *bytes, uint64_t capacity)
{
    if (!bytes_try(bytes, capacity))
        bytes_refuse(capacity);
}

void bytes_append(struct bytes *bytes, const void *data, size_t size)
{
    const uint64_t needed = (uint64_t)bytes->size + size;
    if (needed > bytes->capacity && !bytes_try(bytes, needed + needed / 2))
        bytes_need(bytes, needed);
    if (size)
        memcpy((char *)bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void bytes_trim_begin(struct bytes *bytes, uint64_t size)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    madvise(bytes->data, (size_t)(size / page * page), MADV_DONTNEED);
}

void bytes_free(struct bytes *bytes)
{
    if (bytes->data)
        munmap(bytes->data, bytes->capacity);
    *bytes = (struct bytes){0};
}
