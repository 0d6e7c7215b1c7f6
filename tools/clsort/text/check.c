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

static int check(struct text_job *job, struct text_stream *stream, struct bytes *before,
                 bool is_quiet)
{
    for (;;) {
        bool has_line;
        int compared;
        if (!text_stream_read(stream, &has_line))
            return EXIT_TROUBLE;
        if (!has_line)
            return EXIT_DONE;
        const bool has_last = stream->number > job->order.num_headers + 1;
        if (!text_admit(&job->order, stream, &job->others[0]) ||
            !text_compare_next(job, stream->line, stream->size, has_last, before->data,
                               before->size, &compared))
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
