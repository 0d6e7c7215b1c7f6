#include "parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MAX_THREADS = 16 };

struct loop {
    uint64_t num_items;
    bool (*work)(void *context, uint64_t item);
    void *context;
    atomic_uint_fast64_t next;
    atomic_bool has_failed;
};

static void *take_items(void *argument)
{
    struct loop *loop = argument;
    while (!atomic_load(&loop->has_failed)) {
        const uint64_t item = atomic_fetch_add(&loop->next, 1);
        if (item >= loop->num_items)
            break;
        if (!loop->work(loop->context, item))
            atomic_store(&loop->has_failed, true);
    }
    return NULL;
}

uint32_t parallel_threads(void)
{
    const long num = sysconf(_SC_NPROCESSORS_ONLN);
    return num < 1 ? 1 : num > MAX_THREADS ? MAX_THREADS : (uint32_t)num;
}

bool parallel_for(uint64_t num_items, bool (*work)(void *context, uint64_t item), void *context)
{
    struct loop loop = {.num_items = num_items, .work = work, .context = context};
    pthread_t threads[MAX_THREADS];
    uint32_t num = 0;
    while (num + 1 < parallel_threads() && num + 1 < num_items &&
           pthread_create(&threads[num], NULL, take_items, &loop) == 0)
        num++;
    take_items(&loop);
    for (uint32_t i = 0; i < num; i++)
        pthread_join(threads[i], NULL);
    return !loop.has_failed;
}
