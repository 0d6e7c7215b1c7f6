/* merge.c: 'clsort merge'. Sorted files are read in pieces, so that they may be larger than
 * memory; no device is needed. */
#include "cli/command.h"
#include "commands/input_job.h"
#include "cli/json.h"
#include "numbers/key.h"
#include "cli/message.h"
#include "io/open_files.h"
#include "io/output.h"
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

enum { CHUNK_BYTES = 1 << 20, MAX_FILES = 1000 };

struct merge_options {
    struct input_job job; /* of all files */
    bool is_unique;
};

/* A file, and the part of it that is in memory. */
struct run {
    struct input input;
    char *data;
    size_t num, at; /* elements there, and the next one */
    uint64_t num_before;
    uint64_t rank; /* of the next one; larger is later */
    bool has_ended;
};

struct merge {
    const struct merge_options *options;
    struct run *runs;
    int num_runs;
    struct run **heap; /* those that have not ended; the first has the first element */
    int num_left;
    size_t chunk; /* elements */
    struct output output;
    char *written; /* a chunk for the output */
    size_t num_written;
    uint64_t num_read, num_out;
    uint64_t last_rank; /* of the element that was written last */
};

static uint64_t rank_of(const struct merge *merge, const struct run *run)
{
    const uint64_t rank = element_rank(&merge->options->job.elements, run->data, run->at);
    return merge->options->job.order ? ~rank : rank;
}

/* Makes the next element of a run known, or that there is none. */
static bool run_look(struct merge *merge, struct run *run)
{
    const bool is_first = run->num_before == 0 && run->at == 0;
    if (run->at == run->num) {
        run->num_before += run->num;
        run->at = 0;
        if (!input_read(&run->input, run->data, merge->chunk, &run->num))
            return false;
        run->has_ended = run->num == 0;
        if (run->has_ended)
            return true;
    }
    const uint64_t rank = rank_of(merge, run);
    if (!is_first && rank < run->rank) {
        message("%s: disorder at key %" PRIu64
                " (counted from 0); 'clsort merge' takes files in order",
                run->input.source.name, run->num_before + run->at);
        return false;
    }
    run->rank = rank;
    return true;
}

static bool flush(struct merge *merge)
{
    const bool ok = output_write(&merge->output, merge->written,
                                 merge->num_written * merge->options->job.elements.size);
    merge->num_written = 0;
    return ok;
}

/* Takes the next element of a run. */
static bool run_take(struct merge *merge, struct run *run)
{
    const size_t size = merge->options->job.elements.size;
    merge->num_read++;
    if (!merge->options->is_unique || merge->num_out == 0 || run->rank != merge->last_rank) {
        memcpy(merge->written + merge->num_written * size, run->data + run->at * size, size);
        merge->last_rank = run->rank;
        merge->num_out++;
        if (++merge->num_written == merge->chunk && !flush(merge))
            return false;
    }
    run->at++;
    return run_look(merge, run);
}

/* Among equal elements those of the first file come first. */
static bool comes_before(const struct run *a, const struct run *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a < b;
}

static void sift_down(const struct merge *merge, int at)
{
    struct run *const run = merge->heap[at];
    for (int child; (child = 2 * at + 1) < merge->num_left; at = child) {
        if (child + 1 < merge->num_left && comes_before(merge->heap[child + 1], merge->heap[child]))
            child++;
        if (!comes_before(merge->heap[child], run))
            break;
        merge->heap[at] = merge->heap[child];
    }
    merge->heap[at] = run;
}

static bool fill_heap(struct merge *merge)
{
    for (int i = 0; i < merge->num_runs; i++) {
        struct run *run = &merge->runs[i];
        const struct source *source = &run->input.source;
        if (!output_refuse_input(&merge->output, source->name, source->fd) || !run_look(merge, run))
            return false;
        if (!run->has_ended)
            merge->heap[merge->num_left++] = run;
    }
    for (int i = merge->num_left / 2; i-- > 0;)
        sift_down(merge, i);
    return true;
}

static bool merge_all(struct merge *merge)
{
    if (!fill_heap(merge))
        return false;
    while (merge->num_left > 0) {
        struct run *run = merge->heap[0];
        if (!run_take(merge, run))
            return false;
        if (run->has_ended)
            merge->heap[0] = merge->heap[--merge->num_left];
        if (merge->num_left > 0)
            sift_down(merge, 0);
    }
    return flush(merge) && output_finish(&merge->output);
}

/* Opens the files one after the other. merge->num_runs: how many are open. */
static bool open_runs(struct merge *merge, int num_files, char **files)
{
    const struct elements *elements = &merge->options->job.elements;
    for (int i = 0; i < num_files; i++) {
        struct run *run = &merge->runs[i];
        if (!input_open(&run->input, files[i], false, elements))
            return false;
        run->input.source.is_uncounted = true; /* what is written counts */
        merge->num_runs++;
        run->data = malloc(merge->chunk * elements->size);
        if (!run->data) {
            message("out of memory");
            return false;
        }
    }
    return true;
}

static bool print_json(const struct merge *merge)
{
    struct json json;
    json_begin(&json);
    json_text(&json, "type", clsort_type_name(merge->options->job.elements.type));
    json_text(&json, "order", merge->options->job.order ? "descending" : "ascending");
    json_count(&json, "files", (uint64_t)merge->num_runs);
    json_count(&json, "keys", merge->num_read);
    json_count(&json, "written", merge->num_out);
    return json_end(&json, stderr);
}

static int merge_files(const struct merge_options *options, int num_files, char **files)
{
    struct merge merge = {.options = options};
    merge.chunk = CHUNK_BYTES / options->job.elements.size;
    merge.runs = calloc((size_t)num_files, sizeof *merge.runs);
    merge.heap = calloc((size_t)num_files, sizeof *merge.heap);
    merge.written = malloc(merge.chunk * options->job.elements.size);
    bool ok = merge.runs && merge.heap && merge.written;
    if (!ok)
        message("out of memory");
    progress_stage("merging", 0);
    ok = ok && open_runs(&merge, num_files, files) &&
         output_open(&merge.output, options->job.output) && merge_all(&merge);
    progress_end();
    if (ok && options->job.is_json)
        ok = print_json(&merge);
    output_abandon(&merge.output);
    for (int i = 0; i < merge.num_runs; i++) {
        free(merge.runs[i].data);
        input_close(&merge.runs[i].input);
    }
    free(merge.runs);
    free(merge.heap);
    free(merge.written);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}

static const struct option merge_table[] = {ROW_TYPE,        ROW_REVERSE,
                                            ROW_OUTPUT,      {"unique", no_argument, NULL, 'u'},
                                            ROW_RECORD_SIZE, ROW_KEY_OFFSET,
                                            ROW_JSON,        ROW_HELP,
                                            ROW_END};
static const char merge_letters[] = ":y:ro:uh";

static bool take_option(int c, void *context)
{
    struct merge_options *options = context;
    if (c == 'u')
        return options->is_unique = true;
    return input_job_take(&options->job, c);
}

int command_merge(int argc, char **argv)
{
    static char *standard_input[] = {"-"};
    static const struct command_line line = {"merge", help,       merge_letters, merge_table,
                                             NULL,    ANY_NUMBER, take_option};
    struct merge_options options = {.is_unique = false};
    int status;
    if (!command_line_read(&line, argc, argv, &options, &status))
        return status;
    const int num_files = argc > optind ? argc - optind : 1;
    if (num_files > MAX_FILES) {
        message("%d files are more than %d; merge some of them first", num_files, MAX_FILES);
        return EXIT_TROUBLE;
    }
    const uint64_t most = open_files_allow((uint64_t)num_files);
    if (most < (uint64_t)num_files) {
        message("%d files are more than the %" PRIu64
                " that can be open at once (ulimit -n); merge "
                "some of them first",
                num_files, most);
        return EXIT_TROUBLE;
    }
    if (!options.job.has_elements) {
        message("give the type of the raw keys with -y; 'clsort sort -m' merges lines of text");
        return EXIT_TROUBLE;
    }
    if (!output_takes_bytes(options.job.output) || !input_job_complete(&options.job, NULL))
        return EXIT_TROUBLE;
    return merge_files(&options, num_files, argc > optind ? argv + optind : standard_input);
}
