/* top.c: 'clsort top': some places of the order of a file's numbers, by skip and limit,
 * or of those of each of its segments. */
#include "cli/command.h"
#include "memory/host_memory.h"
#include "cli/json.h"
#include "cli/message.h"
#include "io/paths.h"
#include "cli/progress.h"
#include "top/job.h"

#include <stdio.h>

static const char help[] =
    "Usage: clsort top [OPTION]... [FILE]\n"
    "\n"
    "Writes the first numbers of FILE (or standard input, also as -) in their order, without "
    "sorting\n"
    "or keeping the others. Among equal numbers the first of the file comes first.\n"
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
    "  -S, --buffer-size SIZE\n"
    "                     the memory; numbers that are wanted and need more lie in a temporary "
    "file;\n"
    "                     a number and %, b, K, M, G, ...; the default is half of what is left\n"
    "  -T, --temporary-directory DIR\n"
    "                     where that file lies; the default is $TMPDIR, or /tmp\n"
    "  -D, --device DEVICE\n"
    "                     an index or a part of a name, as in 'clsort devices'\n"
    "  -o, --output FILE  (default standard output)\n"
    "      --json         what was read and found, as one line of JSON on standard error\n"
    "  -h, --help         this text\n"
    "\n"
    "Examples:\n"
    "  clsort top --text -y f64 -r numbers.txt\n"
    "  clsort top -N 1 --skip 99 -y u32 keys.bin\n"
    "  clsort top --median -y f32 samples.bin";

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
                                          {"buffer-size", required_argument, NULL, 'S'},
                                          {"temporary-directory", required_argument, NULL, 'T'},
                                          ROW_DEVICE,
                                          ROW_OUTPUT,
                                          ROW_JSON,
                                          ROW_HELP,
                                          ROW_END};
static const char top_letters[] = ":N:y:rS:T:D:o:h";

static bool print_json(const struct top_job *job)
{
    const struct segments *segments = &job->top.segments;
    const clsort_desc *desc = &job->select.desc;
    uint64_t skip;
    const uint64_t num = top_job_places(job, &skip);
    struct json json;
    json_begin(&json);
    json_text(&json, "type", clsort_type_name(desc->type));
    json_text(&json, "order", desc->order ? "descending" : "ascending");
    json_count(&json, "keys", job->num_read);
    if (segments->path) {
        json_count(&json, "segments", segments->num);
        json_count(&json, "found", job->output.num_written);
    } else {
        json_count(&json, "skip", skip);
        json_count(&json, "limit", num);
    }
    return json_end(&json, stderr);
}

static bool run(struct top_job *job)
{
    struct segments *segments = &job->top.segments;
    if (!output_is_possible(job->input.output) || !output_is_possible(job->output.offsets_path))
        return false;
    if (segments->path && !segments_read(segments, job->input.path))
        return false;
    if (!input_job_open(&job->input, &job->file))
        return false;
    progress_stage("reading", job->file.source.size);
    const bool ok = top_job_run(job);
    progress_end();
    input_close(&job->file);
    return ok && (!job->input.is_json || print_json(job));
}

static bool take_option(int c, void *context)
{
    struct top_job *job = context;
    switch (c) {
    case 'N':
        return parse_count(optarg, &job->top.limit);
    case OPTION_SKIP:
        return parse_count(optarg, &job->top.skip);
    case OPTION_MEDIAN:
        return job->top.is_median = true;
    case OPTION_SEGMENTS: /* without a type: -y or --text is asked for */
        job->top.segments.path = optarg;
        return true;
    case OPTION_SEGMENTS_OUTPUT:
        job->output.offsets_path = optarg;
        return true;
    case OPTION_ARGSORT:
        return take_desc_option(c, &job->select.desc);
    case 'S':
        return take_memory(optarg, &job->select.memory);
    case 'T':
        return set_once("-T", optarg, &job->list.dir);
    default:
        return input_job_take(&job->input, c);
    }
}

/* Whether the outputs take what is written to them, each its own file. */
static bool outputs_go_together(const struct top_job *job)
{
    const char *offsets = job->output.offsets_path;
    if (!job->input.is_text && !output_takes_bytes(job->input.output))
        return false;
    if (!offsets)
        return true;
    if (!job->top.segments.path)
        message("--segments-output is for segments; say with --segments where they are");
    else if (path_is_same_output(offsets, job->input.output))
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
    struct top_job job = {.top.limit = 10};
    int status;
    if (!command_line_read(&line, argc, argv, &job, &status))
        return status;
    if (!job.input.has_elements) {
        message("give --text for one number a line, or the type of raw keys with -y; 'clsort sort' "
                "takes other text");
        return EXIT_TROUBLE;
    }
    if (!outputs_go_together(&job) || !input_job_complete(&job.input, argv[optind]))
        return EXIT_TROUBLE;
    job.select.desc.type = job.input.elements.type;
    job.select.desc.order = job.input.order;
    job.select.selection = job.input.device;
    job.select.memory = host_memory_share(job.select.memory, host_memory_available());
    const bool ok = run(&job);
    top_job_close(&job);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}
