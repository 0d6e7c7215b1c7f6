#include "job.h"

#include <stdlib.h>
#include <string.h>

static cl_mem buffer_of(cl_context context, uint64_t size, void *data)
{
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0);
    return clCreateBuffer(context, flags, (size_t)(size ? size : 1), data, NULL);
}

int job_init(job *j, cl_context context, const clsort_desc *desc, uint64_t seed)
{
    memset(j, 0, sizeof *j);
    sample_init(&j->s, desc, DATA_FEW, seed);
    const uint64_t n = j->s.num_keys;
    j->keys = buffer_of(context, n * j->s.key_size, j->s.keys);
    j->buffers.keys.mem = j->keys;
    if (desc->value_size) {
        j->values = buffer_of(context, n * desc->value_size, j->s.values);
        j->buffers.values.mem = j->values;
    }
    if (desc->index_size) {
        j->indices = buffer_of(context, n * desc->index_size, NULL);
        j->buffers.indices.mem = j->indices;
    }
    return !j->keys || (desc->value_size && !j->values) || (desc->index_size && !j->indices);
}

void job_free(job *j)
{
    const cl_mem buffers[] = {j->keys, j->values, j->indices};
    for (int i = 0; i < 3; ++i) {
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    }
    sample_free(&j->s);
    memset(j, 0, sizeof *j);
}

clsort_status job_enqueue(const job *j, clsort_sorter *sorter, cl_command_queue queue,
                          cl_uint num_events, const cl_event *events, cl_event *event_ret)
{
    return clsort_enqueue(sorter, queue, &j->s.desc, &j->buffers, num_events, events, event_ret);
}

/* The first `size` bytes of a buffer; NULL if there is no buffer or it cannot be read. */
static void *bytes_of(cl_mem buffer, uint64_t size, cl_command_queue queue)
{
    if (!buffer)
        return NULL;
    void *bytes = test_alloc(size);
    if (size &&
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, (size_t)size, bytes, 0, NULL, NULL)) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

int job_is_right(const job *j, cl_command_queue queue)
{
    const sample *s = &j->s;
    const uint64_t n = s->num_keys;
    void *keys = bytes_of(j->keys, n * s->key_size, queue);
    void *values = bytes_of(j->values, n * s->desc.value_size, queue);
    void *indices = bytes_of(j->indices, n * s->desc.index_size, queue);
    int right = keys && (values || !j->values) && (indices || !j->indices);
    if (right && s->desc.index_size)
        right = memcmp(keys, s->keys, (size_t)(n * s->key_size)) == 0;
    right = right && sample_right(s, s->desc.stable != 0, keys, values, indices);
    free(keys);
    free(values);
    free(indices);
    return right;
}

int job_is_untouched(const job *j, cl_command_queue queue)
{
    const sample *s = &j->s;
    const uint64_t n = s->num_keys;
    void *keys = bytes_of(j->keys, n * s->key_size, queue);
    void *values = bytes_of(j->values, n * s->desc.value_size, queue);
    const int untouched = keys && memcmp(keys, s->keys, (size_t)(n * s->key_size)) == 0 &&
                          (!j->values || (values && memcmp(values, s->values,
                                                           (size_t)(n * s->desc.value_size)) == 0));
    free(keys);
    free(values);
    return untouched;
}

void job_reset(const job *j, cl_command_queue queue)
{
    const sample *s = &j->s;
    buffer_write(queue, j->keys, s->keys, s->num_keys * s->key_size);
    if (j->values)
        buffer_write(queue, j->values, s->values, s->num_keys * s->desc.value_size);
}

void expect_complete(cl_event event)
{
    assert_non_null(event);
    expect_cl(clWaitForEvents(1, &event));
    assert_int_equal(event_status(event), CL_COMPLETE);
    clReleaseEvent(event);
}
