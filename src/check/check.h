/* check.h: refuses wrong arguments before anything is enqueued. */
#ifndef CHECK_H
#define CHECK_H

#include "base/error.h"
#include "plan/plan.h"

/* Turns a description into a problem with all defaults filled in, or says what is wrong with it. */
struct refusal check_desc(const clsort_desc *desc, struct problem *problem_ret);

/* The bytes that a role's buffer must have, and the alignment of its offset. A buffer of 0 bytes is
 * not expected, or has no elements. */
uint64_t check_size(const struct problem *problem, enum buffer_role role);
uint32_t check_alignment(const struct problem *problem, enum buffer_role role);

/* Whether the sort expects a buffer for this role. It may still have 0 bytes. */
int check_expects(const struct problem *problem, enum buffer_role role);

/* The role after this one, up to BUFFER_SCRATCH, without those in lists that the description lacks.
 * Their entries are not read. */
enum buffer_role check_next(const struct problem *problem, enum buffer_role role);

/* Checks which lists are given: those of the caller's struct, in the order of their roles. */
#define NUM_LISTS 5
struct refusal check_lists(const struct problem *problem, const void *const lists[NUM_LISTS]);

/* What is wrong with a role's buffer or array by itself: it is missing, or not expected. */
clsort_status check_presence(const struct problem *problem, enum buffer_role role, int is_given,
                             uint64_t size);

/* A range of memory: of a memory object that is not a sub-buffer, or of the host's. */
struct memory_range {
    cl_mem root;
    uint64_t begin, end;
};

/* Whether a role's range overlaps that of a role before it. Ranges of 0 bytes overlap none. */
int check_overlaps(const struct problem *problem, enum buffer_role role,
                   const struct memory_range ranges[NUM_BUFFER_ROLES]);

/* Whether the sort writes the role's buffer. */
int check_writes(const struct problem *problem, enum buffer_role role);

/* Checks the buffers of a sort. scratch_size is the size that the plan asks for. If the caller
 * gives scratch, *scratch_begin_ret is the offset in it where the plan's scratch begins. */
struct refusal check_buffers(const struct device_facts *facts, const struct problem *problem,
                             const clsort_buffers *buffers, uint64_t scratch_size,
                             cl_context context, uint64_t *scratch_begin_ret);

/* Checks the queue and the wait list against the sorter's context and device. */
struct refusal check_queue(cl_command_queue queue, cl_context context, cl_device_id device,
                           cl_uint num_events, const cl_event *events);

/* Checks host arrays, except for what lies in them. results: the same problem with the results'
 * count of elements. */
struct refusal check_places(const struct problem *problem, const struct problem *results,
                            const clsort_arrays *arrays);

/* Checks host arrays. */
struct refusal check_arrays(const struct problem *problem, const clsort_arrays *arrays);

/* The entry of a role in the caller's structs. Not for roles that check_next() leaves out. */
const clsort_buffer *buffer_of(const clsort_buffers *buffers, enum buffer_role role);
void *array_of(const clsort_arrays *arrays, enum buffer_role role);

/* The same in structs of the library's own, to be written. The role's list must be there. */
void **array_at(clsort_arrays *arrays, enum buffer_role role);
static inline cl_mem *mem_at(clsort_buffers *buffers, enum buffer_role role)
{
    return (cl_mem *)&buffer_of(buffers, role)->mem;
}

#endif
