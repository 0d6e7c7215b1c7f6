/* pieces.h: sorting what is larger than -S: pieces are sorted and written to a temporary file as runs,
 * all runs are cut at exact positions, and what lies between two cuts is read, sorted again and
 * written to the output. Every byte is read twice and written twice. Every failure prints its message. */
#ifndef CLSORT_TOOL_PIECES_H
#define CLSORT_TOOL_PIECES_H

#include "input.h"
#include "output.h"
#include "sort_job.h"

struct pieces_options {
    uint64_t memory;    /* bytes: what -S says */
    const char *dir;    /* of the temporary file; NULL: the usual one */
    const char *device; /* the selection */
    bool is_checked;
};

/* The numbers that fit into the memory and the device at once. Those that are streamed (stream_sort.h)
 * lie in the host's memory only where the device shares it; others lie in the job's arrays, for
 * indices keys and the indices that move with them. */
uint64_t pieces_capacity(const struct sort_job *job, const struct pieces_options *options,
                         bool is_streamed);

/* Sorts numbers; job->keys may hold the first of them already. desc.index_size > 0: writes indices instead,
 * is_text: as decimal numbers. */
bool pieces_sort(struct sort_job *job, const struct pieces_options *options, struct input *input,
                 struct output *output);

#endif
