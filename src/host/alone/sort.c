/* sort.c: sorts on the calling thread (items.h). Keys alone, by all bits, are sorted
 * as numbers. Everything else is sorted as the bits to sort by and an index. The indices, or
 * those at the places that are wanted, then move keys and values: out of place from the source,
 * in place from a copy. */
#include "host/alone/sort.h"

#include "check/check.h"
#include "host/alone/items.h"
#include "host/alone/keys.h"

#include <stdlib.h>
#include <string.h>

static const struct host_sorts *best_sorts(void)
{
    const struct host_sorts *list;
    host_sorts_list(&list);
    return list;
}

/* Whether keys are sorted alone, by all of their bits. */
static int is_of_numbers(const struct problem *problem)
{
    return problem->num_bits == problem->type->bits && !problem->value_size &&
           !problem->num_values && !problem->index_size && !problem_has_places(problem);
}

/* The sort of keys of 32 or 64 bits where they are; NULL if this processor has none. */
static host_sort_here *sort_of_vectors(const struct problem *problem)
{
    const struct host_sorts *sorts = best_sorts();
    const uint32_t bits = problem->type->bits;
    return bits == 64 ? sorts->here_64 : bits == 32 ? sorts->here_32 : NULL;
}

int host_sort_takes(const struct device_facts *facts, const struct problem *problem)
{
    if (problem->operation != CLSORT_OPERATION_SORT || problem->algorithm != CLSORT_AUTO ||
        problem->record_size || problem->num_columns || problem_is_whole(problem))
        return 0;
    const int by_vectors = is_of_numbers(problem) && sort_of_vectors(problem);
    return num_elements(problem) <= tuning_host_max(facts, by_vectors);
}

/* The elements of array `array` in a role's memory; NULL stays NULL. */
static void *part_of(const struct problem *problem, const clsort_arrays *arrays,
                     enum buffer_role role, uint64_t array)
{
    char *all = array_of(arrays, role);
    const uint64_t size = check_size(problem, role) / problem->num_arrays;
    return all ? all + array * size : NULL;
}

/* Sorts an array's keys of 32 or 64 bits where they are to be. */
static void sort_here(const struct problem *problem, host_sort_here *sort, const void *keys,
                      void *keys_out)
{
    const uint32_t count = (uint32_t)problem->count;
    if (keys_out != keys)
        memcpy(keys_out, keys, (size_t)count * (problem->type->bits / 8));
    host_keys_encode(problem, keys_out, count);
    sort(keys_out, count);
    host_keys_decode(problem, keys_out, count);
}

/* Sorts an array's keys of 8 to 32 bits, or of 64, as `items`, which has room for two of each. */
static void sort_items_32(const struct problem *problem, const struct host_sorts *sorts,
                          const void *keys, void *keys_out, uint32_t *items)
{
    const uint32_t count = (uint32_t)problem->count;
    host_keys_read_32(problem, keys, count, items);
    if (sorts->here_32)
        sorts->here_32(items, count);
    else
        items = sorts->sort_32(items, items + count, count);
    host_keys_write_32(problem, items, count, keys_out);
}

static void sort_items_64(const struct problem *problem, const struct host_sorts *sorts,
                          const void *keys, void *keys_out, uint64_t *items)
{
    const uint32_t count = (uint32_t)problem->count;
    host_keys_read_64(problem, keys, count, items);
    items = sorts->sort_64(items, items + count, count);
    host_keys_write_64(problem, items, count, keys_out);
}

static int sort_keys(const struct problem *problem, const clsort_arrays *arrays)
{
    const struct host_sorts *sorts = best_sorts();
    const uint32_t bits = problem->type->bits;
    host_sort_here *here = sort_of_vectors(problem);
    const enum buffer_role to = problem->in_place ? BUFFER_KEYS : BUFFER_KEYS_OUT;
    const size_t item_size = bits == 64 ? sizeof(uint64_t) : sizeof(uint32_t);
    const int has_room = problem->count <= SIZE_MAX / (2 * item_size);
    void *items = here || !has_room ? NULL : malloc((size_t)problem->count * 2 * item_size);
    if (!here && !items)
        return 0;
    for (uint64_t i = 0; i < problem->num_arrays; ++i) {
        const void *keys = part_of(problem, arrays, BUFFER_KEYS, i);
        void *keys_out = part_of(problem, arrays, to, i);
        if (here)
            sort_here(problem, here, keys, keys_out);
        else if (bits == 64)
            sort_items_64(problem, sorts, keys, keys_out, items);
        else
            sort_items_32(problem, sorts, keys, keys_out, items);
    }
    free(items);
    return 1;
}

/* Where the elements of an array come from, in sorted order. There must be room for two
 * pairs an element in `items`. */
static void find_order(const struct problem *problem, const void *keys, struct host_pair *items,
                       uint32_t *order)
{
    const struct host_sorts *sorts = best_sorts();
    const uint32_t count = (uint32_t)problem->count;
    if (sorts->order) {
        uint64_t *bits = (uint64_t *)items;
        host_keys_read_bits(problem, keys, count, bits);
        sorts->order(bits, bits + count, count, problem->num_bits, order);
        return;
    }
    host_keys_read_pairs(problem, keys, count, items);
    const struct host_pair *pairs = sorts->sort_pairs(items, items + count, count);
    for (uint32_t i = 0; i < count; ++i)
        order[i] = (uint32_t)pairs[i].y;
}

static void write_indices(const struct problem *problem, const uint32_t *order, void *indices)
{
    const uint64_t count = problem_limit(problem);
    if (problem->index_size == 8) {
        uint64_t *to = indices;
        for (uint64_t i = 0; i < count; ++i)
            to[i] = order[i];
    } else {
        memcpy(indices, order, (size_t)count * sizeof *order);
    }
}

/* Calls for the usual sizes pass a constant, so that the copies compile to moves. */
static inline void gather_sized(char *to, const char *from, size_t size, const uint32_t *order,
                                uint64_t count)
{
    for (uint64_t i = 0; i < count; ++i)
        memcpy(to + i * size, from + order[i] * size, size);
}

static void gather(void *to, const void *from, size_t size, const uint32_t *order, uint64_t count)
{
    switch (size) {
    case 1:
        gather_sized(to, from, 1, order, count);
        break;
    case 2:
        gather_sized(to, from, 2, order, count);
        break;
    case 4:
        gather_sized(to, from, 4, order, count);
        break;
    case 8:
        gather_sized(to, from, 8, order, count);
        break;
    case 16:
        gather_sized(to, from, 16, order, count);
        break;
    default:
        gather_sized(to, from, size, order, count);
    }
}

/* Moves the elements of one array to their sorted positions. In place, `copy` must have room for
 * them. */
static void move(const struct problem *problem, const uint32_t *order, void *from, void *to,
                 size_t size, void *copy)
{
    if (to == from)
        from = memcpy(copy, from, (size_t)problem->count * size);
    gather(to, from, size, order, problem->in_place ? problem->count : problem_limit(problem));
}

/* The indices in the order in which they are wanted. In place, what is skipped comes last;
 * `room` is for as many indices. */
static const uint32_t *place(const struct problem *problem, const uint32_t *order, uint32_t *room)
{
    const size_t count = (size_t)problem->count, skip = (size_t)problem->skip;
    if (!skip || !problem->in_place || problem->index_size)
        return order + skip;
    memcpy(room, order + skip, (count - skip) * sizeof *order);
    memcpy(room + count - skip, order, skip * sizeof *order);
    return room;
}

/* Bytes of the largest of an element's key and values. */
static size_t largest_size(const struct problem *problem)
{
    size_t largest = problem->type->bits / 8;
    for (uint32_t i = 0; i < problem_num_values(problem); ++i) {
        const size_t size = problem_value_size(problem, i);
        largest = size > largest ? size : largest;
    }
    return largest;
}

/* Moves the keys and values of array number `array`. */
static void move_all(const struct problem *problem, const clsort_arrays *arrays, uint64_t array,
                     const uint32_t *order, void *copy)
{
    const int in_place = problem->in_place;
    move(problem, order, part_of(problem, arrays, BUFFER_KEYS, array),
         part_of(problem, arrays, in_place ? BUFFER_KEYS : BUFFER_KEYS_OUT, array),
         problem->type->bits / 8, copy);
    for (uint32_t i = 0; i < problem_num_values(problem); ++i) {
        const enum buffer_role from = problem_values(problem, i);
        const enum buffer_role to = in_place ? from : problem_values_out(problem, i);
        move(problem, order, part_of(problem, arrays, from, array),
             part_of(problem, arrays, to, array), problem_value_size(problem, i), copy);
    }
}

static int sort_by_index(const struct problem *problem, const clsort_arrays *arrays)
{
    const uint32_t count = (uint32_t)problem->count;
    const int in_place = problem->in_place;
    const size_t copy_size = in_place && !problem->index_size ? largest_size(problem) : 0;
    const size_t item_size = 2 * sizeof(struct host_pair) + sizeof(uint32_t);
    if (copy_size > SIZE_MAX - item_size || count > SIZE_MAX / (item_size + copy_size))
        return 0;
    struct host_pair *items = malloc(count * (item_size + copy_size));
    if (!items)
        return 0;
    uint32_t *sorted = (uint32_t *)(items + 2 * (size_t)count);
    void *copy = sorted + count;
    for (uint64_t i = 0; i < problem->num_arrays; ++i) {
        find_order(problem, part_of(problem, arrays, BUFFER_KEYS, i), items, sorted);
        const uint32_t *order = place(problem, sorted, (uint32_t *)items);
        if (problem->index_size)
            write_indices(problem, order, part_of(problem, arrays, BUFFER_INDICES, i));
        if (!problem->index_size || !in_place)
            move_all(problem, arrays, i, order, copy);
    }
    free(items);
    return 1;
}

int host_sort(const struct problem *problem, const clsort_arrays *arrays)
{
    if (num_wanted(problem) == 0)
        return 1;
    return is_of_numbers(problem) ? sort_keys(problem, arrays) : sort_by_index(problem, arrays);
}
