/* run.h: enqueues a plan's steps. */
#ifndef RUN_H
#define RUN_H

#include "call/sorter.h"

/* Enqueues sorter->plan, whose kernels must be compiled. Only the last step gets a completion
 * event, and only if event_ret asks for it or the library's own scratch is used. With timing on,
 * every step has one. */
clsort_status run_plan(clsort_sorter *sorter, cl_command_queue queue, const clsort_buffers *buffers,
                       cl_uint num_events, const cl_event *events, cl_event *event_ret);

/* Allocates the scratch of sorter->plan, so that run_plan() needs none. */
clsort_status run_reserve_scratch(clsort_sorter *sorter);

/* Release the events kept for timing, and the library's own scratch. */
void run_forget_timing(clsort_sorter *sorter);
void run_release_scratch(clsort_sorter *sorter);

#endif
