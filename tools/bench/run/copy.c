/* copy.c: what the device's memory can do, to hold a sort's traffic against. */
#include "bench/bench.h"

#include "cli/message.h"
#include "cli/progress.h"

/* Larger than every cache of today's devices; smaller where memory is short, and for rows that are
 * too small to come near the bandwidth. */
enum { COPY_SIZE = 256 << 20, LEAST_COPY_SIZE = 4 << 20, COPIES_OF_A_ROW = 64, NUM_COPIES = 5 };

static cl_ulong copy_size(const struct bench *bench)
{
    const struct bench_options *options = &bench->options;
    const struct device_facts *facts = &bench->device.facts;
    cl_ulong size = LEAST_COPY_SIZE;
    for (int i = 0; i < options->num_counts; i++) {
        const uint64_t count = options->counts[i];
        if (count > COPY_SIZE / COPIES_OF_A_ROW / sizeof(cl_uint))
            size = COPY_SIZE;
        else if (count * COPIES_OF_A_ROW * sizeof(cl_uint) > size)
            size = count * COPIES_OF_A_ROW * sizeof(cl_uint);
    }
    size = size > facts->max_alloc ? facts->max_alloc : size;
    return size > facts->memory / 8 ? facts->memory / 8 : size;
}

static cl_int copy_once(cl_command_queue queue, cl_mem from, cl_mem to, size_t size,
                        double *seconds_ret)
{
    cl_event event;
    const double start = seconds_now();
    cl_int code = clEnqueueCopyBuffer(queue, from, to, 0, 0, size, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return code;
    code = clWaitForEvents(1, &event);
    const double on_host = seconds_now() - start;
    const double on_device =
        bench_opencl_seconds(event, CL_PROFILING_COMMAND_START, event, CL_PROFILING_COMMAND_END);
    clReleaseEvent(event);
    *seconds_ret = on_device > 0 ? on_device : on_host;
    return code;
}

bool bench_measure_copy(struct bench *bench)
{
    progress_stage("measuring the copy bandwidth", 0);
    const cl_ulong size = copy_size(bench);
    cl_int code;
    cl_mem to = NULL;
    cl_mem from =
        clCreateBuffer(bench->device.context, CL_MEM_READ_WRITE, (size_t)size, NULL, &code);
    if (code == CL_SUCCESS)
        to = clCreateBuffer(bench->device.context, CL_MEM_READ_WRITE, (size_t)size, NULL, &code);

    /* Pages that were never written may not be there, and are then copied faster than memory. */
    const cl_uchar pattern = 0x5a;
    if (code == CL_SUCCESS)
        code = clEnqueueFillBuffer(bench->opencl.profiling_queue, from, &pattern, 1, 0,
                                   (size_t)size, 0, NULL, NULL);
    double best = 0;
    for (int i = 0; i <= NUM_COPIES && code == CL_SUCCESS; i++) {
        double seconds = 0;
        code = copy_once(bench->opencl.profiling_queue, from, to, (size_t)size, &seconds);
        if (i > 0 && (best == 0 || seconds < best))
            best = seconds;
    }
    if (from)
        clReleaseMemObject(from);
    if (to)
        clReleaseMemObject(to);
    if (code != CL_SUCCESS) {
        message_of_opencl("clEnqueueCopyBuffer", code);
        return false;
    }
    bench->copy_rate = best > 0 ? 2 * (double)size / best : 0;
    return true;
}
