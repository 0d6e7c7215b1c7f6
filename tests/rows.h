/* Rows of several columns for tests: made, put on the device behind canaries, sorted, and compared with
 * qsort by the oracle's comparison of keys, column by column, and the index as the last word. */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include "data.h"
#include "fixture.h"
#include "guard.h"

enum { max_columns = 16 };

/* What is asked for of a sort. */
typedef struct form {
    const char *name;
    uint32_t index_size, out_of_place, value_size;
} form;

enum { num_forms = 8 };
extern const form forms[num_forms];

/* One sort: its description and, of each column, what it is filled with. */
typedef struct rows {
    clsort_desc desc;
    clsort_column columns[max_columns];
    data_kind kinds[max_columns];
} rows;

/* Everything that one sort needs, on the device behind canaries. */
typedef struct memory {
    guard columns[max_columns], columns_out[max_columns];
    guard values, values_out, indices, scratch;
    clsort_buffer list[max_columns], list_out[max_columns];
    clsort_buffers buffers;
} memory;

/* Columns of types that go round with the seed, with many ties, so that the later ones matter. */
void rows_set_columns(rows *r, uint32_t num_columns, uint64_t seed);
void rows_set_form(rows *r, const form *f);

/* Data for the columns and the values, to be freed. */
void rows_fill(const fixture *fix, const rows *r, void **columns, void **values);

/* The rows in order, as indices that count in their array; to be freed. */
uint64_t *rows_order(const rows *r, void *const *columns);

/* True if out, elements of size bytes, is in put in order; and if the indices are that order. */
int rows_gathered(const rows *r, const void *out, const void *in, uint32_t size,
                  const uint64_t *order);
int rows_indexed(const rows *r, const void *indices, const uint64_t *order);

/* Scratch is of exactly clsort_scratch_size() bytes. */
void memory_create(memory *m, const fixture *fix, const rows *r, void *const *columns,
                   const void *values);
void memory_free(memory *m);

/* Fails the test unless what lies in memory is the sorted rows, and nothing else was written. */
void memory_check(memory *m, const fixture *fix, const rows *r, void *const *columns,
                  const void *values, const uint64_t *order);

/* All of that. */
void rows_run(const fixture *fix, rows *r, const form *f);

#endif
