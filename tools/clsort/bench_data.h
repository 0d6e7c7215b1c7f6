/* bench_data.h: what an input is, the same for the same seed on every machine. The host's own
 * comparison of its floats sorts them to the same bits. */
#ifndef CLSORT_TOOL_BENCH_DATA_H
#define CLSORT_TOOL_BENCH_DATA_H

#include "device.h"

#include "../opponents/opponent.h"

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
 * many copies of the input, or of an output that is larger, fit into the host. If not, note says
 * why. */
enum { BENCH_NOTE = 160 };
bool bench_fits_device(const struct device_facts *facts, const struct bench_input *input,
                       uint64_t scratch_size, char note[BENCH_NOTE]);
bool bench_fits_host(const struct bench_input *input, int num_copies, char note[BENCH_NOTE]);

/* What the functions of a sort return: 1, or 0 and a sentence in `why`, after which it takes no
 * part in the rest of the input, as after BENCH_WRONG, too, where its output is wrong; or -1
 * after a message. */
enum { BENCH_WRONG = -2 };
int bench_check(const struct bench_input *input, const struct bench_sums *expected,
                const struct bench_sums *found, char *why);

/* The same of a second copy of the input: 1 or 0. */
int bench_check_input(const struct bench_sums *source, const struct bench_sums *copy, char *why);

#endif
