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

bool text_write_header(struct text_job *job)
{
    const struct bytes *header = &job->header;
    return job->options.index_size ||
           ((!job->has_mark || output_write(&job->output, TEXT_MARK, sizeof(TEXT_MARK) - 1)) &&
            output_write(&job->output, header->data, header->size));
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

static bool sort_pieces(struct text_job *job)
{
    for (bool is_last = false; !is_last;) {
        if (!text_read_piece(job, &is_last) || !text_sort_piece(job))
            return false;
        if (is_last && job->runs.size == 0)
            return job->options.index_size ? text_write_positions(job)
                                           : text_write_header(job) && text_write_piece(job, false);
        if (!text_write_run(job))
            return false;
        text_drop_piece(job);
    }
    return text_merge_runs(job);
}

static bool sort(struct text_job *job)
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
    bool ok = size <= job->options.memory ||
              (text_open_spill(job) && output_reserve(&job->output, is_all ? size : 0));
    ok = ok && sort_pieces(job) && output_finish(&job->output);
    if (job->is_opening) /* too few lines, or a failure */
        text_open_device(job);
    job->sort.desc.count = job->num_lines + job->lines.count;
    return ok;
}

/* What came of the work. */
static bool tell(struct text_job *job)
{
    const clsort_strings lines = {.num_bytes = 0};
    struct sort_job *sort = &job->sort;
    if (sort->plan.num_steps == 0) /* it was opened for more lines than a piece has */
        device_close(&sort->device);
    sort->num_pieces = job->runs.size / sizeof(struct text_run);
    sort->num_spilled = job->spill.size;
    sort->desc.strings = text_is_typed(&job->order) ? NULL : &lines; /* they are called lines */
    sort->elements.type = job->order.type;
    const struct text_flags *flags =
        text_is_typed(&job->order) ? &job->order.keys[0].flags : &job->order.flags;
    sort->desc.order = flags->is_reversed ? CLSORT_DESCENDING : CLSORT_ASCENDING;
    sort->desc.index_size = job->options.index_size;
    return sort_tell(sort, &job->options,
                     job->order.is_unique       ? "sorted, and every line is of the input"
                     : !job->options.index_size ? "sorted, and a permutation of the input"
                     : text_is_typed(&job->order)
                         ? "the indices are the stable order of the keys"
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
    if (!job)
        return NULL;
    job->order = (struct text_order){.separator = -1, .end = '\n'};
    job->num_inputs = num;
    for (int i = 0; i < num_files; i++)
        job->inputs[i].path = files[i];
    return job;
}

struct text_job *text_make_typed_job(const char *path, clsort_type type)
{
    struct text_job *job = text_make_job(1, &path);
    if (!job)
        return NULL;
    job->order.num_keys = 1;
    job->order.type = type;
    job->order.is_stable = true;
    job->order.keys[0].end_field = SIZE_MAX;
    job->order.keys[0].flags.kind = TEXT_TYPED;
    return job;
}

int text_sort_numbers(const char *path, const clsort_desc *desc,
                      const struct sort_settings *options)
{
    struct text_job *job = text_make_typed_job(path, desc->type);
    if (!job)
        return EXIT_TROUBLE;
    job->order.keys[0].flags.is_reversed = desc->order == CLSORT_DESCENDING;
    job->options = *options;
    job->options.index_size = desc->index_size;
    job->algorithm = desc->algorithm;
    const int status = text_run(job);
    free(job);
    return status;
}

/* ---- One number a line, read in pieces and parsed by all threads ----------------------------- */

struct text_job *text_numbers_open(const struct source *source, const char *path, clsort_type type)
{
    enum { MEMORY = 16 << 20, BLOCK = 2 << 20 }; /* bytes: little, and enough for several threads */
    struct text_job *job = text_make_typed_job(path, type);
    if (!job)
        return NULL;
    job->options.memory = MEMORY;
    job->block = BLOCK;
    job->stream = (struct text_stream){.source = *source};
    job->num_opened = 1;
    return job;
}

bool text_numbers_read(struct text_job *job, void *keys, size_t capacity, size_t *num_keys_ret)
{
    bool is_last;
    if (job->num_taken == job->lines.count && capacity > 0) {
        text_drop_piece(job);
        job->num_taken = 0;
        if (!text_read_piece(job, &is_last))
            return false;
    }
    *num_keys_ret = (size_t)smaller(job->lines.count - job->num_taken, capacity);
    const bool ok = text_parse_lines(job, job->num_taken, *num_keys_ret, keys);
    job->num_taken += *num_keys_ret;
    return ok;
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

bool text_take_header(struct text_job *job, struct text_stream *stream, bool is_kept)
{
    bool has_line = true, has_mark = false;
    if (job->order.is_table && !text_stream_skip_mark(stream, &has_mark))
        return false;
    job->has_mark |= has_mark && is_kept;
    for (uint64_t i = 0; i < job->order.num_headers && has_line; i++) {
        if (!text_stream_read(stream, &has_line))
            return false;
        if (has_line && is_kept &&
            !(bytes_append(&job->header, stream->line, stream->size) &&
              bytes_append(&job->header, &job->order.end, 1)))
            return false;
        if (has_line && i == 0 &&
            !text_learn_columns(&job->order, stream->source.name, stream->line, stream->size))
            return false;
    }
    return true;
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

static bool open_stream(struct text_job *job, struct text_stream *stream, uint64_t i, size_t block)
{
    const bool is_open = text_stream_open(stream, path_to_merge(job, i), &job->order, block);
    stream->source.is_uncounted = true; /* what is written counts */
    if (!is_open || !output_refuse_input(&job->output, stream->source.name, stream->source.fd))
        return false;
    if (job->notes_zeros)
        text_note_zeros_of(&stream->source);
    return text_take_header(job, stream, i == 0);
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
static bool merge(struct text_job *job)
{
    enum { FEWEST = 2 };
    const uint64_t num = (uint64_t)job->num_inputs;
    uint64_t most = allow_open_files(num);
    most = job->batch_size && job->batch_size < most ? job->batch_size : most;
    most = most < FEWEST ? FEWEST : most;
    const double start = seconds_now();
    bool ok = true;
    progress_stage("merging", known_size(job));
    for (uint64_t i = 0; ok && i < num; i += most)
        ok = text_merge(job, open_stream, i, num - i < most ? num - i : most, num > most);
    ok = ok && (num <= most || text_merge_runs(job)) && output_finish(&job->output);
    job->sort.seconds[STAGE_WRITING] = seconds_now() - start;
    return ok;
}

int text_run(struct text_job *job)
{
    if (job->options.index_size && !text_is_typed(&job->order) &&
        !output_takes_bytes(job->options.output))
        return EXIT_TROUBLE;
    bool ok = output_open(&job->output, job->options.output) &&
              (job->options.mode == 'm' ? merge(job) : sort(job));
    progress_end();
    ok = ok && tell(job);
    close_job(job);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}
