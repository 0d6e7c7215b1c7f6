#include "input.h"

#include "calls.h"
#include "key.h"
#include "message.h"
#include "parallel.h"
#include "progress.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* Keys that are asked for at once: 2 MiB of u64, enough to make a call's cost nothing. */
enum { CHUNK_KEYS = 1 << 18 };

/* Bytes of a regular file that a thread reads at once. */
enum { SLICE = 4 << 20 };

static bool refuse_part_of_key(const struct input *input, uint64_t size)
{
    message("%s: %llu bytes are not a whole number of %s keys (%u bytes each); is -y right?",
            input->reader.source.name, (unsigned long long)size, clsort_type_name(input->type),
            clsort_type_size(input->type));
    return false;
}

bool input_open(struct input *input, const char *path, bool text, clsort_type type)
{
    const bool standard = path == NULL || strcmp(path, "-") == 0;
    *input = (struct input){.text = text, .type = type};
    if (standard && isatty(STDIN_FILENO) && !text) {
        message("standard input is a terminal; give a FILE, or --text to type numbers");
        return false;
    }
    if (!source_open(&input->reader.source, path))
        return false;
    const uint64_t size = input->reader.source.size;
    if (text || size % clsort_type_size(type) == 0)
        return true;
    refuse_part_of_key(input, size);
    input_close(input);
    return false;
}

static bool read_binary(struct input *input, void *keys, size_t capacity, size_t *num_keys_ret)
{
    const size_t key_size = clsort_type_size(input->type);
    size_t size;
    if (!source_read(&input->reader.source, keys, capacity * key_size, &size))
        return false;
    if (size % key_size != 0)
        return refuse_part_of_key(input, input->reader.source.num_read);
    *num_keys_ret = size / key_size;
    return true;
}

void refuse_line(const char *name, uint64_t number, clsort_type type, enum text_status status,
                 const char *line, size_t size)
{
    enum { SHOWN = 60 };
    char shown[SHOWN + 1];
    size_t end = 0;
    for (; end < SHOWN && end < size; end++)
        shown[end] = line[end] < ' ' || line[end] > '~' ? '?' : line[end];
    shown[end] = '\0';
    const char *more = end < size ? "..." : "";
    const char *type_name = clsort_type_name(type);
    if (end == 0)
        message("%s:%" PRIu64 ": the line is empty; every line holds one number", name, number);
    else if (status == TEXT_OUT_OF_RANGE)
        message("%s:%" PRIu64 ": '%s%s' is out of the range of %s", name, number, shown, more,
                type_name);
    else
        message("%s:%" PRIu64 ": '%s%s' is not one %s number", name, number, shown, more,
                type_name);
}

static bool read_text(struct input *input, void *keys, size_t capacity, size_t *num_keys_ret)
{
    struct line_reader *reader = &input->reader;
    const size_t key_size = clsort_type_size(input->type);
    size_t num_keys = 0;
    while (num_keys < capacity) {
        bool has_line;
        if (!line_read(reader, &has_line))
            return false;
        if (!has_line)
            break;
        uint64_t bits;
        const enum text_status status =
            text_parse(input->type, reader->line, reader->line_size, &bits);
        if (status != TEXT_OK) {
            refuse_line(reader->source.name, reader->line_number, input->type, status, reader->line,
                        reader->line_size);
            return false;
        }
        key_store(key_size, keys, num_keys++, bits);
    }
    *num_keys_ret = num_keys;
    return true;
}

bool input_read(struct input *input, void *keys, size_t capacity, size_t *num_keys_ret)
{
    *num_keys_ret = 0;
    return input->text ? read_text(input, keys, capacity, num_keys_ret)
                       : read_binary(input, keys, capacity, num_keys_ret);
}

bool input_read_at(struct input *input, void *bytes, uint64_t offset, size_t size)
{
    const struct source *source = &input->reader.source;
    const ssize_t num_read = call_read_at(source->fd, bytes, size, source->start + offset);
    const int error = errno;
    if (num_read == (ssize_t)size)
        return true;
    if (!atomic_exchange(&input->has_failed, true))
        message("cannot read %s: %s", source->name,
                num_read < 0 ? strerror(error) : "it has become shorter");
    return false;
}

/* What the threads that read a regular file share. */
struct reading {
    struct input *input;
    char *to;
    uint64_t size;
};

static bool read_slice(void *context, uint64_t item)
{
    const struct reading *reading = context;
    const uint64_t at = item * SLICE, left = reading->size - at;
    const size_t size = left < SLICE ? (size_t)left : SLICE;
    progress_add(size);
    return input_read_at(reading->input, reading->to + at,
                         reading->input->reader.source.num_read + at, size);
}

static bool read_regular(struct input *input, uint64_t limit, struct bytes *keys,
                         bool *has_ended_ret)
{
    struct source *source = &input->reader.source;
    const uint64_t left = source->size - source->num_read;
    const uint64_t size = limit - keys->size < left ? limit - keys->size : left;
    if (!bytes_reserve(keys, keys->size + size))
        return false;
    struct reading reading = {input, (char *)keys->data + keys->size, size};
    if (!parallel_for((size + SLICE - 1) / SLICE, read_slice, &reading))
        return false;
    source->num_read += size;
    keys->size += (size_t)size;
    *has_ended_ret = source->num_read == source->size;
    return true;
}

bool input_read_up_to(struct input *input, uint64_t limit, struct bytes *keys, bool *has_ended_ret)
{
    const size_t key_size = clsort_type_size(input->type);
    *has_ended_ret = false;
    if (!input->text && input->reader.source.size > 0)
        return read_regular(input, limit, keys, has_ended_ret);
    while (keys->size < limit) {
        const uint64_t left = (limit - keys->size) / key_size;
        const size_t wanted = left < CHUNK_KEYS ? (size_t)left : CHUNK_KEYS;
        const uint64_t needed = keys->size + wanted * key_size;
        const uint64_t doubled = 2 * (uint64_t)keys->capacity;
        if (needed > keys->capacity && !bytes_reserve(keys, needed > doubled  ? needed
                                                            : doubled < limit ? doubled
                                                                              : limit))
            return false;
        size_t num_keys;
        if (!input_read(input, (char *)keys->data + keys->size, wanted, &num_keys))
            return false;
        keys->size += num_keys * key_size;
        *has_ended_ret = num_keys == 0;
        if (num_keys == 0)
            return true;
    }
    return true;
}

void input_close(struct input *input)
{
    line_reader_close(&input->reader);
}
