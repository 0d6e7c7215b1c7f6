/* record.h: turns the caller's records into OpenCL C. */
#ifndef RECORD_H
#define RECORD_H

#include "base/error.h"
#include "base/writer.h"

/* Checks the description of records. */
struct refusal record_check(const clsort_record *record);

/* Writes what replaces cl/base/record_source.h: the type record_t and the function record_less().
 * Returns the text's bytes, or NULL if there is no memory. The text may have been written before:
 * its memory is kept from call to call. */
const char *record_write(const clsort_record *record, struct writer *text);

/* Whether kernels keep such a record in local memory while they sort it
 * (cl/group/merge_slots.h). */
int record_is_wide(const clsort_record *record);

/* The largest power of two that divides the size, at most 16. Offsets must be multiples of it. */
uint32_t record_alignment(uint32_t size);

#endif
