/* stream_sort.h: numbers sorted on their way from file to file, by several threads that read
 * straight into what the device reaches and write straight from it. Every failure prints its
 * message. */
#ifndef CLSORT_TOOL_STREAM_SORT_H
#define CLSORT_TOOL_STREAM_SORT_H

#include "numbers/input.h"
#include "io/output.h"
#include "numbers/sort_job.h"

/* One end of a sort. copy() gives or takes bytes that begin `offset` bytes behind the end's begin;
 * it prints what goes wrong, but as one of many threads that fail at once. */
struct stream_end {
    bool (*copy)(void *context, void *bytes, uint64_t offset, size_t size);
    void *context;
};

/* Whether an input and an output can be such ends: regular files of numbers without indices or
 * checks. */
bool stream_is_possible(const struct sort_job *job, const struct input *input,
                        const struct output *output);

/* Sorts `count` numbers. Adds the seconds until the last was read, from then on, and from the
 * first to the last written to the job's stages. */
bool stream_sort(struct sort_job *job, uint64_t count, const struct stream_end *source,
                 const struct stream_end *sink);

/* The whole file to the output. */
bool stream_sort_file(struct sort_job *job, struct input *input, struct output *output);

#endif
