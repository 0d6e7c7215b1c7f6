/* The primitives that kernels are made of, cl/group_ and cl/device_. Small kernels in
 * primitives/ call each of them, and a plain reference in C judges the results: sizes around the
 * group and the tile, random and adverse data, with sub-groups if the device has them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "primitives/bench.h"
#include "primitives/between.h"

/* ---- Scans ----------------------------------------------------------------------------------- */

/* The exclusive scan, twice, of n numbers by a kernel of scan.cl. */
static void check_twice(bench *b, const char *kernel, uint32_t n)
{
    bench_run(b, kernel, 1, n, n + 1, n, 0);
    memcpy(b->expected, b->in, 4 * (size_t)n);
    for (uint32_t round = 0; round < 2; ++round)
        for (uint32_t k = 0, sum = 0; k < n; ++k) {
            const uint32_t value = b->expected[k];
            b->expected[k] = sum;
            sum += value;
        }
    bench_expect(b, 0, n);
}

static void check_exclusive(bench *b)
{
    const uint32_t group = b->s->group_size;
    const uint32_t sizes[] = {0, 1, group - 1, group, group + 1, 3 * group + 5, 4 * group};
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        bench_fill(b, bench_kinds[i % num_bench_kinds], 4 * group, i);
        check_twice(b, "exclusive", sizes[i]);
    }
}

static void check_scans(bench *b)
{
    const uint32_t group = b->s->group_size, tile = bench_tile(b->s);
    for (uint32_t k = 0; k < num_bench_kinds; ++k) {
        uint64_t wide = 0;
        bench_fill(b, bench_kinds[k], tile, k);
        bench_run(b, "before", 1, group, group, group, 0);
        for (uint32_t i = 0, sum = 0; i < group; sum += b->in[i++])
            b->expected[i] = sum;
        bench_expect(b, 0, group);
        bench_run(b, "wide", 1, group, 2 * group + 2, group, 0);
        for (uint32_t i = 0; i <= group; ++i) {
            b->expected[2 * i] = (uint32_t)wide;
            b->expected[2 * i + 1] = (uint32_t)(wide >> 32);
            wide += (uint64_t)b->in[i] * b->in[i];
        }
        bench_expect(b, 0, 2 * group + 2);
        for (uint32_t i = 0; i < tile; ++i)
            b->in[i] = b->in[i] % (65536 / tile);
        bench_run(b, "rows", 1, tile, tile, tile, 0);
        for (uint32_t i = 0, sum = 0; i < tile; sum += b->in[i++])
            b->expected[i] = sum;
        bench_expect(b, 0, tile);
    }
    check_exclusive(b);
    bench_fill(b, bench_kinds[0], 8 * group, 8);
}

static void test_scan(void **state)
{
    bench_shapes(state, "scan.cl", "", check_scans);
}

/* ---- A tile: loads, counts, ranks, writes ---------------------------------------------------- */

static uint32_t digit_of(const bench *b, uint32_t key)
{
    return key >> (32 - b->s->radix_bits);
}

static void check_loads(bench *b, uint32_t n)
{
    const uint32_t tile = bench_tile(b->s), group = b->s->group_size, items = b->s->items;
    const uint32_t subgroup = b->s->subgroup ? b->s->subgroup : 1;
    for (uint32_t arrangement = 0; arrangement < 3; ++arrangement) {
        bench_run(b, "load", 1, n, tile, n, arrangement);
        for (uint32_t me = 0; me < group; ++me)
            for (uint32_t i = 0; i < items; ++i) {
                const uint32_t run_begin = me / subgroup * subgroup * items;
                const uint32_t slot = arrangement == 0   ? i * group + me
                                      : arrangement == 1 ? me * items + i
                                                         : run_begin + i * subgroup + me % subgroup;
                b->expected[me * items + i] = slot < n ? b->in[slot] : 0xfffffffe;
            }
        bench_expect(b, 0, tile);
    }
}

/* begins[digit]: elements with lower digits, of the first n and `padding` more of the last
 * digit. */
static void count_digits(const bench *b, uint32_t n, uint32_t *begins)
{
    const uint32_t radix = 1u << b->s->radix_bits;
    memset(begins, 0, 4 * (radix + (size_t)1));
    for (uint32_t i = 0; i < n; ++i)
        ++begins[digit_of(b, b->in[i]) + 1];
    for (uint32_t digit = 0; digit < radix; ++digit)
        begins[digit + 1] += begins[digit];
}

static void check_ranks(bench *b, uint32_t n)
{
    const uint32_t tile = bench_tile(b->s), radix = 1u << b->s->radix_bits;
    uint32_t begins[257], next[257];
    count_digits(b, n, begins);
    memcpy(next, begins, sizeof next);
    bench_run(b, "rank", 1, n, tile + radix, n, 0);
    for (uint32_t slot = 0; slot < tile; ++slot)
        b->expected[slot] = next[slot < n ? digit_of(b, b->in[slot]) : radix - 1]++;
    memcpy(b->expected + tile, begins, 4 * (size_t)radix);
    bench_expect(b, 0, tile + radix);
}

static void check_scatter(bench *b, uint32_t n)
{
    const uint32_t radix = 1u << b->s->radix_bits;
    bench_run(b, "scatter", 1, n, n + 1, n, 0);
    uint32_t at = 0;
    for (uint32_t digit = radix; digit-- > 0;)
        for (uint32_t i = 0; i < n; ++i)
            if (digit_of(b, b->in[i]) == digit)
                b->expected[at++] = b->in[i];
    bench_expect(b, 0, n);
}

static void check_tile(bench *b)
{
    uint32_t sizes[16];
    const uint32_t num = bench_sizes(b->s, bench_tile(b->s), sizes);
    for (uint32_t i = 0; i < num; ++i)
        for (uint32_t k = 0; k < num_bench_kinds; ++k) {
            if (k % 3 != i % 3 &&
                sizes[i] != bench_tile(b->s)) /* each kind with every third size */
                continue;
            bench_fill(b, bench_kinds[k], sizes[i], k);
            check_loads(b, sizes[i]);
            check_ranks(b, sizes[i]);
            check_scatter(b, sizes[i]);
        }
}

static void test_tile(void **state)
{
    bench_shapes(state, "tile.cl", "", check_tile);
}

/* ---- Merging --------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* n items: a key of 16 bits, its number below it; in two runs in order. */
static void make_runs(bench *b, uint32_t n, uint32_t first_size)
{
    for (uint32_t i = 0; i < n; ++i)
        b->in[i] = (b->in[i] & 0xffff0000) | i;
    qsort(b->in, first_size, 4, compare_numbers);
    qsort(b->in + first_size, n - first_size, 4, compare_numbers);
    for (uint32_t i = 0; i < n; ++i) /* so that the first bench_run's come first among equals */
        b->in[i] = (b->in[i] & 0xffff0000) | i;
    memcpy(b->expected, b->in, 4 * (size_t)n);
    qsort(b->expected, n, 4, compare_numbers);
}

static void check_merges(bench *b)
{
    uint32_t sizes[16];
    const uint32_t num = bench_sizes(b->s, bench_tile(b->s), sizes);
    for (uint32_t i = 0; i < num; ++i) {
        const uint32_t n = sizes[i];
        const uint32_t firsts[] = {0, n / 3, n / 2, n};
        for (uint32_t k = 0; k < 4; ++k) {
            bench_fill(b, bench_kinds[(i + k) % num_bench_kinds], n, k);
            make_runs(b, n, firsts[k]);
            bench_run(b, "merge", 1, n, n + 1, n, firsts[k]);
            bench_expect(b, 0, n);
            uint32_t from_first =
                0; /* from items of the merge to how many are the first bench_run's */
            for (uint32_t d = 0; d < n; ++d) {
                const uint32_t is_first = (b->expected[d] & 0xffff) < firsts[k];
                b->expected[d] = from_first;
                from_first += is_first;
            }
            b->expected[n] = from_first;
            bench_run(b, "path", 1, n, n + 1, n, firsts[k]);
            bench_expect(b, 0, n + 1);
        }
        for (uint32_t k = 0; k < num_bench_kinds; ++k) {
            bench_fill(b, bench_kinds[k], n, k);
            for (uint32_t j = 0; j < n; ++j)
                b->in[j] = b->expected[j] = (b->in[j] & 0xffff0000) | j;
            qsort(b->expected, n, 4, compare_numbers);
            bench_run(b, "sort", 1, n, n + 1, n, 0);
            bench_expect(b, 0, n);
        }
    }
}

static void test_merge(void **state)
{
    bench_shapes(state, "merge.cl", "", check_merges);
}

static void test_merge_slots(void **state)
{
    bench_shapes(state, "merge.cl", "-D MERGE_BY_SLOTS", check_merges);
}

/* ---- Bins ------------------------------------------------------------------------------------ */

enum { MAX_RANKED = 100 };

static void check_bins_of(bench *b, uint32_t words, uint32_t max_ranked)
{
    uint32_t sizes[16];
    const uint32_t num = bench_sizes(b->s, bench_tile(b->s), sizes);
    for (uint32_t i = 0; i < num; ++i) {
        const uint32_t n = sizes[i];
        for (uint32_t k = 0; k < num_bench_kinds; ++k) {
            bench_fill(b, bench_kinds[k], n, k);
            memcpy(b->expected, b->in, 4 * (size_t)n);
            qsort(b->expected, n, 4, compare_numbers);
            for (uint32_t j = n; j-- > 0;) {
                const uint32_t key = b->expected[j];
                b->expected[1 + words * j] = key;
                if (words == 2)
                    b->expected[2 + words * j] = 0x9e3779b9u * key;
            }
            bench_run(b, "bins", 1, n, 1 + words * n, n, 0);
            bench_expect(b, 1, words * n);
            /* Nothing crowds random bins; equal keys always do where there is more than a word's
             * late ones. 1 is BIN_SORTED, 2 is BIN_IN_WORDS. */
            const uint32_t crowded = n - 1 <= max_ranked ? 2 : 0;
            if (bench_kinds[k] == DATA_RANDOM && b->out[0] != 1)
                bench_fail(b, 0, b->out[0], 1);
            if (bench_kinds[k] == DATA_EQUAL && n > 40 && b->out[0] != crowded)
                bench_fail(b, 0, b->out[0], crowded);
        }
    }
}

static void check_bins(bench *b)
{
    check_bins_of(b, 1, 0);
}

static void check_bins_wide(bench *b)
{
    check_bins_of(b, 2, 0);
}

static void check_bins_ranked(bench *b)
{
    check_bins_of(b, 2, MAX_RANKED);
}

static void test_bins(void **state)
{
    bench_shapes(state, "bins.cl", "-D BIN_WIDE=0", check_bins);
    bench_shapes(state, "bins.cl", "-D BIN_WIDE=1", check_bins_wide);
    bench_shapes(state, "bins.cl", "-D BIN_WIDE=1 -D BIN_MAX_RANKED=100", check_bins_ranked);
}

/* ---- Search tree ----------------------------------------------------------------------------- */

static void check_search(bench *b)
{
    static const uint32_t nums[] = {1, 2, 3, 7, 8, 63, 100, 511, 700};
    const uint32_t n = bench_tile(b->s) + 7;
    for (uint32_t i = 0; i < sizeof nums / sizeof *nums; ++i) {
        const uint32_t num = nums[i];
        bench_fill(b, bench_kinds[i % num_bench_kinds], num + n, i);
        for (uint32_t k = 0; k < n; k += 3) /* some equal a splitter */
            b->in[num + k] = b->in[k % num];
        qsort(b->in, num, 4, compare_numbers);
        for (uint32_t k = 0; k < n; ++k) {
            uint32_t before = 0;
            while (before < num && b->in[before] < b->in[num + k])
                ++before;
            b->expected[2 * k] = before;
            b->expected[2 * k + 1] = before < num && b->in[before] == b->in[num + k];
        }
        bench_run(b, "search", 1, num + n, 2 * n, n, num);
        bench_expect(b, 0, 2 * n);
    }
}

static void test_search(void **state)
{
    bench_shapes(state, "search.cl", "", check_search);
}

/* ---- Write-combining ------------------------------------------------------------------------- */

/* An element of a region as the number that it was made from; the parts of a wide one must be
 * alike. */
static uint32_t element_at(const bench *b, uint32_t at, uint32_t size)
{
    const unsigned char *regions = (const unsigned char *)(b->out + 32);
    uint32_t words[2] = {0, 0};
    memcpy(words, regions + (size_t)at * size, size);
    if (size == 8 && words[0] != words[1])
        bench_fail(b, at, words[0], words[1]);
    return words[0];
}

/* Each region has the elements of its digit: chunks at its front, rests at its back. */
static void check_regions(bench *b, uint32_t n, uint32_t size)
{
    const uint32_t region = (n + 63) / 64 * 64, chunk = 64 / size;
    uint32_t *wanted = b->expected, *got = b->expected + n;
    for (uint32_t digit = 0; digit < 16; ++digit) {
        const uint32_t front = b->out[digit], back = b->out[16 + digit];
        uint32_t num = 0, num_got = 0;
        for (uint32_t i = 0; i < n; ++i)
            if (b->in[i] >> 28 == digit)
                wanted[num++] = size == 2 ? b->in[i] & 0xffff : b->in[i];
        if (front + back != num || front % chunk)
            bench_fail(b, digit, front + back, num);
        for (uint32_t i = 0; i < region; ++i)
            if (i < front || i >= region - back)
                got[num_got++] = element_at(b, digit * region + i, size);
        qsort(wanted, num, 4, compare_numbers);
        qsort(got, num, 4, compare_numbers);
        for (uint32_t i = 0; i < num; ++i)
            if (got[i] != wanted[i])
                bench_fail(b, digit * region + i, got[i], wanted[i]);
    }
}

static void check_combine_of(bench *b, uint32_t size)
{
    const uint32_t tile = bench_tile(b->s);
    const uint32_t sizes[] = {0, 1, tile - 1, tile + 1, 3 * tile + 5};
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (uint32_t k = 0; k < num_bench_kinds; ++k) {
            const uint32_t n = sizes[i], region = (n + 63) / 64 * 64;
            bench_fill(b, bench_kinds[k], n, k);
            memset(b->out, 0, 32 * 4);
            bench_run(b, "combine", 1 + k % 2, n, 32 + 16 * region * size / 4 + 1, n, 0);
            check_regions(b, n, size);
        }
}

static void check_combine_16(bench *b)
{
    check_combine_of(b, 2);
}

static void check_combine_32(bench *b)
{
    check_combine_of(b, 4);
}

static void check_combine_64(bench *b)
{
    check_combine_of(b, 8);
}

static void test_combine(void **state)
{
    bench_shapes(state, "combine.cl", "-D COMBINE_SIZE=2", check_combine_16);
    bench_shapes(state, "combine.cl", "-D COMBINE_SIZE=4", check_combine_32);
    bench_shapes(state, "combine.cl", "-D COMBINE_SIZE=8", check_combine_64);
}

/* ---- Between work-groups --------------------------------------------------------------------- */

static void test_lookback(void **state)
{
    bench_shapes(state, "lookback.cl", "", between_check_lookback);
}

static void test_recount(void **state)
{
    bench_shapes(state, "recount.cl", "", between_check_recount);
}

static void test_phases(void **state)
{
    bench_shapes(state, "phases.cl", "", between_check_phases);
}

/* ---- With sub-groups ------------------------------------------------------------------------- */

static const shape subgroup_shapes[] = {{32, 4, 8, 32}, {64, 5, 4, 32}, {256, 16, 8, 32}};

static int has_extension(const fixture *fix, const char *name)
{
    static char extensions[16384];
    expect_cl(
        clGetDeviceInfo(fix->device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    return strstr(extensions, name) != NULL;
}

static void test_subgroups(void **state)
{
    static const struct {
        const char *file, *more;
        bench_checker *check;
    } files[] = {
        {"scan.cl", "", check_scans},
        {"tile.cl", "", check_tile},
        {"bins.cl", "-D BIN_WIDE=0", check_bins},
        {"bins.cl", "-D BIN_WIDE=1", check_bins_wide},
        {"bins.cl", "-D BIN_WIDE=1 -D BIN_MAX_RANKED=100", check_bins_ranked},
        {"lookback.cl", "", between_check_lookback},
        {"phases.cl", "", between_check_phases},
    };
    const fixture *fix = fixture_of(state);
    if (!platform_is(fix, "NVIDIA") && (!has_extension(fix, "cl_khr_subgroup_ballot") ||
                                        !has_extension(fix, "cl_khr_subgroup_shuffle") ||
                                        !has_extension(fix, "cl_intel_required_subgroup_size")))
        skip_because(
            "this device's sub-groups cannot vote and shuffle, or not in a size of choice");
    for (uint32_t f = 0; f < sizeof files / sizeof *files; ++f)
        for (uint32_t i = 0; i < sizeof subgroup_shapes / sizeof *subgroup_shapes; ++i) {
            bench b;
            bench_open(&b, fix, &subgroup_shapes[i], files[f].file, files[f].more);
            files[f].check(&b);
            bench_close(&b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan),      cmocka_unit_test(test_tile),
        cmocka_unit_test(test_merge),     cmocka_unit_test(test_merge_slots),
        cmocka_unit_test(test_bins),      cmocka_unit_test(test_search),
        cmocka_unit_test(test_combine),   cmocka_unit_test(test_lookback),
        cmocka_unit_test(test_recount),   cmocka_unit_test(test_phases),
        cmocka_unit_test(test_subgroups),
    };
    return fixture_run("primitives", tests, sizeof tests / sizeof *tests);
}
