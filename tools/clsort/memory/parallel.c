#include "memory/parallel.h"

#include "io/bytes.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>

enum { MAX_THREADS = 16 };

static struct {
    atomic_uint_fast64_t limit;   /* 0: none was set */
    atomic_uint_fast64_t running; /* threads of parallel_begin() */
    atomic_uint processors;       /* 0: not counted yet */
} state;

/* Processors in the process's mask, at most MAX_THREADS. The kernel refuses a set that is too small
 * for the machine. */
static uint32_t count_processors(void)
{
    enum { FEWEST = 1024, MOST = 1 << 20 };
    for (int size = FEWEST; size <= MOST; size *= 2) {
        cpu_set_t *const set = CPU_ALLOC((size_t)size);
        const size_t set_size = CPU_ALLOC_SIZE((size_t)size);
        const bool ok = set && sched_getaffinity(0, set_size, set) == 0;
        const bool is_small = set && !ok && errno == EINVAL;
        const int num = ok ? CPU_COUNT_S(set_size, set) : 1;
        CPU_FREE(set);
        if (!is_small)
            return num < 1 ? 1 : num > MAX_THREADS ? MAX_THREADS : (uint32_t)num;
    }
    return 1;
}

/* Sorting threads start with the mask of the first call. */
static uint32_t processors(void)
{
    uint32_t num = atomic_load(&state.processors);
    if (num == 0)
        atomic_store(&state.processors, num = count_processors());
    return num;
}

void parallel_limit(uint64_t num)
{
    atomic_store(&state.limit, num);
}

/* Threads at once, the caller among them. */
static uint64_t most_threads(void)
{
    const uint64_t limit = atomic_load(&state.limit);
    return limit ? limit : processors() == 1 ? 1 : UINT64_MAX;
}

bool parallel_begin(pthread_t *thread, void *(*run)(void *argument), void *argument)
{
    const uint64_t others = atomic_fetch_add(&state.running, 1);
    const bool ok = others + 1 < most_threads() && pthread_create(thread, NULL, run, argument) == 0;
    if (!ok)
        atomic_fetch_sub(&state.running, 1);
    return ok;
}

void parallel_join(pthread_t thread)
{
    pthread_join(thread, NULL);
    atomic_fetch_sub(&state.running, 1);
}

struct loop {
    uint64_t num, step; /* items */
    parallel_work *work;
    void *context;
    atomic_uint_fast32_t num_threads; /* that have begun */
    atomic_uint_fast64_t next;        /* slice */
    atomic_bool has_failed;
};

static void *take_slices(void *argument)
{
    struct loop *loop = argument;
    struct parallel_slice slice = {.thread = (uint32_t)atomic_fetch_add(&loop->num_threads, 1)};
    while (!atomic_load(&loop->has_failed)) {
        slice.number = atomic_fetch_add(&loop->next, 1);
        slice.begin = slice.number * loop->step;
        if (slice.begin >= loop->num)
            break;
        slice.end = slice.begin + smaller(loop->step, loop->num - slice.begin);
        if (!loop->work(loop->context, &slice))
            atomic_store(&loop->has_failed, true);
    }
    return NULL;
}

uint32_t parallel_threads(void)
{
    const uint64_t most = most_threads();
    return processors() < most ? processors() : (uint32_t)most;
}

uint32_t parallel_library_threads(void)
{
    enum { BESIDE = 2 };
    const uint32_t all = parallel_threads();
    const uint64_t limit = atomic_load(&state.limit);
    if (limit == 0 || limit >= all + BESIDE)
        return all;
    return limit > BESIDE ? (uint32_t)limit - BESIDE : 1;
}

bool parallel_for_by(uint32_t num_threads, uint64_t num, uint64_t step, parallel_work *work,
                     void *context)
{
    struct loop loop = {.num = num, .step = step, .work = work, .context = context};
    const uint64_t num_slices = num / step + (num % step > 0);
    pthread_t threads[MAX_THREADS];
    uint32_t started = 0;
    while (started + 1 < num_threads && started + 1 < MAX_THREADS && started + 1 < num_slices &&
           parallel_begin(&threads[started], take_slices, &loop))
        started++;
    take_slices(&loop);
    for (uint32_t i = 0; i < started; i++)
        parallel_join(threads[i]);
    return !loop.has_failed;
}

bool parallel_for(uint64_t num, uint64_t step, parallel_work *work, void *context)
{
    return parallel_for_by(parallel_threads(), num, step, work, context);
}
