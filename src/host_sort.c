/* host_sort.c: sorts on the calling thread by the code with which a work-item of a CPU sorts in its
 * cache (cl/cpu_sort.h). Keys alone, by all bits, are sorted as numbers. Everything else is sorted
 * as pairs of the bits to sort by and an index. The indices then move keys and values, or those at
 * the places that are wanted: out of place from the source, in place from a copy. */
#include "host_sort.h"

#include "check.h"
#include "host_items.h"
#include "host_keys.h"

#include <stdlib.h>
#include <string.h>

int host_sort_takes(const struct device_facts *facts, const struct problem *problem)
{
    return problem->algorithm == CLSORT_AUTO && !problem->record_size && !problem->num_columns &&
           !problem_is_whole(problem) && num_elements(problem) <= tuning_host_max(facts);
}

/* The elements of array `array` in a role's memory; NULL stays NULL. */
static void *part_of(const struct problem *problem, const clsort_arrays *arrays,
                     enum buffer_role role, uint64_t array)
{
    char *all = array_of(arrays, role);
    const uint64_t size = check_size(problem, role) / problem->num_arrays;
    return all ? all + array * size : NULL;
}

static int sort_keys(const struct problem *problem, const clsort_arrays *arrays)
{
    const uint32_t count = (uint32_t)problem->count;
    const int wide = problem->type->bits > 32;
    const enum buffer_role to = problem->in_place ? BUFFER_KEYS : BUFFER_KEYS_OUT;
    void *items = malloc((size_t)count * 2 * (wide ? sizeof(uint64_t) : sizeof(uint32_t)));
    if (!items)
        return 0;
    for (uint64_t i = 0; i < problem->num_arrays; ++i) {
        const void *keys = part_of(problem, arrays, BUFFER_KEYS, i);
        void *keys_out = part_of(problem, arrays, to, i);
        if (wide) {
            uint64_t *numbers = items;
            host_keys_read_64(problem, keys, count, numbers);
            numbers = host_items_sort_64(numbers, numbers + count, count);
            host_keys_write_64(problem, numbers, count, keys_out);
        } else {
            uint32_t *numbers = items;
            host_keys_read_32(problem, keys, count, numbers);
            numbers = host_items_sort_32(numbers, numbers + count, count);
            host_keys_write_32(problem, numbers, count, keys_out);
        }
    }
    free(items);
    return 1;
}

static void write_indices(const struct problem *problem, const struct host_pair *pairs,
                          void *indices)
{
    const uint64_t count = problem_limit(problem);
    if (problem->index_size == 8) {
        uint64_t *to = indices;
        for (uint64_t i = 0; i < count; ++i)
            to[i] = pairs[i].y;
    } else {
        uint32_t *to = indices;
        for (uint64_t i = 0; i < count; ++i)
            to[i] = (uint32_t)pairs[i].y;
    }
}

/* Calls for the usual sizes pass a constant, so that the copies compile to moves. */
static inline void gather_sized(char *to, const char *from, size_t size,
                                const struct host_pair *pairs, uint64_t count)
{
    for (uint64_t i = 0; i < count; ++i)
        memcpy(to + i * size, from + pairs[i].y * size, size);
}

static void gather(void *to, const void *from, size_t size, const struct host_pair *pairs,
                   uint64_t count)
{
    switch (size) {
    case 1:
        gather_sized(to, from, 1, pairs, count);
        break;
    case 2:
        gather_sized(to, from, 2, pairs, count);
        break;
    case 4:
        gather_sized(to, from, 4, pairs, count);
        break;
    case 8:
        gather_sized(to, from, 8, pairs, count);
        break;
    case 16:
        gather_sized(to, from, 16, pairs, count);
        break;
    default:
        gather_sized(to, from, size, pairs, count);
    }
}

/* Moves the elements of one array to their sorted positions. In place, `copy` must have room for
 * them. */
static void move(const struct problem *problem, const struct host_pair *pairs, void *from, void *to,
                 size_t size, void *copy)
{
    if (to == from)
        from = memcpy(copy, from, (size_t)problem->count * size);
    gather(to, from, size, pairs, problem->in_place ? problem->count : problem_limit(problem));
}

/* The pairs in the order in which they are wanted. In place, what is skipped comes last, by way of
 * the half of the memory that the sort has left free. */
static const struct host_pair *place(const struct problem *problem, const struct host_pair *pairs,
                                     struct host_pair *items)
{
    const size_t count = (size_t)problem->count, skip = (size_t)problem->skip;
    struct host_pair *room = pairs == items ? items + count : items;
    if (!skip || !problem->in_place || problem->index_size)
        return pairs + skip;
    memcpy(room, pairs + skip, (count - skip) * sizeof *pairs);
    memcpy(room + count - skip, pairs, skip * sizeof *pairs);
    return room;
}

static int sort_pairs(const struct problem *problem, const clsort_arrays *arrays)
{
    const uint32_t count = (uint32_t)problem->count;
    const size_t key_size = problem->type->bits / 8, value_size = problem->value_size;
    const int in_place = problem->in_place;
    const size_t largest = key_size > value_size ? key_size : value_size;
    const size_t copy_size = in_place && !problem->index_size ? largest : 0;
    if (copy_size > SIZE_MAX / count - 2 * sizeof(struct host_pair))
        return 0;
    struct host_pair *items = malloc(count * (2 * sizeof *items + copy_size));
    if (!items)
        return 0;
    void *copy = items + 2 * (size_t)count;
    for (uint64_t i = 0; i < problem->num_arrays; ++i) {
        void *keys = part_of(problem, arrays, BUFFER_KEYS, i);
        host_keys_read_pairs(problem, keys, count, items);
        const struct host_pair *pairs =
            place(problem, host_items_sort_pairs(items, items + count, count), items);
        if (problem->index_size)
            write_indices(problem, pairs, part_of(problem, arrays, BUFFER_INDICES, i));
        if (problem->index_size && in_place)
            continue;
        void *keys_out = part_of(problem, arrays, in_place ? BUFFER_KEYS : BUFFER_KEYS_OUT, i);
        move(problem, pairs, keys, keys_out, key_size, copy);
        if (value_size) {
            void *values = part_of(problem, arrays, BUFFER_VALUES, i);
            void *values_out =
                part_of(problem, arrays, in_place ? BUFFER_VALUES : BUFFER_VALUES_OUT, i);
            move(problem, pairs, values, values_out, value_size, copy);
        }
    }
    free(items);
    return 1;
}

int host_sort(const struct problem *problem, const clsort_arrays *arrays)
{
    if (num_wanted(problem) == 0)
        return 1;
    const int all_bits = problem->num_bits == problem->type->bits;
    const int alone = all_bits && !problem->value_size && !problem->index_size &&
                      !problem_has_places(problem);
    return alone ? sort_keys(problem, arrays) : sort_pairs(problem, arrays);
}
