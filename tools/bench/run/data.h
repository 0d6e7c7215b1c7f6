/* data.h: what an input of 'clsort bench' is, the same for the same seed on every machine; whether
 * it fits into the memory there is, and whether an output is right; and what is measured beside
 * sorts of one array: sorts of segments and rows, some places of the order, and what is done with
 * keys in order. The host's own comparison of the inputs' floats sorts them to the same bits. */
#ifndef CLSORT_TOOL_BENCH_DATA_H
#define CLSORT_TOOL_BENCH_DATA_H

#include "bench/opponents/opponent.h"

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stddef.h>
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

/* The names of the distributions, each with a blank in front, for help and messages. */
#define BENCH_TEXT_OF_LIST(name, text, about) " " text
#define DISTRIBUTION_NAMES BENCH_DISTRIBUTION_LIST(BENCH_TEXT_OF_LIST)
extern const char *const bench_distribution_names[BENCH_NUM_DISTRIBUTIONS];

bool bench_distribution_from_name(const char *name, enum bench_distribution *distribution_ret);

struct bench_input bench_input_make(struct bench_type type, uint64_t count,
                                    enum bench_distribution distribution, uint64_t seed);

/* The library's description of that many such elements. */
clsort_desc bench_input_desc(struct bench_type type, uint64_t count);
/* "u32", or of records "struct16". */
const char *bench_key_text(struct bench_type type);

/* Writes "u32", or with values "u32+u64", "u32+12", and returns text. */
enum { BENCH_TYPE_TEXT = 24 };
const char *bench_type_text(struct bench_type type, char text[BENCH_TYPE_TEXT]);

/* Whether the input, the array that is sorted and `scratch_size` fit into the device; whether that
 * many copies of the input, or of an output that is larger, fit into the host. If not, note says
 * why. */
enum { BENCH_NOTE = 160 };
struct device_facts;
bool bench_fits_device(const struct device_facts *facts, const struct bench_input *input,
                       uint64_t scratch_size, char note[BENCH_NOTE]);
bool bench_fits_host(const struct bench_input *input, int num_copies, char note[BENCH_NOTE]);

/* What the functions of a sort return: 1, or 0 and a sentence in `why`, after which it takes no
 * part in the rest of the input, as after BENCH_WRONG, too, where its output is wrong; or -1
 * after a message. */
enum { BENCH_WRONG = -2 };
int bench_check(const struct bench_input *input, const struct bench_sums *expected,
                const struct bench_sums *found, char *why);

/* ---- work.c ---------------------------------------------------------------------------------- */

/* X(enumerator of the work, name, whether the queries are in order). */
#define BENCH_OPERATION_LIST(X) \
    X(SORT, "sort", 0)          \
    X(CHECK, "check", 0)        \
    X(MERGE, "merge", 0)        \
    X(RUNS, "runs", 0)          \
    X(SEARCH, "search", 0)      \
    X(SEARCH, "search-sorted", 1)
#define OPERATION_NAMES BENCH_OPERATION_LIST(BENCH_TEXT_OF_LIST)

enum bench_layout {
    BENCH_WHOLE,  /* one array */
    BENCH_HALVES, /* two ranges, as MERGE has them */
    BENCH_LENGTH, /* of one length, the last one shorter */
    BENCH_ROWS,   /* of one length, as arrays without offsets */
    BENCH_POWER,  /* segments of different lengths, */
    BENCH_HALF    /* and one that has half of the keys */
};

/* One item of the lists that say what is done. */
struct bench_shape {
    enum bench_work work;
    enum bench_layout layout;
    uint64_t length; /* of a segment or row */
    uint64_t skip;   /* a place, or */
    uint32_t skip_percent;
    uint64_t limit;       /* 0: all */
    uint64_t num_queries; /* 0: a 16th of the keys */
    bool has_sorted_queries;
};

/* Whether it is a sort of all keys, which is in place unless something else is asked for. */
static inline bool bench_is_sort(enum bench_work work)
{
    return work == BENCH_SORT || work == BENCH_SEGMENTS;
}

/* Writes "segments of 8", "top 100 of rows of 128", and returns text; "" for a sort of one
 * array. */
enum { BENCH_SHAPE_TEXT = 96 };
const char *bench_shape_text(const struct bench_shape *shape, char text[BENCH_SHAPE_TEXT]);

/* "sort", "check" ... "search-sorted", for reports, and the shape of one array for such a name:
 * false after a message. */
const char *bench_operation_name(const struct bench_shape *shape);
bool bench_parse_operation(const char *name, struct bench_shape *shape_ret);

/* Sets the input's members for the work; index_size is of the indices that are asked for. False,
 * and note says why, where the keys do not go into rows of that length, there are fewer than
 * wanted, or segments of different lengths do not fit into the device. */
bool bench_shape_input(const struct device_facts *facts, const struct bench_shape *shape,
                       uint32_t index_size, struct bench_input *input, char note[BENCH_NOTE]);

/* Where the input's segments, rows or halves begin, and the end; NULL after a message if memory
 * is short. Freed by the caller. */
uint64_t *bench_offsets(const struct bench_shape *shape, const struct bench_input *input);

#endif
