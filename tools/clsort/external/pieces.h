/* pieces.h: sorting what is larger than -S: pieces are sorted and written to a temporary file as
 * runs, all runs are cut at exact positions, and what lies between two cuts is read, sorted again
 * and written to the output. Every byte is read twice and written twice. Reading, sorting and
 * writing go on at the same time. Every failure prints its message. */
#ifndef CLSORT_TOOL_PIECES_H
#define CLSORT_TOOL_PIECES_H

#include "cli/options.h"
#include "numbers/input.h"
#include "io/output.h"
#include "numbers/sort_job.h"

/* The numbers of a piece: as many as fit into the memory several times and into the device at
 * once. */
uint64_t pieces_capacity(const struct sort_job *job, const struct sort_settings *options);

/* Sorts numbers; job->keys may hold the first of them already, half of the memory at most.
 * desc.index_size > 0: writes indices instead. */
bool pieces_sort_file(struct sort_job *job, const struct sort_settings *options,
                      struct input *input, struct output *output);

#endif
