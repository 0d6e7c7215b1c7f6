/* in_core.h: host arrays sorted by the device all at once. */
#ifndef IN_CORE_H
#define IN_CORE_H

#include "sorter.h"

/* A sort of the host's arrays, or from one stream to another; the sorters are entered. */
struct host_job {
    clsort_sorter *sorter;         /* the first of */
    clsort_sorter *const *sorters; /* those that share the work */
    uint32_t num_sorters;
    const clsort_desc *desc;
    const struct problem *problem;
    const clsort_arrays *arrays;
    const clsort_stream *source; /* NULL: arrays. Of the keys, and */
    const clsort_stream *sink;   /* where they go; the problem is in place */
};

/* Which arrays the host has for a role: what is read, what is written. */
int role_is_input(enum buffer_role role);
int role_is_output(const struct problem *problem, enum buffer_role role);

/* Sorts what sorter->plan, all of whose kernels are compiled, was made for. *is_lost_ret: after a failure the
 * arrays, or the sink, may hold a part of the result; 0: they are as they were. */
clsort_status in_core_sort(const struct host_job *job, int *is_lost_ret);

#endif
