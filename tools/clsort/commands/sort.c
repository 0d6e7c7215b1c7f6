/* sort.c: 'clsort sort'. Output is opened first and written last, after the check. */
#include "commands/check.h"
#include "cli/command.h"
#include "memory/host_memory.h"
#include "memory/host_sort.h"
#include "commands/input_job.h"
#include "cli/message.h"
#include "io/output.h"
#include "external/pieces.h"
#include "cli/progress.h"
#include "numbers/sort_job.h"
#include "external/stream_sort.h"
#include "commands/text_options.h"
#include "text/job.h"
#include "numbers/unique.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: clsort sort [OPTION]... [FILE]...\n"
    "\n"
    "Lines or numbers? FILEs are lines of text, and are sorted as LC_ALL=C sort(1) does, byte for\n"
    "byte, unless an option says numbers: -y for raw ones, as a program writes arrays, or --text\n"
    "for one on each line. Without FILE, or as -, standard input is read. Standard output is\n"
    "written. Examples are at the end.\n"
    "\n"
    "  -r, --reverse          descending\n"
    "  -o, --output OUT       write to OUT, which may be a FILE; it is replaced only when all\n"
    "                         is written\n"
    "  -S, --buffer-size SIZE sort what needs more memory through a temporary file; a number and "
    "%,\n"
    "                         b, K, M, G, ...; the default is half of the memory that is left\n"
    "  -T, --temporary-directory DIR\n"
    "                         where that file lies; the default is $TMPDIR, or /tmp\n"
    "  -D, --device DEVICE    an index or a part of a name, as in 'clsort devices'\n"
    "      --argsort[=4|8]    write the order instead: the positions of the lines or keys, "
    "counted\n"
    "                         from 0, as raw u32 (4, the default) or u64 (8)\n"
    "      --verify           prove order and permutation before writing\n"
    "      --stats            tell device, algorithm and times on standard error\n"
    "      --json             the same as one line of JSON\n"
    "      --lines            lines, as without -y; no note about zero bytes in a file\n"
    "      --help, --version  this text; the version\n"
    "\n"
    "Numbers of one FILE, by any of these options except -u, -s and -c:\n"
    "\n"
    "  -y, --type TYPE        raw little-endian keys, one after another; u32 where only other\n"
    "                         options of this list are given:\n"
    "                        " TYPE_NAMES "\n"
    "      --text             a number of the type on each line; lines are written as read, and\n"
    "                         equal numbers keep their order. -n needs no type\n"
    "  -a, --algorithm NAME   (default auto)" ALGORITHM_NAMES "\n"
    "      --record-size N    sort records of N bytes, up to 256, by a key of the type in them\n"
    "      --key-offset N     bytes in front of a record's key (default 0)\n"
    "      --segments OFFSETS sort parts of FILE, each by itself; the file OFFSETS says where\n"
    "                         they begin and end: raw u64 numbers of keys\n"
    "  -u, --unique           only the first of equal keys; records and values go with it\n"
    "      --values FILE --values-output OUT\n"
    "                         move values, too: FILE has one of any size for each key, and they "
    "are\n"
    "                         written to OUT, which may be FILE; both up to 16 times\n"
    "  -s, --stable           ask for a stable algorithm\n"
    "  -c, --check, -C, --check=quiet\n"
    "                         tell whether FILE is in order, as 'clsort check' does; -C without a\n"
    "                         message\n"
    "\n"
    "Floats: -inf ... -0 0 ... inf, then every NaN; with -r the reverse.";

struct sort_options {
    struct input_job input;
    struct sort_settings settings;
    struct sort_job job;
};

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
static bool open_device(struct sort_job *job, const struct sort_options *options)
{
    if (device_is_absent(&job->desc, options->settings.device, options->settings.memory))
        return true;
    progress_stage("opening", 0);
    const double start = seconds_now();
    const bool ok = device_open(&job->device, options->settings.device);
    job->seconds[STAGE_OPENING] = seconds_now() - start;
    if (ok)
        device_limit_host(&job->device, options->settings.memory);
    return ok;
}

/* Reads until the keys have that many bytes, or all is read. */
static bool read_keys(struct sort_job *job, struct input *input, uint64_t size, bool *has_ended_ret)
{
    const double start = seconds_now();
    const bool ok = input_read_up_to(input, size, &job->keys, has_ended_ret);
    job->seconds[STAGE_READING] += seconds_now() - start;
    return ok;
}

/* Sorts what has been read. */
static bool sort_keys(struct sort_job *job, const struct sort_options *options,
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
    const bool ok = !options->settings.is_verified || sort_is_right(job, output);
    job->seconds[STAGE_CHECKING] += seconds_now() - start;
    return ok;
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

static bool write_sorted(struct sort_job *job, struct output *output)
{
    const uint32_t index_size = job->desc.index_size;
    struct value_files *values = &job->values;
    bool ok = index_size > 0 ? write_array(job, job->indices.data, index_size, output)
                             : write_array(job, job->keys.data, job->elements.size, output);
    for (uint32_t i = 0; i < values->num && ok; i++)
        ok = write_array(job, values->data[i], values->sizes[i], &values->outputs[i]);
    return ok && value_files_finish(values, output);
}

static bool write_keys(struct sort_job *job, struct output *output)
{
    const double start = seconds_now();
    const uint64_t size = job->desc.index_size > 0 ? job->indices.size : job->keys.size;
    progress_stage("writing", size);
    const bool ok = write_sorted(job, output);
    job->seconds[STAGE_WRITING] = seconds_now() - start;
    return ok;
}

/* How the input is sorted. */
enum way { AT_ONCE, STREAMED, IN_PIECES };

/* Whether the calling thread sorts that many bytes of keys, and has the memory for it. */
static bool is_for_host(const struct sort_job *job, const struct sort_options *options,
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
static bool open_for_file(struct sort_job *job, const struct sort_options *options,
                          struct input *input, struct output *output, enum way *way_ret)
{
    const uint64_t size = input->source.size;
    bool is_all;
    *way_ret = AT_ONCE;
    if (is_for_host(job, options, size) && has_memory(job, size))
        return read_keys(job, input, size, &is_all);
    const bool is_streamed =
        !options->settings.is_verified && stream_is_possible(job, input, output);
    if (is_streamed && size <= options->settings.memory && !output_reserve_early(output, size))
        return false;
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
static bool open_for_pipe(struct sort_job *job, const struct sort_options *options,
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
    segments_describe(&job->segments, &job->desc);
    return true;
}

/* What moves with the keys in the buffers of the call. */
static bool read_values(struct sort_job *job)
{
    struct value_files *values = &job->values;
    const double start = seconds_now();
    const bool ok = value_files_read(values, job->desc.count);
    job->seconds[STAGE_READING] += seconds_now() - start;
    job->desc.num_values = job->desc.count ? values->num : 0;
    job->desc.value_sizes = job->desc.num_values ? values->sizes : NULL;
    return ok;
}

/* Segments, and keys with values, are sorted all at once. */
static bool sort_whole(struct sort_job *job, const struct sort_options *options,
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
static bool sort_input(struct sort_job *job, const struct sort_options *options,
                       struct input *input, struct output *output)
{
    const uint64_t size = input->source.size;
    enum way way;
    progress_stage("reading", size);
    if (job->segments.path || job->values.num)
        return sort_whole(job, options, input, output);
    if (!set_count(job, size) || !(size > 0 ? open_for_file(job, options, input, output, &way)
                                            : open_for_pipe(job, options, input, &way)))
        return false;
    if (way == IN_PIECES)
        return pieces_sort_file(job, &options->settings, input, output);
    if (way == STREAMED)
        return stream_sort_file(job, input, output);
    return sort_keys(job, options, output) && write_keys(job, output);
}

/* Raw keys. */
static int sort_file(struct sort_job *job, const struct sort_options *options)
{
    if (!output_takes_bytes(options->settings.output))
        return EXIT_TROUBLE;
    struct input input;
    if (!value_files_go_together(&job->values, options->input.path, job->segments.path,
                                 options->settings.output) ||
        !input_job_open(&options->input, &input))
        return EXIT_TROUBLE;
    struct output output = {0};
    bool ok = output_open(&output, options->settings.output) &&
              value_files_open_outputs(&job->values) && read_segments(job, options->input.path) &&
              sort_input(job, options, &input, &output);
    progress_end();
    if (ok && options->settings.is_verified && !options->settings.is_json)
        message("verified: %s", job->desc.index_size
                                    ? "the indices are the stable order of the keys"
                                    : "sorted, and a permutation of the input");
    if (ok && options->settings.is_timed)
        ok = sort_print_stats(job, options->settings.is_verified, options->settings.is_json);

    output_abandon(&output);
    device_close(&job->device);
    value_files_close(&job->values);
    segments_free(&job->segments);
    bytes_free(&job->indices);
    bytes_free(&job->keys);
    input_close(&input);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}

static bool take_option(int c, void *context)
{
    struct sort_options *options = context;
    struct input_job *input = &options->input;
    bool is_known;
    const bool ok = take_sort_setting(c, &options->settings, &is_known);
    if (is_known)
        return ok;
    switch (c) {
    case 's':
        return take_desc_option(OPTION_STABLE, &options->job.desc);
    case OPTION_SEGMENTS:
        options->job.segments.path = optarg;
        return input_job_take(input, c);
    case OPTION_VALUE_FILE:
        return input_job_take(input, c) && value_files_add(&options->job.values, optarg);
    case OPTION_VALUE_OUTPUT:
        return input_job_take(input, c) && value_files_add_output(&options->job.values, optarg);
    case 'u':
        return options->job.is_unique = true;
    case 'a':
        return input_job_take(input, c) && take_desc_option(c, &options->job.desc);
    default:
        return input_job_take(input, c);
    }
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

/* What the options leave open. */
static bool complete(struct sort_options *options, const char *path)
{
    const uint64_t available = host_memory_available();
    if (!input_job_complete(&options->input, path))
        return false;
    describe_elements(&options->job, &options->input);
    options->job.desc.index_size = options->settings.index_size;
    /* The first of equal ones is that of the input. */
    options->job.desc.stable |=
        options->job.is_unique && (options->job.desc.record || options->job.values.num);
    options->settings.memory = host_memory_share(options->settings.memory, available);
    return true;
}

static int print_help(void)
{
    puts(help);
    puts(text_help);
    return EXIT_DONE;
}

/* -c or -C: the file is not sorted, but looked at. */
static int check(const struct sort_options *options)
{
    const struct sort_job *job = &options->job;
    const struct {
        bool is_given;
        const char *name;
    } others[] = {{options->settings.output, "-o"},
                  {options->settings.device, "-D"},
                  {job->is_unique, "-u"},
                  {job->desc.algorithm, "-a"},
                  {job->desc.index_size, "--argsort"},
                  {job->segments.path, "--segments"},
                  {job->values.num, "--values"},
                  {options->settings.is_verified, "--verify"},
                  {options->settings.is_timed, "--stats and --json"}};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (others[i].is_given) {
            message("-%c goes without %s: it tells by its exit status whether the numbers of one "
                    "file are in order",
                    options->settings.mode, others[i].name);
            return EXIT_TROUBLE;
        }
    }
    uint64_t position;
    return check_file(&options->input, options->settings.mode == 'C', &position);
}

/* With the options read: by the way that suits them. */
static int sort(struct sort_options *options)
{
    const struct input_job *input = &options->input;
    return input->is_text ? text_sort_numbers(input->path, &options->job.desc, &options->settings)
                          : sort_file(&options->job, options);
}

int command_sort(int argc, char **argv)
{
    static const struct exclusion exclusions[] = {
        INPUT_JOB_EXCLUSIONS,
        {OPTION_STATS, OPTION_JSON, "they are the same in two forms"},
        {OPTION_SEGMENTS, 'a', "each segment takes the algorithm that its length asks for"},
        {OPTION_SEGMENTS, OPTION_TEXT, "segments are parts of raw keys"},
        {OPTION_SEGMENTS, OPTION_LINES, "segments are parts of raw keys"},
        {OPTION_SEGMENTS, OPTION_VERIFY, "keys are in order within their segment only"},
        {OPTION_SEGMENTS, 'S', "segments are not sorted in pieces"},
        {OPTION_SEGMENTS, 'u', "keys are in order within their segment only"},
        {OPTION_TEXT, 'u', "-u is for raw keys, and for lines by -n or -g"},
        {OPTION_VALUE_FILE, OPTION_TEXT, "values move with raw keys"},
        {OPTION_VALUE_FILE, OPTION_LINES, "values move with raw keys"},
        {OPTION_VALUE_FILE, OPTION_ARGSORT, "the positions are written instead of the keys"},
        {OPTION_VALUE_FILE, 'S', "keys with values are not sorted in pieces"},
        {0, 0, NULL}};
    static const struct command_line line = {"sort",     NULL, text_letters, text_table,
                                             exclusions, 1,    take_option};
    const enum text_request request = text_request(argc, argv);
    if (request == TEXT_HELP_ASKED)
        return print_help();
    if (request == TEXT_VERSION_ASKED)
        return print_version();
    if (request == TEXT_ASKED)
        return text_command(argc, argv);
    struct sort_options options = {.settings.mode = 0};
    int status;
    if (!command_line_read(&line, argc, argv, &options, &status))
        return status;
    if ((!options.input.has_elements && !text_refuse_old_keys(argv + optind)) ||
        !complete(&options, argv[optind]))
        return EXIT_TROUBLE;
    if (options.settings.mode)
        return check(&options);
    optind = 0; /* from the front, once more */
    return options.input.is_lines ? text_command(argc, argv) : sort(&options);
}
