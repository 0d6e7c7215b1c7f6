/* check.c: 'clsort sort -c' and -C: each line of a file with the one before it. */
#include "text/job.h"

#include "cli/command.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <inttypes.h>
#include <string.h>

static bool keep_line(struct bytes *before, const struct text_stream *stream)
{
    if (!bytes_reserve(before, stream->size + 1))
        return false;
    memcpy(before->data, stream->line, stream->size);
    before->size = stream->size;
    return true;
}

static int report(const struct text_stream *stream, bool is_quiet)
{
    char shown[LINES_SHOWN + 4];
    if (!is_quiet)
        message("%s:%" PRIu64 ": disorder: %s", stream->source.name, stream->number,
                lines_show(stream->line, stream->size, shown));
    return EXIT_DISORDER;
}

static bool read_line(struct text_job *job, struct text_stream *stream, bool *has_line_ret)
{
    struct text_order *order = &job->order;
    return text_stream_read(stream, has_line_ret) &&
           (!*has_line_ret || stream->number > 1 ||
            text_learn_columns(order, stream->source.name, stream->line, stream->size)) &&
           (!*has_line_ret || stream->number <= order->num_headers || !text_is_picky(order) ||
            text_accept(order, stream->source.name, stream->number, stream->line, stream->size,
                        &job->others[0]));
}

/* How a line compares with the one before, whose code and bytes are kept for the next. */
static bool compare_with_last(struct text_job *job, const struct text_stream *stream,
                              struct bytes *before, int *compared_ret)
{
    struct text_coder *const last = &job->coders[0], *const now = &job->others[0];
    if (!text_encode(&job->order, stream->line, stream->size, now))
        return false;
    *compared_ret = -1;
    if (stream->number > job->order.num_headers + 1)
        *compared_ret = text_compare_codes(&last->code, &now->code);
    if (*compared_ret == 0 && !job->order.is_stable) {
        const int order = lines_compare(before->data, before->size, stream->line, stream->size);
        *compared_ret = job->order.flags.is_reversed ? -order : order;
    }
    const struct text_coder swapped = *last;
    *last = *now;
    *now = swapped;
    return job->order.is_stable || keep_line(before, stream);
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
        if (stream->number <= job->order.num_headers)
            continue;
        int compared;
        if (!compare_with_last(job, stream, before, &compared))
            return EXIT_TROUBLE;
        if (compared > 0 || (compared == 0 && job->order.is_unique))
            return report(stream, is_quiet);
    }
}

int text_check_file(struct text_job *job, bool is_quiet)
{
    enum { BLOCK = 1 << 20 };
    struct text_stream stream;
    struct bytes before = {0};
    if (!text_stream_open(&stream, job->inputs[0].path, job->order.end, BLOCK))
        return EXIT_TROUBLE;
    if (job->options.notes_zeros)
        lines_note_zeros_of(&stream.source);
    progress_stage("checking", stream.source.size);
    bool has_mark;
    const bool is_begun =
        !job->order.is_table || text_stream_skip_mark(&stream, &job->order, &has_mark);
    const int result = is_begun ? check(job, &stream, &before, is_quiet) : EXIT_TROUBLE;
    progress_end();
    text_stream_close(&stream);
    bytes_free(&before);
    text_coder_free(&job->coders[0]);
    text_coder_free(&job->others[0]);
    return result;
}
