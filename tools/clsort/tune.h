/* tune.h: what the files of 'clsort tune' share. A candidate's numbers reach the library as in
 * every program, by CLSORT_TUNING: each candidate has a sorter that reads its rows from a pipe. */
#ifndef CLSORT_TOOL_TUNE_H
#define CLSORT_TOOL_TUNE_H

#include "bench.h"
#include "bytes.h"
#include "device.h"

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TUNE_ROWS = 64, TUNE_SETTINGS = 24, TUNE_SIZES_TEXT = 40, TUNE_TEXT = 1 << 15 };

struct tune_setting {
    const char *name; /* static text */
    uint64_t value;
};

/* A row of the file. */
struct tune_row {
    const char *kind;
    char sizes[TUNE_SIZES_TEXT]; /* " key=4 payload=0", or "" */
    struct tune_setting settings[TUNE_SETTINGS];
    int num_settings;
    char comment[1600]; /* lines in front of the row */
};

/* A number that was measured with more than one value. */
struct tune_number {
    const char *kind, *name; /* static texts */
    char sizes[TUNE_SIZES_TEXT];
};

struct tune_options {
    const char *device;
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
    double until; /* seconds after the start, for what is being measured */
    bool is_over; /* the time ended before all had been tried */
    struct tune_row rows[TUNE_ROWS];
    int num_rows;
    /* What has been measured, so that types that share a row do not tune it twice. */
    char seen[TUNE_ROWS * 4][2 * TUNE_SIZES_TEXT];
    int num_seen;
    struct tune_number numbers[TUNE_ROWS * 8];
    int num_numbers;
};

/* One side of a race: a sorter and what it sorts. */
struct tune_side {
    clsort_sorter *sorter;
    clsort_desc desc;
};

/* tune_run: call it before the first OpenCL call. Like all functions here, false after a
 * message. */
bool tune_name_rows(struct tune *tune);

/* A sorter with these rows. */
clsort_sorter *tune_sorter(struct tune *tune, const char *rows);

/* A member of subjects and limits: sorts of rows. */
#define ROWS_OF(length_) \
    .shape = {.work = BENCH_SEGMENTS, .layout = BENCH_ROWS, .length = (length_)}

/* What is measured with: at most `count` keys in a shape, and what a sort of them is called. False
 * where they have no such shape. */
bool tune_input(struct tune *tune, struct bench_type type, const struct bench_shape *shape,
                uint32_t index_size, uint64_t count, struct bench_input *input_ret);
clsort_desc tune_desc(struct bench_type type, clsort_algorithm algorithm,
                      const struct bench_input *input);

/* Lays the input into the device's memory, in the place of the one before. */
enum tune_verdict { TUNE_RIGHT, TUNE_IMPOSSIBLE, TUNE_TROUBLE };
enum tune_verdict tune_input_open(struct tune *tune, struct bench_type type,
                                  const struct bench_shape *shape, const struct bench_input *input);

/* Sorts once and checks the output. Wrong output is trouble, with a message; a candidate that
 * does not compile or run is merely impossible. */
enum tune_verdict tune_try(struct tune *tune, const struct tune_side *side);

/* Runs both sides in turns: the medians of their seconds, and whether b is faster than a by more
 * than the noise. by_host: from the call until the queue has finished; else by the device's clock,
 * if the driver reports times. hopeless: give up if b's first run takes that many times as long. */
struct tune_race {
    double a, b;
    bool is_faster;
};
bool tune_run_race(struct tune *tune, const struct tune_side *a, const struct tune_side *b,
                   bool by_host, int num_rounds, double hopeless, struct tune_race *race_ret);

/* Gives the next part one of num_shares equal shares of the time up to `end` seconds. */
void tune_take_time(struct tune *tune, double end, int num_shares);

/* Whether the current part has time left. */
bool tune_has_time(struct tune *tune);

/* tune_rows: adds a row, or all so far, to a text; nothing for one that sets nothing. */
void tune_add_row(const struct tune_row *row, bool has_comment, char text[TUNE_TEXT]);
void tune_add_rows(const struct tune *tune, bool has_comments, char text[TUNE_TEXT]);

/* The row of a kind and sizes, made if there is none; NULL if there is no room. */
struct tune_row *tune_find_row(struct tune *tune, const char *kind, const char *sizes);
void tune_set(struct tune_row *row, const char *name, uint64_t value);

/* Adds a line to a row's comment. */
void tune_comment(struct tune_row *row, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A number of a sorter's rows; false if it has no such row. */
bool tune_value(clsort_sorter *sorter, const char *kind, const char *sizes, const char *name,
                uint64_t *value_ret);

/* Notes that a number is measured, once. */
void tune_note(struct tune *tune, const char *kind, const char *sizes, const char *name);

/* Whether this has not been measured before. */
bool tune_is_new(struct tune *tune, const char *what, const char *sizes);

/* The sizes that name a type's row of a kind: " item=8". */
void tune_sizes(const char *kind, struct bench_type type, char sizes[TUNE_SIZES_TEXT]);

/* tune_json: on standard error, the file being on standard output. */
bool tune_print_json(const struct tune *tune);

/* tune_search: the tiles of every form of a sort; tune_limits: from which counts AUTO takes
 * which sort. */
bool tune_search(struct tune *tune, struct bench_type type, double end);
bool tune_limits(struct tune *tune, struct bench_type type, double end);

#endif
