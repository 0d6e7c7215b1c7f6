/* merge.c: 'clsort merge'. */
#include "cli/command.h"
#include "cli/json.h"
#include "cli/message.h"
#include "commands/input_job.h"
#include "memory/host_memory.h"
#include "text/job.h"

#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "Usage: clsort merge [OPTION]... [FILE]...\n"
    "\n"
    "Merges sorted files of raw keys into one, on standard output. Among equal keys those of\n"
    "the first file come first. A file may be - for standard input, which is the only one if\n"
    "none is given. Files may have any size, and no device is needed. A file that is not in\n"
    "order is refused, and the output stays what it was.\n"
    "Lines of text are merged by 'clsort sort -m'.\n"
    "\n"
    "  -y, --type TYPE    has to be given, except for records (u32):\n"
    "                    " TYPE_NAMES "\n"
    "  -r, --reverse      descending\n"
    "  -o, --output OUT   write to OUT, which may be one of the files; it is replaced only\n"
    "                     when all is written\n"
    "  -u, --unique       only the first of equal keys\n"
    "      --record-size N, --key-offset N\n"
    "                     records of N bytes, and the bytes in front of their key (default 0)\n"
    "      --json         tell on standard error how many keys there were, as a line of JSON\n"
    "  -h, --help         this text\n"
    "\n"
    "Examples:\n"
    "  clsort merge -y u32 -o all.bin a.bin b.bin\n"
    "  clsort merge -y f64 -r -u -o distinct.bin a.bin b.bin\n"
    "  clsort merge --record-size 16 --key-offset 8 a.rec b.rec >all.rec";

static void print_json(const struct input_job *input, const struct text_job *job)
{
    struct json json;
    json_begin(&json);
    json_text(&json, "type", clsort_type_name(input->elements.type));
    json_text(&json, "order", input->order ? "descending" : "ascending");
    json_count(&json, "files", (uint64_t)job->num_inputs);
    json_count(&json, "keys", job->num_lines);
    json_count(&json, "written", job->sort.num_written);
    json_end(&json, stderr);
}

/* Raw keys are merged as lines are. */
static void merge_files(const struct input_job *input, const char *output, bool is_unique,
                        int num_files, char **files)
{
    struct text_job *job = text_make_job(num_files, (const char *const *)files);
    job->order.elements = &input->elements;
    job->order.flags.is_reversed = input->order == CLSORT_DESCENDING;
    job->order.is_unique = is_unique;
    job->order.is_stable = true;
    job->options.output = output;
    job->options.memory = host_memory_share(0, host_memory_available());
    job->options.mode = 'm';
    text_run(job);
    if (input->is_json)
        print_json(input, job);
    free(job);
}

int command_merge(int argc, char **argv)
{
    static struct input_job job;
    static const char *output;
    static bool is_unique;
    static const struct argument arguments[] = {INPUT_JOB_TYPE(job),
                                                INPUT_JOB_REVERSE(job),
                                                {"output", 'o', .once = &output},
                                                {"unique", 'u', .flag = &is_unique},
                                                INPUT_JOB_RECORDS(job),
                                                {"json", .flag = &job.is_json},
                                                {0}};
    static const struct command_line line = {"merge", help, .arguments = arguments,
                                             .max_files = ANY_NUMBER};
    const int status = command_line_read(&line, argc, argv, NULL);
    if (status != GO_ON)
        return status;
    if (!input_job_elements())
        die("give the type of the raw keys with -y; 'clsort sort -m' merges lines of text");
    output_refuse_terminal(output);
    input_job_complete(&job, NULL);
    merge_files(&job, output, is_unique, argc - optind, argv + optind);
    return EXIT_DONE;
}
