/* job.h: what the files of 'clsort top' share. */
#ifndef CLSORT_TOOL_TOP_JOB_H
#define CLSORT_TOOL_TOP_JOB_H

#include "commands/input_job.h"
#include "io/output.h"
#include "top/list.h"
#include "numbers/segments.h"

/* The places that 'clsort top' takes of each segment. */
struct top_segments {
    struct segments segments;
    uint64_t skip, limit; /* of each segment; limit 0: all that is behind skip */
    bool is_median;       /* instead: the place in the middle, the lower of two */
};

/* The numbers or indices that are found, and where they are of which segment. */
struct top_output {
    const char *path, *offsets_path; /* offsets_path NULL: there are none */
    clsort_type type;
    bool is_text, is_open;
    struct output elements, offsets;
    uint64_t num_written; /* elements */
};

struct top_job {
    struct input_job input;
    struct input file;
    struct top_segments top; /* the places, of each segment if there are any */
    struct top_select select;
    struct top_list list;
    struct bytes chunk; /* keys that are read */
    uint64_t num_read;  /* keys */
    struct top_output output;
};

/* Everything between the opening and the closing of the file. */
bool top_job_run(struct top_job *job);

/* How many places there are of a segment of `length` numbers, and how many are left out before
 * these. */
uint64_t top_segments_places(const struct top_segments *top, uint64_t length, uint64_t *skip_ret);

void top_job_close(struct top_job *job);

/* Reads and adds to the list the next `count` numbers, or all there are; without a list they are
 * only counted. */
bool top_job_read(struct top_job *job, uint64_t count, struct top_list *list);

/* Segments: small ones are read together and selected at once, a long one by the list. */
bool top_batches_run(struct top_job *job);

/* Writes what was found. */
bool top_output_write(struct top_output *output, const void *elements, uint64_t num);
bool top_output_write_found(struct top_output *output, const struct top_found *found);

/* Writes offsets of segments, where they are asked for. */
bool top_output_write_offsets(struct top_output *output, const uint64_t *offsets, uint64_t num);

/* Both outputs appear when all that is written is on the disk. */
bool top_output_finish(struct top_output *output);

#endif
