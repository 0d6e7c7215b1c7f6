/* stream.c: the lines of a file or a run, one after another. */
#include "text/job.h"

#include "numbers/input.h"

#include <string.h>

bool text_stream_open(struct text_stream *stream, const char *path, const struct text_order *order,
                      size_t block_size)
{
    *stream = (struct text_stream){.end = order->end,
                                   .elements = order->elements,
                                   .block_size = block_size};
    return order->elements ? input_open_source(&stream->source, path, order->elements)
                           : source_open(&stream->source, path);
}

static bool read_block(struct text_stream *stream, char *to, size_t *size_ret)
{
    if (!stream->spill) {
        const bool ok = source_read(&stream->source, to, stream->block_size, size_ret);
        stream->has_ended = ok && stream->source.is_at_end;
        return ok;
    }
    *size_ret = stream->left < stream->block_size ? (size_t)stream->left : stream->block_size;
    if (!spill_read_few(stream->spill, to, *size_ret, stream->at))
        return false;
    stream->at += *size_ret;
    stream->left -= *size_ret;
    stream->has_ended = stream->left == 0;
    return true;
}

/* Moves what has not been read as lines to the block's begin, and reads more behind it. */
static bool refill(struct text_stream *stream)
{
    struct bytes *block = &stream->block;
    const size_t kept = block->size - stream->next;
    if (kept && stream->next)
        memmove(block->data, (char *)block->data + stream->next, kept);
    stream->next = 0;
    block->size = kept;
    const uint64_t needed = kept + stream->block_size;
    size_t size;
    if ((needed > block->capacity && !bytes_reserve(block, kept ? 2 * needed : needed)) ||
        !read_block(stream, (char *)block->data + kept, &size))
        return false;
    block->size += size;
    return true;
}

bool text_stream_skip_mark(struct text_stream *stream, bool *has_mark_ret)
{
    const size_t size = sizeof(TEXT_MARK) - 1;
    if (!refill(stream))
        return false;
    *has_mark_ret = stream->block.size >= size && memcmp(stream->block.data, TEXT_MARK, size) == 0;
    stream->next = *has_mark_ret ? size : 0;
    return true;
}

static bool read_element(struct text_stream *stream, bool *has_element_ret)
{
    const struct bytes *block = &stream->block;
    const size_t size = stream->elements->size;
    while (block->size - stream->next < size && !stream->has_ended) {
        if (!refill(stream))
            return false;
    }
    stream->line = (const char *)block->data + stream->next;
    stream->size = block->size - stream->next < size ? block->size - stream->next : size;
    stream->next += stream->size;
    stream->number += stream->size > 0;
    *has_element_ret = stream->size == size;
    return stream->size == 0 || *has_element_ret ||
           input_refuse_part(stream->elements, stream->source.name, stream->source.num_read);
}

bool text_stream_read(struct text_stream *stream, bool *has_line_ret)
{
    if (stream->elements)
        return read_element(stream, has_line_ret);
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
        if (!refill(stream))
            return false;
    }
    *has_line_ret = end || stream->next < block->size;
    if (!*has_line_ret)
        return true;
    if (!end && stream->spill)
        return spill_refuse_damage(stream->spill);
    stream->line = (const char *)block->data + stream->next + stream->head_size;
    stream->size = end ? (size_t)(end - stream->line) : block->size - stream->next;
    stream->next += stream->head_size + stream->size + (end ? 1 : 0);
    stream->number++;
    return true;
}

bool text_stream_take(struct text_stream *stream, void *to, size_t size, size_t *size_ret)
{
    struct bytes *block = &stream->block;
    const size_t left = block->size - stream->next;
    if (left == 0)
        return source_read(&stream->source, to, size, size_ret);
    *size_ret = left < size ? left : size;
    memcpy(to, (char *)block->data + stream->next, *size_ret);
    stream->next += *size_ret;
    return true;
}

void text_stream_close(struct text_stream *stream)
{
    if (stream->source.name)
        source_close(&stream->source);
    bytes_free(&stream->block);
    *stream = (struct text_stream){0};
}
