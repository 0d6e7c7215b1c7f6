/* A sample and its buffers on a device, sorted in place or to indices. For tests about queues,
 * events and threads rather than data. */
#ifndef TESTS_JOB_H
#define TESTS_JOB_H

#include "fixture.h"
#include "sample.h"

typedef struct job {
    sample s;
    cl_mem keys;
    cl_mem values;
    cl_mem indices;
    clsort_buffers buffers;
} job;

/* Buffers begin at offset 0; the description must not be out of place. Returns 1 if memory runs
 * out, otherwise 0. */
int job_init(job *j, cl_context context, const clsort_desc *desc, uint64_t seed);
void job_free(job *j);

/* Enqueues the sort with the library's own scratch. */
clsort_status job_enqueue(const job *j, clsort_sorter *sorter, cl_command_queue queue,
                          cl_uint num_events, const cl_event *events, cl_event *event_ret);

/* Reads the result through this queue: true if the sort's result is right, or if everything is as
 * it was before. Safe in any thread. */
int job_is_right(const job *j, cl_command_queue queue);
int job_is_untouched(const job *j, cl_command_queue queue);

/* Writes the input again. */
void job_reset(const job *j, cl_command_queue queue);

/* Waits for the event and releases it; the test fails unless it completed successfully. */
void expect_complete(cl_event event);

#endif
