/* build_log.c: finds each place of a log in the source's #line marks, as a compiler would that follows
 * them. */
#include "build_log.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What compilers that ignore #line call a source: NVIDIA's, Oclgrind's. */
static const char *const raw_names[] = {"<kernel>:", "input.cl:"};

/* A line of the text that it comes from. */
struct origin {
    const char *name; /* not ended by a zero; NULL before the first mark */
    size_t name_length;
    uint64_t line;
};

/* A number of digits alone, at most 2^32, and the text behind it; false if there is none. */
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

/* Whether a line is #line NUMBER "NAME"; then the next line is that one. */
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

/* Where line number wanted of the source comes from, counted from 1; without a name if there is no such
 * line. A mark itself counts as a line of the text before it. */
static struct origin find_origin(const char *source, uint64_t wanted)
{
    struct origin origin = {NULL, 0, 0};
    const char *line = source;
    for (uint64_t number = 1; line && *line; ++number) {
        if (number == wanted)
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

/* The length of a raw name that stands here in the log, or 0; the end of a longer name is none. */
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

/* The first place behind at that the source's marks have another name for, its end and that name; the
 * log's end, and no name, where there is none. */
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

/* Counts bytes, and writes them where out is not NULL. */
static void put(char *out, size_t *size, const char *bytes, size_t num)
{
    if (out)
        memcpy(out + *size, bytes, num);
    *size += num;
}

/* The new log without a final zero: its size; writes it as well if out is not NULL. */
static size_t rewrite(const char *log, const char *source, char *out)
{
    size_t size = 0;
    for (const char *at = log, *end; *at; at = end) {
        struct origin origin;
        const char *place = find_place(log, at, source, &end, &origin);
        put(out, &size, at, (size_t)(place - at));
        if (origin.name) {
            char line[32];
            const int length = snprintf(line, sizeof line, ":%" PRIu64, origin.line);
            put(out, &size, origin.name, origin.name_length);
            put(out, &size, line, (size_t)length);
        }
    }
    return size;
}

char *build_log_by_marks(char *log, const char *source)
{
    if (!log)
        return NULL;
    char *changed = calloc(rewrite(log, source, NULL) + 1, 1);
    if (!changed)
        return log;
    rewrite(log, source, changed);
    free(log);
    return changed;
}
