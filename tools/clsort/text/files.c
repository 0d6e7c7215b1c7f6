/* files.c: 'clsort sort' with sort(1)'s options, from files to a file: sorting, in pieces
 * where there is more than fits into the memory; merging; and checking. */
#include "text/job.h"

#include "cli/command.h"
#include "cli/message.h"
#include "io/paths.h"
#include "cli/progress.h"
#include "numbers/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

void text_write_header(struct text_job *job)
{
    if (job->options.index_size)
        return;
    if (job->has_mark)
        output_write(&job->output, TEXT_MARK, sizeof(TEXT_MARK) - 1);
    output_write(&job->output, job->header.data, job->header.size);
}

/* All regular files together, so that the device is opened while they are read. */
static uint64_t known_size(const struct text_job *job)
{
    uint64_t size = 0;
    for (int i = 0; i < job->num_inputs; i++) {
        uint64_t own;
        if (source_find_size(job->inputs[i].path, &own))
            size += own;
    }
    return size;
}

static void sort_pieces(struct text_job *job)
{
    for (bool is_last = false; !is_last;) {
        is_last = text_read_piece(job);
        text_sort_piece(job);
        if (is_last && job->runs.size == 0) {
            if (job->options.index_size) {
                text_write_positions(job);
                return;
            }
            text_write_header(job);
            text_write_piece(job, false);
            return;
        }
        text_write_run(job);
        text_drop_piece(job);
    }
    text_merge_runs(job);
}

static void sort(struct text_job *job)
{
    enum { MANY = 24 << 20 }; /* bytes, of which the device sorts some */
    const struct text_order *order = &job->order;
    const uint64_t size = known_size(job);
    const bool is_all =
        !job->options.index_size && !order->is_unique && !order->is_table && !order->num_headers;
    job->expected_size = size;
    progress_stage("sorting", size);
    if (size > MANY && job->options.memory > 4 * (uint64_t)MANY && !text_is_alone(job))
        text_begin_device(job);
    /* What needs the temporary file for sure asks for its room before anything is read, and for
     * that of an output that has all bytes of the input. */
    if (size > job->options.memory) {
        text_open_spill(job);
        output_reserve(&job->output, is_all ? size : 0);
    }
    sort_pieces(job);
    output_finish(&job->output);
    if (job->is_opening) /* there were too few lines for it */
        text_end_opening(job);
    job->sort.desc.count = job->num_lines + job->lines.count;
}

/* What came of the work. */
static void tell(struct text_job *job)
{
    const clsort_strings lines = {.num_bytes = 0};
    const bool is_typed = text_is_typed(&job->order);
    const struct text_flags *flags = is_typed ? &job->order.keys[0].flags : &job->order.flags;
    struct sort_job *sort = &job->sort;
    if (sort->plan.num_steps == 0) /* it was opened for more lines than a piece has */
        device_close(&sort->device);
    sort->num_pieces = job->runs.size / sizeof(struct text_run);
    sort->num_spilled = job->spill.size;
    sort->desc.strings = is_typed ? NULL : &lines; /* they are called lines */
    sort->elements.type = job->order.type;
    sort->desc.order = flags->is_reversed ? CLSORT_DESCENDING : CLSORT_ASCENDING;
    sort->desc.index_size = job->options.index_size;
    sort_tell(sort, &job->options,
              job->order.is_unique       ? "sorted, and every line is of the input"
              : !job->options.index_size ? "sorted, and a permutation of the input"
              : is_typed                 ? "the indices are the stable order of the keys"
                                         : "the indices are the stable order of the lines");
}

static void close_job(struct text_job *job)
{
    output_abandon(&job->output);
    text_stream_close(&job->stream);
    text_free_piece(job);
    bytes_free(&job->header);
    bytes_free(&job->runs);
    spill_close(&job->spill);
    device_close(&job->sort.device);
}

struct text_job *text_make_job(int num_files, const char *const *files)
{
    const int num = num_files > 0 ? num_files : 1;
    struct text_job *job = zeroed(1, sizeof(*job) + (size_t)num * sizeof(*job->inputs));
    job->order = (struct text_order){.separator = -1, .end = '\n'};
    job->num_inputs = num;
    for (int i = 0; i < num_files; i++)
        job->inputs[i].path = files[i];
    return job;
}

struct text_job *text_make_typed_job(const char *path, clsort_type type)
{
    struct text_job *job = text_make_job(1, &path);
    job->order.num_keys = 1;
    job->order.type = type;
    job->order.is_stable = true;
    job->order.keys[0].end_field = SIZE_MAX;
    job->order.keys[0].flags.kind = TEXT_TYPED;
    return job;
}

void text_sort_numbers(const char *path, const clsort_desc *desc,
                       const struct sort_settings *options)
{
    struct text_job *job = text_make_typed_job(path, desc->type);
    job->order.keys[0].flags.is_reversed = desc->order == CLSORT_DESCENDING;
    job->options = *options;
    job->options.index_size = desc->index_size;
    job->algorithm = desc->algorithm;
    text_run(job);
    free(job);
}

/* ---- One number a line, read in pieces and parsed by all threads ----------------------------- */

struct text_job *text_numbers_open(const struct source *source, const char *path, clsort_type type)
{
    enum { MEMORY = 16 << 20, BLOCK = 2 << 20 }; /* bytes: little, and enough for several threads */
    struct text_job *job = text_make_typed_job(path, type);
    job->options.memory = MEMORY;
    job->block = BLOCK;
    job->stream = (struct text_stream){.source = *source};
    job->num_opened = 1;
    return job;
}

size_t text_numbers_read(struct text_job *job, void *keys, size_t capacity)
{
    if (job->num_taken == job->lines.count && capacity > 0) {
        text_drop_piece(job);
        job->num_taken = 0;
        text_read_piece(job);
    }
    const size_t num = (size_t)smaller(job->lines.count - job->num_taken, capacity);
    text_parse_lines(job, job->num_taken, num, keys);
    job->num_taken += num;
    return num;
}

void text_numbers_close(struct text_job *job)
{
    if (!job)
        return;
    text_stream_close(&job->stream);
    text_free_piece(job);
    free(job);
}

/* ---- Files ----------------------------------------------------------------------------------- */

void text_take_header(struct text_job *job, struct text_stream *stream, bool is_kept)
{
    const bool has_mark = job->order.is_table && text_stream_skip_mark(stream);
    job->has_mark |= has_mark && is_kept;
    for (uint64_t i = 0; i < job->order.num_headers && text_stream_read(stream); i++) {
        if (is_kept) {
            bytes_append(&job->header, stream->line, stream->size);
            bytes_append(&job->header, &job->order.end, 1);
        }
        if (i == 0)
            text_learn_columns(&job->order, stream->source.name, stream->line, stream->size);
    }
}

/* Where standard input is named again it is empty, as when files are read one after another. */
static const char *path_to_merge(const struct text_job *job, uint64_t i)
{
    for (uint64_t k = 0; k < i; k++) {
        if (path_is_standard(job->inputs[i].path) && path_is_standard(job->inputs[k].path))
            return "/dev/null";
    }
    return job->inputs[i].path;
}

static void open_stream(struct text_job *job, struct text_stream *stream, uint64_t i, size_t block)
{
    text_stream_open(stream, path_to_merge(job, i), &job->order, block);
    stream->source.is_uncounted = true; /* what is written counts */
    output_refuse_input(&job->output, stream->source.name, stream->source.fd);
    if (job->notes_zeros)
        text_note_zeros_of(&stream->source);
    text_take_header(job, stream, i == 0);
}

/* Descriptors below the limit that are free, at most `most`: some may be inherited. */
static uint64_t count_free(rlim_t limit, uint64_t most)
{
    uint64_t num = 0;
    for (rlim_t fd = 0; fd < limit && num < most; fd++)
        num += fcntl((int)fd, F_GETFD) < 0 && errno == EBADF;
    return num;
}

/* How many files may be open at once, of `num` that are wanted; raises the limit if need be. */
static uint64_t allow_open_files(uint64_t num)
{
    enum { OWN = 2 }; /* the temporary file, once more past the cache */
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return num;
    uint64_t num_free = count_free(limit.rlim_cur, num + OWN);
    const rlim_t before = limit.rlim_cur, missing = num + OWN - num_free;
    if (missing > 0 && limit.rlim_max > before) {
        limit.rlim_cur = limit.rlim_max - before < missing ? limit.rlim_max : before + missing;
        if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
            num_free = count_free(limit.rlim_cur, num + OWN);
    }
    return num_free > OWN ? num_free - OWN : 0;
}

/* As many files as can be open, and what comes of them, in rounds if there are more. */
static void merge(struct text_job *job)
{
    enum { FEWEST = 2 };
    const uint64_t num = (uint64_t)job->num_inputs;
    uint64_t most = allow_open_files(num);
    most = job->batch_size ? smaller(job->batch_size, most) : most;
    most = most < FEWEST ? FEWEST : most;
    const double start = seconds_now();
    progress_stage("merging", known_size(job));
    for (uint64_t i = 0; i < num; i += most)
        text_merge(job, open_stream, i, smaller(num - i, most), num > most);
    if (num > most)
        text_merge_runs(job);
    output_finish(&job->output);
    job->sort.seconds[STAGE_WRITING] = seconds_now() - start;
}

void text_run(struct text_job *job)
{
    if (job->options.index_size && !text_is_typed(&job->order))
        output_refuse_terminal(job->options.output);
    output_open(&job->output, job->options.output);
    (job->options.mode == 'm' ? merge : sort)(job);
    progress_end();
    tell(job);
    close_job(job);
}
