/* in_core.h: sorts host arrays on the device all at once. */
#ifndef IN_CORE_H
#define IN_CORE_H

#include "call/sorter.h"

/* Buffers of the library's own for a sort: those of roles that it lacks are NULL. */
struct binding {
    clsort_buffers buffers; /* its lists point to the next */
    clsort_buffer listed[BUFFER_SCRATCH - BUFFER_COLUMN];
};

/* Empties it. */
void binding_begin(struct binding *binding);

/* A sort of host arrays, or from one stream to another. The sorters have been entered. */
struct host_job {
    clsort_sorter *sorter;         /* the first of sorters */
    clsort_sorter *const *sorters; /* those that share the work */
    uint32_t num_sorters;
    const clsort_desc *desc;
    const struct problem *problem;
    const clsort_arrays *arrays;
    const clsort_stream *source; /* of the keys; NULL: arrays */
    const clsort_stream *sink;   /* for the keys; with streams the problem is in place */
    uint64_t most_in_pieces;     /* elements of a sort that pieces.h takes */
    /* clsort_sort() for a sorter that has been entered, by which pieces sort their samples. More
     * than most_in_pieces elements that do not fit on the device end as DEVICE_MEMORY. */
    clsort_status (*sort_samples)(clsort_sorter *sorter, const clsort_desc *desc,
                                  const clsort_arrays *arrays, uint64_t most_in_pieces);
};

/* The host's end of a role's transfer: its array, or a stream if that is not NULL. */
struct host_end host_end_of(const struct host_job *job, enum buffer_role role,
                            const clsort_stream *stream);

/* Runs sorter->plan, whose kernels must be compiled. After a failure, *is_lost_ret says whether the
 * arrays or the sink may hold part of the result. If it is 0, they are unchanged. */
clsort_status in_core_sort(const struct host_job *job, int *is_lost_ret);

#endif
