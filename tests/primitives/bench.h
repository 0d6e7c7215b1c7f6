/* bench.h: a kernel file of this folder, built for a shape and run on numbers. */
#ifndef TESTS_PRIMITIVES_BENCH_H
#define TESTS_PRIMITIVES_BENCH_H

#include "support/data.h"
#include "support/fixture.h"

enum { num_bench_kinds = 9, bench_capacity = 1 << 18 };
extern const data_kind bench_kinds[num_bench_kinds];

/* What a kernel is built for. */
typedef struct shape {
    uint32_t group_size, items, radix_bits;
    uint32_t subgroup; /* 0: none */
} shape;

/* One kernel file, built for a shape; and numbers that go in, come out, and are expected. */
typedef struct bench {
    const fixture *fix;
    const shape *s;
    const char *file;
    cl_program program;
    uint32_t *in, *out, *expected;
    const char *kernel; /* that ran last, and with what */
    uint32_t n, parameter;
    data_kind kind;
} bench;

void bench_open(bench *b, const fixture *fix, const shape *s, const char *file, const char *more);
void bench_close(bench *b);

/* The first n numbers that go in. */
void bench_fill(bench *b, data_kind kind, uint32_t n, uint64_t number);

/* Runs a kernel by a number of work-groups on b->in, of in_size numbers, and b->out, of out_size,
 * which it changes. */
void bench_run(bench *b, const char *name, size_t groups, uint32_t in_size, uint32_t out_size,
               uint32_t n, uint32_t parameter);

/* Fails unless the numbers that came out are those that are expected. */
void bench_expect(const bench *b, uint32_t first, uint32_t size);
void bench_fail(const bench *b, uint32_t at, uint32_t got, uint32_t wanted);

/* Calls a test with each shape that needs no sub-groups. */
typedef void bench_checker(bench *b);
void bench_shapes(void **state, const char *file, const char *more, bench_checker *check);

uint32_t bench_tile(const shape *s);

/* Sizes around a group and a tile, at most `largest`. Returns how many. */
uint32_t bench_sizes(const shape *s, uint32_t largest, uint32_t *sizes);

#endif
