/* run.h: enqueues a plan's steps. */
#ifndef RUN_H
#define RUN_H

#include "sorter.h"

/* Enqueues sorter->plan on the queue, all of whose kernels are compiled. Only a completion event for
 * the last step is made, and only if event_ret asks for it or the library's own scratch is used. */
clsort_status run_plan(clsort_sorter *sorter, cl_command_queue queue, const clsort_buffers *buffers,
                       cl_uint num_events, const cl_event *events, cl_event *event_ret);

/* Lets go of the events kept for timing, and of the library's own scratch. */
void run_forget_timing(clsort_sorter *sorter);
void run_release_scratch(clsort_sorter *sorter);

#endif
