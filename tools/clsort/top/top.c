/* top.c: 'clsort top': some places of the order of a file's numbers, by skip and limit,
 * or of those of each of its segments. */
#include "cli/command.h"
#include "memory/host_memory.h"
#include "cli/json.h"
#include "cli/message.h"
#include "io/paths.h"
#include "cli/progress.h"
#include "numbers/text.h"
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

static void write_lines(struct top_output *output, const void *elements, uint64_t num)
{
    enum { BUFFER_SIZE = 1 << 16 };
    static char buffer[BUFFER_SIZE];
    const size_t size = clsort_type_size(output->type);
    size_t used = 0;
    for (uint64_t i = 0; i < num; i++) {
        if (used + KEY_TEXT >= BUFFER_SIZE) {
            output_write(&output->elements, buffer, used);
            used = 0;
        }
        used += text_print(output->type, key_load(size, elements, i), buffer + used);
        buffer[used++] = '\n';
    }
    output_write(&output->elements, buffer, used);
}

void top_output_write(struct top_output *output, const void *elements, uint64_t num)
{
    output->num_written += num;
    if (output->is_text)
        write_lines(output, elements, num);
    else if (num > 0)
        output_write_many(&output->elements, elements, num * clsort_type_size(output->type));
}

void top_output_write_offsets(struct top_output *output, const uint64_t *offsets, uint64_t num)
{
    if (output->offsets_path)
        output_write(&output->offsets, offsets, num * sizeof(*offsets));
}

/* Both outputs appear when all that is written is on the disk. */
static void finish(struct top_output *output)
{
    struct output *const all[] = {&output->elements, &output->offsets};
    output_finish_all(all, output->offsets_path ? 2 : 1);
}

uint64_t top_segments_places(const struct top_segments *top, uint64_t length, uint64_t *skip_ret)
{
    const uint64_t limit = top->is_median ? 1 : top->limit ? top->limit : UINT64_MAX;
    const uint64_t skip = top->is_median ? (length > 0 ? (length - 1) / 2 : 0) : top->skip;
    const uint64_t left = length > skip ? length - skip : 0;
    *skip_ret = left ? skip : length;
    return left < limit ? left : limit;
}

/* How many of the first places are needed, of numbers that may be known to be `count`, or 0. */
static uint64_t find_need(const struct top_segments *top, uint64_t count)
{
    if (top->is_median)
        return count ? (count - 1) / 2 + 1 : UINT64_MAX;
    return top->limit == 0 || top->skip > UINT64_MAX - top->limit ? UINT64_MAX
                                                                  : top->skip + top->limit;
}

void top_job_read(struct top_job *job, uint64_t count, struct top_list *list)
{
    const uint64_t key_size = job->input.elements.size;
    const uint64_t capacity = top_select_chunk(&job->select) / key_size;
    bytes_need(&job->chunk, capacity * key_size);
    for (uint64_t done = 0, num = 1; done < count && num > 0; done += num) {
        const uint64_t wanted = smaller(capacity, count - done);
        num = input_read_many(&job->file, job->chunk.data, wanted * key_size) / key_size;
        job->num_read += num;
        if (list && job->select.desc.index_size == 4 && done + num > UINT64_C(1) << 32)
            die("there are too many keys for indices of 4 bytes; use --argsort=8");
        if (list)
            top_list_add(list, job->chunk.data, done, num);
    }
}

static void run_all(struct top_job *job)
{
    const uint64_t known = job->file.numbers ? 0 : job->file.source.size;
    const uint64_t need = find_need(&job->top, known / job->input.elements.size);
    uint64_t skip;
    top_list_begin(&job->list, need);
    top_job_read(job, UINT64_MAX, &job->list);
    progress_stage("selecting", 0);
    const uint64_t num = top_segments_places(&job->top, job->num_read, &skip);
    top_list_write(&job->list, skip, num, &job->output);
}

static void close_job(struct top_job *job)
{
    output_abandon(&job->output.offsets);
    output_abandon(&job->output.elements);
    top_list_free(&job->list);
    top_select_close(&job->select);
    bytes_free(&job->chunk);
    bytes_free(&job->top.segments.offsets);
}

static void print_json(const struct top_job *job)
{
    const struct segments *segments = &job->top.segments;
    const clsort_desc *desc = &job->select.desc;
    uint64_t skip;
    const uint64_t num = top_segments_places(&job->top, job->num_read, &skip);
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
    json_end(&json, stderr);
}

static void run(struct top_job *job)
{
    struct segments *segments = &job->top.segments;
    output_open(&job->output.elements, job->output.path);
    if (job->output.offsets_path)
        output_open(&job->output.offsets, job->output.offsets_path);
    if (segments->path)
        segments_read(segments, job->input.path);
    input_open(&job->file, job->input.path, job->input.is_text, &job->input.elements);
    progress_stage("reading", job->file.source.size);
    (segments->path ? top_batches_run : run_all)(job);
    finish(&job->output);
    progress_end();
    input_close(&job->file);
    if (job->input.is_json)
        print_json(job);
}

/* The outputs have to take what is written to them, each its own file. */
static void check_outputs(const struct top_job *job)
{
    const char *offsets = job->output.offsets_path;
    if (!job->input.is_text)
        output_refuse_terminal(job->output.path);
    if (!offsets)
        return;
    if (!job->top.segments.path)
        die("--segments-output is for segments; say with --segments where they are");
    if (path_is_same_output(offsets, job->output.path))
        die("--segments-output %s: the numbers go to the same file; give it its own", offsets);
    output_refuse_terminal(offsets);
}

int command_top(int argc, char **argv)
{
    static struct top_job job = {.top.limit = 10};
    static const struct argument arguments[] = {
        {"count", 'N', .number = &job.top.limit, .last = UINT64_MAX},
        {"skip", .number = &job.top.skip, .last = UINT64_MAX},
        {"median", .flag = &job.top.is_median},
        {"segments", .text = &job.top.segments.path},
        {"segments-output", .text = &job.output.offsets_path},
        INPUT_JOB_TYPE(job.input),
        INPUT_JOB_REVERSE(job.input),
        {"argsort", .index_size = &job.select.desc.index_size},
        {"text", .flag = &job.input.is_text},
        {"buffer-size", 'S', .take = take_memory, required_argument, &job.select.memory},
        {"temporary-directory", 'T', .once = &job.list.dir},
        {"device", 'D', .text = &job.select.selection},
        {"output", 'o', .once = &job.output.path},
        {"json", .flag = &job.input.is_json},
        {0}};
    static const struct exclusion exclusions[] = {
        {"median", "skip count", "the median is one place"}, {0}};
    static const struct command_line line = {"top", help, .arguments = arguments,
                                             .exclusions = exclusions, .max_files = 1};
    const int status = command_line_read(&line, argc, argv, NULL);
    if (status != GO_ON)
        return status;
    if (!command_line_has("type") && !command_line_has("text"))
        die("give --text for one number a line, or the type of raw keys with -y; 'clsort sort' "
            "takes other text");
    check_outputs(&job);
    input_job_complete(&job.input, argv[optind]);
    job.select.desc.type = job.input.elements.type;
    job.select.desc.order = job.input.order;
    job.select.memory = host_memory_share(job.select.memory, host_memory_available());
    job.list.select = &job.select;
    job.output.is_text = job.input.is_text;
    job.output.type = job.select.desc.index_size == 8   ? CLSORT_U64
                      : job.select.desc.index_size == 4 ? CLSORT_U32
                                                        : job.select.desc.type;
    run(&job);
    close_job(&job);
    return EXIT_DONE;
}
