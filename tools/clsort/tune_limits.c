/* tune_limits.c: from which counts on AUTO takes which algorithm. A limit decides between two
 * plans for a count. Both run at powers of two, by the host's clock, since a launch costs more
 * than its kernel's time. The best limit is the one whose chosen times have the smallest
 * product, so that all sizes count alike. */
#include "tune.h"

#include "message.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MAX_SIZES = 40, LOST = 2 };

/* If the plan for small counts is this much slower at two sizes, larger sizes are not measured.
 * To move a limit, the chosen times must gain at least `worth` on the average. */
static const double lost = 3;
static const double worth = 0.03;

static const struct limit {
    const char *kind;
    const char *name;
    const char *what;
    clsort_algorithm algorithm; /* of both plans */
    bool is_last;               /* the limit is the last small count, not the first large one */
    int first_bits, last_bits;  /* of the counts */
} limits[] = {
    {"part", "min", "radix sort from the highest digit", CLSORT_RADIX, false, 12, 30},
    {"msd", "min", "radix sort of evenly spread keys", CLSORT_RADIX, false, 18, 30},
    {"msd", "onesweep_min", "the same with onesweep behind it", CLSORT_RADIX, false, 18, 30},
    {"counting", "min", "counting sort", CLSORT_RADIX, false, 16, 30},
    {"general", "radix_min", "radix sort", CLSORT_AUTO, false, 8, 30},
    {"general", "rank_max", "rank sort", CLSORT_AUTO, true, 4, 13},
};

#define NEVER (UINT64_C(1) << 48)

/* Seconds for a count, with the plan for small counts and with that for large ones. */
struct size {
    uint64_t count;
    double small, large;
};

static clsort_sorter *sorter_with(struct tune *tune, const struct limit *limit, const char *sizes,
                                  uint64_t value)
{
    char text[TUNE_TEXT] = "";
    struct tune_row row = {.kind = limit->kind};
    snprintf(row.sizes, sizeof(row.sizes), "%s", sizes);
    tune_set(&row, limit->name, value);
    tune_add_rows(tune, false, text);
    tune_add_row(&row, false, text);
    return tune_sorter(tune, text);
}

static bool is_same_plan(const struct tune_side *a, const struct tune_side *b)
{
    clsort_plan plan_a, plan_b;
    clsort_step first_a = {.kernel = ""}, first_b = {.kernel = ""};
    return clsort_get_plan(a->sorter, &a->desc, &plan_a, &first_a, 1) ||
           clsort_get_plan(b->sorter, &b->desc, &plan_b, &first_b, 1) ||
           (plan_a.algorithm == plan_b.algorithm && plan_a.num_steps == plan_b.num_steps &&
            strcmp(first_a.kernel, first_b.kernel) == 0);
}

/* Races the two at every size. */
static bool measure(struct tune *tune, const struct limit *limit, struct tune_side *small,
                    struct tune_side *large, struct size *sizes, int *num_ret)
{
    const int step = tune->options.is_quick ? 2 : 1;
    int num_lost = 0;
    *num_ret = 0;
    for (int bits = limit->first_bits;
         bits <= limit->last_bits && UINT64_C(1) << bits <= tune->input.count && num_lost < LOST;
         bits += step) {
        struct tune_race race;
        small->desc.count = large->desc.count = UINT64_C(1) << bits;
        if (!tune_has_time(tune))
            return true;
        if (is_same_plan(small, large))
            continue;
        const enum tune_verdict verdicts[] = {tune_try(tune, small), tune_try(tune, large)};
        if (verdicts[0] == TUNE_TROUBLE || verdicts[1] == TUNE_TROUBLE)
            return false;
        if (verdicts[0] != verdicts[1] || verdicts[0] != TUNE_RIGHT ||
            !tune_run_race(tune, small, large, true, 2 * tune->options.num_rounds + 1, 0, &race))
            continue;
        sizes[(*num_ret)++] = (struct size){small->desc.count, race.a, race.b};
        num_lost = race.a > lost * race.b ? num_lost + 1 : 0;
    }
    return true;
}

/* The sum of the logarithms of the times if sizes from `first` on take the plan for large
 * counts. */
static double cost(const struct size *sizes, int num, int first)
{
    double sum = 0;
    for (int i = 0; i < num; i++)
        sum += log(i < first ? sizes[i].small : sizes[i].large);
    return sum;
}

static void evaluate(struct tune *tune, const struct limit *limit, const char *row_sizes,
                     const struct size *sizes, int num, uint64_t current, const char *type)
{
    int before = 0, after = 0;
    while (before < num &&
           (limit->is_last ? sizes[before].count <= current : sizes[before].count < current))
        before++;
    after = before;
    for (int first = 0; first <= num; first++) {
        if (cost(sizes, num, first) < cost(sizes, num, after))
            after = first;
    }
    const int num_moved = after > before ? after - before : before - after;
    const double gain = cost(sizes, num, before) - cost(sizes, num, after);
    struct tune_row *row = num_moved > 0 && gain > worth * num_moved
                               ? tune_find_row(tune, limit->kind, row_sizes)
                               : NULL;
    if (!row)
        return;
    const uint64_t last = sizes[num - 1].count;
    const uint64_t value = limit->is_last ? (after > 0 ? sizes[after - 1].count : 0)
                           : after < num  ? sizes[after].count
                                          : 2 * last;
    /* The comment shows the size that gains most. */
    const int from = after < before ? after : before;
    double best = 0;
    const struct size *told = &sizes[from];
    for (int i = from; i < from + num_moved; i++) {
        const double ratio =
            i < after ? sizes[i].large / sizes[i].small : sizes[i].small / sizes[i].large;
        if (ratio > best) {
            best = ratio;
            told = &sizes[i];
        }
    }
    char rate_before[SIZE_TEXT], rate_after[SIZE_TEXT];
    const bool is_small = told < sizes + after;
    tune_set(row, limit->name, value);
    tune_comment(row,
                 "%s %s %" PRIu64 " %s, before %" PRIu64 "; %" PRIu64 " keys: %s before, %s with",
                 limit->what, limit->is_last ? "up to" : "from", value, type, current, told->count,
                 rate_text(told->count, is_small ? told->large : told->small, rate_before),
                 rate_text(told->count, is_small ? told->small : told->large, rate_after));
}

static bool tune_limit(struct tune *tune, const struct limit *limit, struct bench_type type)
{
    char sizes_text[TUNE_SIZES_TEXT], name[BENCH_TYPE_TEXT];
    struct size sizes[MAX_SIZES];
    uint64_t current = 0;
    int num = 0;
    tune_sizes(limit->kind, type, sizes_text);
    if (!tune_value(tune->device.sorter, limit->kind, sizes_text, limit->name, &current) ||
        !tune_has_time(tune) || !tune_is_new(tune, limit->what, sizes_text))
        return true;
    struct tune_side small = {
        .desc = {.type = type.key, .algorithm = limit->algorithm, .value_size = type.value_size}};
    struct tune_side large = small;
    small.sorter = sorter_with(tune, limit, sizes_text, NEVER);
    large.sorter = sorter_with(tune, limit, sizes_text, 0);
    const bool ok =
        small.sorter && large.sorter && measure(tune, limit, &small, &large, sizes, &num);
    if (ok && num > 0)
        evaluate(tune, limit, sizes_text, sizes, num, current, bench_type_text(type, name));
    clsort_destroy(small.sorter);
    clsort_destroy(large.sorter);
    return ok;
}

bool tune_limits(struct tune *tune, struct bench_type type, double end)
{
    const int num = sizeof(limits) / sizeof(limits[0]);
    for (int i = 0; i < num; i++) {
        tune_take_time(tune, end, num - i);
        if (!tune_limit(tune, &limits[i], type))
            return false;
    }
    return true;
}
