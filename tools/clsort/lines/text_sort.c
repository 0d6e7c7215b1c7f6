/* text_sort.c: 'clsort sort --text': lines in the order of the numbers that they hold, each as
 * it was written. The numbers' positions are sorted, and the lines written in that order. */
#include "lines/pieces.h"

#include "cli/command.h"
#include "numbers/input.h"
#include "numbers/key.h"
#include "cli/message.h"
#include "memory/parallel.h"
#include "cli/progress.h"
#include "numbers/text.h"
#include "lines/text_sort.h"

#include <stdatomic.h>
#include <stdio.h>

/* What the threads that parse share. */
struct parsing {
    struct lines_job *job;
    atomic_uint_fast64_t first_wrong; /* line */
};

enum { SLICE_LINES = 1 << 14 };

static enum text_status parse_line(const struct lines_job *job, uint64_t i, uint64_t *bits_ret)
{
    const uint64_t start = lines_start(&job->lines, i);
    const char *line = (const char *)job->lines.text.data + start;
    const size_t length = (size_t)(lines_start(&job->lines, i + 1) - start - 1);
    return text_parse(job->job.desc.type, line, length, bits_ret);
}

static bool parse_slice(void *context, uint64_t slice)
{
    struct parsing *parsing = context;
    struct lines_job *job = parsing->job;
    const size_t size = clsort_type_size(job->job.desc.type);
    const uint64_t left = job->lines.count - slice * SLICE_LINES;
    const uint64_t end = slice * SLICE_LINES + (left < SLICE_LINES ? left : SLICE_LINES);
    for (uint64_t i = slice * SLICE_LINES; i < end; i++) {
        uint64_t bits;
        if (parse_line(job, i, &bits) != TEXT_OK) {
            uint64_t first = atomic_load(&parsing->first_wrong);
            while (i < first && !atomic_compare_exchange_weak(&parsing->first_wrong, &first, i))
                ;
            return false;
        }
        key_store(size, job->job.keys.data, i, bits);
    }
    return true;
}

bool lines_parse(struct lines_job *job, uint64_t first)
{
    const struct lines *lines = &job->lines;
    const uint64_t size = lines->count * clsort_type_size(job->job.desc.type);
    struct parsing parsing = {.job = job, .first_wrong = lines->count};
    if (size && !bytes_reserve(&job->job.keys, size))
        return false;
    job->job.keys.size = (size_t)size;
    if (parallel_for((lines->count + SLICE_LINES - 1) / SLICE_LINES, parse_slice, &parsing))
        return true;
    /* Slices are begun in order, so the first wrong line has been met. */
    const uint64_t i = parsing.first_wrong, start = lines_start(lines, i);
    uint64_t bits;
    refuse_line(lines->source.name, first + i + 1, job->job.desc.type, parse_line(job, i, &bits),
                (const char *)lines->text.data + start,
                (size_t)(lines_start(lines, i + 1) - start - 1));
    return false;
}

/* Bytes of the numbers from 0 to below count, a line each. */
static uint64_t size_of_positions(uint64_t count)
{
    uint64_t size = 2 * count;
    for (uint64_t power = 10; power < count; power *= 10) {
        size += count - power;
        if (power > UINT64_MAX / 10)
            break;
    }
    return size;
}

bool text_write_indices(const void *indices, size_t index_size, uint64_t count,
                        struct output *output)
{
    enum { BUFFER_SIZE = 1 << 16 };
    static char buffer[BUFFER_SIZE];
    const clsort_type type = index_size == 4 ? CLSORT_U32 : CLSORT_U64;
    size_t used = 0;
    progress_stage("writing", size_of_positions(count));
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

/* None is opened where there is none that was asked for. */
static bool open_device(struct sort_job *job, const struct lines_options *options)
{
    const double start = seconds_now();
    progress_stage("opening", 0);
    if (job->device.sorter ||
        device_is_absent(&job->desc, options->device, options->pieces->memory))
        return true;
    const bool ok = device_open(&job->device, options->device);
    job->seconds[STAGE_OPENING] += seconds_now() - start;
    if (ok)
        device_limit_host(&job->device, options->pieces->memory);
    return ok;
}

/* Reads all lines, while the device is opened if there are many. */
static bool open_and_read(struct lines_job *job, const struct lines_options *options)
{
    enum { MANY = 16 << 20 }; /* bytes */
    const uint64_t memory = options->pieces->memory;
    struct sort_job *sort = &job->job;
    if (!lines_begin(&job->lines) || (job->lines.source.size > MANY && !open_device(sort, options)))
        return false;
    const double start = seconds_now();
    if (!lines_read(&job->lines, memory + job->lines.text.size))
        return false;
    sort->seconds[STAGE_READING] = seconds_now() - start;
    sort->desc.count = job->lines.count;
    if (sort->desc.index_size == 0)
        sort->desc.index_size = sort->desc.count <= UINT32_MAX ? 4 : 8;
    return true;
}

static bool is_for_host(const struct lines_job *job, const struct lines_options *options)
{
    return !job->job.device.sorter && device_is_needless(&job->job.desc, options->device);
}

/* Whether the text, which is in memory, leaves room for where its lines begin, their numbers and
 * their order. */
static bool leaves_room(const struct lines_job *job, uint64_t memory)
{
    const struct lines *lines = &job->lines;
    const clsort_desc *desc = &job->job.desc;
    const uint64_t line = lines->offset_size + clsort_type_size(desc->type) + desc->index_size;
    return lines->text.size < memory && lines->count < (memory - lines->text.size) / line;
}

static bool split_and_parse(struct lines_job *job)
{
    const double start = seconds_now();
    if (!lines_split(&job->lines) || !lines_parse(job, 0))
        return false;
    job->job.seconds[STAGE_READING] += seconds_now() - start;
    return true;
}

/* Reads the lines and their numbers, and tells whether they can be sorted in memory. Opens the
 * device if one is needed. */
static bool read_numbers(struct lines_job *job, const struct lines_options *options, bool *fits_ret)
{
    struct sort_job *sort = &job->job;
    const uint64_t memory = options->pieces->memory;
    if (!open_and_read(job, options))
        return false;
    *fits_ret = is_for_host(job, options) || leaves_room(job, memory);
    if (!*fits_ret)
        return true;
    if (!split_and_parse(job))
        return false;
    if (is_for_host(job, options))
        return true;
    if (!open_device(sort, options) || !sort_plan(sort))
        return false;
    const uint64_t text = job->lines.text.size + job->lines.starts.size;
    *fits_ret = text < memory && sort_fits_memory(sort, memory - text, false);
    return true;
}

static bool sort_in_memory(struct lines_job *job, const struct lines_options *options,
                           bool is_argsort, struct output *output)
{
    struct sort_job *sort = &job->job;
    if (!sort_run(sort))
        return false;
    double start = seconds_now();
    if (options->is_verified && !sort_is_right(sort, output))
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

/* The positions of numbers that do not fit: the lines are not needed. */
static bool sort_positions(struct lines_job *job, const struct lines_options *options,
                           struct output *output)
{
    struct input input;
    if (!open_device(&job->job, options) ||
        !input_open(&input, options->input, true, &job->job.elements))
        return false;
    const bool ok = pieces_sort_file(&job->job, options->pieces, &input, output);
    input_close(&input);
    return ok;
}

static bool sort_numbers(struct lines_job *job, const struct lines_options *options,
                         struct output *output)
{
    const bool is_argsort = job->job.desc.index_size > 0;
    const uint64_t size = job->lines.source.size, memory = options->pieces->memory;
    bool fits = size <= device_leaves(memory) - memory / 8 && (size > 0 || is_argsort);
    if (fits && !read_numbers(job, options, &fits))
        return false;
    if (fits)
        return sort_in_memory(job, options, is_argsort, output);
    lines_forget(&job->lines);
    bytes_free(&job->job.keys);
    return is_argsort ? sort_positions(job, options, output)
                      : lines_sort_by_pieces(job, options->pieces, output);
}

int text_sort(const clsort_desc *desc, const struct lines_options *options)
{
    struct lines_job job = {.job = {.desc = *desc, .elements = elements_of_type(desc->type)}};
    const bool is_argsort = desc->index_size > 0;
    if (!lines_open(&job.lines, options->input))
        return EXIT_TROUBLE;
    struct output output = {0};
    bool ok = output_open(&output, options->output) && sort_numbers(&job, options, &output);
    progress_end();
    if (ok && options->is_verified && !options->is_json)
        message("verified: %s", is_argsort ? "the indices are the stable order of the keys"
                                           : "sorted, and a permutation of the input");
    if (ok && options->is_timed)
        ok = sort_print_stats(&job.job, options->is_verified, options->is_json);

    output_abandon(&output);
    sort_release(&job.job);
    device_close(&job.job.device);
    bytes_free(&job.job.indices);
    bytes_free(&job.job.keys);
    lines_close(&job.lines);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}
