/* bench.h: what the files of 'clsort bench' share. */
#ifndef CLSORT_TOOL_BENCH_H
#define CLSORT_TOOL_BENCH_H

#include "bench_data.h"
#include "bench_opponents.h"
#include "device.h"

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stdint.h>

enum { MAX_LIST = 32, MAX_VALUE_SIZE = 4096 };

/* The names of the distributions, each with a blank in front, for help and messages. */
#define BENCH_DISTRIBUTION_NAME(name, text, about) " " text
#define DISTRIBUTION_NAMES DISTRIBUTION_LIST(BENCH_DISTRIBUTION_NAME)

/* What is sorted: keys, or keys with values of some bytes. */
struct bench_type {
    clsort_type key;
    uint32_t value_size;
};

struct bench_options {
    uint64_t counts[MAX_LIST];
    clsort_algorithm algorithms[MAX_LIST];
    struct bench_type types[MAX_LIST];
    enum distribution distributions[MAX_LIST];
    int num_counts;
    int num_algorithms;
    int num_types;
    int num_distributions;
    uint32_t value_size; /* of the types that name none */
    uint32_t index_size;
    bool is_stable;
    int repeat;
    uint64_t seed;
    double row_seconds;
    const char *device;
    const char *csv;
    const char *json;
    const char *plot;
    bool is_markdown;
    bool has_opponents;
    bool is_ratios; /* a short table: rates, and how many times as fast as the opponents */
    bool is_first_call;
    bool is_first_call_child; /* started by --first-call */
};

/* Seconds of the three parts of a process's first sort. */
struct first_call {
    double create; /* find the device, create a context and a sorter */
    double prepare;
    double sort;
};

/* One line of the table. Seconds are 0 where there is no such time. */
struct bench_row {
    uint64_t count;
    struct bench_type type;
    enum distribution distribution;
    const char *method; /* an algorithm's name as asked for, or an opponent's */
    const char *chosen; /* the algorithm that ran; "" for an opponent */
    bool is_opponent;
    char note[160]; /* why it, or an opponent of its row, was not measured, or "" */
    int num_runs;
    double host_best;
    double host_median;
    double device_best;
    double device_median;
    double copy_share; /* the plan's bytes a second as a share of the copy bandwidth */
    /* How many times as fast as each opponent, the median of the rounds; 0 where not measured. */
    double times[NUM_OPPONENTS];
    uint64_t bytes_moved;
    uint32_t num_steps;
};

struct bench {
    struct bench_options options;
    struct device device;
    cl_command_queue profiling_queue;
    double copy_rate; /* bytes read and written a second */
    struct first_call first_call;
    struct bench_row *rows;
    int num_rows;
    int capacity;
};

/* bench_options: 0 go on, else the exit status + 1. */
int bench_parse(int argc, char **argv, struct bench_options *options);

/* bench_lists: one of the lists, its items separated by commas. False after a message. */
enum bench_list { LIST_COUNTS, LIST_ALGORITHMS, LIST_TYPES, LIST_DISTRIBUTIONS };
bool bench_parse_list(enum bench_list list, const char *text, struct bench_options *options,
                      int *length_ret);

/* The description of a sort of the bench. */
clsort_desc bench_desc(const struct bench_options *options, struct bench_type type,
                       clsort_algorithm algorithm, uint64_t count);

/* bench_copy: the bandwidth of clEnqueueCopyBuffer(). */
bool bench_measure_copy(struct bench *bench);

/* What a run has left on the host: sorted keys and values, or indices in the place of keys. */
struct bench_output {
    struct bytes keys;
    struct bytes values;
};

/* bench_run: the device's side of all runs on one input. The buffers are every algorithm's, the
 * scratch the largest. Functions that return false without a note have printed a message. */
enum bench_buffer { KEYS_SOURCE, VALUES_SOURCE, KEYS, VALUES, INDICES, SCRATCH, NUM_BUFFERS };
struct bench_run {
    const struct bench *bench;
    const struct bench_data *data;
    struct bench_output *output;
    cl_mem buffers[NUM_BUFFERS];
    size_t sizes[NUM_BUFFERS];
};

void bench_run_init(struct bench_run *run, const struct bench *bench, const struct bench_data *data,
                    struct bench_output *output);
bool bench_run_fits(const struct bench_run *run, uint64_t scratch_size, char *note,
                    size_t note_size);
bool bench_run_create(struct bench_run *run, uint64_t scratch_size);
void bench_run_destroy(struct bench_run *run);

/* One sort of fresh data, checked; the seconds are the host's, from the call to the end. */
bool bench_run_once(struct bench_run *run, const clsort_desc *desc, uint64_t scratch_size,
                    cl_command_queue queue, double *seconds_ret);

/* Fills the row's times of the device: as many runs as it has on the host's clock, or none where the
 * driver reports no times. seconds has room for them. */
bool bench_run_on_device_clock(struct bench_run *run, const clsort_desc *desc,
                               uint64_t scratch_size, double *seconds, struct bench_row *row);

/* Median and best of the seconds of some runs, which are sorted. */
double bench_median(double *seconds, int num_runs, double *best_ret);

/* bench_rounds: measures all that is to be measured on the same input, in turns, and prints a row
 * each. experience is kept for each algorithm from one input of a type to the next. */
struct bench_experience {
    double seconds; /* of a run */
    double compares;
};
bool bench_measure(struct bench *bench, const struct bench_data *data,
                   enum distribution distribution,
                   struct bench_experience experience[CLSORT_NUM_ALGORITHMS]);

/* A new row, or NULL after a message. Rows before it may move. */
struct bench_row *bench_add_row(struct bench *bench, struct bench_type type, uint64_t count,
                                enum distribution distribution, const char *method);

/* bench_cpu: the opponents' side. Whether one has a sort for such data; if not, note says why. */
bool bench_cpu_sorts(const struct opponent *opponent, const struct bench_data *data, char *note,
                     size_t note_size);

/* Sorts the data, uncounted and unchecked: some threads and code are only there after that. */
bool bench_cpu_warm_up(const struct opponent *opponent, const struct bench_data *data,
                       struct bytes *items, struct bench_output *output);

/* One sort of a fresh copy; the copying is not timed. items has room for the pairs. *fault_ret is what
 * is wrong with the output, or NULL. */
bool bench_cpu_once(const struct opponent *opponent, const struct bench_data *data,
                    struct bytes *items, struct bench_output *output, double *seconds_ret,
                    const char **fault_ret);

/* bench_open: opens the device and sorts once, timing each part; where no combination of the lists
 * can be sorted, the times but the first are 0. */
bool bench_open_timed(const struct bench_options *options, struct device *device,
                      struct first_call *times_ret);

/* bench_first_call: the whole of --first-call, and the processes that it starts. */
int bench_first_call(const struct bench_options *options);
int bench_first_call_child(const struct bench_options *options);

/* bench_table */
void bench_print_head(const struct bench *bench);
void bench_print_row(const struct bench *bench, const struct bench_row *row);

/* Writes "u32", or with values "u32+u64", "u32+12", and returns text. */
enum { BENCH_TYPE_TEXT = 24 };
const char *bench_type_text(struct bench_type type, char text[BENCH_TYPE_TEXT]);

/* "auto" together with what it chose. */
const char *bench_method_text(const struct bench_row *row, char *text, size_t size);
double bench_keys_per_second(const struct bench_row *row);

/* bench_report */
bool bench_write_csv(const struct bench *bench);
bool bench_write_json(const struct bench *bench);

/* bench_plot */
bool bench_plot_is_possible(void);
bool bench_write_plot(const struct bench *bench);

#endif
