/* build_log.c: replaces the line numbers of a build log by those that the source's #line marks
 * give, as a compiler that follows the marks does. */
#include "program/build_log.h"

#include "base/writer.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* How NVIDIA's and Oclgrind's compilers, which ignore #line, name a source. */
static const char *const raw_names[] = {"<kernel>:", "input.cl:"};

/* A line of one of the texts that a source was joined from. */
struct origin {
    const char *name; /* not zero-terminated; NULL before the first mark */
    size_t name_length;
    uint64_t line;
};

/* Reads a number of digits alone, at most 2^32, and sets *end_ret to the text after it. Returns 0
 * if there is none. */
static int read_number(const char *text, const char **end_ret, uint64_t *number_ret)
{
    uint64_t number = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && number <= UINT32_MAX; ++at)
        number = 10 * number + (uint64_t)(*at - '0');
    *end_ret = at;
    *number_ret = number;
    return at != text;
}

/* Whether a line is #line NUMBER "NAME". If so, *next_ret is the origin of the next line. */
static int read_mark(const char *line, struct origin *next_ret)
{
    static const char start[] = "#line ";
    const char *at;
    uint64_t number;
    if (strncmp(line, start, sizeof start - 1) != 0 ||
        !read_number(line + sizeof start - 1, &at, &number) || strncmp(at, " \"", 2) != 0)
        return 0;
    const size_t length = strcspn(at + 2, "\"\n");
    *next_ret = (struct origin){at + 2, length, number};
    return at[2 + length] == '"';
}

/* The origin of line `line_number` of the source, counted from 1. Its name is NULL if there is no
 * such line. A mark itself belongs to the text before it. */
static struct origin find_origin(const char *source, uint64_t line_number)
{
    struct origin origin = {NULL, 0, 0};
    const char *line = source;
    for (uint64_t number = 1; line && *line; ++number) {
        if (number == line_number)
            return origin;
        struct origin next;
        if (read_mark(line, &next))
            origin = next;
        else
            origin.line += 1;
        const char *end = strchr(line, '\n');
        line = end ? end + 1 : NULL;
    }
    return (struct origin){NULL, 0, 0};
}

/* The length of a raw name at this position of the log, or 0. The end of a longer name does not
 * count. */
static size_t raw_name_at(const char *log, const char *at)
{
    if (at != log && (isalnum((unsigned char)at[-1]) || strchr("_-./\\", at[-1])))
        return 0;
    for (size_t i = 0; i < sizeof raw_names / sizeof *raw_names; ++i) {
        const size_t length = strlen(raw_names[i]);
        if (strncmp(at, raw_names[i], length) == 0)
            return length;
    }
    return 0;
}

/* Finds the first position from `at` on to which the marks give another name, with its end and that
 * name. If there is none, returns the end of the log and no name. */
static const char *find_place(const char *log, const char *at, const char *source,
                              const char **end_ret, struct origin *origin_ret)
{
    for (; *at; ++at) {
        const size_t length = raw_name_at(log, at);
        uint64_t line;
        if (length == 0 || !read_number(at + length, end_ret, &line))
            continue;
        *origin_ret = find_origin(source, line);
        if (origin_ret->name)
            return at;
    }
    *origin_ret = (struct origin){NULL, 0, 0};
    *end_ret = at;
    return at;
}

char *build_log_by_marks(char *log, const char *source)
{
    struct writer text = {.grows = 1};
    for (const char *at = log, *end; at && *at; at = end) {
        struct origin origin;
        const char *place = find_place(log, at, source, &end, &origin);
        writer_add(&text, "%.*s", (int)(place - at), at);
        if (origin.name)
            writer_add(&text, "%.*s:%" PRIu64, (int)origin.name_length, origin.name, origin.line);
    }
    if (text.failed || !text.bytes) {
        free(text.bytes);
        return log;
    }
    free(log);
    return text.bytes;
}
