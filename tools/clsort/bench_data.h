/* bench_data.h: inputs to measure with, the same for the same seed on every machine. Floats are
 * finite and have no -0, so that the host's own comparison sorts them to the same bits. */
#ifndef CLSORT_TOOL_BENCH_DATA_H
#define CLSORT_TOOL_BENCH_DATA_H

#include "bytes.h"
#include "device.h"

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(enumerator, name, what it is). */
#define DISTRIBUTION_LIST(X)                                            \
    X(RANDOM, "random", "every bit at random")                          \
    X(SORTED, "sorted", "ascending, evenly over the type's range")      \
    X(REVERSED, "reversed", "descending, evenly over the type's range") \
    X(EQUAL, "equal", "one key")                                        \
    X(FEW16, "few16", "16 different keys")                              \
    X(ZIPF, "zipf", "few frequent keys and many rare ones")             \
    X(ORGAN, "organ", "organ pipe: up, then down")                      \
    X(ENTROPY, "entropy", "three random words joined by AND")           \
    X(LOW24, "low24", "only the low 24 bits at random")                 \
    X(LOG, "log", "a random number of bits, which are random")          \
    X(NESTED, "nested", "crowds within crowds, two in each, a 4096th as wide")

#define DISTRIBUTION_ENUM(name, text, about) DISTRIBUTION_##name,
enum distribution { DISTRIBUTION_LIST(DISTRIBUTION_ENUM) NUM_DISTRIBUTIONS };
#undef DISTRIBUTION_ENUM

extern const char *const distribution_names[NUM_DISTRIBUTIONS];

struct bench_data {
    clsort_type type;
    uint64_t count;
    uint32_t value_size;
    struct bytes keys;
    struct bytes values; /* a random byte string for each key */
    uint64_t hash;       /* of the pairs */
};

/* Whether data of that size fits into the device, twice, and into the host, with its sorted copies.
 * If not, note says why. */
bool bench_data_fits(const struct device_facts *facts, clsort_type type, uint64_t count,
                     uint32_t value_size, int num_copies, char *note, size_t note_size);

/* On failure prints a message and holds nothing. */
bool bench_data_make(struct bench_data *data, clsort_type type, enum distribution distribution,
                     uint64_t count, uint32_t value_size, uint64_t seed);
void bench_data_free(struct bench_data *data);

/* NULL where keys and values are the data in order, or keys of index_size bytes the indices of that
 * order; else what is wrong with them. */
const char *bench_data_fault(const struct bench_data *data, const void *keys, const void *values,
                             uint32_t index_size);

/* Whether there is nothing wrong. If there is, prints a message with the method's name. */
bool bench_data_check(const struct bench_data *data, const void *keys, const void *values,
                      uint32_t index_size, const char *method);

#endif
