/* source.c: joins embedded files at their #include "..." lines. */
#include "source.h"

#include "embedded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILES 64

struct text {
    char *bytes;
    size_t size, capacity;
    int failed;
    /* Files with an include guard are joined once. */
    const struct embedded_file *joined[MAX_FILES];
    size_t num_joined;
    const char *record; /* replaces record_source.h, if not NULL */
};

static void append(struct text *text, const char *bytes, size_t size)
{
    if (text->failed)
        return;
    if (text->size + size + 1 > text->capacity) {
        const size_t capacity = 2 * (text->size + size + 1);
        char *grown = realloc(text->bytes, capacity);
        if (!grown) {
            text->failed = 1;
            return;
        }
        text->bytes = grown;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = 0;
}

static void append_mark(struct text *text, unsigned line, const char *name)
{
    char mark[128];
    const int size = snprintf(mark, sizeof mark, "#line %u \"cl/%s\"\n", line, name);
    append(text, mark, (size_t)size);
}

static const struct embedded_file *find(const char *name, size_t length)
{
    for (const struct embedded_file *file = embedded_files; file->name; ++file) {
        if (strlen(file->name) == length && memcmp(file->name, name, length) == 0)
            return file;
    }
    return NULL;
}

/* The file that a line includes, or NULL. */
static const struct embedded_file *included(const char *line, size_t length)
{
    static const char start[] = "#include \"";
    const size_t start_length = sizeof start - 1;
    if (length <= start_length || memcmp(line, start, start_length) != 0)
        return NULL;
    const char *end = memchr(line + start_length, '"', length - start_length);
    return end ? find(line + start_length, (size_t)(end - line) - start_length) : NULL;
}

static int first_time(struct text *text, const struct embedded_file *file)
{
    for (size_t i = 0; i < text->num_joined; ++i) {
        if (text->joined[i] == file)
            return 0;
    }
    if (text->num_joined == MAX_FILES)
        text->failed = 1;
    else
        text->joined[text->num_joined++] = file;
    return 1;
}

static void join(struct text *text, const struct embedded_file *file)
{
    unsigned number = 1;
    const int is_record = text->record && strcmp(file->name, "record_source.h") == 0;
    append_mark(text, number, file->name);
    for (const char *line = is_record ? text->record : file->text; *line;) {
        const char *end = strchr(line, '\n');
        const size_t length = end ? (size_t)(end - line) + 1 : strlen(line);
        const struct embedded_file *other = included(line, length);
        ++number;
        if (!other) {
            append(text, line, length);
        } else if (!text->failed) {
            if (first_time(text, other))
                join(text, other);
            append_mark(text, number, file->name);
        }
        line += length;
    }
}

char *source_join(const char *name, const char *record)
{
    const struct embedded_file *file = find(name, strlen(name));
    if (!file)
        return NULL;
    struct text text = {.record = record};
    join(&text, file);
    if (text.failed) {
        free(text.bytes);
        return NULL;
    }
    return text.bytes;
}
