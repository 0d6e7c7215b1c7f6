/* parallel.h: the threads that sort, and work that falls into independent items, done by as many of
 * them as there are processors for this process. */
#ifndef CLSORT_TOOL_PARALLEL_H
#define CLSORT_TOOL_PARALLEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets the most threads that work at once, the calling one among them. Without a call they are not
 * limited, unless the process may use one processor alone: then it is one. */
void parallel_limit(uint64_t num);

/* Starts a thread if one more may work. False: the caller does the work. */
bool parallel_begin(pthread_t *thread, void *(*run)(void *argument), void *argument);

/* Waits for a thread of parallel_begin(). */
void parallel_join(pthread_t thread);

/* Neighbouring items, and the thread that works on them, counted from 0. */
struct parallel_slice {
    uint32_t thread;
    uint64_t number, begin, end; /* of the slice among all; its items */
};
typedef void parallel_work(void *context, const struct parallel_slice *slice);

/* Calls work() for slices of `step` of the items below `num`, in rising order, by up to 16 threads,
 * the caller among them. */
void parallel_for(uint64_t num, uint64_t step, parallel_work *work, void *context);

/* The same by up to num_threads threads, at most 16. */
void parallel_for_by(uint32_t num_threads, uint64_t num, uint64_t step, parallel_work *work,
                     void *context);

/* The number of threads of parallel_for(): the processors that the process may use, or fewer by the
 * limit. */
uint32_t parallel_threads(void);

/* The same for the library, if a thread that reads and one that writes may work beside it. */
uint32_t parallel_library_threads(void);

/* Items, and room for as many more. */
struct parallel_items {
    char *items, *spare;
    size_t size; /* bytes of an item */
};

/* compare() is that of qsort_r(). */
struct parallel_order {
    int (*compare)(const void *a, const void *b, void *context);
    void *context;
};

/* Merges neighbouring runs of `run` items each, the last one maybe shorter, to one; equal items
 * keep their order. `run` is a multiple of PARALLEL_STEP. What compare() looks at are the items of
 * the first list; those of the others, of which there are num_lists in all, move along. Afterwards
 * the items are at `items`, which may be what `spare` was. */
enum { PARALLEL_STEP = 1 << 12 };
void parallel_merge(struct parallel_items *lists, uint32_t num_lists, uint64_t num, uint64_t run,
                    const struct parallel_order *order);

/* Sorts `num` items, of which none are equal; they are at `items` then, as above. */
void parallel_sort(struct parallel_items *list, uint64_t num, const struct parallel_order *order);

#endif
