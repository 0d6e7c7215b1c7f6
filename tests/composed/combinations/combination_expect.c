/* combination_expect.c: computes what must come of a description, element by element. */
#include "combination.h"

#include <stdlib.h>
#include <string.h>

#include "support/oracle.h"

static int has_places(const combination *c)
{
    return c->desc.skip || c->desc.limit;
}

/* Places of the outputs for each array or segment. */
static uint64_t stride(const combination *c)
{
    return c->desc.limit ? c->desc.limit : c->desc.count - c->desc.skip;
}

/* Elements of the outputs of a sort. */
static uint64_t num_out(const combination *c)
{
    if (!c->desc.offset_size)
        return combination_arrays(c) * stride(c);
    return c->desc.limit && c->n ? c->desc.num_segments * c->desc.limit : c->n;
}

/* How many elements of a group are wanted, and where they go. */
static uint64_t num_wanted(const combination *c, const group *g)
{
    const uint64_t rest = g->size > c->desc.skip ? g->size - c->desc.skip : 0;
    return c->desc.limit && c->desc.limit < rest ? c->desc.limit : rest;
}

static uint64_t target(const combination *c, uint32_t number)
{
    const int has_segments = c->desc.offset_size != 0;
    return has_segments && !c->desc.limit ? c->groups[number].begin : number * stride(c);
}

static void copy_element(placed *to, uint64_t at, const placed *from, uint64_t index)
{
    memcpy(to->after + at * to->element, from->before + index * from->element, from->element);
}

/* ---- What must come of it ---- */
/* The outputs of what moves, `num` elements each: of keys, and of values. Call it last. */
static void make_outputs(combination *c, uint64_t num, int with_keys, int with_values)
{
    for (int place = 0; place < PLACE_OFFSETS; ++place) {
        const int out = combination_out(place);
        const int has_out = place < PLACE_VALUES ? with_keys : with_values;
        if (out < NUM_PLACES && c->places[place].element && has_out)
            combination_make(c, out, c->places[place].element, num);
    }
    for (int place = 0; place < NUM_PLACES; ++place) {
        placed *p = &c->places[place];
        if (p->element)
            memcpy(p->after, p->before, p->num * p->element);
    }
}

static void move(combination *c, uint64_t to, uint64_t from)
{
    for (int place = 0; place < NUM_PLACES; ++place) {
        const int out = combination_out(place);
        if (out == NUM_PLACES || !c->places[place].element)
            continue;
        const int is_out = c->desc.out_of_place || c->desc.operation != CLSORT_OPERATION_SORT;
        if (!is_out || c->places[out].element)
            copy_element(&c->places[is_out ? out : place], to, &c->places[place], from);
    }
}

static void expect_strings(combination *c)
{
    const uint32_t size = c->strings.offset_size;
    const unsigned char *offsets = c->places[PLACE_OFFSETS].before;
    if (c->desc.out_of_place) {
        combination_make(c, PLACE_KEYS_OUT, 1, c->strings.num_bytes);
        if (size)
            combination_make(c, PLACE_OFFSETS_OUT, size, c->desc.count + 1);
    }
    make_outputs(c, 0, 0, 0);
    placed *bytes = &c->places[PLACE_KEYS_OUT], *ends = &c->places[PLACE_OFFSETS_OUT];
    uint64_t at = 0;
    for (uint64_t i = 0; i < c->n && c->desc.out_of_place; ++i) {
        const uint64_t from = c->order[i];
        const uint64_t begin = size ? key_load(offsets, from, size) : from * c->strings.width;
        const uint64_t length = size ? key_load(offsets, from + 1, size) - begin : c->strings.width;
        memcpy(bytes->after + at, c->places[PLACE_KEYS].before + begin, length);
        at += length;
        if (size && i == 0)
            key_store(ends->after, 0, size, 0);
        if (size)
            key_store(ends->after, i + 1, size, at);
    }
}

static void expect_sort(combination *c, int is_stable)
{
    const clsort_desc *desc = &c->desc;
    const int moves = desc->out_of_place || !desc->index_size;
    if (desc->index_size)
        combination_make(c, PLACE_INDICES, desc->index_size, num_out(c));
    if (!desc->strings)
        make_outputs(c, num_out(c), desc->out_of_place != 0, desc->out_of_place != 0);
    for (uint32_t i = 0; i < c->num_groups; ++i) {
        const group *g = &c->groups[i];
        combination_order(c, g->begin, g->size, c->order + g->begin);
    }
    if (desc->strings)
        expect_strings(c);
    else if (desc->offset_size && !has_places(c) && desc->out_of_place)
        for (uint64_t i = 0; i < c->n; ++i) /* elements in no segment are copied */
            move(c, i, i);
    for (uint32_t i = 0; i < c->num_groups; ++i) {
        const group *g = &c->groups[i];
        for (uint64_t k = 0; k < num_wanted(c, g); ++k) {
            const uint64_t from = c->order[g->begin + desc->skip + k];
            const uint64_t to = target(c, i) + k;
            if (desc->index_size)
                key_store(c->places[PLACE_INDICES].after, to, desc->index_size, from - g->begin);
            if (moves && !desc->strings)
                move(c, desc->out_of_place ? to : g->begin + k, from);
        }
    }
    c->is_exact = is_stable || has_places(c);
    c->by_rows = moves && !desc->strings &&
                 (has_places(c) ? !desc->out_of_place : !is_stable && !desc->index_size);
}

static void expect_merge(combination *c)
{
    const uint32_t size = c->desc.index_size;
    if (size)
        combination_make(c, PLACE_INDICES, size, c->n);
    make_outputs(c, c->n, 1, 1);
    for (uint32_t i = 0; i < c->num_groups; ++i)
        combination_order(c, c->groups[i].begin, c->groups[i].size, c->order + c->groups[i].begin);
    for (uint64_t i = 0; i < c->n; ++i) {
        move(c, i, c->order[i]);
        if (size)
            key_store(c->places[PLACE_INDICES].after, i, size, c->order[i] % c->desc.count);
    }
}

static void expect_gather(combination *c)
{
    const uint32_t size = c->desc.index_size;
    rng r = {c->seed};
    placed *indices = combination_make(c, PLACE_INDICES, size, c->n);
    for (uint64_t i = 0; i < c->n; ++i)
        key_store(indices->before, i, size, rng_below(&r, c->desc.count + 2));
    make_outputs(c, c->n, 1, 1);
    for (uint64_t i = 0; i < c->n; ++i) {
        const uint64_t index = key_load(indices->before, i, size);
        if (index < c->desc.count)
            move(c, i, i / c->desc.count * c->desc.count + index);
    }
}

/* CHECK and RUNS. */
static void expect_result(combination *c)
{
    const int is_runs = c->desc.operation == CLSORT_OPERATION_RUNS;
    const uint64_t count = c->desc.count;
    const uint32_t size = c->desc.offset_size;
    unsigned char *keys[LISTED];
    combination_keys(c, PLACE_KEYS, PLACE_COLUMNS, keys);
    combination_make(c, PLACE_RESULT, 8, combination_arrays(c));
    if (size)
        combination_make(c, PLACE_OFFSETS_OUT, size, combination_arrays(c) * (count + 1));
    make_outputs(c, c->n, is_runs, 0);
    for (uint64_t a = 0; a < combination_arrays(c); ++a) {
        uint64_t num = 0, descent = count;
        for (uint64_t i = 0; i < count; ++i) {
            const uint64_t at = a * count + i;
            const int result = i ? combination_compare(c, keys, at, keys, at - 1) : 1;
            descent = result < 0 && descent == count ? i : descent;
            if (!is_runs || !result)
                continue;
            move(c, a * count + num, at);
            if (size)
                key_store(c->places[PLACE_OFFSETS_OUT].after, a * (count + 1) + num, size, i);
            ++num;
        }
        if (size)
            key_store(c->places[PLACE_OFFSETS_OUT].after, a * (count + 1) + num, size, count);
        key_store(c->places[PLACE_RESULT].after, a, 8, is_runs ? num : descent);
    }
}

static void expect_search(combination *c)
{
    const uint64_t num = c->desc.num_queries, count = c->desc.count;
    const uint32_t size = c->desc.index_size;
    unsigned char *keys[LISTED], *queries[LISTED];
    rng r = {c->seed};
    combination_make_keys(c, PLACE_QUERIES, PLACE_QUERY_COLUMNS, num * combination_arrays(c));
    combination_keys(c, PLACE_KEYS, PLACE_COLUMNS, keys);
    combination_keys(c, PLACE_QUERIES, PLACE_QUERY_COLUMNS, queries);
    for (uint64_t i = 0; i < num * combination_arrays(c); ++i) { /* some are keys that there are */
        const uint64_t from = rng_below(&r, c->n);
        for (int k = 0; k < LISTED && c->n && from % 2; ++k) {
            const placed *p = &c->places[c->desc.num_columns ? PLACE_COLUMNS + k : PLACE_KEYS];
            if (p->element)
                memcpy(queries[k] + i * p->element, p->before + from * p->element, p->element);
        }
    }
    combination_make(c, PLACE_LOWER, size, num * combination_arrays(c));
    combination_make(c, PLACE_UPPER, size, num * combination_arrays(c));
    make_outputs(c, 0, 0, 0);
    for (uint64_t i = 0; i < num * combination_arrays(c); ++i) {
        uint64_t lower = 0, upper = 0;
        for (uint64_t j = i / num * count; j < (i / num + 1) * count; ++j) {
            const int result = combination_compare(c, keys, j, queries, i);
            lower += result < 0;
            upper += result <= 0;
        }
        key_store(c->places[PLACE_LOWER].after, i, size, lower);
        key_store(c->places[PLACE_UPPER].after, i, size, upper);
    }
    if (c->seed % 4 == 0)
        c->places[c->seed % 8 ? PLACE_LOWER : PLACE_UPPER].element = 0;
}

void combination_expect(combination *c, int is_stable)
{
    combination_sources(c);
    switch (c->desc.operation) {
    case CLSORT_OPERATION_SORT:
        expect_sort(c, is_stable);
        break;
    case CLSORT_OPERATION_MERGE:
        expect_merge(c);
        break;
    case CLSORT_OPERATION_GATHER:
        expect_gather(c);
        break;
    case CLSORT_OPERATION_SEARCH:
        expect_search(c);
        break;
    default:
        expect_result(c);
        break;
    }
}

void combination_free(combination *c)
{
    for (int place = 0; place < NUM_PLACES; ++place) {
        free(c->places[place].before);
        free(c->places[place].after);
    }
    free(c->order);
}

/* ---- Results that may differ ---- */
static multiset rows_of(const combination *c, unsigned char *const *bytes, const group *g)
{
    multiset set = {0, 0};
    unsigned char row[128];
    for (uint64_t i = g->begin; i < g->begin + g->size; ++i) {
        uint32_t size = 0;
        for (int place = PLACE_KEYS; place < PLACE_OFFSETS; ++place) {
            const uint32_t element = c->places[place].element;
            memcpy(row + size, bytes[place] ? bytes[place] + i * element : row, element);
            size += element;
        }
        const multiset one = multiset_of(row, size, NULL, 0, 1);
        set.sum += one.sum;
        set.xored ^= one.xored;
    }
    return set;
}

/* Whether an element that is in no group has changed. */
static int has_moved(const combination *c, unsigned char *const *from, unsigned char *const *to)
{
    for (uint64_t i = 0; i < c->n; ++i) {
        int is_inside = 0;
        for (uint32_t k = 0; k < c->num_groups; ++k)
            is_inside |= i - c->groups[k].begin < c->groups[k].size;
        for (int place = 0; place < PLACE_OFFSETS && !is_inside; ++place) {
            const uint32_t size = c->places[place].element;
            if (size && memcmp(to[place] + i * size, from[place] + i * size, size))
                return 1;
        }
    }
    return 0;
}

const char *combination_check_rows(const combination *c, unsigned char *const *got)
{
    unsigned char *from[PLACE_OFFSETS], *to[PLACE_OFFSETS], *keys[LISTED], *sorted[LISTED];
    const int keys_at = c->desc.num_columns ? PLACE_COLUMNS : PLACE_KEYS;
    for (int place = 0; place < PLACE_OFFSETS; ++place) {
        from[place] = c->places[place].before;
        to[place] = got[c->desc.out_of_place ? combination_out(place) : place];
    }
    for (int k = 0; k < LISTED; ++k) {
        keys[k] = from[c->desc.num_columns ? keys_at + k : keys_at];
        sorted[k] = to[c->desc.num_columns ? keys_at + k : keys_at];
    }
    for (uint32_t i = 0; i < c->num_groups; ++i) {
        const group *g = &c->groups[i];
        for (uint64_t k = 0; k < num_wanted(c, g); ++k) {
            const uint64_t right = c->order[g->begin + c->desc.skip + k];
            if (combination_compare(c, sorted, g->begin + k, keys, right))
                return "a wrong key";
            for (int place = 0; place < PLACE_OFFSETS && c->is_exact; ++place) {
                const uint32_t size = c->places[place].element;
                if (size &&
                    memcmp(to[place] + (g->begin + k) * size, from[place] + right * size, size))
                    return "a wrong element";
            }
        }
        if (!multiset_equal(rows_of(c, from, g), rows_of(c, to, g)))
            return "no permutation";
    }
    return has_moved(c, from, to) ? "an element in no segment" : NULL;
}
