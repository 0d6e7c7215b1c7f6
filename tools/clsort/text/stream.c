/* stream.c: the lines of a file or a run, one after another. */
#include "text/job.h"

#include "numbers/input.h"

#include <string.h>

void text_stream_open(struct text_stream *stream, const char *path, const struct text_order *order,
                      size_t block_size)
{
    *stream = (struct text_stream){.end = order->end,
                                   .elements = order->elements,
                                   .block_size = block_size};
    if (order->elements)
        input_open_source(&stream->source, path, order->elements);
    else
        source_open(&stream->source, path);
}

static size_t read_block(struct text_stream *stream, char *to)
{
    if (!stream->spill) {
        const size_t size = source_read(&stream->source, to, stream->block_size);
        stream->has_ended = stream->source.is_at_end;
        return size;
    }
    const size_t size = (size_t)smaller(stream->left, stream->block_size);
    spill_read_few(stream->spill, to, size, stream->at);
    stream->at += size;
    stream->left -= size;
    stream->has_ended = stream->left == 0;
    return size;
}

/* Moves what has not been read as lines to the block's begin, and reads more behind it. */
static void refill(struct text_stream *stream)
{
    struct bytes *block = &stream->block;
    const size_t kept = block->size - stream->next;
    if (kept && stream->next)
        memmove(block->data, (char *)block->data + stream->next, kept);
    stream->next = 0;
    const uint64_t needed = kept + stream->block_size;
    if (needed > block->capacity)
        bytes_need(block, kept ? 2 * needed : needed);
    block->size = kept + read_block(stream, (char *)block->data + kept);
}

bool text_stream_skip_mark(struct text_stream *stream)
{
    const size_t size = sizeof(TEXT_MARK) - 1;
    refill(stream);
    const bool has_mark =
        stream->block.size >= size && memcmp(stream->block.data, TEXT_MARK, size) == 0;
    stream->next = has_mark ? size : 0;
    return has_mark;
}

static bool read_element(struct text_stream *stream)
{
    const struct bytes *block = &stream->block;
    const size_t size = stream->elements->size;
    while (block->size - stream->next < size && !stream->has_ended)
        refill(stream);
    stream->line = (const char *)block->data + stream->next;
    stream->size = (size_t)smaller(block->size - stream->next, size);
    stream->next += stream->size;
    stream->number += stream->size > 0;
    if (stream->size > 0 && stream->size < size)
        input_refuse_part(stream->elements, stream->source.name, stream->source.num_read);
    return stream->size > 0;
}

bool text_stream_read(struct text_stream *stream)
{
    if (stream->elements)
        return read_element(stream);
    const struct bytes *block = &stream->block;
    const char *end = NULL;
    for (size_t searched = stream->head_size;;) {
        const size_t from = stream->next + searched;
        const char *data = block->data;
        end = from < block->size ? memchr(data + from, stream->end, block->size - from) : NULL;
        if (end || stream->has_ended)
            break;
        searched = block->size - stream->next;
        searched = searched > stream->head_size ? searched : stream->head_size;
        refill(stream);
    }
    if (!end && stream->next == block->size)
        return false;
    if (!end && stream->spill)
        spill_refuse_damage(stream->spill);
    stream->line = (const char *)block->data + stream->next + stream->head_size;
    stream->size = end ? (size_t)(end - stream->line) : block->size - stream->next;
    stream->next += stream->head_size + stream->size + (end ? 1 : 0);
    stream->number++;
    return true;
}

size_t text_stream_take(struct text_stream *stream, void *to, size_t size)
{
    struct bytes *block = &stream->block;
    const size_t left = block->size - stream->next;
    if (left == 0)
        return source_read(&stream->source, to, size);
    const size_t taken = left < size ? left : size;
    memcpy(to, (char *)block->data + stream->next, taken);
    stream->next += taken;
    return taken;
}

void text_stream_close(struct text_stream *stream)
{
    if (stream->source.name)
        source_close(&stream->source);
    bytes_free(&stream->block);
    *stream = (struct text_stream){0};
}
