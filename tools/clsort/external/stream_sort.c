#include "external/stream_sort.h"

#include "cli/message.h"
#include "cli/progress.h"

#include <stdatomic.h>

struct passage {
    struct input *input;
    struct output *output;
    double start;                 /* seconds */
    atomic_uint_fast64_t read;    /* microseconds from there until the last was read, */
    atomic_uint_fast64_t written; /* and until the first was written; 0: none is yet */
};

static uint64_t microseconds(const struct passage *passage)
{
    return (uint64_t)((seconds_now() - passage->start) * 1e6) + 1;
}

static int read_part(void *context, void *bytes, uint64_t offset, size_t size)
{
    struct passage *passage = context;
    const bool ok = input_read_at(passage->input, bytes, offset, size);
    const uint64_t now = microseconds(passage);
    uint_fast64_t last = atomic_load(&passage->read);
    while (last < now && !atomic_compare_exchange_weak(&passage->read, &last, now))
        ;
    progress_add(size);
    return !ok;
}

static int write_part(void *context, void *bytes, uint64_t offset, size_t size)
{
    struct passage *passage = context;
    uint_fast64_t none = 0;
    if (atomic_load(&passage->written) == 0)
        atomic_compare_exchange_strong(&passage->written, &none, microseconds(passage));
    const bool ok = output_write_at(passage->output, bytes, offset, size);
    progress_add(size);
    return !ok;
}

bool stream_is_possible(const struct sort_job *job, const struct input *input,
                        const struct output *output)
{
    return input->source.size > 0 && output->target && job->desc.index_size == 0 &&
           job->desc.value_size == 0 && !job->is_unique;
}

bool stream_sort_file(struct sort_job *job, struct input *input, struct output *output)
{
    struct passage passage = {.input = input, .output = output, .start = seconds_now()};
    const uint64_t size = input->source.size;
    progress_stage("sorting", 2 * size);
    if (!output_reserve(output, size))
        return false;
    const clsort_status status =
        clsort_sort_through(job->device.sorter, &job->desc, &(clsort_stream){read_part, &passage},
                            &(clsort_stream){write_part, &passage});
    const double all = seconds_now() - passage.start, read = 1e-6 * (double)passage.read;
    const double written = passage.written ? 1e-6 * (double)passage.written : all;
    job->seconds[STAGE_READING] += read;
    job->seconds[STAGE_SORTING] += written - read;
    job->seconds[STAGE_WRITING] += all - written;
    return status != CLSORT_ERROR_STREAM && device_succeeded(status, job->device.sorter) &&
           output_finish(output);
}
