#include "memory/device_sort.h"

#include "memory/host_sort.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <stdlib.h>
#include <time.h>

enum { PART_SIZE = 64 << 20, MILLISECONDS_BETWEEN = 50 };

static bool trouble(const char *call, cl_int code)
{
    message_of_opencl(call, code);
    return false;
}

/* The plan's steps, each as the bytes that it and those before it move; NULL if there is no
 * telling. */
static uint64_t *sum_steps(const struct device *device, const clsort_desc *desc, uint32_t *num_ret)
{
    clsort_plan plan;
    if (clsort_get_plan(device->sorter, desc, &plan, NULL, 0))
        return NULL;
    clsort_step *steps = calloc(plan.num_steps + 1, sizeof(*steps));
    uint64_t *sums = calloc(plan.num_steps + 1, sizeof(*sums));
    if (!steps || !sums || clsort_get_plan(device->sorter, desc, &plan, steps, plan.num_steps)) {
        free(steps);
        free(sums);
        return NULL;
    }
    for (uint32_t i = 0; i < plan.num_steps; i++)
        sums[i + 1] = sums[i] + steps[i].bytes_read + steps[i].bytes_written + 1;
    free(steps);
    *num_ret = plan.num_steps;
    return sums;
}

/* Until the sort has ended, or nothing can be told. */
static void show_steps(const struct device *device, const clsort_desc *desc)
{
    const struct timespec pause = {0, MILLISECONDS_BETWEEN * 1000000};
    uint32_t num = 0, num_done = 0, num_steps = 0;
    uint64_t *sums = sum_steps(device, desc, &num);
    if (sums)
        progress_stage("sorting", sums[num]);
    while (sums && !clsort_get_progress(device->sorter, &num_done, &num_steps) &&
           num_steps == num && num_done < num) {
        progress_done(sums[num_done]);
        nanosleep(&pause, NULL);
    }
    free(sums);
}

bool device_sort(const struct device *device, const clsort_desc *desc,
                 const clsort_buffers *buffers)
{
    const bool is_shown = progress_is_shown();
    cl_event event = NULL;
    clsort_set_timing(device->sorter, is_shown);
    const clsort_status status =
        clsort_enqueue(device->sorter, device->queue, desc, buffers, 0, NULL, &event);
    if (status) {
        message_of_status(status, device->sorter);
        return false;
    }
    if (is_shown && clFlush(device->queue) == CL_SUCCESS)
        show_steps(device, desc);
    const cl_int code = clWaitForEvents(1, &event);
    clReleaseEvent(event);
    return code == CL_SUCCESS || trouble("clWaitForEvents", code);
}

bool device_sort_arrays(const struct device *device, const clsort_desc *desc,
                        const clsort_arrays *arrays)
{
    if (!device->sorter)
        return host_sort(desc, arrays);
    const clsort_status status = clsort_sort(device->sorter, desc, arrays);
    if (status)
        message_of_status(status, device->sorter);
    return !status;
}

bool device_send(const struct device *device, cl_mem buffer, const void *data, uint64_t size)
{
    for (uint64_t i = 0; i < size; i += PART_SIZE) {
        const size_t part = size - i < PART_SIZE ? (size_t)(size - i) : PART_SIZE;
        const cl_int code = clEnqueueWriteBuffer(device->queue, buffer, CL_TRUE, (size_t)i, part,
                                                 (const char *)data + i, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            return trouble("clEnqueueWriteBuffer", code);
        progress_add(part);
    }
    return true;
}

bool device_receive(const struct device *device, cl_mem buffer, void *data, uint64_t size)
{
    for (uint64_t i = 0; i < size; i += PART_SIZE) {
        const size_t part = size - i < PART_SIZE ? (size_t)(size - i) : PART_SIZE;
        const cl_int code = clEnqueueReadBuffer(device->queue, buffer, CL_TRUE, (size_t)i, part,
                                                (char *)data + i, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            return trouble("clEnqueueReadBuffer", code);
        progress_add(part);
    }
    return true;
}
