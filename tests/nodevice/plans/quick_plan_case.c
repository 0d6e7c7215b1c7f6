/* quick_plan_case.c: simulates what quicksort's kernels write into their lists. */
#include <string.h>

#include "check/check.h"
#include "support/fixture.h"
#include "quick_plan_case.h"

int lists_plan_make(struct lists_plan *l, const struct device_facts *facts, const clsort_desc *desc)
{
    memset(l, 0, sizeof *l);
    assert_int_equal(check_desc(desc, &l->problem).status, CLSORT_OK);
    assert_int_equal(plan_make(facts, &l->problem, &l->plan), CLSORT_OK);
    for (uint32_t i = 0; i < l->plan.num_steps; ++i) {
        const struct step *step = &l->plan.steps[i];
        if (step->kernel == KERNEL_PARTITION_PIVOTS) {
            assert_true(l->num_levels < SPLITTERS_LEVELS);
            l->sample = l->sample ? l->sample : &step->variant;
            l->levels[l->num_levels++] = &step->params.partition;
        } else if (step->kernel == KERNEL_PARTITION_LEAF) {
            l->levels[l->num_levels] = &step->params.partition;
        }
        l->num_merges += step->kernel == KERNEL_PARTITION_MERGES;
    }
    struct route route;
    assert_int_equal(plan_choose(facts, &l->problem, &route), CLSORT_OK);
    l->in_order = route.form == FORM_SPLITTERS && route.moves_in_order;
    l->is_whole = route.form == FORM_WHOLE;
    return l->is_whole || l->levels[l->num_levels] != NULL;
}

struct rooms rooms_of(const struct lists_plan *l, uint32_t item_size)
{
    const struct partition_params *p = l->levels[0];
    const uint64_t end = p->splits ? p->splits : l->plan.scratch_size;
    assert_true(p->control < p->segments && p->segments < p->next_segments);
    assert_true(p->next_segments < p->owners && p->owners < p->next_owners);
    assert_true(p->next_owners < p->pivots && p->pivots < p->marks && p->marks < p->ids);
    assert_true(p->ids < p->totals && p->totals < p->cursors && p->cursors < p->counts);
    assert_true(p->counts <= p->leaves);
    assert_true(p->leaves < end && end <= l->plan.scratch_size);
    assert_true(p->segments - p->control >= sizeof(struct partition_control));
    return (struct rooms){
        .segments = (p->next_segments - p->segments) / sizeof(struct partition_segment),
        .owners = (p->next_owners - p->owners) / 4,
        .pivots = (p->marks - p->pivots - PIVOTS_ALIGNMENT) / item_size,
        .buckets = (p->ids - p->marks) / 4,
        .starts = (p->leaves - p->counts) / ((uint64_t)4 << l->sample->radix_bits),
        .ids = (p->totals - p->ids) / (l->sample->radix_bits > 8 ? 2 : 1),
        .leaves = (end - p->leaves) / sizeof(struct partition_leaf),
        .splits = p->splits ? (l->plan.scratch_size - p->splits) / 4 : UINT64_MAX,
    };
}

/* What cl/sorts/partition/list_splitters.h writes, for any bucket sizes that an input could
 * have. */
struct lists {
    rng r;
    int style;
    uint64_t num_leaves;
    uint64_t num_segments[SPLITTERS_LEVELS + 1], num_blocks[SPLITTERS_LEVELS + 1],
        num_buckets[SPLITTERS_LEVELS + 1];
};

static uint64_t wanted_of(const struct partition_params *p, uint64_t most, uint64_t size)
{
    const uint64_t wanted = (size - 1) / p->bucket_size + 1;
    return wanted < 2 ? 2 : wanted > most ? most : wanted;
}

static uint64_t bucket_of(struct lists *lists, const struct partition_params *p, uint64_t i)
{
    const uint64_t leaf = p->leaf_size, small = p->small_size, half = p->fill_size / 2 + 1;
    const uint64_t sizes[] = {1,    small + 1, 0,    leaf + 1, small,    small - 1, half,
                              leaf, 2 * leaf,  half, 1,        leaf + 1, small + 1, 2 * leaf + 1};
    switch (lists->style) {
    case 0: /* buckets that stand apart if their elements are equal, each after a small one */
        return i % 2 ? small + 1 : 1;
    case 1: /* the smallest that are too large, each after a small one */
        return i % 2 ? leaf + 1 : 1;
    case 2: /* two neighbours are more than a leaf */
        return half + (i % 2);
    case 3: /* too large, alone, small */
        return i % 4 == 0 ? leaf + 1 : i % 4 == 2 ? small + 1 : 1;
    case 4:
        return 1 + rng_below(&lists->r, 2 * leaf);
    case 5: /* next to nothing is cut off */
        return 1;
    default:
        return sizes[rng_below(&lists->r, sizeof sizes / sizeof *sizes)];
    }
}

static void cut(struct lists *lists, const struct lists_plan *l, uint32_t level, uint64_t size)
{
    enum { most_buckets = 1 << 10 };
    const struct partition_params *p = l->levels[level];
    const uint64_t most = (uint64_t)1 << l->sample->radix_bits;
    const uint64_t wanted = wanted_of(p, most, size);
    const int is_last = level + 1 == l->num_levels;
    uint64_t left = size, filled = 0; /* of the leaf that is being filled */
    int was_equal = 1;
    assert_true(wanted <= most_buckets);
    for (uint64_t i = 0; i < wanted; ++i) {
        const uint64_t asked = bucket_of(lists, p, i);
        const uint64_t have = i + 1 == wanted ? left : asked < left ? asked : left;
        left -= have;
        const int is_equal =
            !was_equal && i + 1 < wanted && lists->style % 3 != 1 && rng_below(&lists->r, 2);
        const int is_apart = have > (is_equal ? p->small_size : p->leaf_size);
        if (is_apart || filled + have > p->fill_size) {
            lists->num_leaves += filled > 0;
            filled = 0;
        }
        if (!is_apart) {
            filled += have;
        } else {
            if (is_equal || is_last)
                lists->num_leaves += (have - 1) / p->leaf_size + 1;
            if (!is_equal) {
                const struct partition_params *next = l->levels[level + 1];
                lists->num_segments[level + 1] += 1;
                lists->num_blocks[level + 1] +=
                    (have - 1) / (is_last ? p->leaf_size : next->block_size) + 1;
                if (!is_last) {
                    lists->num_buckets[level + 1] += wanted_of(next, most, have);
                    cut(lists, l, level + 1, have);
                }
            }
        }
        was_equal = is_equal;
    }
    lists->num_leaves += filled > 0;
}

double lists_plan_check(const struct lists_plan *l, uint32_t item_size, rng *r)
{
    const struct rooms rooms = rooms_of(l, item_size);
    double worst = 0;
    for (int style = 0; style < 8; ++style) {
        struct lists lists = {.r = {rng_next(r)}, .style = style};
        const uint64_t most = (uint64_t)1 << l->sample->radix_bits;
        lists.num_segments[0] = l->problem.num_arrays;
        lists.num_buckets[0] =
            l->problem.num_arrays * wanted_of(l->levels[0], most, l->problem.count);
        for (uint64_t array = 0; array < l->problem.num_arrays; ++array)
            cut(&lists, l, 0, l->problem.count);
        for (uint32_t i = 0; i <= l->num_levels; ++i) {
            assert_true(lists.num_segments[i] <= rooms.segments);
            assert_true(lists.num_blocks[i] <= rooms.owners);
            assert_true(!l->in_order || i == l->num_levels || lists.num_blocks[i] <= rooms.starts);
            assert_true(lists.num_buckets[i] <= rooms.buckets);
            assert_true(lists.num_buckets[i] <= rooms.pivots);
        }
        assert_true(lists.num_blocks[l->num_levels] <= rooms.splits);
        assert_true(lists.num_leaves <= rooms.leaves);
        const double used = (double)lists.num_leaves / (double)rooms.leaves;
        worst = used > worst ? used : worst;
    }
    return worst;
}
