/* text_files.c: 'clsort sort' with sort(1)'s options, from files to a file: sorting, in pieces where
 * there is more than fits into the memory; merging; and checking. */
#include "text_job.h"

#include "command.h"
#include "message.h"
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static bool write_header(struct text_job *job)
{
    return job->header.size == 0 || output_write(&job->output, job->header.data, job->header.size);
}

/* Writes the lines of the piece in their order; -u has left fewer. */
static bool write_piece(struct text_job *job, const struct lines_sink *sink)
{
    struct lines *lines = &job->lines.lines;
    const uint64_t count = lines->count;
    const double start = seconds_now();
    job->lines.job.desc.index_size = sizeof(uint32_t);
    lines->count = job->lines.job.indices.size / sizeof(uint32_t);
    const bool ok = count == 0 || (sink ? lines_write_to(&job->lines, sink)
                                        : lines_write(&job->lines, &job->output));
    lines->count = count;
    job->lines.job.seconds[STAGE_WRITING] += seconds_now() - start;
    return ok;
}

static bool append_to_spill(void *context, const void *data, size_t size)
{
    struct text_job *job = context;
    struct text_run *run = (struct text_run *)((char *)job->runs.data + job->runs.size) - 1;
    const bool ok = spill_write_few(&job->spill, data, size, run->at + run->size);
    run->size += size;
    return ok;
}

/* Writes the piece to the temporary file. */
static bool write_run(struct text_job *job)
{
    struct bytes *runs = &job->runs;
    if (runs->size == 0 && !spill_open(&job->spill, job->options.pieces->dir, 0))
        return false;
    if (!bytes_reserve(runs, runs->size + sizeof(struct text_run)))
        return false;
    runs->size += sizeof(struct text_run);
    struct text_run *run = (struct text_run *)((char *)runs->data + runs->size) - 1;
    *run = (struct text_run){.at = job->spill.size};
    if (!write_piece(job, &(struct lines_sink){append_to_spill, job}))
        return false;
    spill_take(&job->spill, run->size);
    return true;
}

/* Bytes of a stream's block, so that all of them take a part of the memory. */
static size_t stream_block(const struct text_job *job, uint64_t num)
{
    enum { MOST = 1 << 20, LEAST = 4096 };
    const uint64_t share = job->options.pieces->memory / 2 / (num + 1);
    return share > MOST ? MOST : share < LEAST ? LEAST : (size_t)share;
}

static void free_piece(struct text_job *job)
{
    bytes_free(&job->lines.lines.text);
    bytes_free(&job->lines.lines.starts);
    bytes_free(&job->lines.job.keys);
    bytes_free(&job->lines.job.indices);
    for (int i = 0; i < TEXT_MAX_THREADS; i++) {
        text_coder_free(&job->coders[i]);
        text_coder_free(&job->others[i]);
        bytes_free(&job->groups[i]);
        bytes_free(&job->tails[i]);
    }
}

static bool merge_runs(struct text_job *job)
{
    const uint64_t num = job->runs.size / sizeof(struct text_run);
    const struct text_run *runs = job->runs.data;
    struct text_stream *streams = calloc(num, sizeof(*streams));
    const double start = seconds_now();
    free_piece(job);
    progress_stage("merging", job->spill.size);
    if (!streams)
        message("out of memory");
    for (uint64_t i = 0; streams && i < num; i++)
        text_stream_open_run(&streams[i], &job->spill, runs[i].at, runs[i].size, job->order.end,
                             stream_block(job, num));
    const bool ok = streams && text_merge(job, streams, num);
    for (uint64_t i = 0; streams && i < num; i++)
        text_stream_close(&streams[i]);
    free(streams);
    job->lines.job.seconds[STAGE_WRITING] += seconds_now() - start;
    return ok;
}

/* All regular files together, so that the device is opened while they are read. */
static uint64_t known_size(const struct text_job *job)
{
    uint64_t size = 0;
    for (int i = 0; i < job->num_inputs; i++) {
        struct source source;
        const char *path = job->inputs[i].path;
        if (!source_is_regular(path) || !source_open(&source, path))
            continue;
        size += source.size;
        source_close(&source);
    }
    return size;
}

static bool sort_pieces(struct text_job *job)
{
    for (bool is_last = false; !is_last;) {
        if (!text_read_piece(job, &is_last) || !text_sort_piece(job))
            return false;
        if (job->num_lines == 0 && !write_header(job))
            return false;
        if (is_last && job->runs.size == 0)
            return write_piece(job, NULL);
        if (!write_run(job))
            return false;
        text_drop_piece(job);
    }
    return merge_runs(job);
}

static bool sort(struct text_job *job)
{
    enum { MANY = 24 << 20 }; /* bytes, of which the device sorts some */
    const uint64_t size = known_size(job);
    progress_stage("sorting", size);
    if (size > MANY && job->options.pieces->memory > 4 * (uint64_t)MANY)
        text_begin_device(job);
    const bool ok = sort_pieces(job) && output_finish(&job->output);
    if (job->is_opening) /* too few lines, or a failure */
        text_open_device(job);
    job->lines.job.desc.count = job->num_lines + job->lines.lines.count;
    return ok;
}

static void print_stats(struct text_job *job)
{
    const clsort_strings lines = {.num_bytes = 0};
    struct sort_job *sort = &job->lines.job;
    sort->desc.strings = &lines; /* they are called lines */
    sort->desc.order = job->order.flags.is_reversed ? CLSORT_DESCENDING : CLSORT_ASCENDING;
    sort_print_stats(sort, job->options.is_checked, job->options.is_json);
}

static void close_job(struct text_job *job)
{
    output_abandon(&job->output);
    if (job->source.name)
        source_close(&job->source);
    free_piece(job);
    bytes_free(&job->header);
    bytes_free(&job->runs);
    spill_close(&job->spill);
    device_close(&job->lines.job.device);
}

/* Opens the output, does the work, and says what came of it. */
static int run(struct text_job *job, bool (*work)(struct text_job *job))
{
    const bool ok = output_open(&job->output, job->options.output) && work(job);
    progress_end();
    if (ok && job->options.is_checked && !job->options.is_json)
        message("check passed: %s", job->order.is_unique
                                        ? "sorted, and every line is of the input"
                                        : "sorted, and a permutation of the input");
    if (ok && job->options.is_timed)
        print_stats(job);
    close_job(job);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}

int text_sort_files(struct text_job *job)
{
    return run(job, sort);
}

/* Takes the first lines of a file, which are written if it is the first file. */
static bool skip_header(struct text_job *job, struct text_stream *stream, bool is_written)
{
    bool has_line = true;
    for (uint64_t i = 0; i < job->order.num_headers && has_line; i++) {
        if (!text_stream_read(stream, &has_line))
            return false;
        if (has_line && is_written &&
            (!output_write(&job->output, stream->line, stream->size) ||
             !output_write(&job->output, &job->order.end, 1)))
            return false;
    }
    return true;
}

/* As many files as are merged, and some more, can be open. */
static void allow_files(uint64_t num)
{
    enum { SOME_MORE = 64 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= num + SOME_MORE)
        return;
    limit.rlim_cur = limit.rlim_max < num + SOME_MORE ? limit.rlim_max : num + SOME_MORE;
    setrlimit(RLIMIT_NOFILE, &limit); /* what cannot be opened says so */
}

static bool merge(struct text_job *job)
{
    const uint64_t num = (uint64_t)job->num_inputs;
    struct text_stream *streams = calloc(num, sizeof(*streams));
    const double start = seconds_now();
    uint64_t num_open = 0;
    bool ok = streams != NULL;
    if (!ok)
        message("out of memory");
    allow_files(num);
    progress_stage("merging", known_size(job));
    for (; ok && num_open < num; num_open += ok)
        ok = text_stream_open(&streams[num_open], job->inputs[num_open].path, job->order.end,
                              stream_block(job, num)) &&
             skip_header(job, &streams[num_open], num_open == 0);
    ok = ok && text_merge(job, streams, num) && output_finish(&job->output);
    for (uint64_t i = 0; streams && i < num; i++)
        text_stream_close(&streams[i]);
    free(streams);
    job->lines.job.seconds[STAGE_WRITING] = seconds_now() - start;
    return ok;
}

int text_merge_files(struct text_job *job)
{
    return run(job, merge);
}
