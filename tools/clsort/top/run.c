/* run.c: 'clsort top' from its input to its outputs. */
#include "cli/message.h"
#include "cli/progress.h"
#include "top/job.h"

uint64_t top_segments_places(const struct top_segments *top, uint64_t length, uint64_t *skip_ret)
{
    const uint64_t limit = top->is_median ? 1 : top->limit ? top->limit : UINT64_MAX;
    const uint64_t skip = top->is_median ? (length > 0 ? (length - 1) / 2 : 0) : top->skip;
    const uint64_t left = length > skip ? length - skip : 0;
    *skip_ret = left ? skip : length;
    return left < limit ? left : limit;
}

/* How many of the first places are needed, of numbers that may be known to be `count`, or 0. */
static uint64_t find_need(const struct top_segments *top, uint64_t count)
{
    if (top->is_median)
        return count ? (count - 1) / 2 + 1 : UINT64_MAX;
    return top->limit == 0 || top->skip > UINT64_MAX - top->limit ? UINT64_MAX
                                                                  : top->skip + top->limit;
}

bool top_job_read(struct top_job *job, uint64_t count, struct top_list *list)
{
    const uint64_t key_size = job->input.elements.size;
    const uint64_t capacity = top_select_chunk(&job->select) / key_size;
    uint64_t size = 1;
    if (!bytes_reserve(&job->chunk, capacity * key_size))
        return false;
    for (uint64_t done = 0; done < count && size > 0; done += size / key_size) {
        const uint64_t wanted = smaller(capacity, count - done);
        if (!input_read_many(&job->file, job->chunk.data, wanted * key_size, &size))
            return false;
        job->num_read += size / key_size;
        if (list && job->select.desc.index_size == 4 &&
            done + size / key_size > UINT64_C(1) << 32) {
            message("there are too many keys for indices of 4 bytes; use --argsort=8");
            return false;
        }
        if (list && !top_list_add(list, job->chunk.data, done, size / key_size))
            return false;
    }
    return true;
}

static bool run_all(struct top_job *job)
{
    const uint64_t known = job->file.numbers ? 0 : job->file.source.size;
    const uint64_t need = find_need(&job->top, known / job->input.elements.size);
    uint64_t skip;
    if (!top_list_begin(&job->list, need) || !top_job_read(job, UINT64_MAX, &job->list))
        return false;
    progress_stage("selecting", 0);
    const uint64_t num = top_segments_places(&job->top, job->num_read, &skip);
    return top_list_write(&job->list, skip, num, &job->output);
}

bool top_job_run(struct top_job *job)
{
    const uint32_t index_size = job->select.desc.index_size;
    struct top_output *output = &job->output;
    output->path = job->input.output;
    output->is_text = job->input.is_text;
    output->type = index_size == 8   ? CLSORT_U64
                   : index_size == 4 ? CLSORT_U32
                                     : job->select.desc.type;
    job->list.select = &job->select;
    return (job->top.segments.path ? top_batches_run(job) : run_all(job)) &&
           top_output_finish(output);
}

void top_job_close(struct top_job *job)
{
    output_abandon(&job->output.offsets);
    output_abandon(&job->output.elements);
    top_list_free(&job->list);
    top_select_close(&job->select);
    bytes_free(&job->chunk);
    segments_free(&job->top.segments);
}
