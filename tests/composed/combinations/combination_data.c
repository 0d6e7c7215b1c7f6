/* combination_data.c: draws the data of a description: any elements, or those that an operation
 * needs to be in order. */
#include "combination.h"

#include <stdlib.h>
#include <string.h>

#include "composed/order.h"

/* ---- Comparing ---- */
static int compare_strings(const combination *c, const unsigned char *bytes, uint64_t i, uint64_t j)
{
    const uint32_t size = c->strings.offset_size;
    const unsigned char *offsets = c->places[PLACE_OFFSETS].before;
    const uint64_t x = size ? key_load(offsets, i, size) : i * c->strings.width;
    const uint64_t y = size ? key_load(offsets, j, size) : j * c->strings.width;
    const uint64_t m = size ? key_load(offsets, i + 1, size) - x : c->strings.width;
    const uint64_t n = size ? key_load(offsets, j + 1, size) - y : c->strings.width;
    const int result = memcmp(bytes + x, bytes + y, m < n ? m : n);
    return result ? result : (m > n) - (m < n);
}

int combination_compare(const combination *c, unsigned char *const *a, uint64_t i,
                        unsigned char *const *b, uint64_t j)
{
    const clsort_desc *desc = &c->desc;
    if (desc->num_columns)
        return oracle_compare_elements(desc, (void *const *)a, i, (void *const *)b, j);
    if (!desc->strings) {
        const order o = {"", *desc};
        return order_compare(&o, order_key(&o, a[0], i), order_key(&o, b[0], j));
    }
    const int result = compare_strings(c, a[0], i, j);
    return desc->order == CLSORT_DESCENDING ? -result : result;
}

/* The keys' bytes: of the source, or of queries. */
void combination_keys(const combination *c, enum place keys, enum place columns,
                      unsigned char *keys_ret[LISTED])
{
    for (int k = 0; k < LISTED; ++k)
        keys_ret[k] = c->desc.num_columns ? c->places[columns + k].before : c->places[keys].before;
}

/* The stable order of the elements begin to begin + size. */
void combination_order(const combination *c, uint64_t begin, uint64_t size, uint64_t *indices)
{
    unsigned char *keys[LISTED];
    combination_keys(c, PLACE_KEYS, PLACE_COLUMNS, keys);
    for (uint64_t i = 0; i < size; ++i) {
        uint64_t at = i;
        for (; at > 0 && combination_compare(c, keys, begin + i, keys, indices[at - 1]) < 0; --at)
            indices[at] = indices[at - 1];
        indices[at] = begin + i;
    }
}

/* ---- The data ---- */
placed *combination_make(combination *c, int place, uint32_t element, uint64_t num)
{
    placed *p = &c->places[place];
    *p = (placed){element, num, test_alloc(element * num), test_alloc(element * num)};
    data_bytes(p->before, element * num, seed_mix(c->seed, (uint64_t)place));
    return p;
}

static void fill(combination *c, int place, clsort_type type, uint64_t num)
{
    static const data_kind kinds[] = {DATA_SPRINKLED, DATA_FEW, DATA_TWO}; /* rows are equal, too */
    placed *p = combination_make(c, place, type_infos[type].size, num);
    data_fill(p->before, type, num, kinds[c->seed % 3], seed_mix(c->seed, type));
}

/* Keys of any kind but strings. */
void combination_make_keys(combination *c, enum place keys, enum place columns, uint64_t num)
{
    const clsort_desc *desc = &c->desc;
    rng r = {seed_mix(c->seed, (uint64_t)keys)};
    for (uint32_t k = 0; k < desc->num_columns; ++k)
        fill(c, (int)columns + (int)k, desc->columns[k].type, num);
    if (desc->num_columns)
        return;
    if (!desc->record) {
        fill(c, keys, desc->type, num);
        return;
    }
    placed *p = combination_make(c, keys, desc->record->size, num);
    for (uint64_t i = 0; i < num * p->element; ++i)
        p->before[i] = (unsigned char)rng_below(&r, c->seed % 3 ? 3 : 256);
}

static void make_strings(combination *c)
{
    const clsort_strings *strings = &c->strings;
    rng r = {c->seed};
    placed *p = combination_make(c, PLACE_KEYS, 1, strings->num_bytes);
    for (uint64_t i = 0; i < p->num; ++i)
        p->before[i] = (unsigned char)('a' + rng_below(&r, 2));
    if (!strings->offset_size)
        return;
    p = combination_make(c, PLACE_OFFSETS, strings->offset_size, c->desc.count + 1);
    uint64_t at = 0;
    for (uint64_t i = 0; i <= c->desc.count; ++i) {
        key_store(p->before, i, p->element, at);
        if (i < c->desc.count)
            at += rng_below(&r, strings->num_bytes / (c->desc.count + 1) + 1);
    }
}

/* Offsets in order, with gaps in front and at the end. */
static void make_segments(combination *c)
{
    const uint64_t num = c->desc.num_segments, count = c->desc.count;
    uint64_t offsets[MAX_GROUPS + 1];
    rng r = {c->seed};
    for (uint64_t i = 0; i <= num; ++i) {
        uint64_t at = i;
        const uint64_t offset = rng_below(&r, count + 1);
        for (; at > 0 && offsets[at - 1] > offset; --at)
            offsets[at] = offsets[at - 1];
        offsets[at] = offset;
    }
    placed *p = combination_make(c, PLACE_OFFSETS, c->desc.offset_size, num ? num + 1 : 0);
    for (uint64_t i = 0; i < p->num; ++i)
        key_store(p->before, i, p->element, offsets[i]);
    for (uint64_t i = 0; i < num; ++i)
        c->groups[c->num_groups++] = (group){offsets[i], offsets[i + 1] - offsets[i]};
}

static void make_sources(combination *c)
{
    const clsort_desc *desc = &c->desc;
    if (desc->strings)
        make_strings(c);
    else
        combination_make_keys(c, PLACE_KEYS, PLACE_COLUMNS, c->n);
    if (desc->value_size)
        combination_make(c, PLACE_VALUES, desc->value_size, c->n);
    for (uint32_t i = 0; i < desc->num_values; ++i)
        combination_make(c, PLACE_LIST + (int)i, desc->value_sizes[i], c->n);
    if (desc->offset_size && desc->operation == CLSORT_OPERATION_SORT)
        make_segments(c);
    else
        for (uint64_t i = 0; i < combination_arrays(c); ++i)
            c->groups[c->num_groups++] = (group){i * desc->count, desc->count};
}

/* The place to which one that moves is moved out of place; or NUM_PLACES. */
int combination_out(int place)
{
    if (place == PLACE_KEYS)
        return PLACE_KEYS_OUT;
    if (place >= PLACE_COLUMNS && place < PLACE_VALUES)
        return place - PLACE_COLUMNS + PLACE_COLUMNS_OUT;
    if (place == PLACE_VALUES)
        return PLACE_VALUES_OUT;
    if (place >= PLACE_LIST && place < PLACE_OFFSETS)
        return place - PLACE_LIST + PLACE_LIST_OUT;
    return NUM_PLACES;
}

/* Puts elements in order before the call: two ranges, or all. */
static void prepare(combination *c)
{
    const clsort_operation operation = c->desc.operation;
    rng r = {c->seed};
    if (operation == CLSORT_OPERATION_SORT || operation == CLSORT_OPERATION_GATHER)
        return;
    const uint64_t first = operation == CLSORT_OPERATION_MERGE ? c->desc.first_count : 0;
    for (uint32_t i = 0; i < c->num_groups; ++i) {
        const group *g = &c->groups[i];
        combination_order(c, g->begin, first, c->order + g->begin);
        combination_order(c, g->begin + first, g->size - first, c->order + g->begin + first);
        const int is_broken = operation == CLSORT_OPERATION_CHECK && g->size && rng_below(&r, 3);
        if (is_broken)
            c->order[g->begin + rng_below(&r, g->size)] = g->begin;
    }
    for (int place = PLACE_KEYS; place < PLACE_VALUES; ++place) {
        placed *p = &c->places[place];
        for (uint64_t i = 0; i < c->n && p->element; ++i)
            memcpy(p->after + i * p->element, p->before + c->order[i] * p->element, p->element);
        if (p->element)
            memcpy(p->before, p->after, p->num * p->element);
    }
}

void combination_sources(combination *c)
{
    c->order = test_alloc((c->n + 1) * sizeof *c->order);
    make_sources(c);
    prepare(c);
}
