/* pieces_job.h: what the files of pieces.h share. */
#ifndef CLSORT_TOOL_PIECES_JOB_H
#define CLSORT_TOOL_PIECES_JOB_H

#include "external/pieces.h"
#include "external/pipeline.h"
#include "external/runs.h"
#include "numbers/unique.h"

/* Elements on their way: of the input until they are a run, then of several runs. */
struct piece {
    char *keys, *values;
    uint64_t first, count; /* elements; of the input or of the output */
    struct run run;        /* what the elements become */
};

struct pieces {
    struct sort_job *job;
    const struct pieces_options *options;
    struct input *input;
    struct output *output;
    clsort_desc desc; /* of a piece: indices are values that move with the keys */
    struct runs runs;
    struct bytes values; /* of all slots; job->keys has the keys */
    uint64_t capacity;   /* keys of a piece */
    uint64_t num_read;   /* keys */
    struct piece slots[PIPELINE_SLOTS];
    uint64_t output_hash;
    uint64_t last_rank, last_value; /* written last */
    struct unique unique;           /* where of equal keys the first alone is written */
};

/* Reads all of the input and writes runs. */
bool pieces_write_runs(struct pieces *pieces);

/* Reads the runs part by part and writes the output. */
bool pieces_merge_runs(struct pieces *pieces);

/* With --verify: adds up what is read; looks at a part's order, also behind the one before it, and
 * adds it up; and compares the sums. */
void pieces_check_input(struct pieces *pieces, const struct piece *piece);
bool pieces_check_part(struct pieces *pieces, const struct piece *piece);
bool pieces_check_end(const struct pieces *pieces);

#endif
