/* wrong_qsort.c: a qsort() that is wrong on purpose, by LD_PRELOAD: the second element of a sort of more
 * than a hundred takes the place of the first, so one is lost. Only sorts by a comparison of the program
 * itself, so that no driver's are. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

typedef int comparison(const void *, const void *);

static const void *base_of(const void *address)
{
    Dl_info info = {0};
    return dladdr(address, &info) ? info.dli_fbase : NULL;
}

void qsort(void *items, size_t count, size_t size, comparison *compare)
{
    static void (*right)(void *, size_t, size_t, comparison *);
    if (!right)
        *(void **)&right = dlsym(RTLD_NEXT, "qsort");
    right(items, count, size, compare);
    if (count > 100 &&
        base_of((const void *)(size_t)compare) == base_of((const void *)getauxval(AT_PHDR)))
        memcpy(items, (char *)items + size, size);
}
