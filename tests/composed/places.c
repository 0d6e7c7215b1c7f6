#include "places.h"

#include <stdlib.h>
#include <string.h>

#include "support/guard.h"
#include "support/oracle.h"
#include "support/sample.h"

enum { RECORD_SIZE = 12, MAX_ROLES = 4 };

static const clsort_field fields[] = {{4, CLSORT_F32, CLSORT_DESCENDING},
                                      {1, CLSORT_U8, CLSORT_ASCENDING}};
static const clsort_record record = {.size = RECORD_SIZE, .num_fields = 2, .fields = fields};
static const clsort_column columns[] = {{CLSORT_I16, CLSORT_ASCENDING},
                                        {CLSORT_F32, CLSORT_DESCENDING}};

/* Something that moves: keys, a column or values. */
typedef struct part {
    const char *name;
    uint32_t size; /* bytes of an element */
    unsigned char *from;
    guard in, out;
} part;

typedef struct running {
    const fixture *fix;
    const places_case *c;
    clsort_desc desc;
    uint64_t num_arrays, limit, n;
    part parts[MAX_ROLES];
    uint32_t num_parts, num_keys; /* parts that are keys or columns */
    uint64_t *order;              /* of each array */
    guard indices;
} running;

static void fail_case(const running *r, const char *what, uint64_t at)
{
    print_error("%s at %llu\n  %s, skip %llu, limit %llu, kind %d\n  data: %s, seed %llu\n", what,
                (unsigned long long)at, desc_text(&r->desc), (unsigned long long)r->desc.skip,
                (unsigned long long)r->desc.limit, (int)r->c->kind, data_names[r->c->data],
                (unsigned long long)r->fix->seed);
    fail();
}

/* ---- The oracle ---- */
static void find_order(running *r)
{
    void *const arrays[] = {r->parts[0].from, r->parts[1].from};
    r->order = test_alloc(r->n * sizeof *r->order);
    for (uint64_t first = 0; first < r->n; first += r->desc.count)
        oracle_order(first, r->desc.count, oracle_compare_keys, &(oracle_keys){&r->desc, arrays},
                     r->order + first);
}

/* ---- The elements ---- */
static part *add_part(running *r, const char *name, uint32_t size)
{
    part *p = &r->parts[r->num_parts++];
    *p = (part){.name = name, .size = size, .from = test_alloc(r->n * size)};
    return p;
}

static void fill_arrays(const running *r, unsigned char *to, clsort_type type, data_kind data,
                        uint64_t seed)
{
    for (uint64_t a = 0; a < r->num_arrays; ++a)
        data_fill(to + a * r->desc.count * type_infos[type].size, type, r->desc.count, data,
                  seed_mix(seed, a));
}

static void make_elements(running *r)
{
    const clsort_desc *desc = &r->desc;
    const uint64_t seed = seed_mix(r->fix->seed, desc->count + desc->skip + desc->limit);
    if (r->c->kind == PLACES_RECORDS) {
        float *scores = test_alloc(r->n * sizeof *scores);
        unsigned char *records = add_part(r, "keys", RECORD_SIZE)->from;
        fill_arrays(r, (unsigned char *)scores, CLSORT_F32, r->c->data, seed);
        data_bytes(records, r->n * RECORD_SIZE, seed_mix(seed, 1));
        for (uint64_t i = 0; i < r->n; ++i) {
            memcpy(records + i * RECORD_SIZE + 4, &scores[i], 4);
            records[i * RECORD_SIZE + 1] &= 3;
        }
        free(scores);
        r->desc.record = &record;
    } else if (r->c->kind == PLACES_COLUMNS) {
        fill_arrays(r, add_part(r, "columns[0]", 2)->from, CLSORT_I16, DATA_FEW, seed);
        fill_arrays(r, add_part(r, "columns[1]", 4)->from, CLSORT_F32, r->c->data, seed + 1);
        r->desc.num_columns = 2;
        r->desc.columns = columns;
    } else {
        fill_arrays(r, add_part(r, "keys", type_infos[desc->type].size)->from, desc->type,
                    r->c->data, seed);
    }
    r->num_keys = r->num_parts;
    if (desc->value_size)
        data_bytes(add_part(r, "values", desc->value_size)->from, r->n * desc->value_size,
                   seed_mix(seed, 2));
}

/* ---- The result ---- */
/* An element by which a permutation is checked: all its parts, one behind another. */
static multiset multiset_of_parts(const running *r, const unsigned char *const *bytes, uint64_t a)
{
    multiset set = {0, 0};
    unsigned char element[64];
    for (uint64_t i = a * r->desc.count; i < (a + 1) * r->desc.count; ++i) {
        uint32_t size = 0;
        for (uint32_t j = 0; j < r->num_parts; ++j) {
            memcpy(element + size, bytes[j] + i * r->parts[j].size, r->parts[j].size);
            size += r->parts[j].size;
        }
        const multiset one = multiset_of(element, size, NULL, 0, 1);
        set.sum += one.sum;
        set.xored ^= one.xored;
    }
    return set;
}

/* bytes: of each part; in place, all elements, else those that are wanted. */
static void check_parts(const running *r, const unsigned char *const *bytes)
{
    const uint64_t count = r->desc.count;
    const uint64_t stride = r->desc.out_of_place ? r->limit : count;
    for (uint32_t j = 0; j < r->num_parts; ++j) {
        const uint32_t size = r->parts[j].size;
        for (uint64_t i = 0; i < r->num_arrays * r->limit; ++i) {
            const uint64_t a = i / r->limit, place = i % r->limit;
            const uint64_t index = r->order[a * count + r->desc.skip + place];
            if (memcmp(bytes[j] + (a * stride + place) * size, r->parts[j].from + index * size,
                       size))
                fail_case(r, r->parts[j].name, i);
        }
    }
    const unsigned char *before[MAX_ROLES];
    for (uint32_t j = 0; j < r->num_parts; ++j)
        before[j] = r->parts[j].from;
    for (uint64_t a = 0; a < r->num_arrays && !r->desc.out_of_place; ++a) {
        if (!multiset_equal(multiset_of_parts(r, before, a), multiset_of_parts(r, bytes, a)))
            fail_case(r, "no permutation", a);
    }
}

static void check_indices(const running *r, const void *indices)
{
    for (uint64_t i = 0; i < r->num_arrays * r->limit; ++i) {
        const uint64_t first = i / r->limit * r->desc.count;
        const uint64_t expected = r->order[first + r->desc.skip + i % r->limit];
        if (key_load(indices, i, r->desc.index_size) != expected - first)
            fail_case(r, "indices", i);
    }
}

/* ---- On the device ---- */
static void create_guards(running *r)
{
    const int keeps = r->desc.out_of_place || r->desc.index_size;
    const uint64_t wanted = r->num_arrays * r->limit;
    for (uint32_t j = 0; j < r->num_parts; ++j) {
        part *p = &r->parts[j];
        const uint64_t alignment = data_alignment(p->size, 8);
        guard_create(&p->in, r->fix->context, keeps ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE, p->from,
                     r->n * p->size, p->size, alignment, j + 1);
        if (r->desc.out_of_place)
            guard_create(&p->out, r->fix->context, CL_MEM_READ_WRITE, NULL, wanted * p->size,
                         p->size, alignment, j + 11);
    }
    if (r->desc.index_size)
        guard_create(&r->indices, r->fix->context, CL_MEM_READ_WRITE, NULL,
                     wanted * r->desc.index_size, r->desc.index_size, r->desc.index_size, 21);
}

static void enqueue(running *r)
{
    clsort_buffer in[2] = {{0}}, out[2] = {{0}};
    clsort_buffers buffers = {.indices = guard_buffer(&r->indices)};
    for (uint32_t j = 0; j < r->num_keys; ++j) {
        in[j] = guard_buffer(&r->parts[j].in);
        out[j] = guard_buffer(&r->parts[j].out);
    }
    if (r->c->kind == PLACES_COLUMNS) {
        buffers.columns = in;
        buffers.columns_out = r->desc.out_of_place ? out : NULL;
    } else {
        buffers.keys = in[0];
        buffers.keys_out = out[0];
    }
    if (r->desc.value_size) {
        buffers.values = guard_buffer(&r->parts[r->num_keys].in);
        buffers.values_out = guard_buffer(&r->parts[r->num_keys].out);
    }
    expect_status(fixture_enqueue(r->fix, &r->desc, &buffers), CLSORT_OK);
}

static void check_device(running *r)
{
    const unsigned char *bytes[MAX_ROLES];
    const int keeps = r->desc.out_of_place || r->desc.index_size;
    for (uint32_t j = 0; j < r->num_parts; ++j) {
        part *p = &r->parts[j];
        bytes[j] = guard_read(&p->in, r->fix->queue);
        if (!guard_intact(&p->in) || (keeps && !guard_unchanged(&p->in)))
            fail_case(r, "bytes of a source were written", j);
        if (r->desc.out_of_place)
            bytes[j] = guard_read(&p->out, r->fix->queue);
        if (r->desc.out_of_place && !guard_intact(&p->out))
            fail_case(r, "bytes around an output were written", j);
    }
    if (r->desc.out_of_place || !r->desc.index_size)
        check_parts(r, bytes);
    if (r->desc.index_size) {
        check_indices(r, guard_read(&r->indices, r->fix->queue));
        if (!guard_intact(&r->indices))
            fail_case(r, "bytes around the indices were written", 0);
    }
}

/* ---- Of the host ---- */
static void check_host(running *r)
{
    const uint64_t wanted = r->num_arrays * r->limit;
    const int keeps = r->desc.out_of_place || r->desc.index_size;
    unsigned char *in[MAX_ROLES] = {NULL}, *out[MAX_ROLES] = {NULL};
    void *indices = test_alloc(wanted * r->desc.index_size);
    for (uint32_t j = 0; j < r->num_parts; ++j) {
        in[j] = test_alloc(r->n * r->parts[j].size);
        memcpy(in[j], r->parts[j].from, (size_t)(r->n * r->parts[j].size));
        out[j] = test_alloc(wanted * r->parts[j].size);
    }
    clsort_arrays arrays = {.indices = r->desc.index_size ? indices : NULL};
    const int is_out = r->desc.out_of_place != 0;
    if (r->c->kind == PLACES_COLUMNS) {
        arrays.columns = (void *const *)in;
        arrays.columns_out = is_out ? (void *const *)out : NULL;
    } else {
        arrays.keys = in[0];
        arrays.keys_out = is_out ? out[0] : NULL;
    }
    if (r->desc.value_size) {
        arrays.values = in[r->num_keys];
        arrays.values_out = is_out ? out[r->num_keys] : NULL;
    }
    expect_status(clsort_sort(r->fix->sorter, &r->desc, &arrays), CLSORT_OK);
    for (uint32_t j = 0; j < r->num_parts && keeps; ++j) {
        if (memcmp(in[j], r->parts[j].from, (size_t)(r->n * r->parts[j].size)))
            fail_case(r, "an array that is a source was written", j);
    }
    if (is_out || !r->desc.index_size)
        check_parts(r, (const unsigned char *const *)(is_out ? out : in));
    if (r->desc.index_size)
        check_indices(r, indices);
    for (uint32_t j = 0; j < r->num_parts; ++j) {
        free(in[j]);
        free(out[j]);
    }
    free(indices);
}

void places_run(const fixture *fix, const places_case *c)
{
    running r = {.fix = fix, .c = c, .desc = c->desc};
    r.num_arrays = c->desc.num_arrays ? c->desc.num_arrays : 1;
    r.n = r.num_arrays * c->desc.count;
    r.limit = c->desc.limit ? c->desc.limit : c->desc.count - c->desc.skip;
    make_elements(&r);
    find_order(&r);
    create_guards(&r);
    for (int run = 0; run < 2; ++run) { /* the second time with the scratch of the first */
        enqueue(&r);
        check_device(&r);
        for (uint32_t j = 0; j < r.num_parts && !run; ++j)
            guard_upload(&r.parts[j].in, fix->queue);
    }
    check_host(&r);
    for (uint32_t j = 0; j < r.num_parts; ++j) {
        guard_free(&r.parts[j].in);
        guard_free(&r.parts[j].out);
        free(r.parts[j].from);
    }
    guard_free(&r.indices);
    free(r.order);
}
