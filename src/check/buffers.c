/* buffers.c: checks memory objects and queues by OpenCL's queries. */
#include "check/check.h"

#include "base/names.h"

#include <stddef.h>

/* Where a buffer lies. For alignment, a memory object begins at address 0: OpenCL aligns it to
 * CL_DEVICE_MEM_BASE_ADDR_ALIGN, at least 128 bytes. Host memory that the device uses in place
 * begins at its own address. */
struct place {
    struct memory_range range; /* a sub-buffer's in its parent */
    uint64_t address;
    uint64_t room; /* bytes of the memory object from the offset on */
};

/* By offsets: the table is not made anew for each buffer of each step. */
const clsort_buffer *buffer_of(const clsort_buffers *buffers, enum buffer_role role)
{
    static const clsort_buffer missing = {NULL, 0};
#define AT(member) offsetof(clsort_buffers, member)
    static const size_t lists[] = {AT(columns), AT(columns_out), AT(values_list),
                                   AT(values_list_out), AT(query_columns)};
    static const size_t members[] = {
        [BUFFER_KEYS] = AT(keys),
        [BUFFER_KEYS_OUT] = AT(keys_out),
        [BUFFER_VALUES] = AT(values),
        [BUFFER_VALUES_OUT] = AT(values_out),
        [BUFFER_INDICES] = AT(indices),
        [BUFFER_OFFSETS] = AT(offsets),
        [BUFFER_OFFSETS_OUT] = AT(offsets_out),
        [BUFFER_QUERIES] = AT(queries),
        [BUFFER_LOWER] = AT(lower),
        [BUFFER_UPPER] = AT(upper),
        [BUFFER_RESULT] = AT(result),
        [BUFFER_SCRATCH] = AT(scratch),
    };
#undef AT
    const char *const bytes = (const char *)buffers;
    if (role < BUFFER_COLUMN || role == BUFFER_SCRATCH)
        return (const void *)(bytes + members[role]);
    const uint32_t number = (uint32_t)role - BUFFER_COLUMN;
    const void *const at = bytes + lists[number / MAX_MEMBERS];
    const clsort_buffer *const list = *(const clsort_buffer *const *)at;
    return list ? &list[number % MAX_MEMBERS] : &missing;
}

/* Finds a buffer's range and address. */
static clsort_status find_range(const struct device_facts *facts, const clsort_buffer *buffer,
                                uint64_t size, struct place *place)
{
    struct memory_range *range = &place->range;
    cl_mem parent = NULL;
    size_t origin = 0;
    cl_mem_flags flags = 0;
    void *host = NULL;
    if (clGetMemObjectInfo(buffer->mem, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent,
                           NULL) ||
        clGetMemObjectInfo(buffer->mem, CL_MEM_OFFSET, sizeof origin, &origin, NULL))
        return CLSORT_ERROR_BUFFER_INVALID;
    range->root = parent ? parent : buffer->mem;
    range->begin = (parent ? origin : 0) + buffer->offset;
    range->end = range->begin + size;
    if (clGetMemObjectInfo(range->root, CL_MEM_FLAGS, sizeof flags, &flags, NULL) ||
        clGetMemObjectInfo(range->root, CL_MEM_HOST_PTR, sizeof host, &host, NULL))
        return CLSORT_ERROR_BUFFER_INVALID;
    const int in_place = flags & CL_MEM_USE_HOST_PTR && facts->unified_memory;
    place->address = (in_place ? (uintptr_t)host : 0) + range->begin;
    return CLSORT_OK;
}

/* Whether a step may read the buffer. Indices and outputs are read by the steps after the one that
 * writes them; but columns are written once, as are values that an index gathers. Runs of columns
 * are counted in the result, and unpacked by it. */
static int is_read(const struct problem *problem, enum buffer_role role)
{
    const int is_runs = problem->operation == CLSORT_OPERATION_RUNS;
    if (role_is_in(role, BUFFER_COLUMN_OUT) || role == BUFFER_LOWER || role == BUFFER_UPPER ||
        (role == BUFFER_OFFSETS_OUT && is_runs))
        return 0;
    if (role == BUFFER_RESULT)
        return is_runs && problem->num_columns;
    if (role_is_in(role, BUFFER_LISTED_OUT))
        return problem->num_values == 1;
    return role != BUFFER_INDICES || problem->count > 0;
}

/* Checks one buffer that is needed. */
static clsort_status check_one(const struct device_facts *facts, const struct problem *problem,
                               enum buffer_role role, const clsort_buffer *buffer, uint64_t size,
                               cl_context context, struct place *place_ret)
{
    cl_mem_object_type type = 0;
    cl_context owner = NULL;
    cl_mem_flags flags = 0;
    size_t available = 0;
    if (clGetMemObjectInfo(buffer->mem, CL_MEM_TYPE, sizeof type, &type, NULL) ||
        clGetMemObjectInfo(buffer->mem, CL_MEM_CONTEXT, sizeof owner, &owner, NULL) ||
        clGetMemObjectInfo(buffer->mem, CL_MEM_FLAGS, sizeof flags, &flags, NULL) ||
        clGetMemObjectInfo(buffer->mem, CL_MEM_SIZE, sizeof available, &available, NULL) ||
        type != CL_MEM_OBJECT_BUFFER)
        return CLSORT_ERROR_BUFFER_INVALID;
    if (owner != context)
        return CLSORT_ERROR_WRONG_CONTEXT;
    if (buffer->offset % check_alignment(problem, role))
        return CLSORT_ERROR_BUFFER_MISALIGNED;
    place_ret->room = buffer->offset < available ? available - buffer->offset : 0;
    if (size > place_ret->room)
        return role == BUFFER_SCRATCH ? CLSORT_ERROR_SCRATCH_TOO_SMALL
                                      : CLSORT_ERROR_BUFFER_TOO_SMALL;
    if ((flags & CL_MEM_READ_ONLY && check_writes(problem, role)) ||
        (flags & CL_MEM_WRITE_ONLY && is_read(problem, role)))
        return CLSORT_ERROR_BUFFER_ACCESS;
    const clsort_status status = find_range(facts, buffer, size, place_ret);
    if (!status && place_ret->address % check_alignment(problem, role))
        return CLSORT_ERROR_BUFFER_MISALIGNED;
    return status;
}

static struct refusal refuse_buffer(clsort_status status, enum buffer_role role, uint64_t room,
                                    uint64_t size)
{
    struct refusal refusal = refuse(status, check_buffer_name(role));
    if (status == CLSORT_ERROR_BUFFER_TOO_SMALL || status == CLSORT_ERROR_SCRATCH_TOO_SMALL) {
        refusal.has_size = room;
        refusal.needs_size = size;
    }
    return refusal;
}

struct refusal check_buffers(const struct device_facts *facts, const struct problem *problem,
                             const clsort_buffers *buffers, uint64_t scratch_size,
                             cl_context context, uint64_t *scratch_begin_ret)
{
    const void *const lists[NUM_LISTS] = {buffers->columns, buffers->columns_out,
                                          buffers->values_list, buffers->values_list_out,
                                          buffers->query_columns};
    struct memory_range ranges[NUM_BUFFER_ROLES] = {0};
    struct place place = {.room = 0};
    const struct refusal refusal = check_lists(problem, lists);
    if (refusal.status)
        return refusal;
    for (enum buffer_role role = BUFFER_KEYS; role <= BUFFER_SCRATCH;
         role = check_next(problem, role)) {
        const clsort_buffer *buffer = buffer_of(buffers, role);
        const int is_given = buffer->mem != NULL, is_scratch = role == BUFFER_SCRATCH;
        const uint64_t size = is_scratch ? scratch_size : check_size(problem, role);
        place = (struct place){.room = 0};
        if (is_scratch && !size) /* then it is ignored */
            break;
        const int is_optional = is_scratch || (role == BUFFER_LOWER && buffers->upper.mem) ||
                                (role == BUFFER_UPPER && buffers->lower.mem);
        clsort_status status =
            is_optional && !is_given ? CLSORT_OK : check_presence(problem, role, is_given, size);
        if (!status && is_given) {
            status = check_one(facts, problem, role, buffer, size, context, &place);
            ranges[role] = place.range;
            if (!status && check_overlaps(problem, role, ranges))
                status = CLSORT_ERROR_BUFFER_OVERLAP;
        }
        if (status)
            return refuse_buffer(status, role, place.room, size);
    }
    *scratch_begin_ret = buffers->scratch.offset + plan_scratch_lead(place.address);
    return accepted();
}

static struct refusal check_events(cl_context context, cl_uint num_events, const cl_event *events)
{
    for (cl_uint i = 0; i < num_events; ++i) {
        cl_context event_context = NULL;
        if (!events[i] ||
            clGetEventInfo(events[i], CL_EVENT_CONTEXT, sizeof event_context, &event_context, NULL))
            return refuse(CLSORT_ERROR_WAIT_LIST, "event_wait_list");
        if (event_context != context)
            return refuse(CLSORT_ERROR_WRONG_CONTEXT, "event_wait_list");
    }
    return accepted();
}

struct refusal check_queue(cl_command_queue queue, cl_context context, cl_device_id device,
                           cl_uint num_events, const cl_event *events)
{
    if (!queue)
        return refuse(CLSORT_ERROR_NULL, "queue");
    if (!events != !num_events)
        return refuse(CLSORT_ERROR_WAIT_LIST,
                      events ? "num_events_in_wait_list" : "event_wait_list");
    cl_context queue_context = NULL;
    cl_device_id queue_device = NULL;
    if (clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof queue_context, &queue_context,
                              NULL) ||
        clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof queue_device, &queue_device, NULL))
        return refuse(CLSORT_ERROR_QUEUE_INVALID, "queue");
    if (queue_context != context)
        return refuse(CLSORT_ERROR_WRONG_CONTEXT, "queue");
    if (queue_device != device)
        return refuse(CLSORT_ERROR_WRONG_DEVICE, "queue");
    return check_events(context, num_events, events);
}
