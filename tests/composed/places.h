/* Sorts of which only some places are wanted, or keys with their indices, on the device and of the
 * host's arrays, against the oracle. */
#ifndef TESTS_PLACES_H
#define TESTS_PLACES_H

#include "support/data.h"
#include "support/fixture.h"

/* What the keys are: numbers of desc.type, records of 12 bytes, or two columns. */
typedef enum places_kind { PLACES_NUMBERS, PLACES_RECORDS, PLACES_COLUMNS } places_kind;

typedef struct places_case {
    clsort_desc desc; /* record and columns are filled in by places_run() */
    places_kind kind;
    data_kind data;
} places_case;

/* Runs the case on the device and of arrays on the host. The test fails if a wanted place has
 * another element than the oracle's, if a byte outside an output or of a source is written, or if
 * what was sorted in place is no permutation. */
void places_run(const fixture *fix, const places_case *c);

#endif
