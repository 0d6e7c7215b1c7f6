/* source.c: joins embedded files at their #include "..." lines. */
#include "program/source.h"

#include "base/writer.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILES 64

struct source {
    struct writer text;
    /* Files with an include guard are joined once. */
    const struct embedded_file *joined[MAX_FILES];
    size_t num_joined;
    const char *record; /* replaces base/record_source.h, if not NULL */
};

static void append_mark(struct source *source, unsigned line, const char *name)
{
    writer_add(&source->text, "#line %u \"cl/%s\"\n", line, name);
}

const struct embedded_file *source_find(const char *name, size_t length)
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
    return end ? source_find(line + start_length, (size_t)(end - line) - start_length) : NULL;
}

static int first_time(struct source *source, const struct embedded_file *file)
{
    for (size_t i = 0; i < source->num_joined; ++i) {
        if (source->joined[i] == file)
            return 0;
    }
    if (source->num_joined == MAX_FILES)
        source->text.failed = 1;
    else
        source->joined[source->num_joined++] = file;
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
static int has_macro(const struct source *source, size_t size, const char *name, size_t length)
{
    static const char *const starts[] = {"#define ", "defined("};
    for (const char *at = source->text.bytes, *end = at + size; end - at > (ptrdiff_t)length;
         ++at) {
        at = memchr(at, name[0], (size_t)(end - at) - length);
        if (!at)
            return 0;
        const char behind = at[length];
        if (memcmp(at, name, length) != 0 || behind == '_' || isalnum((unsigned char)behind))
            continue;
        for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
            const size_t before = strlen(starts[i]);
            if ((size_t)(at - source->text.bytes) >= before &&
                memcmp(at - before, starts[i], before) == 0)
                return 1;
        }
    }
    return 0;
}

/* A caller's text that changed a macro of the kernels would change them without a word. */
static void refuse_macro(struct source *source, size_t size, const char *line)
{
    static const char error[] = " is a macro of clsort's kernels: take another name\"\n";
    size_t length = 0;
    const char *name = macro_of(line, &length);
    if (!name || source->text.failed || !has_macro(source, size, name, length))
        return;
    writer_add(&source->text, "#error \"%.*s%s", (int)length, name, error);
}

/* Joins a file and what it includes, each file once: so at most MAX_FILES calls are nested. */
static void join(struct source *source, const struct embedded_file *file);

/* The caller's records: one line that includes a file, and then texts of the caller's from the
 * first "#line" on, which are left as they are. */
static void join_record(struct source *source)
{
    size_t size = 0; /* of all before the caller's texts */
    const char *line = source->record;
    const char *first = strchr(line, '\n');
    const struct embedded_file *other = first ? included(line, (size_t)(first - line) + 1) : NULL;
    if (other && first_time(source, other))
        join(source, other);
    line = first ? first + 1 : line;
    for (size_t length; *line; line += length) {
        const char *end = strchr(line, '\n');
        length = end ? (size_t)(end - line) + 1 : strlen(line);
        if (!size && strncmp(line, "#line", 5) == 0)
            size = source->text.size;
        if (size)
            refuse_macro(source, size, line);
        writer_add(&source->text, "%.*s", (int)length, line);
    }
}

static void join(struct source *source, const struct embedded_file *file)
{
    unsigned number = 1;
    append_mark(source, number, file->name);
    if (source->record && strcmp(file->name, "base/record_source.h") == 0) {
        join_record(source);
        return;
    }
    for (const char *line = file->text; *line;) {
        const char *end = strchr(line, '\n');
        const size_t length = end ? (size_t)(end - line) + 1 : strlen(line);
        const struct embedded_file *other = included(line, length);
        ++number;
        if (!other) {
            writer_add(&source->text, "%.*s", (int)length, line);
        } else if (!source->text.failed) {
            if (first_time(source, other))
                join(source, other);
            append_mark(source, number, file->name);
        }
        line += length;
    }
}

char *source_join(const char *name, const char *record)
{
    const struct embedded_file *file = source_find(name, strlen(name));
    if (!file)
        return NULL;
    struct source source = {.text.grows = 1, .record = record};
    join(&source, file);
    if (source.text.failed) {
        free(source.text.bytes);
        return NULL;
    }
    return source.text.bytes;
}
