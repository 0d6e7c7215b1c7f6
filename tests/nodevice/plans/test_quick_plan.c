/* Quicksort's plans, without a device, for devices and tuning rows of all sizes: their limits, the
 * bounds of their steps and comparisons, and that no input overflows a list in scratch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "nodevice/made_up.h"
#include "support/data.h"
#include "support/fixture.h"
#include "quick_plan_case.h"
#include "support/tuning_case.h"
#include "tuning/file.h"

/* A device of any class, with 1 KiB to 64 KiB of local memory and work-groups of 1 to 1024. */
static struct device_facts any_device(rng *r)
{
    static const enum device_class classes[] = {DEVICE_NVIDIA, DEVICE_AMD, DEVICE_INTEL, DEVICE_CPU,
                                                DEVICE_OTHER};
    struct device_facts facts = {
        .class = classes[rng_below(r, 5)],
        .max_group_size =
            rng_below(r, 4) ? 1u << rng_below(r, 11) : 1 + (uint32_t)rng_below(r, 1024),
        .local_size = ((uint64_t)1024 << rng_below(r, 7)) - (rng_below(r, 3) ? 0 : 1),
        .num_units = 1 + (uint32_t)rng_below(r, 200),
        .cpu_kernels = (int)rng_below(r, 2),
    };
    if (facts.class != DEVICE_CPU)
        facts.cpu_kernels = 0;
    if (facts.local_size < 1024)
        facts.local_size = 1024;
    facts.subgroup_size = rng_below(r, 2) ? 32 : 0;
    return facts;
}

static uint64_t any_count(rng *r)
{
    const uint64_t bits = rng_below(r, 33);
    const uint64_t power = (uint64_t)1 << bits;
    const uint64_t count = rng_below(r, 3) ? rng_below(r, 2 * power) : power + rng_below(r, 3) - 1;
    return count > UINT32_MAX ? UINT32_MAX : count;
}

/* whole_rank and whole_sort, or partition_leaf alone: every element belongs to one work-group, and
 * no more groups are launched than run at the same time. */
static void check_whole(const struct device_facts *facts, const struct lists_plan *l)
{
    enum { share = 32, groups_per_unit = 4 }; /* as in NVIDIA's rows */
    const uint64_t n = l->problem.count;
    uint32_t num_ranks = 0, num_wholes = 0, num_leaves = 0;
    for (uint32_t i = 0; i < l->plan.num_steps; ++i) {
        const struct step *step = &l->plan.steps[i];
        const struct partition_params *p = &step->params.partition;
        const uint64_t slots = (uint64_t)step->variant.group_size * step->variant.items;
        assert_true(step->variant.group_size > 0);
        assert_true(step->variant.group_size <= facts->max_group_size);
        assert_true(step->local_size <= facts->local_size);
        assert_true(!step->variant.subgroup ||
                    step->variant.group_size % step->variant.subgroup == 0);
        if (step->kernel == KERNEL_WHOLE_RANK) {
            const uint64_t samples = ((n - 1) / p->bucket_size + 1) * p->samples_per_bucket;
            const uint64_t group = step->variant.group_size;
            assert_true(samples > 0 && samples <= slots && samples <= n);
            assert_true(step->num_groups * (group < share ? group : share) >= samples);
            assert_true((n - 1) / p->bucket_size < 1u << step->variant.radix_bits);
            assert_true(p->work_keys <= p->control && p->control < p->pivots);
            assert_true(p->pivots < p->totals);
            assert_true(p->totals + (4u << step->variant.radix_bits) <= l->plan.scratch_size);
            ++num_ranks;
        } else if (step->kernel == KERNEL_WHOLE_SORT) {
            assert_true(step->num_groups * p->block_size >= n);
            assert_true((step->num_groups - 1) * p->block_size < n);
            assert_true(step->num_groups <= (uint64_t)facts->num_units * groups_per_unit);
            assert_true(p->block_size <= step->variant.group_size * step->variant.held);
            assert_true(p->leaf_size == slots && p->small_size > 0);
            ++num_wholes;
        } else if (step->kernel == KERNEL_PARTITION_LEAF) {
            assert_true(step->num_groups == 1 && n <= slots && p->leaf_size == slots);
            ++num_leaves;
        }
    }
    assert_true(num_ranks == num_wholes && num_wholes + num_leaves == 1);
}

static void check_steps(const struct device_facts *facts, const struct lists_plan *l)
{
    if (l->is_whole) {
        check_whole(facts, l);
        return;
    }
    const uint64_t n = num_elements(&l->problem);
    uint32_t num_quick = 0;
    uint64_t compares = 0;
    for (uint32_t i = 0; i < l->plan.num_steps; ++i) {
        const struct step *step = &l->plan.steps[i];
        assert_true(step->variant.group_size > 0);
        assert_true(step->variant.group_size <= facts->max_group_size);
        assert_true(step->num_groups > 0 && step->num_groups <= UINT32_MAX);
        assert_true(step->local_size <= facts->local_size);
        assert_true(!step->variant.subgroup ||
                    step->variant.group_size % step->variant.subgroup == 0);
        compares += step->compares;
        if (step->kernel >= KERNEL_PARTITION_PIVOTS && step->kernel <= KERNEL_PARTITION_MERGES) {
            ++num_quick;
            assert_true(step->variant.items > 0);
            assert_true(step->local_size > 0);
        }
    }
    const struct partition_params *last = l->levels[l->num_levels];
    const uint64_t leaf = last->leaf_size;
    const uint32_t bits = l->num_levels ? l->sample->radix_bits : 0;
    const uint32_t passes = ceil_log2(ceil_div(l->problem.count, leaf));
    /* One launch makes all merges, or each has one. Those by a comparison that may be no order are
     * split beforehand. */
    const int splits = l->problem.record_size && l->problem.num_members == 0;
    const struct partition_tuning tuning = tuning_splitters(facts, 4, 0);
    const uint32_t merges = passes && tuning.groups_per_unit ? 1 : passes * (splits ? 2 : 1);
    assert_int_equal(l->num_merges, merges);
    assert_int_equal(num_quick, (l->in_order ? 4 : 3) * l->num_levels + 1 + merges);
    assert_true(l->plan.num_steps <= num_quick + 8);
    /* As the head of cl/sorts/partition/splitters.h says. */
    assert_true(compares <= n * (l->num_levels * (bits + 1) + ceil_log2(l->problem.count)));
    assert_int_equal(l->num_levels != 0, l->problem.count > leaf);
    /* No more levels than needed for twice the buckets that fill the leaves. */
    double room = (double)leaf / 2;
    for (uint32_t i = 1; i < l->num_levels; ++i)
        room *= (double)(1u << bits);
    assert_true(l->num_levels == 0 || room < (double)l->problem.count);
    for (uint32_t i = 0; i < l->num_levels; ++i) {
        const struct partition_params *p = l->levels[i];
        assert_true(p->level == i && p->bucket_size > 0 && p->leaf_size == leaf);
        assert_true(p->small_size > 0 && p->small_size < leaf);
        assert_true(p->small_size <= p->fill_size && p->fill_size <= leaf);
        assert_true(p->block_size > 0 && p->samples_per_bucket > 0);
        assert_int_equal(p->next_bucket_size,
                         i + 1 < l->num_levels ? l->levels[i + 1]->bucket_size : 0);
    }
}

/* ---- Limits ---- */
static void test_counts(void **state)
{
    (void)state;
    const struct device_facts facts = NVIDIA_FACTS(.num_units = 0);
    static const struct {
        uint64_t count, num_arrays;
        clsort_status status;
    } limits[] = {
        {UINT32_MAX, 1, CLSORT_OK},
        {UINT32_MAX / 5, 5, CLSORT_OK}, /* 2^32 - 1 */
        {2, INT32_MAX, CLSORT_OK},
        {(uint64_t)UINT32_MAX + 1, 1, CLSORT_ERROR_ALGORITHM_COUNT},
        {1 << 16, 1 << 16, CLSORT_ERROR_ALGORITHM_COUNT},
        {1, (uint64_t)UINT32_MAX + 1, CLSORT_ERROR_ALGORITHM_COUNT},
        {(uint64_t)1 << 47, 1, CLSORT_ERROR_ALGORITHM_COUNT},
        {(uint64_t)1 << 23, (uint64_t)1 << 24, CLSORT_ERROR_ALGORITHM_COUNT},
    };
    const clsort_field field = {0, CLSORT_U32, CLSORT_ASCENDING};
    const clsort_record record = {.size = 16, .num_fields = 1, .fields = &field};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i)
        for (int form = 0; form < 4; ++form) {
            struct problem problem;
            struct plan plan = {0};
            const clsort_desc desc = {.count = limits[i].count,
                                      .num_arrays = limits[i].num_arrays,
                                      .record = form == 1 ? &record : NULL,
                                      .algorithm = CLSORT_QUICK,
                                      .stable = form == 2,
                                      .value_size = form == 2 ? 12 : 0,
                                      .index_size = form == 3 ? 8 : 0};
            if (form == 1 && limits[i].count > (uint64_t)1 << 43)
                continue;
            assert_int_equal(check_desc(&desc, &problem).status, CLSORT_OK);
            assert_int_equal(plan_make(&facts, &problem, &plan), limits[i].status);
            plan_finish(&plan);
        }
}

static void test_any_device(void **state)
{
    (void)state;
    static const uint32_t values[] = {0, 1, 4, 8, 12};
    static const uint32_t sizes[] = {1, 4, 12, 16, 64};
    rng r = {5};
    unsigned num_whole = 0;
    for (int round = 0; round < 20000; ++round) {
        const struct device_facts facts = any_device(&r);
        const clsort_field field = {0, CLSORT_U8, CLSORT_ASCENDING};
        const clsort_record record = {.size = sizes[rng_below(&r, 5)],
                                      .num_fields = 1,
                                      .fields = &field};
        const int is_record = rng_below(&r, 3) == 0 && facts.local_size >= 2048;
        const uint64_t count = any_count(&r);
        const clsort_desc desc = {
            .count = count,
            .num_arrays =
                rng_below(&r, 2) ? 1 : 1 + rng_below(&r, UINT32_MAX / (count ? count : 1)) % 1000,
            .type = is_record ? CLSORT_U32 : (clsort_type)rng_below(&r, CLSORT_NUM_TYPES),
            .record = is_record ? &record : NULL,
            .algorithm = CLSORT_QUICK,
            .stable = (uint32_t)rng_below(&r, 2),
            .value_size = values[rng_below(&r, 5)],
        };
        struct lists_plan l;
        if (lists_plan_make(&l, &facts, &desc)) {
            check_steps(&facts, &l);
            const uint64_t n = num_elements(&l.problem);
            num_whole += (unsigned)l.is_whole;
            if (l.num_levels) {
                const struct partition_params *p = l.levels[0];
                const struct rooms rooms = rooms_of(&l, 1);
                assert_true(rooms.ids >= n);
                /* Lists are small compared with the elements, unless leaves are small. */
                if (p->leaf_size >= 256)
                    assert_true(p->ids - p->control + l.plan.scratch_size - p->leaves <
                                2 * n * (uint64_t)(desc.value_size + 16) +
                                    (uint64_t)p->num_arrays * 80000 + 20000);
            } else if (!l.is_whole)
                assert_true(l.plan.scratch_size <= n * (desc.value_size + 8ull) + 256);
        }
        plan_finish(&l.plan);
    }
    print_message("%u in one launch\n", num_whole);
    assert_true(num_whole > 10);
}

/* One launch takes as many elements as its work-groups hold at once, and no more. */
static void test_whole_bound(void **state)
{
    (void)state;
    static const uint32_t units[] = {1, 20, 132};
    for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
        for (uint32_t more = 0; more < 2; ++more) {
            const struct device_facts facts = NVIDIA_FACTS(.num_units = units[i]);
            const struct whole_tuning tuning = tuning_whole(&facts, 4);
            const uint64_t held =
                (uint64_t)units[i] * tuning.groups_per_unit * tuning.group_size * tuning.held;
            const clsort_desc desc = {.count = held + more, .algorithm = CLSORT_QUICK};
            struct problem problem;
            struct route route;
            assert_int_equal(check_desc(&desc, &problem).status, CLSORT_OK);
            assert_int_equal(plan_choose(&facts, &problem, &route), CLSORT_OK);
            assert_int_equal(route.form, more ? FORM_SPLITTERS : FORM_WHOLE);
        }
}

/* A row may ask for larger samples than arrays that one work-group does not sort. */
static void test_small_arrays(void **state)
{
    (void)state;
    struct device_facts facts = NVIDIA_FACTS(.num_units = 4);
    struct tuning_rows rows = {0};
    tuning_write_text("whole item=4 single_group=64 single_items=1\n");
    assert_int_equal(tuning_file_read(NULL, &rows), CLSORT_OK);
    tuning_remove();
    facts.tuning_rows = &rows;
    for (uint64_t count = 65; count < 5000; count += count / 8) {
        const clsort_desc desc = {.count = count, .algorithm = CLSORT_QUICK};
        struct lists_plan l;
        lists_plan_make(&l, &facts, &desc);
        assert_true(l.is_whole);
        check_steps(&facts, &l);
        plan_finish(&l.plan);
    }
}

/* Records are merged if a work-group is one thread, whatever rows say: CPUs' compilers take more
 * than 5 s for quicksort of records, and PoCL 3.1 breaks it. */
static void test_records_on_cpus(void **state)
{
    (void)state;
    struct tuning_rows rows;
    tuning_write_text(
        "records quick_min=1 quick_stable_min=0 radix_min=2^48 radix_free_min=2^48\n");
    assert_int_equal(tuning_file_read(NULL, &rows), CLSORT_OK);
    tuning_remove();
    static const clsort_field field = {0, CLSORT_U32, CLSORT_ASCENDING};
    static const uint32_t sizes[] = {4, 16, 20, 256};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int kind = 0; kind < 6; ++kind) {
            const int cpu = kind % 2;
            const struct device_facts facts =
                FACTS(CPU, 4096, 0, 1 << 20, .num_units = 2, .cpu_kernels = cpu,
                      .tuning_rows = kind < 2 ? NULL : &rows);
            const clsort_record record = {.size = sizes[i], .num_fields = 1, .fields = &field};
            const clsort_desc desc = {.count = 100000,
                                      .record = &record,
                                      .stable = kind >= 4,
                                      .algorithm = kind < 2 ? CLSORT_QUICK : CLSORT_AUTO};
            struct problem problem;
            struct plan plan = {0};
            assert_int_equal(check_desc(&desc, &problem).status, CLSORT_OK);
            assert_int_equal(plan_make(&facts, &problem, &plan), CLSORT_OK);
            assert_int_equal(plan.algorithm, cpu ? CLSORT_MERGE : CLSORT_QUICK);
            for (uint32_t step = 0; step < plan.num_steps; ++step)
                assert_int_equal(plan.steps[step].kernel >= KERNEL_PARTITION_BEGIN &&
                                     plan.steps[step].kernel <= KERNEL_PARTITION_MERGES,
                                 plan.algorithm == CLSORT_QUICK);
            assert_true(plan.num_steps > 0);
            plan_finish(&plan);
        }
    tuning_rows_finish(&rows);
}

/* Stable records move an index only where local memory cannot hold a counter of each bucket for
 * each sub-group, or for each work-item if sub-groups do not vote. */
static void test_in_order(void **state)
{
    (void)state;
    static const clsort_record record = {.size = 16, .type = "uint4", .less = "a.x < b.x"};
    static const clsort_desc desc = {
        .count = 1000000, .record = &record, .algorithm = CLSORT_QUICK, .stable = 1};
    static const struct {
        struct device_facts facts;
        int in_order;
    } devices[] = {
        {NVIDIA_FACTS(.num_units = 0), 1},
        {FACTS(OTHER, 1024, 0, 49152, .num_units = 0), 0},
        {FACTS(OTHER, 16, 0, 49152, .num_units = 0), 1},
        {FACTS(OTHER, 1024, 0, 1 << 20, .num_units = 0), 1},
    };
    for (size_t i = 0; i < sizeof devices / sizeof *devices; ++i) {
        struct lists_plan l;
        assert_true(lists_plan_make(&l, &devices[i].facts, &desc));
        assert_int_equal(l.in_order, devices[i].in_order);
        assert_true(l.num_levels > 1 && l.plan.stable);
        for (uint32_t step = 0; step < l.plan.num_steps; ++step) {
            const struct step *s = &l.plan.steps[step];
            if (s->kernel == KERNEL_PARTITION_LEAF)
                assert_int_equal(s->variant.payload_size, devices[i].in_order ? 0 : 4);
        }
        check_steps(&devices[i].facts, &l);
        plan_finish(&l.plan);
    }
}

/* Structs of 16 bytes take one more bit of buckets on NVIDIA's GPUs where that saves a level: in
 * order only where one is left, and never more than local memory holds. */
static void test_spare_bits(void **state)
{
    (void)state;
    static const struct {
        uint64_t count, local_size;
        uint32_t stable, levels, bits;
    } cases[] = {
        {1 << 24, 49152, 0, 2, 8}, {1 << 26, 49152, 0, 2, 9}, {1 << 28, 49152, 0, 3, 8},
        {1 << 16, 49152, 1, 1, 8}, {1 << 17, 49152, 1, 1, 9}, {1 << 26, 49152, 1, 3, 8},
        {1 << 26, 16384, 0, 3, 8},
    };
    static const clsort_record record = {.size = 16, .type = "uint4", .less = "a.x < b.x"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct device_facts facts =
            FACTS(NVIDIA, 1024, 32, cases[i].local_size, .num_units = 0);
        const clsort_desc desc = {.count = cases[i].count,
                                  .record = &record,
                                  .algorithm = CLSORT_QUICK,
                                  .stable = cases[i].stable};
        struct lists_plan l;
        assert_true(lists_plan_make(&l, &facts, &desc));
        assert_int_equal(l.num_levels, cases[i].levels);
        assert_int_equal(l.sample->radix_bits, cases[i].bits);
        check_steps(&facts, &l);
        plan_finish(&l.plan);
    }
}

/* ---- The lists ---- */

static void test_lists(void **state)
{
    (void)state;
    rng r = {7};
    double worst = 0;
    unsigned num_levels[SPLITTERS_LEVELS + 1] = {0};
    for (int round = 0; round < 3000; ++round) {
        struct device_facts facts = any_device(&r);
        struct tuning_rows rows = {0};
        if (round % 4 == 0) {
            char text[256];
            snprintf(text, sizeof text,
                     "splitters leaf_group=%u leaf_items=%u bucket_bits=%u scatter_group=%u "
                     "scatter_items=%u block_tiles=%u\n",
                     1u << rng_below(&r, 5), 2 + (unsigned)rng_below(&r, 8),
                     2 + (unsigned)rng_below(&r, 5), 1u << rng_below(&r, 6),
                     1 + (unsigned)rng_below(&r, 8), 1 + (unsigned)rng_below(&r, 4));
            tuning_write_text(text);
            assert_int_equal(tuning_file_read(NULL, &rows), CLSORT_OK);
            tuning_remove();
            facts.tuning_rows = &rows;
        }
        const clsort_field field = {0, CLSORT_U32, CLSORT_ASCENDING};
        const clsort_record record = {.size = 4, .num_fields = 1, .fields = &field};
        const uint64_t count = 2 + rng_below(&r, (uint64_t)4 << rng_below(&r, 17));
        const int is_record = rng_below(&r, 4) == 0;
        facts.cpu_kernels = facts.cpu_kernels && !is_record; /* CPUs merge records */
        const clsort_desc desc = {.count = count,
                                  .num_arrays = 1 + rng_below(&r, 3) * rng_below(&r, 60000 / count),
                                  .record = is_record ? &record : NULL,
                                  .stable = is_record && rng_below(&r, 2),
                                  .algorithm = CLSORT_QUICK};
        struct lists_plan l;
        assert_true(lists_plan_make(&l, &facts, &desc));
        num_levels[l.num_levels] += 1;
        if (l.num_levels) {
            check_steps(&facts, &l);
            const double used = lists_plan_check(&l, 4, &r);
            worst = used > worst ? used : worst;
        }
        plan_finish(&l.plan);
        tuning_rows_finish(&rows);
    }
    print_message(
        "levels 0 to 4: %u, %u, %u, %u, %u plans; at most %.2f of the leaves' capacity used\n",
        num_levels[0], num_levels[1], num_levels[2], num_levels[3], num_levels[4], worst);
    assert_true(num_levels[0] && num_levels[1] && num_levels[2] && num_levels[3] && num_levels[4]);
    assert_true(worst > 0.5);
}

int main(void)
{
    unsetenv("CLSORT_TUNING");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),       cmocka_unit_test(test_any_device),
        cmocka_unit_test(test_whole_bound),  cmocka_unit_test(test_records_on_cpus),
        cmocka_unit_test(test_small_arrays), cmocka_unit_test(test_in_order),
        cmocka_unit_test(test_spare_bits),   cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests_name("quick_plan", tests, NULL, NULL) ? 1 : 0;
}
