/* event.h: waits for a command, and says how it has failed. */
#ifndef EVENT_H
#define EVENT_H

#include "clsort/clsort.h"

/* Returns the code with which the event's command has failed. clFinish() does not tell that a
 * command has failed, and clWaitForEvents() does not tell why. */
static inline cl_int event_wait(cl_event event)
{
    cl_int execution = CL_COMPLETE;
    const cl_int code = clWaitForEvents(1, &event);
    if (code != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST ||
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof execution, &execution,
                       NULL))
        return code;
    return execution < 0 ? execution : code;
}

#endif
