/* Strings, as indices and rearranged, by offsets and of fixed width, against the oracle;
 * invalid offsets; their plan. */
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/fixture.h"
#include "support/guard.h"
#include "support/oracle.h"

enum { max_length = 300 };

/* Shapes of strings: X(enumerator, name). */
#define SHAPE_LIST(X)                                                \
    X(RANDOM, "random bytes, 0 to 300 of them")                      \
    X(SHORT, "0 to 9 bytes of four values, including 0x00 and 0xff") \
    X(WORDS, "a few dozen words, one to five in each")               \
    X(EQUAL, "all equal")                                            \
    X(PREFIX, "290 bytes in common")                                 \
    X(STAIRS, "0 to 300 times the same byte")                        \
    X(ZEROS, "0 to 20 zero bytes")                                   \
    X(PATHS, "prefixes of different lengths in common")              \
    X(EMPTY, "no bytes at all")

#define SHAPE_ENUM(name, text) SHAPE_##name,
typedef enum shape { SHAPE_LIST(SHAPE_ENUM) NUM_SHAPES } shape;
#undef SHAPE_ENUM
#define SHAPE_TEXT(name, text) text,
static const char *const shape_names[] = {SHAPE_LIST(SHAPE_TEXT)};
#undef SHAPE_TEXT

/* One sort. */
typedef struct strings_case {
    shape shape;
    uint64_t count;
    uint32_t offset_size; /* 0: fixed width */
    uint32_t width;
    uint32_t tail_size;
    uint32_t index_size;
    int rearranged;
    int descending;
    int lead;      /* bytes before the first string */
    uint64_t huge; /* bytes of the middle string, if not 0 */
} strings_case;

/* Its strings. */
typedef struct texts {
    const strings_case *c;
    unsigned char *bytes;
    uint64_t *offsets;
    uint64_t num_bytes;
} texts;

static uint64_t fill(shape kind, unsigned char *to, rng *r)
{
    static const unsigned char few[] = {0x00, 0xff, 'a', 'b'};
    uint64_t length = 0;
    switch (kind) {
    case SHAPE_RANDOM:
        length = rng_below(r, max_length + 1);
        data_bytes(to, length, rng_next(r));
        break;
    case SHAPE_SHORT:
        length = rng_below(r, 10);
        for (uint64_t i = 0; i < length; ++i)
            to[i] = few[rng_below(r, 4)];
        break;
    case SHAPE_WORDS:
        for (uint64_t words = 1 + rng_below(r, 5); words > 0; --words)
            for (uint64_t word = rng_below(r, 40), i = 0; i < 2 + word % 9; ++i)
                to[length++] = (unsigned char)('a' + (word * 7 + i * i) % 26);
        break;
    case SHAPE_EQUAL:
        memcpy(to, "all of these are the same", length = 25);
        break;
    case SHAPE_PREFIX:
        memset(to, 'x', 290);
        length = 290 + rng_below(r, 3);
        data_bytes(to + 290, length - 290, rng_next(r));
        break;
    case SHAPE_STAIRS:
        memset(to, 0xff, length = rng_below(r, max_length + 1));
        break;
    case SHAPE_ZEROS:
        memset(to, 0, length = rng_below(r, 21));
        break;
    case SHAPE_PATHS:
        for (uint64_t parts = 1 + rng_below(r, 12); parts > 0; --parts) {
            static const char *const names[] = {"/usr/share/doc", "/lib",
                                                "/some-long-name-of-30-bytes"};
            const char *name = names[rng_below(r, 8) % 3];
            if (length + strlen(name) <= max_length)
                memcpy(to + length, name, strlen(name)), length += strlen(name);
        }
        break;
    default:
        break;
    }
    return length;
}

static void texts_make(texts *t, const strings_case *c, uint64_t seed)
{
    rng r = {seed};
    unsigned char one[max_length + 64];
    const uint64_t room = c->count * (max_length + c->tail_size) + (uint64_t)c->lead + c->huge + 1;
    *t = (texts){.c = c};
    t->bytes = test_alloc(c->offset_size ? room : c->count * c->width + 1);
    t->offsets = test_alloc((c->count + 1) * 8);
    t->num_bytes = (uint64_t)c->lead;
    memset(t->bytes, 'l', (size_t)c->lead);
    for (uint64_t i = 0; i < c->count; ++i) {
        memset(one, 0, sizeof one);
        const uint64_t length = fill(c->shape, one, &r);
        data_bytes(one + length, c->tail_size, rng_next(&r));
        const uint64_t size = c->offset_size ? length + c->tail_size : c->width;
        t->offsets[i] = t->num_bytes;
        memcpy(t->bytes + t->num_bytes, one, (size_t)size);
        t->num_bytes += size;
        if (c->huge && i == c->count / 2) {
            data_bytes(t->bytes + t->offsets[i], c->huge, rng_next(&r));
            t->num_bytes = t->offsets[i] + c->huge;
        }
    }
    t->offsets[c->count] = t->num_bytes;
}

static int compare(const void *context, uint64_t i, uint64_t j)
{
    const texts *t = context;
    const oracle_strings strings = {t->bytes, t->offsets, t->c->tail_size};
    const int result = oracle_compare_strings(&strings, i, j);
    return t->c->descending ? -result : result;
}

static uint64_t *texts_order(const texts *t)
{
    uint64_t *order = test_alloc(t->c->count * sizeof *order);
    oracle_order(0, t->c->count, compare, t, order);
    return order;
}

static void *offsets_stored(const uint64_t *offsets, uint64_t num, uint32_t size)
{
    unsigned char *stored = test_alloc(num * size);
    for (uint64_t i = 0; i < num; ++i)
        key_store(stored, i, size, offsets[i]);
    return stored;
}

static clsort_strings strings_of(const texts *t)
{
    const clsort_strings strings = {.num_bytes = t->num_bytes,
                                    .offset_size = t->c->offset_size,
                                    .width = t->c->width,
                                    .tail_size = t->c->tail_size};
    return strings;
}

static clsort_desc desc_of(const strings_case *c, const clsort_strings *strings)
{
    const clsort_desc desc = {.count = c->count,
                              .strings = strings,
                              .order = c->descending ? CLSORT_DESCENDING : CLSORT_ASCENDING,
                              .index_size = c->index_size,
                              .out_of_place = (uint32_t)c->rearranged};
    return desc;
}

/* What is wrong with the result, or NULL. */
static const char *judge(const texts *t, const uint64_t *order, const void *indices,
                         const unsigned char *bytes, const void *offsets)
{
    const strings_case *c = t->c;
    uint64_t at = 0;
    for (uint64_t i = 0; i < c->count; ++i) {
        const uint64_t begin = t->offsets[order[i]], size = t->offsets[order[i] + 1] - begin;
        if (indices && key_load(indices, i, c->index_size) != order[i])
            return "index";
        if (offsets && key_load(offsets, i, c->offset_size) != at)
            return "offset";
        if (bytes && size && memcmp(bytes + at, t->bytes + begin, (size_t)size) != 0)
            return "bytes";
        at += size;
    }
    return offsets && key_load(offsets, c->count, c->offset_size) != at ? "last offset" : NULL;
}

static void fail_case(const strings_case *c, const char *what, uint64_t seed)
{
    print_error("%s is wrong: %llu strings, %s, offsets of %u, width %u, tail %u, indices of %u, "
                "%s, %s, seed %llu\n",
                what, (unsigned long long)c->count, shape_names[c->shape], c->offset_size, c->width,
                c->tail_size, c->index_size, c->rearranged ? "rearranged" : "not rearranged",
                c->descending ? "descending" : "ascending", (unsigned long long)seed);
    fail();
}

/* Sorts in guarded buffers, with exactly the required scratch. */
static void run(const fixture *fix, const strings_case *c)
{
    const uint64_t seed = seed_mix(fix->seed, c->count * NUM_SHAPES + (uint64_t)c->shape);
    texts t;
    texts_make(&t, c, seed);
    const clsort_strings strings = strings_of(&t);
    const clsort_desc desc = desc_of(c, &strings);
    void *stored = offsets_stored(t.offsets, c->count + 1, c->offset_size ? c->offset_size : 8);
    enum { BYTES, OFFSETS, BYTES_OUT, OFFSETS_OUT, INDICES, SCRATCH, NUM };
    guard guards[NUM] = {{0}};
    uint64_t scratch = 0;
    expect_status(clsort_scratch_size(fix->sorter, &desc, &scratch), CLSORT_OK);
    const struct {
        const void *data;
        uint64_t size;
        uint32_t element_size;
    } needs[NUM] = {
        {t.bytes, t.num_bytes, 1},
        {stored, (c->count + 1) * c->offset_size, c->offset_size},
        {NULL, c->rearranged ? t.num_bytes : 0, 1},
        {NULL, c->rearranged ? (c->count + 1) * c->offset_size : 0, c->offset_size},
        {NULL, c->count * c->index_size, c->index_size},
        {NULL, scratch, 8},
    };
    for (int i = 0; i < NUM; ++i)
        if (needs[i].size && c->count)
            guard_create(&guards[i], fix->context, CL_MEM_READ_WRITE, needs[i].data, needs[i].size,
                         needs[i].element_size, needs[i].element_size, seed + (uint64_t)i);
    const clsort_buffers buffers = {.keys = guard_buffer(&guards[BYTES]),
                                    .offsets = guard_buffer(&guards[OFFSETS]),
                                    .keys_out = guard_buffer(&guards[BYTES_OUT]),
                                    .offsets_out = guard_buffer(&guards[OFFSETS_OUT]),
                                    .indices = guard_buffer(&guards[INDICES]),
                                    .scratch = guard_buffer(&guards[SCRATCH])};
    cl_event event = NULL;
    expect_status(clsort_enqueue(fix->sorter, fix->queue, &desc, &buffers, 0, NULL, &event),
                  CLSORT_OK);
    expect_cl(clWaitForEvents(1, &event));
    clReleaseEvent(event);
    const void *back[NUM] = {NULL};
    for (int i = 0; i < NUM; ++i) {
        if (!guards[i].mem)
            continue;
        back[i] = guard_read(&guards[i], fix->queue);
        if (i <= OFFSETS ? !guard_unchanged(&guards[i]) : !guard_intact(&guards[i]))
            fail_case(c, i <= OFFSETS ? "a source" : "memory outside a buffer", seed);
    }
    uint64_t *order = texts_order(&t);
    const char *wrong = judge(&t, order, back[INDICES], back[BYTES_OUT], back[OFFSETS_OUT]);
    if (wrong)
        fail_case(c, wrong, seed);
    for (int i = 0; i < NUM; ++i)
        guard_free(&guards[i]);
    free(order);
    free(stored);
    free(t.bytes);
    free(t.offsets);
}

static void test_sizes(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t counts[] = {0,  1,  2,   3,   7,   8,    31,   32,    33,    63,
                                      64, 65, 255, 257, 999, 2049, 4097, 20011, 100000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        const strings_case c = {.shape = i % 2 ? SHAPE_PATHS : SHAPE_WORDS,
                                .count = counts[i],
                                .offset_size = 4,
                                .index_size = 4,
                                .rearranged = 1};
        run(fix, &c);
    }
}

static void test_shapes(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int kind = 0; kind < NUM_SHAPES; ++kind)
        for (uint32_t choice = 0; choice < 8; ++choice) {
            const strings_case c = {.shape = (shape)kind,
                                    .count = choice < 2 ? 5003 : 301,
                                    .offset_size = choice & 2 ? 8 : 4,
                                    .index_size = choice & 4 ? 8 : 4,
                                    .rearranged = choice != 6,
                                    .descending = (int)(choice & 1),
                                    .tail_size = choice % 3,
                                    .lead = (int)(choice % 4) * 3};
            run(fix, &c);
        }
}

/* Without an index buffer, the indices lie in scratch. */
static void test_rearranged_alone(void **state)
{
    const fixture *fix = fixture_of(state);
    for (int descending = 0; descending < 2; ++descending) {
        const strings_case c = {.shape = SHAPE_WORDS,
                                .count = 3001,
                                .offset_size = 4,
                                .rearranged = 1,
                                .descending = descending,
                                .tail_size = 1};
        run(fix, &c);
    }
}

/* Several work-groups of a GPU move a chunk if it reaches into several blocks of the output; there
 * are also more of them if bytes are before the first string. */
static void test_blocks(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint32_t offset_size = 4; offset_size <= 8; offset_size += 4) {
        const strings_case c = {.shape = SHAPE_PREFIX,
                                .count = 1003,
                                .offset_size = offset_size,
                                .rearranged = 1,
                                .tail_size = 3,
                                .lead = 3 << 20};
        run(fix, &c);
        for (uint64_t count = 1; count < 20000; count = 9 * count + 4) {
            const strings_case huge = {.shape = SHAPE_SHORT,
                                       .count = count,
                                       .offset_size = offset_size,
                                       .rearranged = 1,
                                       .tail_size = 2,
                                       .huge = 500000};
            run(fix, &huge);
        }
    }
}

static void test_one_width(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint32_t widths[] = {1, 2, 5, 6, 7, 8, 13, 14, 16, 31, 64, 299, 300};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; ++i)
        for (int rearranged = 0; rearranged < 2; ++rearranged) {
            const strings_case c = {.shape = i % 3 ? SHAPE_SHORT : SHAPE_PREFIX,
                                    .count = 700 + widths[i],
                                    .width = widths[i],
                                    .tail_size = (uint32_t)i % 2,
                                    .index_size = rearranged ? 0 : 4,
                                    .rearranged = rearranged,
                                    .descending = (int)(i / 2 % 2)};
            run(fix, &c);
        }
}

/* Offsets that decrease or point past the end: nothing outside is touched, and the indices are a
 * permutation. */
static void test_lying_offsets(void **state)
{
    const fixture *fix = fixture_of(state);
    enum { count = 2000, num_bytes = 5000 };
    for (uint32_t size = 4; size <= 8; size += 4) {
        rng r = {seed_mix(fix->seed, size)};
        uint64_t offsets[count + 1];
        unsigned char bytes[num_bytes];
        data_bytes(bytes, num_bytes, fix->seed);
        for (uint64_t i = 0; i <= count; ++i)
            offsets[i] = rng_below(&r, 4) ? rng_below(&r, num_bytes + 1) : rng_next(&r);
        void *stored = offsets_stored(offsets, count + 1, size);
        guard guards[5];
        guard_create(&guards[0], fix->context, CL_MEM_READ_ONLY, bytes, num_bytes, 1, 1, 1);
        guard_create(&guards[1], fix->context, CL_MEM_READ_ONLY, stored, (count + 1) * size, size,
                     size, 2);
        guard_create(&guards[2], fix->context, CL_MEM_READ_WRITE, NULL, num_bytes, 1, 1, 3);
        guard_create(&guards[3], fix->context, CL_MEM_READ_WRITE, NULL, (count + 1) * size, size,
                     size, 4);
        guard_create(&guards[4], fix->context, CL_MEM_READ_WRITE, NULL, count * 4, 4, 4, 5);
        const clsort_strings strings = {.num_bytes = num_bytes, .offset_size = size};
        const clsort_desc desc = {
            .count = count, .strings = &strings, .index_size = 4, .out_of_place = 1};
        const clsort_buffers buffers = {.keys = guard_buffer(&guards[0]),
                                        .offsets = guard_buffer(&guards[1]),
                                        .keys_out = guard_buffer(&guards[2]),
                                        .offsets_out = guard_buffer(&guards[3]),
                                        .indices = guard_buffer(&guards[4])};
        expect_status(fixture_enqueue(fix, &desc, &buffers), CLSORT_OK);
        unsigned char seen[count] = {0};
        const uint32_t *indices = guard_read(&guards[4], fix->queue);
        for (uint64_t i = 0; i < count; ++i) {
            assert_true(indices[i] < count);
            assert_int_equal(seen[indices[i]]++, 0);
        }
        for (int i = 0; i < 5; ++i) {
            guard_read(&guards[i], fix->queue);
            assert_true(i < 2 ? guard_unchanged(&guards[i]) : guard_intact(&guards[i]));
            guard_free(&guards[i]);
        }
        free(stored);
    }
}

/* Arrays on the host, with a sorter and without. */
static void test_host(void **state)
{
    const fixture *fix = fixture_of(state);
    const strings_case c = {
        .shape = SHAPE_WORDS, .count = 3000, .offset_size = 4, .index_size = 8, .rearranged = 1};
    texts t;
    texts_make(&t, &c, fix->seed);
    const clsort_strings strings = strings_of(&t);
    const clsort_desc desc = desc_of(&c, &strings);
    uint64_t *order = texts_order(&t);
    void *stored = offsets_stored(t.offsets, c.count + 1, 4);
    unsigned char *bytes_out = test_alloc(t.num_bytes);
    void *offsets_out = test_alloc((c.count + 1) * 4), *indices = test_alloc(c.count * 8);
    const clsort_arrays arrays = {.keys = t.bytes,
                                  .offsets = stored,
                                  .keys_out = bytes_out,
                                  .offsets_out = offsets_out,
                                  .indices = indices};
    for (int i = 0; i < 2; ++i) {
        memset(bytes_out, 0, (size_t)t.num_bytes);
        expect_status(clsort_sort(i ? NULL : fix->sorter, &desc, &arrays), CLSORT_OK);
        assert_null(judge(&t, order, indices, bytes_out, offsets_out));
    }
    free(order);
    free(stored);
    free(bytes_out);
    free(offsets_out);
    free(indices);
    free(t.bytes);
    free(t.offsets);
}

static void test_plan(void **state)
{
    const fixture *fix = fixture_of(state);
    const clsort_strings strings = {.num_bytes = 1 << 20, .offset_size = 4};
    clsort_desc desc = {.count = 1 << 16, .strings = &strings, .index_size = 4, .out_of_place = 1};
    clsort_plan plan;
    char text[64];
    size_t size = 0;
    expect_status(clsort_get_plan(fix->sorter, &desc, &plan, NULL, 0), CLSORT_OK);
    assert_int_equal(plan.algorithm, CLSORT_RADIX);
    assert_int_equal(plan.stable, 1);
    expect_status(clsort_get_plan_text(fix->sorter, &desc, text, sizeof text, &size), CLSORT_OK);
    assert_non_null(strstr(text, "strings"));
    desc.count = 0;
    expect_status(clsort_get_plan(fix->sorter, &desc, &plan, NULL, 0), CLSORT_OK);
    assert_int_equal(plan.num_steps, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_rearranged_alone),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_one_width),
        cmocka_unit_test(test_lying_offsets),
        cmocka_unit_test(test_host),
        cmocka_unit_test(test_plan),
    };
    return fixture_run("strings", tests, sizeof tests / sizeof tests[0]);
}
