/* check.c: 'clsort check'. The file is read in pieces, so that it may be larger than memory; no
 * device is needed. */
#include "command.h"
#include "input.h"
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

static const char help[] =
    "Usage: clsort check [OPTION]... [FILE]\n"
    "\n"
    "Tells whether FILE (or standard input, also as -) is sorted, by code that is not the\n"
    "library's, without a device. Exit status 0: sorted; 1: not, and the message says where.\n"
    "\n"
    "  -y, --type TYPE  (default u32)" TYPE_NAMES "\n"
    "  -r, --reverse    descending\n"
    "      --text       one number a line, not raw little-endian keys\n"
    "      --lines      lines of any bytes, in order by them\n"
    "  -h, --help       this text";

/* Keys at once. */
enum { CHUNK_KEYS = 1 << 17 };

static void report_disorder(const struct input *input, uint64_t position, uint64_t before,
                            uint64_t key)
{
    char before_text[KEY_TEXT], key_text[KEY_TEXT];
    text_print(input->type, before, before_text);
    text_print(input->type, key, key_text);
    if (input->text)
        message("%s:%" PRIu64 ": disorder: %s after %s", input->reader.source.name, position + 1,
                key_text, before_text);
    else
        message("%s: disorder at key %" PRIu64 " (counted from 0): %s after %s",
                input->reader.source.name, position, key_text, before_text);
}

/* keys has room for one key, the last of the chunk before, and a chunk behind it. */
static int check_chunks(struct input *input, clsort_order order, void *keys)
{
    const size_t size = clsort_type_size(input->type);
    uint64_t num_before = 0;
    uint64_t last = 0;
    progress_stage("checking", input->reader.source.size);
    for (;;) {
        size_t num_keys;
        if (!input_read(input, (char *)keys + size, CHUNK_KEYS, &num_keys))
            return EXIT_TROUBLE;
        if (num_keys == 0)
            return EXIT_DONE;
        if (num_before == 0)
            last = key_load(size, keys, 1);
        key_store(size, keys, 0, last);
        const uint64_t position = find_disorder(input->type, order, keys, num_keys + 1);
        if (position < num_keys + 1) {
            report_disorder(input, num_before + position - 1, key_load(size, keys, position - 1),
                            key_load(size, keys, position));
            return EXIT_DISORDER;
        }
        last = key_load(size, keys, num_keys);
        num_before += num_keys;
    }
}

static int check_file(const char *path, clsort_type type, clsort_order order, bool is_text)
{
    struct bytes keys = {0};
    struct input input;
    if (!input_open(&input, path, is_text, type))
        return EXIT_TROUBLE;
    int result = EXIT_TROUBLE;
    if (bytes_reserve(&keys, (CHUNK_KEYS + 1) * (uint64_t)clsort_type_size(type)))
        result = check_chunks(&input, order, keys.data);
    progress_end();
    bytes_free(&keys);
    input_close(&input);
    return result;
}

int command_check(int argc, char **argv)
{
    enum { OPTION_TEXT = 256, OPTION_LINES };
    static const struct option options[] = {
        {"type", required_argument, NULL, 'y'},   {"reverse", no_argument, NULL, 'r'},
        {"text", no_argument, NULL, OPTION_TEXT}, {"lines", no_argument, NULL, OPTION_LINES},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    static const char letters[] = ":y:rh";
    static const struct exclusion exclusions[] = {
        {OPTION_LINES, 'y', "lines are bytes, which have no type"},
        {OPTION_LINES, OPTION_TEXT, "a line is bytes or a number"},
        {0, 0, NULL}};
    if (!options_go_together(argc, argv, letters, options, exclusions))
        return EXIT_TROUBLE;
    clsort_type type = CLSORT_U32;
    clsort_order order = CLSORT_ASCENDING;
    bool is_text = false, is_lines = false;
    int c;
    while ((c = getopt_long(argc, argv, letters, options, NULL)) != -1) {
        switch (c) {
        case 'y':
            if (!parse_type(optarg, &type))
                return EXIT_TROUBLE;
            break;
        case 'r':
            order = CLSORT_DESCENDING;
            break;
        case OPTION_TEXT:
            is_text = true;
            break;
        case OPTION_LINES:
            is_lines = true;
            break;
        case 'h':
            puts(help);
            return EXIT_DONE;
        default:
            return refuse_option("check", c, argv, options);
        }
    }
    if (argc - optind > 1)
        return refuse_operand("check", argv[optind + 1]);
    if (is_lines)
        return lines_check(argv[optind], order);
    return check_file(argv[optind], type, order, is_text);
}
