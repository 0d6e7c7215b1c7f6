/* operations.c: the calls that are named after an operation. Each is clsort_enqueue() of the
 * description with that operation. */
#include "clsort/clsort.h"

static clsort_status enqueue_as(clsort_operation operation, clsort_sorter *sorter,
                                cl_command_queue queue, const clsort_desc *desc,
                                const clsort_buffers *buffers, cl_uint num_events,
                                const cl_event *events, cl_event *event_ret)
{
    if (!desc)
        return clsort_enqueue(sorter, queue, desc, buffers, num_events, events, event_ret);
    clsort_desc named = *desc;
    named.operation = operation;
    return clsort_enqueue(sorter, queue, &named, buffers, num_events, events, event_ret);
}

#define NAMED_CALL(name, operation)                                                             \
    clsort_status clsort_enqueue_##name(clsort_sorter *sorter, cl_command_queue queue,          \
                                        const clsort_desc *desc, const clsort_buffers *buffers, \
                                        cl_uint num_events_in_wait_list,                        \
                                        const cl_event *event_wait_list, cl_event *event_ret)   \
    {                                                                                           \
        return enqueue_as(operation, sorter, queue, desc, buffers, num_events_in_wait_list,     \
                          event_wait_list, event_ret);                                          \
    }

NAMED_CALL(check, CLSORT_OPERATION_CHECK)
NAMED_CALL(merge, CLSORT_OPERATION_MERGE)
NAMED_CALL(runs, CLSORT_OPERATION_RUNS)
NAMED_CALL(search, CLSORT_OPERATION_SEARCH)
NAMED_CALL(gather, CLSORT_OPERATION_GATHER)
