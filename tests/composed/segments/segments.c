/* segments.c: one sort of segments on the device. The oracle sorts each segment by itself, element
 * by element, with what stands in oracle.h. */
#include "segments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/guard.h"
#include "support/oracle.h"

static const struct form {
    uint32_t value_size, index_size, out_of_place, offset_size;
} forms[num_segment_forms] = {
    {0, 0, 0, 4}, {4, 0, 0, 8},  {0, 4, 0, 4}, {8, 0, 1, 4}, {0, 0, 1, 8},
    {1, 0, 0, 4}, {12, 0, 0, 4}, {0, 8, 1, 8}, {5, 0, 1, 8},
};

enum { max_segments = 1 << 21 };

/* A length in the style of a shape; `i` counts the segments. */
static uint64_t length_of(uint32_t shape, uint64_t i, uint64_t count, rng *random)
{
    switch (shape) {
    case 0: /* any, up to 40, every second one empty */
        return i % 2 ? 0 : rng_below(random, 40);
    case 1: /* of one element */
        return 1;
    case 2: /* one for all */
        return count;
    case 3: /* a giant after a few */
        return i < 5 ? i : i == 5 ? count : 0;
    case 4: /* power law */
        return count / (1 + rng_below(random, count + 1));
    case 5: /* one length */
        return 33;
    case 6:
        return 100;
    case 7: /* around a sub-group */
        return 30 + rng_below(random, 5);
    case 8: /* rare ones between many empty */
        return i % 50 == 0 ? rng_below(random, 300) : 0;
    case shape_of_empties:
        return i % 65536 == 0 ? 40 : 0;
    case 9:
        return 1000 + rng_below(random, 100);
    default:
        return rng_below(random, 5000);
    }
}

uint64_t segments_make(const segments *s, uint64_t *offsets, uint64_t capacity)
{
    rng random = {s->seed};
    const uint64_t count = s->desc.count;
    /* Some leave out elements in front and at the end. */
    const uint64_t first = s->seed % 3 == 0 ? count / 10 : 0;
    const uint64_t end = s->seed % 5 == 0 ? count - count / 7 : count;
    uint64_t num = 0, at = first;
    offsets[0] = first;
    while (num + 2 < capacity && (at < end || (s->seed % 2 && num < 9))) {
        const uint64_t length = s->length ? s->length : length_of(s->shape, num, count, &random);
        at = length < end - at ? at + length : end;
        offsets[++num] = at;
    }
    return num;
}

static void fill_records(const segments *s, unsigned char *bytes)
{
    const segment_record *r = s->record;
    rng random = {s->seed + 77};
    data_bytes(bytes, s->desc.count * r->size, s->seed);
    for (uint64_t i = 0; i < s->desc.count; ++i) {
        bytes[i * r->size + r->key] = (unsigned char)rng_below(&random, r->values);
        if (r->second != r->size)
            bytes[i * r->size + r->second] = (unsigned char)rng_below(&random, r->values);
    }
}

/* The library's description of records, and the texts that it points to. */
struct description {
    clsort_record record, by_fields; /* the latter for the oracle, if the first is by a text */
    clsort_field fields[2];
    char declarations[80], less[200];
};

static void describe(const segment_record *r, struct description *d)
{
    *d = (struct description){.record = {.size = r->size}};
    d->fields[0] = (clsort_field){r->key, CLSORT_U8, CLSORT_ASCENDING};
    d->fields[1] = (clsort_field){r->second, CLSORT_U8, CLSORT_DESCENDING};
    d->by_fields = (clsort_record){.size = r->size,
                                   .num_fields = r->second == r->size ? 1 : 2,
                                   .fields = d->fields};
    if (!r->by_text) {
        d->record = d->by_fields;
        return;
    }
    snprintf(d->declarations, sizeof d->declarations, "typedef struct { uchar b[%u]; } bytes;",
             r->size);
    if (r->is_no_order)
        snprintf(d->less, sizeof d->less, "(a.b[%u] * 7 + b.b[%u] * 13) %% 3 < 2", r->key, r->key);
    else if (r->second == r->size)
        snprintf(d->less, sizeof d->less, "a.b[%u] < b.b[%u]", r->key, r->key);
    else
        snprintf(d->less, sizeof d->less,
                 "a.b[%u] < b.b[%u] | ((a.b[%u] == b.b[%u]) & (a.b[%u] > b.b[%u]))", r->key, r->key,
                 r->key, r->key, r->second, r->second);
    d->record.declarations = d->declarations;
    d->record.type = "bytes";
    d->record.less = d->less;
}

static uint32_t element_size(const segments *s)
{
    return s->record ? s->record->size : clsort_type_size(s->desc.type);
}

/* What a sort of these keys must give: where each element comes from. */
static void expect(const segments *s, void *keys, const uint64_t *offsets, uint64_t *order)
{
    struct description description;
    clsort_desc desc = s->desc;
    if (s->record) {
        describe(s->record, &description);
        desc.record = &description.by_fields;
    }
    for (uint64_t i = 0; i < desc.count; ++i)
        order[i] = i;
    for (uint64_t i = 0; i < desc.num_segments; ++i)
        if (offsets[i + 1] - offsets[i] > 1)
            oracle_order(offsets[i], offsets[i + 1] - offsets[i], oracle_compare_keys,
                         &(oracle_keys){&desc, &keys}, order + offsets[i]);
}

struct memory {
    guard keys, keys_out, values, values_out, indices, offsets;
};

static void fail_case(const segments *s, const char *what)
{
    fail_msg("%s: form %u, shape %u, length %llu, count %llu, segments %llu, type %s, size %u, "
             "seed %llu, bits %u-%u",
             what, s->form, s->shape, (unsigned long long)s->length,
             (unsigned long long)s->desc.count, (unsigned long long)s->desc.num_segments,
             s->record ? "records" : type_infos[s->desc.type].name, element_size(s),
             (unsigned long long)s->seed, s->desc.first_bit, s->desc.end_bit);
}

static const void *read_back(const segments *s, const fixture *fix, guard *g, int stays)
{
    if (!g->mem)
        return NULL;
    const void *bytes = guard_read(g, fix->queue);
    if (stays ? !guard_unchanged(g) : !guard_intact(g))
        fail_case(s, "written outside of the output");
    return bytes;
}

/* Elements of `size` bytes in the order; equal keys may have changed places unless it is stable. */
static void check_moved(const segments *s, const void *got, const void *from, uint32_t size,
                        const uint64_t *order, int is_exact)
{
    const uint64_t n = s->desc.count;
    unsigned char *wanted = test_alloc(n * size);
    oracle_gather(wanted, from, size, order, n);
    if (is_exact && memcmp(wanted, got, (size_t)(n * size)))
        fail_case(s, size == element_size(s) ? "wrong keys" : "wrong values");
    free(wanted);
}

/* Keys in order by the bits that are compared: others may have changed places with them. */
static void check_windows(const segments *s, const void *got, const void *from,
                          const uint64_t *order)
{
    const uint32_t size = element_size(s);
    for (uint64_t i = 0; i < s->desc.count; ++i)
        if (oracle_window(&s->desc, key_load(got, i, size)) !=
            oracle_window(&s->desc, key_load(from, order[i], size)))
            fail_case(s, "keys are out of order");
}

/* Elements of `size` bytes in no segment stay, or are copied. */
static void check_outside(const segments *s, const void *got, const void *from, uint32_t size,
                          const uint64_t *offsets)
{
    const size_t first = (size_t)(offsets[0] * size);
    const size_t end = (size_t)(offsets[s->desc.num_segments] * size);
    const size_t all = (size_t)(s->desc.count * size);
    if (memcmp(got, from, first) ||
        memcmp((const char *)got + end, (const char *)from + end, all - end))
        fail_case(s, "an element in no segment");
}

static void check_indices(const segments *s, const guard *g, const uint64_t *offsets,
                          const uint64_t *order)
{
    const uint32_t size = s->desc.index_size;
    for (uint64_t i = 0; i < s->desc.num_segments; ++i)
        for (uint64_t j = offsets[i]; j < offsets[i + 1]; ++j)
            if (key_load(g->back + g->offset, j, size) != order[j] - offsets[i])
                fail_case(s, "wrong index");
    const uint64_t first = offsets[0], end = offsets[s->desc.num_segments];
    for (uint64_t j = 0; j < s->desc.count; ++j)
        if ((j < first || j >= end) &&
            key_load(g->back + g->offset, j, size) != key_load(g->image + g->offset, j, size))
            fail_case(s, "an index outside of all segments was written");
}

/* Pairs: the multiset of (key, value) of each segment. */
static void check_pairs(const segments *s, const void *keys, const void *values,
                        const void *first_keys, const void *first_values, const uint64_t *offsets)
{
    const uint32_t k = element_size(s), v = s->desc.value_size;
    for (uint64_t i = 0; i < s->desc.num_segments; ++i) {
        const uint64_t at = offsets[i], n = offsets[i + 1] - at;
        const multiset got =
            multiset_of((const char *)keys + at * k, k, (const char *)values + at * v, v, n);
        const multiset had = multiset_of((const char *)first_keys + at * k, k,
                                         (const char *)first_values + at * v, v, n);
        if (!multiset_equal(got, had))
            fail_case(s, "pairs were torn apart");
    }
}

static void create(const fixture *fix, const segments *s, const void *offsets, const void *keys,
                   const void *values, struct memory *m)
{
    const uint64_t n = s->desc.count, seed = s->seed;
    const uint32_t k = element_size(s), v = s->desc.value_size;
    const uint64_t v_alignment = data_alignment(v, 8), k_alignment = data_alignment(k, 16);
    const int reads = s->desc.out_of_place || s->desc.index_size;
    guard_create(&m->keys, fix->context, reads ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE, keys, n * k,
                 k, k_alignment, seed + 1);
    guard_create(&m->offsets, fix->context, CL_MEM_READ_ONLY, offsets,
                 (s->desc.num_segments + 1) * s->desc.offset_size, s->desc.offset_size,
                 s->desc.offset_size, seed + 2);
    if (s->desc.out_of_place)
        guard_create(&m->keys_out, fix->context, CL_MEM_READ_WRITE, NULL, n * k, k, k_alignment,
                     seed + 3);
    if (v)
        guard_create(&m->values, fix->context, CL_MEM_READ_WRITE, values, n * v, v, v_alignment,
                     seed + 4);
    if (v && s->desc.out_of_place)
        guard_create(&m->values_out, fix->context, CL_MEM_READ_WRITE, NULL, n * v, v, v_alignment,
                     seed + 5);
    if (s->desc.index_size)
        guard_create(&m->indices, fix->context, CL_MEM_READ_WRITE, NULL, n * s->desc.index_size,
                     s->desc.index_size, s->desc.index_size, seed + 6);
}

static void enqueue(const fixture *fix, const segments *s, const struct memory *m)
{
    const clsort_buffers buffers = {.keys = guard_buffer(&m->keys),
                                    .offsets = guard_buffer(&m->offsets),
                                    .values = guard_buffer(&m->values),
                                    .keys_out = guard_buffer(&m->keys_out),
                                    .values_out = guard_buffer(&m->values_out),
                                    .indices = guard_buffer(&m->indices)};
    expect_status(fixture_enqueue(fix, &s->desc, &buffers), CLSORT_OK);
    expect_cl(clFinish(fix->queue));
}

static void check(const fixture *fix, const segments *s, struct memory *m, void *keys,
                  const void *values, const uint64_t *offsets)
{
    const clsort_desc *desc = &s->desc;
    const int stays = desc->out_of_place || desc->index_size;
    uint64_t *order = test_alloc((desc->count + 1) * sizeof *order);
    expect(s, keys, offsets, order);
    const void *in_place = read_back(s, fix, &m->keys, stays);
    const void *values_in_place = read_back(s, fix, &m->values, stays);
    const void *keys_out = read_back(s, fix, &m->keys_out, 0);
    const void *values_out = read_back(s, fix, &m->values_out, 0);
    const void *got = desc->out_of_place ? keys_out : in_place;
    const void *got_values = desc->out_of_place ? values_out : values_in_place;
    clsort_plan plan;
    expect_status(clsort_get_plan(fix->sorter, desc, &plan, NULL, 0), CLSORT_OK);
    const int has_order = !s->record || !s->record->is_no_order;
    const int is_stable = (desc->stable || plan.stable) && has_order;
    assert_true(plan.stable || !s->record);
    read_back(s, fix, &m->offsets, 1);
    if (desc->index_size) {
        read_back(s, fix, &m->indices, 0);
        if (has_order)
            check_indices(s, &m->indices, offsets, order);
    }
    if (desc->out_of_place || !desc->index_size) {
        check_moved(s, got, keys, element_size(s), order,
                    is_stable || (!desc->end_bit && has_order));
        check_outside(s, got, keys, element_size(s), offsets);
        if (!s->record)
            check_windows(s, got, keys, order);
        if (desc->value_size || !has_order) {
            check_moved(s, got_values, values, desc->value_size, order,
                        is_stable && desc->value_size);
            check_pairs(s, got, got_values, keys, values, offsets);
        }
        if (desc->value_size)
            check_outside(s, got_values, values, desc->value_size, offsets);
    }
    free(order);
}

void segments_run(const fixture *fix, segments *s)
{
    const struct form *form = &forms[s->form];
    uint64_t *offsets = test_alloc((max_segments + 1) * sizeof *offsets);
    s->desc.value_size = form->value_size;
    s->desc.index_size = form->index_size;
    s->desc.out_of_place = form->out_of_place;
    s->desc.offset_size = form->offset_size;
    s->desc.num_segments = segments_make(s, offsets, max_segments);
    const uint64_t n = s->desc.count;
    struct description description;
    if (s->record) {
        describe(s->record, &description);
        s->desc.record = &description.record;
    }
    void *keys = test_alloc(n * (s->record ? s->record->size : 8)),
         *values = test_alloc(n * s->desc.value_size);
    uint32_t *narrow = test_alloc((s->desc.num_segments + 1) * 4);
    for (uint64_t i = 0; i <= s->desc.num_segments; ++i)
        narrow[i] = (uint32_t)offsets[i];
    if (s->record)
        fill_records(s, keys);
    else
        data_fill(keys, s->desc.type, n, s->data, s->seed);
    data_bytes(values, n * s->desc.value_size, s->seed);
    struct memory m = {.keys = {0}};
    create(fix, s, form->offset_size == 4 ? (void *)narrow : (void *)offsets, keys, values, &m);
    enqueue(fix, s, &m);
    check(fix, s, &m, keys, values, offsets);
    guard *const guards[] = {&m.keys,       &m.keys_out, &m.values,
                             &m.values_out, &m.indices,  &m.offsets};
    for (size_t i = 0; i < sizeof guards / sizeof guards[0]; ++i)
        guard_free(guards[i]);
    free(offsets);
    free(narrow);
    free(keys);
    free(values);
}
