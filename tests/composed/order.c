#include "order.h"

#include <stdlib.h>
#include <string.h>

static const clsort_field person[] = {{4, CLSORT_F32, CLSORT_DESCENDING},
                                      {0, CLSORT_U16, CLSORT_ASCENDING}};
static const clsort_field last_byte[] = {{32, CLSORT_I8, CLSORT_ASCENDING}};
static const clsort_record by_fields = {.size = 12, .num_fields = 2, .fields = person};
static const clsort_record wide = {.size = 33, .num_fields = 1, .fields = last_byte};
static const clsort_record by_text = {.size = 8,
                                      .declarations = "typedef struct { uint x, y; } point;",
                                      .type = "point",
                                      .less = "(a.x & 7) * (a.y & 3) < (b.x & 7) * (b.y & 3)"};

#define BOTH(text, key)                                      \
    {text " ascending", {.type = CLSORT_##key}},             \
    {                                                        \
        text " descending",                                  \
        {                                                    \
            .type = CLSORT_##key, .order = CLSORT_DESCENDING \
        }                                                    \
    }

const order orders[] = {
    BOTH("u32", U32),
    BOTH("u64", U64),
    BOTH("i32", I32),
    BOTH("i64", I64),
    BOTH("f32", F32),
    BOTH("f64", F64),
    BOTH("u8", U8),
    BOTH("u16", U16),
    BOTH("i8", I8),
    BOTH("i16", I16),
    BOTH("f16", F16),
    BOTH("bf16", BF16),
    {"bits 3 to 9 of u32", {.type = CLSORT_U32, .first_bit = 3, .end_bit = 9}},
    {"bits 20 to 64 of f64, descending",
     {.type = CLSORT_F64, .first_bit = 20, .end_bit = 64, .order = CLSORT_DESCENDING}},
    {"records of 12 B by two fields", {.record = &by_fields}},
    {"records of 33 B by a byte, descending", {.record = &wide, .order = CLSORT_DESCENDING}},
    {"records of 8 B by a comparison", {.record = &by_text}},
};
const uint32_t num_orders = sizeof orders / sizeof orders[0];

uint32_t order_key_size(const order *o)
{
    return o->desc.record ? o->desc.record->size : type_infos[o->desc.type].size;
}

uint32_t order_alignment(const order *o)
{
    return data_alignment(order_key_size(o), 16);
}

/* By by_text, whose comparison the oracle does not know. */
static uint64_t product_of(const void *key)
{
    return (key_load(key, 0, 4) & 7) * (key_load(key, 1, 4) & 3);
}

int order_compare(const order *o, const void *a, const void *b)
{
    void *const first = (void *)(uintptr_t)a, *const second = (void *)(uintptr_t)b;
    if (!o->desc.record || o->desc.record->num_fields)
        return oracle_compare_elements(&o->desc, &first, 0, &second, 0);
    const uint64_t x = product_of(a), y = product_of(b);
    return o->desc.order == CLSORT_DESCENDING ? (x < y) - (x > y) : (x > y) - (x < y);
}

const void *order_key(const order *o, const void *keys, uint64_t at)
{
    return (const char *)keys + at * order_key_size(o);
}

void order_fill(const order *o, void *keys, uint64_t count, int few, uint64_t seed)
{
    if (!o->desc.record) {
        data_fill(keys, o->desc.type, count, few ? DATA_FEW : DATA_SPRINKLED, seed);
        return;
    }
    rng r = {seed};
    for (uint64_t i = 0; i < count * o->desc.record->size; ++i)
        ((unsigned char *)keys)[i] = (unsigned char)rng_below(&r, few ? 3 : 256);
}

/* Keys that are put in order. */
struct ordered {
    const order *o;
    const void *keys;
};

static int compare_keys(const void *context, uint64_t i, uint64_t j)
{
    const struct ordered *k = context;
    return order_compare(k->o, order_key(k->o, k->keys, i), order_key(k->o, k->keys, j));
}

void order_find(const order *o, const void *keys, uint64_t count, uint64_t *indices)
{
    oracle_order(0, count, compare_keys, &(struct ordered){o, keys}, indices);
}

void order_keys(const order *o, void *keys, uint64_t count)
{
    const uint32_t size = order_key_size(o);
    uint64_t *indices = test_alloc(count * sizeof *indices);
    void *copy = test_alloc(count * size);
    order_find(o, keys, count, indices);
    memcpy(copy, keys, count * size);
    oracle_gather(keys, copy, size, indices, count);
    free(indices);
    free(copy);
}

void order_guard(const fixture *fix, guard *g, const void *data, uint64_t count, uint32_t size,
                 uint32_t alignment, uint64_t seed)
{
    guard_create(g, fix->context, CL_MEM_READ_WRITE, data, count * size, size, alignment, seed);
}

void order_run(const fixture *fix, const clsort_desc *desc, const clsort_buffers *buffers)
{
    static unsigned number;
    cl_event event = NULL;
    guard scratch = {0};
    clsort_buffers bound = *buffers;
    uint64_t size = 0;
    expect_status(clsort_scratch_size(fix->sorter, desc, &size), CLSORT_OK);
    if (size && ++number % 2) {
        guard_create_scratch(&scratch, fix->context, size, number);
        bound.scratch = guard_buffer(&scratch);
    }
    const clsort_status status =
        clsort_enqueue(fix->sorter, fix->queue, desc, &bound, 0, NULL, &event);
    if (status) {
        clsort_error_info info;
        clsort_last_error(fix->sorter, &info);
        print_error("%s: %s %s %d\n%s\n", clsort_status_text(status), info.argument, info.call,
                    (int)info.cl_code, info.build_log);
        fail();
    }
    expect_cl(clWaitForEvents(1, &event));
    assert_int_equal(event_status(event), CL_COMPLETE);
    clReleaseEvent(event);
    if (bound.scratch.mem) {
        guard_read(&scratch, fix->queue);
        assert_true(guard_intact(&scratch));
        guard_free(&scratch);
    }
}

void order_expect(const fixture *fix, const order *o, guard *g, const void *bytes, uint64_t size,
                  const char *what)
{
    const unsigned char *got = guard_read(g, fix->queue);
    const int has_tail = size < g->size;
    if (!guard_intact(g) || memcmp(got, bytes, size) != 0 ||
        (has_tail && memcmp(got + size, g->image + g->offset + size, g->size - size) != 0)) {
        uint64_t at = 0;
        while (at < size && got[at] == ((const unsigned char *)bytes)[at])
            ++at;
        print_error("%s, %s: byte %llu of %llu is wrong, canaries %s\n", o->name, what,
                    (unsigned long long)at, (unsigned long long)size,
                    guard_intact(g) ? "intact" : "written");
        fail();
    }
}

void order_expect_kept(const fixture *fix, const order *o, guard *g)
{
    guard_read(g, fix->queue);
    if (!guard_unchanged(g)) {
        print_error("%s: a source was written\n", o->name);
        fail();
    }
}
