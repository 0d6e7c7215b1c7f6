/* top.c: 'clsort top': some places of the order of a file's numbers, by skip and limit. */
#include "command.h"
#include "device.h"
#include "input_job.h"
#include "json.h"
#include "message.h"
#include "output.h"
#include "text.h"

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
    "  -N, --count COUNT  numbers that are wanted (default 10), or 0 for all behind --skip\n"
    "      --skip COUNT   numbers at the front of the order that are left out\n"
    "      --median       the number in the middle instead, the lower of two\n"
    "  -y, --type TYPE    of raw numbers; or with --text, where it is u32 unless given:\n"
    "                    " TYPE_NAMES "\n"
    "  -r, --reverse      descending\n"
    "      --argsort[=4|8]\n"
    "                     their indices in the file, counted from 0, of 4 or 8 bytes instead\n"
    "      --text         one number a line, not raw little-endian numbers; one of -y and --text\n"
    "                     is needed: other text is for 'clsort sort'\n"
    "  -D, --device DEVICE\n"
    "                     an index or a part of a name, as in 'clsort devices'\n"
    "  -o, --output FILE  (default standard output)\n"
    "      --json         what was read and found, as one line of JSON on standard error\n"
    "  -h, --help         this text";

enum { OPTION_SKIP = OPTION_OWN, OPTION_MEDIAN };

static const struct option top_table[] = {
    ROW_COUNT,   {"skip", required_argument, NULL, OPTION_SKIP},
    ROW_TYPE,    {"median", no_argument, NULL, OPTION_MEDIAN},
    ROW_REVERSE, ROW_ARGSORT,
    ROW_TEXT,    ROW_DEVICE,
    ROW_OUTPUT,  ROW_JSON,
    ROW_HELP,    ROW_END};
static const char top_letters[] = ":N:y:rD:o:h";

struct top_options {
    struct input_job job;
    clsort_desc desc;
    bool is_median;
};

/* What of the places there is in a file of `count` numbers. */
static void find_places(const struct top_options *options, uint64_t count, clsort_desc *desc)
{
    *desc = options->desc;
    desc->count = count;
    if (options->is_median) {
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
    const bool has_limit = options->desc.limit || options->is_median;
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

static bool write_elements(const struct top_options *options, clsort_type type,
                           const void *elements, uint64_t count)
{
    struct output output;
    if (!output_open(&output, options->job.output))
        return false;
    const bool ok =
        (options->job.is_text
             ? write_lines(&output, type, elements, count)
             : output_write(&output, elements, (size_t)(count * clsort_type_size(type)))) &&
        output_finish(&output);
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

static bool top_of(const struct top_options *options, const struct bytes *keys)
{
    clsort_desc desc;
    find_places(options, keys->size / clsort_type_size(options->desc.type), &desc);
    const uint64_t wanted = num_wanted(options, &desc);
    const clsort_type type = desc.index_size == 8   ? CLSORT_U64
                             : desc.index_size == 4 ? CLSORT_U32
                                                    : desc.type;
    struct bytes found = {0};
    if (!wanted)
        return write_elements(options, type, "", 0);
    if (!bytes_reserve(&found, wanted * clsort_type_size(type)))
        return false;
    const clsort_arrays arrays = {.keys = keys->data,
                                  .keys_out = desc.index_size ? NULL : found.data,
                                  .indices = desc.index_size ? found.data : NULL};
    const bool ok =
        select_places(options, &desc, &arrays) && write_elements(options, type, found.data, wanted);
    bytes_free(&found);
    return ok;
}

static bool print_json(const struct top_options *options, uint64_t count)
{
    clsort_desc desc;
    find_places(options, count, &desc);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "type", clsort_type_name(desc.type));
    cJSON_AddStringToObject(object, "order", desc.order ? "descending" : "ascending");
    json_add_u64(object, "keys", count);
    json_add_u64(object, "skip", desc.skip);
    json_add_u64(object, "limit", num_wanted(options, &desc));
    return json_print_line(stderr, object);
}

static bool run(const struct top_options *options)
{
    struct input input;
    struct bytes keys = {0};
    bool has_ended = false;
    if (!input_job_open(&options->job, &input))
        return false;
    const bool ok =
        input_read_up_to(&input, UINT64_MAX / 2, &keys, &has_ended) && top_of(options, &keys) &&
        (!options->job.is_json || print_json(options, keys.size / options->job.elements.size));
    bytes_free(&keys);
    input_close(&input);
    return ok;
}

static bool take_option(int c, void *context)
{
    struct top_options *options = context;
    switch (c) {
    case 'N':
        return parse_count(optarg, &options->desc.limit);
    case OPTION_SKIP:
        return parse_count(optarg, &options->desc.skip);
    case OPTION_MEDIAN:
        return options->is_median = true;
    case OPTION_ARGSORT:
        return take_desc_option(c, &options->desc);
    default:
        return input_job_take(&options->job, c);
    }
}

int command_top(int argc, char **argv)
{
    static const struct exclusion exclusions[] = {{OPTION_MEDIAN, OPTION_SKIP,
                                                   "the median is one place"},
                                                  {OPTION_MEDIAN, 'N', "the median is one place"},
                                                  {0, 0, NULL}};
    static const struct command_line line = {"top",      help, top_letters, top_table,
                                             exclusions, 1,    take_option};
    struct top_options options = {.desc.limit = 10};
    int status;
    if (!command_line_read(&line, argc, argv, &options, &status))
        return status;
    if (!options.job.has_elements) {
        message("give --text for one number a line, or the type of raw keys with -y; 'clsort sort' "
                "takes other text");
        return EXIT_TROUBLE;
    }
    if (!options.job.is_text && !output_takes_bytes(options.job.output))
        return EXIT_TROUBLE;
    if (!input_job_complete(&options.job, argv[optind]))
        return EXIT_TROUBLE;
    options.desc.type = options.job.elements.type;
    options.desc.order = options.job.order;
    return run(&options) ? EXIT_DONE : EXIT_TROUBLE;
}
