/* opponent.h: what a sort that 'clsort bench' is to measure brings with it. An opponent is a shared
 * object that exports bench_opponents(), and 'clsort-bench --opponent FILE' loads it. It needs this
 * header, look.h and input.h, and no other part of clsort. The whole of one, for u32:
 *
 *     #include "opponent.h"
 *     #include <stdlib.h>
 *
 *     static int compare(const void *a, const void *b)
 *     {
 *         const u32 x = *(const u32 *)a, y = *(const u32 *)b;
 *         return (x > y) - (x < y);
 *     }
 *     static int prepare(struct bench_opponent *self, const struct bench_task *task, char *why)
 *     {
 *         self->state = (void *)task;
 *         const struct bench_input *input = task->input;
 *         return bench_is(input, BENCH_UNSIGNED, 32, 0) || bench_refuse(why, "sorts u32");
 *     }
 *     static int run(struct bench_opponent *self, struct bench_times *times, char *why)
 *     {
 *         const struct bench_task *task = self->state;
 *         qsort(task->items, task->input->count, sizeof(u32), compare);
 *         return 1;
 *     }
 *     static struct bench_opponent mine = {
 *         .name = "mine", .memory = BENCH_ON_HOST, .prepare = prepare, .run = run};
 *     struct bench_opponent *const *bench_opponents(unsigned version)
 *     {
 *         static struct bench_opponent *const all[] = {&mine, NULL};
 *         return version == BENCH_OPPONENT_VERSION ? all : NULL;
 *     }
 *
 * cc -shared -fPIC -I tools/bench/opponents -o mine.so mine.c && clsort-bench --opponent ./mine.so
 *
 * Functions return 1, or 0 and a sentence in `why`, which then stands in the table's note. */
#ifndef BENCH_OPPONENT_H
#define BENCH_OPPONENT_H

#include "look.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_OPPONENT_VERSION = 7, BENCH_WHY = 160 };

enum bench_memory {
    BENCH_ON_HOST,   /* sorts task->items in place */
    BENCH_ON_OPENCL, /* sorts task->keys and task->values in place, by commands to task->queue */
    BENCH_OF_ITS_OWN /* makes and keeps the input itself, takes the times, and has look() */
};

/* What is to be done with keys in ascending order: input->work. Numbers by their kind and bits;
 * records where key_size is BENCH_RECORD_SIZE. It stays as it is from prepare() to finish(). */
struct bench_task {
    const struct bench_input *input;
    /* BENCH_ON_HOST: before each run() the input; each item is the value, if any, and then the
     * key. */
    void *items;
    /* BENCH_ON_HOST: for the items of TOP, bench_num_outputs() of them, of MERGE and of RUNS, and
     * for the places of SEARCH. */
    void *out;
    u64 *result; /* of CHECK and RUNS; of any memory's opponents */
    /* BENCH_ON_OPENCL: before each run() the input. The queue is in order; run() may return
     * before it has finished, and is called with two queues in turns, for the host's time and
     * the device's. Nothing is out of place, so they can sort arrays and segments. */
    struct _cl_context *context;
    struct _cl_device_id *device;
    struct _cl_command_queue *queue;
    struct _cl_mem *keys, *values;
    /* BENCH_OF_ITS_OWN: run() measures the host's time if this is 0, and the device's otherwise.
     * Each round calls run() for each of the two, and look() after each call, but not for CHECK. */
    int is_by_device;
    /* In the host's memory, of all opponents: where segments, rows and the halves of MERGE begin,
     * and the end, with num_segments; and of CHECK, MERGE, RUNS and SEARCH the input's keys and the
     * queries, which bench_fill() does not make. */
    const u64 *offsets;
    const void *keys_in_order;
    const void *queries;
};

/* Seconds of one sort; 0 where there is no such time. */
struct bench_times {
    double host;   /* from the call until all is done */
    double device; /* from before its first to after its last command, behind bench_head_start() */
};

/* One sort. prepare() is called once for each task it may take part in, then run() any number of
 * times, then finish(), after a prepare() that failed too. Members that are not set are 0. */
struct bench_opponent {
    const char *name;    /* of at most 16 letters, as in the table */
    const char *missing; /* why it cannot be measured in this build, or NULL */
    enum bench_memory memory;
    unsigned works; /* a bit, 1 << work, for each that it does; 0: it sorts, and nothing else */
    int is_stable;
    const char *(*about)(void); /* device and versions, for the table's head, or NULL */
    int (*prepare)(struct bench_opponent *self, const struct bench_task *task, char *why);
    /* Only BENCH_OF_ITS_OWN writes a time, the one that the task asks for. */
    int (*run)(struct bench_opponent *self, struct bench_times *times, char *why);
    /* BENCH_OF_ITS_OWN: the sums of bench_look() over the input, or over the last run's output. Not
     * called for the output of CHECK. */
    int (*look)(struct bench_opponent *self, int is_output, struct bench_sums *sums, char *why);
    void (*finish)(struct bench_opponent *self); /* or NULL */
    void *state;                                 /* its own */
};

/* What a shared object exports: its opponents, ended by NULL; NULL if it knows another version. */
#ifdef __GNUC__
__attribute__((visibility("default")))
#endif
struct bench_opponent *const *
bench_opponents(unsigned version);

static inline int bench_refuse(char *why, const char *sentence)
{
    snprintf(why, BENCH_WHY, "%s", sentence);
    return 0;
}

/* Whether the task is of numbers of that kind, bits and bytes of value; of records of any value
 * size. */
static inline int bench_is(const struct bench_input *input, enum bench_kind kind, unsigned bits,
                           unsigned value_size)
{
    return input->key_size != BENCH_RECORD_SIZE && input->kind == (u64)kind &&
           input->bits == bits && input->value_size == value_size;
}
static inline int bench_is_records(const struct bench_input *input)
{
    return input->key_size == BENCH_RECORD_SIZE && input->value_size == 0;
}

#ifdef __cplusplus
}
#endif

#endif
