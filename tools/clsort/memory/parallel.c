#include "memory/parallel.h"

#include "io/bytes.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 16 };

static struct {
    atomic_uint_fast64_t limit;   /* 0: none was set */
    atomic_uint_fast64_t running; /* threads of parallel_begin() */
    atomic_uint processors;       /* 0: not counted yet */
} state;

/* Processors in the process's mask, at most MAX_THREADS. The kernel refuses a set that is too small
 * for the machine. Sorting threads start with the mask of the first call. */
static uint32_t processors(void)
{
    enum { NUM_SETS = 64 }; /* of 1024 processors each: more than any kernel knows */
    cpu_set_t sets[NUM_SETS];
    uint32_t num = atomic_load(&state.processors);
    if (num == 0) {
        const bool ok = sched_getaffinity(0, sizeof(sets), sets) == 0;
        const int count = ok ? CPU_COUNT_S(sizeof(sets), sets) : 1;
        num = count < 1 ? 1 : count > MAX_THREADS ? MAX_THREADS : (uint32_t)count;
        atomic_store(&state.processors, num);
    }
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
};

static void *take_slices(void *argument)
{
    struct loop *loop = argument;
    struct parallel_slice slice = {.thread = (uint32_t)atomic_fetch_add(&loop->num_threads, 1)};
    for (;;) {
        slice.number = atomic_fetch_add(&loop->next, 1);
        slice.begin = slice.number * loop->step;
        if (slice.begin >= loop->num)
            return NULL;
        slice.end = slice.begin + smaller(loop->step, loop->num - slice.begin);
        loop->work(loop->context, &slice);
    }
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

void parallel_for_by(uint32_t num_threads, uint64_t num, uint64_t step, parallel_work *work,
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
}

void parallel_for(uint64_t num, uint64_t step, parallel_work *work, void *context)
{
    parallel_for_by(parallel_threads(), num, step, work, context);
}

/* ---- Merge sort ------------------------------------------------------------------------------ */

/* Each thread sorts a run; then pairs of runs are merged. A thread writes a piece of the result,
 * and finds by bisection what of both runs belongs there. */
struct sorting {
    struct parallel_items *lists;
    uint32_t num_lists;
    uint64_t num; /* items */
    uint64_t run; /* items of a run, a multiple of PARALLEL_STEP */
    const struct parallel_order *order;
};

static bool is_before(const struct sorting *sorting, uint64_t a, uint64_t b)
{
    const struct parallel_items *list = sorting->lists;
    return sorting->order->compare(list->items + a * list->size, list->items + b * list->size,
                                   sorting->order->context) < 0;
}

static void sort_run(void *context, const struct parallel_slice *run)
{
    const struct sorting *sorting = context;
    const struct parallel_items *list = sorting->lists;
    qsort_r(list->items + run->begin * list->size, (size_t)(run->end - run->begin), list->size,
            sorting->order->compare, sorting->order->context);
}

/* How many of the first `target` items of two merged runs are of the first, [begin, middle). */
static uint64_t cut(const struct sorting *sorting, uint64_t begin, uint64_t middle, uint64_t end,
                    uint64_t target)
{
    uint64_t low = target > end - middle ? target - (end - middle) : 0;
    uint64_t high = smaller(target, middle - begin);
    while (low < high) {
        const uint64_t num = low + (high - low) / 2;
        if (!is_before(sorting, middle + (target - num - 1), begin + num))
            low = num + 1;
        else
            high = num;
    }
    return low;
}

static void copy_item(char *to, const char *from, size_t size)
{
    if (size == 4)
        memcpy(to, from, 4);
    else if (size == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, size);
}

static void merge_piece(void *context, const struct parallel_slice *piece)
{
    const struct sorting *sorting = context;
    const uint64_t num = sorting->num, run = sorting->run, at = piece->begin;
    const uint64_t begin = at / (2 * run) * (2 * run);
    const uint64_t middle = smaller(begin + run, num), end = smaller(middle + run, num);
    const uint64_t num_first = cut(sorting, begin, middle, end, at - begin);
    uint64_t first = begin + num_first, second = middle + (at - begin - num_first);
    for (uint64_t i = at; i < piece->end; i++) {
        const bool is_second =
            first == middle || (second < end && is_before(sorting, second, first));
        const uint64_t next = is_second ? second++ : first++;
        for (uint32_t k = 0; k < sorting->num_lists; k++) {
            const struct parallel_items *list = &sorting->lists[k];
            copy_item(list->spare + i * list->size, list->items + next * list->size, list->size);
        }
    }
}

void parallel_merge(struct parallel_items *lists, uint32_t num_lists, uint64_t num, uint64_t run,
                    const struct parallel_order *order)
{
    struct sorting sorting = {lists, num_lists, num, run, order};
    for (; sorting.run < num; sorting.run *= 2) {
        parallel_for(num, PARALLEL_STEP, merge_piece, &sorting);
        for (uint32_t k = 0; k < num_lists; k++) {
            struct parallel_items *list = &lists[k];
            char *const merged = list->spare;
            list->spare = list->items;
            list->items = merged;
        }
    }
}

void parallel_sort(struct parallel_items *list, uint64_t num, const struct parallel_order *order)
{
    const uint64_t num_pieces = (num + PARALLEL_STEP - 1) / PARALLEL_STEP;
    const uint64_t num_threads = parallel_threads();
    const uint64_t run = (num_pieces + num_threads - 1) / num_threads * PARALLEL_STEP;
    struct sorting sorting = {list, 1, num, run, order};
    if (num == 0)
        return;
    parallel_for(num, run, sort_run, &sorting);
    parallel_merge(list, 1, num, run, order);
}
