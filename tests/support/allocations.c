/* allocations.c: counts the allocations of the program and refuses one, in place of the C
 * library. */
#include "allocations.h"

#include <errno.h>
#include <malloc.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t number, size_t size);
void *__real_realloc(void *memory, size_t size);
int __real_posix_memalign(void **memory_ret, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t number, size_t size);
void *__wrap_realloc(void *memory, size_t size);
int __wrap_posix_memalign(void **memory_ret, size_t alignment, size_t size);
void __real_free(void *memory);
void __wrap_free(void *memory);

struct allocations allocations;

static void *account(void *memory)
{
    allocations.number += memory != NULL;
    allocations.bytes += memory ? malloc_usable_size(memory) : 0;
    allocations.most_bytes =
        allocations.bytes > allocations.most_bytes ? allocations.bytes : allocations.most_bytes;
    return memory;
}

static int is_refused(void)
{
    allocations.num_calls += 1;
    if (allocations.left == 0 || --allocations.left > 0)
        return 0;
    allocations.left = allocations.for_ever != 0;
    return 1;
}

void *__wrap_malloc(size_t size)
{
    return is_refused() ? NULL : account(__real_malloc(size));
}

void *__wrap_calloc(size_t number, size_t size)
{
    return is_refused() ? NULL : account(__real_calloc(number, size));
}

int __wrap_posix_memalign(void **memory_ret, size_t alignment, size_t size)
{
    const int status = is_refused() ? ENOMEM : __real_posix_memalign(memory_ret, alignment, size);
    if (status == 0)
        account(*memory_ret);
    return status;
}

static void forget(void *memory)
{
    allocations.number -= memory != NULL;
    allocations.bytes -= memory ? malloc_usable_size(memory) : 0;
}

void *__wrap_realloc(void *memory, size_t size)
{
    if (is_refused())
        return NULL;
    forget(memory);
    void *grown = __real_realloc(memory, size);
    return account(grown ? grown : memory), grown;
}

void __wrap_free(void *memory)
{
    forget(memory);
    __real_free(memory);
}
