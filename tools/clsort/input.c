#include "input.h"

#include "key.h"
#include "message.h"
#include "progress.h"
#include "text.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* Keys that are asked for at once: 2 MiB of u64, enough to make a call's cost nothing. */
enum { CHUNK_KEYS = 1 << 18 };

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

bool input_read_all(struct input *input, uint64_t limit, struct bytes *keys)
{
    const size_t key_size = clsort_type_size(input->type);
    progress_stage("reading", input->reader.source.size);
    /* One chunk more than the file, so that its end is seen without growing. */
    const uint64_t chunk_size = CHUNK_KEYS * key_size;
    const uint64_t expected =
        input->text || input->reader.source.size > limit ? 0 : input->reader.source.size;
    if (!bytes_reserve(keys, expected + chunk_size))
        return false;
    for (;;) {
        if (keys->capacity - keys->size < chunk_size &&
            !bytes_reserve(keys, (uint64_t)keys->capacity * 2))
            return false;
        size_t num_keys;
        if (!input_read(input, (char *)keys->data + keys->size, CHUNK_KEYS, &num_keys))
            return false;
        if (num_keys == 0)
            return true;
        keys->size += num_keys * key_size;
        if (keys->size > limit) {
            char text[SIZE_TEXT];
            message("%s holds more than %s of keys, which is all that fits into one buffer of the "
                    "device and the host's memory",
                    input->reader.source.name, size_text(limit, text));
            return false;
        }
    }
}

void input_close(struct input *input)
{
    line_reader_close(&input->reader);
}
