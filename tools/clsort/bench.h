/* bench.h: what the files of 'clsort bench' share. */
#ifndef CLSORT_TOOL_BENCH_H
#define CLSORT_TOOL_BENCH_H

#include "bench_data.h"
#include "device.h"

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stdint.h>

enum { MAX_LIST = 32 };

struct bench_options {
    uint64_t counts[MAX_LIST];
    clsort_algorithm algorithms[MAX_LIST];
    clsort_type types[MAX_LIST];
    enum distribution distributions[MAX_LIST];
    int num_counts;
    int num_algorithms;
    int num_types;
    int num_distributions;
    uint32_t value_size;
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
    bool has_cpu;
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
    clsort_type type;
    enum distribution distribution;
    const char *method; /* an algorithm's name as asked for, "qsort" or "std::sort" */
    const char *chosen; /* the algorithm that ran; "" for the CPU's */
    char note[160];     /* why it was not measured, or "" */
    int num_runs;
    double host_best;
    double host_median;
    double device_best;
    double device_median;
    double copy_share;  /* the plan's bytes a second as a share of the copy bandwidth */
    double times_qsort; /* how many times as fast as the opponents; 0 where not measured */
    double times_std_sort;
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

/* The description of a sort of the bench. */
clsort_desc bench_desc(const struct bench_options *options, clsort_type type,
                       clsort_algorithm algorithm, uint64_t count);

/* bench_copy: the bandwidth of clEnqueueCopyBuffer(). */
bool bench_measure_copy(struct bench *bench);

/* bench_run: fills a row whose count, type, distribution and method are set. expected is the
 * seconds a run is thought to take, 0 where nothing is known: a row that would take longer than
 * the options allow is skipped with a note. False is trouble, with a message. */
bool bench_run_row(struct bench *bench, const struct bench_data *data, const clsort_desc *desc,
                   const clsort_plan *plan, double expected, struct bench_row *row);

/* Median and best of the seconds of some runs, which are sorted. */
double bench_median(double *seconds, int num_runs, double *best_ret);

/* bench_cpu: the opponents, on the same data. */
bool bench_run_qsort(const struct bench *bench, const struct bench_data *data,
                     struct bench_row *row);
bool bench_run_std_sort(const struct bench *bench, const struct bench_data *data,
                        struct bench_row *row);

/* bench_open: opens the device and sorts once, timing each part; where no combination of the lists
 * can be sorted, the times but the first are 0. */
bool bench_open_timed(const struct bench_options *options, struct device *device,
                      struct first_call *times_ret);

/* bench_first_call: the whole of --first-call, and the processes that it starts. */
int bench_first_call(const struct bench_options *options);
int bench_first_call_child(const struct bench_options *options);

/* bench_report */
void bench_print_head(const struct bench *bench);
void bench_print_row(const struct bench *bench, const struct bench_row *row);
bool bench_write_csv(const struct bench *bench);
bool bench_write_json(const struct bench *bench);

/* bench_plot */
bool bench_plot_is_possible(void);
bool bench_write_plot(const struct bench *bench);

#endif
