/* search.c: tiles. Every form of a sort that the device has is a subject with coordinates.
 * From the compiled-in row on, one coordinate after the other goes up or down its list of values
 * as long as the sort gets faster; if one has moved, all have a second turn. Races against the
 * best so far decide, after the output has been checked. */
#include "tune/tune.h"

#include "cli/message.h"

#include <string.h>

enum { MAX_VALUES = 16, MAX_COORDINATES = 16, MAX_STEP = 2 };

/* A value that is this much slower in its first run is given up. */
static const double hopeless = 1.3;

struct coordinate {
    const char *name;
    uint64_t values[MAX_VALUES]; /* rising; a 0 behind the first ends them */
};

static const struct subject {
    const char *name;
    const char *kind;
    clsort_algorithm algorithm;
    const char *rows;   /* with which the form is taken for any count */
    const char *kernel; /* the first one of its plans, if the device has the form; NULL: any */
    uint32_t step;      /* or the one behind so many others */
    struct coordinate coordinates[MAX_COORDINATES];
    struct bench_shape shape;
    uint64_t most; /* keys that it is measured with; 0: all */
    bool is_stable;
    bool has_records; /* not keys of the type */
} subjects[] = {
    /* clang-format off */
    {"radix sort from the highest digit", "digits", CLSORT_RADIX,
     "digits min=0\nmsd min=2^48 float_min=2^48 stable_min=2^48\n"
     "onesweep min=2^48\n", "partition_count", .step = 1,
     .coordinates = {{"scatter_items", {4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32}},
      {"scatter_group", {64, 128, 256, 512, 1024}},
      {"scatter_registers", {0, 32, 40, 48, 56, 64, 80, 96, 128, 168}},
      {"block_tiles", {1, 2, 3, 4, 6, 8, 12}},
      {"leaf_items", {4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20}},
      {"leaf_group", {64, 128, 256, 512, 1024}},
      {"leaf_registers", {0, 32, 40, 48, 56, 64, 80, 96, 128}},
      {"bin_bits", {8, 9, 10, 11, 12, 13}},
      {"count_items", {2, 4, 8, 16, 32}},
      {"groups_per_unit", {0, 1, 2, 4, 8}},
      {"digit_bits", {5, 6, 7, 8}},
      {"deep_bits", {5, 6, 7, 8}},
      {"votes", {0, 1}}}},
    {"radix sort of evenly spread keys", "msd", CLSORT_RADIX,
     "msd min=0 float_min=0\n", "msd_sample",
     .coordinates = {{"split_items", {4, 8, 16, 24, 32}},
      {"split_registers", {0, 48, 56, 64, 80, 96}},
      {"block_lanes", {8, 16, 32, 64}},
      {"groups_per_unit", {2, 3, 4, 6, 8}},
      {"parts", {4, 8, 16, 32}},
      {"leaf_items", {4, 5, 7, 9, 12, 14, 18}},
      {"leaf_group", {64, 128, 256, 512}},
      {"leaf_registers", {0, 32, 40, 48, 56, 64, 80}},
      {"bin_bits", {12, 13, 14, 15, 16}},
      {"split_group", {64, 128, 256, 512}},
      {"votes", {0, 1}}}},
    {"radix sort of evenly spread keys, in order", "msd", CLSORT_RADIX,
     "msd stable_min=0\n", "msd_sample",
     .coordinates = {{"order_split_registers", {0, 48, 56, 64, 80, 96, 128}},
      {"order_groups_per_unit", {1, 2, 3, 4, 6, 8}},
      {"order_leaf_registers", {0, 32, 40, 48, 56, 64, 80}}}, .is_stable = true},
    {"radix sort with three launches a digit", "general", CLSORT_RADIX,
     "digits min=2^48\nmsd min=2^48 float_min=2^48 stable_min=2^48\n"
     "onesweep min=2^48\n",
     "radix_count",
     .coordinates = {{"radix_items", {2, 4, 6, 8, 10, 12, 16, 20, 24, 32}},
      {"radix_group", {64, 128, 256, 512}},
      {"radix_bits", {2, 3, 4, 5, 6, 7, 8}},
      {"radix_blocks", {64, 128, 256, 512, 1024, 2048, 4096, 8192}},
      {"radix_votes", {0, 1}}}},
    {"onesweep", "onesweep", CLSORT_RADIX,
     "msd min=2^48 float_min=2^48 stable_min=2^48\nonesweep min=0\n",
     "onesweep_sort", .step = 1,
     .coordinates = {{"scatter_items", {4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36}},
      {"scatter_group", {64, 128, 256, 512, 1024}},
      {"registers", {0, 48, 56, 64, 72, 80, 96, 128}},
      {"groups_per_unit", {1, 2, 3, 4, 6, 8}},
      {"digit_bits", {5, 6, 7, 8}},
      {"votes", {0, 1}}}},
    {"counting sort", "counting", CLSORT_RADIX, "counting min=0\n", "counting_count",
     .coordinates = {{"items", {1, 2, 3, 4}},
      {"group", {128, 256, 512, 1024}},
      {"groups_per_unit", {1, 2, 3, 4, 6, 8}}}},
    {"radix sort of CPUs", "cpu", CLSORT_RADIX, "", "cpu_radix",
     .coordinates =
     {{"bucket_bytes", {1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20}},
      {"spare_bytes", {1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 22}},
      {"digit_bits", {8, 9, 10, 11, 12}},
      {"chunks_per_unit", {1, 2, 4, 8, 16}},
      {"chunk_min", {1 << 10, 1 << 12, 1 << 14, 1 << 16}},
      {"bins_max", {1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14}},
      {"items_per_bin", {4, 8, 16, 32, 64}}}},
    {"bitonic network", "general", CLSORT_BITONIC, "", "bitonic_tile",
     .coordinates = {{"tile_items", {4, 8, 16, 32}},
      {"tile_group", {32, 64, 128, 256, 512, 1024, 2048}},
      {"window_items", {4, 8, 16, 32}},
      {"window_group", {32, 64, 128, 256, 512}},
      {"vectors", {0, 1}},
      {"shuffles", {0, 1}},
      {"bank_bytes", {0, 64, 128}}}},
    {"merge sort", "merge", CLSORT_MERGE, "", "merge_tile",
     .coordinates = {{"items", {5, 7, 8, 11, 15, 17, 21}},
      {"group", {32, 64, 128, 256, 512}}}},
    {"quicksort", "splitters", CLSORT_QUICK, "", "partition_pivots", .step = 1,
     .coordinates = {{"leaf_items", {5, 7, 9, 11, 13, 15, 17}},
      {"leaf_group", {64, 128, 256, 512}},
      {"leaf_registers", {0, 64, 80, 96, 128}},
      {"scatter_items", {4, 8, 12, 16, 20, 24}},
      {"scatter_group", {128, 256, 512}},
      {"count_items", {2, 4, 8, 16}},
      {"bucket_bits", {6, 7, 8, 9, 10}},
      {"spare_bits", {0, 1}},
      {"block_tiles", {1, 2, 4, 8, 16}},
      {"count_group", {128, 256, 512}},
      {"sample_group", {128, 256, 512}},
      {"sample_items", {3, 5, 7, 9}},
      {"groups_per_unit", {0, 1, 2, 4}},
      {"votes", {0, 1}}}},
    {"quicksort in one launch", "whole", CLSORT_QUICK, "", "whole_rank",
     .coordinates = {{"group", {256, 512, 1024}},
      {"groups_per_unit", {1, 2, 3, 4}},
      {"bucket_min", {128, 256, 512, 1024, 2048}},
      {"leaf_items", {4, 5, 7, 9, 13, 17}},
      {"registers", {0, 40, 48, 64, 80, 128}},
      {"held", {4, 8, 16, 32}},
      {"bucket_bits", {7, 8, 9, 10}},
      {"sample_group", {128, 256, 512, 1024}},
      {"sample_items", {3, 4, 5, 7, 9}}}, .most = 1 << 18},
    {"quicksort in one work-group", "whole", CLSORT_QUICK, "", "partition_leaf",
     .coordinates = {{"single_items", {2, 3, 4, 5, 7, 8, 9, 13}},
      {"single_group", {64, 128, 256, 512, 1024}}}, .most = 1 << 10},
    {"merge sort of CPUs", "cpu", CLSORT_MERGE, "", "cpu_runs",
     .coordinates = {{"run_bytes", {1 << 15, 1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20}},
      {"workers_per_unit", {1, 2, 4, 8, 16}},
      {"run_min", {1 << 8, 1 << 10, 1 << 12, 1 << 14}}}},
    {"rank sort of rows", "general", CLSORT_RANK, "", "rank_tile",
     .coordinates = {{"rank_tile_items", {2, 4, 8, 16}},
      {"rank_tile_group", {32, 64, 128, 256, 512}}}, ROWS_OF(64)},
    {"rank sort", "general", CLSORT_RANK, "", "gather",
     .coordinates = {{"rank_stream_items", {2, 4, 8, 16}},
      {"rank_stream_group", {32, 64, 128, 256, 512}}}, .most = 1 << 13},
    {"rows as segments", "segments", CLSORT_RADIX,
     "segments arrays_min=0 arrays_max=2^48 arrays_total=0\n", "segments_begin",
     .coordinates = {{"items", {5, 7, 9, 13, 15, 17, 21, 25, 29}},
      {"group", {64, 128, 256, 512}},
      {"tile_percent", {50, 62, 75, 81, 87, 92}},
      {"registers", {0, 32, 48, 64, 80, 128}}}, ROWS_OF(128)},
    {"segments of records", "segments", CLSORT_AUTO, "", "segments_records", .step = 2,
     .coordinates = {{"record_items", {1, 3, 5, 7, 9, 11, 13}},
      {"record_group", {32, 64, 128, 256}}},
     .shape = {.work = BENCH_SEGMENTS, .layout = BENCH_LENGTH, .length = 32}, .has_records = true},
    {"selection", "select", CLSORT_AUTO, "select min=0 row_max=0 short_max=0\n", "select_sample",
     .coordinates = {{"items", {2, 4, 8, 16, 32}},
      {"group", {64, 128, 256, 512}},
      {"groups_per_unit", {1, 2, 4, 8, 16, 32}},
      {"sample_bits_max", {12, 14, 16, 18, 20}}},
     .shape = {.work = BENCH_TOP, .limit = 64}},
    {"selection from short rows", "select", CLSORT_AUTO, "", "select_short",
     .coordinates = {{"short_items", {4, 8, 16, 32}},
      {"short_group", {32, 64, 128, 256, 512}}},
     .shape = {.work = BENCH_TOP, .layout = BENCH_ROWS, .length = 128, .limit = 16}},
    {"merge of two arrays", "merge", CLSORT_AUTO, "", "merge_split",
     .coordinates = {{"two_items", {5, 7, 9, 11, 15, 17, 21, 27}}},
     .shape = {.work = BENCH_MERGE, .layout = BENCH_HALVES}},
    {"check", "range", CLSORT_AUTO, "", "check_blocks",
     .coordinates = {{"check_items", {2, 4, 8, 16, 32}},
      {"check_group", {64, 128, 256, 512}},
      {"groups_per_unit", {4, 8, 16, 32, 64, 128}}}, .shape = {.work = BENCH_CHECK}},
    {"runs", "range", CLSORT_AUTO, "", NULL,
     .coordinates = {{"runs_items", {2, 4, 8, 16}},
      {"runs_group", {64, 128, 256, 512}},
      {"look_back", {0, 1}},
      {"votes", {0, 1}}}, .shape = {.work = BENCH_RUNS}},
    {"search", "range", CLSORT_AUTO, "", NULL,
     .coordinates = {{"search_items", {1, 2, 4, 8, 16}},
      {"search_group", {64, 128, 256, 512}},
      {"sample_share", {1, 2, 4, 8, 16}}}, .shape = {.work = BENCH_SEARCH}},
    /* clang-format on */
};
const int tune_num_subjects = sizeof(subjects) / sizeof(subjects[0]);

struct search {
    struct tune *tune;
    const struct subject *subject;
    struct bench_combination keys;
    char sizes[TUNE_SIZES_TEXT];
    struct tune_row best;  /* what is set so far */
    struct tune_side side; /* a sorter with it */
};

static int num_values(const struct coordinate *coordinate)
{
    int num = 1;
    while (num < MAX_VALUES && coordinate->values[num] > 0)
        num++;
    return num;
}

/* A sorter for a row of the subject, or NULL after a message. */
static clsort_sorter *sorter_with(const struct search *search, const struct tune_row *row)
{
    return tune_sorter(search->tune, false, search->subject->rows, row);
}

/* Tries another value of a number, and keeps it if it is faster, which it returns. */
static bool move(struct search *search, const char *name, uint64_t value)
{
    struct tune *tune = search->tune;
    struct tune_row row = search->best;
    struct tune_race race;
    tune_note(&tune->numbers, row.kind, row.sizes, name);
    tune_set(&row, name, value);
    struct tune_side side = search->side;
    side.sorter = sorter_with(search, &row);
    const bool is_faster = side.sorter && tune_try(tune, &side) &&
                           tune_run_race(tune, &search->side, &side, false,
                                         tune->options.num_rounds, hopeless, &race) &&
                           race.is_faster;
    if (is_faster) {
        const struct tune_side slower = search->side;
        search->best = row;
        search->side = side;
        side = slower;
    }
    clsort_destroy(side.sorter);
    return is_faster;
}

/* Walks one way from the current value until `reach` values in a row are not faster. Whether one
 * was. */
static bool walk(struct search *search, const struct coordinate *coordinate, int way)
{
    struct tune *tune = search->tune;
    const int num = num_values(coordinate);
    const int reach = tune->options.is_quick ? 1 : 2;
    uint64_t value = 0;
    bool has_moved = false;
    if (!tune_value(search->side.sorter, search->subject->kind, search->sizes, coordinate->name,
                    &value))
        return false;
    int i = way > 0 ? 0 : num - 1; /* the next value that way */
    while (i >= 0 && i < num &&
           (way > 0 ? coordinate->values[i] <= value : coordinate->values[i] >= value))
        i += way;
    for (int misses = 0; i >= 0 && i < num && misses < reach && tune_has_time(tune);
         i += way, misses++) {
        if (move(search, coordinate->name, coordinate->values[i])) {
            has_moved = true;
            misses = -1;
        }
    }
    return has_moved;
}

static void walk_all(struct search *search)
{
    bool again = true;
    for (int pass = 0; again && pass < (search->tune->options.is_quick ? 1 : 2); pass++) {
        again = false;
        for (int i = 0; i < MAX_COORDINATES && search->subject->coordinates[i].name; i++) {
            const struct coordinate *coordinate = &search->subject->coordinates[i];
            again |= walk(search, coordinate, 1) || walk(search, coordinate, -1);
        }
    }
}

/* Whether the best row is faster than the compiled-in one in a last, longer race, and keeps the
 * order of equal keys if it has to. This is run even if the time is over: it compiles nothing, and
 * without it the search would be lost. */
static bool is_better(struct search *search, const struct tune_side *before,
                      struct tune_race *race_ret)
{
    struct tune *tune = search->tune;
    const struct tune_side *const best = &search->side;
    const int num_rounds = 2 * tune->options.num_rounds + 1;
    return tune_run_race(tune, before, best, false, num_rounds, 0, race_ret) &&
           race_ret->is_faster &&
           (!search->subject->is_stable || tune_try_ties(tune, &search->keys, &best, 1));
}

/* Keeps the best row if it is faster. */
static void keep(struct search *search, const struct tune_side *before)
{
    struct tune *tune = search->tune;
    const char *part = search->subject->name;
    struct tune_race race;
    char rate_before[SIZE_TEXT], rate_after[SIZE_TEXT], name[BENCH_TYPE_TEXT];
    const uint64_t count = search->keys.input.count;
    if (search->best.num_settings == 0 || tune->has_ended_early ||
        !is_better(search, before, &race))
        return;
    struct tune_row *row = tune_find_row(tune, search->subject->kind, search->sizes);
    if (!row)
        return;
    for (int i = 0; i < search->best.num_settings; i++)
        tune_set(row, search->best.settings[i].name, search->best.settings[i].value);
    tune_note_gain(tune, race.a / race.b, part);
    tune_comment(row, part, "%s of %s: %s before, %s with", part,
                 bench_type_text(search->keys.type, name), rate_text(count, race.a, rate_before),
                 rate_text(count, race.b, rate_after));
}

/* Whether a plan of the subject has its kernel. */
static bool has_form(const struct tune_side *side, const struct subject *subject)
{
    clsort_plan plan;
    clsort_step steps[MAX_STEP + 1];
    for (int i = 0; i <= MAX_STEP; i++)
        steps[i] = (clsort_step){.kernel = ""};
    return clsort_get_plan(side->sorter, &side->desc, &plan, steps, MAX_STEP + 1) == CLSORT_OK &&
           (!subject->kernel || strcmp(steps[subject->step].kernel, subject->kernel) == 0);
}

/* Searches from the compiled-in row on, for which both sides have a sorter. A form that the device
 * cannot do is left alone. */
static void search_form(struct search *search)
{
    struct tune *tune = search->tune;
    const struct tune_side before = {sorter_with(search, &search->best), search->side.desc};
    if (before.sorter && tune_input_open(tune, &search->keys) && tune_try(tune, &before)) {
        walk_all(search);
        keep(search, &before);
    }
    clsort_destroy(before.sorter);
}

void tune_subject(struct tune *tune, int part, struct bench_type type)
{
    const struct subject *subject = &subjects[part];
    struct search search = {.tune = tune, .subject = subject, .best = {.kind = subject->kind}};
    const uint64_t count = tune->options.count, most = subject->most;
    if (subject->has_records)
        type = (struct bench_type){.key = CLSORT_U64, .form = BENCH_BY_FIELDS};
    if (!tune_wants(tune, subject->kind) || (subject->is_stable && type.value_size == 0) ||
        !tune_input(tune, type, &subject->shape, 0, most > 0 && most < count ? most : count,
                    &search.keys))
        return;
    tune_sizes(subject->kind, type, search.sizes);
    memcpy(search.best.sizes, search.sizes, sizeof(search.sizes));
    if (tune_has(&tune->seen, subject->kind, search.sizes, subject->name))
        return;
    search.side.desc = tune_desc(&search.keys, subject->algorithm);
    search.side.desc.stable = subject->is_stable;
    search.side.sorter = sorter_with(&search, &search.best);
    /* Only a form that the device has wants time. */
    if (search.side.sorter && has_form(&search.side, subject) && tune_has_time(tune)) {
        search_form(&search);
        if (!tune->is_cut)
            tune_note(&tune->seen, subject->kind, search.sizes, subject->name);
    }
    clsort_destroy(search.side.sorter);
}
