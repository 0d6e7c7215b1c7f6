/* sort.c: sorts by threads of the host. Numbers alone, by all bits, are sorted as numbers
 * (items.h), everything else by its order (by_index.c), and segments one after the other. */
#include "host/alone/sort.h"

#include "check/check.h"
#include "host/alone/keys.h"
#include "host/alone/parallel.h"

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

static int sort_keys(const struct problem *problem, const clsort_arrays *arrays,
                     uint32_t num_threads)
{
    const enum buffer_role to = problem->in_place ? BUFFER_KEYS : BUFFER_KEYS_OUT;
    const int is_here = problem->type->bits >= 32 && vectors_of(problem);
    const size_t size = 2 * item_size(problem); /* with what a sort needs beside */
    const int has_room = problem->count <= SIZE_MAX / size;
    char *items = is_here || !has_room ? NULL : malloc((size_t)problem->count * size);
    if (!is_here && !items)
        return 0;
    for (uint64_t i = 0; i < problem->num_arrays; ++i) {
        struct keys keys = {.problem = problem,
                            .from = host_array_of(problem, arrays, BUFFER_KEYS, i),
                            .to = host_array_of(problem, arrays, to, i)};
        keys.items = is_here ? keys.to : items;
        sort_array(&keys, num_threads);
    }
    free(items);
    return 1;
}

/* Arrays from an element on. */
struct shifted {
    clsort_arrays arrays;
    void *lists[4][MAX_MEMBERS];
};

static void *shift(const struct problem *problem, const clsort_arrays *arrays,
                   enum buffer_role role, uint64_t first)
{
    char *all = array_of(arrays, role);
    return all ? all + first * (check_size(problem, role) / problem->count) : NULL;
}

static void shift_all(const struct problem *problem, const clsort_arrays *arrays, uint64_t first,
                      struct shifted *to)
{
    static const enum buffer_role lists[] = {BUFFER_COLUMN, BUFFER_COLUMN_OUT, BUFFER_LISTED,
                                             BUFFER_LISTED_OUT};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
        const uint32_t num = i < 2 ? problem->num_columns : problem->num_values;
        for (uint32_t j = 0; j < num; ++j)
            to->lists[i][j] = shift(problem, arrays, (enum buffer_role)(lists[i] + j), first);
    }
    to->arrays = (clsort_arrays){
        .keys = shift(problem, arrays, BUFFER_KEYS, first),
        .keys_out = shift(problem, arrays, BUFFER_KEYS_OUT, first),
        .values = shift(problem, arrays, BUFFER_VALUES, first),
        .values_out = shift(problem, arrays, BUFFER_VALUES_OUT, first),
        .indices = shift(problem, arrays, BUFFER_INDICES, first),
        .columns = to->lists[0],
        .columns_out = to->lists[1],
        .values_list = to->lists[2],
        .values_list_out = to->lists[3],
    };
}

/* Copies what out of place moves: elements in no segment stay so. */
static void copy_all(const struct problem *problem, const clsort_arrays *arrays)
{
    struct moved_array moved[MAX_MOVED_ARRAYS];
    const uint32_t num = problem_moved(problem, moved);
    for (uint32_t i = 0; i < num; ++i)
        memcpy(array_of(arrays, moved[i].to), array_of(arrays, moved[i].from),
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
        struct shifted part;
        end = smaller(offset_at(arrays->offsets, problem->segment_offset_size, i), problem->count);
        one.count = end - begin;
        if (i == 0 || end <= begin)
            continue;
        shift_all(problem, arrays, begin, &part);
        if (!host_sort(&one, &part.arrays, 1))
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
    return is_of_numbers(problem) ? sort_keys(problem, arrays, num_threads)
                                  : host_sort_by_index(problem, arrays, num_threads);
}
