/* parallel_sort.c: merge sort. Each thread sorts a run; then pairs of runs are merged. A thread
 * writes a piece of the result, and finds by bisection what of both runs belongs there. */
#include "memory/parallel_sort.h"

#include "io/bytes.h"
#include "memory/parallel.h"

#include <stdlib.h>
#include <string.h>

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

static bool sort_run(void *context, const struct parallel_slice *run)
{
    const struct sorting *sorting = context;
    const struct parallel_items *list = sorting->lists;
    qsort_r(list->items + run->begin * list->size, (size_t)(run->end - run->begin), list->size,
            sorting->order->compare, sorting->order->context);
    return true;
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

static bool merge_piece(void *context, const struct parallel_slice *piece)
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
    return true;
}

static void merge_runs(struct sorting *sorting)
{
    for (; sorting->run < sorting->num; sorting->run *= 2) {
        parallel_for(sorting->num, PARALLEL_STEP, merge_piece, sorting);
        for (uint32_t k = 0; k < sorting->num_lists; k++) {
            struct parallel_items *list = &sorting->lists[k];
            char *const merged = list->spare;
            list->spare = list->items;
            list->items = merged;
        }
    }
}

void parallel_merge(struct parallel_items *lists, uint32_t num_lists, uint64_t num, uint64_t run,
                    const struct parallel_order *order)
{
    merge_runs(&(struct sorting){lists, num_lists, num, run, order});
}

void parallel_sort(struct parallel_items *list, uint64_t num, const struct parallel_order *order)
{
    const uint64_t num_pieces = (num + PARALLEL_STEP - 1) / PARALLEL_STEP;
    const uint64_t num_threads = parallel_threads();
    struct sorting sorting = {.lists = list,
                              .num_lists = 1,
                              .num = num,
                              .run = (num_pieces + num_threads - 1) / num_threads * PARALLEL_STEP,
                              .order = order};
    if (num == 0)
        return;
    parallel_for(num, sorting.run, sort_run, &sorting);
    merge_runs(&sorting);
}
