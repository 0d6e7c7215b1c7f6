#include "input.h"

#include "key.h"
#include "message.h"
#include "progress.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Keys that are asked for at once: 2 MiB of u64, enough to make a call's cost nothing. */
enum { CHUNK_KEYS = 1 << 18 };

static bool refuse_part_of_key(const struct input *input, uint64_t size)
{
    message("%s: %llu bytes are not a whole number of %s keys (%u bytes each); is -t right?",
            input->name, (unsigned long long)size, clsort_type_name(input->type),
            clsort_type_size(input->type));
    return false;
}

bool input_open(struct input *input, const char *path, bool text, clsort_type type)
{
    const bool standard = path == NULL || strcmp(path, "-") == 0;
    *input = (struct input){.name = standard ? "standard input" : path, .text = text, .type = type};
    if (standard && isatty(STDIN_FILENO) && !text) {
        message("standard input is a terminal; give a FILE, or --text to type numbers");
        return false;
    }
    input->file = standard ? stdin : fopen(path, "rb");
    if (!input->file) {
        message("cannot open %s: %s", input->name, strerror(errno));
        return false;
    }

    struct stat status;
    if (fstat(fileno(input->file), &status) != 0) {
        message("cannot look at %s: %s", input->name, strerror(errno));
        input_close(input);
        return false;
    }
    const off_t here = S_ISREG(status.st_mode) ? ftello(input->file) : -1;
    if (here >= 0 && status.st_size > here)
        input->size = (uint64_t)(status.st_size - here);
    if (!text && input->size % clsort_type_size(type) != 0) {
        refuse_part_of_key(input, input->size);
        input_close(input);
        return false;
    }
    return true;
}

static bool read_error(const struct input *input)
{
    message("cannot read %s: %s", input->name, strerror(errno));
    return false;
}

static bool read_binary(struct input *input, void *keys, size_t capacity, size_t *num_keys_ret)
{
    const size_t key_size = clsort_type_size(input->type);
    const size_t size = fread(keys, 1, capacity * key_size, input->file);
    if (ferror(input->file))
        return read_error(input);
    input->num_read += size;
    if (size % key_size != 0)
        return refuse_part_of_key(input, input->num_read);
    *num_keys_ret = size / key_size;
    return true;
}

static bool refuse_line(const struct input *input, enum text_status status, size_t length)
{
    enum { SHOWN = 60 };
    char shown[SHOWN + 1];
    size_t end = 0;
    for (; end < SHOWN && end < length && input->line[end] != '\n'; end++) {
        const char c = input->line[end];
        shown[end] = c < ' ' || c > '~' ? '?' : c;
    }
    shown[end] = '\0';
    const char *more = end == SHOWN ? "..." : "";
    const char *name = clsort_type_name(input->type);
    const unsigned long long number = input->line_number;
    if (end == 0)
        message("%s:%llu: the line is empty; every line holds one number", input->name, number);
    else if (status == TEXT_OUT_OF_RANGE)
        message("%s:%llu: '%s%s' is out of the range of %s", input->name, number, shown, more,
                name);
    else
        message("%s:%llu: '%s%s' is not one %s number", input->name, number, shown, more, name);
    return false;
}

static bool read_text(struct input *input, void *keys, size_t capacity, size_t *num_keys_ret)
{
    const size_t key_size = clsort_type_size(input->type);
    size_t num_keys = 0;
    while (num_keys < capacity) {
        errno = 0;
        const ssize_t length = getline(&input->line, &input->line_capacity, input->file);
        if (length < 0 && (ferror(input->file) || errno == ENOMEM))
            return read_error(input);
        if (length < 0)
            break;
        input->line_number++;
        uint64_t bits;
        enum text_status status = TEXT_MALFORMED;
        /* A zero byte would hide what is behind it. */
        if (strlen(input->line) == (size_t)length)
            status = text_parse(input->type, input->line, &bits);
        if (status != TEXT_OK)
            return refuse_line(input, status, (size_t)length);
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

uint64_t input_position(const struct input *input)
{
    const off_t here = input->size ? ftello(input->file) : 0;
    return here > 0 ? (uint64_t)here : 0;
}

bool input_read_all(struct input *input, uint64_t limit, struct bytes *keys)
{
    const size_t key_size = clsort_type_size(input->type);
    progress_stage("reading", input->size);
    /* One chunk more than the file, so that its end is seen without growing. */
    const uint64_t chunk_size = CHUNK_KEYS * key_size;
    const uint64_t expected = input->text || input->size > limit ? 0 : input->size;
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
                    input->name, size_text(limit, text));
            return false;
        }
        progress_done(input_position(input));
    }
}

void input_close(struct input *input)
{
    if (input->file && input->file != stdin)
        fclose(input->file);
    free(input->line);
    input->file = NULL;
    input->line = NULL;
}
