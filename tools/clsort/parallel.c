#include "parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MAX_THREADS = 16 };

struct loop {
    uint64_t num_items;
    bool (*work)(void *context, uint32_t thread, uint64_t item);
    void *context;
    atomic_uint_fast32_t num_threads; /* that have begun */
    atomic_uint_fast64_t next;
    atomic_bool has_failed;
};

static void *take_items(void *argument)
{
    struct loop *loop = argument;
    const uint32_t thread = (uint32_t)atomic_fetch_add(&loop->num_threads, 1);
    while (!atomic_load(&loop->has_failed)) {
        const uint64_t item = atomic_fetch_add(&loop->next, 1);
        if (item >= loop->num_items)
            break;
        if (!loop->work(loop->context, thread, item))
            atomic_store(&loop->has_failed, true);
    }
    return NULL;
}

uint32_t parallel_threads(void)
{
    const long num = sysconf(_SC_NPROCESSORS_ONLN);
    return num < 1 ? 1 : num > MAX_THREADS ? MAX_THREADS : (uint32_t)num;
}

bool parallel_for_by(uint32_t num_threads, uint64_t num_items,
                     bool (*work)(void *context, uint32_t thread, uint64_t item), void *context)
{
    struct loop loop = {.num_items = num_items, .work = work, .context = context};
    pthread_t threads[MAX_THREADS];
    uint32_t num = 0;
    while (num + 1 < num_threads && num + 1 < MAX_THREADS && num + 1 < num_items &&
           pthread_create(&threads[num], NULL, take_items, &loop) == 0)
        num++;
    take_items(&loop);
    for (uint32_t i = 0; i < num; i++)
        pthread_join(threads[i], NULL);
    return !loop.has_failed;
}

struct plain {
    bool (*work)(void *context, uint64_t item);
    void *context;
};

static bool work_plainly(void *context, uint32_t thread, uint64_t item)
{
    const struct plain *plain = context;
    (void)thread;
    return plain->work(plain->context, item);
}

bool parallel_for(uint64_t num_items, bool (*work)(void *context, uint64_t item), void *context)
{
    struct plain plain = {work, context};
    return parallel_for_by(parallel_threads(), num_items, work_plainly, &plain);
}
