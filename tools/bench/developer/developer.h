/* developer.h: what the files of clsort-bench share beside those of 'clsort bench'. */
#ifndef CLSORT_BENCH_DEVELOPER_H
#define CLSORT_BENCH_DEVELOPER_H

#include "bench/bench.h"

/* against.c: loads the build of --against. False after a message. */
bool bench_load_build(struct bench *bench);

/* sweep.c: the nearest rows that differ from a row in one thing alone. What each suggests: with
 * fewer keys, as long for each key; else the same time. */
enum bench_neighbour {
    BENCH_FEWER,   /* keys */
    BENCH_MORE,    /* keys */
    BENCH_SHORTER, /* rows or segments, of as many keys in all */
    BENCH_LONGER,  /* the same */
    BENCH_AT_RANDOM,
    BENCH_NUM_NEIGHBOURS
};

/* A row that takes too long, and the neighbour by which it does most. */
struct bench_outlier {
    int row, other;
    enum bench_neighbour neighbour;
    enum bench_clock clock;
    double expected; /* seconds, by the neighbour */
    double ratio;    /* of the row's median to them */
};

/* The rows that take more than `factor` times what a neighbour suggests, worst first; outliers has
 * room for num_rows. Returns how many. The best runs must differ as much as the medians, since only
 * noise leaves a good run. */
int bench_find_outliers(const struct bench_row *rows, int num_rows, double factor,
                        struct bench_outlier *outliers);

/* For --sweep in the place of the table's head, and behind the last row; false after a message. */
void bench_print_sweep_head(const struct bench *bench);
bool bench_print_outliers(struct bench *bench);

#endif
