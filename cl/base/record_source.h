/* record_source.h: the caller's records. The host puts a text of the same form here, made from a
 * clsort_record (src/program/record.c); this one stands in for it where kernels are compiled from
 * files. */
#ifndef CLSORT_RECORD_SOURCE_H
#define CLSORT_RECORD_SOURCE_H

#include "base/field.h"

typedef struct {
    uint key;
    float x, y, z;
} record_t;

/* The macro is a function's head. */
/* clang-format off */
RECORD_LESS_BEGIN
    return a.key < b.key;
}
/* clang-format on */

#endif
