/* faults.c: preloaded into the tool by bench.sh. CLSORT_TEST_FAULT says what goes wrong: "copy", no
 * buffer can be copied for want of memory; "idle", no sort does anything; "idle-timed" and
 * "finish-timed", sorts whose steps are timed do nothing, or fail as they are waited for. */
#include <clsort/clsort.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static int is_timed;

static int has_fault(const char *name)
{
    const char *fault = getenv("CLSORT_TEST_FAULT");
    return fault && strcmp(fault, name) == 0;
}

/* The function that this one stands in front of. */
#define FIND(next, name)                       \
    do {                                       \
        void *symbol = dlsym(RTLD_NEXT, name); \
        memcpy(&next, &symbol, sizeof(next));  \
    } while (0)

clsort_status clsort_set_timing(clsort_sorter *sorter, int on)
{
    __typeof__(&clsort_set_timing) next;
    FIND(next, "clsort_set_timing");
    is_timed = on;
    return next(sorter, on);
}

clsort_status clsort_enqueue(clsort_sorter *sorter, cl_command_queue queue, const clsort_desc *desc,
                             const clsort_buffers *buffers, cl_uint num_waits,
                             const cl_event *waits, cl_event *event)
{
    __typeof__(&clsort_enqueue) next;
    FIND(next, "clsort_enqueue");
    if (has_fault("idle") || (is_timed && has_fault("idle-timed")))
        return CLSORT_OK;
    return next(sorter, queue, desc, buffers, num_waits, waits, event);
}

cl_int clFinish(cl_command_queue queue)
{
    __typeof__(&clFinish) next;
    FIND(next, "clFinish");
    const cl_int code = next(queue);
    return is_timed && has_fault("finish-timed") ? CL_OUT_OF_RESOURCES : code;
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                           size_t to_offset, size_t size, cl_uint num_waits, const cl_event *waits,
                           cl_event *event)
{
    __typeof__(&clEnqueueCopyBuffer) next;
    FIND(next, "clEnqueueCopyBuffer");
    if (has_fault("copy"))
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return next(queue, from, to, from_offset, to_offset, size, num_waits, waits, event);
}
