/* sorter.h: the contents of a sorter. */
#ifndef SORTER_H
#define SORTER_H

#include "device/device.h"
#include "base/error.h"
#include "host/pin.h"
#include "host/pool.h"
#include "plan/plan.h"
#include "program/program.h"
#include "program/record.h"
#include "host/staging.h"
#include "tuning/kinds.h"

#include <stdatomic.h>

struct clsort_sorter {
    cl_context context;             /* retained */
    cl_device_id device;            /* retained */
    struct tuning_rows tuning_rows; /* read from a tuning file */
    struct device_facts facts;      /* point to tuning_rows */
    struct program_cache programs;
    struct plan plan;          /* of the current call; its memory is reused, */
    struct writer record_text; /* as is that of its record's text */
    struct error error;

    /* The library's own scratch, and the end of the last sort that uses it. */
    cl_mem scratch;
    uint64_t scratch_size;
    cl_event scratch_user;

    /* For host arrays: buffers and pinned memory that are kept, and the number of copying
     * threads. */
    struct pool pool;
    struct staging staging;
    struct host_block *blocks;
    struct kept_memory runs[KEPT_RUNS];
    uint32_t host_threads;

    /* With timing on: the events of the last sort's steps. */
    int timing;
    cl_event *step_events;
    uint32_t num_step_events;

    /* Host memory that clsort_mpi keeps here between its calls. */
    struct kept_memory mpi_areas[2]; /* from malloc() */

    atomic_flag busy; /* set while a call uses the sorter */
};

/* Reserves the sorter for one call. Returns BUSY if another thread has it. */
static inline clsort_status sorter_enter(clsort_sorter *sorter)
{
    return !sorter ? CLSORT_ERROR_NULL
           : atomic_flag_test_and_set_explicit(&sorter->busy, memory_order_acquire)
               ? CLSORT_ERROR_BUSY
               : CLSORT_OK;
}

/* The same for a call that has other arguments: whether those that must be there are. */
static inline clsort_status sorter_enter_with(clsort_sorter *sorter, int are_given)
{
    return are_given ? sorter_enter(sorter) : CLSORT_ERROR_NULL;
}

/* Ends the call, which returns this status. */
static inline clsort_status sorter_leave(clsort_sorter *sorter, clsort_status status)
{
    atomic_flag_clear_explicit(&sorter->busy, memory_order_release);
    return status;
}

/* Frees the memory that clsort_mpi keeps. */
void sorter_release_mpi_areas(clsort_sorter *sorter);

/* Checks the description and makes sorter->plan. Makes no OpenCL call. */
clsort_status sorter_plan(clsort_sorter *sorter, const clsort_desc *desc,
                          struct problem *problem_ret);

/* Compiles all kernels of sorter->plan. If a compiled kernel allows only smaller work-groups than
 * planned, plans again for those. Scratch may then change. */
clsort_status sorter_compile(clsort_sorter *sorter, const struct problem *problem);

/* clsort_enqueue() for a sorter that has been entered and buffers of the library's own, without a
 * check of queue and buffers. */
clsort_status sorter_enqueue_own(clsort_sorter *sorter, cl_command_queue queue,
                                 const clsort_desc *desc, const clsort_buffers *buffers,
                                 cl_event *event_ret);

#endif
