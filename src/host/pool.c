/* pool.c: a queue and buffers, made when they are first needed and kept for later sorts. */
#include "host/pool.h"

#include "run.h"
#include "call/sorter.h"

clsort_status pool_queue(clsort_sorter *sorter, cl_command_queue *queue_ret)
{
    struct pool *pool = &sorter->pool;
    cl_int code = CL_SUCCESS;
    if (!pool->queue)
        pool->queue = clCreateCommandQueue(sorter->context, sorter->device, 0, &code);
    *queue_ret = pool->queue;
    return pool->queue ? CLSORT_OK : error_opencl(&sorter->error, "clCreateCommandQueue", code);
}

cl_int pool_finish(cl_command_queue queue)
{
    const cl_int code = clFinish(queue);
    if (code)
        clFinish(queue);
    return code;
}

static void release_buffer(struct pool_buffer *buffer)
{
    if (buffer->mem)
        clReleaseMemObject(buffer->mem);
    *buffer = (struct pool_buffer){0};
}

clsort_status pool_buffer(clsort_sorter *sorter, uint32_t set, enum buffer_role role, uint64_t size,
                          cl_mem *mem_ret)
{
    struct pool_buffer *buffer = &sorter->pool.buffers[set][role];
    if (buffer->size < size) {
        cl_int code = CL_SUCCESS;
        release_buffer(buffer);
        buffer->mem = clCreateBuffer(sorter->context, CL_MEM_READ_WRITE, (size_t)size, NULL, &code);
        if (!buffer->mem)
            return error_opencl(&sorter->error, "clCreateBuffer", code);
        buffer->size = size;
    }
    *mem_ret = buffer->mem;
    return CLSORT_OK;
}

void pool_release_buffers(clsort_sorter *sorter)
{
    for (uint32_t set = 0; set < POOL_SETS; ++set)
        for (enum buffer_role role = BUFFER_NONE; role < BUFFER_SCRATCH; ++role)
            release_buffer(&sorter->pool.buffers[set][role]);
    run_release_scratch(sorter);
}

void pool_trim(clsort_sorter *sorter, uint64_t max_size)
{
    uint64_t size = sorter->scratch_size;
    for (uint32_t set = 0; set < POOL_SETS; ++set)
        for (enum buffer_role role = BUFFER_NONE; role < BUFFER_SCRATCH; ++role)
            size += sorter->pool.buffers[set][role].size;
    if (size > max_size)
        pool_release_buffers(sorter);
}

void pool_release(clsort_sorter *sorter)
{
    pool_release_buffers(sorter);
    if (sorter->pool.queue)
        clReleaseCommandQueue(sorter->pool.queue);
    sorter->pool.queue = NULL;
}
