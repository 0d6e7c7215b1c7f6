/* source.c: joins embedded files at their #include "..." lines. */
#include "program/source.h"

#include "program/embedded.h"

#include <ctype.h>
#include <stddef.h>
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
    const char *record; /* replaces base/record_source.h, if not NULL */
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

/* The name of the macro that a line defines or undefines, or NULL. */
static const char *macro_of(const char *line, size_t *length_ret)
{
    static const char blanks[] = " \t", letters[] = "abcdefghijklmnopqrstuvwxyz"
                                                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    line += strspn(line, blanks);
    if (*line != '#')
        return NULL;
    line += 1 + strspn(line + 1, blanks);
    const int defines = strncmp(line, "define", 6) == 0;
    if (!defines && strncmp(line, "undef", 5) != 0)
        return NULL;
    line += defines ? 6 : 5;
    const size_t blank = strspn(line, blanks);
    *length_ret = strspn(line + blank, letters);
    return blank && *length_ret ? line + blank : NULL;
}

/* Whether the first `size` bytes of the text define the macro, or config.h sees to it that the host
 * does. */
static int has_macro(const struct text *text, size_t size, const char *name, size_t length)
{
    static const char *const starts[] = {"#define ", "defined("};
    for (const char *at = text->bytes, *end = at + size; end - at > (ptrdiff_t)length; ++at) {
        at = memchr(at, name[0], (size_t)(end - at) - length);
        if (!at)
            return 0;
        const char behind = at[length];
        if (memcmp(at, name, length) != 0 || behind == '_' || isalnum((unsigned char)behind))
            continue;
        for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
            const size_t before = strlen(starts[i]);
            if ((size_t)(at - text->bytes) >= before && memcmp(at - before, starts[i], before) == 0)
                return 1;
        }
    }
    return 0;
}

/* A caller's text that changed a macro of the kernels would change them without a word. */
static void refuse_macro(struct text *text, size_t size, const char *line)
{
    static const char error[] = " is a macro of clsort's kernels: take another name\"\n";
    size_t length = 0;
    const char *name = macro_of(line, &length);
    if (!name || text->failed || !has_macro(text, size, name, length))
        return;
    append(text, "#error \"", 8);
    append(text, name, length);
    append(text, error, sizeof error - 1);
}

/* Joins a file and what it includes, each file once: so at most MAX_FILES calls are nested. */
static void join(struct text *text, const struct embedded_file *file);

/* The caller's records: one line that includes a file, and then texts of the caller's from the
 * first "#line" on, which are left as they are. */
static void join_record(struct text *text)
{
    size_t size = 0; /* of all before the caller's texts */
    const char *line = text->record;
    const char *first = strchr(line, '\n');
    const struct embedded_file *other = first ? included(line, (size_t)(first - line) + 1) : NULL;
    if (other && first_time(text, other))
        join(text, other);
    line = first ? first + 1 : line;
    for (size_t length; *line; line += length) {
        const char *end = strchr(line, '\n');
        length = end ? (size_t)(end - line) + 1 : strlen(line);
        if (!size && strncmp(line, "#line", 5) == 0)
            size = text->size;
        if (size)
            refuse_macro(text, size, line);
        append(text, line, length);
    }
}

static void join(struct text *text, const struct embedded_file *file)
{
    unsigned number = 1;
    append_mark(text, number, file->name);
    if (text->record && strcmp(file->name, "base/record_source.h") == 0) {
        join_record(text);
        return;
    }
    for (const char *line = file->text; *line;) {
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
