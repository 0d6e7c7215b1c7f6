#include "external/stream_sort.h"

#include "cli/message.h"
#include "cli/progress.h"

#include <stdatomic.h>

/* An end as the library calls it: when it was busy. */
struct busy_end {
    const struct stream_end *end;
    double start;               /* seconds */
    atomic_uint_fast64_t first; /* microseconds from there to the first call, 0: none yet */
    atomic_uint_fast64_t last;  /* and to the last return */
};

static uint64_t microseconds(const struct busy_end *busy)
{
    return (uint64_t)((seconds_now() - busy->start) * 1e6) + 1;
}

static int copy(void *context, void *bytes, uint64_t offset, size_t size)
{
    struct busy_end *busy = context;
    uint_fast64_t none = 0;
    if (atomic_load(&busy->first) == 0)
        atomic_compare_exchange_strong(&busy->first, &none, microseconds(busy));
    const bool ok = busy->end->copy(busy->end->context, bytes, offset, size);
    const uint64_t now = microseconds(busy);
    uint_fast64_t last = atomic_load(&busy->last);
    while (last < now && !atomic_compare_exchange_weak(&busy->last, &last, now))
        ;
    progress_add(size);
    return !ok;
}

bool stream_is_possible(const struct sort_job *job, const struct input *input,
                        const struct output *output)
{
    return input->source.size > 0 && output->target && job->desc.index_size == 0 &&
           job->desc.value_size == 0 && !job->is_unique;
}

bool stream_sort(struct sort_job *job, uint64_t count, const struct stream_end *source,
                 const struct stream_end *sink)
{
    const double start = seconds_now();
    struct busy_end in = {.end = source, .start = start}, out = {.end = sink, .start = start};
    clsort_desc desc = job->desc;
    desc.count = count;
    const clsort_status status =
        clsort_sort_through(job->device.sorter, &desc, &(clsort_stream){copy, &in},
                            &(clsort_stream){copy, &out});
    const double all = seconds_now() - start;
    const double read = 1e-6 * (double)atomic_load(&in.last);
    const double written = atomic_load(&out.first) ? 1e-6 * (double)atomic_load(&out.first) : all;
    job->seconds[STAGE_READING] += read;
    job->seconds[STAGE_SORTING] += written - read;
    job->seconds[STAGE_WRITING] += all - written;
    if (status && status != CLSORT_ERROR_STREAM)
        message_of_status(status, job->device.sorter);
    return !status;
}

static bool read_file(void *context, void *bytes, uint64_t offset, size_t size)
{
    return input_read_at(context, bytes, offset, size);
}

static bool write_file(void *context, void *bytes, uint64_t offset, size_t size)
{
    return output_write_at(context, bytes, offset, size);
}

bool stream_sort_file(struct sort_job *job, struct input *input, struct output *output)
{
    const uint64_t size = input->source.size;
    progress_stage("sorting", 2 * size);
    return output_reserve_early(output, size) &&
           stream_sort(job, job->desc.count, &(struct stream_end){read_file, input},
                       &(struct stream_end){write_file, output}) &&
           output_finish(output);
}
