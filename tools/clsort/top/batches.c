/* batches.c: the places of each segment. As many segments as can be selected at once are read
 * together; one that is longer is a list of its own. */
#include "top/job.h"

#include <string.h>

/* What is selected at once. */
struct batch {
    struct top_segments top; /* the segments' offsets count from the first of them */
    struct bytes keys, elements, ends;
    uint64_t most;  /* keys, and segments */
    uint64_t count; /* keys */
    void *found;    /* `keys` or `elements` */
};

static uint64_t length_of(const struct segments *segments, uint64_t i)
{
    const uint64_t *offsets = segments->offsets.data;
    return offsets[i + 1] - offsets[i];
}

static uint64_t longest_of(const struct segments *segments)
{
    uint64_t longest = 0;
    for (uint64_t i = 0; i < segments->num; i++) {
        const uint64_t length = length_of(segments, i);
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* Adds to a description what the library does for segments. A limit is no longer than the longest
 * segment. All is sorted where the places would need more room than the keys. */
static void describe(const struct top_segments *top, clsort_desc *desc)
{
    const uint64_t num = top->segments.num, longest = longest_of(&top->segments);
    const uint64_t left = longest > top->skip ? longest - top->skip : 0;
    const uint64_t limit = top->limit < left ? top->limit : left;
    segments_describe(&top->segments, desc);
    desc->out_of_place = !desc->index_size;
    if (top->is_median || limit == 0 || num > desc->count / limit)
        return;
    desc->skip = top->skip;
    desc->limit = limit;
}

/* Moves what was wanted of the elements to their front, without gaps. offsets_ret gets
 * segments.num + 1 offsets of it. Returns how many elements that is. */
static uint64_t pack(const struct top_segments *top, const clsort_desc *desc, size_t size,
                     void *elements, uint64_t *offsets_ret)
{
    const uint64_t *offsets = top->segments.offsets.data;
    char *bytes = elements;
    offsets_ret[0] = 0;
    for (uint64_t i = 0; i < top->segments.num; i++) {
        uint64_t skip;
        const uint64_t num = top_segments_places(top, length_of(&top->segments, i), &skip);
        const uint64_t begin = desc->limit ? i * desc->limit : offsets[i] + skip;
        if (num > 0)
            memmove(bytes + offsets_ret[i] * size, bytes + begin * size, num * size);
        offsets_ret[i + 1] = offsets_ret[i] + num;
    }
    return offsets_ret[top->segments.num];
}

static bool is_enough(const struct top_job *job)
{
    return segments_are_within(&job->top.segments, job->num_read);
}

/* Reads segments `first` up to `end`. */
static bool read_batch(struct top_job *job, struct batch *batch, uint64_t first, uint64_t end)
{
    const uint64_t *offsets = (const uint64_t *)job->top.segments.offsets.data + first;
    const uint64_t num = end - first, size = (num + 1) * sizeof(*offsets);
    const uint64_t key_size = job->input.elements.size;
    const uint64_t wanted = (offsets[num] - offsets[0]) * key_size;
    struct segments *segments = &batch->top.segments;
    uint64_t num_bytes;
    if (!bytes_reserve(&segments->offsets, size) || !bytes_reserve(&batch->ends, size) ||
        !bytes_reserve(&batch->keys, wanted) ||
        !input_read_many(&job->file, batch->keys.data, wanted, &num_bytes))
        return false;
    segments->num = num;
    for (uint64_t i = 0; i <= num; i++)
        ((uint64_t *)segments->offsets.data)[i] = offsets[i] - offsets[0];
    batch->count = num_bytes / key_size;
    job->num_read += batch->count;
    return num_bytes == wanted || is_enough(job);
}

/* Has the library select, or the host's threads sort each segment where it lies. */
static bool select_batch(struct top_job *job, struct batch *batch, clsort_desc *desc)
{
    const struct device *device = &job->select.device;
    const bool is_argsort = desc->index_size > 0;
    desc->count = batch->count;
    if (device->sorter)
        describe(&batch->top, desc);
    else
        segments_describe(&batch->top.segments, desc);
    const uint64_t room = desc->limit ? desc->num_segments * desc->limit : desc->count;
    batch->found = batch->keys.data;
    if (room == 0)
        return true;
    if (desc->out_of_place || is_argsort) {
        if (!bytes_reserve(&batch->elements, room * clsort_type_size(job->output.type)))
            return false;
        batch->found = batch->elements.data;
    }
    const clsort_arrays arrays = {.keys = batch->keys.data,
                                  .offsets = batch->top.segments.offsets.data,
                                  .keys_out = desc->out_of_place ? batch->found : NULL,
                                  .indices = is_argsort ? batch->found : NULL};
    return device_sort_arrays(device, desc, &arrays);
}

/* Selects from segments `first` up to `end`. */
static bool run_batch(struct top_job *job, struct batch *batch, uint64_t first, uint64_t end)
{
    const uint64_t before = job->output.num_written;
    clsort_desc desc = job->select.desc;
    if (!read_batch(job, batch, first, end) || !select_batch(job, batch, &desc))
        return false;
    uint64_t *ends = batch->ends.data;
    const uint64_t num =
        pack(&batch->top, &desc, clsort_type_size(job->output.type), batch->found, ends);
    for (uint64_t i = 0; i <= end - first; i++)
        ends[i] += before;
    return top_output_write(&job->output, batch->found, num) &&
           top_output_write_offsets(&job->output, ends + 1, end - first);
}

/* Selects from a segment of `count` numbers, which is too long for a batch. */
static bool run_long(struct top_job *job, uint64_t count)
{
    uint64_t skip;
    const uint64_t num = top_segments_places(&job->top, count, &skip);
    const uint64_t end = job->num_read + count;
    if (!top_list_begin(&job->list, num ? skip + num : 1) || !top_job_read(job, count, &job->list))
        return false;
    if (job->num_read < end)
        return is_enough(job);
    return top_list_write(&job->list, skip, num, &job->output) &&
           top_output_write_offsets(&job->output, &job->output.num_written, 1);
}

/* How many keys are selected at once; opens a device where there are many and one is there. */
static bool find_most(struct top_job *job, struct batch *batch)
{
    enum { FEW = 1 << 20, ENOUGH = 1 << 24 }; /* keys; for any device */
    const struct segments *segments = &job->top.segments;
    const uint64_t *offsets = segments->offsets.data;
    const bool is_few = offsets[segments->num] - offsets[0] <= FEW;
    if (top_select_is_by_host(&job->select) && (is_few || !device_exists(job->select.memory))) {
        batch->most = top_select_host_most(&job->select);
        return true;
    }
    if (!top_select_open(&job->select, UINT64_MAX, segments->num, &batch->most))
        return false;
    batch->most = batch->most < ENOUGH ? batch->most : ENOUGH;
    return true;
}

static bool run_segments(struct top_job *job, struct batch *batch)
{
    const uint64_t *offsets = job->top.segments.offsets.data;
    const uint64_t num = job->top.segments.num;
    for (uint64_t i = 0, end; i < num; i = end) {
        for (end = i;
             end < num && end - i < batch->most && offsets[end + 1] - offsets[i] <= batch->most;)
            end++;
        if (end == i ? !run_long(job, offsets[++end] - offsets[i]) : !run_batch(job, batch, i, end))
            return false;
    }
    return true;
}

bool top_batches_run(struct top_job *job)
{
    const struct segments *segments = &job->top.segments;
    const uint64_t *offsets = segments->offsets.data, begin = 0;
    const uint64_t size = job->file.numbers ? 0 : job->file.source.size;
    struct batch batch = {.top = job->top};
    batch.top.segments = (struct segments){0};
    if (size > 0 && !segments_are_within(segments, size / job->input.elements.size))
        return false;
    const bool ok = find_most(job, &batch) && top_job_read(job, offsets[0], NULL) &&
                    top_output_write_offsets(&job->output, &begin, 1) &&
                    run_segments(job, &batch) && top_job_read(job, UINT64_MAX, NULL) &&
                    is_enough(job);
    bytes_free(&batch.top.segments.offsets);
    bytes_free(&batch.keys);
    bytes_free(&batch.elements);
    bytes_free(&batch.ends);
    return ok;
}
