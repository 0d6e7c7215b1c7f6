#include "numbers/input.h"

#include "io/calls.h"
#include "cli/message.h"
#include "io/paths.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* Keys that are asked for at once: 2 MiB of u64, enough to make a call's cost nothing. */
enum { CHUNK_KEYS = 1 << 18 };

/* Bytes of a pipe that memory is taken for first. */
enum { FIRST_READ = 1 << 20 };

void input_refuse_part(const struct elements *elements, const char *name, uint64_t size)
{
    if (elements->about)
        die("%s: %" PRIu64 " bytes are not a whole number of %s of %" PRIu32 " bytes", name, size,
            elements->about, elements->size);
    if (elements->size > clsort_type_size(elements->type))
        die("%s: %" PRIu64 " bytes are not a whole number of records of %" PRIu32
            " bytes; is --record-size right?",
            name, size, elements->size);
    die("%s: %" PRIu64 " bytes are not a whole number of %s keys (%" PRIu32
        " bytes each); is -y right? Lines of text need no -y, and numbers on lines need --text",
        name, size, clsort_type_name(elements->type), elements->size);
}

void input_open_source(struct source *source, const char *path, const struct elements *elements)
{
    if (path_is_standard(path) && isatty(STDIN_FILENO))
        die("standard input is a terminal; give a FILE, or --text to type numbers");
    source_open(source, path);
    if (source->size % elements->size != 0)
        input_refuse_part(elements, source->name, source->size);
}

void input_open(struct input *input, const char *path, bool text, const struct elements *elements)
{
    *input = (struct input){.elements = *elements};
    if (!text) {
        input_open_source(&input->source, path, elements);
        return;
    }
    source_open(&input->source, path);
    input->numbers = text_numbers_open(&input->source, path, elements->type);
    input->source.fd = -1;
}

size_t input_read(struct input *input, void *keys, size_t capacity)
{
    const size_t key_size = input->elements.size;
    if (input->numbers)
        return text_numbers_read(input->numbers, keys, capacity);
    const size_t size = source_read(&input->source, keys, capacity * key_size);
    if (size % key_size != 0)
        input_refuse_part(&input->elements, input->source.name, input->source.num_read);
    return size / key_size;
}

void input_read_at(struct input *input, void *bytes, uint64_t offset, size_t size)
{
    const struct source *source = &input->source;
    const ssize_t num_read = call_read(source->fd, bytes, size, source->start + offset);
    if (num_read != (ssize_t)size)
        die("cannot read %s: %s", source->name,
            num_read < 0 ? strerror(errno) : "it has become shorter");
}

static bool is_regular(const struct input *input)
{
    return !input->numbers && input->source.size > 0;
}

void input_put_back(struct input *input, struct bytes *keys)
{
    input->first = *keys;
    input->num_taken = 0;
    *keys = (struct bytes){0};
}

/* What has been put back; its memory is let go of bit by bit. */
static uint64_t take_first(struct input *input, char *to, uint64_t size)
{
    enum { STEP = 16 << 20 };
    struct bytes *first = &input->first;
    uint64_t done = 0;
    while (done < size && input->num_taken < first->size) {
        const size_t left = first->size - input->num_taken;
        const size_t most = size - done < STEP ? (size_t)(size - done) : STEP;
        const size_t part = left < most ? left : most;
        memcpy(to + done, (char *)first->data + input->num_taken, part);
        input->num_taken += part;
        done += part;
        bytes_trim_begin(first, input->num_taken);
    }
    return done;
}

uint64_t input_read_many(struct input *input, char *bytes, uint64_t size)
{
    struct source *source = &input->source;
    const size_t key_size = input->elements.size;
    uint64_t done = take_first(input, bytes, size);
    if (is_regular(input)) {
        if (!source->direct.blocks)
            source->direct = direct_open(source->fd, false);
        const uint64_t more = smaller(size - done, source->size - source->num_read);
        return done + source_read(source, bytes + done, (size_t)more);
    }
    for (size_t num_keys = 1; done < size && num_keys > 0; done += num_keys * key_size)
        num_keys =
            input_read(input, bytes + done, (size_t)smaller((size - done) / key_size, CHUNK_KEYS));
    return done;
}

bool input_read_up_to(struct input *input, uint64_t limit, struct bytes *keys)
{
    const struct source *source = &input->source;
    bool has_ended = false;
    limit -= limit % input->elements.size;
    while (keys->size < limit && !has_ended) {
        const uint64_t more = is_regular(input)         ? source->size - source->num_read
                              : keys->size > FIRST_READ ? keys->size
                                                        : FIRST_READ;
        const uint64_t most = smaller(more, limit - keys->size);
        const uint64_t wanted = most - most % input->elements.size;
        bytes_need(keys, keys->size + wanted);
        const uint64_t size = input_read_many(input, (char *)keys->data + keys->size, wanted);
        keys->size += (size_t)size;
        has_ended = size < wanted || (is_regular(input) && source->num_read == source->size);
    }
    return has_ended;
}

void input_read_all(const char *path, const struct elements *elements, struct bytes *bytes)
{
    struct input input;
    input_open(&input, path, false, elements);
    input_read_up_to(&input, UINT64_MAX, bytes);
    input_close(&input);
}

void input_close(struct input *input)
{
    bytes_free(&input->first);
    text_numbers_close(input->numbers);
    source_close(&input->source);
}
