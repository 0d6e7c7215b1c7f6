/* tune.h: what the files of 'clsort tune' share. The library is told of other numbers as every program
 * tells it, by CLSORT_TUNING: for each candidate a sorter is made that reads its rows from a pipe. */
#ifndef CLSORT_TOOL_TUNE_H
#define CLSORT_TOOL_TUNE_H

#include "bench.h"
#include "bytes.h"
#include "device.h"

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TUNE_ROWS = 64, TUNE_SETTINGS = 24, TUNE_SIZES_TEXT = 40, TUNE_TEXT = 1 << 14 };

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
    char comment[400]; /* lines in front of the row */
};

struct tune_options {
    const char *device;
    const char *output;
    uint64_t count; /* 0: by the kind of device */
    double seconds; /* for all */
    int num_rounds; /* that the medians are of */
    bool is_quick;
    struct bench_type types[MAX_LIST];
    int num_types;
};

/* The keys and values of one type on both sides. */
struct tune_input {
    struct bench_data data;
    struct bytes output_keys, output_values;
    cl_mem sources[2], buffers[2]; /* keys, values */
};

struct tune {
    struct tune_options options;
    struct device device; /* its sorter has the compiled-in rows */
    cl_command_queue profiling_queue;
    struct tune_input input;
    int descriptor; /* what CLSORT_TUNING names */
    double start;
    double until; /* seconds after the start, for what is being looked at */
    bool is_over; /* the time was up before all had been tried */
    struct tune_row rows[TUNE_ROWS];
    int num_rows;
    /* What has been looked at, so that types that share a row do not tune it twice. */
    char seen[TUNE_ROWS * 4][2 * TUNE_SIZES_TEXT];
    int num_seen;
};

/* One side of a race: a sorter and what it sorts. */
struct tune_side {
    clsort_sorter *sorter;
    clsort_desc desc;
};

/* tune_run: before the first OpenCL call. False after a message, as all here. */
bool tune_name_rows(struct tune *tune);

/* A sorter with these rows. */
clsort_sorter *tune_sorter(struct tune *tune, const char *rows);

bool tune_input_open(struct tune *tune, struct bench_type type, uint64_t count);
void tune_input_close(struct tune *tune);

/* Sorts once and looks at the output: wrong output is trouble, with a message; a candidate that does
 * not compile or run is just none. */
enum tune_verdict { TUNE_RIGHT, TUNE_IMPOSSIBLE, TUNE_TROUBLE };
enum tune_verdict tune_try(struct tune *tune, const struct tune_side *side);

/* Both sides in turns: the medians of their seconds, and whether b is faster than a by more than the
 * noise. by_host: from the call until the queue has finished; else the steps' times on the device,
 * where the driver tells them. hopeless: give up when b's first run takes so many times as long. */
struct tune_race {
    double a, b;
    bool is_faster;
};
bool tune_run_race(struct tune *tune, const struct tune_side *a, const struct tune_side *b,
                   bool by_host, int num_rounds, double hopeless, struct tune_race *race_ret);

/* Gives what comes next one of num_shares equal shares of the time up to `end` seconds. */
void tune_take_time(struct tune *tune, double end, int num_shares);

/* Whether there is time for more of it. */
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

/* A setting that a sorter goes by; false if it has no such row. */
bool tune_value(clsort_sorter *sorter, const char *kind, const char *sizes, const char *name,
                uint64_t *value_ret);

/* Whether this has not been looked at before. */
bool tune_is_new(struct tune *tune, const char *what, const char *sizes);

/* Which rows of a kind are for a type: " item=8". */
void tune_sizes(const char *kind, struct bench_type type, char sizes[TUNE_SIZES_TEXT]);

/* tune_search: the shapes of every form of a sort; tune_limits: the counts from which AUTO takes which. */
bool tune_search(struct tune *tune, struct bench_type type, double end);
bool tune_limits(struct tune *tune, struct bench_type type, double end);

#endif
