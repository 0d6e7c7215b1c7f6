/* Small arrays, which the calling thread sorts on the host: its result and the device's against the
 * oracle, and when arrays go to the device. */
#include <stdlib.h>
#include <string.h>

#include "support/allocations.h"
#include "support/calls.h"
#include "device/device.h"
#include "support/fixture.h"
#include "host_case.h"
#include "host/alone/items.h"
#include "support/job.h"
#include "tuning/tuning.h"

/* The largest number of elements that is sorted on the host. */
static uint64_t limit_of(const fixture *fix)
{
    struct device_facts facts;
    expect_status(device_query(fix->device, &facts), CLSORT_OK);
    const uint64_t limit = tuning_host_max(&facts, 0, 1);
    if (limit < 2)
        skip_because("CLSORT_LIMIT leaves nothing to the host");
    return limit;
}

/* Values of several sizes, then indices of 4 and 8 bytes. */
static const uint32_t value_sizes[] = {0, 4, 8, 1, 2, 3, 12, 16, 40};
enum {
    num_values = sizeof value_sizes / sizeof *value_sizes,
    num_payloads = num_values + 2,
};

static clsort_desc desc_of(uint64_t count, int type, int order, uint32_t payload)
{
    return (clsort_desc){
        .count = count,
        .type = (clsort_type)type,
        .order = (clsort_order)order,
        .value_size = payload < num_values ? value_sizes[payload] : 0,
        .index_size = payload < num_values    ? 0
                      : payload == num_values ? 4
                                              : 8,
    };
}

/* The types that the device sorts too. Each compiles kernels, and the oracle judges both
 * results. */
static int is_for_device(int type, int order)
{
    return type % 3 == 0 && order == type % 2;
}

/* The host's sort, and the device's, which must give the same bytes. */
static void run_both(const fixture *fix, const clsort_desc *desc, data_kind kind, uint64_t seed,
                     int on_device)
{
    /* The host sorts stably; the device does if its plan says so. */
    if (desc->count * (desc->num_arrays ? desc->num_arrays : 1) <= limit_of(fix))
        host_case_run_as(fix->sorter, desc, 1, kind, seed);
    else
        host_case_run(fix->sorter, desc, kind, seed);
    if (!on_device)
        return;
    clsort_desc named = *desc;
    named.algorithm = CLSORT_RADIX;
    named.stable = 1; /* only one result is right */
    host_case_run_as(fix->sorter, &named, 1, kind, seed);
}

/* As many as a CPU's sorter has always left to the host: more take the oracle long. */
static uint64_t few_of(uint64_t limit)
{
    return limit < 1 << 15 ? limit : 1 << 15;
}

static void test_everything(void **state)
{
    const fixture *fix = fixture_of(state);
    const uint64_t limit = limit_of(fix);
    const uint64_t many = few_of(limit);
    const uint64_t counts[] = {0, 1, 2, 3, 16, 17, 63, 64, 1000, many - 1, many, limit + 1};
    uint64_t turn = 0;
    for (int type = 0; type < CLSORT_NUM_TYPES; ++type)
        for (int order = 0; order < 2; ++order)
            for (uint32_t payload = 0; payload < num_payloads; ++payload) {
                const int chosen = is_for_device(type, order) &&
                                   payload == (uint32_t)(2 * type + order) % num_payloads;
                for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
                    clsort_desc desc = desc_of(counts[i], type, order, payload);
                    if (counts[i] > limit && !chosen)
                        continue; /* leaves these to the device */
                    const int num_places = desc.index_size ? 1 : 2;
                    const int num_kinds = counts[i] > 1000 ? 1 : counts[i] > 3 ? 4 : 1;
                    for (int place = 0; place < num_places; ++place)
                        for (int k = 0; k < num_kinds; ++k, ++turn) {
                            desc.out_of_place = (uint32_t)place;
                            run_both(fix, &desc, (data_kind)(turn % NUM_DATA_KINDS),
                                     seed_mix(fix->seed, turn), chosen && counts[i] <= limit);
                        }
                }
            }
}

/* Each shape of data, at sizes where the sort takes another path. */
static void test_every_shape(void **state)
{
    const fixture *fix = fixture_of(state);
    const uint64_t counts[] = {5, 16, 17, 300, 4097, few_of(limit_of(fix))};
    static const clsort_desc descs[] = {
        {.type = CLSORT_U32},
        {.type = CLSORT_F32, .order = CLSORT_DESCENDING},
        {.type = CLSORT_I64},
        {.type = CLSORT_F64, .value_size = 8},
        {.type = CLSORT_BF16, .index_size = 4},
    };
    for (size_t d = 0; d < sizeof descs / sizeof *descs; ++d)
        for (int kind = 0; kind < NUM_DATA_KINDS; ++kind)
            for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
                clsort_desc desc = descs[d];
                desc.count = counts[i];
                host_case_run_as(fix->sorter, &desc, 1, (data_kind)kind,
                                 seed_mix(fix->seed, (uint64_t)kind));
            }
}

static void test_bit_ranges(void **state)
{
    const fixture *fix = fixture_of(state);
    limit_of(fix);
    for (int type = 0; type < CLSORT_NUM_TYPES; ++type) {
        const uint32_t bits = 8 * clsort_type_size((clsort_type)type);
        const uint32_t ranges[][2] = {
            {0, 1}, {0, bits / 2}, {bits / 2, bits}, {bits - 1, bits}, {3, bits - 2}, {0, bits},
        };
        for (uint32_t r = 0; r < sizeof ranges / sizeof *ranges; ++r)
            for (uint32_t payload = 0; payload < num_payloads; payload += 1 + payload % 2)
                for (int order = 0; order < 2; ++order) {
                    clsort_desc desc = desc_of(777, type, order, payload);
                    desc.first_bit = ranges[r][0];
                    desc.end_bit = ranges[r][1];
                    desc.out_of_place = !desc.index_size && r % 2;
                    run_both(fix, &desc, r % 2 ? DATA_SPRINKLED : DATA_RANDOM, fix->seed + r,
                             payload == 0 && is_for_device(type, order) && r == (uint32_t)type % 6);
                }
    }
}

static void test_batches(void **state)
{
    const fixture *fix = fixture_of(state);
    const uint64_t limit = limit_of(fix);
    static const uint64_t counts[] = {1, 2, 7, 16, 100};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        for (uint32_t payload = 0; payload < num_payloads; ++payload)
            for (uint32_t place = 0; place < 2; ++place) {
                clsort_desc desc = desc_of(counts[i], (int)(payload + place) % CLSORT_NUM_TYPES,
                                           (int)place, payload);
                desc.num_arrays = limit / counts[i] < 300 ? limit / counts[i] : 300;
                desc.out_of_place = !desc.index_size && place;
                run_both(fix, &desc, DATA_SPRINKLED, fix->seed + payload, payload == 1);
            }
}

/* Arrays that several threads sort together, in each way. */
static void test_threads(void **state)
{
    const fixture *fix = fixture_of(state);
    static const uint32_t threads[] = {2, 3, 16};
    static const clsort_desc descs[] = {
        {.type = CLSORT_U32},
        {.type = CLSORT_U64, .out_of_place = 1},
        {.type = CLSORT_F32, .order = CLSORT_DESCENDING},
        {.type = CLSORT_F64, .out_of_place = 1},
        {.type = CLSORT_I16},
        {.type = CLSORT_U32, .value_size = 12},
        {.type = CLSORT_F64, .value_size = 8, .out_of_place = 1},
        {.type = CLSORT_F32, .index_size = 4},
        {.type = CLSORT_I64, .index_size = 8},
    };
    limit_of(fix);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; ++t) {
        expect_status(clsort_set_host_threads(fix->sorter, threads[t]), CLSORT_OK);
        for (size_t d = 0; d < sizeof descs / sizeof *descs; ++d)
            for (int kind = (int)t; kind < NUM_DATA_KINDS; kind += 3) {
                clsort_desc desc = descs[d];
                desc.count = (1 << 18) + d; /* fewer are the calling thread's */
                host_case_run_as(fix->sorter, &desc, clsort_sorts_on_host(fix->sorter, &desc),
                                 (data_kind)kind, seed_mix(fix->seed, (uint64_t)kind));
            }
    }
    expect_status(clsort_set_host_threads(fix->sorter, 0), CLSORT_OK);
}

/* Some places of the order are those of the whole order. */
static void check_places(const fixture *fix, const clsort_desc *whole, uint64_t skip,
                         uint64_t limit)
{
    const uint64_t count = whole->count;
    clsort_desc some = *whole;
    uint64_t *keys = test_alloc(count * sizeof *keys), *sorted = test_alloc(count * sizeof *sorted);
    uint64_t *part = test_alloc(count * sizeof *part);
    uint32_t *order = test_alloc(count * sizeof *order),
             *places = test_alloc(count * sizeof *order);
    for (uint64_t i = 0; i < count; ++i)
        keys[i] = seed_mix(fix->seed, i) >> (i % 3 ? 0 : 58) & 0x3fffffff3fffffff;
    some.skip = skip;
    some.limit = limit;
    clsort_arrays arrays = {.keys = keys, .keys_out = sorted, .indices = order};
    assert_true(clsort_sorts_on_host(fix->sorter, &some));
    expect_status(clsort_sort(fix->sorter, whole, &arrays), CLSORT_OK);
    arrays.keys_out = part;
    arrays.indices = places;
    expect_status(clsort_sort(fix->sorter, &some, &arrays), CLSORT_OK);
    const size_t size = clsort_type_size(whole->type);
    assert_memory_equal(places, order + skip, limit * sizeof *order);
    assert_memory_equal(part, (char *)sorted + skip * size, limit * size);
    free(keys);
    free(sorted);
    free(part);
    free(order);
    free(places);
}

static void test_places(void **state)
{
    const fixture *fix = fixture_of(state);
    static const clsort_type types[] = {CLSORT_U8, CLSORT_F32, CLSORT_I64, CLSORT_F64};
    const uint64_t count = few_of(limit_of(fix));
    for (size_t t = 0; t < sizeof types / sizeof *types; ++t) {
        const clsort_desc whole = {
            .count = count, .type = types[t], .index_size = 4, .out_of_place = 1, .stable = 1};
        check_places(fix, &whole, 0, 1);
        check_places(fix, &whole, 0, count / 50);
        check_places(fix, &whole, count / 2, 100);
        check_places(fix, &whole, count - 9, 9);
    }
}

/* A CPU's sorter leaves all numbers to vectors of as many threads as it has compute units. */
static void test_limit_of_threads(void **state)
{
    const fixture *fix = fixture_of(state);
    struct device_facts facts;
    const struct host_sorts *sorts;
    const clsort_desc desc = {.count = UINT32_MAX, .type = CLSORT_F32};
    limit_of(fix);
    expect_status(device_query(fix->device, &facts), CLSORT_OK);
    host_sorts_list(&sorts);
    if (facts.class != DEVICE_CPU || facts.num_units > 16 || !sorts->vectors_32 ||
        facts.host_limit < UINT32_MAX)
        skip_because("this needs a CPU of up to 16 units, with vectors");
    assert_false(clsort_sorts_on_host(fix->sorter, &desc));
    expect_status(clsort_set_host_threads(fix->sorter, facts.num_units), CLSORT_OK);
    assert_true(clsort_sorts_on_host(fix->sorter, &desc));
    expect_status(clsort_set_host_threads(fix->sorter, 0), CLSORT_OK);
}

/* Sorts keys with this call and returns the number of OpenCL calls that it makes. */
static unsigned calls_of(clsort_sorter *sorter, const clsort_desc *desc)
{
    const uint64_t size = desc->count * (desc->num_arrays ? desc->num_arrays : 1);
    uint8_t *keys = test_alloc(size);
    const clsort_arrays arrays = {.keys = keys};
    for (uint64_t i = 0; i < size; ++i)
        keys[i] = (uint8_t)(200 - i % 200);
    calls_start();
    expect_status(clsort_sort(sorter, desc, &arrays), CLSORT_OK);
    calls_stop();
    for (uint64_t i = 1; i < desc->count; ++i)
        assert_true(keys[i - 1] <= keys[i]);
    free(keys);
    return calls_total();
}

/* Up to the limit, for all arrays of a call together, no OpenCL call is made; above it, some
 * are. */
static void test_limit(void **state)
{
    const fixture *fix = fixture_of(state);
    const uint64_t limit = limit_of(fix);
    const clsort_desc few = {.count = 3, .type = CLSORT_U8};
    const clsort_desc most = {.count = limit, .type = CLSORT_U8};
    const clsort_desc more = {.count = limit + 1, .type = CLSORT_U8};
    const clsort_desc batch = {.count = 2, .num_arrays = limit / 2, .type = CLSORT_U8};
    const clsort_desc more_arrays = {.count = 2, .num_arrays = limit / 2 + 1, .type = CLSORT_U8};
    assert_int_equal(calls_of(fix->sorter, &few), 0);
    assert_int_equal(calls_of(fix->sorter, &most), 0);
    assert_int_equal(calls_of(fix->sorter, &batch), 0);
    assert_true(calls_of(fix->sorter, &more) > 0);
    assert_true(calls_of(fix->sorter, &more_arrays) > 0);
    for (int algorithm = CLSORT_AUTO + 1; algorithm < CLSORT_NUM_ALGORITHMS; ++algorithm) {
        clsort_desc named = few;
        named.algorithm = (clsort_algorithm)algorithm;
        assert_true(calls_of(fix->sorter, &named) > 0);
    }
}

/* The limit is higher for 32-bit keys alone, if this processor sorts them by vectors. */
static void test_limit_of_vectors(void **state)
{
    const fixture *fix = fixture_of(state);
    limit_of(fix);
    struct device_facts facts;
    const struct host_sorts *sorts;
    expect_status(device_query(fix->device, &facts), CLSORT_OK);
    host_sorts_list(&sorts);
    const uint64_t limit = tuning_host_max(&facts, sorts->vectors_32 != NULL, 1);
    clsort_desc desc = {.count = limit, .type = CLSORT_I32, .order = CLSORT_DESCENDING};
    assert_true(clsort_sorts_on_host(fix->sorter, &desc));
    host_case_run_as(fix->sorter, &desc, 1, DATA_RANDOM, fix->seed);
    host_case_run_as(fix->sorter, &desc, 1, DATA_FEW, fix->seed);
    desc.count = limit + 1;
    assert_false(clsort_sorts_on_host(fix->sorter, &desc));
    desc = (clsort_desc){.count = limit_of(fix) + 1, .value_size = 4};
    assert_false(clsort_sorts_on_host(fix->sorter, &desc));
}

/* Without a sorter there is no context up to another, higher limit. */
static void test_without_sorter(void **state)
{
    const fixture *fix = fixture_of(state);
    struct device_facts facts;
    expect_status(device_none(&facts), CLSORT_OK);
    const uint64_t limit = tuning_host_max(&facts, 0, 1);
    assert_true(limit >= limit_of(fix));
    const clsort_desc most = {.count = limit, .type = CLSORT_U8};
    const clsort_desc more = {.count = limit + 1, .type = CLSORT_U8};
    assert_int_equal(calls_of(NULL, &most), 0);
    assert_true(calls_of(NULL, &more) > 0);
    const clsort_desc keys = {.count = limit, .type = CLSORT_F32};
    const clsort_desc pairs = {.count = limit / 4, .type = CLSORT_F64, .value_size = 12};
    host_case_run_as(NULL, &keys, 1, DATA_RANDOM, fix->seed);
    host_case_run_as(NULL, &keys, 1, DATA_BORDERS, fix->seed);
    host_case_run_as(NULL, &pairs, 1, DATA_SPRINKLED, fix->seed);
}

/* CLSORT_LIMIT's host=N, with a sorter created afterwards and without one. */
static void test_lowered(void **state)
{
    const fixture *fix = fixture_of(state);
    limit_of(fix);
    const clsort_desc few = {.count = 3, .type = CLSORT_U8};
    const clsort_desc many = {.count = 4, .type = CLSORT_U8};
    fixture_limit_to("host=3");
    clsort_sorter *sorter = sorter_create(fix);
    assert_int_equal(calls_of(sorter, &few), 0);
    assert_int_equal(calls_of(NULL, &few), 0);
    assert_true(calls_of(sorter, &many) > 0);
    assert_true(calls_of(NULL, &many) > 0);
    clsort_destroy(sorter);
    fixture_limit_to("host=0");
    sorter = sorter_create(fix);
    assert_true(calls_of(sorter, &few) > 0);
    assert_true(calls_of(NULL, &few) > 0);
    clsort_destroy(sorter);
    fixture_end_limit();
}

/* If memory runs out on the host, the device sorts. */
static void test_no_memory(void **state)
{
    const fixture *fix = fixture_of(state);
    limit_of(fix);
    const clsort_desc keys = {.count = 99, .type = CLSORT_U8};
    const clsort_desc range = {.count = 99, .type = CLSORT_U8, .end_bit = 8};
    const clsort_desc part = {.count = 99, .type = CLSORT_U8, .first_bit = 1, .end_bit = 8};
    const clsort_desc *const descs[] = {&keys, &range, &part};
    for (size_t i = 0; i < sizeof descs / sizeof *descs; ++i) {
        uint8_t sorted[99];
        for (int k = 0; k < 99; ++k)
            sorted[k] = (uint8_t)(200 - 2 * k);
        const clsort_arrays arrays = {.keys = sorted};
        calls_start();
        allocations.left = 1;
        expect_status(clsort_sort(fix->sorter, descs[i], &arrays), CLSORT_OK);
        calls_stop();
        assert_int_equal(allocations.left, 0);
        assert_true(calls_total() > 0);
        for (int k = 0; k < 99; ++k)
            assert_int_equal(sorted[k], 4 + 2 * k);
    }
}

/* The step times of an earlier sort are not reported for this one. */
static void test_no_times(void **state)
{
    const fixture *fix = fixture_of(state);
    limit_of(fix);
    const clsort_desc desc = {.count = 100};
    job j;
    cl_event event = NULL;
    double seconds[64];
    uint32_t num_steps = 0;
    expect_status(clsort_set_timing(fix->sorter, 1), CLSORT_OK);
    assert_int_equal(job_init(&j, fix->context, &desc, fix->seed), 0);
    expect_status(job_enqueue(&j, fix->sorter, fix->queue, 0, NULL, &event), CLSORT_OK);
    expect_complete(event);
    expect_status(clsort_get_timing(fix->sorter, seconds, 64, &num_steps), CLSORT_OK);
    assert_true(num_steps >= 1);
    host_case_run(fix->sorter, &desc, DATA_RANDOM, fix->seed);
    expect_status(clsort_get_timing(fix->sorter, seconds, 64, &num_steps), CLSORT_ERROR_NO_TIMING);
    assert_int_equal(num_steps, 0);
    expect_status(clsort_set_timing(fix->sorter, 0), CLSORT_OK);
    job_free(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything),
        cmocka_unit_test(test_every_shape),
        cmocka_unit_test(test_bit_ranges),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_limit_of_vectors),
        cmocka_unit_test(test_without_sorter),
        cmocka_unit_test(test_lowered),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_no_times),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_limit_of_threads),
    };
    fixture_with_host();
    return fixture_run("host_sort", tests, sizeof tests / sizeof tests[0]);
}
