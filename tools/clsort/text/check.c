/* check.c: 'clsort sort -c' and -C, and 'clsort check' of lines: each line of a file with the one
 * before it. */
#include "text/job.h"

#include "cli/command.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <inttypes.h>
#include <stdlib.h>

/* before: the line before, which is told as well; NULL: it is not. */
static int report(const struct text_stream *stream, const struct bytes *before)
{
    char shown[TEXT_SHOWN], shown_before[TEXT_SHOWN];
    text_show(stream->line, stream->size, shown);
    if (before)
        message("%s:%" PRIu64 ": disorder: '%s' after '%s'", stream->source.name, stream->number,
                shown, text_show(before->data, before->size, shown_before));
    else
        message("%s:%" PRIu64 ": disorder: %s", stream->source.name, stream->number, shown);
    return EXIT_DISORDER;
}

static bool read_line(struct text_job *job, struct text_stream *stream, bool *has_line_ret)
{
    struct text_order *order = &job->order;
    return text_stream_read(stream, has_line_ret) &&
           (!*has_line_ret || stream->number > 1 ||
            text_learn_columns(order, stream->source.name, stream->line, stream->size)) &&
           (!*has_line_ret || !text_is_picky(order) ||
            text_accept(order, stream->source.name, stream->number, stream->line, stream->size,
                        &job->others[0]));
}

/* How a line compares with the one before, whose code is kept for the next. */
static bool compare_with_last(struct text_job *job, const struct text_stream *stream,
                              const struct bytes *before, int *compared_ret)
{
    struct text_coder *const last = &job->coders[0], *const now = &job->others[0];
    const bool is_whole = text_is_whole(&job->order);
    if (!is_whole && !text_encode(&job->order, stream->line, stream->size, now))
        return false;
    *compared_ret = -1;
    if (stream->number > job->order.num_headers + 1)
        *compared_ret = is_whole ? 0 : text_compare_codes(&last->code, &now->code);
    if (*compared_ret == 0 && (is_whole || !job->order.is_stable))
        *compared_ret =
            text_compare_lines(&job->order, before->data, before->size, stream->line, stream->size);
    const struct text_coder swapped = *last;
    *last = *now;
    *now = swapped;
    return true;
}

static int check(struct text_job *job, struct text_stream *stream, struct bytes *before,
                 bool is_quiet)
{
    for (;;) {
        bool has_line;
        if (!read_line(job, stream, &has_line))
            return EXIT_TROUBLE;
        if (!has_line)
            return EXIT_DONE;
        int compared;
        if (!compare_with_last(job, stream, before, &compared))
            return EXIT_TROUBLE;
        if (compared > 0 || (compared == 0 && job->order.is_unique))
            return is_quiet ? EXIT_DISORDER : report(stream, job->tells_two ? before : NULL);
        before->size = 0;
        if (!bytes_append(before, stream->line, stream->size))
            return EXIT_TROUBLE;
    }
}

int text_check_file(struct text_job *job, bool is_quiet)
{
    enum { BLOCK = 1 << 20 };
    struct text_stream stream;
    struct bytes before = {0};
    if (!text_stream_open(&stream, job->inputs[0].path, &job->order, BLOCK))
        return EXIT_TROUBLE;
    if (job->notes_zeros)
        text_note_zeros_of(&stream.source);
    progress_stage("checking", stream.source.size);
    const int result = text_take_header(job, &stream, false)
                           ? check(job, &stream, &before, is_quiet)
                           : EXIT_TROUBLE;
    progress_end();
    job->num_lines = stream.number;
    text_stream_close(&stream);
    bytes_free(&before);
    text_coder_free(&job->coders[0]);
    text_coder_free(&job->others[0]);
    return result;
}

int text_check_lines(const char *path, clsort_order order, bool notes_zeros, uint64_t *line_ret)
{
    struct text_job *job = text_make_job(1);
    if (!job)
        return EXIT_TROUBLE;
    job->inputs[0].path = path;
    job->order.flags.is_reversed = order == CLSORT_DESCENDING;
    job->notes_zeros = notes_zeros;
    job->tells_two = true;
    const int result = text_check_file(job, false);
    *line_ret = job->num_lines;
    free(job);
    return result;
}
