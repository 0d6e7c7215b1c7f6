/* write.c: the lines of a text written in an order. Threads gather slices of the order,
 * each into a buffer of its own that stays in its cache, and write them in turn: so the sorted
 * text never lies in memory as a whole. */
#include "text/job.h"

#include "cli/message.h"

#include <pthread.h>

#include <string.h>

enum { SLICE_LINES = 8192, MAX_THREADS = 8 };
enum { MAX_SLICE = 16 << 20 };              /* bytes; longer ones are written line by line */
enum { AHEAD_START = 32, AHEAD_TEXT = 16 }; /* lines, to fetch where they begin and their bytes */

struct writer {
    struct text_job *job;
    const uint32_t *order; /* of lines */
    bool is_run, has_heads;
    pthread_mutex_t mutex; /* for what follows */
    pthread_cond_t turned;
    uint64_t turn; /* the slice to be written next */
};

static size_t line_size(const struct lines *lines, uint64_t line)
{
    return (size_t)(lines_start(lines, line + 1) - lines_start(lines, line));
}

static size_t slice_size(const struct writer *writer, uint64_t begin, uint64_t end)
{
    const struct lines *lines = &writer->job->lines;
    size_t size = writer->has_heads ? (end - begin) * TEXT_HEAD : 0;
    for (uint64_t i = begin; i < end; i++) {
        if (i + AHEAD_START < end)
            __builtin_prefetch((const char *)lines->starts.data +
                               (uint64_t)writer->order[i + AHEAD_START] * lines->offset_size);
        size += line_size(lines, writer->order[i]);
    }
    return size;
}

static void gather(const struct writer *writer, uint64_t begin, uint64_t end, char *to)
{
    const struct lines *lines = &writer->job->lines;
    const char *text = lines->text.data;
    for (uint64_t i = begin; i < end; i++) {
        if (i + AHEAD_TEXT < end) {
            const char *next = text + lines_start(lines, writer->order[i + AHEAD_TEXT]);
            __builtin_prefetch(next);
            __builtin_prefetch(next + 64);
        }
        const uint64_t line = writer->order[i], number = writer->job->num_lines + line;
        const size_t size = line_size(lines, line);
        if (writer->has_heads) {
            memcpy(to, &number, TEXT_HEAD);
            to += TEXT_HEAD;
        }
        memcpy(to, text + lines_start(lines, line), size);
        to += size;
    }
}

static void write_lines(const struct writer *writer, uint64_t begin, uint64_t end)
{
    const struct lines *lines = &writer->job->lines;
    for (uint64_t i = begin; i < end; i++) {
        const uint64_t line = writer->order[i], number = writer->job->num_lines + line;
        const char *text = (const char *)lines->text.data + lines_start(lines, line);
        if (writer->has_heads)
            text_put(writer->job, true, &number, TEXT_HEAD);
        text_put(writer->job, writer->is_run, text, line_size(lines, line));
    }
}

static void wait_for_turn(struct writer *writer, uint64_t slice)
{
    pthread_mutex_lock(&writer->mutex);
    while (writer->turn != slice)
        pthread_cond_wait(&writer->turned, &writer->mutex);
    pthread_mutex_unlock(&writer->mutex);
}

static void end_turn(struct writer *writer)
{
    pthread_mutex_lock(&writer->mutex);
    writer->turn++;
    pthread_cond_broadcast(&writer->turned);
    pthread_mutex_unlock(&writer->mutex);
}

static void write_slice(void *context, const struct parallel_slice *slice)
{
    struct writer *writer = context;
    struct text_job *job = writer->job;
    struct bytes *buffer = &job->groups[slice->thread]; /* nothing else needs it now */
    const size_t size = slice_size(writer, slice->begin, slice->end);
    const bool is_gathered = size <= MAX_SLICE;
    if (is_gathered) {
        bytes_need(buffer, size);
        gather(writer, slice->begin, slice->end, buffer->data);
    }
    wait_for_turn(writer, slice->number);
    if (is_gathered)
        text_put(job, writer->is_run, buffer->data, size);
    else
        write_lines(writer, slice->begin, slice->end);
    end_turn(writer);
}

void text_write_piece(struct text_job *job, bool is_run)
{
    const double start = seconds_now();
    struct writer writer = {.job = job,
                            .order = job->sort.indices.data,
                            .is_run = is_run,
                            .has_heads = is_run && job->options.index_size > 0,
                            .mutex = PTHREAD_MUTEX_INITIALIZER,
                            .turned = PTHREAD_COND_INITIALIZER};
    const uint32_t num_threads = (uint32_t)smaller(parallel_threads(), MAX_THREADS);
    parallel_for_by(num_threads, job->sort.indices.size / sizeof(uint32_t), SLICE_LINES,
                    write_slice, &writer);
    sort_timed(&job->sort, STAGE_WRITING, start);
}
