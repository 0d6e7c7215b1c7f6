/* test_host_items.c: the sorts of the calling thread, for each kind of processor that this one can
 * play, against qsort(); and the bins of the CPUs' radix sort, as C. Needs no device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cpu_as_c.h"
#include "host/alone/items.h"

/* With levels == 0 the vectors' quicksort gives up. Data seldom make it do so. */
#define host_vectors_32 own_vectors_32
extern const struct host_vectors own_vectors_32;
#include "../../../src/host/alone/vectors_32.c"
#undef host_vectors_32

/* More than what is worth several threads, in both widths. */
enum { SHARED_64 = HOST_SHARED_MIN / 8, SHARED_32 = 2 * SHARED_64 };
enum { MAX_COUNT = SHARED_32 + 10007, LONG_COUNT = 70000, GUARD = 32 };

enum data { RANDOM, FEW, EQUAL, ASCENDING, DESCENDING_DATA, HIGHEST, HALF_EQUAL, NEARBY, NUM_DATA };

static uint64_t state = 0x9e3779b97f4a7c15u;
static uint64_t random_64(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1du;
}

/* Number i of `count`. In its lower half it repeats the upper one, so that 32 bits are as good. */
static uint64_t number_of(enum data data, uint32_t i, uint32_t count)
{
    const uint64_t random = random_64() >> 32;
    const uint64_t numbers[NUM_DATA] = {
        [RANDOM] = random,
        [FEW] = random % 5,
        [EQUAL] = 7,
        [ASCENDING] = i / 3,
        [DESCENDING_DATA] = (count - i) / 2,
        [HIGHEST] = random % 3 ? UINT32_MAX : random,
        [HALF_EQUAL] = random % 2 ? 1000 : random,
        [NEARBY] = i + random % 8,
    };
    return numbers[data] << 32 | numbers[data];
}

static int compare_64(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t expected[MAX_COUNT], input[MAX_COUNT], items_64[2 * MAX_COUNT + GUARD];
static uint32_t items_32[2 * MAX_COUNT + GUARD];
static struct host_pair pairs[2 * MAX_COUNT];

/* Fills the input and what must come out. */
static void make(enum data data, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        input[i] = expected[i] = number_of(data, i, count);
    qsort(expected, count, sizeof *expected, compare_64);
}

/* Numbers that begin in the middle of a word, between others. */
static void check_here(const struct host_sorts *sorts, uint32_t count)
{
    char *const at = (char *)items_64 + 3;
    memset(items_64, 0x5a, (count + GUARD) * sizeof *items_64);
    memcpy(at, input, count * sizeof *input);
    if (sorts->vectors_64) {
        sorts->vectors_64->sort(at, count);
        assert_memory_equal(at, expected, count * sizeof *expected);
    }
    assert_int_equal(at[-1], 0x5a);
    assert_int_equal(at[count * sizeof *input], 0x5a);
    memset(items_32, 0x5a, (count + GUARD) * sizeof *items_32);
    for (uint32_t i = 0; i < count; ++i)
        items_32[i + 1] = (uint32_t)input[i];
    sorts->vectors_32->sort(items_32 + 1, count);
    for (uint32_t i = 0; i < count; ++i)
        assert_int_equal(items_32[i + 1], (uint32_t)expected[i]);
    assert_int_equal(items_32[0], 0x5a5a5a5a);
    assert_int_equal(items_32[count + 1], 0x5a5a5a5a);
}

static void check_numbers(const struct host_sorts *sorts, uint32_t count)
{
    for (uint32_t i = 0; i < 2 * count + GUARD; ++i) {
        items_64[i] = i < count ? input[i] : ~(uint64_t)i;
        items_32[i] = (uint32_t)items_64[i];
    }
    const uint64_t *sorted_64 = sorts->sort_64(items_64, items_64 + count, count);
    assert_memory_equal(sorted_64, expected, count * sizeof *expected);
    const uint32_t *sorted_32 = host_items_sort_32(items_32, items_32 + count, count);
    for (uint32_t i = 0; i < count; ++i)
        assert_int_equal(sorted_32[i], (uint32_t)expected[i]);
    for (uint32_t i = 2 * count; i < 2 * count + GUARD; ++i) {
        assert_int_equal(items_64[i], ~(uint64_t)i);
        assert_int_equal(items_32[i], (uint32_t)~i);
    }
}

static void check_pairs(const struct host_sorts *sorts, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        pairs[i] = (struct host_pair){input[i], i};
    const struct host_pair *sorted = sorts->sort_pairs(pairs, pairs + count, count);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(sorted[i].x, expected[i]);
        assert_int_equal(input[sorted[i].y], expected[i]);
        if (i > 0 && sorted[i].x == sorted[i - 1].x)
            assert_true(sorted[i].y > sorted[i - 1].y);
    }
}

/* A number's lower half, below its highest bit if `apart`. */
static uint64_t lower_half(uint64_t number, int apart)
{
    return (apart ? number >> 63 << 63 : 0) | number >> 32;
}

/* The order of keys whose bits are all joined with an index, and of those that agree in the bits
 * that are. */
static void check_order(const struct host_sorts *sorts, uint32_t count)
{
    static uint64_t keys[LONG_COUNT];
    static uint32_t order[LONG_COUNT];
    for (int apart = 0; apart <= 1; ++apart) {
        for (uint32_t i = 0; i < count; ++i)
            keys[i] = lower_half(input[i], apart);
        struct host_joined joined = {.keys = keys, .numbers = items_64, .count = count};
        sorts->order->begin(&joined, apart ? 64 : 32);
        sorts->vectors_64->sort(items_64, count);
        sorts->order->end(&joined, order);
        for (uint32_t i = 0; i < count; ++i) {
            assert_int_equal(keys[order[i]], lower_half(expected[i], apart));
            if (i > 0 && keys[order[i]] == keys[order[i - 1]])
                assert_true(order[i] > order[i - 1]);
        }
    }
}

/* Numbers that are made of the input, once each, and turned again when they are in order. */
static void turn(void *argument, size_t begin, size_t end)
{
    const struct host_vectors *vectors = argument;
    for (size_t i = begin; i < end; ++i) {
        if (vectors->size == 8)
            items_64[i] = ~items_64[i];
        else
            items_32[i] = ~items_32[i];
    }
}

/* By several threads, and as a selection. */
static void check_parallel(const struct host_vectors *vectors, uint32_t count, uint32_t num_threads)
{
    void *numbers = vectors->size == 8 ? (void *)items_64 : items_32;
    struct host_numbers all = {vectors, numbers, count, turn, turn, (void *)vectors};
    for (int turns = 0; turns <= 1; ++turns) {
        for (uint32_t i = 0; i < count; ++i) {
            items_64[i] = turns ? ~input[i] : input[i];
            items_32[i] = (uint32_t)items_64[i];
        }
        all.prepare = turns ? turn : NULL;
        all.finish = turns ? turn : NULL;
        host_parallel_sort(&all, num_threads);
        for (uint32_t i = 0; i < count; ++i) {
            const uint64_t right = turns ? ~expected[i] : expected[i];
            if (vectors->size == 8)
                assert_int_equal(items_64[i], right);
            else
                assert_int_equal(items_32[i], (uint32_t)right);
        }
    }
}

static void check_select(const struct host_vectors *vectors, uint32_t count)
{
    const uint32_t firsts[] = {0, count / 2, count - count / 5};
    for (size_t f = 0; f < sizeof firsts / sizeof *firsts; ++f) {
        const uint32_t first = firsts[f], end = first + count / 100 + 1;
        for (uint32_t i = 0; i < count; ++i)
            items_64[i] = input[i];
        host_select(vectors, items_64, count, first, end);
        assert_memory_equal(items_64 + first, expected + first, (end - first) * sizeof *expected);
    }
}

static void test_parallel(void **test_state)
{
    (void)test_state;
    static const uint32_t counts[] = {SHARED_64 - 1, SHARED_64, SHARED_32 - 1, SHARED_32,
                                      MAX_COUNT};
    const struct host_sorts *list;
    host_sorts_list(&list);
    for (enum data data = 0; data < NUM_DATA; ++data) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
            make(data, counts[i]);
            for (uint32_t num_threads = 1; num_threads <= 40; num_threads += num_threads) {
                if (list->vectors_32)
                    check_parallel(list->vectors_32, counts[i], num_threads + 1);
                if (list->vectors_64)
                    check_parallel(list->vectors_64, counts[i], num_threads);
            }
            if (list->vectors_64)
                check_select(list->vectors_64, counts[i]);
        }
    }
}

static void check(uint32_t count)
{
    const struct host_sorts *list;
    const int num = host_sorts_list(&list);
    assert_true(num >= 1);
    for (enum data data = 0; data < NUM_DATA; ++data) {
        make(data, count);
        for (int i = 0; i < num; ++i) {
            check_numbers(&list[i], count);
            check_pairs(&list[i], count);
            if (list[i].vectors_32)
                check_here(&list[i], count);
            if (list[i].order)
                check_order(&list[i], count);
        }
    }
}

/* Around every number of vectors and rows that a leaf may have, and a few partitions. */
static void test_short(void **test_state)
{
    (void)test_state;
    for (uint32_t count = 1; count <= 600; ++count)
        check(count);
}

static void test_long(void **test_state)
{
    (void)test_state;
    static const uint32_t counts[] = {1023, 1024, 4095, 4096, 4159, 10007, 65535, LONG_COUNT};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        check(counts[i]);
}

/* The best kind for this processor comes first, and the plain one last. */
static void test_list(void **test_state)
{
    (void)test_state;
    const struct host_sorts *list;
    const int num = host_sorts_list(&list);
    assert_string_equal(list[num - 1].name, "plain");
    for (int i = 0; i < num; ++i)
        printf("this processor can run: %s\n", list[i].name);
}

#if HOST_HAS_X86
/* Bad pivots: after any number of levels the rest is sorted in the other way. */
static void test_levels(void **test_state)
{
    (void)test_state;
    const struct host_sorts *list;
    host_sorts_list(&list);
    if (strcmp(list->name, "avx512") != 0)
        skip();
    const uint32_t count = 20000;
    for (int levels = 0; levels < 6; ++levels) {
        for (enum data data = 0; data < NUM_DATA; ++data) {
            make(data, count);
            for (uint32_t i = 0; i < count; ++i)
                items_32[i] = (uint32_t)input[i];
            sort_parts((host_u32 *)items_32, count, levels);
            for (uint32_t i = 0; i < count; ++i)
                assert_int_equal(items_32[i], (uint32_t)expected[i]);
        }
    }
}
#endif

enum { BINS_BITS = 20, BINS_COUNT = 1 << BINS_BITS };

static uint32_t many[BINS_COUNT];

/* Keys with a period of a power of two, or of which every n-th, n a power of two, is the
 * smallest: a sample in equal steps takes all for equal, and one bin gets them. */
static void test_periods(void **test_state)
{
    (void)test_state;
    for (int bits = 4; bits < BINS_BITS; ++bits) {
        const uint32_t period = (uint32_t)1 << bits;
        for (uint32_t i = 0; i < BINS_COUNT; ++i)
            many[i] = i % period << (32 - bits);
        assert_true(bins_fullest(many, BINS_COUNT) <= BINS_COUNT / 16);
        for (uint32_t i = 0; i < BINS_COUNT; ++i)
            many[i] = i % period ? (uint32_t)random_64() : 0;
        assert_true(bins_fullest(many, BINS_COUNT) <= BINS_COUNT / 8);
    }
}

/* Nearly all keys are one: it has a bin of its own, wherever it lies. */
static void test_frequent(void **test_state)
{
    (void)test_state;
    const uint32_t frequent[] = {0, 1, 1000, 1u << 31, UINT32_MAX - 1, UINT32_MAX};
    for (size_t f = 0; f < sizeof frequent / sizeof *frequent; ++f) {
        uint64_t num = 0;
        for (uint32_t i = 0; i < BINS_COUNT; ++i) {
            const uint32_t key = i % 20000 == 1 ? (uint32_t)random_64() : frequent[f];
            many[i] = key;
            num += key == frequent[f];
        }
        assert_int_equal(bins_fullest(many, BINS_COUNT), num);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_short),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_parallel),
        cmocka_unit_test(test_periods),
        cmocka_unit_test(test_frequent),
#if HOST_HAS_X86
        cmocka_unit_test(test_levels),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
