/* top.c: 'clsort top': some places of the order of a file's numbers, by skip and limit,
 * or of those of each of its segments. */
#include "command.h"
#include "device.h"
#include "input_job.h"
#include "json.h"
#include "message.h"
#include "output.h"
#include "paths.h"
#include "progress.h"
#include "text.h"
#include "top_segments.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: clsort top [OPTION]... [FILE]\n"
    "\n"
    "Writes the first numbers of FILE (or standard input, also as -) in their order, without "
    "sorting\n"
    "the others. Among equal numbers the first of the file comes first.\n"
    "\n"
    "  -N, --count COUNT  numbers that are wanted (default 10), or 0 for all behind --skip;\n"
    "                     fewer if there are fewer\n"
    "      --skip COUNT   numbers at the front of the order that are left out\n"
    "      --median       the number in the middle instead, the lower of two\n"
    "      --segments OFFSETS\n"
    "                     these of each part of FILE, part behind part; the file OFFSETS says\n"
    "                     where the parts begin and end: raw u64 numbers of keys\n"
    "      --segments-output OUT\n"
    "                     write the offsets that the parts have in the output, as OFFSETS are\n"
    "  -y, --type TYPE    of raw numbers; or with --text, where it is u32 unless given:\n"
    "                    " TYPE_NAMES "\n"
    "  -r, --reverse      descending\n"
    "      --argsort[=4|8]\n"
    "                     their indices in the file or part, counted from 0, of 4 or 8 bytes "
    "instead\n"
    "      --text         one number a line, not raw little-endian numbers; one of -y and --text\n"
    "                     is needed: other text is for 'clsort sort'\n"
    "  -D, --device DEVICE\n"
    "                     an index or a part of a name, as in 'clsort devices'\n"
    "  -o, --output FILE  (default standard output)\n"
    "      --json         what was read and found, as one line of JSON on standard error\n"
    "  -h, --help         this text";

enum { OPTION_SKIP = OPTION_OWN, OPTION_MEDIAN, OPTION_SEGMENTS_OUTPUT };

static const struct option top_table[] = {ROW_COUNT,
                                          {"skip", required_argument, NULL, OPTION_SKIP},
                                          {"median", no_argument, NULL, OPTION_MEDIAN},
                                          ROW_SEGMENTS,
                                          {"segments-output", required_argument, NULL,
                                           OPTION_SEGMENTS_OUTPUT},
                                          ROW_TYPE,
                                          ROW_REVERSE,
                                          ROW_ARGSORT,
                                          ROW_TEXT,
                                          ROW_DEVICE,
                                          ROW_OUTPUT,
                                          ROW_JSON,
                                          ROW_HELP,
                                          ROW_END};
static const char top_letters[] = ":N:y:rD:o:h";

struct top_options {
    struct input_job job;
    clsort_desc desc;        /* type, order and indices */
    struct top_segments top; /* the places, of each segment if there are any */
    const char *segments_output;
};

/* What is written. */
struct found {
    clsort_type type;
    struct bytes elements;
    uint64_t num;
    struct bytes offsets; /* of segments */
};

/* What of the places there is in a file of `count` numbers. */
static void find_places(const struct top_options *options, uint64_t count, clsort_desc *desc)
{
    const struct top_segments *top = &options->top;
    *desc = options->desc;
    desc->count = count;
    desc->skip = top->skip;
    desc->limit = top->limit;
    if (top->is_median) {
        desc->skip = count ? (count - 1) / 2 : 0;
        desc->limit = count > 0;
    }
    if (desc->skip > count)
        desc->skip = count;
    if (desc->limit > count - desc->skip)
        desc->limit = count - desc->skip;
    desc->out_of_place = !desc->index_size;
}

/* How many places that is: all behind those that are skipped, if that is asked for. */
static uint64_t num_wanted(const struct top_options *options, const clsort_desc *desc)
{
    const bool has_limit = options->top.limit || options->top.is_median;
    return has_limit ? desc->limit : desc->count - desc->skip;
}

static bool write_lines(struct output *output, clsort_type type, const void *elements,
                        uint64_t count)
{
    const size_t size = clsort_type_size(type);
    char line[KEY_TEXT + 1];
    for (uint64_t i = 0; i < count; i++) {
        size_t length = text_print(type, key_load(size, elements, i), line);
        line[length++] = '\n';
        if (!output_write(output, line, length))
            return false;
    }
    return true;
}

static bool write_elements(const struct top_options *options, const struct found *found,
                           struct output *output)
{
    return options->job.is_text ? write_lines(output, found->type, found->elements.data, found->num)
                                : output_write(output, found->elements.data,
                                               found->num * clsort_type_size(found->type));
}

/* Both outputs appear when all that is written is on the disk. */
static bool write_found(const struct top_options *options, const struct found *found)
{
    struct output output, offsets = {0};
    struct output *const all[] = {&output, &offsets};
    const bool has_offsets = options->segments_output != NULL;
    if (!output_open(&output, options->job.output))
        return false;
    const bool ok =
        (!has_offsets || output_open(&offsets, options->segments_output)) &&
        write_elements(options, found, &output) &&
        (!has_offsets || output_write(&offsets, found->offsets.data, found->offsets.size)) &&
        output_finish_all(all, has_offsets ? 2 : 1);
    output_abandon(&offsets);
    output_abandon(&output);
    return ok;
}

static bool select_places(const struct top_options *options, const clsort_desc *desc,
                          const clsort_arrays *arrays)
{
    struct device device = {0};
    if (!device_is_needless(desc, options->job.device) &&
        !device_open(&device, options->job.device))
        return false;
    const clsort_status status = clsort_sort(device.sorter, desc, arrays);
    if (status)
        message_of_status(status, device.sorter);
    device_close(&device);
    return !status;
}

/* Has the library write `room` elements, unless there are none to write. */
static bool select_found(const struct top_options *options, const clsort_desc *desc,
                         const struct bytes *keys, uint64_t room, struct found *found)
{
    if (room == 0)
        return true;
    if (!bytes_reserve(&found->elements, room * clsort_type_size(found->type)))
        return false;
    const clsort_arrays arrays = {.keys = keys->data,
                                  .offsets = options->top.segments.offsets.data,
                                  .keys_out = desc->index_size ? NULL : found->elements.data,
                                  .indices = desc->index_size ? found->elements.data : NULL};
    return select_places(options, desc, &arrays);
}

static bool find_in_segments(const struct top_options *options, const struct bytes *keys,
                             uint64_t count, struct found *found)
{
    const struct top_segments *top = &options->top;
    clsort_desc desc = options->desc;
    desc.count = count;
    if (!segments_are_within(&top->segments, count))
        return false;
    top_segments_describe(top, &desc);
    if (!bytes_reserve(&found->offsets, top->segments.offsets.size) ||
        !select_found(options, &desc, keys, top_segments_room(&desc), found))
        return false;
    found->offsets.size = top->segments.offsets.size;
    found->num = top_segments_pack(top, &desc, clsort_type_size(found->type), found->elements.data,
                                   found->offsets.data);
    return true;
}

static bool find_in_all(const struct top_options *options, const struct bytes *keys, uint64_t count,
                        struct found *found)
{
    clsort_desc desc;
    find_places(options, count, &desc);
    found->num = num_wanted(options, &desc);
    return select_found(options, &desc, keys, found->num, found);
}

static bool print_json(const struct top_options *options, uint64_t count, uint64_t num_found)
{
    const struct segments *segments = &options->top.segments;
    clsort_desc desc;
    find_places(options, count, &desc);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "type", clsort_type_name(desc.type));
    cJSON_AddStringToObject(object, "order", desc.order ? "descending" : "ascending");
    json_add_u64(object, "keys", count);
    if (segments->path) {
        json_add_u64(object, "segments", segments->num);
        json_add_u64(object, "found", num_found);
    } else {
        json_add_u64(object, "skip", desc.skip);
        json_add_u64(object, "limit", num_wanted(options, &desc));
    }
    return json_print_line(stderr, object);
}

static bool top_of(const struct top_options *options, const struct bytes *keys)
{
    const uint64_t count = keys->size / options->job.elements.size;
    const uint32_t index_size = options->desc.index_size;
    struct found found = {.type = index_size == 8   ? CLSORT_U64
                                  : index_size == 4 ? CLSORT_U32
                                                    : options->desc.type};
    progress_stage("selecting", 0);
    const bool ok = (options->top.segments.path ? find_in_segments(options, keys, count, &found)
                                                : find_in_all(options, keys, count, &found)) &&
                    write_found(options, &found) &&
                    (!options->job.is_json || print_json(options, count, found.num));
    bytes_free(&found.offsets);
    bytes_free(&found.elements);
    return ok;
}

static bool run(struct top_options *options)
{
    struct input input;
    struct bytes keys = {0};
    bool has_ended = false;
    struct segments *segments = &options->top.segments;
    if (!output_is_possible(options->job.output) || !output_is_possible(options->segments_output))
        return false;
    if (segments->path && !segments_read(segments, options->job.path))
        return false;
    if (!input_job_open(&options->job, &input))
        return false;
    progress_stage("reading", input.reader.source.size);
    const bool ok =
        input_read_up_to(&input, UINT64_MAX / 2, &keys, &has_ended) && top_of(options, &keys);
    progress_end();
    bytes_free(&keys);
    input_close(&input);
    return ok;
}

static bool take_option(int c, void *context)
{
    struct top_options *options = context;
    switch (c) {
    case 'N':
        return parse_count(optarg, &options->top.limit);
    case OPTION_SKIP:
        return parse_count(optarg, &options->top.skip);
    case OPTION_MEDIAN:
        return options->top.is_median = true;
    case OPTION_SEGMENTS: /* without a type: -y or --text is asked for */
        options->top.segments.path = optarg;
        return true;
    case OPTION_SEGMENTS_OUTPUT:
        options->segments_output = optarg;
        return true;
    case OPTION_ARGSORT:
        return take_desc_option(c, &options->desc);
    default:
        return input_job_take(&options->job, c);
    }
}

/* Whether the outputs take what is written to them, each its own file. */
static bool outputs_go_together(const struct top_options *options)
{
    const char *offsets = options->segments_output;
    if (!options->job.is_text && !output_takes_bytes(options->job.output))
        return false;
    if (!offsets)
        return true;
    if (!options->top.segments.path)
        message("--segments-output is for segments; say with --segments where they are");
    else if (path_is_same_output(offsets, options->job.output))
        message("--segments-output %s: the numbers go to the same file; give it its own", offsets);
    else
        return output_takes_bytes(offsets);
    return false;
}

int command_top(int argc, char **argv)
{
    static const struct exclusion exclusions[] = {{OPTION_MEDIAN, OPTION_SKIP,
                                                   "the median is one place"},
                                                  {OPTION_MEDIAN, 'N', "the median is one place"},
                                                  {0, 0, NULL}};
    static const struct command_line line = {"top",      help, top_letters, top_table,
                                             exclusions, 1,    take_option};
    struct top_options options = {.top.limit = 10};
    int status;
    if (!command_line_read(&line, argc, argv, &options, &status))
        return status;
    if (!options.job.has_elements) {
        message("give --text for one number a line, or the type of raw keys with -y; 'clsort sort' "
                "takes other text");
        return EXIT_TROUBLE;
    }
    if (!outputs_go_together(&options) || !input_job_complete(&options.job, argv[optind]))
        return EXIT_TROUBLE;
    options.desc.type = options.job.elements.type;
    options.desc.order = options.job.order;
    const bool ok = run(&options);
    segments_free(&options.top.segments);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}
