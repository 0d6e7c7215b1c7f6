/* Rows of several columns: made, put on the device between canaries, sorted, and compared with the
 * oracle's order. */
#ifndef TESTS_ROWS_H
#define TESTS_ROWS_H

#include "support/data.h"
#include "support/fixture.h"
#include "support/guard.h"

enum { max_columns = 16 };

/* The form of a sort: what moves, and where the result goes. */
typedef struct form {
    const char *name;
    uint32_t index_size, out_of_place, value_size;
} form;

enum { num_forms = 8 };
extern const form forms[num_forms];

/* One sort: its description, and the data of each column. */
typedef struct rows {
    clsort_desc desc;
    clsort_column columns[max_columns];
    data_kind kinds[max_columns];
} rows;

/* Everything that one sort needs, on the device between canaries. */
typedef struct memory {
    guard columns[max_columns], columns_out[max_columns];
    guard values, values_out, indices, scratch;
    clsort_buffer list[max_columns], list_out[max_columns];
    clsort_buffers buffers;
} memory;

/* Columns whose types rotate with the seed, with many ties so that later columns matter. */
void rows_set_columns(rows *r, uint32_t num_columns, uint64_t seed);
void rows_set_form(rows *r, const form *f);

/* The data of the columns and the values; the caller frees both. */
void rows_fill(const fixture *fix, const rows *r, void **columns, void **values);

/* The rows of each array in order, as indices in all arrays; the caller frees them. */
uint64_t *rows_order(const rows *r, void *const *columns);

/* True if `out`, elements of `size` bytes, is `in` in this order; and if the indices are that
 * order, counted in each array. */
int rows_gathered(const rows *r, const void *out, const void *in, uint32_t size,
                  const uint64_t *order);
int rows_indexed(const rows *r, const void *indices, const uint64_t *order);

/* Scratch has exactly clsort_scratch_size() bytes. */
void memory_create(memory *m, const fixture *fix, const rows *r, void *const *columns,
                   const void *values);
void memory_free(memory *m);

/* Fails the test unless memory holds the sorted rows and nothing else was written. */
void memory_check(memory *m, const fixture *fix, const rows *r, void *const *columns,
                  const void *values, const uint64_t *order);

/* All of the above. */
void rows_run(const fixture *fix, rows *r, const form *f);

#endif
