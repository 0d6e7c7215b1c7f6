/* threads.c: preloaded into the tool by threads.sh. Writes to the file CLSORT_TEST_THREADS how many
 * threads that the tool and the library have started were there at once, at most. A driver's are
 * not counted. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct start {
    void *(*run)(void *argument);
    void *argument;
};

static atomic_int running, most;

static void *count_and_run(void *argument)
{
    const struct start start = *(struct start *)argument;
    free(argument);
    void *result = start.run(start.argument);
    atomic_fetch_sub(&running, 1);
    return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*run)(void *argument), void *argument)
{
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    void *symbol = dlsym(RTLD_NEXT, "pthread_create");
    Dl_info caller;
    memcpy(&next, &symbol, sizeof(next));
    if (!dladdr(__builtin_return_address(0), &caller) || !strstr(caller.dli_fname, "clsort"))
        return next(thread, attributes, run, argument);
    struct start *start = malloc(sizeof(*start));
    if (!start)
        abort();
    *start = (struct start){run, argument};
    const int now = atomic_fetch_add(&running, 1) + 1;
    for (int before = most; before < now;) {
        if (atomic_compare_exchange_weak(&most, &before, now))
            break;
    }
    const int error = next(thread, attributes, count_and_run, start);
    if (error) {
        atomic_fetch_sub(&running, 1);
        free(start);
    }
    return error;
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("CLSORT_TEST_THREADS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%d\n", most);
    fclose(file);
}
