/* bench.h: what the files of 'clsort bench' share. A sort that is measured is a struct
 * bench_opponent (tools/bench/opponents/opponent.h), the library's own among them, once for each
 * algorithm and build. All sort the same input in turns; a row of the table is one sort on one
 * input. */
#ifndef CLSORT_TOOL_BENCH_H
#define CLSORT_TOOL_BENCH_H

#include "bench/run/data.h"
#include "cli/command_line.h"
#include "io/bytes.h"
#include "memory/device.h"

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    MAX_LIST = 32,
    MAX_SHAPES = 64,
    MAX_FILES = 8,
    MAX_SORTS = 3 * MAX_LIST,
    MAX_VALUE_SIZE = 4096,
    BENCH_KERNELS = 2048 /* room for the names of all kernels */
};

/* The lists among the options. The first ones say what is done. */
enum bench_list {
    LIST_OPERATIONS,
    LIST_SEGMENTS,
    LIST_ROWS,
    NUM_SHAPE_LISTS,
    LIST_LIMITS = NUM_SHAPE_LISTS,
    LIST_COUNTS,
    LIST_ALGORITHMS,
    LIST_TYPES,
    LIST_DISTRIBUTIONS,
    LIST_CHOSEN,
    NUM_LISTS
};
struct bench_options {
    int num[NUM_LISTS]; /* items of each */
    uint64_t counts[MAX_LIST];
    clsort_algorithm algorithms[MAX_LIST];
    struct bench_type types[MAX_LIST];
    enum bench_distribution distributions[MAX_LIST];
    struct bench_shape bases[NUM_SHAPE_LISTS][MAX_LIST]; /* what is done, without limits */
    uint64_t limits[MAX_LIST];
    struct bench_shape skip; /* its members for skipping */
    uint64_t num_queries;
    struct bench_shape shapes[MAX_SHAPES]; /* all that is done */
    int num_shapes;
    bool does_more;      /* than sorting single arrays, which the algorithms can be named for */
    uint64_t value_size; /* of the types that name none */
    uint32_t index_size;
    bool is_stable, is_out_of_place;
    uint64_t repeat, seed;
    double row_seconds;
    double noise; /* the spread from which on a row counts as noisy, in percent */
    const char *device;
    const char *against;          /* a build's folder or its library */
    const char *files[MAX_FILES]; /* opponents */
    const char *chosen[MAX_LIST]; /* the names of those that are measured; all if there are none */
    int num_files;
    const char *csv, *json;
    bool has_host; /* the host's sorts, of the module beside the tool */
    bool is_markdown, is_ratios, is_enqueue, is_first_call, is_report;
    bool is_brief; /* the sorts of an input end by the clock, since no number of rounds is given */
};

/* bench_times: of some runs, or of the ratios of some runs. Spread: half of the distance
 * between the quartiles, as a share of the median. */
struct bench_summary {
    double best;
    double median; /* 0: there are none */
    double spread;
    double high; /* the 99th percentile */
};
struct bench_summary bench_summarise(const double *runs, int num_runs);

/* A run of a sort. What is not known by experience is a bound from below; it is
 * vague if the run may be too long nevertheless. */
struct bench_estimate {
    int slot;
    double work, seconds;
    bool is_known, is_vague;
    const char *refusal; /* of the library, which has no plan; or NULL */
};

/* One line of the table. */
enum bench_clock { BENCH_HOST, BENCH_DEVICE, BENCH_NUM_CLOCKS };
enum { BENCH_CALL = BENCH_NUM_CLOCKS, BENCH_NUM_TIMES }; /* the library's, which does not wait */
struct bench_row {
    const struct bench_combination *keys;
    struct bench_opponent *opponent;
    struct bench_library *library; /* that it is, or NULL */
    const char *algorithm;         /* of a build of clsort as asked for, else "" */
    const char *chosen;            /* the algorithm that ran, else "" */
    bool does_else;                /* an opponent that does not do this: the row is in no table */
    struct bench_row *base; /* what it is compared with, itself if it is the first: for another
                               build the same algorithm of this one, else the first sort */
    bool is_in;             /* takes part still; it is finished when it goes out */
    bool is_open;           /* prepared, and not finished yet */
    bool is_done;           /* has run long enough */
    bool is_printed;
    double total; /* seconds of the runs */
    struct bench_estimate estimate;
    char note[BENCH_NOTE]; /* why it was not measured, or "" */
    int num_runs;
    double *runs[BENCH_NUM_TIMES]; /* seconds; 0 where there is no such time */
    struct bench_summary times[BENCH_NUM_TIMES];
    double copy_share; /* the plan's bytes a second as a share of the copy bandwidth */
    uint64_t bytes_moved;
    uint32_t num_steps;
    char kernels[BENCH_KERNELS]; /* of a build of clsort: the plan's, each once */
};

/* bench: number i of all combinations. */
struct bench_combination {
    struct bench_input input;
    struct bench_type type;
    const struct bench_shape *shape;
    int place;             /* of the type and the shape, among all of these: whose experience */
    char note[BENCH_NOTE]; /* why there is no such input, or "" */
};
struct bench_combination bench_combine(const struct bench_options *options,
                                       const struct device_facts *facts, int i);

/* bench_opencl: the device's side of all sorts of one input. The buffers are every sort's, the
 * scratch is the largest. */
enum bench_buffer {
    KEYS_SOURCE,
    VALUES_SOURCE,
    KEYS,
    VALUES,
    INDICES,
    OFFSETS, /* of segments, u64 */
    QUERIES,
    RESULT, /* u64 */
    SUMS,
    SCRATCH,
    NUM_BUFFERS
};
struct bench_opencl {
    const struct device *device;
    cl_command_queue queue, profiling_queue;
    cl_kernel fill, look;
    cl_kernel head_start; /* of GPUs */
    size_t num_items;     /* work-items of these kernels */
    struct bench_input input;
    struct bench_sums sums;     /* of the input */
    struct bench_sums expected; /* of a right output */
    uint64_t *offsets;          /* as in struct bench_task */
    cl_mem buffers[NUM_BUFFERS];
    size_t sizes[NUM_BUFFERS];
    int result;          /* of all calls up to now, as of bench_check() */
    char why[BENCH_WHY]; /* where it is 0 or BENCH_WRONG */
};

/* A build of the library: this program's own, or one that was loaded. */
#define BENCH_BUILD_FUNCTIONS(X) \
    X(create)                    \
    X(destroy)                   \
    X(prepare)                   \
    X(get_plan)                  \
    X(enqueue)                   \
    X(status_text)               \
    X(version)                   \
    X(type_name)                 \
    X(struct_size)               \
    X(algorithm_name)
#define BENCH_BUILD_MEMBER(name) __typeof__(&clsort_##name) name;
struct bench_build {
    const char *name; /* in the table */
    clsort_sorter *sorter;
    BENCH_BUILD_FUNCTIONS(BENCH_BUILD_MEMBER)
};

/* What a sort's last run of a type took. The library's have a slot for each algorithm, the others
 * one each behind these. */
struct bench_experience {
    double seconds, work;
};
enum { BENCH_SLOTS = CLSORT_NUM_ALGORITHMS + MAX_SORTS };

/* The library by one algorithm. */
struct bench;
struct bench_library {
    struct bench_opponent opponent;
    struct bench *bench;
    struct bench_build *build;
    bool is_own; /* of this program's library */
    struct bench_type type;
    clsort_desc desc;
    clsort_plan plan;
    double enqueue; /* seconds of the last call on the plain queue */
};

/* 'clsort bench', or clsort-bench, which is for the library's developers. */
int bench_command(int argc, char **argv, bool is_developers);

struct bench {
    struct bench_options options;
    struct device device;
    struct bench_opencl opencl;
    double copy_rate; /* bytes read and written a second */
    struct bench_build own, old;
    struct bench_library libraries[2 * MAX_LIST];
    struct bench_opponent *sorts[MAX_SORTS]; /* the libraries first, then the opponents */
    int num_libraries;
    int num_sorts;
    struct bench_opponent *missing[MAX_LIST]; /* opponents that cannot be measured in their build */
    int num_missing;
    bool is_found[MAX_LIST]; /* of the names that are chosen */
    struct bench_combination *combinations;
    struct bench_row *rows;
    double *runs; /* theirs, BENCH_NUM_TIMES for each round */
    int num_combinations, num_rows;
    struct bench_experience experience[MAX_LIST * MAX_SHAPES][BENCH_SLOTS];
    uint64_t progress_begin, progress_size; /* of the input that is measured */
};

/* bench_options: the status that the command ends with, or GO_ON. */
int bench_parse(int argc, char **argv, bool is_developers, struct bench_options *options);

/* bench_options: one of the lists, its items separated by commas. False after a message. */
bool bench_parse_list(enum bench_list list, const char *text, struct bench_options *options);

/* bench_options: whether a word is in a list of words that blanks or commas separate. */
bool bench_list_has(const char *list, const char *word, size_t length);

/* bench_options: the shapes of the lists; false after a message. An option's take(): a percentage
 * or a place to skip, to a struct bench_shape. */
bool bench_make_shapes(struct bench_options *options);
bool bench_take_skip(const struct argument *argument, const char *text, void *options);

/* bench_library: of what is done with an input. */
clsort_desc bench_desc(const struct bench_options *options, struct bench_type type,
                       clsort_algorithm algorithm, const struct bench_input *input);

/* bench_load: the opponents of the options' files and of the host's module, and the other build. */
bool bench_load_sorts(struct bench *bench);
bool bench_does(const struct bench_opponent *opponent, enum bench_work work);

/* bench_library: the buffers of what is done. */
clsort_buffers bench_buffers(const struct bench_opencl *opencl, const clsort_desc *desc);

/* bench_library: the algorithms of this build, and of the other one if there is one, as sorts. */
void bench_build_own(struct bench_build *build);
void bench_add_libraries(struct bench *bench);

/* bench_library: the names of the kernels of a plan, each once, between blanks. */
void bench_name_kernels(const struct bench_build *build, const clsort_desc *desc,
                        char names[BENCH_KERNELS]);

/* bench_opencl: kernels and queue. False after a message. */
bool bench_opencl_open(struct bench_opencl *opencl, const struct device *device);
void bench_opencl_close(struct bench_opencl *opencl);

/* The functions below tell by `result` what came of them, and after one that has failed they do
 * nothing until the next bench_opencl_begin(), or until its caller sets `result` to 1. */

/* What a call of OpenCL, or of the library's own sorter, means: 0 for a lack of memory, or -1 after
 * a message. */
void bench_opencl_result(struct bench_opencl *opencl, const char *call, cl_int code);
void bench_opencl_status(struct bench_opencl *opencl, clsort_status status);

/* Calls a function of OpenCL, if none before has failed. */
#define BENCH_TRY(opencl, function, ...)                                     \
    do {                                                                     \
        if ((opencl)->result > 0)                                            \
            bench_opencl_result((opencl), #function, function(__VA_ARGS__)); \
    } while (0)

/* Memory and input, of the shape that the input is made for and prepared for what is done.
 * is_elsewhere: what runs next leaves the input as it is, and writes all of its output to other
 * buffers. */
void bench_opencl_begin(struct bench_opencl *opencl, const struct bench_combination *keys);
void bench_opencl_refresh(struct bench_opencl *opencl, cl_command_queue queue, bool is_elsewhere);
void bench_opencl_check(struct bench_opencl *opencl, bool is_stable);
void bench_opencl_reserve_scratch(struct bench_opencl *opencl, uint64_t size);
void bench_opencl_create(struct bench_opencl *opencl, enum bench_buffer which, uint64_t size);
void bench_opencl_end(struct bench_opencl *opencl);

/* The sums over these keys and values. */
struct bench_sums bench_opencl_look(struct bench_opencl *opencl, const struct bench_input *input,
                                    enum bench_buffer keys, enum bench_buffer values);
void bench_opencl_fill(struct bench_opencl *opencl, const struct bench_input *input,
                       enum bench_buffer keys);
/* The device's seconds of what is enqueued on the profiling queue between the two calls, with the
 * gaps between its commands; 0 where the driver reports no times. The second waits for the queue,
 * also after a failure, and returns what came of that. */
cl_event bench_opencl_start_clock(struct bench_opencl *opencl);
cl_int bench_opencl_stop_clock(struct bench_opencl *opencl, cl_event before, double *seconds_ret);
/* Seconds between two times that the driver reports, or 0. */
double bench_opencl_seconds(cl_event first, cl_profiling_info from, cl_event last,
                            cl_profiling_info to);
/* All of a buffer, to the host; the first bytes of one, from the host. */
void bench_opencl_read(struct bench_opencl *opencl, enum bench_buffer from, struct bytes *bytes);
void bench_opencl_write(struct bench_opencl *opencl, enum bench_buffer to, const void *data,
                        size_t size);

/* bench_host: the same for the host's memory. The input is read from the device, for opponents with
 * memory of their own alone; or there is memory for those of the host, too. Outputs are checked on
 * the device. */
struct bench_host {
    struct bench_input input;
    struct bytes keys, values, queries, items, out;
    struct bytes found[2]; /* keys and values of an output of pairs */
    uint64_t result;
    bool is_in_place;
};
void bench_host_read(struct bench_host *host, struct bench_opencl *opencl);
void bench_host_begin(struct bench_host *host, struct bench_opencl *opencl);
void bench_host_refresh(struct bench_host *host);
void bench_host_end(struct bench_host *host);
void bench_host_check(struct bench_host *host, struct bench_opencl *opencl, bool is_stable);

/* bench_rounds: measures all sorts of one input, in turns, and prints a row each; with a note the
 * rows have that alone. */
bool bench_measure(struct bench *bench, const struct bench_combination *keys);

/* bench_times: of a run of a sort. */
struct bench_estimate bench_estimate(const struct bench *bench, int sort,
                                     const struct bench_combination *keys);

/* How many times as fast `ours` is as `theirs`, over the rounds that both have run; nothing for one
 * and the same. */
struct bench_summary bench_ratio(const struct bench_row *ours, const struct bench_row *theirs,
                                 enum bench_clock clock);

/* bench_first_call: the whole of --first-call. */
int bench_first_call(const struct bench_options *options);

/* bench_text: they write text and return it, or other text. A number has about so many digits, and
 * 0 is "-". Numbers of keys are powers in Markdown. "auto" stands with what it chose, behind the
 * name of the build if there are two. */
enum { BENCH_CELL = 96 };
const char *bench_cell(double number, int num_digits, char text[BENCH_CELL]);
const char *bench_keys_text(uint64_t count, bool is_markdown, char text[BENCH_CELL]);
const char *bench_sort_text(const struct bench *bench, const struct bench_row *row,
                            char text[BENCH_CELL]);

/* Keys or queries a second; 0 where there is no such time. */
double bench_rate(const struct bench_row *row, enum bench_clock clock);

/* A text as lines of their own that fit, the first and the others behind as many blanks; as a line
 * above or below the table. */
void bench_print_wrapped(const char *text, int first_indent, int indent);
void bench_print_fact(const struct bench *bench, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* bench_head. Plans: for --report, those of the first algorithm on each input, with the times of
 * their steps if the row was measured. False after a message. */
void bench_print_head(const struct bench *bench);
bool bench_print_plans(struct bench *bench);
void bench_print_end(const struct bench *bench);

/* bench_table: whether its text fits, else a message; what is done with an input, above its rows;
 * one of these. With --ratios a row may have no line. */
bool bench_has_room(const struct bench *bench);
void bench_print_table_head(const struct bench *bench);
void bench_print_shape(const struct bench *bench, const struct bench_combination *keys);
void bench_print_row(const struct bench *bench, const struct bench_row *rows, int i);

/* bench_report */
void bench_write_report(const struct bench *bench, const char *path, bool is_json);

#endif
