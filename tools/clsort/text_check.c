/* text_check.c: 'clsort sort -c' and -C: each line of a file with the one before it. */
#include "text_job.h"

#include "command.h"
#include "message.h"
#include "progress.h"

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
    const struct text_order *order = &job->order;
    return text_stream_read(stream, has_line_ret) &&
           (!*has_line_ret || stream->number <= order->num_headers || !text_is_picky(order) ||
            text_accept(order, stream->source.name, stream->number, stream->line, stream->size,
                        &job->coders[0]));
}

static int check(struct text_job *job, struct text_stream *stream, struct bytes *before,
                 bool is_quiet)
{
    const struct text_order *order = &job->order;
    for (;;) {
        bool has_line;
        if (!read_line(job, stream, &has_line))
            return EXIT_TROUBLE;
        if (!has_line)
            return EXIT_DONE;
        if (stream->number <= order->num_headers)
            continue;
        int compared = -1;
        if (stream->number > order->num_headers + 1 &&
            !text_compare(order, before->data, before->size, &job->coders[0], stream->line,
                          stream->size, &job->others[0], &compared))
            return EXIT_TROUBLE;
        if (compared > 0 || (compared == 0 && order->is_unique))
            return report(stream, is_quiet);
        if (!keep_line(before, stream))
            return EXIT_TROUBLE;
    }
}

int text_check_file(struct text_job *job, bool is_quiet)
{
    enum { BLOCK = 1 << 20 };
    struct text_stream stream;
    struct bytes before = {0};
    if (!text_stream_open(&stream, job->inputs[0].path, job->order.end, BLOCK))
        return EXIT_TROUBLE;
    progress_stage("checking", stream.source.size);
    const int result = check(job, &stream, &before, is_quiet);
    progress_end();
    text_stream_close(&stream);
    bytes_free(&before);
    text_coder_free(&job->coders[0]);
    text_coder_free(&job->others[0]);
    return result;
}
