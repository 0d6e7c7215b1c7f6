/* host_sort.c: keys move with their values if these are one small array. Records, several values
 * and indices are sorted as copies of the keys with positions, and moved to their places then. */
#include "memory/device.h"

#include "io/bytes.h"
#include "numbers/key.h"
#include "cli/message.h"
#include "memory/parallel.h"

#include <stdlib.h>

enum {
    MOST_MEMORY = 32 << 20, /* that the library takes for the parts that are sorted at once */
    A_KEY = 16,             /* bytes of it: a key as a number, twice */
    A_PAIR = 48,            /* and of a key with a value: as clsort.h says, with a copy of either */
    SLICE = 1 << 16         /* elements that a thread numbers or moves */
};

static bool has_memory(uint64_t size)
{
    void *memory = size <= SIZE_MAX ? malloc((size_t)size) : NULL;
    free(memory);
    return memory != NULL;
}

/* Keys, and what moves with each of them: values, or positions. */
struct pairs {
    clsort_desc desc;         /* of a part */
    struct elements elements; /* keys */
    struct parallel_items lists[2];
    uint32_t num_lists;
};

static struct elements elements_of(const clsort_desc *desc)
{
    if (!desc->record)
        return elements_of_type(desc->type);
    const clsort_field *field = desc->record->fields;
    return (
        struct elements){.type = field->type, .size = desc->record->size, .offset = field->offset};
}

/* Whether positions are sorted with the keys. */
static bool is_by_position(const clsort_desc *desc)
{
    return desc->record || desc->num_values || desc->index_size;
}

static uint32_t position_size(const clsort_desc *desc)
{
    return desc->index_size ? desc->index_size : desc->count <= UINT32_MAX ? 4 : 8;
}

/* The largest element that moves to its place. */
static uint64_t largest_size(const clsort_desc *desc)
{
    uint64_t largest = desc->value_size;
    const uint32_t size = elements_of(desc).size;
    largest = largest < size ? size : largest;
    for (uint32_t i = 0; i < desc->num_values; i++)
        largest = largest < desc->value_sizes[i] ? desc->value_sizes[i] : largest;
    return largest;
}

/* Bytes of elements, whole cache lines. */
static uint64_t block_size(uint64_t count, uint64_t size)
{
    enum { LINE = 64 };
    return (count * size + LINE - 1) / LINE * LINE;
}

uint64_t host_sort_cost(const clsort_desc *desc)
{
    const uint64_t count = desc->count;
    const uint64_t keys = block_size(count, clsort_type_size(elements_of(desc).type));
    if (!is_by_position(desc))
        return keys + block_size(count, desc->value_size);
    const uint64_t positions = block_size(count, position_size(desc));
    const uint64_t sorting = 2 * keys + positions, moving = block_size(count, largest_size(desc));
    return desc->index_size ? sorting : positions + (sorting > moving ? sorting : moving);
}

bool host_sort_has_memory(const clsort_desc *desc)
{
    return has_memory(host_sort_cost(desc) + 2 * smaller(desc->count * A_PAIR, MOST_MEMORY));
}

/* The elements of a part: as many as the library's calling thread takes and has memory for, twice
 * so that it is there when it is needed. */
static uint64_t part_size(const clsort_desc *desc, uint64_t count)
{
    const uint64_t num_threads = parallel_threads();
    clsort_desc part = *desc;
    part.count = count;
    /* Two threads do not make up for the merge of keys alone. */
    if (num_threads <= 2 && !desc->value_size && clsort_sorts_on_host(NULL, &part))
        return (count + PARALLEL_STEP - 1) / PARALLEL_STEP * PARALLEL_STEP;
    part.count = PARALLEL_STEP;
    while (part.count * num_threads < count && part.count < UINT64_C(1) << 23)
        part.count *= 2;
    for (; part.count > PARALLEL_STEP; part.count /= 2) {
        const uint64_t memory = num_threads * part.count * (part.value_size ? A_PAIR : A_KEY);
        if (memory <= MOST_MEMORY && has_memory(2 * memory) && clsort_sorts_on_host(NULL, &part))
            break;
    }
    return part.count;
}

static void sort_part(void *context, const struct parallel_slice *part)
{
    const struct pairs *pairs = context;
    const uint64_t first = part->begin;
    clsort_desc desc = pairs->desc;
    desc.count = part->end - first;
    const struct parallel_items *keys = &pairs->lists[0], *values = &pairs->lists[1];
    const clsort_arrays arrays = {.keys = keys->items + first * keys->size,
                                  .values = desc.value_size ? values->items + first * values->size
                                                            : NULL};
    /* Without memory the library would look for a device. */
    const uint64_t memory = desc.count * (desc.value_size ? A_PAIR : A_KEY);
    if (!has_memory(memory))
        bytes_refuse(memory);
    device_check(clsort_sort(NULL, &desc, &arrays), NULL);
}

static int compare_keys(const void *a, const void *b, void *context)
{
    const struct pairs *pairs = context;
    const uint64_t left = element_rank(&pairs->elements, a, 0);
    const uint64_t right = element_rank(&pairs->elements, b, 0);
    const int order = (left > right) - (left < right);
    return pairs->desc.order == CLSORT_DESCENDING ? -order : order;
}

static char *take(uint64_t size)
{
    char *memory = size <= SIZE_MAX ? malloc((size_t)size) : NULL;
    if (!memory)
        bytes_refuse(size);
    return memory;
}

/* Keys, which may have one array of values, where they are. */
static void sort_in_place(const clsort_desc *desc, const clsort_arrays *arrays)
{
    const size_t key_size = clsort_type_size(desc->type), value_size = desc->value_size;
    struct pairs pairs = {.desc = *desc, .num_lists = value_size ? 2 : 1};
    char *spare = desc->count > PARALLEL_STEP ? take(host_sort_cost(desc)) : NULL;
    char *spare_values = spare ? spare + block_size(desc->count, key_size) : NULL;
    pairs.lists[0] = (struct parallel_items){arrays->keys, spare, key_size};
    pairs.lists[1] = (struct parallel_items){arrays->values, spare_values, value_size};
    pairs.elements = elements_of_type(desc->type);
    const uint64_t part = part_size(desc, desc->count);
    parallel_for(desc->count, part, sort_part, &pairs);
    parallel_merge(pairs.lists, pairs.num_lists, desc->count, part,
                   &(struct parallel_order){compare_keys, &pairs});
    if (pairs.lists[0].items == spare) {
        memcpy(arrays->keys, spare, (size_t)desc->count * key_size);
        if (value_size)
            memcpy(arrays->values, spare_values, (size_t)desc->count * value_size);
    }
    free(spare);
}

/* What threads that number keys, or move elements, share. */
struct moving {
    struct elements elements;
    const char *from;
    char *to;
    char *positions;
    size_t size, position_size; /* bytes of an element that is moved, and of a position */
    uint64_t count;
};

static void number_slice(void *context, const struct parallel_slice *slice)
{
    const struct moving *moving = context;
    for (uint64_t i = slice->begin; i < slice->end; i++) {
        key_store(moving->size, moving->to, i, element_load(&moving->elements, moving->from, i));
        key_store(moving->position_size, moving->positions, i, i);
    }
}

static void move_slice(void *context, const struct parallel_slice *slice)
{
    const struct moving *moving = context;
    for (uint64_t i = slice->begin; i < slice->end; i++) {
        const uint64_t from = key_load(moving->position_size, moving->positions, i);
        memcpy(moving->to + i * moving->size, moving->from + from * moving->size, moving->size);
    }
}

/* Moves the elements of an array to their places by way of `spare`. */
static void move_array(struct moving *moving, void *array, size_t size, char *spare)
{
    moving->from = array;
    moving->to = spare;
    moving->size = size;
    parallel_for(moving->count, SLICE, move_slice, moving);
    memcpy(array, spare, (size_t)moving->count * size);
}

/* Moves keys and values to where the sorted positions say. */
static void move_all(struct moving *moving, const clsort_desc *desc, const clsort_arrays *arrays)
{
    char *spare = take(block_size(desc->count, largest_size(desc)));
    move_array(moving, arrays->keys, moving->elements.size, spare);
    if (desc->value_size)
        move_array(moving, arrays->values, desc->value_size, spare);
    for (uint32_t i = 0; i < desc->num_values; i++)
        move_array(moving, arrays->values_list[i], desc->value_sizes[i], spare);
    free(spare);
}

/* Sorts copies of the keys with positions as their values. */
static void sort_by_position(const clsort_desc *desc, const clsort_arrays *arrays)
{
    const clsort_desc pairs = {.count = desc->count,
                               .type = elements_of(desc).type,
                               .order = desc->order,
                               .value_size = position_size(desc)};
    struct moving moving = {.elements = elements_of(desc),
                            .from = arrays->keys,
                            .positions = arrays->indices,
                            .size = clsort_type_size(pairs.type),
                            .position_size = pairs.value_size,
                            .count = desc->count};
    if (!desc->index_size)
        moving.positions = take(block_size(desc->count, pairs.value_size));
    char *keys = take(block_size(desc->count, moving.size));
    moving.to = keys;
    parallel_for(desc->count, SLICE, number_slice, &moving);
    sort_in_place(&pairs, &(clsort_arrays){.keys = keys, .values = moving.positions});
    free(keys);
    if (!desc->index_size) {
        move_all(&moving, desc, arrays);
        free(moving.positions);
    }
}

static void sort_array(const clsort_desc *desc, const clsort_arrays *arrays)
{
    if (desc->count > 0)
        (is_by_position(desc) ? sort_by_position : sort_in_place)(desc, arrays);
}

static char *element_at(void *array, uint64_t i, size_t size)
{
    return array ? (char *)array + i * size : NULL;
}

/* Segments; the few large ones are left to all threads, one after another. */
struct segmented {
    const clsort_desc *desc;
    const clsort_arrays *arrays;
    bool is_large;
};

static void sort_if_due(void *context, const struct parallel_slice *segment)
{
    enum { MOST = 16 };
    const struct segmented *segmented = context;
    const clsort_desc *desc = segmented->desc;
    const clsort_arrays *arrays = segmented->arrays;
    const uint64_t first = key_load(desc->offset_size, arrays->offsets, segment->begin);
    const uint64_t end = key_load(desc->offset_size, arrays->offsets, segment->end);
    if (first >= end || (end - first > PARALLEL_STEP) != segmented->is_large)
        return;
    void *values[MOST];
    clsort_desc part = *desc;
    part.count = end - first;
    part.offset_size = 0;
    part.num_segments = 0;
    for (uint32_t i = 0; i < desc->num_values && i < MOST; i++)
        values[i] = element_at(arrays->values_list[i], first, desc->value_sizes[i]);
    const clsort_arrays of_part = {.keys = element_at(arrays->keys, first, elements_of(desc).size),
                                   .values = element_at(arrays->values, first, desc->value_size),
                                   .values_list = desc->num_values ? values : NULL,
                                   .indices = element_at(arrays->indices, first, desc->index_size)};
    sort_array(&part, &of_part);
}

void host_sort(const clsort_desc *desc, const clsort_arrays *arrays)
{
    struct segmented segmented = {desc, arrays, false};
    if (!desc->offset_size) {
        sort_array(desc, arrays);
        return;
    }
    parallel_for(desc->num_segments, 1, sort_if_due, &segmented);
    segmented.is_large = true;
    parallel_for_by(1, desc->num_segments, 1, sort_if_due, &segmented);
}
