/* write.c: the lines of a text written in an order. Threads gather slices of the order,
 * each into a buffer of its own that stays in its cache, and write them in turn: so the sorted
 * text never lies in memory as a whole. */
#include "lines/job.h"

#include "numbers/key.h"
#include "memory/parallel.h"

#include <pthread.h>

#include <string.h>

enum { SLICE_LINES = 8192, MAX_THREADS = 8 };
enum { MAX_SLICE = 16 << 20 };              /* bytes; longer ones are written line by line */
enum { AHEAD_START = 32, AHEAD_TEXT = 16 }; /* lines, to fetch where they begin and their bytes */

struct writer {
    const struct lines_job *job;
    const struct lines_sink *sink;
    uint64_t num_slices;
    pthread_mutex_t mutex; /* for what follows */
    pthread_cond_t turned;
    uint64_t next; /* the slice to be gathered next */
    uint64_t turn; /* and written next */
    bool has_failed;
};

static uint64_t line_at(const struct lines_job *job, uint64_t i)
{
    return key_load(job->job.desc.index_size, job->job.indices.data, i);
}

static size_t line_size(const struct lines *lines, uint64_t line)
{
    return (size_t)(lines_start(lines, line + 1) - lines_start(lines, line));
}

static void prefetch_start(const struct lines *lines, uint64_t line)
{
    __builtin_prefetch((const char *)lines->starts.data + line * lines->offset_size);
}

static size_t slice_size(const struct lines_job *job, uint64_t begin, uint64_t end)
{
    size_t size = 0;
    for (uint64_t i = begin; i < end; i++) {
        if (i + AHEAD_START < end)
            prefetch_start(&job->lines, line_at(job, i + AHEAD_START));
        size += job->head_size + line_size(&job->lines, line_at(job, i));
    }
    return size;
}

static void gather(const struct lines_job *job, uint64_t begin, uint64_t end, char *to)
{
    const struct lines *lines = &job->lines;
    const char *text = lines->text.data;
    for (uint64_t i = begin; i < end; i++) {
        if (i + AHEAD_TEXT < end) {
            const char *next = text + lines_start(lines, line_at(job, i + AHEAD_TEXT));
            __builtin_prefetch(next);
            __builtin_prefetch(next + 64);
        }
        const uint64_t line = line_at(job, i);
        const size_t size = line_size(lines, line);
        if (job->head_size) {
            const uint64_t number = job->first + line;
            memcpy(to, &number, LINES_HEAD);
            to += LINES_HEAD;
        }
        memcpy(to, text + lines_start(lines, line), size);
        to += size;
    }
}

static bool write_lines(const struct lines_job *job, uint64_t begin, uint64_t end,
                        const struct lines_sink *sink)
{
    const char *text = job->lines.text.data;
    for (uint64_t i = begin; i < end; i++) {
        const uint64_t line = line_at(job, i), number = job->first + line;
        if (job->head_size && !sink->write(sink->context, &number, LINES_HEAD))
            return false;
        if (!sink->write(sink->context, text + lines_start(&job->lines, line),
                         line_size(&job->lines, line)))
            return false;
    }
    return true;
}

/* A slice for a thread, or num_slices where there is none left. */
static uint64_t take_slice(struct writer *writer)
{
    pthread_mutex_lock(&writer->mutex);
    const bool has_more = writer->next < writer->num_slices && !writer->has_failed;
    const uint64_t slice = has_more ? writer->next++ : writer->num_slices;
    pthread_mutex_unlock(&writer->mutex);
    return slice;
}

/* Waits for the slice's turn. False: another one has failed. */
static bool wait_for_turn(struct writer *writer, uint64_t slice)
{
    pthread_mutex_lock(&writer->mutex);
    while (writer->turn != slice && !writer->has_failed)
        pthread_cond_wait(&writer->turned, &writer->mutex);
    const bool ok = !writer->has_failed;
    pthread_mutex_unlock(&writer->mutex);
    return ok;
}

static void end_turn(struct writer *writer, bool ok)
{
    pthread_mutex_lock(&writer->mutex);
    writer->turn++;
    writer->has_failed |= !ok;
    pthread_cond_broadcast(&writer->turned);
    pthread_mutex_unlock(&writer->mutex);
}

static void *write_slices(void *argument)
{
    struct writer *writer = argument;
    const struct lines_job *job = writer->job;
    struct bytes buffer = {0};
    for (;;) {
        const uint64_t slice = take_slice(writer);
        if (slice == writer->num_slices)
            break;
        const uint64_t begin = slice * SLICE_LINES;
        const uint64_t left = job->lines.count - begin;
        const uint64_t end = begin + (left < SLICE_LINES ? left : SLICE_LINES);
        const size_t size = slice_size(job, begin, end);
        const bool is_gathered = size <= MAX_SLICE;
        bool ok = !is_gathered || bytes_reserve(&buffer, size);
        if (ok && is_gathered)
            gather(job, begin, end, buffer.data);
        if (!wait_for_turn(writer, slice))
            break;
        if (ok)
            ok = is_gathered ? writer->sink->write(writer->sink->context, buffer.data, size)
                             : write_lines(job, begin, end, writer->sink);
        end_turn(writer, ok);
    }
    bytes_free(&buffer);
    return NULL;
}

static uint64_t threads_for(uint64_t num_slices)
{
    uint64_t num = parallel_threads();
    num = num > MAX_THREADS ? MAX_THREADS : num;
    return num > num_slices ? num_slices : num;
}

bool lines_write_to(const struct lines_job *job, const struct lines_sink *sink)
{
    struct writer writer = {.job = job,
                            .sink = sink,
                            .num_slices = (job->lines.count + SLICE_LINES - 1) / SLICE_LINES,
                            .mutex = PTHREAD_MUTEX_INITIALIZER,
                            .turned = PTHREAD_COND_INITIALIZER};
    pthread_t threads[MAX_THREADS];
    uint64_t num_threads = 0;
    /* This one works too. */
    while (num_threads + 1 < threads_for(writer.num_slices) &&
           parallel_begin(&threads[num_threads], write_slices, &writer))
        num_threads++;
    write_slices(&writer);
    for (uint64_t i = 0; i < num_threads; i++)
        parallel_join(threads[i]);
    return !writer.has_failed;
}

bool lines_write_output(void *context, const void *data, size_t size)
{
    return output_write(context, data, size);
}
