/* sort.c: sorts by threads of the host. Numbers alone, by all bits, are sorted as numbers
 * (items.h), everything else by its order (by_index.c), and segments one after the other. */
#include "host/alone/sort.h"

#include "check/check.h"

#include <stdlib.h>
#include <string.h>

/* Not tuning: to sort more here than takes an eye's blink saves no compiler's seconds. */
#define COMPARED_COST 8   /* times that of a number: of strings, records, rows and segments */
#define COMPARED_MAX 8192 /* elements, with a sorter */

/* Whether keys are sorted alone, by all of their bits. */
static int is_of_numbers(const struct problem *problem)
{
    return !problem->record_size && !host_compare_takes(problem) &&
           problem->num_bits == problem->type->bits && !problem->value_size &&
           !problem->num_values && !problem->index_size && !problem_has_places(problem);
}

/* The vectors that sort keys of as many bits: 8 and 16 as 32. NULL if this processor has none. */
static const struct host_vectors *vectors_of(const struct problem *problem)
{
    const struct host_sorts *sorts = host_sorts_best();
    return problem->type->bits == 64 ? sorts->vectors_64 : sorts->vectors_32;
}

int host_sort_takes(const struct device_facts *facts, const struct problem *problem,
                    uint32_t num_threads)
{
    const int has_segments = problem->segment_offset_size != 0;
    if (problem->operation != CLSORT_OPERATION_SORT || problem->algorithm != CLSORT_AUTO ||
        (problem->record_size && !problem->num_members) ||
        (has_segments && (problem->skip || problem->limit)))
        return 0;
    const int by_vectors =
        is_of_numbers(problem) && problem->type->bits >= 32 && vectors_of(problem);
    uint64_t most = tuning_host_max(facts, by_vectors, problem->num_arrays == 1 ? num_threads : 1);
    if (has_segments || host_compare_takes(problem)) {
        most /= COMPARED_COST;
        if (facts->class != DEVICE_NONE && most > COMPARED_MAX)
            most = COMPARED_MAX;
    }
    return num_elements(problem) <= most;
}

/* An array's keys, which become `items` and those in order. */
struct keys {
    const struct problem *problem;
    const char *from;
    char *to, *items; /* to, if keys of 32 or 64 bits are sorted where they are to be */
};

static size_t item_size(const struct problem *problem)
{
    return problem->type->bits == 64 ? sizeof(uint64_t) : sizeof(uint32_t);
}

static void read_keys(void *argument, size_t begin, size_t end)
{
    const struct keys *keys = argument;
    const struct problem *problem = keys->problem;
    host_keys_read(problem, keys->from + begin * (problem->type->bits / 8), (uint32_t)(end - begin),
                   keys->items + begin * item_size(problem));
}

static void write_keys(void *argument, size_t begin, size_t end)
{
    const struct keys *keys = argument;
    const struct problem *problem = keys->problem;
    host_keys_write(problem, keys->items + begin * item_size(problem), (uint32_t)(end - begin),
                    keys->to + begin * (problem->type->bits / 8));
}

/* Whether keys are their own items. */
static int are_items(const struct problem *problem)
{
    return problem->type->kind == KEY_UNSIGNED && problem->type->bits >= 32 && !problem->descending;
}

static void sort_array(struct keys *keys, uint32_t num_threads)
{
    const struct problem *problem = keys->problem;
    const uint32_t count = (uint32_t)problem->count;
    const struct host_sorts *sorts = host_sorts_best();
    const struct host_vectors *vectors = vectors_of(problem);
    if (vectors) {
        const int is_there = are_items(problem) && keys->from == keys->items;
        const int stays = are_items(problem) && keys->to == keys->items;
        host_parallel_sort(&(struct host_numbers){.vectors = vectors,
                                                  .numbers = keys->items,
                                                  .count = count,
                                                  .prepare = is_there ? NULL : read_keys,
                                                  .finish = stays ? NULL : write_keys,
                                                  .argument = keys},
                           num_threads);
        return;
    }
    read_keys(keys, 0, count);
    if (problem->type->bits == 64)
        keys->items =
            (char *)sorts->sort_64((uint64_t *)keys->items, (uint64_t *)keys->items + count, count);
    else
        keys->items = (char *)host_items_sort_32((uint32_t *)keys->items,
                                                 (uint32_t *)keys->items + count, count);
    write_keys(keys, 0, count);
}

static int sort_keys(const struct problem *problem, const clsort_arrays *arrays, uint64_t first,
                     uint32_t num_threads)
{
    const enum buffer_role to = problem_out(problem, BUFFER_KEYS);
    const int is_here = problem->type->bits >= 32 && vectors_of(problem);
    const size_t size = 2 * item_size(problem); /* with what a sort needs beside */
    const int has_room = problem->count <= SIZE_MAX / size;
    char *items = is_here || !has_room ? NULL : malloc((size_t)problem->count * size);
    if (!is_here && !items)
        return 0;
    for (uint64_t i = 0; i < problem->num_arrays; ++i) {
        const struct host_part part = {arrays, i, first};
        struct keys keys = {.problem = problem,
                            .from = host_part_of(problem, &part, BUFFER_KEYS),
                            .to = host_part_of(problem, &part, to)};
        keys.items = is_here ? keys.to : items;
        sort_array(&keys, num_threads);
    }
    free(items);
    return 1;
}

/* Sorts all arrays, or a segment that begins at the element `first`. */
static int sort_parts(const struct problem *problem, const clsort_arrays *arrays, uint64_t first,
                      uint32_t num_threads)
{
    return (is_of_numbers(problem) ? sort_keys : host_sort_by_index)(problem, arrays, first,
                                                                     num_threads);
}

/* Copies what out of place moves: elements in no segment stay so. */
static void copy_all(const struct problem *problem, const clsort_arrays *arrays)
{
    struct moved_array moved[MAX_MOVED_ARRAYS];
    const uint32_t num = problem_moved(problem, moved);
    for (uint32_t i = 0; i < num; ++i)
        memcpy(array_of(arrays, role_out(moved[i].from)), array_of(arrays, moved[i].from),
               (size_t)problem->count * moved[i].size);
}

/* Offsets have been checked: they do not descend. */
static int sort_segments(const struct problem *problem, const clsort_arrays *arrays)
{
    struct problem one = *problem;
    uint64_t begin = 0, end = 0;
    one.segment_offset_size = 0;
    one.num_segments = 0;
    if (!problem->in_place)
        copy_all(problem, arrays);
    for (uint64_t i = 0; i <= problem->num_segments; ++i, begin = end) {
        end = smaller(offset_at(arrays->offsets, problem->segment_offset_size, i), problem->count);
        one.count = end - begin;
        if (i > 0 && end > begin && !sort_parts(&one, arrays, begin, 1))
            return 0;
    }
    return 1;
}

int host_sort(const struct problem *problem, const clsort_arrays *arrays, uint32_t num_threads)
{
    if (num_wanted(problem) == 0)
        return 1;
    if (problem->segment_offset_size)
        return !problem->num_segments || sort_segments(problem, arrays);
    return sort_parts(problem, arrays, 0, num_threads);
}
