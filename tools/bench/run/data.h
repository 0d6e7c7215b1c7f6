/* data.h: whether an input fits into the memory there is, and whether an output is right. */
#ifndef CLSORT_TOOL_BENCH_DATA_H
#define CLSORT_TOOL_BENCH_DATA_H

#include "bench/run/input.h"
#include "memory/device.h"

#include "bench/opponents/opponent.h"

#include <clsort/clsort.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "u32", or of records "struct16". */
const char *bench_key_text(struct bench_type type);

/* Writes "u32", or with values "u32+u64", "u32+12", and returns text. */
enum { BENCH_TYPE_TEXT = 24 };
const char *bench_type_text(struct bench_type type, char text[BENCH_TYPE_TEXT]);

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
