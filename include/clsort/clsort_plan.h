/** @file
 * What a sort would do (plan, steps and their roles); how long its steps took, and how far it
 * is; and the tuning: the numbers by which sorts are planned. clsort.h includes this file. */
#ifndef CLSORT_CLSORT_PLAN_H
#define CLSORT_CLSORT_PLAN_H

#include "clsort/clsort.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One kernel launch of a plan. */
typedef struct clsort_step {
    const char *kernel;     /**< the kernel's name; static text */
    uint64_t num_groups;    /**< work-groups */
    uint32_t group_size;    /**< work-items of a work-group */
    uint32_t local_size;    /**< bytes of local memory of a work-group */
    uint64_t compares;      /**< comparisons of keys made, padding included */
    uint64_t exchanges;     /**< the most pairs it could swap; 0 if elements are placed instead */
    uint64_t bytes_read;    /**< of global memory */
    uint64_t bytes_written; /**< of global memory */
} clsort_step;

/** A step's part in a plan of two sorts of the same keys. On the device, a sample of the keys
 * decides which of the two sorts them; the launches of the other then do nothing. */
typedef enum clsort_role {
    CLSORT_ROLE_ONLY = 0,    /**< there is one sort, or the step serves both */
    CLSORT_ROLE_MAIN = 1,    /**< of the sort of keys that are not skewed */
    CLSORT_ROLE_FALLBACK = 2 /**< of the sort of keys that the sample shows to be skewed */
} clsort_role;

/** The sums over a plan's steps, and what was chosen. */
typedef struct clsort_plan {
    clsort_algorithm algorithm; /**< never AUTO */
    uint32_t stable;            /**< nonzero: this plan is stable, asked for or not */
    uint32_t num_steps;         /**< kernel launches; 0 if there is nothing to do */
    uint64_t compares;          /**< as in clsort_step, like the next three */
    uint64_t exchanges;         /**< pairs swapped at most */
    uint64_t bytes_read;        /**< of global memory */
    uint64_t bytes_written;     /**< of global memory */
    uint64_t scratch_size;      /**< bytes */
} clsort_plan;

/** What a sort would do, without an OpenCL call. Writes the sums and at most capacity steps (steps
 * may be NULL if capacity is 0); plan_ret->num_steps is the number that there are. */
CLSORT_API clsort_status clsort_get_plan(clsort_sorter *sorter, const clsort_desc *desc,
                                         clsort_plan *plan_ret, clsort_step *steps,
                                         uint32_t capacity);

/** Which sort each step of that plan belongs to, where it holds two. Writes at most capacity roles
 * (roles may be NULL if capacity is 0), in the order of the steps. */
CLSORT_API clsort_status clsort_get_plan_roles(clsort_sorter *sorter, const clsort_desc *desc,
                                               clsort_role *roles, uint32_t capacity);

/** The plan as text, a line for each step.
 * Writes text as clsort_get_error_text() does. */
CLSORT_API clsort_status clsort_get_plan_text(clsort_sorter *sorter, const clsort_desc *desc,
                                              char *text, size_t size, size_t *size_ret);

/** Switches the timing of steps on or off; at first it is off. If it is on, clsort_enqueue() keeps
 * the events of its steps for clsort_get_timing(). */
CLSORT_API clsort_status clsort_set_timing(clsort_sorter *sorter, int enabled);
/** Waits for the last sort and writes the seconds that each step took on the device, in the order
 * of clsort_get_plan(). Writes at most capacity of them; *num_steps_ret is the number that there
 * are. The queue must have been created with CL_QUEUE_PROFILING_ENABLE. Some drivers report 0 for
 * every step. After clsort_sort() there are no times: ERROR_NO_TIMING. */
CLSORT_API clsort_status clsort_get_timing(clsort_sorter *sorter, double *seconds,
                                           uint32_t capacity, uint32_t *num_steps_ret);

/** How many steps of the last clsort_enqueue() the device has finished, and how many there are, in
 * the order of clsort_get_plan(). It does not wait, so a program can show a sort's progress. Timing
 * must have been on when the sort was enqueued. Otherwise, and after a sort without steps, the
 * status is ERROR_NO_TIMING. The queue need not profile. After a step has failed, it returns that
 * failure, such as ERROR_OPENCL. Later steps may never finish, so a program that asks until all are
 * done must stop at any failure. */
CLSORT_API clsort_status clsort_get_progress(clsort_sorter *sorter, uint32_t *num_done_ret,
                                             uint32_t *num_steps_ret);

/** Reads a tuning file as clsort_create() does, without a device. If path is NULL, it is the file
 * that CLSORT_TUNING names, if any, and the words of CLSORT_LIMIT are checked too. Returns
 * CLSORT_OK and the text "", or CLSORT_ERROR_TUNING and a sentence as text, "FILE:LINE: what is
 * wrong there" or "CLSORT_LIMIT: what is wrong". Writes text as clsort_get_error_text() does.
 *
 * ## Tuning
 * Some numbers are compiled in for the devices that they were measured on: the sizes of tiles and
 * work-groups, and the counts from which AUTO takes an algorithm. A text file that the environment
 * variable CLSORT_TUNING names overrides them. clsort_create() reads it, once for the sorter's
 * life, and so does clsort_sort() without a sorter. `clsort tune` writes such a file for a device.
 * Each line is a row: a kind and words name=value, with numbers such as 96 or 2^20. Comments begin
 * with a hash sign:
 *
 *     general item=4 rank_max=512        # rows before the first "device" are for all devices
 *     device H200                        # part of a device's or platform's name
 *     digits key=4 payload=0 scatter_group=512  # for that device, up to the next such line
 *     general item=4 rank_max=512 radix_min=2^18
 *
 * A row sets what it names, for the sizes that it names, or for all sizes if it names none. Later
 * rows override earlier ones, and what no row names stays as compiled in. A size stands for the
 * sizes up to it, down to the next smaller one that is given; the largest stands for all above it,
 * too. clsort_get_tuning_text() shows all rows and settings; clsort(1) explains them. Numbers need
 * only be possible: the library makes work-groups and tiles smaller if the device's limits ask for
 * it. No setting changes a result, except for the order of equal keys if the sort is not stable. A
 * program run setuid or setgid does not read the variable. */
CLSORT_API clsort_status clsort_check_tuning(const char *path, char *text, size_t size,
                                             size_t *size_ret);

/** The rows that the sorter uses, in the format of a tuning file: compiled in or read, before they
 * are made smaller for the device's limits. Writes text as clsort_get_error_text() does. */
CLSORT_API clsort_status clsort_get_tuning_text(clsort_sorter *sorter, char *text, size_t size,
                                                size_t *size_ret);

/** Writes the programs that the sorter has compiled so far into `bytes`, for a later process. It is
 * for drivers and containers that keep no cache of programs. *size_ret is how many bytes they
 * need; if capacity is less, nothing is useful in `bytes`, which may be NULL if capacity is 0.
 * Compile first, by clsort_prepare() or a sort. */
CLSORT_API clsort_status clsort_save_programs(clsort_sorter *sorter, void *bytes, size_t capacity,
                                              size_t *size_ret);

/** Gives a sorter such a block. What it would compile from then on is taken from the block if it is
 * there; everything else is compiled. A block of another device, driver or version of the library,
 * and one of which a byte has changed, is left alone. *num_ret, if not NULL, is how many programs
 * the sorter has got: 0 if it is left alone. The block replaces an earlier one. It holds what the
 * device runs, so it must come from a source that the program trusts. */
CLSORT_API clsort_status clsort_load_programs(clsort_sorter *sorter, const void *bytes, size_t size,
                                              uint32_t *num_ret);

#ifdef __cplusplus
}
#endif

#endif
