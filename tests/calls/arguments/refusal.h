/* Descriptions that are refused. */
#ifndef TESTS_REFUSAL_H
#define TESTS_REFUSAL_H

#include "support/fixture.h"

typedef struct refusal {
    clsort_desc desc;
    clsort_status status; /* CLSORT_OK: it is accepted */
    const char *argument; /* the one that is named; NULL: any */
} refusal;

/* Rows of tables: a description that is refused, and a call that is, with buffers or arrays. */
/* clang-format off */
#define REFUSED(what, member, ...) {{__VA_ARGS__}, CLSORT_ERROR_##what, "desc." member}
#define WRONG(what, argument, desc, ...) {desc, {__VA_ARGS__}, CLSORT_ERROR_##what, argument}
/* clang-format on */

/* Every function that reads a description refuses it with this status, names the argument, writes
 * nothing and enqueues nothing. */
void refusals_run(const fixture *fix, const refusal *refusals, size_t num_refusals);

/* The same of one of any argument. */
void refuse_desc(const fixture *fix, const clsort_desc *desc, clsort_status status);

#endif
