/* sort_numbers.c: 'clsort sort' of raw keys. Output is opened first and written last, after the
 * check. */
#include "commands/sort.h"

#include "cli/command.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "memory/host_memory.h"

#include <inttypes.h>
#include <stdatomic.h>

static bool set_count(struct sort_job *job, uint64_t size)
{
    job->desc.count = size / job->elements.size;
    if (job->desc.index_size == 4 && job->desc.count > UINT64_C(1) << 32) {
        message("%" PRIu64 " keys are too many for indices of 4 bytes; use --argsort=8",
                job->desc.count);
        return false;
    }
    return true;
}

/* None is opened where there is none that was asked for. */
static bool open_device(struct sort_job *job, const struct sort_request *options)
{
    if (device_is_absent(&job->desc, options->settings.device, options->settings.memory))
        return true;
    progress_stage("opening", 0);
    return sort_open_device(job, &options->settings);
}

/* Reads until the keys have that many bytes, or all is read. */
static bool read_keys(struct sort_job *job, struct input *input, uint64_t size, bool *has_ended_ret)
{
    const double start = seconds_now();
    return sort_timed(job, STAGE_READING, start,
                      input_read_up_to(input, size, &job->keys, has_ended_ret));
}

/* Sorts what has been read. */
static bool sort_keys(struct sort_job *job, const struct sort_request *options,
                      const struct output *output)
{
    if (!set_count(job, job->keys.size) || !sort_plan(job))
        return false;
    double start = seconds_now();
    if (options->settings.is_verified) {
        progress_stage("checking", job->desc.count);
        job->input_hash = sort_hash(job);
    }
    job->seconds[STAGE_CHECKING] = seconds_now() - start;
    if (!sort_run(job))
        return false;
    start = seconds_now();
    return sort_timed(job, STAGE_CHECKING, start,
                      !options->settings.is_verified || sort_is_right(job, output));
}

/* Writes an array that was sorted, or of equal keys the first one's. */
static bool write_array(struct sort_job *job, const void *data, size_t size, struct output *output)
{
    if (!job->is_unique)
        return output_write(output, data, job->desc.count * size);
    const uint32_t index_size = job->desc.index_size;
    struct unique unique = {.elements = &job->elements};
    const struct unique_keys keys = {.keys = job->keys.data,
                                     .positions = index_size > 0 ? job->indices.data : NULL,
                                     .position_size = index_size,
                                     .count = job->desc.count};
    const bool ok = unique_write(&unique, &keys, data, size, output);
    job->num_written = unique.num_written;
    return ok;
}

static bool write_keys(struct sort_job *job, struct output *output)
{
    const double start = seconds_now();
    const uint32_t index_size = job->desc.index_size;
    struct value_files *values = &job->values;
    progress_stage("writing", index_size > 0 ? job->indices.size : job->keys.size);
    bool ok = index_size > 0 ? write_array(job, job->indices.data, index_size, output)
                             : write_array(job, job->keys.data, job->elements.size, output);
    for (uint32_t i = 0; i < values->paths.num && ok; i++)
        ok = write_array(job, values->data[i], values->sizes[i], &values->outputs[i]);
    ok = ok && value_files_finish(values, output);
    return sort_timed(job, STAGE_WRITING, start, ok);
}

/* Numbers that are sorted on their way from file to file, by several threads that read straight
 * into what the device reaches and write straight from it. */
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

/* Whether an input and an output are for that: regular files of numbers without indices or
 * checks. */
static bool is_for_streams(const struct sort_job *job, const struct input *input,
                           const struct output *output)
{
    return input->source.size > 0 && output->target && job->desc.index_size == 0 &&
           job->desc.value_size == 0 && !job->is_unique;
}

/* Sorts the whole file. Adds the seconds until the last was read, from then on, and from the first
 * to the last written to the job's stages. */
static bool sort_streamed(struct sort_job *job, struct input *input, struct output *output)
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

/* How the input is sorted. */
enum way { AT_ONCE, STREAMED, IN_PIECES };

/* Whether the calling thread sorts that many bytes of keys, and has the memory for it. */
static bool is_for_host(const struct sort_job *job, const struct sort_request *options,
                        uint64_t size)
{
    return device_is_needless(&job->desc, options->settings.device) &&
           size + job->desc.count * job->desc.index_size <= options->settings.memory;
}

/* Whether there is memory for keys, which it takes, and for a sort at once without a device. */
static bool has_memory(struct sort_job *job, uint64_t size)
{
    if (bytes_try(&job->keys, size) && (job->device.sorter || host_sort_has_memory(&job->desc)))
        return true;
    bytes_free(&job->keys);
    return false;
}

/* Opens the device and tells how a file of known size is sorted; what is at once is read. */
static bool open_for_file(struct sort_job *job, const struct sort_request *options,
                          struct input *input, struct output *output, enum way *way_ret)
{
    const uint64_t size = input->source.size;
    bool is_all;
    *way_ret = AT_ONCE;
    if (is_for_host(job, options, size) && has_memory(job, size))
        return read_keys(job, input, size, &is_all);
    const bool is_streamed = !options->settings.is_verified && is_for_streams(job, input, output);
    if (!open_device(job, options) || !sort_plan(job))
        return false;
    if (!sort_fits_memory(job, options->settings.memory, is_streamed))
        *way_ret = IN_PIECES;
    else if (is_streamed && job->device.sorter)
        *way_ret = STREAMED;
    else if (!has_memory(job, size))
        *way_ret = IN_PIECES;
    return *way_ret != AT_ONCE || read_keys(job, input, size, &is_all);
}

/* The same of what has no size: reads as much as is sorted at once. */
static bool open_for_pipe(struct sort_job *job, const struct sort_request *options,
                          struct input *input, enum way *way_ret)
{
    enum { FIRST_READ = 9 << 20 }; /* bytes, to see whether that is all */
    bool is_all;
    *way_ret = AT_ONCE;
    if (!read_keys(job, input, FIRST_READ, &is_all) || !set_count(job, job->keys.size))
        return false;
    if (is_all && is_for_host(job, options, job->keys.size))
        return true;
    if (!open_device(job, options) || !sort_plan(job))
        return false;
    /* Two pieces have their places in memory, and about as much can be sorted at once. */
    const uint64_t most = 2 * pieces_capacity(job, &options->settings) * job->elements.size;
    if (!is_all && !read_keys(job, input, most, &is_all))
        return false;
    if (!is_all || !set_count(job, job->keys.size) || !sort_plan(job) ||
        !sort_fits_memory(job, options->settings.memory, false))
        *way_ret = IN_PIECES;
    return true;
}

/* Where the parts are that are sorted each by itself, if there are any. */
static bool read_segments(struct sort_job *job, const char *keys_path)
{
    if (!job->segments.path)
        return true;
    if (!segments_read(&job->segments, keys_path))
        return false;
    job->desc.num_segments = job->segments.num;
    job->desc.offset_size = sizeof(uint64_t);
    return true;
}

/* What moves with the keys in the buffers of the call. */
static bool read_values(struct sort_job *job)
{
    struct value_files *values = &job->values;
    const double start = seconds_now();
    const bool ok = value_files_read(values, job->desc.count);
    job->desc.num_values = job->desc.count ? values->paths.num : 0;
    job->desc.value_sizes = job->desc.num_values ? values->sizes : NULL;
    return sort_timed(job, STAGE_READING, start, ok);
}

/* Segments, and keys with values, are sorted all at once. */
static bool sort_whole(struct sort_job *job, const struct sort_request *options,
                       struct input *input, struct output *output)
{
    bool is_all;
    return read_keys(job, input, UINT64_MAX, &is_all) && set_count(job, job->keys.size) &&
           segments_are_within(&job->segments, job->desc.count) && read_values(job) &&
           (device_is_needless(&job->desc, options->settings.device) ||
            open_device(job, options)) &&
           sort_keys(job, options, output) && write_keys(job, output);
}

/* Everything but the opening of input and output, which the caller closes. */
static bool sort_input(struct sort_job *job, const struct sort_request *options,
                       struct input *input, struct output *output)
{
    const uint64_t size = input->source.size;
    enum way way;
    progress_stage("reading", size);
    if (job->segments.path || job->values.paths.num)
        return sort_whole(job, options, input, output);
    if (!set_count(job, size) || !(size > 0 ? open_for_file(job, options, input, output, &way)
                                            : open_for_pipe(job, options, input, &way)))
        return false;
    if (way == IN_PIECES)
        return pieces_sort_file(job, &options->settings, input, output);
    if (way == STREAMED)
        return sort_streamed(job, input, output);
    return sort_keys(job, options, output) && write_keys(job, output);
}

/* Raw keys. */
static int sort_file(struct sort_job *job, const struct sort_request *options)
{
    if (!output_takes_bytes(options->settings.output))
        return EXIT_TROUBLE;
    struct input input;
    if (!value_files_go_together(&job->values, options->input.path, job->segments.path,
                                 options->settings.output) ||
        !input_open(&input, options->input.path, false, &options->input.elements))
        return EXIT_TROUBLE;
    struct output output = {0};
    bool ok = output_open(&output, options->settings.output) &&
              value_files_open_outputs(&job->values) && read_segments(job, options->input.path) &&
              sort_input(job, options, &input, &output);
    progress_end();
    ok = ok && sort_tell(job, &options->settings,
                         job->desc.index_size ? "the indices are the stable order of the keys"
                                              : "sorted, and a permutation of the input");
    output_abandon(&output);
    device_close(&job->device);
    value_files_close(&job->values);
    bytes_free(&job->segments.offsets);
    bytes_free(&job->indices);
    bytes_free(&job->keys);
    input_close(&input);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}

/* The keys, or the records that they lie in. */
static void describe_elements(struct sort_job *job, const struct input_job *input)
{
    const struct elements *elements = &job->elements;
    job->elements = input->elements;
    job->desc.order = input->order;
    if (elements->size == clsort_type_size(elements->type)) {
        job->desc.type = elements->type;
        return;
    }
    job->field = (clsort_field){.offset = elements->offset, .type = elements->type};
    job->record = (clsort_record){.size = elements->size, .num_fields = 1, .fields = &job->field};
    job->desc.record = &job->record;
}

int sort_numbers(struct sort_request *request)
{
    struct sort_job *job = &request->job;
    struct sort_settings *settings = &request->settings;
    uint64_t position;
    describe_elements(job, &request->input);
    job->is_unique = request->order.is_unique;
    /* The first of equal ones is that of the input. */
    job->desc.stable =
        request->order.is_stable || (job->is_unique && (job->desc.record || job->values.paths.num));
    job->desc.index_size = settings->index_size;
    settings->memory = host_memory_share(settings->memory, host_memory_available());
    if (settings->mode)
        return check_file(&request->input, settings->mode == 'C', &position);
    return request->input.is_text ? text_sort_numbers(request->input.path, &job->desc, settings)
                                  : sort_file(&request->job, request);
}
