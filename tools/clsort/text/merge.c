/* merge.c: sorted streams merged through a heap of their next lines, each with its code. */
#include "text/job.h"

#include "cli/message.h"

#include <stdlib.h>
#include <string.h>

struct head {
    struct text_stream *stream;
    struct text_coder coder; /* of the stream's line */
    uint64_t prefix;
    uint64_t number; /* of the stream */
};

struct merge {
    struct text_job *job;
    const struct lines_sink *sink;
    struct head *heads;
    struct head **heap; /* of those that have a line */
    uint64_t num;
    struct bytes buffer; /* lines on their way to the output */
    struct bytes last;   /* the code of the line written last, where -u needs it */
    bool has_last;
};

static bool comes_before(const struct merge *merge, const struct head *a, const struct head *b)
{
    if (a->prefix != b->prefix)
        return a->prefix < b->prefix;
    const struct text_order *order = &merge->job->order;
    int compared = text_compare_codes(&a->coder.code, &b->coder.code);
    if (compared == 0 && !order->is_stable) {
        compared =
            lines_compare(a->stream->line, a->stream->size, b->stream->line, b->stream->size);
        compared = order->flags.is_reversed ? -compared : compared;
    }
    return compared ? compared < 0 : a->number < b->number;
}

static void sift_down(const struct merge *merge, uint64_t at)
{
    struct head *const head = merge->heap[at];
    for (uint64_t child; (child = 2 * at + 1) < merge->num; at = child) {
        if (child + 1 < merge->num &&
            comes_before(merge, merge->heap[child + 1], merge->heap[child]))
            child++;
        if (!comes_before(merge, merge->heap[child], head))
            break;
        merge->heap[at] = merge->heap[child];
    }
    merge->heap[at] = head;
}

static bool read_head(const struct merge *merge, struct head *head, bool *has_line_ret)
{
    const struct text_stream *stream = head->stream;
    struct text_order *const order = &merge->job->order;
    if (!text_stream_read(head->stream, has_line_ret))
        return false;
    if (!*has_line_ret)
        return true;
    if (!stream->spill && stream->number == 1 &&
        !text_learn_columns(order, stream->source.name, stream->line, stream->size))
        return false;
    if (!stream->spill && text_is_picky(order) &&
        !text_accept(order, stream->source.name, stream->number, stream->line, stream->size,
                     &head->coder))
        return false;
    if (!text_encode(order, stream->line, stream->size, &head->coder))
        return false;
    head->prefix = text_prefix(&head->coder.code, 0);
    return true;
}

static bool flush(struct merge *merge)
{
    const size_t size = merge->buffer.size;
    merge->buffer.size = 0;
    return size == 0 || merge->sink->write(merge->sink->context, merge->buffer.data, size);
}

static bool write_line(struct merge *merge, const struct text_stream *stream)
{
    enum { BUFFER = 1 << 18 };
    struct bytes *buffer = &merge->buffer;
    if (buffer->size + stream->size + 1 > buffer->capacity && buffer->size && !flush(merge))
        return false;
    if (!bytes_reserve(buffer, stream->size + 1 < BUFFER ? BUFFER : stream->size + 1))
        return false;
    char *to = (char *)buffer->data + buffer->size;
    memcpy(to, stream->line, stream->size);
    to[stream->size] = merge->job->order.end;
    buffer->size += stream->size + 1;
    return true;
}

/* Whether -u drops a line: its keys are those of the line before. */
static bool is_dropped(struct merge *merge, struct head *head, bool *is_dropped_ret)
{
    struct bytes *last = &merge->last, *code = &head->coder.code;
    *is_dropped_ret = merge->has_last && text_compare_codes(last, code) == 0;
    if (*is_dropped_ret)
        return true;
    if (!bytes_reserve(last, code->size + 1))
        return false;
    memcpy(last->data, code->data, code->size);
    last->size = code->size;
    merge->has_last = true;
    return true;
}

static bool fill_heap(struct merge *merge, struct text_stream *streams, uint64_t num)
{
    for (uint64_t i = 0; i < num; i++) {
        bool has_line;
        struct head *head = &merge->heads[i];
        *head = (struct head){.stream = &streams[i], .number = i};
        if (!read_head(merge, head, &has_line))
            return false;
        if (has_line)
            merge->heap[merge->num++] = head;
    }
    for (uint64_t i = merge->num / 2; i-- > 0;)
        sift_down(merge, i);
    return true;
}

static bool merge_heads(struct merge *merge)
{
    while (merge->num > 0) {
        struct head *head = merge->heap[0];
        bool has_line, is_left_out = false;
        if (merge->job->order.is_unique && !is_dropped(merge, head, &is_left_out))
            return false;
        if (!is_left_out && !write_line(merge, head->stream))
            return false;
        if (!read_head(merge, head, &has_line))
            return false;
        if (!has_line)
            merge->heap[0] = merge->heap[--merge->num];
        if (merge->num > 0)
            sift_down(merge, 0);
        merge->job->lines.job.desc.count++;
    }
    return flush(merge);
}

bool text_merge(struct text_job *job, struct text_stream *streams, uint64_t num,
                const struct lines_sink *sink)
{
    struct merge merge = {.job = job,
                          .sink = sink,
                          .heads = calloc(num + 1, sizeof(struct head)),
                          .heap = calloc(num + 1, sizeof(struct head *))};
    bool ok = merge.heads && merge.heap;
    if (!ok)
        message("out of memory");
    job->lines.job.desc.count = 0;
    ok = ok && fill_heap(&merge, streams, num) && merge_heads(&merge);
    for (uint64_t i = 0; merge.heads && i < num; i++)
        text_coder_free(&merge.heads[i].coder);
    free(merge.heads);
    free(merge.heap);
    bytes_free(&merge.buffer);
    bytes_free(&merge.last);
    return ok;
}
