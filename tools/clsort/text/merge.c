/* merge.c: sorted streams merged through a heap of their next lines, each with its code. Lines that
 * are ordered by their bytes alone have prefixes instead. */
#include "text/job.h"

#include "cli/message.h"
#include "numbers/verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A stream, and what its line is compared by. */
struct head {
    uint64_t prefix;
    struct text_coder coder;
    struct text_stream stream;
};

struct merge {
    struct text_job *job;
    bool is_run;        /* and no output */
    bool is_whole;      /* lines have no codes */
    bool is_checked;    /* --verify */
    struct head *heads; /* in the order of equal lines */
    struct head **heap; /* of those that have a line */
    uint64_t num;
    struct bytes buffer;  /* lines on their way to the output */
    struct bytes last;    /* the code of the line written last, where it is needed */
    struct bytes line;    /* and its bytes */
    uint64_t position;    /* and its number, where runs have these */
    uint64_t last_prefix; /* where lines have no codes */
    bool has_last;
    uint64_t num_written;
    uint64_t hash; /* of what is written */
};

static bool comes_before(const struct merge *merge, const struct head *a, const struct head *b)
{
    if (a->prefix != b->prefix)
        return a->prefix < b->prefix;
    const struct text_order *order = &merge->job->order;
    int compared = merge->is_whole ? 0 : text_compare_codes(&a->coder.code, &b->coder.code);
    if (compared == 0 && !order->is_stable)
        compared = text_compare_lines(order, a->stream.line, a->stream.size, b->stream.line,
                                      b->stream.size);
    return compared ? compared < 0 : a < b;
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

/* Elements of files are to be in order. */
static void look_at_element(const struct text_order *order, struct head *head)
{
    const struct text_stream *stream = &head->stream;
    const uint64_t before = head->prefix, rank = element_rank(order->elements, stream->line, 0);
    head->prefix = order->flags.is_reversed ? ~rank : rank;
    if (!stream->spill && stream->number > 1 && head->prefix < before)
        die("%s: disorder at key %" PRIu64 " (counted from 0); 'clsort merge' takes files in order",
            stream->source.name, stream->number - 1);
}

/* False: there is no line. */
static bool read_head(const struct merge *merge, struct head *head)
{
    struct text_stream *const stream = &head->stream;
    struct text_order *const order = &merge->job->order;
    if (!text_stream_read(stream))
        return false;
    merge->job->num_lines += !stream->spill;
    if (order->elements) {
        look_at_element(order, head);
        return true;
    }
    if (!stream->spill)
        text_admit(order, stream, &head->coder);
    if (merge->is_whole) {
        const struct bytes line = {.data = (void *)(uintptr_t)stream->line, .size = stream->size};
        head->prefix = text_prefix(&line, 0);
        head->prefix = order->flags.is_reversed ? ~head->prefix : head->prefix;
        return true;
    }
    if (!text_encode(order, stream->line, stream->size, &head->coder))
        spill_refuse_damage(stream->spill);
    head->prefix = text_prefix(&head->coder.code, 0);
    return true;
}

static void flush(struct merge *merge)
{
    if (merge->buffer.size)
        text_put(merge->job, merge->is_run, merge->buffer.data, merge->buffer.size);
    merge->buffer.size = 0;
}

/* The number of a line among all, which lies in front of it. */
static uint64_t position_of(const struct text_stream *stream)
{
    uint64_t position = 0;
    if (stream->head_size)
        memcpy(&position, stream->line - stream->head_size, TEXT_HEAD);
    return position;
}

static void write_line(struct merge *merge, const struct text_stream *stream)
{
    enum { BUFFER = 1 << 18 };
    const struct text_job *job = merge->job;
    struct bytes *buffer = &merge->buffer;
    const bool has_line = merge->is_run || !job->options.index_size;
    const size_t line_size = stream->head_size + stream->size;
    const uint64_t size = has_line ? line_size + !stream->elements : (uint64_t)TEXT_POSITION;
    if (buffer->size + size > buffer->capacity)
        flush(merge);
    bytes_need(buffer, size < BUFFER ? BUFFER : size);
    char *to = (char *)buffer->data + buffer->size;
    merge->num_written++;
    if (!has_line) {
        buffer->size += text_put_position(job, position_of(stream), to);
        return;
    }
    memcpy(to, stream->line - stream->head_size, line_size);
    if (line_size < size)
        to[line_size] = job->order.end;
    buffer->size += size;
}

/* Whether a line comes behind the one written last; compared: how their codes compare. */
static bool is_behind(const struct merge *merge, const struct text_stream *stream, int compared)
{
    const struct text_order *order = &merge->job->order;
    if (compared == 0 && !order->is_stable)
        compared = text_compare_lines(order, merge->line.data, merge->line.size, stream->line,
                                      stream->size);
    return compared < 0 ||
           (compared == 0 && (!stream->head_size || merge->position < position_of(stream)));
}

/* Looks at the line that is to be written next. True: -u drops it, since its keys are those of the
 * line before. With --verify, it has to belong there. */
static bool look(struct merge *merge, const struct head *head)
{
    const struct text_job *job = merge->job;
    const struct text_stream *stream = &head->stream;
    int compared = -1;
    if (merge->has_last)
        compared = !merge->is_whole ? text_compare_codes(&merge->last, &head->coder.code)
                   : merge->last_prefix < head->prefix ? -1
                                                       : 0;
    if (merge->is_checked) {
        const uint64_t position = position_of(stream);
        merge->hash += multiset_hash(stream->line, stream->size, &position, stream->head_size, 1);
    }
    if (job->order.is_unique && compared == 0)
        return true;
    if (merge->is_checked && merge->has_last && !is_behind(merge, stream, compared))
        output_refute(&job->output, "line %" PRIu64 " of the output is wrong",
                      merge->num_written + 1);
    merge->has_last = true;
    merge->last.size = merge->line.size = 0;
    merge->position = position_of(stream);
    merge->last_prefix = head->prefix;
    if (!merge->is_whole)
        bytes_append(&merge->last, head->coder.code.data, head->coder.code.size);
    if (merge->is_checked)
        bytes_append(&merge->line, stream->line, stream->size);
    return false;
}

static void fill_heap(struct merge *merge, uint64_t num)
{
    for (uint64_t i = 0; i < num; i++) {
        if (read_head(merge, &merge->heads[i]))
            merge->heap[merge->num++] = &merge->heads[i];
    }
    for (uint64_t i = merge->num / 2; i-- > 0;)
        sift_down(merge, i);
}

static void merge_heads(struct merge *merge)
{
    const bool is_looked_at = merge->job->order.is_unique || merge->is_checked;
    while (merge->num > 0) {
        struct head *head = merge->heap[0];
        if (!is_looked_at || !look(merge, head))
            write_line(merge, &head->stream);
        if (!read_head(merge, head))
            merge->heap[0] = merge->heap[--merge->num];
        if (merge->num > 0)
            sift_down(merge, 0);
        merge->job->sort.desc.count++;
    }
    flush(merge);
}

void text_merge(struct text_job *job, text_open_stream *open, uint64_t first, uint64_t num,
                bool is_run)
{
    enum { MOST = 1 << 20, LEAST = 4096 }; /* bytes of a stream's block */
    const uint64_t share = smaller(job->options.memory / 2 / (num + 1), MOST);
    struct merge merge = {.job = job,
                          .is_run = is_run,
                          .is_whole = job->order.elements ||
                                      (text_is_whole(&job->order) && !job->order.is_stable),
                          .is_checked = job->options.is_verified && !is_run,
                          .heads = zeroed(num + 1, sizeof(struct head)),
                          .heap = zeroed(num + 1, sizeof(struct head *))};
    for (uint64_t i = 0; i < num; i++)
        open(job, &merge.heads[i].stream, first + i, share < LEAST ? LEAST : (size_t)share);
    job->sort.desc.count = 0;
    (is_run ? text_begin_run : text_write_header)(job);
    fill_heap(&merge, num);
    merge_heads(&merge);
    if (merge.is_checked && !job->order.is_unique && merge.hash != job->hash)
        output_refute(&job->output, NO_PERMUTATION);
    if (is_run)
        text_end_run(job);
    for (uint64_t i = 0; i < num; i++) {
        text_coder_free(&merge.heads[i].coder);
        text_stream_close(&merge.heads[i].stream);
    }
    job->sort.num_written = merge.num_written;
    free(merge.heads);
    free(merge.heap);
    bytes_free(&merge.buffer);
    bytes_free(&merge.last);
    bytes_free(&merge.line);
}
