/* sort.c: 'clsort sort --lines', from the file to the file. A regular file is read while the
 * device is found and its kernels are made ready. */
#include "lines/pieces.h"

#include "cli/command.h"
#include "cli/message.h"
#include "io/output.h"
#include "cli/progress.h"

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

/* Reads all lines, not yet split, while the kernels are made ready. */
static bool read_all(struct lines_job *job, uint64_t memory)
{
    struct sort_job *sort = &job->job;
    struct lines *lines = &job->lines;
    if (lines->source.size)
        lines_compile_early(job, lines->source.size);
    const double start = seconds_now();
    if (!lines_read(lines, memory + lines->text.size))
        return false;
    sort->seconds[STAGE_READING] = seconds_now() - start;
    sort->desc.count = lines->count;
    job->strings.num_bytes = lines->text.size;
    job->strings.offset_size = lines->offset_size;
    return true;
}

/* Whether the lines, whose text is in memory, can be sorted there. */
static bool fits_memory(const struct lines_job *job, uint64_t memory)
{
    const struct device_facts *facts = &job->job.device.facts;
    const uint64_t cost = lines_cost(job, job->lines.text.size, job->lines.count);
    return cost + job->job.device.host_size <= memory && cost <= facts->memory &&
           job->lines.text.size <= facts->max_alloc;
}

static bool sort_in_memory(struct lines_job *job, const struct lines_options *options,
                           bool is_argsort, struct output *output)
{
    struct sort_job *sort = &job->job;
    double start = seconds_now();
    if (!lines_split(&job->lines))
        return false;
    sort->seconds[STAGE_READING] += seconds_now() - start;
    if (job->lines.count && !lines_run(job))
        return false;
    start = seconds_now();
    progress_stage("checking", 0);
    if (options->is_verified && !lines_are_right(job, 0, output))
        return false;
    sort->seconds[STAGE_CHECKING] = seconds_now() - start;
    start = seconds_now();
    const bool ok = write_output(job, is_argsort, output);
    sort->seconds[STAGE_WRITING] = seconds_now() - start;
    return ok;
}

static bool sort_lines(struct lines_job *job, const struct lines_options *options, bool is_argsort,
                       struct output *output)
{
    struct sort_job *sort = &job->job;
    struct lines *lines = &job->lines;
    const uint64_t memory = options->pieces->memory;
    /* Beside the text lie where lines begin, their order and what the sort needs. */
    const uint64_t most = device_leaves(memory) - memory / 8;
    const bool is_tried = lines->source.size <= most && lines->source.size > 0;
    const double start = seconds_now();
    if (is_tried && !lines_begin(lines))
        return false;
    progress_stage("opening", 0);
    if (!device_open(&sort->device, options->device))
        return false;
    device_limit_host(&sort->device, memory);
    sort->seconds[STAGE_OPENING] = seconds_now() - start;
    job->strings = (clsort_strings){.tail_size = 1};
    sort->desc.strings = &job->strings;
    if (is_tried && !read_all(job, memory))
        return false;
    if (is_tried && fits_memory(job, memory))
        return sort_in_memory(job, options, is_argsort, output);
    if (is_argsort)
        job->position_size = sort->desc.index_size;
    lines_forget(lines);
    return lines_sort_by_pieces(job, options->pieces, output);
}

static bool takes_algorithm(clsort_algorithm algorithm)
{
    const bool is_taken = algorithm == CLSORT_AUTO || algorithm == CLSORT_RADIX;
    if (!is_taken)
        message("-a %s: lines are sorted by radix alone; give auto or radix",
                clsort_algorithm_name(algorithm));
    return is_taken;
}

int lines_sort(const clsort_desc *desc, const struct lines_options *options)
{
    struct lines_job job = {.job = {.desc = *desc}};
    const bool is_argsort = desc->index_size > 0;
    if (!takes_algorithm(desc->algorithm) || (is_argsort && !output_takes_bytes(options->output)))
        return EXIT_TROUBLE;
    if (!is_argsort)
        job.job.desc.index_size = sizeof(uint32_t); /* there are never more lines */
    if (!lines_open(&job.lines, options->input))
        return EXIT_TROUBLE;
    if (options->notes_zeros)
        lines_note_zeros_of(&job.lines.source);
    struct output output = {0};
    bool ok =
        output_open(&output, options->output) && sort_lines(&job, options, is_argsort, &output);
    if (options->notes_zeros && job.lines.source.size == 0) /* a pipe has been read by now */
        lines_note_zeros(job.lines.source.name, job.lines.text.data, job.lines.text.size);
    progress_end();
    if (ok && options->is_verified && !options->is_json)
        message("verified: %s", is_argsort ? "the indices are the stable order of the lines"
                                           : "sorted, and a permutation of the input");
    if (!is_argsort)
        job.job.desc.index_size = 0; /* the caller did not ask for them */
    if (ok && options->is_timed)
        ok = sort_print_stats(&job.job, options->is_verified, options->is_json);

    output_abandon(&output);
    device_close(&job.job.device);
    bytes_free(&job.job.indices);
    bytes_free(&job.scratch);
    bytes_free(&job.positions);
    lines_close(&job.lines);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}
