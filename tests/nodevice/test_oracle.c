/* The tests' own oracle and data, checked against handwritten examples. No device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/oracle.h"
#include "support/sample.h"

/* Keys in ascending order, as the header describes it. */
static const uint64_t f32_order[] = {
    0xff800000,                                                                         /* -inf */
    0xff7fffff, 0xc0000000, 0xbf800000, 0x80800000, 0x807fffff, 0x80000001, 0x80000000, /* -0.0 */
    0x00000000,                                                                         /* +0.0 */
    0x00000001, 0x007fffff, 0x00800000, 0x3f800000, 0x40000000, 0x7f7fffff, 0x7f800000, /* inf */
    0x7f800001, 0x7fbfffff, 0x7fc00000, 0x7fffffff, /* NaNs, sign clear */
    0xffffffff, 0xffc00000, 0xffbfffff, 0xff800001, /* NaNs, sign set: decreasing bits */
};
static const uint64_t f16_order[] = {
    0xfc00, 0xfbff, 0xc000, 0xbc00, 0x8400, 0x83ff, 0x8001, 0x8000, 0x0000, 0x0001, 0x03ff,
    0x0400, 0x3c00, 0x4000, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7fff, 0xffff, 0xfe00, 0xfc01,
};
static const uint64_t bf16_order[] = {
    0xff80, 0xff7f, 0xbf80, 0x8080, 0x807f, 0x8001, 0x8000, 0x0000, 0x0001, 0x007f,
    0x0080, 0x3f80, 0x7f7f, 0x7f80, 0x7f81, 0x7fc0, 0x7fff, 0xffff, 0xffc0, 0xff81,
};
static const uint64_t f64_order[] = {
    0xfff0000000000000, 0xffefffffffffffff, 0xbff0000000000000, 0x8000000000000001,
    0x8000000000000000, 0x0000000000000000, 0x0000000000000001, 0x3ff0000000000000,
    0x3ff0000000000001, 0x7ff0000000000000, 0x7ff0000000000001, 0x7fffffffffffffff,
    0xffffffffffffffff, 0xfff0000000000001,
};
static const uint64_t i32_order[] = {0x80000000, 0x80000001, 0xffffffff, 0, 1, 0x7fffffff};
static const uint64_t i64_order[] = {0x8000000000000000, 0xffffffffffffffff, 0, 1,
                                     0x7fffffffffffffff};
static const uint64_t i8_order[] = {0x80, 0xff, 0, 1, 0x7f};
static const uint64_t i16_order[] = {0x8000, 0x8001, 0xffff, 0, 1, 0x7fff};
static const uint64_t u64_order[] = {0, 1, 0x7fffffffffffffff, 0x8000000000000000, UINT64_MAX};

static void expect_order(clsort_type type, const uint64_t *keys, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = 0; j < count; ++j) {
            const int expected = i < j ? -1 : i > j;
            const int compared = oracle_compare(type, keys[i], keys[j]);
            assert_int_equal((compared > 0) - (compared < 0), expected);
        }
    }
}

static void test_written_orders(void **state)
{
    (void)state;
    expect_order(CLSORT_F32, f32_order, sizeof f32_order / sizeof *f32_order);
    expect_order(CLSORT_F16, f16_order, sizeof f16_order / sizeof *f16_order);
    expect_order(CLSORT_BF16, bf16_order, sizeof bf16_order / sizeof *bf16_order);
    expect_order(CLSORT_F64, f64_order, sizeof f64_order / sizeof *f64_order);
    expect_order(CLSORT_I8, i8_order, sizeof i8_order / sizeof *i8_order);
    expect_order(CLSORT_I16, i16_order, sizeof i16_order / sizeof *i16_order);
    expect_order(CLSORT_I32, i32_order, sizeof i32_order / sizeof *i32_order);
    expect_order(CLSORT_I64, i64_order, sizeof i64_order / sizeof *i64_order);
    expect_order(CLSORT_U64, u64_order, sizeof u64_order / sizeof *u64_order);
}

/* A key's rank is its position among all keys of the type: increasing ranks follow the order. */
static void test_ranks_follow_the_order(void **state)
{
    (void)state;
    for (int t = 0; t < CLSORT_NUM_TYPES; ++t) {
        const clsort_type type = (clsort_type)t;
        const uint32_t bits = type_infos[type].bits;
        const uint64_t last = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
        rng r = {7};
        for (uint64_t i = 0; i < 65536; ++i) {
            const uint64_t rank =
                bits <= 16 ? i & last : (i & 1 ? data_extreme(type, &r) : rng_next(&r)) & last;
            const uint64_t bits_at_rank = oracle_from_rank(type, rank);
            assert_true(bits_at_rank <= last);
            assert_true(oracle_rank(type, bits_at_rank) == rank);
            if (rank < last)
                assert_true(oracle_compare(type, bits_at_rank, oracle_from_rank(type, rank + 1)) <
                            0);
        }
        assert_true(oracle_rank(type, oracle_from_rank(type, last)) == last);
    }
}

static void test_windows(void **state)
{
    (void)state;
    clsort_desc desc = {.type = CLSORT_I32, .first_bit = 4, .end_bit = 12};
    assert_int_equal(oracle_window(&desc, 0x12345678), 0x67);
    desc.first_bit = 31;
    desc.end_bit = 32;
    assert_int_equal(oracle_window(&desc, 0x80000000), 0);
    assert_int_equal(oracle_window(&desc, 0), 1);
    desc.type = CLSORT_F32;
    assert_int_equal(oracle_window(&desc, 0xff800000), 0); /* -inf, rank 0 */
    assert_int_equal(oracle_window(&desc, 0x7fffffff), 1);
    assert_int_equal(oracle_window(&desc, 0xffffffff), 1); /* the last NaN */
}

static void test_sort_is_stable_and_reverses(void **state)
{
    (void)state;
    const uint8_t keys[] = {3, 1, 3, 2, 1, 0xff};
    const uint64_t up[] = {1, 4, 3, 0, 2, 5};
    const uint64_t down[] = {5, 0, 2, 3, 1, 4};
    uint64_t order[6];
    clsort_desc desc = {.count = 6, .type = CLSORT_U8};
    oracle_sort(&desc, keys, order);
    assert_memory_equal(order, up, sizeof up);
    desc.order = CLSORT_DESCENDING;
    oracle_sort(&desc, keys, order);
    assert_memory_equal(order, down, sizeof down);
    const uint64_t signed_up[] = {5, 1, 4, 3, 0, 2};
    desc.order = CLSORT_ASCENDING;
    desc.type = CLSORT_I8;
    oracle_sort(&desc, keys, order);
    assert_memory_equal(order, signed_up, sizeof signed_up);
}

/* Every shape has `count` keys of its type and is what its name says. */
static void test_shapes(void **state)
{
    (void)state;
    for (int t = 0; t < CLSORT_NUM_TYPES; ++t) {
        const clsort_type type = (clsort_type)t;
        const uint32_t size = type_infos[type].size;
        unsigned char keys[300 * 8];
        data_fill(keys, type, 300, DATA_SORTED, 3);
        for (uint64_t i = 1; i < 300; ++i)
            assert_true(
                oracle_compare(type, key_load(keys, i - 1, size), key_load(keys, i, size)) <= 0);
        data_fill(keys, type, 300, DATA_REVERSED, 3);
        for (uint64_t i = 1; i < 300; ++i)
            assert_true(
                oracle_compare(type, key_load(keys, i - 1, size), key_load(keys, i, size)) >= 0);
        data_fill(keys, type, 300, DATA_LAST, 3);
        rng r = {5};
        for (uint64_t i = 0; i < 300; ++i)
            assert_true(oracle_compare(type, key_load(keys, i, size), data_extreme(type, &r)) >= 0);
        data_fill(keys, type, 300, DATA_STRAY, 3);
        uint64_t changes = 0;
        for (uint64_t i = 1; i < 300; ++i)
            changes += key_load(keys, i - 1, size) != key_load(keys, i, size);
        assert_in_range(changes, size == 1 ? 0 : 1, 2);
    }
}

/* A check that cannot fail is worthless: every kind of damage is found. */
static void test_damage_is_found(void **state)
{
    (void)state;
    const clsort_desc desc = {.count = 100, .num_arrays = 3, .type = CLSORT_F32, .value_size = 4};
    sample s;
    sample_init(&s, &desc, DATA_FEW, 9);
    unsigned char keys[1200];
    unsigned char values[1200];
    memcpy(keys, s.sorted_keys, sizeof keys);
    memcpy(values, s.sorted_values, sizeof values);
    assert_null(sample_check(&s, 1, keys, values, NULL));
    assert_null(sample_check(&s, 0, keys, values, NULL));
    values[41] ^= 1; /* a damaged value */
    assert_non_null(sample_check(&s, 1, keys, values, NULL));
    assert_non_null(sample_check(&s, 0, keys, values, NULL));
    values[41] ^= 1;
    keys[17] ^= 0x80; /* a damaged key */
    assert_non_null(sample_check(&s, 0, keys, values, NULL));
    keys[17] ^= 0x80;
    /* Exchanged values of equal keys are wrong only if stability was requested. */
    uint64_t i = 0;
    while (key_load(keys, i, 4) != key_load(keys, i + 1, 4))
        ++i;
    const uint64_t value = key_load(values, i, 4);
    key_store(values, i, 4, key_load(values, i + 1, 4));
    key_store(values, i + 1, 4, value);
    assert_non_null(sample_check(&s, 1, keys, values, NULL));
    assert_null(sample_check(&s, 0, keys, values, NULL));
    /* If an equal pair is duplicated and another lost, the multiset shows it. */
    key_store(values, i, 4, value);
    assert_non_null(sample_check(&s, 0, keys, values, NULL));
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_orders), cmocka_unit_test(test_ranks_follow_the_order),
        cmocka_unit_test(test_windows),        cmocka_unit_test(test_sort_is_stable_and_reverses),
        cmocka_unit_test(test_shapes),         cmocka_unit_test(test_damage_is_found),
    };
    return cmocka_run_group_tests_name("oracle", tests, NULL, NULL) ? 1 : 0;
}
