/* test_white.c: what can only be tested from inside: bank conflicts, plans for made-up devices, and
 * joined kernel files. Needs no device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/check.h"
#include "list_routes_devices.h"
#include "plan/plan.h"
#include "program/source.h"
#include "program/variant.h"

#include "base/opencl_as_c.h"

/* The header's pragmas are OpenCL's. Items after n are never compared, which gcc cannot see. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#ifndef __clang__ /* which knows no such warning */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/* ---- The device header as C, in the shapes that the tuning uses and a few others ---- */
#define CLSORT_NAME b32i32
#define CLSORT_ITEM uint32_t
#define CLSORT_LESS(a, b) ((a) < (b))
#define CLSORT_ITEMS 32
#define CLSORT_BANKS 32
#define CLSORT_LAST UINT32_MAX
#include "clsort_device.h"

#define CLSORT_NAME b32i16
#define CLSORT_ITEM uint32_t
#define CLSORT_LESS(a, b) ((a) < (b))
#define CLSORT_ITEMS 16
#define CLSORT_BANKS 32
#include "clsort_device.h"

#define CLSORT_NAME b32i8
#define CLSORT_ITEM uint32_t
#define CLSORT_LESS(a, b) ((a) > (b))
#define CLSORT_ITEMS 8
#define CLSORT_BANKS 32
#define CLSORT_LAST 0
#include "clsort_device.h"

#define CLSORT_NAME b16i16
#define CLSORT_ITEM uint64_t
#define CLSORT_LESS(a, b) ((a) < (b))
#define CLSORT_ITEMS 16
#define CLSORT_BANKS 16
#include "clsort_device.h"

#define CLSORT_NAME b16i8
#define CLSORT_ITEM uint64_t
#define CLSORT_LESS(a, b) ((a) < (b))
#define CLSORT_ITEMS 8
#define CLSORT_BANKS 16
#include "clsort_device.h"

#define CLSORT_NAME b8i16
#define CLSORT_ITEM uint64_t
#define CLSORT_LESS(a, b) ((a) < (b))
#define CLSORT_ITEMS 16
#define CLSORT_BANKS 8
#include "clsort_device.h"

#define CLSORT_NAME b8i8
#define CLSORT_ITEM uint64_t
#define CLSORT_LESS(a, b) ((a) < (b))
#define CLSORT_ITEMS 8
#define CLSORT_BANKS 8
#include "clsort_device.h"

#define CLSORT_NAME plain
#define CLSORT_ITEM uint32_t
#define CLSORT_LESS(a, b) ((a) < (b))
#define CLSORT_ITEMS 8
#include "clsort_device.h"

struct layout {
    const char *name;
    uint (*slot)(uint);
    uint banks, item_bits;
};

static const struct layout layouts[] = {
    {"32 banks, 32 items", clsort_b32i32_slot, 32, 5},
    {"32 banks, 16 items", clsort_b32i16_slot, 32, 4},
    {"32 banks, 8 items", clsort_b32i8_slot, 32, 3},
    {"16 banks, 16 items", clsort_b16i16_slot, 16, 4},
    {"16 banks, 8 items", clsort_b16i8_slot, 16, 3},
    {"8 banks, 16 items", clsort_b8i16_slot, 8, 4},
    {"8 banks, 8 items", clsort_b8i8_slot, 8, 3},
};

#define TILE 8192u

/* The most conflicts on one bank when `banks` adjacent work-items, beginning at `unit`, read or
 * write register `item` of a window. */
static uint worst_conflict(const struct layout *layout, uint window, uint unit, uint item)
{
    uint load[64] = {0}, worst = 0;
    for (uint lane = 0; lane < layout->banks; ++lane) {
        const uint u = unit + lane;
        const uint index = (u >> window) << (window + layout->item_bits) | item << window |
                           (u & ((1u << window) - 1));
        const uint bank = layout->slot(index) % layout->banks;
        load[bank] += 1;
        worst = load[bank] > worst ? load[bank] : worst;
    }
    return worst;
}

static void no_window_has_bank_conflicts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; ++i) {
        const struct layout *layout = &layouts[i];
        for (uint window = 0; (1u << (window + layout->item_bits)) <= TILE; ++window)
            for (uint unit = 0; unit < TILE >> layout->item_bits; unit += layout->banks)
                for (uint item = 0; item < 1u << layout->item_bits; ++item)
                    if (worst_conflict(layout, window, unit, item) != 1)
                        fail_msg("%s: window %u, unit %u, item %u: %u-way conflict", layout->name,
                                 window, unit, item, worst_conflict(layout, window, unit, item));
        /* stripes: adjacent work-items have adjacent items */
        for (uint first = 0; first < TILE; first += layout->banks) {
            uint seen = 0;
            for (uint lane = 0; lane < layout->banks; ++lane)
                seen |= 1u << (layout->slot(first + lane) % layout->banks);
            assert_int_equal(seen, layout->banks == 32 ? UINT32_MAX : (1u << layout->banks) - 1);
        }
    }
}

/* Without the permuted slots the same count finds conflicts, so the test can fail. */
static void plain_layout_has_bank_conflicts(void **state)
{
    (void)state;
    const struct layout plain = {"plain", clsort_plain_slot, 32, 3};
    assert_int_equal(worst_conflict(&plain, 0, 0, 0), 8);
}

static void slots_are_a_linear_permutation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; ++i) {
        static char seen[TILE];
        memset(seen, 0, sizeof seen);
        for (uint index = 0; index < TILE; ++index) {
            const uint slot = layouts[i].slot(index);
            assert_true(slot < TILE && !seen[slot % TILE]);
            seen[slot % TILE] = 1;
            assert_int_equal(slot ^ layouts[i].slot(index * 7 % TILE),
                             layouts[i].slot(index ^ (index * 7 % TILE)));
        }
    }
}

static void network_sorts_as_c(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (uint n = 0; n <= 600; ++n) {
        uint bits = 0;
        while (1u << bits < n)
            ++bits;
        const uint room = 1u << bits > 32 ? 1u << bits : 32;
        uint32_t *items = malloc(room * sizeof *items), *exact = malloc((n + 1) * sizeof *exact);
        uint32_t *slots = malloc(room * sizeof *slots);
        assert_true(items && exact && slots);
        uint64_t sum = 0;
        for (uint i = 0; i < n; ++i) {
            seed = seed * 1664525 + 1013904223;
            exact[i] = items[clsort_b32i32_slot(i)] = seed % 5 ? seed >> 20 : UINT32_MAX;
            sum += exact[i];
        }
        memcpy(slots, items, room * sizeof *slots);
        clsort_b32i32_group_bitonic(items, n);
        for (uint i = 0; i < n; ++i) {
            sum -= items[clsort_b32i32_slot(i)];
            assert_true(i == 0 || items[clsort_b32i32_slot(i - 1)] <= items[clsort_b32i32_slot(i)]);
        }
        assert_int_equal(sum, 0);
        /* exactly n items, without memory or padding after them */
        clsort_plain_group_bitonic(exact, n);
        for (uint i = 1; i < n; ++i)
            assert_true(exact[i - 1] <= exact[i]);
        for (uint i = 0; i < n; ++i)
            assert_int_equal(exact[i], items[clsort_b32i32_slot(i)]);
        free(items);
        free(exact);
        free(slots);
    }
}

/* ---- Plans for made-up devices ---- */
static const struct device_facts small_gpu = SMALL_FACTS, h200 = NVIDIA_FACTS(.num_units = 0),
                                 cpu = CPU_FACTS(.num_units = 0);
static const struct device_facts tiny = FACTS(OTHER, 1, 0, 64, .reports_kernel_limit = 1);

static clsort_plan sums_of(const struct device_facts *facts, clsort_desc desc, struct plan *plan)
{
    struct problem problem;
    assert_int_equal(check_desc(&desc, &problem).status, CLSORT_OK);
    assert_int_equal(plan_make(facts, &problem, plan), CLSORT_OK);
    clsort_plan sums;
    plan_sums(plan, &sums);
    return sums;
}

static void plans_fit_every_device(void **state)
{
    (void)state;
    const struct device_facts *made_up[] = {&small_gpu, &h200, &tiny, &cpu};
    const uint64_t counts[] = {2, 100, 5000, 1 << 20, (uint64_t)1 << 33, ((uint64_t)1 << 48) - 1};
    for (size_t d = 0; d < sizeof made_up / sizeof *made_up; ++d) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
            for (int type = 0; type < CLSORT_NUM_TYPES; ++type) {
                struct plan plan = {0};
                const clsort_desc desc = {.count = counts[c],
                                          .type = (clsort_type)type,
                                          .algorithm = CLSORT_BITONIC,
                                          .value_size = c == 1 ? 8 : 0};
                const clsort_plan sums = sums_of(made_up[d], desc, &plan);
                assert_true(sums.num_steps <= MAX_STEPS);
                for (uint32_t i = 0; i < plan.num_steps; ++i) {
                    const struct step *step = &plan.steps[i];
                    assert_true(step->variant.group_size <= made_up[d]->max_group_size);
                    assert_true(step->local_size <= made_up[d]->local_size);
                    assert_true(step->num_groups > 0);
                    assert_true(step->bytes_read > 0);
                }
                plan_finish(&plan);
            }
        }
    }
}

/* The extra memory of many elements that clsort.h and README tell, in hundredths of a copy of the
 * keys and values; not of a device with next to no local memory. */
static void scratch_is_as_told(void **state)
{
    (void)state;
    static const struct {
        clsort_algorithm algorithm;
        uint64_t least, most;
    } told[] = {
        {CLSORT_BITONIC, 0, 0},
        {CLSORT_RADIX, 90, 225},
        {CLSORT_MERGE, 100, 130},
        {CLSORT_QUICK, 100, 300},
    };
    const uint64_t counts[] = {1 << 24, 99999999, 1 << 28};
    for (size_t d = 0; d < sizeof devices / sizeof *devices; ++d)
        for (size_t a = 0; a < sizeof told / sizeof *told && devices[d].facts.local_size > 1 << 14;
             ++a)
            for (uint32_t i = 0; i < 3 * 2 * 3; ++i) {
                struct plan plan = {0};
                const clsort_desc desc = {.count = counts[i / 6],
                                          .type = i % 2 ? CLSORT_U64 : CLSORT_F32,
                                          .algorithm = told[a].algorithm,
                                          .value_size = i / 2 % 3 * 4};
                const uint64_t copy = (clsort_type_size(desc.type) + desc.value_size) * desc.count;
                const uint64_t share =
                    sums_of(&devices[d].facts, desc, &plan).scratch_size * 100 / copy;
                if (share < told[a].least || share > told[a].most)
                    fail_msg("%s, %s, count %llu, case %u: %llu hundredths", devices[d].name,
                             clsort_algorithm_name(desc.algorithm), (unsigned long long)desc.count,
                             i, (unsigned long long)share);
                plan_finish(&plan);
            }
}

/* As many columns as possible, of every width, on every device. */
static void plans_of_columns_fit_every_device(void **state)
{
    (void)state;
    const struct device_facts *made_up[] = {&small_gpu, &h200, &tiny, &cpu};
    const uint64_t counts[] = {2, 5000, 1 << 20, (uint64_t)1 << 33, ((uint64_t)1 << 44) - 1};
    clsort_column columns[MAX_MEMBERS];
    for (size_t d = 0; d < sizeof made_up / sizeof *made_up; ++d)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
            for (uint32_t form = 0; form < 8; ++form) {
                /* Radix sort does not fit the smallest device. */
                const int network = form & 4 || made_up[d] == &tiny;
                struct plan plan = {0};
                for (uint32_t i = 0; i < MAX_MEMBERS; ++i)
                    columns[i] =
                        (clsort_column){form & 4 ? CLSORT_F64
                                                 : (clsort_type)((i + form) % CLSORT_NUM_TYPES),
                                        (clsort_order)(i % 2)};
                const clsort_desc desc = {.count = counts[c],
                                          .num_columns = MAX_MEMBERS,
                                          .columns = columns,
                                          .algorithm = network ? CLSORT_BITONIC : CLSORT_AUTO,
                                          .index_size = form & 2 ? 8 : 0,
                                          .out_of_place = form & 1};
                const clsort_plan sums = sums_of(made_up[d], desc, &plan);
                assert_true(sums.stable && sums.num_steps <= MAX_MEMBERS * MAX_STEPS);
                double bytes_read = 0;
                for (uint32_t i = 0; i < plan.num_steps; ++i)
                    bytes_read += (double)plan.steps[i].bytes_read;
                assert_true(bytes_read < 0x1p64); /* the sum has not wrapped */
                for (uint32_t i = 0; i < plan.num_steps; ++i) {
                    const struct step *step = &plan.steps[i];
                    assert_true(step->variant.group_size <= made_up[d]->max_group_size);
                    assert_true(step->local_size <= made_up[d]->local_size);
                    assert_true(step->num_groups > 0);
                    for (uint32_t b = 0; b < step->num_buffers; ++b) {
                        const struct buffer_ref *ref = &step->buffers[b];
                        assert_true(ref->role != BUFFER_NONE && ref->role != BUFFER_KEYS);
                        assert_true(ref->role != BUFFER_SCRATCH || ref->offset < sums.scratch_size);
                    }
                }
                plan_finish(&plan);
            }
}

/* An H200's plan: launches at 2^24. */
static void golden_plan_of_h200(void **state)
{
    (void)state;
    struct plan plan = {0};
    const clsort_plan sums =
        sums_of(&h200, (clsort_desc){.count = 1 << 24, .algorithm = CLSORT_BITONIC}, &plan);
    /* tiles of 2^13: a sort, then 11 merges of 1 to 11 strides, 5 to a window, and a tile each */
    assert_int_equal(sums.num_steps, 1 + 5 * 2 + 5 * 3 + 1 * 4);
    assert_int_equal(plan.steps[0].kernel, KERNEL_BITONIC_TILE);
    assert_int_equal(plan.steps[0].num_groups, 2048);
    assert_int_equal(sums.exchanges, ((uint64_t)1 << 23) * 24 * 25 / 2);
    assert_int_equal(sums.scratch_size, 0);
    assert_int_equal(sums.bytes_read, (uint64_t)sums.num_steps << 26);
    plan_finish(&plan);
}

static void stable_network_carries_indices(void **state)
{
    (void)state;
    struct plan plan = {0};
    clsort_desc desc = {.count = 1000, .algorithm = CLSORT_BITONIC, .value_size = 4};
    assert_int_equal(sums_of(&small_gpu, desc, &plan).stable, 0);
    assert_int_equal(plan.steps[0].variant.payload_index, 0);
    desc.stable = 1;
    assert_int_equal(sums_of(&small_gpu, desc, &plan).stable, 1);
    assert_int_equal(plan.steps[0].variant.payload_index, 1);
    assert_int_equal(plan.steps[plan.num_steps - 1].kernel, KERNEL_GATHER);
    plan_finish(&plan);
}

/* On CPUs with many cores one work-item adds up at most a few counters for each key of a chunk. */
static void plans_of_many_cores_scan_little(void **state)
{
    (void)state;
    const uint32_t units[] = {2, 8, 64, 256};
    const clsort_type types[] = {CLSORT_U8, CLSORT_U16, CLSORT_U32, CLSORT_U64};
    for (size_t u = 0; u < sizeof units / sizeof *units; ++u) {
        struct device_facts facts = cpu;
        facts.cpu_kernels = 1;
        facts.num_units = units[u];
        for (int bits = 19; bits < 34; ++bits)
            for (size_t t = 0; t < sizeof types / sizeof *types; ++t) {
                struct plan plan = {0};
                const clsort_desc desc = {.count = (uint64_t)1 << bits,
                                          .type = types[t],
                                          .algorithm = CLSORT_RADIX};
                sums_of(&facts, desc, &plan);
                const struct cpu_params *p = &plan.steps[0].params.cpu;
                assert_int_equal(plan.steps[0].kernel, KERNEL_CPU_RADIX);
                assert_true(p->num_chunks >= 4);
                assert_true((uint64_t)p->num_chunks * p->num_bins <= 5 * p->chunk_size);
                plan_finish(&plan);
            }
    }
}

/* Strings are distinguished in an order that the sort of their numbers must keep,
 * msd, too. */
static void plan_of_strings_keeps_order(void **state)
{
    (void)state;
    struct plan plan = {0};
    uint32_t num_kept = 0;
    const clsort_strings strings = {.num_bytes = (uint64_t)16 << 23, .width = 16};
    const clsort_desc desc = {.count = 1 << 23, .strings = &strings, .index_size = 4};
    struct device_facts facts = h200;
    facts.num_units = 132;
    facts.max_alloc = (uint64_t)1 << 36;
    const clsort_plan sums = sums_of(&facts, desc, &plan);
    assert_true(sums.stable && sums.algorithm == CLSORT_RADIX);
    for (uint32_t i = 0; i < plan.num_steps; ++i) {
        const struct step *step = &plan.steps[i];
        if (step->kernel == KERNEL_MSD_SCATTER || step->kernel == KERNEL_MSD_FINISH) {
            assert_int_equal(step->variant.keeps_order, 1);
            ++num_kept;
        }
        for (uint32_t b = 0; b < step->num_buffers; ++b)
            assert_true(step->buffers[b].role != BUFFER_VALUES &&
                        step->buffers[b].role != BUFFER_VALUES_OUT);
    }
    assert_int_equal(num_kept, 2); /* the plan has msd */
    plan_finish(&plan);
}

/* ---- Sources ---- */
static void sources_join_once_and_keep_lines(void **state)
{
    (void)state;
    char *text = source_join("sorts/bitonic/tile.cl", NULL);
    assert_non_null(text);
    assert_null(strstr(text, "\n#include \"")); /* at a line's start; comments may contain it */
    assert_non_null(strstr(text, "#line 1 \"cl/base/key.h\""));
    const char *first = strstr(text, "#ifndef CLSORT_KEY_H");
    assert_non_null(first);
    assert_null(strstr(first + 1, "#ifndef CLSORT_KEY_H"));
    free(text);
    assert_null(source_join("no such file", NULL));
}

static void options_name_every_macro_of_config(void **state)
{
    (void)state;
    const struct variant variant = {.group_size = 64, .items = 8, .lanes = 16};
    char options[VARIANT_OPTIONS_CAPACITY];
    variant_options(&variant, options);
    assert_non_null(strstr(options, "-DTILE_BITS=13"));
    char *config = source_join("base/config.h", NULL);
    assert_non_null(config);
    for (const char *at = config; (at = strstr(at, "!defined(")); ++at) {
        char macro[64];
        assert_int_equal(sscanf(at, "!defined(%62[A-Z_])", macro), 1);
        char option[80];
        snprintf(option, sizeof option, " -D%s=", macro);
        if (strcmp(macro, "CLSORT_CONFIG_H") != 0 && !strstr(options, option))
            fail_msg("the host does not define %s", macro);
    }
    free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_window_has_bank_conflicts),
        cmocka_unit_test(plain_layout_has_bank_conflicts),
        cmocka_unit_test(slots_are_a_linear_permutation),
        cmocka_unit_test(network_sorts_as_c),
        cmocka_unit_test(plans_fit_every_device),
        cmocka_unit_test(plans_of_columns_fit_every_device),
        cmocka_unit_test(scratch_is_as_told),
        cmocka_unit_test(golden_plan_of_h200),
        cmocka_unit_test(stable_network_carries_indices),
        cmocka_unit_test(plans_of_many_cores_scan_little),
        cmocka_unit_test(plan_of_strings_keeps_order),
        cmocka_unit_test(sources_join_once_and_keep_lines),
        cmocka_unit_test(options_name_every_macro_of_config),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
