/* bench_data.h: an input on the host, the same for the same seed on every machine. The host's own
 * comparison of its floats sorts them to the same bits. */
#ifndef CLSORT_TOOL_BENCH_DATA_H
#define CLSORT_TOOL_BENCH_DATA_H

#include "bytes.h"
#include "device.h"

#include "../opponents/input.h"

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

/* Writes "u32", or with values "u32+u64", "u32+12", and returns text. */
enum { BENCH_TYPE_TEXT = 24 };
const char *bench_type_text(struct bench_type type, char text[BENCH_TYPE_TEXT]);

extern const char *const bench_distribution_names[BENCH_NUM_DISTRIBUTIONS];

struct bench_input bench_input_make(struct bench_type type, uint64_t count,
                                    enum bench_distribution distribution, uint64_t seed);

/* Whether the input, the array that is sorted and `scratch_size` fit into the device; whether that
 * many copies of the input fit into the host. If not, note says why. */
enum { BENCH_NOTE = 160 };
bool bench_fits_device(const struct device_facts *facts, const struct bench_input *input,
                       uint64_t scratch_size, char note[BENCH_NOTE]);
bool bench_fits_host(const struct bench_input *input, int num_copies, char note[BENCH_NOTE]);

/* What is wrong with an output of which `found` are the sums; NULL if nothing is. */
const char *bench_fault(const struct bench_input *input, const struct bench_sums *source,
                        const struct bench_sums *found);

struct bench_data {
    struct bench_input input;
    struct bytes keys;
    struct bytes values;
    struct bench_sums sums;
};

/* On failure prints a message and holds nothing. */
bool bench_data_make(struct bench_data *data, const struct bench_input *input);
void bench_data_free(struct bench_data *data);

/* Makes it that many of its first elements. */
void bench_data_shorten(struct bench_data *data, uint64_t count);

#endif
