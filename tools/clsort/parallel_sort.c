/* parallel_sort.c: merge sort. Each thread sorts a run; then pairs of runs are merged. A thread
 * writes a piece of the result, and finds by bisection what of both runs belongs there. */
#include "parallel_sort.h"

#include "parallel.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 12 };

struct sorting {
    char *from, *to;
    uint64_t num; /* items */
    uint64_t run; /* items of a run, a multiple of PIECE */
    size_t size;
    int (*compare)(const void *a, const void *b, void *context);
    void *context;
};

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static bool is_before(const struct sorting *sorting, uint64_t a, uint64_t b)
{
    return sorting->compare(sorting->from + a * sorting->size, sorting->from + b * sorting->size,
                            sorting->context) < 0;
}

static bool sort_run(void *context, uint64_t run)
{
    const struct sorting *sorting = context;
    const uint64_t begin = run * sorting->run;
    qsort_r(sorting->from + begin * sorting->size,
            (size_t)smaller(sorting->run, sorting->num - begin), sorting->size, sorting->compare,
            sorting->context);
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
        if (is_before(sorting, begin + num, middle + (target - num - 1)))
            low = num + 1;
        else
            high = num;
    }
    return low;
}

static bool merge_piece(void *context, uint64_t piece)
{
    const struct sorting *sorting = context;
    const size_t size = sorting->size;
    const uint64_t num = sorting->num, run = sorting->run, at = piece * PIECE;
    const uint64_t begin = at / (2 * run) * (2 * run);
    const uint64_t middle = smaller(begin + run, num), end = smaller(middle + run, num);
    const uint64_t num_first = cut(sorting, begin, middle, end, at - begin);
    uint64_t first = begin + num_first, second = middle + (at - begin - num_first);
    for (uint64_t i = at; i < smaller(at + PIECE, num); i++) {
        const bool is_first =
            second == end || (first < middle && is_before(sorting, first, second));
        const uint64_t next = is_first ? first++ : second++;
        memcpy(sorting->to + i * size, sorting->from + next * size, size);
    }
    return true;
}

void *parallel_sort(void *items, void *spare, uint64_t num, size_t size,
                    int (*compare)(const void *a, const void *b, void *context), void *context)
{
    const uint64_t num_pieces = (num + PIECE - 1) / PIECE, num_threads = parallel_threads();
    struct sorting sorting = {.from = items,
                              .to = spare,
                              .num = num,
                              .run = (num_pieces + num_threads - 1) / num_threads * PIECE,
                              .size = size,
                              .compare = compare,
                              .context = context};
    if (num == 0)
        return items;
    parallel_for((num + sorting.run - 1) / sorting.run, sort_run, &sorting);
    for (; sorting.run < num; sorting.run *= 2) {
        parallel_for(num_pieces, merge_piece, &sorting);
        char *const merged = sorting.to;
        sorting.to = sorting.from;
        sorting.from = merged;
    }
    return sorting.from;
}
