/* pieces.h: sorting lines, by their bytes or their numbers, that need more memory than -S
 * says, in pieces as pieces.h tells. A run has its lines as they were written, where each begins,
 * and their numbers' keys. */
#ifndef CLSORT_TOOL_LINES_PIECES_H
#define CLSORT_TOOL_LINES_PIECES_H

#include "lines/job.h"
#include "external/pieces.h"
#include "external/runs.h"

/* What sorting that many lines of a text in memory costs, in bytes; job->desc.strings tells
 * whether it is by bytes. UINT64_MAX: the device cannot sort them at once. */
uint64_t lines_cost(const struct lines_job *job, uint64_t text_size, uint64_t count);

/* Reads the source, which nothing has been read of, sorts it and writes it. What turns out to fit
 * is sorted at once. */
bool lines_sort_by_pieces(struct lines_job *job, const struct pieces_options *options,
                          struct output *output);

/* The number of every line, in job->job.keys; the first line is number `first` of the file, counted
 * from 0. */
bool lines_parse(struct lines_job *job, uint64_t first);

/* Writes the lines in memory, in the order of job->job.indices, as a run; the first of them is
 * number `first` of the file, counted from 0. */
bool lines_write_run(const struct lines_job *job, struct runs *runs, uint64_t first);

/* Reads what lies between two positions of each run, `size` bytes of text; starts, keys, positions
 * and text get their sizes. */
bool lines_read_part(struct lines_job *job, const struct runs *runs, const uint64_t *begins,
                     const uint64_t *ends, uint64_t count, uint64_t size);

/* Where line i of those in memory, a part's or the only piece's, stands in the file, counted from
 * 0. */
uint64_t lines_position(const struct lines_job *job, uint64_t i);

/* Writes the positions of the lines in memory, in the order of job->job.indices. */
bool lines_write_positions(const struct lines_job *job, struct output *output);

#endif
