/* limits.c: from which counts on AUTO takes which algorithm. A limit decides between two
 * plans for a size. Both run at powers of two. One array's sorts run by the host's clock, since a
 * launch costs more than its kernel's time; rows, selection and operations by the device's. The
 * best limit is the one whose chosen times have the smallest product, so that all sizes count
 * alike. */
#include "tune/tune.h"

#include "cli/message.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MAX_SIZES = 40, MAX_STEPS = 2048, LOST = 2 };

/* If the plan for small counts is this much slower at two sizes, larger sizes are not measured.
 * To move a limit, the chosen times must gain at least `worth` on the average. */
static const double lost = 3;
static const double worth = 0.03;

#define NEVER (UINT64_C(1) << 48)

/* What a limit's sizes are. */
enum grows {
    OF_KEYS,     /* all keys */
    OF_LENGTH,   /* the keys of a row; there are num_rows, or as many as all keys make */
    OF_QUERIES,  /* queries of all keys */
    OF_BYTES,    /* all keys, whose bytes the number is */
    OF_COMPARES, /* all keys; the number is a unit's comparisons, of each key with its row */
};

static const struct limit {
    const char *kind;
    const char *name;
    const char *what;
    clsort_algorithm algorithm; /* of both plans */
    bool is_last;               /* the limit is the last small size, not the first large one */
    int bits[2];                /* log2 of the first size and of the last */
    const char *rows;           /* of other numbers, so that this one alone decides; or NULL */
    struct bench_shape shape;
    enum grows grows;
    uint64_t num_rows;
    uint64_t never; /* 0: NEVER */
    uint32_t index_size;
    bool is_stable;
    bool has_records;
} limits[] = {
/* clang-format off */
#define TOP_OF(layout_) .shape = {.work = BENCH_TOP, .layout = (layout_), .limit = 64}
    {"digits", "min", "radix sort from the highest digit", CLSORT_RADIX, .bits = {12, 30}},
    {"msd", "min", "radix sort of evenly spread keys", CLSORT_RADIX, .bits = {18, 30}},
    {"msd", "float_min", "the same of floats", CLSORT_RADIX, .bits = {18, 30}},
    {"msd", "stable_min", "the same of stable pairs", CLSORT_RADIX, .bits = {18, 30},
     .is_stable = true},
    {"onesweep", "min", "onesweep", CLSORT_RADIX, .bits = {8, 30}},
    {"onesweep", "wide_max", "onesweep's narrow groups", CLSORT_RADIX, .bits = {12, 30},
     .rows = "msd min=2^48 float_min=2^48 stable_min=2^48\nonesweep min=0\n"},
    {"counting", "min", "counting sort", CLSORT_RADIX, .bits = {10, 30}},
    {"whole", "max", "quicksort in one launch", CLSORT_AUTO, .is_last = true, .bits = {6, 30}},
    {"whole", "narrow_max", "quicksort in one launch", CLSORT_AUTO, .is_last = true,
     .bits = {6, 30}},
    {"whole", "pairs_max", "quicksort of pairs in one launch", CLSORT_AUTO, .is_last = true,
     .bits = {6, 30}},
    {"whole", "stable_max", "stable quicksort in one launch", CLSORT_AUTO, .is_last = true,
     .bits = {6, 30}, .is_stable = true},
    {"whole", "half_min", "half work-groups", CLSORT_QUICK, .bits = {12, 30}},
    {"splitters", "min", "quicksort of pairs", CLSORT_AUTO, .bits = {10, 30}},
    {"general", "radix_min", "radix sort", CLSORT_AUTO, .bits = {8, 30}},
    {"general", "rank_max", "rank sort", CLSORT_AUTO, .is_last = true, .bits = {4, 13}},
    {"general", "rank_compares", "comparisons of rank sort", CLSORT_AUTO, .is_last = true,
     .bits = {8, 30}, .rows = "general rank_max=2^13\n", ROWS_OF(64), .grows = OF_COMPARES},
    {"general", "wide_index_min", "indices of 8 bytes sorted as 4", CLSORT_AUTO, .bits = {14, 30},
     .index_size = 8},
    {"cpu", "alone_bytes", "one work-item alone", CLSORT_RADIX, .is_last = true, .bits = {8, 24},
     .grows = OF_BYTES, .never = UINT64_C(1) << 30},
    {"cpu", "vectors_alone_bytes", "one work-item alone by vectors", CLSORT_RADIX, .is_last = true,
     .bits = {8, 24}, .grows = OF_BYTES, .never = UINT64_C(1) << 30},
    {"segments", "arrays_min", "arrays as segments", CLSORT_AUTO, .bits = {6, 30},
     .rows = "segments arrays_max=2^48 arrays_total=0\n", ROWS_OF(0), .grows = OF_LENGTH},
    {"segments", "arrays_max", "arrays not as segments", CLSORT_AUTO, .bits = {10, 30},
     .rows = "segments arrays_min=0 arrays_total=0\n", ROWS_OF(0), .grows = OF_LENGTH},
    {"segments", "arrays_total", "arrays as segments, in all", CLSORT_AUTO, .bits = {15, 30},
     .rows = "segments arrays_min=0 arrays_max=2^48\n", ROWS_OF(1 << 14)},
    /* A work-group that selects by itself stands against the better one of the others. */
    {"select", "min", "selection by a sample", CLSORT_AUTO, .bits = {10, 30},
     .rows = "select row_max=0 short_max=0\n", TOP_OF(BENCH_WHOLE)},
    {"select", "row_max", "selection by a work-group", CLSORT_AUTO, .is_last = true,
     .bits = {8, 30}, .rows = "select row_min=0 short_max=0\n", TOP_OF(BENCH_WHOLE)},
    {"select", "several_min", "selection from 16 arrays by samples", CLSORT_AUTO, .bits = {10, 30},
     TOP_OF(BENCH_ROWS), .grows = OF_LENGTH, .num_rows = 16},
    {"select", "short_max", "selection from several rows", CLSORT_AUTO, .is_last = true,
     .bits = {7, 13}, .rows = "select row_min=0\n", TOP_OF(BENCH_ROWS), .grows = OF_LENGTH},
    {"select", "row_min", "selection by a work-group for a row", CLSORT_AUTO, .bits = {7, 16},
     .rows = "select row_max=2^48\n", TOP_OF(BENCH_ROWS), .grows = OF_LENGTH},
    {"range", "sample_min", "searches with a sample", CLSORT_AUTO, .bits = {10, 30},
     .shape = {.work = BENCH_SEARCH}, .grows = OF_QUERIES},
    {"records", "radix_min", "radix sort of records", CLSORT_AUTO, .bits = {8, 30},
     .is_stable = true, .has_records = true},
    {"records", "radix_free_min", "unstable radix sort of records", CLSORT_AUTO, .bits = {8, 30},
     .has_records = true},
    {"records", "quick_min", "quicksort of records", CLSORT_AUTO, .bits = {4, 30},
     .rows = "records radix_free_min=2^48\n", .has_records = true},
    {"records", "quick_stable_min", "stable quicksort of records", CLSORT_AUTO, .bits = {4, 30},
     .rows = "records radix_min=2^48 quick_stable_few=0\n", .is_stable = true, .has_records = true},
    {"records", "quick_stable_few", "no stable quicksort of few records", CLSORT_AUTO,
     .bits = {4, 14}, .rows = "records radix_min=2^48 quick_stable_min=2^48\n", .is_stable = true,
     .has_records = true},
    {"whole", "records_max", "quicksort of records in one launch", CLSORT_QUICK, .is_last = true,
     .bits = {8, 30}, .has_records = true},
    /* clang-format on */
};
const int tune_num_limits = sizeof(limits) / sizeof(limits[0]);

/* A size of a limit, as the number has it, and the keys there. Seconds with the plan for small
 * sizes and with that for large ones. */
struct size {
    uint64_t value;
    uint64_t num_keys;
    double small, large;
};

static clsort_sorter *sorter_with(struct tune *tune, const struct limit *limit, const char *sizes,
                                  uint64_t value)
{
    struct tune_row row = {.kind = limit->kind};
    snprintf(row.sizes, sizeof(row.sizes), "%s", sizes);
    tune_set(&row, limit->name, value);
    return tune_sorter(tune, true, limit->rows, &row);
}

static bool is_same_plan(const struct tune_side *a, const struct tune_side *b)
{
    static clsort_step steps[2][MAX_STEPS];
    clsort_plan plan_a, plan_b;
    if (clsort_get_plan(a->sorter, &a->desc, &plan_a, steps[0], MAX_STEPS) ||
        clsort_get_plan(b->sorter, &b->desc, &plan_b, steps[1], MAX_STEPS))
        return true;
    const uint32_t num = plan_a.num_steps < MAX_STEPS ? plan_a.num_steps : MAX_STEPS;
    return plan_a.algorithm == plan_b.algorithm && plan_a.num_steps == plan_b.num_steps &&
           memcmp(steps[0], steps[1], num * sizeof(steps[0][0])) == 0;
}

/* What is sorted at a size: its shape, and what the number is there. Returns the keys. */
static uint64_t lay_out(const struct tune *tune, const struct limit *limit, struct bench_type type,
                        uint64_t size, struct bench_shape *shape_ret, uint64_t *value_ret)
{
    const uint64_t units = tune->device.facts.compute_units;
    *shape_ret = limit->shape;
    *value_ret = size;
    switch (limit->grows) {
    case OF_LENGTH:
        shape_ret->length = size;
        return limit->num_rows > 0 ? limit->num_rows * size : tune->options.count;
    case OF_QUERIES:
        shape_ret->num_queries = size;
        return tune->options.count;
    case OF_BYTES:
        *value_ret = size * (clsort_type_size(type.key) + type.value_size);
        return size;
    case OF_COMPARES:
        *value_ret = size * shape_ret->length / (units > 0 ? units : 1);
        return size;
    default:
        return size;
    }
}

/* Whether both sort rightly, which leaves the input laid out. */
static bool try_both(struct tune *tune, const struct limit *limit,
                     const struct bench_combination *keys, const struct tune_side *small,
                     const struct tune_side *large)
{
    const struct tune_side *const sides[] = {small, large};
    const bool has_ties = limit->is_stable && keys->input.has_places;
    return (!has_ties || tune_try_ties(tune, keys, sides, 2)) && tune_input_open(tune, keys) &&
           tune_try(tune, small) && tune_try(tune, large);
}

/* Races the two at a size. False where both have one plan, one of them fails, or the time is over,
 * which only two plans ask for. */
static bool race_at(struct tune *tune, const struct limit *limit, struct bench_type type,
                    struct tune_side *small, struct tune_side *large, uint64_t size,
                    struct size *size_ret)
{
    struct bench_shape shape;
    struct bench_combination keys;
    struct tune_race race;
    const uint64_t count = lay_out(tune, limit, type, size, &shape, &size_ret->value);
    if (count > tune->options.count ||
        !tune_input(tune, type, &shape, limit->index_size, count, &keys))
        return false;
    small->desc = tune_desc(&keys, limit->algorithm);
    small->desc.stable = limit->is_stable;
    large->desc = small->desc;
    if (is_same_plan(small, large) || !tune_has_time(tune) ||
        !try_both(tune, limit, &keys, small, large) ||
        !tune_run_race(tune, small, large, shape.work == BENCH_SORT,
                       2 * tune->options.num_rounds + 1, 0, &race))
        return false;
    size_ret->num_keys = keys.input.count;
    size_ret->small = race.a;
    size_ret->large = race.b;
    return true;
}

/* Races the two at every size; returns the number of sizes. */
static int measure(struct tune *tune, const struct limit *limit, struct bench_type type,
                   struct tune_side *small, struct tune_side *large, struct size *sizes)
{
    const int step = tune->options.is_quick ? 2 : 1;
    int num_lost = 0, num = 0;
    for (int bits = limit->bits[0];
         bits <= limit->bits[1] && UINT64_C(1) << bits <= tune->options.count && num_lost < LOST &&
         !tune->is_cut;
         bits += step) {
        struct size *size = &sizes[num];
        if (!race_at(tune, limit, type, small, large, UINT64_C(1) << bits, size))
            continue;
        num++;
        num_lost = size->small > lost * size->large ? num_lost + 1 : 0;
    }
    return num;
}

/* The sum of the logarithms of the times if sizes from `first` on take the plan for large
 * ones. */
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
           (limit->is_last ? sizes[before].value <= current : sizes[before].value < current))
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
    const uint64_t last = sizes[num - 1].value;
    const uint64_t value = limit->is_last ? (after > 0 ? sizes[after - 1].value : 0)
                           : after < num  ? sizes[after].value
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
    const uint64_t keys = told->num_keys;
    const bool is_small = told < sizes + after;
    tune_set(row, limit->name, value);
    tune_note_gain(tune, best, limit->what);
    tune_comment(row, limit->name,
                 "%s %s %" PRIu64 " %s, before %" PRIu64 "; at %" PRIu64 ": %s before, %s with",
                 limit->what, limit->is_last ? "up to" : "from", value, type, current, told->value,
                 rate_text(keys, is_small ? told->large : told->small, rate_before),
                 rate_text(keys, is_small ? told->small : told->large, rate_after));
}

void tune_limit(struct tune *tune, int part, struct bench_type type)
{
    const struct limit *limit = &limits[part];
    char sizes_text[TUNE_SIZES_TEXT], name[BENCH_TYPE_TEXT];
    struct size sizes[MAX_SIZES];
    uint64_t current = 0;
    if (limit->has_records)
        type = (struct bench_type){.key = CLSORT_U64, .form = BENCH_BY_FIELDS};
    if (!tune_wants(tune, limit->kind) || (limit->index_size > 0 && type.value_size > 0))
        return;
    struct bench_type moved = type;
    if (limit->index_size > 0)
        moved.value_size = 4; /* an index moves as 4 bytes */
    tune_sizes(limit->kind, moved, sizes_text);
    if (!tune_value(tune->device.sorter, limit->kind, sizes_text, limit->name, &current) ||
        tune_has(&tune->seen, limit->kind, sizes_text, limit->name))
        return;
    struct tune_side small = {0}, large = {0};
    small.sorter = sorter_with(tune, limit, sizes_text, limit->never > 0 ? limit->never : NEVER);
    large.sorter = sorter_with(tune, limit, sizes_text, 0);
    const int num =
        small.sorter && large.sorter ? measure(tune, limit, type, &small, &large, sizes) : 0;
    if (num > 0 && !tune->has_ended_early) {
        tune_note(&tune->numbers, limit->kind, sizes_text, limit->name);
        evaluate(tune, limit, sizes_text, sizes, num, current, bench_type_text(type, name));
    }
    if (!tune->is_cut)
        tune_note(&tune->seen, limit->kind, sizes_text, limit->name);
    clsort_destroy(small.sorter);
    clsort_destroy(large.sorter);
}
