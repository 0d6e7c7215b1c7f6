/* sort_numbers.c: 'clsort sort' of raw keys. Output is opened first and written last, after the
 * check. */
#include "commands/sort.h"

#include "cli/command.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "memory/host_memory.h"

#include <inttypes.h>
#include <stdatomic.h>

static void set_count(struct sort_job *job, uint64_t size)
{
    job->desc.count = size / job->elements.size;
    if (job->desc.index_size == 4 && job->desc.count > UINT64_C(1) << 32)
        die("%" PRIu64 " keys are too many for indices of 4 bytes; use --argsort=8",
            job->desc.count);
}

/* None is opened where there is none that was asked for. */
static void open_device(struct sort_job *job, const struct sort_request *options)
{
    if (device_is_absent(&job->desc, options->settings.device, options->settings.memory))
        return;
    progress_stage("opening", 0);
    if (!sort_open_device(job, &options->settings))
        die_told();
}

/* Reads until the keys have that many bytes; true if that is all. */
static bool read_keys(struct sort_job *job, struct input *input, uint64_t size)
{
    const double start = seconds_now();
    const bool is_all = input_read_up_to(input, size, &job->keys);
    sort_timed(job, STAGE_READING, start);
    return is_all;
}

/* Sorts what has been read. */
static void sort_keys(struct sort_job *job, const struct sort_request *options,
                      const struct output *output)
{
    const bool is_verified = options->settings.is_verified;
    set_count(job, job->keys.size);
    sort_plan(job);
    double start = seconds_now();
    if (is_verified) {
        progress_stage("checking", job->desc.count);
        job->input_hash = sort_hash(job);
    }
    sort_timed(job, STAGE_CHECKING, start);
    sort_run(job);
    start = seconds_now();
    if (is_verified)
        sort_check(job, output);
    sort_timed(job, STAGE_CHECKING, start);
}

/* Writes an array that was sorted, or of equal keys the first one's. */
static void write_array(struct sort_job *job, const void *data, size_t size, struct output *output)
{
    if (!job->is_unique) {
        output_write(output, data, job->desc.count * size);
        return;
    }
    const uint32_t index_size = job->desc.index_size;
    struct unique unique = {.elements = &job->elements};
    const struct unique_keys keys = {.keys = job->keys.data,
                                     .positions = index_size > 0 ? job->indices.data : NULL,
                                     .position_size = index_size,
                                     .count = job->desc.count};
    unique_write(&unique, &keys, data, size, output);
    job->num_written = unique.num_written;
}

static void write_keys(struct sort_job *job, struct output *output)
{
    const double start = seconds_now();
    const uint32_t index_size = job->desc.index_size;
    struct value_files *values = &job->values;
    progress_stage("writing", index_size > 0 ? job->indices.size : job->keys.size);
    if (index_size > 0)
        write_array(job, job->indices.data, index_size, output);
    else
        write_array(job, job->keys.data, job->elements.size, output);
    for (uint32_t i = 0; i < values->paths.num; i++)
        write_array(job, values->data[i], values->sizes[i], &values->outputs[i]);
    value_files_finish(values, output);
    sort_timed(job, STAGE_WRITING, start);
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
    input_read_at(passage->input, bytes, offset, size);
    const uint64_t now = microseconds(passage);
    uint_fast64_t last = atomic_load(&passage->read);
    while (last < now && !atomic_compare_exchange_weak(&passage->read, &last, now))
        ;
    progress_add(size);
    return 0;
}

static int write_part(void *context, void *bytes, uint64_t offset, size_t size)
{
    struct passage *passage = context;
    uint_fast64_t none = 0;
    if (atomic_load(&passage->written) == 0)
        atomic_compare_exchange_strong(&passage->written, &none, microseconds(passage));
    output_write_at(passage->output, bytes, offset, size);
    progress_add(size);
    return 0;
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
static void sort_streamed(struct sort_job *job, struct input *input, struct output *output)
{
    struct passage passage = {.input = input, .output = output, .start = seconds_now()};
    const uint64_t size = input->source.size;
    progress_stage("sorting", 2 * size);
    output_reserve(output, size);
    device_check(clsort_sort_through(job->device.sorter, &job->desc,
                                     &(clsort_stream){read_part, &passage},
                                     &(clsort_stream){write_part, &passage}),
                 job->device.sorter);
    const double all = seconds_now() - passage.start, read = 1e-6 * (double)passage.read;
    const double written = passage.written ? 1e-6 * (double)passage.written : all;
    job->seconds[STAGE_READING] += read;
    job->seconds[STAGE_SORTING] += written - read;
    job->seconds[STAGE_WRITING] += all - written;
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
static enum way open_for_file(struct sort_job *job, const struct sort_request *options,
                              struct input *input, struct output *output)
{
    const uint64_t size = input->source.size;
    if (!is_for_host(job, options, size) || !has_memory(job, size)) {
        const bool is_streamed =
            !options->settings.is_verified && is_for_streams(job, input, output);
        open_device(job, options);
        sort_plan(job);
        if (!sort_fits_memory(job, options->settings.memory, is_streamed))
            return IN_PIECES;
        if (is_streamed && job->device.sorter)
            return STREAMED;
        if (!has_memory(job, size))
            return IN_PIECES;
    }
    read_keys(job, input, size);
    return AT_ONCE;
}

/* The same of what has no size: reads as much as is sorted at once. */
static enum way open_for_pipe(struct sort_job *job, const struct sort_request *options,
                              struct input *input)
{
    enum { FIRST_READ = 9 << 20 }; /* bytes, to see whether that is all */
    bool is_all = read_keys(job, input, FIRST_READ);
    set_count(job, job->keys.size);
    if (is_all && is_for_host(job, options, job->keys.size))
        return AT_ONCE;
    open_device(job, options);
    sort_plan(job);
    /* Two pieces have their places in memory, and about as much can be sorted at once. */
    const uint64_t most = 2 * pieces_capacity(job, &options->settings) * job->elements.size;
    if (!is_all && !read_keys(job, input, most))
        return IN_PIECES;
    set_count(job, job->keys.size);
    sort_plan(job);
    return sort_fits_memory(job, options->settings.memory, false) ? AT_ONCE : IN_PIECES;
}

/* Where the parts are that are sorted each by itself, if there are any. */
static void read_segments(struct sort_job *job, const char *keys_path)
{
    if (!job->segments.path)
        return;
    segments_read(&job->segments, keys_path);
    job->desc.num_segments = job->segments.num;
    job->desc.offset_size = sizeof(uint64_t);
}

/* What moves with the keys in the buffers of the call. */
static void read_values(struct sort_job *job)
{
    struct value_files *values = &job->values;
    const double start = seconds_now();
    value_files_read(values, job->desc.count);
    job->desc.num_values = job->desc.count ? values->paths.num : 0;
    job->desc.value_sizes = job->desc.num_values ? values->sizes : NULL;
    sort_timed(job, STAGE_READING, start);
}

/* Segments, and keys with values, are sorted all at once. */
static void read_whole(struct sort_job *job, const struct sort_request *options,
                       struct input *input)
{
    read_keys(job, input, UINT64_MAX);
    set_count(job, job->keys.size);
    segments_check_end(&job->segments, job->desc.count);
    read_values(job);
    if (!device_is_needless(&job->desc, options->settings.device))
        open_device(job, options);
}

/* Everything but the opening of input and output, which the caller closes. */
static void sort_input(struct sort_job *job, const struct sort_request *options,
                       struct input *input, struct output *output)
{
    const uint64_t size = input->source.size;
    enum way way = AT_ONCE;
    progress_stage("reading", size);
    set_count(job, size);
    if (job->segments.path || job->values.paths.num)
        read_whole(job, options, input);
    else
        way = size > 0 ? open_for_file(job, options, input, output)
                       : open_for_pipe(job, options, input);
    if (way == IN_PIECES) {
        pieces_sort_file(job, &options->settings, input, output);
    } else if (way == STREAMED) {
        sort_streamed(job, input, output);
    } else {
        sort_keys(job, options, output);
        write_keys(job, output);
    }
}

/* Raw keys. */
static void sort_file(struct sort_job *job, const struct sort_request *options)
{
    struct input input;
    struct output output;
    output_refuse_terminal(options->settings.output);
    value_files_check(&job->values, options->input.path, job->segments.path,
                      options->settings.output);
    input_open(&input, options->input.path, false, &options->input.elements);
    output_open(&output, options->settings.output);
    value_files_open_outputs(&job->values);
    read_segments(job, options->input.path);
    sort_input(job, options, &input, &output);
    progress_end();
    sort_tell(job, &options->settings,
              job->desc.index_size ? "the indices are the stable order of the keys"
                                   : "sorted, and a permutation of the input");
    output_abandon(&output);
    device_close(&job->device);
    value_files_close(&job->values);
    bytes_free(&job->segments.offsets);
    bytes_free(&job->indices);
    bytes_free(&job->keys);
    input_close(&input);
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
    if (request->input.is_text)
        text_sort_numbers(request->input.path, &job->desc, settings);
    else
        sort_file(job, request);
    return EXIT_DONE;
}
