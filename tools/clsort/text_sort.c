/* text_sort.c: 'clsort sort --text': lines in the order of the numbers that they hold, each as it was
 * written. The numbers' positions are sorted, and the lines written in that order. */
#include "lines_job.h"

#include "command.h"
#include "input.h"
#include "key.h"
#include "host_memory.h"
#include "message.h"
#include "progress.h"
#include "text.h"
#include "text_sort.h"

#include <stdio.h>

/* The number of every line. */
static bool parse_lines(struct lines_job *job)
{
    const struct lines *lines = &job->lines;
    const clsort_type type = job->job.desc.type;
    const size_t size = clsort_type_size(type);
    struct bytes *keys = &job->job.keys;
    if (lines->count && !bytes_reserve(keys, lines->count * size))
        return false;
    for (uint64_t i = 0; i < lines->count; i++) {
        const uint64_t start = lines_start(lines, i);
        const char *line = (const char *)lines->text.data + start;
        const size_t length = (size_t)(lines_start(lines, i + 1) - start - 1);
        uint64_t bits;
        const enum text_status status = text_parse(type, line, length, &bits);
        if (status != TEXT_OK) {
            refuse_line(lines->source.name, i + 1, type, status, line, length);
            return false;
        }
        key_store(size, keys->data, i, bits);
    }
    keys->size = (size_t)lines->count * size;
    return true;
}

bool text_write_indices(const void *indices, size_t index_size, uint64_t count,
                        struct output *output)
{
    enum { BUFFER_SIZE = 1 << 16 };
    static char buffer[BUFFER_SIZE];
    const clsort_type type = index_size == 4 ? CLSORT_U32 : CLSORT_U64;
    size_t used = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (used + KEY_TEXT > BUFFER_SIZE) {
            if (!output_write(output, buffer, used))
                return false;
            used = 0;
        }
        used += text_print(type, key_load(index_size, indices, i), buffer + used);
        buffer[used++] = '\n';
    }
    return output_write(output, buffer, used);
}

static bool open_and_read(struct lines_job *job, const char *device)
{
    struct sort_job *sort = &job->job;
    double start = seconds_now();
    if (!lines_begin(&job->lines))
        return false;
    progress_stage("opening", 0);
    if (!device_open(&sort->device, device))
        return false;
    sort->seconds[STAGE_OPENING] = seconds_now() - start;

    start = seconds_now();
    if (!lines_read(&job->lines, host_memory_available() + job->lines.text.size) ||
        !parse_lines(job))
        return false;
    sort->seconds[STAGE_READING] = seconds_now() - start;
    return true;
}

static bool sort_numbers(struct lines_job *job, const struct lines_options *options,
                         struct output *output)
{
    struct sort_job *sort = &job->job;
    const bool is_argsort = sort->desc.index_size > 0;
    if (!open_and_read(job, options->device))
        return false;
    sort->desc.count = job->lines.count;
    if (!is_argsort)
        sort->desc.index_size = sort->desc.count <= UINT32_MAX ? 4 : 8;
    if (!sort_fits(sort, sort->keys.size) || !sort_run(sort))
        return false;
    double start = seconds_now();
    if (options->is_checked && !sort_is_right(sort))
        return false;
    sort->seconds[STAGE_CHECKING] = seconds_now() - start;

    start = seconds_now();
    progress_stage("writing", is_argsort ? 0 : job->lines.text.size);
    const bool ok = (is_argsort ? text_write_indices(sort->indices.data, sort->desc.index_size,
                                                     sort->desc.count, output)
                                : lines_write(job, output)) &&
                    output_finish(output);
    sort->seconds[STAGE_WRITING] = seconds_now() - start;
    return ok;
}

int text_sort(const clsort_desc *desc, const struct lines_options *options)
{
    struct lines_job job = {.job = {.desc = *desc}};
    const bool is_argsort = desc->index_size > 0;
    if (!lines_open(&job.lines, options->input))
        return EXIT_TROUBLE;
    struct output output = {0};
    const bool ok = output_open(&output, options->output) && sort_numbers(&job, options, &output);
    progress_end();
    if (ok && options->is_checked && !options->is_json)
        message("check passed: %s", is_argsort ? "the indices are the stable order of the keys"
                                               : "sorted, and a permutation of the input");
    if (ok && options->is_timed)
        sort_print_stats(&job.job, options->is_checked, options->is_json);

    output_abandon(&output);
    sort_release(&job.job);
    device_close(&job.job.device);
    bytes_free(&job.job.indices);
    bytes_free(&job.job.keys);
    lines_close(&job.lines);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}
