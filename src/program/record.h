/* record.h: turns the caller's records into OpenCL C. */
#ifndef RECORD_H
#define RECORD_H

#include "base/error.h"

/* Checks the description of records. */
struct refusal record_check(const clsort_record *record);

/* A text that grows, and keeps its memory from call to call. All zeros is an empty one. */
struct record_text {
    char *bytes;
    size_t size, capacity;
    int failed; /* there was no memory: it no longer changes */
};

/* Writes what replaces cl/base/record_source.h: the type record_t and the function record_less().
 * Returns the bytes, or NULL if there is no memory. */
const char *record_write(const clsort_record *record, struct record_text *text);

void record_text_finish(struct record_text *text);

/* Whether kernels keep such a record in local memory while they sort it
 * (cl/group/merge_slots.h). */
int record_is_wide(const clsort_record *record);

/* The largest power of two that divides the size, at most 16. Offsets must be multiples of it. */
uint32_t record_alignment(uint32_t size);

#endif
