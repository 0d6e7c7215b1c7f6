/* Overlapping strings, rearranged. Together they have more bytes than the output buffer, so they
 * are cut there; their offsets reach the limit of the offset type. */
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/fixture.h"
#include "support/guard.h"
#include "support/oracle.h"

/* String i has the bytes from offsets[i] to offsets[i + 1], and none if the offset decreases. A
 * string then begins before the previous one ended. */
typedef struct overlap {
    uint64_t count, num_bytes;
    uint32_t offset_size;
    unsigned char *bytes, *bytes_out;
    uint64_t *offsets, *offsets_out, *order;
} overlap;

/* Strings of up to `longest` bytes that begin anywhere; every other string is empty. */
static void overlap_make(overlap *o, uint64_t count, uint64_t num_bytes, uint64_t shortest,
                         uint64_t longest, uint32_t offset_size, uint64_t seed)
{
    rng r = {seed};
    *o = (overlap){.count = count, .num_bytes = num_bytes, .offset_size = offset_size};
    o->bytes = test_alloc(num_bytes);
    o->bytes_out = test_alloc(num_bytes);
    o->offsets = test_alloc((count + 1) * 8);
    o->offsets_out = test_alloc((count + 1) * 8);
    o->order = test_alloc(count * 8);
    data_bytes(o->bytes, num_bytes, seed);
    for (uint64_t i = 0; i <= count; ++i) {
        const uint64_t size = shortest + rng_below(&r, longest - shortest + 1);
        o->offsets[i] = i % 2 ? o->offsets[i - 1] + size : rng_below(&r, num_bytes - longest + 1);
    }
    const oracle_strings strings = {o->bytes, o->offsets, 0};
    oracle_order(0, count, oracle_compare_strings, &strings, o->order);
    const uint64_t most = offset_size == 4 ? UINT32_MAX : UINT64_MAX;
    uint64_t at = 0;
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t from = o->order[i], room = at < num_bytes ? num_bytes - at : 0;
        const uint64_t size = oracle_string_size(&strings, from);
        memcpy(o->bytes_out + (at < num_bytes ? at : 0), o->bytes + o->offsets[from],
               (size_t)(size < room ? size : room));
        o->offsets_out[i] = at < most ? at : most;
        at += size;
    }
    o->offsets_out[count] = at < most ? at : most;
    assert_true(at >= num_bytes); /* the buffer is full */
}

static void overlap_finish(overlap *o)
{
    free(o->bytes);
    free(o->bytes_out);
    free(o->offsets);
    free(o->offsets_out);
    free(o->order);
}

static unsigned char *stored(const overlap *o, const uint64_t *offsets)
{
    unsigned char *bytes = test_alloc((o->count + 1) * o->offset_size);
    for (uint64_t i = 0; i <= o->count; ++i)
        key_store(bytes, i, o->offset_size, offsets[i]);
    return bytes;
}

static void overlap_sort(const fixture *fix, const overlap *o)
{
    const uint32_t size = o->offset_size;
    unsigned char *offsets = stored(o, o->offsets), *expected = stored(o, o->offsets_out);
    const uint64_t offsets_size = (o->count + 1) * size;
    guard keys, keys_out, from, to;
    guard_create(&keys, fix->context, CL_MEM_READ_ONLY, o->bytes, o->num_bytes, 1, 1, 1);
    guard_create(&from, fix->context, CL_MEM_READ_ONLY, offsets, offsets_size, size, size, 2);
    guard_create(&keys_out, fix->context, CL_MEM_READ_WRITE, NULL, o->num_bytes, 1, 1, 3);
    guard_create(&to, fix->context, CL_MEM_READ_WRITE, NULL, offsets_size, size, size, 4);
    const clsort_strings strings = {.num_bytes = o->num_bytes, .offset_size = size};
    const clsort_desc desc = {.count = o->count, .strings = &strings, .out_of_place = 1};
    const clsort_buffers buffers = {.keys = guard_buffer(&keys),
                                    .keys_out = guard_buffer(&keys_out),
                                    .offsets = guard_buffer(&from),
                                    .offsets_out = guard_buffer(&to)};
    expect_status(fixture_enqueue(fix, &desc, &buffers), CLSORT_OK);
    const unsigned char *now = guard_read(&keys_out, fix->queue);
    for (uint64_t i = 0; i < o->num_bytes; ++i)
        if (now[i] != o->bytes_out[i])
            fail_msg("%llu strings: byte %llu of %llu", (unsigned long long)o->count,
                     (unsigned long long)i, (unsigned long long)o->num_bytes);
    assert_memory_equal(guard_read(&to, fix->queue), expected, (size_t)offsets_size);
    assert_true(guard_intact(&keys_out) && guard_intact(&to));
    guard_free(&keys);
    guard_free(&keys_out);
    guard_free(&from);
    guard_free(&to);
    free(offsets);
    free(expected);
}

/* The output is cut anywhere inside a short or long string that others follow. */
static void test_cut(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint64_t lengths[][2] = {{1, 15}, {16, 16}, {17, 200}, {1, 100}, {120, 130}};
    for (uint64_t i = 0; i < 40; ++i) {
        overlap o;
        const uint64_t num = 20 + 13 * i, shortest = lengths[i % 5][0], longest = lengths[i % 5][1];
        overlap_make(&o, 2 * num, longest + num * (shortest + longest) / 6, shortest, longest,
                     i % 2 ? 8 : 4, seed_mix(fix->seed, i));
        overlap_sort(fix, &o);
        overlap_finish(&o);
    }
}

/* More bytes in all than a 32-bit offset can hold. */
static void test_many_bytes(void **state)
{
    const fixture *fix = fixture_of(state);
    if (platform_is(fix, "Oclgrind"))
        skip_because("the simulation takes too long");
    for (uint32_t offset_size = 4; offset_size <= 8; offset_size += 4) {
        overlap o;
        overlap_make(&o, 2 * 9000, 1 << 20, (1 << 20) - 50000, (1 << 20) - 40000, offset_size,
                     fix->seed);
        assert_true(9000ull * ((1 << 20) - 50000) > (uint64_t)1 << 32);
        overlap_sort(fix, &o);
        overlap_finish(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_many_bytes),
    };
    return fixture_run("strings_overlap", tests, sizeof tests / sizeof tests[0]);
}
