#include "guard.h"

#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "fixture.h"

static void create(guard *g, cl_context context, cl_mem_flags flags, const void *data,
                   uint64_t size, uint64_t element_size, uint64_t offset, uint64_t seed)
{
    const uint64_t canaries = 64 * element_size;
    g->offset = offset;
    g->size = size;
    g->total = g->offset + size + canaries;
    g->image = test_alloc(g->total);
    g->back = test_alloc(g->total);
    data_bytes(g->image, g->total, seed);
    if (data && size)
        memcpy(g->image + g->offset, data, (size_t)size);
    cl_int code = CL_SUCCESS;
    g->mem =
        clCreateBuffer(context, flags | CL_MEM_COPY_HOST_PTR, (size_t)g->total, g->image, &code);
    expect_cl(code);
}

void guard_create(guard *g, cl_context context, cl_mem_flags flags, const void *data, uint64_t size,
                  uint64_t element_size, uint64_t alignment, uint64_t seed)
{
    const uint64_t step = 2 * alignment;
    const uint64_t offset = (64 * element_size + step - 1) / step * step + alignment;
    create(g, context, flags, data, size, element_size, offset, seed);
}

void guard_create_at(guard *g, cl_context context, cl_mem_flags flags, const void *data,
                     uint64_t size, uint64_t element_size, uint64_t behind, uint64_t seed)
{
    const uint64_t offset = (64 * element_size + 255) / 256 * 256 + behind;
    create(g, context, flags, data, size, element_size, offset, seed);
}

void guard_create_scratch(guard *g, cl_context context, uint64_t size, uint64_t seed)
{
    const uint64_t num = size / sizeof(uint64_t) + 1;
    uint64_t *ones = seed % 2 ? test_alloc(num * sizeof *ones) : NULL;
    for (uint64_t i = 0; ones && i < num; ++i)
        ones[i] = 1;
    guard_create(g, context, CL_MEM_READ_WRITE, ones, size, 8, 8, seed);
    free(ones);
}

void guard_upload(guard *g, cl_command_queue queue)
{
    expect_cl(
        clEnqueueWriteBuffer(queue, g->mem, CL_TRUE, 0, (size_t)g->total, g->image, 0, NULL, NULL));
}

const void *guard_read(guard *g, cl_command_queue queue)
{
    expect_cl(
        clEnqueueReadBuffer(queue, g->mem, CL_TRUE, 0, (size_t)g->total, g->back, 0, NULL, NULL));
    return g->back + g->offset;
}

int guard_intact(const guard *g)
{
    const uint64_t end = g->offset + g->size;
    return memcmp(g->image, g->back, (size_t)g->offset) == 0 &&
           memcmp(g->image + end, g->back + end, (size_t)(g->total - end)) == 0;
}

int guard_unchanged(const guard *g)
{
    return memcmp(g->image, g->back, (size_t)g->total) == 0;
}

clsort_buffer guard_buffer(const guard *g)
{
    const clsort_buffer buffer = {g->mem, g->mem ? g->offset : 0};
    return buffer;
}

void guard_free(guard *g)
{
    if (g->mem)
        clReleaseMemObject(g->mem);
    free(g->image);
    free(g->back);
    memset(g, 0, sizeof *g);
}
