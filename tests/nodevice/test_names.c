/* Names, texts and sizes: everything that needs no device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "clsort/clsort.h"

static void test_version(void **state)
{
    (void)state;
    char version[64];
    snprintf(version, sizeof version, "%d.%d.%d", CLSORT_VERSION_MAJOR, CLSORT_VERSION_MINOR,
             CLSORT_VERSION_PATCH);
    assert_string_equal(clsort_version(), version);
}

static void test_status_texts(void **state)
{
    (void)state;
    for (int i = 0; i < CLSORT_NUM_STATUSES; ++i) {
        const char *text = clsort_status_text((clsort_status)i);
        assert_non_null(text);
        assert_true(strlen(text) > 0);
        assert_true(text[strlen(text) - 1] != '.');
        assert_string_not_equal(text, "unknown status");
        for (int j = 0; j < i; ++j)
            assert_string_not_equal(text, clsort_status_text((clsort_status)j));
    }
    static const int unknown[] = {-1, CLSORT_NUM_STATUSES, 1000, 1 << 30};
    for (int i = 0; i < 4; ++i)
        assert_string_equal(clsort_status_text((clsort_status)unknown[i]), "unknown status");
    assert_int_equal(CLSORT_OK, 0);
}

static void test_types(void **state)
{
    (void)state;
#define TYPE(name, text, bits, kind, mantissa)                           \
    {                                                                    \
        clsort_type type = CLSORT_NUM_TYPES;                             \
        assert_string_equal(clsort_type_name(CLSORT_##name), text);      \
        assert_int_equal(clsort_type_size(CLSORT_##name), (bits) / 8);   \
        assert_int_equal(clsort_type_from_name(text, &type), CLSORT_OK); \
        assert_int_equal(type, CLSORT_##name);                           \
    }
    CLSORT_TYPE_LIST(TYPE)
#undef TYPE
    static const int unknown[] = {-1, CLSORT_NUM_TYPES, 1 << 30};
    for (int i = 0; i < 3; ++i) {
        assert_null(clsort_type_name((clsort_type)unknown[i]));
        assert_int_equal(clsort_type_size((clsort_type)unknown[i]), 0);
    }
    static const char *const names[] = {"", "u", "u3", "u320", "U32", " u32", "u32 ", "int", "f8"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        clsort_type type = CLSORT_NUM_TYPES;
        assert_int_equal(clsort_type_from_name(names[i], &type), CLSORT_ERROR_TYPE);
        assert_int_equal(type, CLSORT_NUM_TYPES);
    }
}

static void test_algorithms(void **state)
{
    (void)state;
#define ALGORITHM(name, text, about)                                               \
    {                                                                              \
        clsort_algorithm algorithm = CLSORT_NUM_ALGORITHMS;                        \
        assert_string_equal(clsort_algorithm_name(CLSORT_##name), text);           \
        assert_int_equal(clsort_algorithm_from_name(text, &algorithm), CLSORT_OK); \
        assert_int_equal(algorithm, CLSORT_##name);                                \
    }
    CLSORT_ALGORITHM_LIST(ALGORITHM)
#undef ALGORITHM
    assert_null(clsort_algorithm_name(CLSORT_NUM_ALGORITHMS));
    assert_null(clsort_algorithm_name((clsort_algorithm)-1));
    static const char *const names[] = {"", "ran", "ranks", "Rank", "bitonic sort", "quick?"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        clsort_algorithm algorithm = CLSORT_NUM_ALGORITHMS;
        assert_int_equal(clsort_algorithm_from_name(names[i], &algorithm), CLSORT_ERROR_ALGORITHM);
        assert_int_equal(algorithm, CLSORT_NUM_ALGORITHMS);
    }
}

static void test_struct_sizes(void **state)
{
    (void)state;
    assert_int_equal(clsort_struct_size("clsort_desc"), sizeof(clsort_desc));
    assert_int_equal(clsort_struct_size("clsort_buffers"), sizeof(clsort_buffers));
    assert_int_equal(clsort_struct_size("clsort_stream"), sizeof(clsort_stream));
    assert_int_equal(clsort_struct_size("clsort_sorter"), 0);
    assert_int_equal(clsort_struct_size(NULL), 0);
}

/* Zero-initialised structs mean the common case. */
static void test_zero_is_common(void **state)
{
    (void)state;
    assert_int_equal(CLSORT_U32, 0);
    assert_int_equal(CLSORT_ASCENDING, 0);
    assert_int_equal(CLSORT_AUTO, 0);
}

/* Statuses up to BUSY promise that nothing has changed; their order is part of the interface. */
static void test_order_of_statuses(void **state)
{
    (void)state;
    assert_true(CLSORT_ERROR_NULL == 1);
    assert_true(CLSORT_ERROR_WAIT_LIST < CLSORT_ERROR_BUSY);
    assert_true(CLSORT_ERROR_HOST_MEMORY > CLSORT_ERROR_BUSY);
    assert_true(CLSORT_ERROR_DEVICE_MEMORY > CLSORT_ERROR_BUSY);
    assert_true(CLSORT_ERROR_BUILD > CLSORT_ERROR_BUSY);
    assert_true(CLSORT_ERROR_OPENCL > CLSORT_ERROR_BUSY);
}

static void expect_rising(const size_t *offsets, size_t num)
{
    assert_int_equal(offsets[0], 0);
    for (size_t i = 1; i < num; ++i)
        assert_true(offsets[i - 1] < offsets[i]);
}

#define EXPECT_RISING(offsets) expect_rising(offsets, sizeof(offsets) / sizeof *(offsets))

/* C++20's designated initialisers must follow the members' order. */
static void test_order_of_members(void **state)
{
    (void)state;
#define AT(member) offsetof(clsort_desc, member)
    const size_t descs[] = {
        AT(count),      AT(num_arrays),  AT(num_segments), AT(offset_size),  AT(type),
        AT(record),     AT(strings),     AT(num_columns),  AT(columns),      AT(order),
        AT(first_bit),  AT(end_bit),     AT(algorithm),    AT(stable),       AT(value_size),
        AT(num_values), AT(value_sizes), AT(index_size),   AT(out_of_place), AT(skip),
        AT(limit),      AT(operation),   AT(first_count),  AT(num_queries),  AT(reserved),
    };
#undef AT
    EXPECT_RISING(descs);
#define AT(member) offsetof(clsort_buffers, member)
    const size_t buffers[] = {
        AT(keys),        AT(columns),    AT(offsets),         AT(values),
        AT(values_list), AT(queries),    AT(keys_out),        AT(columns_out),
        AT(offsets_out), AT(values_out), AT(values_list_out), AT(indices),
        AT(lower),       AT(upper),      AT(result),          AT(scratch),
    };
#undef AT
    EXPECT_RISING(buffers);
#define AT(member) offsetof(clsort_arrays, member)
    const size_t arrays[] = {
        AT(keys),        AT(columns),         AT(offsets),     AT(values),
        AT(values_list), AT(keys_out),        AT(columns_out), AT(offsets_out),
        AT(values_out),  AT(values_list_out), AT(indices),
    };
#undef AT
    EXPECT_RISING(arrays);
    const clsort_desc zero = CLSORT_ZERO;
    assert_int_equal(sizeof zero.reserved / sizeof *zero.reserved, 6);
}

static void test_device_source(void **state)
{
    (void)state;
    const char *source = clsort_device_source();
    assert_non_null(source);
    const size_t length = strlen(source);
    assert_true(length > 1000);
    assert_true(source[length - 1] == '\n');
    assert_ptr_equal(source, clsort_device_source());
    assert_non_null(strstr(source, "CLSORT_NAME"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_struct_sizes),      cmocka_unit_test(test_version),
        cmocka_unit_test(test_status_texts),      cmocka_unit_test(test_types),
        cmocka_unit_test(test_algorithms),        cmocka_unit_test(test_zero_is_common),
        cmocka_unit_test(test_order_of_statuses), cmocka_unit_test(test_order_of_members),
        cmocka_unit_test(test_device_source),
    };
    return cmocka_run_group_tests_name("names", tests, NULL, NULL) ? 1 : 0;
}
