/* segments.h: one sort of segments on the device, checked against an oracle of its own. */
#ifndef TESTS_SEGMENTS_H
#define TESTS_SEGMENTS_H

#include "support/data.h"
#include "support/fixture.h"

/* The shape behind the others has a million of empty segments. */
enum { num_segment_forms = 9, num_segment_shapes = 11, shape_of_empties = num_segment_shapes };

/* Records of `size` bytes, ordered by byte number `key`, then, if it is not `size`, by byte
 * `second` from the highest on. Bytes have that many values, and all records differ where they
 * can. */
typedef struct segment_record {
    uint32_t size, key, second;
    uint32_t by_text; /* by a comparison, else by fields */
    uint32_t values;
    uint32_t is_no_order; /* the comparison */
} segment_record;

/* desc: the count, the type, and what its members say of order, bits and stability. The form sets
 * what moves; the shape, where segments begin. */
typedef struct segments {
    clsort_desc desc;
    uint32_t form;
    uint32_t shape;
    data_kind data;
    uint64_t seed;
    uint64_t length;              /* of segments of one length; 0: the shape's */
    const segment_record *record; /* instead of numbers, if it is not NULL */
} segments;

/* Writes the offsets of a shape, at most capacity, and returns how many segments they make. */
uint64_t segments_make(const segments *s, uint64_t *offsets, uint64_t capacity);

/* Sorts and checks. */
void segments_run(const fixture *fix, segments *s);

#endif
