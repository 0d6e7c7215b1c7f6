/* input.h: what an input of 'clsort bench' is, the same for the same seed on every machine.
 * The host's own comparison of its floats sorts them to the same bits. */
#ifndef CLSORT_TOOL_BENCH_INPUT_H
#define CLSORT_TOOL_BENCH_INPUT_H

#include "bench/opponents/input.h"

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stdint.h>

/* Numbers, or input.h's records, whose order the library is given as the text of a comparison or as
 * fields. For other sorts both are the same. */
enum bench_form { BENCH_NUMBERS, BENCH_BY_TEXT, BENCH_BY_FIELDS };

/* What is sorted: keys, or keys with values of some bytes. */
struct bench_type {
    clsort_type key; /* of records: a number as wide as the two that they are sorted by */
    uint32_t value_size;
    enum bench_form form;
};

/* Sets key and form by "u32" or "struct16"; false if there is no type of that name. */
bool bench_key_from_name(const char *name, struct bench_type *type_ret);

extern const char *const bench_distribution_names[BENCH_NUM_DISTRIBUTIONS];

bool bench_distribution_from_name(const char *name, enum bench_distribution *distribution_ret);

struct bench_input bench_input_make(struct bench_type type, uint64_t count,
                                    enum bench_distribution distribution, uint64_t seed);

/* The library's description of that many such elements. */
clsort_desc bench_input_desc(struct bench_type type, uint64_t count);

#endif
