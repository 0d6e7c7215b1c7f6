/* record.h: turns the caller's records into OpenCL C. */
#ifndef RECORD_H
#define RECORD_H

#include "error.h"

/* Checks the description of records. */
struct refusal record_check(const clsort_record *record);

/* The text that replaces cl/record_source.h: the type record_t and the function record_less(). For
 * free(); NULL if there is no memory. */
char *record_text(const clsort_record *record);

/* Whether kernels keep such a record in local memory while they sort it (cl/merge_slots.h). */
int record_is_wide(const clsort_record *record);

/* The largest power of two that divides the size, at most 16. Offsets must be multiples of it. */
uint32_t record_alignment(uint32_t size);

#endif
