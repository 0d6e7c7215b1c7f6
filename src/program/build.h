/* build.h: builds programs of kernel files. */
#ifndef PROGRAM_BUILD_H
#define PROGRAM_BUILD_H

#include "base/error.h"
#include "program/saved.h"

/* Builds the programs of `num` entries by up to num_threads threads, this one among them; texts:
 * those of records, which variants number; saved: programs that need no compiler. If one fails,
 * others may be left without a program. */
clsort_status program_build(struct program_entry *entries, size_t num, char *const *texts,
                            const struct saved_programs *saved, cl_context context,
                            cl_device_id device, uint32_t num_threads, struct error *error);

#endif
