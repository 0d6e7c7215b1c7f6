/* One sort's input on the host, and the result that the oracle expects. */
#ifndef TESTS_SAMPLE_H
#define TESTS_SAMPLE_H

#include "data.h"

typedef struct sample {
    clsort_desc desc;
    uint64_t num_keys; /* in all arrays together */
    uint32_t key_size;
    unsigned char *keys;
    unsigned char *values; /* random; NULL without values */
    uint64_t *order;       /* the stable order, counted from 0 in each array */
    unsigned char *sorted_keys;
    unsigned char *sorted_values;
} sample;

void sample_init(sample *s, const clsort_desc *desc, data_kind data, uint64_t seed);
/* The same, with keys of these bytes, repeated. */
void sample_init_bytes(sample *s, const clsort_desc *desc, const void *bytes, uint64_t num_bytes,
                       uint64_t seed);
void sample_free(sample *s);

/* Compares a sort's result with the oracle's. Returns NULL, or a sentence that says what is wrong
 * (static; one thread only). If `stable`, equal keys must be in input order. Arrays that the
 * description does not have are not read. */
const char *sample_check(const sample *s, int stable, const void *keys, const void *values,
                         const void *indices);

/* The same without a sentence, for threads. */
int sample_right(const sample *s, int stable, const void *keys, const void *values,
                 const void *indices);

/* The description in words, as static text. */
const char *desc_text(const clsort_desc *desc);

#endif
