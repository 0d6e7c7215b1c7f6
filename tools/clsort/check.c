/* check.c: 'clsort check'. The file is read in pieces, so that it may be larger than memory; no
 * device is needed. */
#include "command.h"
#include "input.h"
#include "json.h"
#include "key.h"
#include "lines_job.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "text.h"
#include "verify.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: clsort check [OPTION]... [FILE]\n"
    "\n"
    "Tells whether FILE (or standard input, also as -) is sorted, by code that is not the\n"
    "library's, without a device. Exit status 0: sorted; 1: not, and the message says where.\n"
    "\n"
    "  -y, --type TYPE  (default u32)" TYPE_NAMES "\n"
    "  -r, --reverse    descending\n"
    "      --record-size N, --key-offset N\n"
    "                   records of N bytes, and the bytes in front of their key (default 0)\n"
    "      --text       one number a line, not raw little-endian keys\n"
    "      --lines      lines of any bytes, in order by them\n"
    "      --json       one line of JSON on standard output, too\n"
    "  -h, --help       this text";

/* Keys at once. */
enum { CHUNK_KEYS = 1 << 17 };

static void report_disorder(const struct input *input, uint64_t position, uint64_t before,
                            uint64_t key)
{
    char before_text[KEY_TEXT], key_text[KEY_TEXT];
    text_print(input->elements.type, before, before_text);
    text_print(input->elements.type, key, key_text);
    if (input->text)
        message("%s:%" PRIu64 ": disorder: %s after %s", input->reader.source.name, position + 1,
                key_text, before_text);
    else
        message("%s: disorder at key %" PRIu64 " (counted from 0): %s after %s",
                input->reader.source.name, position, key_text, before_text);
}

/* data has room for one element, the last of the chunk before, and a chunk behind it. */
static int check_chunks(struct input *input, clsort_order order, char *data, uint64_t *position_ret)
{
    const struct elements *elements = &input->elements;
    const size_t size = elements->size;
    uint64_t num_before = 0;
    progress_stage("checking", input->reader.source.size);
    for (;;) {
        size_t num;
        if (!input_read(input, data + size, CHUNK_KEYS, &num))
            return EXIT_TROUBLE;
        if (num == 0)
            return EXIT_DONE;
        if (num_before == 0)
            memcpy(data, data + size, size);
        const uint64_t position = find_disorder(elements, order, data, num + 1);
        if (position < num + 1) {
            *position_ret = num_before + position - 1;
            report_disorder(input, *position_ret, element_load(elements, data, position - 1),
                            element_load(elements, data, position));
            return EXIT_DISORDER;
        }
        memcpy(data, data + num * size, size);
        num_before += num;
    }
}

/* The same of a file. position_ret: the key that is out of order, counted from 0. */
static int check_file(const char *path, const struct elements *elements, clsort_order order,
                      bool is_text, uint64_t *position_ret)
{
    struct bytes data = {0};
    struct input input;
    if (!input_open(&input, path, is_text, elements))
        return EXIT_TROUBLE;
    int result = EXIT_TROUBLE;
    if (bytes_reserve(&data, (CHUNK_KEYS + 1) * (uint64_t)elements->size))
        result = check_chunks(&input, order, data.data, position_ret);
    progress_end();
    bytes_free(&data);
    input_close(&input);
    return result;
}

static const struct option check_table[] = {ROW_TYPE,       ROW_REVERSE, ROW_RECORD_SIZE,
                                            ROW_KEY_OFFSET, ROW_TEXT,    ROW_LINES,
                                            ROW_JSON,       ROW_HELP,    ROW_END};
static const char check_letters[] = ":y:rh";

struct check_options {
    struct elements elements;
    clsort_order order;
    bool is_text, is_lines, is_json;
};

/* What a check has found, unless it had trouble. place: the line, counted from 1, or the key of
 * a raw file, counted from 0. */
static bool print_json(const struct check_options *options, int status, uint64_t place)
{
    const bool has_lines = options->is_text || options->is_lines;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "type",
                            options->is_lines ? "lines" : clsort_type_name(options->elements.type));
    cJSON_AddStringToObject(object, "order", options->order ? "descending" : "ascending");
    cJSON_AddBoolToObject(object, "sorted", status == EXIT_DONE);
    if (status == EXIT_DISORDER)
        json_add_u64(object, has_lines ? "line" : "key", place);
    return json_print_line(stdout, object);
}

static int check(const struct check_options *options, const char *path)
{
    uint64_t place = 0;
    const int status = options->is_lines ? lines_check(path, options->order, &place)
                                         : check_file(path, &options->elements, options->order,
                                                      options->is_text, &place);
    if (options->is_text)
        place++;
    if (options->is_json && status != EXIT_TROUBLE && !print_json(options, status, place))
        return EXIT_TROUBLE;
    return status;
}

/* An option as getopt_long() returned it, except -h and what it does not know. */
static bool take_option(int c, struct check_options *options)
{
    switch (c) {
    case 'y':
        return parse_type(optarg, &options->elements.type);
    case 'r':
        options->order = CLSORT_DESCENDING;
        return true;
    case OPTION_RECORD_SIZE:
        return parse_record_size(optarg, &options->elements);
    case OPTION_KEY_OFFSET:
        return parse_key_offset(optarg, &options->elements);
    case OPTION_TEXT:
        options->is_text = true;
        return true;
    case OPTION_JSON:
        options->is_json = true;
        return has_json();
    default:
        options->is_lines = true;
        return true;
    }
}

int command_check(int argc, char **argv)
{
    static const struct exclusion exclusions[] = {
        {OPTION_LINES, 'y', "lines are bytes, which have no type"},
        {OPTION_LINES, OPTION_TEXT, "a line is bytes or a number"},
        {OPTION_LINES, OPTION_RECORD_SIZE, "lines end with a line feed, whatever their size"},
        {OPTION_TEXT, OPTION_RECORD_SIZE, "records are raw bytes"},
        {OPTION_LINES, OPTION_KEY_OFFSET, "lines are compared by all of their bytes"},
        {OPTION_TEXT, OPTION_KEY_OFFSET, "records are raw bytes"},
        {0, 0, NULL}};
    if (!options_go_together(argc, argv, check_letters, check_table, exclusions))
        return EXIT_TROUBLE;
    struct check_options options = {0};
    int c;
    while ((c = getopt_long(argc, argv, check_letters, check_table, NULL)) != -1) {
        if (c == 'h') {
            puts(help);
            return EXIT_DONE;
        }
        if (c == '?' || c == ':')
            return refuse_option("check", c, argv, check_table);
        if (!take_option(c, &options))
            return EXIT_TROUBLE;
    }
    if (argc - optind > 1)
        return refuse_operand("check", argv[optind + 1]);
    return options.is_lines || complete_elements(&options.elements) ? check(&options, argv[optind])
                                                                    : EXIT_TROUBLE;
}
