/* check.h: refusing bad arguments before anything is enqueued. */
#ifndef CHECK_H
#define CHECK_H

#include "error.h"
#include "plan.h"

/* A description as a problem, all defaults filled in; or what is wrong with it. */
struct refusal check_desc(const clsort_desc *desc, struct problem *problem_ret);

/* The description's strings, and what is wrong with them and with what they forbid. */
struct refusal check_strings(const clsort_desc *desc, struct strings *strings_ret);

/* check_wants(), check_size() and check_alignment() where the keys are strings. */
int check_strings_want(const struct problem *problem, enum buffer_role role);
uint64_t check_strings_size(const struct problem *problem, enum buffer_role role);
uint32_t check_strings_alignment(const struct problem *problem, enum buffer_role role);

/* Bytes that a role's buffer must have, and the alignment of its offset; 0 bytes: not to be given. */
uint64_t check_size(const struct problem *problem, enum buffer_role role);
uint32_t check_alignment(const struct problem *problem, enum buffer_role role);

/* Whether a role's buffer is to be given; it may still have no bytes. */
int check_wants(const struct problem *problem, enum buffer_role role);

/* Whether a role is a column that this description has not, so that its entry is not even read. */
int check_skips(const struct problem *problem, enum buffer_role role);

/* The lists of columns, given or not, against the problem. */
struct refusal check_lists(const struct problem *problem, int has_columns, int has_columns_out);

/* The buffers of a sort against its problem and the context; scratch_size is what the plan asks for.
 * *scratch_begin_ret: the offset in the caller's scratch, if there is one, from which on the plan's lies. */
struct refusal check_buffers(const struct device_facts *facts, const struct problem *problem,
                             const clsort_buffers *buffers, uint64_t scratch_size,
                             cl_context context, uint64_t *scratch_begin_ret);

/* The queue and the wait list against the sorter's context and device. */
struct refusal check_queue(cl_command_queue queue, cl_context context, cl_device_id device,
                           cl_uint num_events, const cl_event *events);

/* Host arrays against the problem. */
struct refusal check_arrays(const struct problem *problem, const clsort_arrays *arrays);

/* A role's entry of the structs of the interface; of a column that is skipped there is none. */
const clsort_buffer *buffer_of(const clsort_buffers *buffers, enum buffer_role role);
void *array_of(const clsort_arrays *arrays, enum buffer_role role);

#endif
