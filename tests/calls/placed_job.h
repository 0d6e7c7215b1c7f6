/* placed_job.h: a sort whose buffers begin at each offset in turn: 16 rounds, in which scratch
 * begins at 8 times the round's number. */
#ifndef TESTS_PLACED_JOB_H
#define TESTS_PLACED_JOB_H

#include "support/fixture.h"

enum placed_name {
    KEYS,
    VALUES,
    OFFSETS,
    COLUMN,
    KEYS_OUT = COLUMN + 2,
    VALUES_OUT,
    OFFSETS_OUT,
    COLUMN_OUT,
    INDICES = COLUMN_OUT + 2,
    SCRATCH,
    NUM_PARTS
};

/* One buffer of a sort: its contents before (NULL: arbitrary) and after (NULL: unchanged). */
typedef struct placed_part {
    uint64_t size;
    uint32_t element_size, alignment;
    unsigned char *before, *behind;
} placed_part;

typedef struct placed_job {
    const char *name;
    clsort_desc desc;
    placed_part parts[NUM_PARTS];
} placed_job;

/* `count` elements; the job frees `before` and `behind`. */
void placed_part_set(placed_job *j, int name, uint64_t count, uint32_t size, uint32_t alignment,
                     unsigned char *before, unsigned char *behind);

/* Runs every round; on a simulated device, only the one in which nothing is aligned by accident. */
void placed_job_run(const fixture *fix, placed_job *j);

void placed_job_finish(placed_job *j);

#endif
