/* A sample with its buffers on a device, sorted in place or to indices: for tests that are about
 * queues, events and threads rather than about data. */
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

/* Buffers without an offset; the description must not be out of place. Returns 0, or 1 if there is
 * no memory. */
int job_init(job *j, cl_context context, const clsort_desc *desc, uint64_t seed);
void job_free(job *j);

/* Enqueues the sort with the library's own scratch. */
clsort_status job_enqueue(const job *j, clsort_sorter *sorter, cl_command_queue queue,
                          cl_uint num_events, const cl_event *events, cl_event *event_ret);

/* Reads the result by this queue. True if the sort's result is right, or if all is as at first.
 * Safe in any thread. */
int job_is_right(const job *j, cl_command_queue queue);
int job_is_untouched(const job *j, cl_command_queue queue);

/* Writes the input again. */
void job_reset(const job *j, cl_command_queue queue);

/* Waits for the event, releases it and fails the test unless it ended well. */
void expect_complete(cl_event event);

#endif
