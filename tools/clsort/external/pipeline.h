/* pipeline.h: pieces that are read, sorted and written, each stage by a thread of its own, so that
 * one piece is read while the one before it is sorted and the one before that is written. The
 * calling thread sorts, and does the work of a thread that is not to be had. */
#ifndef CLSORT_TOOL_PIPELINE_H
#define CLSORT_TOOL_PIPELINE_H

#include <stdbool.h>
#include <stdint.h>

enum { PIPELINE_SLOTS = 3 }; /* pieces on their way at once */

/* The stages; every one prints what goes wrong and returns false. Piece i is in slot i %
 * PIPELINE_SLOTS, which no other piece uses until i has passed the last stage. */
struct pipeline {
    bool (*read)(void *context, uint64_t piece, bool *has_piece_ret);
    bool (*sort)(void *context, uint64_t piece); /* by the calling thread */
    bool (*write)(void *context, uint64_t piece);
    void *context;
};

/* Runs all pieces in their order. After a failure no stage begins another piece. */
bool pipeline_run(const struct pipeline *pipeline);

#endif
