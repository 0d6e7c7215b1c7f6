/* lines_spill.c: lines written to a run in their order, and read back. */
#include "lines_pieces.h"

#include "key.h"
#include "message.h"
#include "parallel.h"

#include <stdlib.h>
#include <string.h>

enum { SLICE_LINES = 4096, AHEAD = 16 };

/* One run on its way to the temporary file. */
struct run_writer {
    const struct lines_job *job;
    const struct runs *runs;
    const struct run *run;
    uint64_t *offsets; /* of each slice's text in the run */
};

static uint64_t line_at(const struct lines_job *job, uint64_t i)
{
    return ((const uint32_t *)job->job.indices.data)[i];
}

static uint64_t line_size(const struct lines_job *job, uint64_t line)
{
    return lines_start(&job->lines, line + 1) - lines_start(&job->lines, line);
}

static uint64_t slice_end(const struct lines_job *job, uint64_t slice)
{
    const uint64_t end = (slice + 1) * SLICE_LINES;
    return end < job->lines.count ? end : job->lines.count;
}

static bool add_sizes(void *context, uint64_t slice)
{
    const struct run_writer *writer = context;
    const uint64_t end = slice_end(writer->job, slice);
    uint64_t size = 0;
    for (uint64_t i = slice * SLICE_LINES; i < end; i++)
        size += line_size(writer->job, line_at(writer->job, i));
    writer->offsets[slice + 1] = size;
    return true;
}

static bool write_starts_and_keys(const struct run_writer *writer, uint64_t slice)
{
    const struct lines_job *job = writer->job;
    const struct spill *spill = &writer->runs->spill;
    const uint64_t begin = slice * SLICE_LINES, end = slice_end(job, slice);
    const size_t size = writer->runs->key_size;
    uint32_t starts[SLICE_LINES];
    uint64_t keys[SLICE_LINES], at = writer->offsets[slice];
    for (uint64_t i = begin; i < end; i++) {
        const uint64_t line = line_at(job, i);
        starts[i - begin] = (uint32_t)at;
        at += line_size(job, line);
        if (size)
            key_store(size, keys, i - begin, key_load(size, job->job.keys.data, line));
    }
    const struct run *run = writer->run;
    return spill_write_few(spill, starts, (end - begin) * sizeof(uint32_t),
                       run->starts_at + begin * sizeof(uint32_t)) &&
           spill_write_few(spill, keys, (end - begin) * size, run->keys_at + begin * size);
}

/* The lines through a buffer; a line larger than that by itself. */
static bool write_text(const struct run_writer *writer, uint64_t slice, char *buffer,
                       size_t capacity)
{
    const struct lines_job *job = writer->job;
    const struct spill *spill = &writer->runs->spill;
    const char *text = job->lines.text.data;
    const uint64_t end = slice_end(job, slice);
    uint64_t at = writer->run->text_at + writer->offsets[slice];
    size_t used = 0;
    for (uint64_t i = slice * SLICE_LINES; i < end; i++) {
        if (i + AHEAD < end)
            __builtin_prefetch(text + lines_start(&job->lines, line_at(job, i + AHEAD)));
        const uint64_t line = line_at(job, i);
        const char *from = text + lines_start(&job->lines, line);
        const uint64_t size = line_size(job, line);
        if (used + size > capacity) {
            if (!spill_write_few(spill, buffer, used, at))
                return false;
            at += used;
            used = 0;
        }
        if (size > capacity) {
            if (!spill_write_few(spill, from, size, at))
                return false;
            at += size;
            continue;
        }
        memcpy(buffer + used, from, (size_t)size);
        used += (size_t)size;
    }
    return spill_write_few(spill, buffer, used, at);
}

static bool write_slice(void *context, uint64_t slice)
{
    enum { CAPACITY = 512 << 10 };
    const struct run_writer *writer = context;
    char *buffer = malloc(CAPACITY);
    if (!buffer)
        message("out of memory");
    const bool ok = buffer && write_starts_and_keys(writer, slice) &&
                    write_text(writer, slice, buffer, CAPACITY);
    free(buffer);
    return ok;
}

bool lines_write_run(const struct lines_job *job, struct runs *runs)
{
    const uint64_t count = job->lines.count, num_slices = (count + SLICE_LINES - 1) / SLICE_LINES;
    struct run *run = runs_add(runs, count, job->lines.text.size);
    struct run_writer writer = {job, runs, run, calloc(num_slices + 1, sizeof(uint64_t))};
    if (!writer.offsets)
        message("out of memory");
    bool ok = run && writer.offsets && (!runs->key_size || runs_begin_samples(runs, run)) &&
              parallel_for(num_slices, add_sizes, &writer);
    for (uint64_t i = 0; ok && i < num_slices; i++)
        writer.offsets[i + 1] += writer.offsets[i];
    if (ok && runs->key_size)
        runs_sample(runs, run, job->job.keys.data, job->job.indices.data, 0, count);
    const uint32_t end = (uint32_t)job->lines.text.size;
    ok = ok && parallel_for(num_slices, write_slice, &writer) &&
         spill_write_few(&runs->spill, &end, sizeof(end), run->starts_at + count * sizeof(end));
    free(writer.offsets);
    return ok;
}

/* A part on its way from the temporary file, a run an item. */
struct part_reader {
    struct lines_job *job;
    const struct runs *runs;
    const uint64_t *begins, *ends;
    uint64_t *
        firsts; /* for each run: the number of its first line in the part, and the offset of its text */
};

static bool read_lines_of_run(void *context, uint64_t i)
{
    const struct part_reader *reader = context;
    const struct runs *runs = reader->runs;
    const struct run *run = runs_at(runs, i);
    struct lines *lines = &reader->job->lines;
    const uint64_t begin = reader->begins[i], count = reader->ends[i] - begin;
    const uint64_t first = reader->firsts[2 * i], at = reader->firsts[2 * i + 1];
    uint32_t *starts = (uint32_t *)lines->starts.data + first;
    char *keys = (char *)reader->job->job.keys.data + first * runs->key_size;
    uint64_t text_begin, size;
    if (count == 0)
        return true;
    if (!runs_text_between(runs, i, begin, begin + count, &text_begin, &size) ||
        !spill_read_few(&runs->spill, starts, count * sizeof(*starts),
                        run->starts_at + begin * sizeof(*starts)) ||
        !spill_read_few(&runs->spill, (char *)lines->text.data + at, size,
                        run->text_at + text_begin))
        return false;
    const uint32_t shift = (uint32_t)(at - text_begin);
    for (uint64_t line = 0; line < count; line++)
        starts[line] += shift;
    return !runs->key_size || spill_read_few(&runs->spill, keys, count * runs->key_size,
                                             run->keys_at + begin * runs->key_size);
}

bool lines_read_part(struct lines_job *job, const struct runs *runs, const uint64_t *begins,
                     const uint64_t *ends, uint64_t count, uint64_t size)
{
    struct part_reader reader = {job, runs, begins, ends,
                                 calloc(2 * runs->num + 1, sizeof(uint64_t))};
    struct lines *lines = &job->lines;
    bool ok = reader.firsts != NULL;
    if (!ok)
        message("out of memory");
    uint64_t first = 0, at = 0;
    for (uint64_t i = 0; ok && i < runs->num; i++) {
        uint64_t text_begin, text_size = 0;
        reader.firsts[2 * i] = first;
        reader.firsts[2 * i + 1] = at;
        if (begins[i] < ends[i])
            ok = runs_text_between(runs, i, begins[i], ends[i], &text_begin, &text_size);
        first += ends[i] - begins[i];
        at += text_size;
    }
    lines->count = count;
    lines->text.size = (size_t)size;
    lines->starts.size = (size_t)(count + 1) * sizeof(uint32_t);
    job->job.keys.size = (size_t)(count * runs->key_size);
    ok = ok && parallel_for(runs->num, read_lines_of_run, &reader);
    if (ok)
        ((uint32_t *)lines->starts.data)[count] = (uint32_t)size;
    free(reader.firsts);
    return ok;
}
