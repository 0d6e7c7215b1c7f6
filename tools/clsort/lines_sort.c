/* lines_sort.c: 'clsort sort --lines', from the file to the file. A regular file is read while the
 * device is found and its kernels are made ready. */
#include "lines_job.h"

#include "command.h"
#include "message.h"
#include "output.h"
#include "progress.h"

#include <string.h>
#include <unistd.h>

static bool write_output(const struct lines_job *job, bool is_argsort, struct output *output)
{
    const struct bytes *indices = &job->job.indices;
    progress_stage("writing", is_argsort ? indices->size : job->lines.text.size);
    return (is_argsort ? output_write(output, indices->data, indices->size)
                       : lines_write(job, output)) &&
           output_finish(output);
}

/* The most bytes that any device and host could take. */
static uint64_t size_limit(const struct lines_job *job)
{
    const uint64_t limit = sort_size_limit(&job->job);
    return limit + job->lines.text.size > limit ? limit + job->lines.text.size : limit;
}

static bool sort_lines(struct lines_job *job, const struct lines_options *options, bool is_argsort,
                       struct output *output)
{
    struct sort_job *sort = &job->job;
    struct lines *lines = &job->lines;
    double start = seconds_now();
    if (!lines_begin(lines))
        return false;
    progress_stage("opening", 0);
    if (!device_open(&sort->device, options->device))
        return false;
    sort->seconds[STAGE_OPENING] = seconds_now() - start;
    if (lines->source.size)
        lines_compile_early(job, lines->source.size);

    start = seconds_now();
    if (!lines_read(lines, size_limit(job)))
        return false;
    sort->seconds[STAGE_READING] = seconds_now() - start;

    sort->desc.count = lines->count;
    job->strings = (clsort_strings){.num_bytes = lines->text.size,
                                    .offset_size = lines->offset_size,
                                    .tail_size = 1};
    sort->desc.strings = &job->strings;
    if (lines->count && !lines_run(job))
        return false;
    if (options->is_checked) {
        progress_stage("checking", 0);
        start = seconds_now();
        if (!lines_are_right(job))
            return false;
        sort->seconds[STAGE_CHECKING] = seconds_now() - start;
    }
    start = seconds_now();
    const bool ok = write_output(job, is_argsort, output);
    sort->seconds[STAGE_WRITING] = seconds_now() - start;
    return ok;
}

int lines_sort(const clsort_desc *desc, const struct lines_options *options)
{
    struct lines_job job = {.job = {.desc = *desc}};
    const bool is_argsort = desc->index_size > 0;
    const bool is_to_stdout = !options->output || strcmp(options->output, "-") == 0;
    if (is_argsort && is_to_stdout && isatty(STDOUT_FILENO)) {
        message("standard output is a terminal; give a file with -o");
        return EXIT_TROUBLE;
    }
    if (!is_argsort)
        job.job.desc.index_size = sizeof(uint32_t); /* there are never more lines */
    if (!lines_open(&job.lines, options->input))
        return EXIT_TROUBLE;
    struct output output = {0};
    const bool ok =
        output_open(&output, options->output) && sort_lines(&job, options, is_argsort, &output);
    progress_end();
    if (ok && options->is_checked && !options->is_json)
        message("check passed: %s", is_argsort ? "the indices are the stable order of the lines"
                                               : "sorted, and a permutation of the input");
    if (ok && options->is_timed)
        sort_print_stats(&job.job, options->is_checked, options->is_json);

    output_abandon(&output);
    device_close(&job.job.device);
    bytes_free(&job.job.indices);
    bytes_free(&job.scratch);
    lines_close(&job.lines);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}
