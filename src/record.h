/* record.h: the caller's records as OpenCL C. */
#ifndef RECORD_H
#define RECORD_H

#include "error.h"

/* What is wrong with the description of records, if anything. */
struct refusal record_check(const clsort_record *record);

/* The text that stands for cl/record_source.h: the type record_t and the function record_less(). For
 * the caller to free; NULL when memory is out. */
char *record_text(const clsort_record *record);

/* Whether kernels keep such a record in memory while they sort it (cl/merge_slots.h). */
int record_is_wide(const clsort_record *record);

/* The largest power of two, at most 16, that divides the size: what offsets are multiples of. */
uint32_t record_alignment(uint32_t size);

#endif
