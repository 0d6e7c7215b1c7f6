/* operations_search.c: searches, with queries in any order and in order, and with a sample of the
 * keys. */
#include <stdlib.h>
#include <string.h>

#include "operations.h"
#include "support/tuning_case.h"

/* How many keys come before the query; with or_equal, how many do not come after it. */
static uint64_t place_of(const order *o, const void *keys, uint64_t count, const void *query,
                         int or_equal)
{
    uint64_t low = 0;
    for (uint64_t high = count; low < high;) {
        const uint64_t middle = (low + high) / 2;
        if (order_compare(o, order_key(o, keys, middle), query) < or_equal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Random keys and keys that occur; in order, if is_sorted. */
static void *make_queries(const order *o, const void *keys, uint64_t count, uint64_t num,
                          int is_sorted, uint64_t seed)
{
    rng r = {seed};
    const uint32_t size = order_key_size(o);
    unsigned char *queries = test_alloc(num * size);
    order_fill(o, queries, num, 0, seed);
    for (uint64_t i = 0; i < num && count; ++i)
        if (rng_below(&r, 2))
            memcpy(queries + i * size, order_key(o, keys, rng_below(&r, count)), size);
    if (is_sorted)
        order_keys(o, queries, num);
    return queries;
}

static void search_one(const fixture *fix, const order *o, clsort_desc shape, int is_sorted,
                       int wanted, uint64_t seed)
{
    const uint32_t size = order_key_size(o), index_size = shape.index_size;
    const uint64_t count = shape.count, num = shape.num_queries, num_arrays = shape.num_arrays;
    unsigned char *keys = sorted_arrays(o, count, num_arrays, (int)(seed & 1), seed);
    unsigned char *queries = test_alloc(num * num_arrays * size);
    unsigned char *lower = test_alloc(num * num_arrays * index_size);
    unsigned char *upper = test_alloc(num * num_arrays * index_size);
    for (uint64_t i = 0; i < num_arrays; ++i) {
        const unsigned char *array = keys + i * count * size;
        void *made = make_queries(o, array, count, num, is_sorted, seed + i);
        memcpy(queries + i * num * size, made, num * size);
        free(made);
        for (uint64_t at = i * num; at < (i + 1) * num; ++at) {
            const void *query = order_key(o, queries, at);
            number_store(lower, at, index_size, place_of(o, array, count, query, 0));
            number_store(upper, at, index_size, place_of(o, array, count, query, 1));
        }
    }
    guard source, asked, lower_out = {0}, upper_out = {0};
    order_guard(fix, &source, keys, count * num_arrays, size, order_alignment(o), seed);
    order_guard(fix, &asked, queries, num * num_arrays, size, order_alignment(o), seed + 1);
    if (wanted != 2)
        order_guard(fix, &lower_out, NULL, num * num_arrays, index_size, index_size, seed + 2);
    if (wanted != 1)
        order_guard(fix, &upper_out, NULL, num * num_arrays, index_size, index_size, seed + 3);
    shape.operation = CLSORT_OPERATION_SEARCH;
    order_run(fix, &shape,
              &(clsort_buffers){.keys = guard_buffer(&source),
                                .queries = guard_buffer(&asked),
                                .lower = guard_buffer(&lower_out),
                                .upper = guard_buffer(&upper_out)});
    if (wanted != 2)
        order_expect(fix, o, &lower_out, lower, num * num_arrays * index_size, "lower bounds");
    if (wanted != 1)
        order_expect(fix, o, &upper_out, upper, num * num_arrays * index_size, "upper bounds");
    order_expect_kept(fix, o, &source);
    order_expect_kept(fix, o, &asked);
    guard_free(&source);
    guard_free(&asked);
    guard_free(&lower_out);
    guard_free(&upper_out);
    free(keys);
    free(queries);
    free(lower);
    free(upper);
}

void test_search(void **state)
{
    const fixture *fix = fixture_of(state);
    for (uint32_t i = 0; i < num_orders; ++i)
        for (unsigned k = 0; k < NUM_OPERATION_SIZES; ++k)
            for (int is_sorted = 0; is_sorted < 2; ++is_sorted) {
                clsort_desc desc = orders[i].desc;
                if (leaves_out(fix, i, operation_sizes[k]))
                    continue;
                desc.count = operation_sizes[k];
                desc.num_arrays = k % 4 == 2 ? 3 : 1;
                desc.num_queries =
                    operation_sizes[(k * 5 + i) % (NUM_OPERATION_SIZES - 1) + (k != 0)];
                if (leaves_out(fix, 0, desc.num_queries))
                    desc.num_queries = 100;
                desc.index_size = i % 2 ? 8 : 4;
                search_one(fix, &orders[i], desc, is_sorted, (int)(k + i) % 3,
                           seed_mix(fix->seed, i * 100 + k * 2 + (unsigned)is_sorted));
            }
    for (int is_sorted = 0; is_sorted < 2; ++is_sorted)
        search_one(
            fix, &orders[0],
            (clsort_desc){.count = 100000, .num_arrays = 1, .num_queries = 30000, .index_size = 4},
            is_sorted, 0, fix->seed);
}

/* A sample of the keys side by side, which is for many queries of many keys. */
void test_search_sample(void **state)
{
    const fixture *fix = fixture_of(state);
    fixture_limit_to("cpu=0,host=0");
    const fixture own = fixture_with(fix, tuned_sorter(fix, "range sample_min=1 sample_share=2\n"));
    fixture_end_limit();
    for (uint32_t i = 0; i < num_orders; ++i)
        for (int is_sorted = 0; is_sorted < 2; ++is_sorted) {
            clsort_desc desc = orders[i].desc;
            if (leaves_out(fix, i, 0))
                continue;
            desc.count = 901;
            desc.num_arrays = 1 + i % 2;
            desc.num_queries = 300 - i;
            desc.index_size = i % 2 ? 8 : 4;
            desc.operation = CLSORT_OPERATION_SEARCH;
            if (!case_launches(own.sorter, &desc, "search_sample"))
                continue;
            search_one(&own, &orders[i], desc, is_sorted, (int)i % 3, fix->seed + i);
        }
    clsort_desc desc = {.count = 901, .num_queries = 300, .index_size = 4};
    desc.operation = CLSORT_OPERATION_SEARCH;
    assert_true(case_launches(own.sorter, &desc, "search_sample"));
    clsort_destroy(own.sorter);
}

/* Few queries of each of many arrays, several of which a work-group has. */
void test_search_short(void **state)
{
    const fixture *fix = fixture_of(state);
    fixture own = operations_as_gpu(fix);
    for (uint32_t i = 0; i < num_orders; ++i)
        for (uint32_t k = 0; k < NUM_SHORT_ARRAYS; ++k) {
            clsort_desc desc = orders[i].desc;
            if (leaves_out(fix, i, 0))
                continue;
            desc.num_queries = operation_arrays[k].count;
            desc.num_arrays = operation_arrays[k].num_arrays;
            desc.count = operation_sizes[(i + k) % 11];
            desc.index_size = i % 2 ? 8 : 4;
            search_one(&own, &orders[i], desc, (int)(k % 2), (int)(k + i) % 3,
                       seed_mix(fix->seed, i * 100 + k));
        }
    const clsort_desc rows = {.operation = CLSORT_OPERATION_SEARCH,
                              .count = 7,
                              .num_arrays = 1000,
                              .num_queries = 3,
                              .index_size = 4};
    assert_true(case_launches(own.sorter, &rows, "search_split"));
    assert_false(case_launches(own.sorter, &rows, "search_tiles"));
    operations_end(&own);
}

/* Rows of columns are looked for in empty arrays: all places are 0. */
void test_search_nothing(void **state)
{
    enum { NUM = 5 };
    const fixture *fix = fixture_of(state);
    const clsort_column column = {.type = CLSORT_U32};
    const clsort_desc desc = {.operation = CLSORT_OPERATION_SEARCH,
                              .num_arrays = 2,
                              .num_queries = NUM,
                              .num_columns = 1,
                              .columns = &column,
                              .index_size = 4};
    static const unsigned char zeros[2 * NUM * 4];
    guard asked, lower;
    order_guard(fix, &asked, NULL, 2 * NUM, 4, 4, fix->seed);
    order_guard(fix, &lower, NULL, 2 * NUM, 4, 4, fix->seed + 1);
    const clsort_buffer none = {0}, queries = guard_buffer(&asked);
    order_run(fix, &desc,
              &(clsort_buffers){
                  .columns = &none, .query_columns = &queries, .lower = guard_buffer(&lower)});
    order_expect(fix, &orders[0], &lower, zeros, sizeof zeros, "places in nothing");
    guard_free(&asked);
    guard_free(&lower);
}
