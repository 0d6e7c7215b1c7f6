/* check.c: 'clsort check', and 'clsort sort -c' of numbers. The file is read in pieces, so that it
 * may be larger than memory; no device is needed. */
#include "commands/input_job.h"

#include "cli/command.h"
#include "cli/json.h"
#include "numbers/key.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "numbers/text.h"
#include "numbers/verify.h"
#include "text/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: clsort check [OPTION]... [FILE]\n"
    "\n"
    "Lines or numbers? FILE (or standard input, also as -) holds lines, unless -y says raw "
    "numbers,\n"
    "or --text one on each line. Tells whether they are in the order of 'clsort sort'. Needs no\n"
    "device. Exit status 0: sorted; 1: not, and the message says where. 'clsort sort -c' checks\n"
    "lines by keys.\n"
    "\n"
    "  -y, --type TYPE  raw little-endian keys of a type, or with --text numbers; with one of the\n"
    "                   options below u32 unless given:\n"
    "                  " TYPE_NAMES "\n"
    "  -r, --reverse    descending\n"
    "      --record-size N, --key-offset N\n"
    "                   records of N bytes, and the bytes in front of their key (default 0)\n"
    "      --text       one number a line\n"
    "      --lines      lines, as without any of these\n"
    "      --json       one line of JSON on standard output, too\n"
    "  -h, --help       this text\n"
    "\n"
    "Examples:\n"
    "  clsort check words.txt\n"
    "  clsort check -y u32 keys.bin\n"
    "  clsort check --text -y f64 -r numbers.txt";

/* Keys at once. */
enum { CHUNK_KEYS = 1 << 17 };

static void report_disorder(const struct input *input, uint64_t position, uint64_t before,
                            uint64_t key)
{
    char before_text[KEY_TEXT], key_text[KEY_TEXT];
    text_print(input->elements.type, before, before_text);
    text_print(input->elements.type, key, key_text);
    if (input->numbers)
        message("%s:%" PRIu64 ": disorder: %s after %s", input->source.name, position + 1, key_text,
                before_text);
    else
        message("%s: disorder at key %" PRIu64 " (counted from 0): %s after %s", input->source.name,
                position, key_text, before_text);
}

/* data has room for one element, the last of the chunk before, and a chunk behind it. */
static int check_chunks(struct input *input, const struct input_job *job, bool is_quiet, char *data,
                        uint64_t *position_ret)
{
    const struct elements *elements = &input->elements;
    const size_t size = elements->size;
    uint64_t num_before = 0;
    progress_stage("checking", input->source.size);
    for (;;) {
        const size_t num = input_read(input, data + size, CHUNK_KEYS);
        if (num == 0)
            return EXIT_DONE;
        if (num_before == 0)
            memcpy(data, data + size, size);
        const uint64_t position = find_disorder(elements, job->order, data, num + 1);
        if (position < num + 1) {
            *position_ret = num_before + position - 1;
            if (!is_quiet)
                report_disorder(input, *position_ret, element_load(elements, data, position - 1),
                                element_load(elements, data, position));
            return EXIT_DISORDER;
        }
        memcpy(data, data + num * size, size);
        num_before += num;
    }
}

int check_file(const struct input_job *job, bool is_quiet, uint64_t *position_ret)
{
    struct bytes data = {0};
    struct input input;
    input_open(&input, job->path, job->is_text, &job->elements);
    bytes_need(&data, (CHUNK_KEYS + 1) * (uint64_t)job->elements.size);
    const int result = check_chunks(&input, job, is_quiet, data.data, position_ret);
    progress_end();
    bytes_free(&data);
    input_close(&input);
    return result;
}

/* What a check has found. place: the line, counted from 1, or the key of
 * a raw file, counted from 0. */
static void print_json(const struct input_job *job, int status, uint64_t place)
{
    const bool has_lines = job->is_text || job->is_lines;
    struct json json;
    json_begin(&json);
    json_text(&json, "type", job->is_lines ? "lines" : clsort_type_name(job->elements.type));
    json_text(&json, "order", job->order ? "descending" : "ascending");
    json_flag(&json, "sorted", status == EXIT_DONE);
    if (status == EXIT_DISORDER)
        json_count(&json, has_lines ? "line" : "key", place);
    json_end(&json, stdout);
}

static int check(const struct input_job *job)
{
    uint64_t place = 0;
    const int status = job->is_lines
                           ? text_check_lines(job->path, job->order, job->is_unsaid, &place)
                           : check_file(job, false, &place);
    if (job->is_text)
        place++;
    if (job->is_json)
        print_json(job, status, place);
    return status;
}

int command_check(int argc, char **argv)
{
    static struct input_job job;
    static const struct argument arguments[] = {INPUT_JOB_TYPE(job),
                                                INPUT_JOB_REVERSE(job),
                                                INPUT_JOB_RECORDS(job),
                                                {"text", .flag = &job.is_text},
                                                {"lines", .flag = &job.is_lines},
                                                {"json", .flag = &job.is_json},
                                                {0}};
    static const struct exclusion exclusions[] = {INPUT_JOB_EXCLUSIONS, {0}};
    static const struct command_line line = {"check", help, .arguments = arguments,
                                             .exclusions = exclusions, .max_files = 1};
    const int status = command_line_read(&line, argc, argv, NULL);
    if (status != GO_ON)
        return status;
    input_job_complete(&job, argv[optind]);
    return check(&job);
}
