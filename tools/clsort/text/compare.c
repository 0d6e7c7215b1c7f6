/* compare.c: lines compared one by one: for merging, for --verify, for 'clsort sort -c' and -C, and
 * for 'clsort check' of lines; and what is refused of them. */
#include "text/job.h"

#include "cli/command.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A line for a message: what cannot be printed is a question mark. */
enum { SHOWN = 64 };
static const char *show(const char *line, size_t size, char shown[SHOWN])
{
    enum { MOST = SHOWN - 4 };
    size_t end = 0;
    for (; end < MOST && end < size; end++)
        shown[end] = line[end] < ' ' || line[end] > '~' ? '?' : line[end];
    strcpy(shown + end, end < size ? "..." : "");
    return shown;
}

int text_compare_lines(const struct text_order *order, const char *a, size_t a_size, const char *b,
                       size_t b_size)
{
    const int compared = text_compare_bytes(a, a_size, b, b_size);
    return order->flags.is_reversed ? -compared : compared;
}

/* How the line of the call before, if there was one: `last`, compares with this one by keys, and
 * where the order asks for it by its bytes. */
static int compare_next(struct text_job *job, const char *line, size_t size, bool has_last,
                        const char *last, size_t last_size)
{
    struct text_coder *const before = &job->coders[0], *const now = &job->others[0];
    const struct text_order *order = &job->order;
    const bool is_whole = text_is_whole(order);
    if (!is_whole)
        text_encode(order, line, size, now);
    int compared = !has_last ? -1 : is_whole ? 0 : text_compare_codes(&before->code, &now->code);
    if (compared == 0 && (is_whole || !order->is_stable))
        compared = text_compare_lines(order, last, last_size, line, size);
    const struct text_coder swapped = *before;
    *before = *now;
    *now = swapped;
    return compared;
}

/* A line of text that text_parse() has refused. */
static _Noreturn void refuse_line(const char *name, uint64_t number, clsort_type type,
                                  enum text_status status, const char *line, size_t size)
{
    char shown[SHOWN];
    show(line, size, shown);
    const char *type_name = clsort_type_name(type);
    if (size == 0)
        die("%s:%" PRIu64
            ": the line is empty, and each holds one number; 'clsort sort -n' takes any",
            name, number);
    if (status == TEXT_OUT_OF_RANGE)
        die("%s:%" PRIu64 ": '%s' is out of the range of %s", name, number, shown, type_name);
    die("%s:%" PRIu64 ": '%s' is not one %s number; is -y right?", name, number, shown, type_name);
}

void text_refuse_line(struct text_job *job, uint64_t i)
{
    size_t size;
    uint64_t first;
    const char *text = text_line(job, i, &size);
    const char *file = text_file_of(job, job->num_lines + i, &first);
    text_accept(&job->order, file, job->num_lines + i - first + job->order.num_headers + 1, text,
                size, &job->coders[0]);
}

/* Whether a line has the field of each key; if not it is refused where there is a name. */
static bool has_fields(const struct text_order *order, const char *name, uint64_t number,
                       const char *line, size_t size)
{
    const char *what = order->is_table ? "column" : "field";
    const size_t num = text_count_fields(order, line, size);
    const size_t missing = text_find_short_key(order, num);
    if (missing && name)
        die("%s:%" PRIu64 ": the line has %zu %s%s, and a key is %s %zu", name, number, num, what,
            num == 1 ? "" : "s", what, missing);
    return !missing;
}

bool text_accept(const struct text_order *order, const char *name, uint64_t number,
                 const char *line, size_t size, struct text_coder *coder)
{
    static const char *const kinds[] = {"", "number", "number", "size", "month", "", "number"};
    uint64_t bits;
    if (text_is_typed(order)) {
        const enum text_status status = text_parse(order->type, line, size, &bits);
        if (status != TEXT_OK && name)
            refuse_line(name, number, order->type, status, line, size);
        return status == TEXT_OK;
    }
    if (order->is_csv && text_has_open_quote(order, line, size)) {
        if (name)
            die("%s:%" PRIu64 ": a quote is not closed; a column of CSV cannot go on in the next "
                "line",
                name, number);
        return false;
    }
    if (!order->is_strict)
        return true;
    if (order->is_table && !has_fields(order, name, number, line, size))
        return false;
    const int wrong = text_find_wrong_key(order, line, size, coder);
    if (wrong && name)
        die("%s:%" PRIu64 ": key %d is not a %s", name, number, wrong,
            kinds[order->keys[wrong - 1].flags.kind]);
    return !wrong && has_fields(order, name, number, line, size);
}

void text_admit(struct text_order *order, const struct text_stream *stream,
                struct text_coder *coder)
{
    const char *name = stream->source.name;
    if (stream->number == 1)
        text_learn_columns(order, name, stream->line, stream->size);
    if (text_is_picky(order))
        text_accept(order, name, stream->number, stream->line, stream->size, coder);
}

/* Each line of the order has to come behind the one before, so that none is there twice; of lines
 * with equal keys one alone where -u asks for that. */
void text_check_piece(struct text_job *job)
{
    const uint32_t *lines = job->sort.indices.data;
    const uint64_t num = job->sort.indices.size / sizeof(*lines);
    const char *last = NULL;
    size_t last_size = 0;
    uint64_t i = 0;
    for (; i < num && lines[i] < job->lines.count; i++) {
        size_t size;
        const char *line = text_line(job, lines[i], &size);
        const int order = compare_next(job, line, size, i > 0, last, last_size);
        if (order > 0 || (order == 0 && (job->order.is_unique || lines[i] <= lines[i - 1])))
            break;
        last = line;
        last_size = size;
    }
    if (i < num || (num < job->lines.count && !job->order.is_unique))
        output_refute(&job->output, "line %" PRIu64 " of the order is wrong", i + 1);
}

/* ---- Each line of a file with the one before it ---------------------------------------------- */

/* before: the line before, which is told as well; NULL: it is not. */
static int report(const struct text_stream *stream, const struct bytes *before)
{
    char shown[SHOWN], shown_before[SHOWN];
    show(stream->line, stream->size, shown);
    if (before)
        message("%s:%" PRIu64 ": disorder: '%s' after '%s'", stream->source.name, stream->number,
                shown, show(before->data, before->size, shown_before));
    else
        message("%s:%" PRIu64 ": disorder: %s", stream->source.name, stream->number, shown);
    return EXIT_DISORDER;
}

static int check_lines(struct text_job *job, struct text_stream *stream, struct bytes *before,
                       bool is_quiet)
{
    while (text_stream_read(stream)) {
        const bool has_last = stream->number > job->order.num_headers + 1;
        text_admit(&job->order, stream, &job->others[0]);
        const int compared =
            compare_next(job, stream->line, stream->size, has_last, before->data, before->size);
        if (compared > 0 || (compared == 0 && job->order.is_unique))
            return is_quiet ? EXIT_DISORDER : report(stream, job->tells_two ? before : NULL);
        before->size = 0;
        bytes_append(before, stream->line, stream->size);
    }
    return EXIT_DONE;
}

int text_check_file(struct text_job *job, bool is_quiet)
{
    enum { BLOCK = 1 << 20 };
    struct text_stream stream;
    struct bytes before = {0};
    text_stream_open(&stream, job->inputs[0].path, &job->order, BLOCK);
    if (job->notes_zeros)
        text_note_zeros_of(&stream.source);
    progress_stage("checking", stream.source.size);
    text_take_header(job, &stream, false);
    const int result = check_lines(job, &stream, &before, is_quiet);
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
    struct text_job *job = text_make_job(1, &path);
    job->order.flags.is_reversed = order == CLSORT_DESCENDING;
    job->notes_zeros = notes_zeros;
    job->tells_two = true;
    const int result = text_check_file(job, false);
    *line_ret = job->num_lines;
    free(job);
    return result;
}
