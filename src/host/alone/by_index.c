/* by_index.c: sorts by the order of an array's elements, which is found first. Keys are joined with
 * their places, or sorted with them as pairs, or compared. The indices, or those at the places that
 * are wanted, then move keys and values: out of place from the source, in place from a copy. */
#include "host/alone/sort.h"

#include "base/phases.h"
#include "check/check.h"

#include <stdlib.h>
#include <string.h>

void *host_part_of(const struct problem *problem, const struct host_part *part,
                   enum buffer_role role)
{
    char *all = array_of(part->arrays, role);
    const uint64_t size = check_size(problem, role) / problem->num_arrays;
    return all ? all + part->array * size + part->first * (size / problem->count) : NULL;
}

/* The order of an array's elements, as it is found. */
struct order {
    const struct problem *problem;
    const char *keys;
    uint64_t *numbers;
    uint32_t place_bits;
    uint32_t *order;
};

/* Keys that are joined with their places. */
static void join_keys(void *argument, size_t begin, size_t end)
{
    const struct order *o = argument;
    const char *keys = o->keys + begin * (o->problem->type->bits / 8);
    host_keys_read_bits(o->problem, keys, (uint32_t)(end - begin), o->numbers + begin, 1);
    for (size_t i = begin; i < end; ++i)
        o->numbers[i] = o->numbers[i] << o->place_bits | i;
}

static void take_places(void *argument, size_t begin, size_t end)
{
    const struct order *o = argument;
    const uint32_t places = (uint32_t)(((uint64_t)1 << o->place_bits) - 1);
    for (size_t i = begin; i < end; ++i)
        o->order[i] = (uint32_t)o->numbers[i] & places;
}

/* By numbers that have all bits of a key and its place. */
static void find_by_joined(struct order *o, const struct host_vectors *vectors,
                           uint32_t num_threads)
{
    const struct problem *problem = o->problem;
    const size_t count = (size_t)problem->count;
    if (!problem->in_place && num_wanted(problem) < num_elements(problem)) {
        const size_t first = (size_t)problem->skip, end = first + (size_t)problem_limit(problem);
        host_ranges_run(num_threads, count, join_keys, o);
        host_select(vectors, o->numbers, count, first, end);
        take_places(o, first, end);
        return;
    }
    host_parallel_sort(&(struct host_numbers){.vectors = vectors,
                                              .numbers = o->numbers,
                                              .count = count,
                                              .prepare = join_keys,
                                              .finish = take_places,
                                              .argument = o},
                       num_threads);
}

/* By as many bits of keys as there is room for, and then by the others. `bits` is for as many
 * numbers as `numbers`. */
static void find_by_parts(struct order *o, const struct host_sorts *sorts, uint64_t *bits,
                          uint32_t num_threads)
{
    const uint32_t count = (uint32_t)o->problem->count;
    struct host_joined joined = {.keys = bits, .numbers = o->numbers, .count = count};
    host_keys_read_bits(o->problem, o->keys, count, bits, 1);
    sorts->order->begin(&joined, o->problem->num_bits);
    host_parallel_sort(&(struct host_numbers){.vectors = sorts->vectors_64,
                                              .numbers = joined.numbers,
                                              .count = count},
                       num_threads);
    sorts->order->end(&joined, o->order);
}

static struct compared compared_of(const struct problem *problem, const struct host_part *part)
{
    struct compared compared = {
        .problem = problem,
        .bytes = host_part_of(problem, part, BUFFER_KEYS),
        .offsets = part->arrays->offsets,
    };
    words_describe(problem, &compared.words);
    compared.words.arrays[0] = compared.bytes;
    for (uint32_t i = 0; i < problem->num_columns; ++i)
        compared.words.arrays[i] =
            host_part_of(problem, part, (enum buffer_role)(BUFFER_COLUMN + i));
    return compared;
}

/* Where the elements of a part come from, in sorted order, which holds only of those that are
 * wanted. There must be room for order_item_size() bytes an element in `items`. */
static void find_order(const struct problem *problem, const struct host_part *part, void *items,
                       uint32_t *order, uint32_t num_threads)
{
    const struct host_sorts *sorts = host_sorts_best();
    const uint32_t count = (uint32_t)problem->count;
    const void *keys = host_part_of(problem, part, BUFFER_KEYS);
    if (host_compare_takes(problem)) {
        const struct compared compared = compared_of(problem, part);
        host_compare_order(&compared, items, order);
        return;
    }
    struct order o = {problem, keys, items, (uint32_t)larger(ceil_log2(count), 1), order};
    if (!sorts->order) {
        struct host_pair *pairs = items;
        host_keys_read_bits(problem, keys, count, &pairs->x, sizeof *pairs / sizeof pairs->x);
        for (uint32_t i = 0; i < count; ++i)
            pairs[i].y = i;
        pairs = sorts->sort_pairs(pairs, pairs + count, count);
        for (uint32_t i = 0; i < count; ++i)
            order[i] = (uint32_t)pairs[i].y;
        return;
    }
    if (problem->num_bits + o.place_bits <= 64)
        find_by_joined(&o, sorts->vectors_64, num_threads);
    else
        find_by_parts(&o, sorts, o.numbers + count, num_threads);
}

/* Bytes of find_order()'s items for each element: two pairs, or two numbers. */
static size_t order_item_size(const struct problem *problem)
{
    const int are_numbers = host_sorts_best()->order && !host_compare_takes(problem);
    return 2 * (are_numbers ? sizeof(uint64_t) : sizeof(struct host_pair));
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
    if (size == 1)
        gather_sized(to, from, 1, order, count);
    else if (size == 2)
        gather_sized(to, from, 2, order, count);
    else if (size == 4)
        gather_sized(to, from, 4, order, count);
    else if (size == 8)
        gather_sized(to, from, 8, order, count);
    else if (size == 16)
        gather_sized(to, from, 16, order, count);
    else
        gather_sized(to, from, size, order, count);
}

/* Elements that move to their sorted positions. */
struct moves {
    const char *from;
    char *to, *copy;
    size_t size;
    const uint32_t *order;
};

static void gather_range(void *argument, size_t begin, size_t end)
{
    const struct moves *moves = argument;
    gather(moves->to + begin * moves->size, moves->from, moves->size, moves->order + begin,
           end - begin);
}

static void copy_range(void *argument, size_t begin, size_t end)
{
    const struct moves *moves = argument;
    memcpy(moves->copy + begin * moves->size, moves->to + begin * moves->size,
           (end - begin) * moves->size);
}

/* Moves the elements of one array to their sorted positions. In place, `copy` must have room for
 * them. */
static void move(const struct problem *problem, const uint32_t *order, void *from, void *to,
                 size_t size, void *copy, uint32_t num_threads)
{
    struct moves moves = {from, to, copy, size, order};
    if (to == from) {
        host_ranges_run(num_threads, (size_t)problem->count, copy_range, &moves);
        moves.from = copy;
    }
    host_ranges_run(num_threads,
                    (size_t)(problem->in_place ? problem->count : problem_limit(problem)),
                    gather_range, &moves);
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

/* Bytes of the largest of an element's parts. */
static size_t largest_size(const struct problem *problem)
{
    struct moved_array moved[MAX_MOVED_ARRAYS];
    const uint32_t num = problem_moved(problem, moved);
    size_t largest = 0;
    for (uint32_t i = 0; i < num; ++i)
        largest = moved[i].size > largest ? moved[i].size : largest;
    return largest;
}

/* Moves the keys and values of a part. */
static void move_all(const struct problem *problem, const struct host_part *part,
                     const uint32_t *order, void *copy, uint32_t num_threads)
{
    struct moved_array moved[MAX_MOVED_ARRAYS];
    if (problem->is_strings) {
        const struct compared compared = compared_of(problem, part);
        host_compare_move_strings(&compared, order, part->arrays->keys_out,
                                  part->arrays->offsets_out);
        return;
    }
    const uint32_t num = problem_moved(problem, moved);
    for (uint32_t i = 0; i < num; ++i)
        move(problem, order, host_part_of(problem, part, moved[i].from),
             host_part_of(problem, part, problem_out(problem, moved[i].from)), moved[i].size, copy,
             num_threads);
}

int host_sort_by_index(const struct problem *problem, const clsort_arrays *arrays, uint64_t first,
                       uint32_t num_threads)
{
    const uint32_t count = (uint32_t)problem->count;
    const int in_place = problem->in_place;
    const size_t copy_size = in_place && !problem->index_size ? largest_size(problem) : 0;
    const size_t items_size = order_item_size(problem), item_size = items_size + sizeof(uint32_t);
    if (copy_size > SIZE_MAX - item_size || count > SIZE_MAX / (item_size + copy_size))
        return 0;
    char *items = malloc(count * (item_size + copy_size));
    if (!items)
        return 0;
    uint32_t *sorted = (uint32_t *)(items + items_size * count);
    void *copy = sorted + count;
    for (uint64_t i = 0; i < problem->num_arrays; ++i) {
        const struct host_part part = {arrays, i, first};
        find_order(problem, &part, items, sorted, num_threads);
        const uint32_t *order = place(problem, sorted, (uint32_t *)items);
        if (problem->index_size)
            write_indices(problem, order, host_part_of(problem, &part, BUFFER_INDICES));
        if (!problem->index_size || !in_place)
            move_all(problem, &part, order, copy, num_threads);
    }
    free(items);
    return 1;
}
