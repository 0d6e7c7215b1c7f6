#include "lines/lines.h"

#include "io/calls.h"
#include "cli/message.h"
#include "memory/parallel.h"
#include "cli/progress.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { READ_SIZE = 1 << 20 }; /* so that line feeds are counted in the cache */
enum { MIN_PART = 4 << 20 };  /* bytes that are worth a thread */
enum { NOTE_SIZE = 4096 };    /* bytes that are looked at */
enum { HAS_BECOME_SHORTER = -1 };

bool lines_open(struct lines *lines, const char *path)
{
    *lines = (struct lines){0};
    return source_open(&lines->source, path);
}

void lines_note_zeros(const char *name, const void *text, size_t size)
{
    if (size && memchr(text, '\0', size < NOTE_SIZE ? size : NOTE_SIZE))
        message("note: %s has zero bytes and is taken for lines of text; raw keys need -y TYPE, "
                "lines that end with zero bytes need 'sort -z'; --lines silences this note",
                name);
}

void lines_note_zeros_of(const struct source *source)
{
    char text[NOTE_SIZE];
    const ssize_t size =
        source->size ? pread(source->fd, text, sizeof(text), (off_t)source->start) : 0;
    lines_note_zeros(source->name, text, size > 0 ? (size_t)size : 0);
}

void lines_close(struct lines *lines)
{
    for (int i = 0; i < lines->num_parts; i++) {
        if (lines->parts[i].is_running)
            parallel_join(lines->parts[i].thread);
        lines->parts[i].is_running = false;
    }
    source_close(&lines->source);
    bytes_free(&lines->text);
    bytes_free(&lines->starts);
}

void lines_forget(struct lines *lines)
{
    bytes_free(&lines->text);
    bytes_free(&lines->starts);
    lines->num_parts = 0;
    lines->count = 0;
}

uint64_t lines_threads(uint64_t wanted)
{
    uint64_t num = parallel_threads();
    num = num > LINES_MAX_THREADS ? LINES_MAX_THREADS : num;
    return num > wanted ? wanted : num;
}

static uint64_t count_feeds(const char *bytes, size_t size)
{
    uint64_t num_feeds = 0;
    for (size_t i = 0; i < size; i++)
        num_feeds += bytes[i] == '\n';
    return num_feeds;
}

/* A thread: reads its part and counts the line feeds. */
static void *read_part(void *argument)
{
    struct lines_part *part = argument;
    const struct lines *lines = part->lines;
    char *text = lines->text.data;
    for (uint64_t at = part->begin; at < part->end;) {
        const uint64_t left = part->end - at;
        const size_t wanted = left < READ_SIZE ? (size_t)left : READ_SIZE;
        const ssize_t size =
            call_read_at(lines->source.fd, text + at, wanted, lines->source.start + at);
        if (size <= 0) {
            part->error = size < 0 ? errno : HAS_BECOME_SHORTER;
            break;
        }
        part->num_feeds += count_feeds(text + at, (size_t)size);
        at += (uint64_t)size;
    }
    return NULL;
}

/* A thread: writes where the lines behind its part's line feeds begin. */
static void *split_part(void *argument)
{
    struct lines_part *part = argument;
    const struct lines *lines = part->lines;
    const char *text = lines->text.data;
    const char *end = text + part->end;
    uint64_t number = part->num_before;
    for (const char *at = text + part->begin; at < end;) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        if (!feed)
            break;
        at = feed + 1;
        number++;
        if (lines->offset_size == 4)
            ((uint32_t *)lines->starts.data)[number] = (uint32_t)(at - text);
        else
            ((uint64_t *)lines->starts.data)[number] = (uint64_t)(at - text);
    }
    return NULL;
}

/* Cuts `size` bytes of text into parts for as many threads as there are processors. */
static void cut(struct lines *lines, uint64_t size)
{
    const uint64_t num = lines_threads(size / MIN_PART + 1);
    lines->num_parts = (int)num;
    for (uint64_t i = 0; i < num; i++)
        lines->parts[i] = (struct lines_part){.lines = lines,
                                              .begin = size / num * i,
                                              .end = i + 1 < num ? size / num * (i + 1) : size};
}

/* A thread for each part; where there is none to be had the caller does its work. */
static void start_parts(struct lines *lines, void *(*run)(void *))
{
    for (int i = 0; i < lines->num_parts; i++) {
        struct lines_part *part = &lines->parts[i];
        part->is_running = parallel_begin(&part->thread, run, part);
        if (!part->is_running)
            run(part);
    }
}

static void wait_for_parts(struct lines *lines)
{
    for (int i = 0; i < lines->num_parts; i++) {
        if (lines->parts[i].is_running)
            parallel_join(lines->parts[i].thread);
        lines->parts[i].is_running = false;
    }
}

bool lines_begin(struct lines *lines)
{
    if (lines->source.size == 0)
        return true;
    /* A copy, since a mapped file may change, or be the output, while it is sorted. */
    if (!bytes_reserve(&lines->text, lines->source.size + 1))
        return false;
    lines->text.size = (size_t)lines->source.size;
    cut(lines, lines->source.size);
    start_parts(lines, read_part);
    return true;
}

static bool read_error(const struct lines *lines, int error)
{
    message("cannot read %s: %s", lines->source.name,
            error == HAS_BECOME_SHORTER ? "it has become shorter" : strerror(error));
    return false;
}

static bool finish_begun(struct lines *lines)
{
    wait_for_parts(lines);
    for (int i = 0; i < lines->num_parts; i++) {
        if (lines->parts[i].error)
            return read_error(lines, lines->parts[i].error);
    }
    return true;
}

/* What is no regular file has no size to go by. */
static bool read_to_end(struct lines *lines, uint64_t limit)
{
    struct bytes *text = &lines->text;
    for (;;) {
        const uint64_t capacity = text->capacity ? 2 * (uint64_t)text->capacity : 4 * READ_SIZE;
        if (text->capacity - text->size <= READ_SIZE && !bytes_reserve(text, capacity))
            return false;
        size_t size;
        if (!source_read(&lines->source, (char *)text->data + text->size, READ_SIZE, &size))
            return false;
        if (size == 0)
            break;
        text->size += size;
        if (text->size > limit)
            break; /* refused by the caller */
    }
    cut(lines, text->size);
    for (int i = 0; i < lines->num_parts; i++) {
        struct lines_part *part = &lines->parts[i];
        part->num_feeds =
            count_feeds((const char *)text->data + part->begin, (size_t)(part->end - part->begin));
    }
    return true;
}

bool lines_read(struct lines *lines, uint64_t limit)
{
    progress_stage("reading", lines->source.size);
    if (lines->num_parts ? !finish_begun(lines) : !read_to_end(lines, limit))
        return false;
    struct bytes *text = &lines->text;
    if (text->size >= limit) {
        char limit_text[SIZE_TEXT];
        message("%s holds more than %s, which is all that there is memory for", lines->source.name,
                size_text(limit, limit_text));
        return false;
    }
    for (int i = 0; i < lines->num_parts; i++) {
        lines->parts[i].num_before = lines->count;
        lines->count += lines->parts[i].num_feeds;
    }
    char *end = (char *)text->data + text->size;
    const bool is_open = text->size > 0 && end[-1] != '\n';
    if (is_open) {
        *end = '\n';
        lines->parts[lines->num_parts - 1].end++;
        text->size++;
        lines->count++;
    }
    lines->offset_size = text->size <= UINT32_MAX ? 4 : 8;
    return true;
}

bool lines_split(struct lines *lines)
{
    if (!bytes_reserve(&lines->starts, (lines->count + 1) * lines->offset_size))
        return false;
    lines->starts.size = (size_t)(lines->count + 1) * lines->offset_size;
    memset(lines->starts.data, 0, lines->offset_size);
    start_parts(lines, split_part);
    wait_for_parts(lines);
    return true;
}
