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

bool input_refuse_part(const struct elements *elements, const char *name, uint64_t size)
{
    if (elements->about)
        message("%s: %" PRIu64 " bytes are not a whole number of %s of %" PRIu32 " bytes", name,
                size, elements->about, elements->size);
    else if (elements->size > clsort_type_size(elements->type))
        message("%s: %" PRIu64 " bytes are not a whole number of records of %" PRIu32
                " bytes; is --record-size right?",
                name, size, elements->size);
    else
        message(
            "%s: %" PRIu64 " bytes are not a whole number of %s keys (%" PRIu32
            " bytes each); is -y right? Lines of text need no -y, and numbers on lines need --text",
            name, size, clsort_type_name(elements->type), elements->size);
    return false;
}

bool input_open_source(struct source *source, const char *path, const struct elements *elements)
{
    if (path_is_standard(path) && isatty(STDIN_FILENO)) {
        message("standard input is a terminal; give a FILE, or --text to type numbers");
        return false;
    }
    if (!source_open(source, path))
        return false;
    if (source->size % elements->size == 0)
        return true;
    input_refuse_part(elements, source->name, source->size);
    source_close(source);
    return false;
}

bool input_open(struct input *input, const char *path, bool text, const struct elements *elements)
{
    *input = (struct input){.elements = *elements};
    if (!text)
        return input_open_source(&input->source, path, elements);
    if (!source_open(&input->source, path))
        return false;
    input->numbers = text_numbers_open(&input->source, path, elements->type);
    input->source.fd = -1;
    return input->numbers;
}

bool input_read(struct input *input, void *keys, size_t capacity, size_t *num_keys_ret)
{
    const size_t key_size = input->elements.size;
    size_t size;
    *num_keys_ret = 0;
    if (input->numbers)
        return text_numbers_read(input->numbers, keys, capacity, num_keys_ret);
    if (!source_read(&input->source, keys, capacity * key_size, &size))
        return false;
    if (size % key_size != 0)
        return input_refuse_part(&input->elements, input->source.name, input->source.num_read);
    *num_keys_ret = size / key_size;
    return true;
}

/* error 0: the file has ended. */
static bool refuse_read(struct input *input, int error)
{
    if (!atomic_exchange(&input->has_failed, true))
        message("cannot read %s: %s", input->source.name,
                error ? strerror(error) : "it has become shorter");
    return false;
}

bool input_read_at(struct input *input, void *bytes, uint64_t offset, size_t size)
{
    const struct source *source = &input->source;
    const ssize_t num_read = call_read(source->fd, bytes, size, source->start + offset);
    return num_read == (ssize_t)size || refuse_read(input, num_read < 0 ? errno : 0);
}

static bool is_regular(const struct input *input)
{
    return !input->numbers && input->source.size > 0;
}

static bool read_regular(struct input *input, char *bytes, uint64_t size)
{
    struct source *source = &input->source;
    const struct span span = {bytes, source->start + source->num_read, size};
    if (!input->direct.blocks)
        input->direct = direct_open(source->fd, false);
    const int error = direct_read(&input->direct, &span, 1);
    if (error)
        return refuse_read(input, error == DIRECT_END ? 0 : error);
    source->num_read += size;
    return true;
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

bool input_read_many(struct input *input, char *bytes, uint64_t size, uint64_t *size_ret)
{
    const struct source *source = &input->source;
    const size_t key_size = input->elements.size;
    size_t num_keys = 1;
    *size_ret = take_first(input, bytes, size);
    if (is_regular(input)) {
        const uint64_t left = source->size - source->num_read;
        const uint64_t more = size - *size_ret < left ? size - *size_ret : left;
        bytes += *size_ret;
        *size_ret += more;
        return read_regular(input, bytes, more);
    }
    while (*size_ret < size && num_keys > 0) {
        const uint64_t wanted = (size - *size_ret) / key_size;
        if (!input_read(input, bytes + *size_ret, wanted < CHUNK_KEYS ? wanted : CHUNK_KEYS,
                        &num_keys))
            return false;
        *size_ret += num_keys * key_size;
    }
    return true;
}

bool input_read_up_to(struct input *input, uint64_t limit, struct bytes *keys, bool *has_ended_ret)
{
    const struct source *source = &input->source;
    limit -= limit % input->elements.size;
    *has_ended_ret = false;
    while (keys->size < limit && !*has_ended_ret) {
        const uint64_t more = is_regular(input)         ? source->size - source->num_read
                              : keys->size > FIRST_READ ? keys->size
                                                        : FIRST_READ;
        const uint64_t most = more < limit - keys->size ? more : limit - keys->size;
        const uint64_t wanted = most - most % input->elements.size;
        uint64_t size;
        if (!bytes_reserve(keys, keys->size + wanted) ||
            !input_read_many(input, (char *)keys->data + keys->size, wanted, &size))
            return false;
        keys->size += (size_t)size;
        *has_ended_ret = size < wanted || (is_regular(input) && source->num_read == source->size);
    }
    return true;
}

bool input_read_all(const char *path, const struct elements *elements, struct bytes *bytes)
{
    struct input input;
    bool is_all;
    if (!input_open(&input, path, false, elements))
        return false;
    const bool ok = input_read_up_to(&input, UINT64_MAX, bytes, &is_all);
    input_close(&input);
    return ok;
}

void input_close(struct input *input)
{
    direct_close(&input->direct);
    bytes_free(&input->first);
    text_numbers_close(input->numbers);
    source_close(&input->source);
}
