/* batches.c: the places of each segment. As many segments as can be selected at once are read
 * together; one that is longer is a list of its own. */
#include "top/job.h"

#include <string.h>

/* What is selected at once. */
struct batch {
    struct top_segments top; /* the segments' offsets count from the first of them */
    struct bytes keys, indices, ends;
    uint64_t count; /* keys */
};

/* Moves what was wanted of the elements to their front, without gaps. offsets_ret gets
 * segments.num + 1 offsets of it. Returns how many elements that is. */
static uint64_t pack(const struct top_segments *top, size_t size, void *elements,
                     uint64_t *offsets_ret)
{
    const uint64_t *offsets = top->segments.offsets.data;
    char *bytes = elements;
    offsets_ret[0] = 0;
    for (uint64_t i = 0; i < top->segments.num; i++) {
        uint64_t skip;
        const uint64_t num = top_segments_places(top, offsets[i + 1] - offsets[i], &skip);
        const uint64_t begin = offsets[i] + skip;
        if (num > 0)
            memmove(bytes + offsets_ret[i] * size, bytes + begin * size, num * size);
        offsets_ret[i + 1] = offsets_ret[i] + num;
    }
    return offsets_ret[top->segments.num];
}

/* Reads segments `first` up to `end`. */
static void read_batch(struct top_job *job, struct batch *batch, uint64_t first, uint64_t end)
{
    const uint64_t *offsets = (const uint64_t *)job->top.segments.offsets.data + first;
    const uint64_t num = end - first, size = (num + 1) * sizeof(*offsets);
    const uint64_t key_size = job->input.elements.size;
    const uint64_t wanted = (offsets[num] - offsets[0]) * key_size;
    struct segments *segments = &batch->top.segments;
    bytes_need(&segments->offsets, size);
    bytes_need(&batch->ends, size);
    bytes_need(&batch->keys, wanted);
    segments->num = num;
    for (uint64_t i = 0; i <= num; i++)
        ((uint64_t *)segments->offsets.data)[i] = offsets[i] - offsets[0];
    batch->count = input_read_many(&job->file, batch->keys.data, wanted) / key_size;
    job->num_read += batch->count;
    if (batch->count < wanted / key_size)
        segments_check_end(&job->top.segments, job->num_read);
}

/* Sorts each segment where it lies, by the device or by the host's threads. */
static void sort_batch(struct top_job *job, struct batch *batch)
{
    clsort_desc desc = job->select.desc;
    desc.count = batch->count;
    desc.num_segments = batch->top.segments.num;
    desc.offset_size = sizeof(uint64_t);
    bytes_need(&batch->indices, desc.count * desc.index_size);
    const clsort_arrays arrays = {.keys = batch->keys.data,
                                  .offsets = batch->top.segments.offsets.data,
                                  .indices = desc.index_size > 0 ? batch->indices.data : NULL};
    if (desc.count > 0)
        device_sort_arrays(&job->select.device, &desc, &arrays);
}

/* Selects from segments `first` up to `end`. */
static void run_batch(struct top_job *job, struct batch *batch, uint64_t first, uint64_t end)
{
    const uint64_t before = job->output.num_written;
    read_batch(job, batch, first, end);
    sort_batch(job, batch);
    uint64_t *ends = batch->ends.data;
    void *found = job->select.desc.index_size > 0 ? batch->indices.data : batch->keys.data;
    const uint64_t num = pack(&batch->top, clsort_type_size(job->output.type), found, ends);
    for (uint64_t i = 0; i <= end - first; i++)
        ends[i] += before;
    top_output_write(&job->output, found, num);
    top_output_write_offsets(&job->output, ends + 1, end - first);
}

/* Selects from a segment of `count` numbers, which is too long for a batch. */
static void run_long(struct top_job *job, uint64_t count)
{
    uint64_t skip;
    const uint64_t num = top_segments_places(&job->top, count, &skip);
    const uint64_t end = job->num_read + count;
    top_list_begin(&job->list, num ? skip + num : 1);
    top_job_read(job, count, &job->list);
    if (job->num_read < end)
        segments_check_end(&job->top.segments, job->num_read);
    top_list_write(&job->list, skip, num, &job->output);
    top_output_write_offsets(&job->output, &job->output.num_written, 1);
}

/* How many keys are selected at once; opens a device where there are many and one is there. */
static uint64_t find_most(struct top_job *job)
{
    enum { FEW = 1 << 20, ENOUGH = 1 << 24 }; /* keys; for any device */
    const struct segments *segments = &job->top.segments;
    const uint64_t *offsets = segments->offsets.data;
    const bool is_few = offsets[segments->num] - offsets[0] <= FEW;
    if (top_select_is_by_host(&job->select) && (is_few || !device_exists(job->select.memory)))
        return top_select_host_most(&job->select);
    return smaller(top_select_open(&job->select, UINT64_MAX, segments->num), ENOUGH);
}

/* most: keys of a batch, and segments. */
static void run_segments(struct top_job *job, struct batch *batch, uint64_t most)
{
    const uint64_t *offsets = job->top.segments.offsets.data;
    const uint64_t num = job->top.segments.num;
    for (uint64_t i = 0, end; i < num; i = end) {
        for (end = i; end < num && end - i < most && offsets[end + 1] - offsets[i] <= most;)
            end++;
        if (end == i)
            run_long(job, offsets[++end] - offsets[i]);
        else
            run_batch(job, batch, i, end);
    }
}

void top_batches_run(struct top_job *job)
{
    const struct segments *segments = &job->top.segments;
    const uint64_t *offsets = segments->offsets.data, begin = 0;
    const uint64_t size = job->file.numbers ? 0 : job->file.source.size;
    struct batch batch = {.top = job->top};
    batch.top.segments = (struct segments){0};
    if (size > 0)
        segments_check_end(segments, size / job->input.elements.size);
    const uint64_t most = find_most(job);
    top_job_read(job, offsets[0], NULL);
    top_output_write_offsets(&job->output, &begin, 1);
    run_segments(job, &batch, most);
    top_job_read(job, UINT64_MAX, NULL);
    segments_check_end(segments, job->num_read);
    bytes_free(&batch.top.segments.offsets);
    bytes_free(&batch.keys);
    bytes_free(&batch.indices);
    bytes_free(&batch.ends);
}
