/* tune.h: what the files of 'clsort tune' share. A candidate's numbers reach the library as in
 * every program, by CLSORT_TUNING: each candidate has a sorter that reads its rows from a file
 * without a name. */
#ifndef CLSORT_TOOL_TUNE_H
#define CLSORT_TOOL_TUNE_H

#include "bench/bench.h"
#include "io/bytes.h"
#include "memory/device.h"

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    TUNE_ROWS = 64,
    TUNE_NUMBERS = 512,
    TUNE_SETTINGS = 24,
    TUNE_LINES = 24,
    TUNE_SIZES_TEXT = 40
};

struct tune_setting {
    const char *name; /* static text */
    uint64_t value;
};

/* A comment's line: what one part of the work has found. */
struct tune_line {
    const char *part; /* static text */
    char text[200];
};

/* A row of the file. */
struct tune_row {
    const char *kind;
    char sizes[TUNE_SIZES_TEXT]; /* " key=4 payload=0", or "" */
    struct tune_setting settings[TUNE_SETTINGS];
    int num_settings;
    struct tune_line lines[TUNE_LINES]; /* in front of the row */
    int num_lines;
};

/* Numbers of rows, or what else has a name and is of a row, each once. */
struct tune_numbers {
    struct {
        const char *kind, *name; /* static texts */
        char sizes[TUNE_SIZES_TEXT];
    } all[TUNE_NUMBERS];
    int num;
};

/* The kinds of rows that are measured, each with a blank in front. */
#define TUNE_KINDS_OF_SORTS " digits msd onesweep counting whole cpu general merge splitters"
#define TUNE_KINDS_OF_OTHERS " segments select range records"

struct tune_options {
    const char *device;
    const char *only; /* kinds of rows, with commas between them; NULL: all */
    const char *output;
    uint64_t count; /* 0: by the kind of device */
    double seconds; /* for all */
    int num_rounds; /* that the medians are of */
    bool is_quick;
    bool is_json;
    struct bench_type types[MAX_LIST];
    int num_types;
};

struct tune {
    struct tune_options options;
    struct device device; /* its sorter has the compiled-in rows */
    struct bench_opencl opencl;
    int descriptor; /* what CLSORT_TUNING names */
    double start;
    double until;         /* seconds after the start, for the part that is being measured */
    bool is_cut;          /* that part has more to try */
    bool is_over;         /* the time ended before all had been tried */
    bool has_ended_early; /* by trouble, after a message: nothing more is tried */
    struct tune_row rows[TUNE_ROWS];
    int num_rows;
    struct tune_numbers numbers; /* that were measured with more than one value */
    struct tune_numbers seen; /* subjects and limits that were measured to their end, so that types
                                    that share a row do not measure them again */
    double gain;              /* the largest of a row's rates to the compiled-in rows'; 0: no row */
    const char *gain_what;    /* static text */
};

/* One side of a race: a sorter and what it sorts. */
struct tune_side {
    clsort_sorter *sorter;
    clsort_desc desc;
};

/* tune_run: call it before the first OpenCL call. False after a message. */
bool tune_name_rows(struct tune *tune);

/* A sorter with the rows found so far, if they are wanted, with those of a text, which may be NULL,
 * and with one more. NULL: there is trouble. */
clsort_sorter *tune_sorter(struct tune *tune, bool with_found, const char *rows,
                           const struct tune_row *row);

/* A member of subjects and limits: sorts of rows. */
#define ROWS_OF(length_) \
    .shape = {.work = BENCH_SEGMENTS, .layout = BENCH_ROWS, .length = (length_)}

/* What is measured with: at most `count` keys in a shape, and what a sort of them is called. False
 * where they have no such shape. Values that can hold it tell an element's place, so that a check
 * of a stable sort sees the order of equal keys. */
bool tune_input(struct tune *tune, struct bench_type type, const struct bench_shape *shape,
                uint32_t index_size, uint64_t count, struct bench_combination *keys_ret);
clsort_desc tune_desc(const struct bench_combination *keys, clsort_algorithm algorithm);

/* Lays the input into the device's memory, in the place of the one before. False: the device cannot
 * do it, or there is trouble, as in all that follows. */
bool tune_input_open(struct tune *tune, const struct bench_combination *keys);

/* Sorts once and checks the output. Wrong output is trouble; a candidate that does not compile or
 * run is not. */
bool tune_try(struct tune *tune, const struct tune_side *side);

/* The same of an input with many equal keys, for stable sorts: random keys of 64 bits have none.
 * It takes the place of the input that was open. */
bool tune_try_ties(struct tune *tune, const struct bench_combination *keys,
                   const struct tune_side *const *sides, int num_sides);

/* Runs both sides in turns, each run checked: the medians of their seconds, and whether b is faster
 * than a by more than the noise. by_host: from the call until the queue has finished; else by the
 * device's clock, if the driver reports times. hopeless: give up if b's first run takes that many
 * times as long. */
struct tune_race {
    double a, b;
    bool is_faster;
};
bool tune_run_race(struct tune *tune, const struct tune_side *a, const struct tune_side *b,
                   bool by_host, int num_rounds, double hopeless, struct tune_race *race_ret);

/* tune_run: measures all parts of all types. Each has an equal share of the time; those that were
 * cut short have what others leave, in further turns. */
void tune_all(struct tune *tune);

/* The parts: of tune_search the tiles of a form of a sort, of tune_limits from which count on AUTO
 * takes which sort. */
extern const int tune_num_subjects, tune_num_limits;
void tune_subject(struct tune *tune, int part, struct bench_type type);
void tune_limit(struct tune *tune, int part, struct bench_type type);

/* Whether the part has time left for what it is about to try; if not, it is cut short. */
bool tune_has_time(struct tune *tune);

/* tune_rows: prints a row, or all so far; nothing for one that sets nothing. */
void tune_print_row(const struct tune_row *row, FILE *file);
void tune_print_rows(const struct tune *tune, bool has_comments, FILE *file);

/* Whether rows of a kind are to be measured. */
bool tune_wants(const struct tune *tune, const char *kind);

/* The row of a kind and sizes, made if there is none; NULL if there is no room. */
struct tune_row *tune_find_row(struct tune *tune, const char *kind, const char *sizes);
void tune_set(struct tune_row *row, const char *name, uint64_t value);

/* Adds a line to a row's comment, in the place of what the same part has said before. */
void tune_comment(struct tune_row *row, const char *part, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Notes how many times as fast something is by a row that was found. */
void tune_note_gain(struct tune *tune, double gain, const char *what);

/* A number of a sorter's rows; false if it has no such row. */
bool tune_value(clsort_sorter *sorter, const char *kind, const char *sizes, const char *name,
                uint64_t *value_ret);

/* Notes a number once; whether it is noted. */
void tune_note(struct tune_numbers *numbers, const char *kind, const char *sizes, const char *name);
bool tune_has(const struct tune_numbers *numbers, const char *kind, const char *sizes,
              const char *name);

/* The sizes that name a type's row of a kind: " item=8". */
void tune_sizes(const char *kind, struct bench_type type, char sizes[TUNE_SIZES_TEXT]);

/* tune_rows: on standard error, the file being on standard output. */
void tune_print_json(const struct tune *tune);

#endif
