/* stream_sort.h: numbers sorted on their way from file to file, by several threads that read
 * straight into what the device reaches and write straight from it. Every failure prints its
 * message. */
#ifndef CLSORT_TOOL_STREAM_SORT_H
#define CLSORT_TOOL_STREAM_SORT_H

#include "io/output.h"
#include "numbers/input.h"
#include "numbers/sort_job.h"

/* Whether an input and an output are for that: regular files of numbers without indices or
 * checks. */
bool stream_is_possible(const struct sort_job *job, const struct input *input,
                        const struct output *output);

/* Sorts the whole file. Adds the seconds until the last was read, from then on, and from the first
 * to the last written to the job's stages. */
bool stream_sort_file(struct sort_job *job, struct input *input, struct output *output);

#endif
