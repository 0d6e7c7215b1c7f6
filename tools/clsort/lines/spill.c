/* spill.c: lines written to a run in their order, and read back. */
#include "lines/pieces.h"

#include "numbers/key.h"
#include "cli/message.h"
#include "memory/parallel.h"

#include <stdlib.h>
#include <string.h>

enum { SLICE_LINES = 4096, AHEAD = 16 };

/* One run on its way to the temporary file. */
struct run_writer {
    const struct lines_job *job;
    const struct runs *runs;
    const struct run *run;
    uint64_t first;    /* the number of the first line in memory */
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

static bool write_positions(const struct run_writer *writer, uint64_t slice)
{
    const uint64_t begin = slice * SLICE_LINES, end = slice_end(writer->job, slice);
    const size_t size = writer->runs->value_size;
    uint64_t positions[SLICE_LINES];
    for (uint64_t i = begin; size && i < end; i++)
        key_store(size, positions, i - begin, writer->first + line_at(writer->job, i));
    return spill_write_few(&writer->runs->spill, positions, (end - begin) * size,
                           writer->run->values_at + begin * size);
}

static bool write_starts_and_keys(const struct run_writer *writer, uint64_t slice)
{
    const struct lines_job *job = writer->job;
    const struct spill *spill = &writer->runs->spill;
    const uint64_t begin = slice * SLICE_LINES, end = slice_end(job, slice);
    const size_t size = writer->runs->keys.size;
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
                    write_positions(writer, slice) && write_text(writer, slice, buffer, CAPACITY);
    free(buffer);
    return ok;
}

bool lines_write_run(const struct lines_job *job, struct runs *runs, uint64_t first)
{
    const uint64_t count = job->lines.count, num_slices = (count + SLICE_LINES - 1) / SLICE_LINES;
    if (runs->value_size == 4 && first + count > UINT64_C(1) << 32) {
        message("there are too many lines for positions of 4 bytes; use --argsort=8");
        return false;
    }
    struct run *run = runs_add(runs, count, job->lines.text.size);
    struct run_writer writer = {job, runs, run, first, calloc(num_slices + 1, sizeof(uint64_t))};
    if (!writer.offsets)
        message("out of memory");
    bool ok = run && writer.offsets && (!runs->keys.size || runs_begin_samples(runs, run)) &&
              parallel_for(num_slices, add_sizes, &writer);
    for (uint64_t i = 0; ok && i < num_slices; i++)
        writer.offsets[i + 1] += writer.offsets[i];
    if (ok && runs->keys.size)
        runs_sample(runs, run, job->job.keys.data, job->job.indices.data, 0, count);
    const uint32_t end = (uint32_t)job->lines.text.size;
    ok = ok && parallel_for(num_slices, write_slice, &writer) &&
         spill_write_few(&runs->spill, &end, sizeof(end), run->starts_at + count * sizeof(end));
    free(writer.offsets);
    return ok;
}

/* What a part has of a run. */
struct share {
    uint64_t begin, count; /* lines of the run */
    uint64_t first;        /* of them in the part */
    uint64_t text_begin;   /* bytes: in the run's text */
    uint64_t text_first;   /* and in the part's */
    uint64_t text_size;
};

struct part_reader {
    struct lines_job *job;
    const struct runs *runs;
    const struct share *shares; /* of each run */
};

/* The shares between two positions of each run. False: they are not `count` lines of `size` bytes,
 * as they were when the part was cut, or cannot be read. */
static bool share_out(const struct runs *runs, const uint64_t *begins, const uint64_t *ends,
                      uint64_t count, uint64_t size, struct share *shares)
{
    uint64_t first = 0, at = 0;
    for (uint64_t i = 0; i < runs->num; i++) {
        struct share *share = &shares[i];
        *share = (struct share){
            .begin = begins[i], .count = ends[i] - begins[i], .first = first, .text_first = at};
        if (share->count &&
            !runs_text_between(runs, i, begins[i], ends[i], &share->text_begin, &share->text_size))
            return false;
        first += share->count;
        at += share->text_size;
    }
    return (first == count && at == size) || spill_refuse_damage(&runs->spill);
}

static uint64_t list_spans(const struct part_reader *reader, struct span *spans)
{
    const struct runs *runs = reader->runs;
    struct lines_job *job = reader->job;
    char *const to[] = {job->lines.starts.data, job->job.keys.data, job->positions.data};
    const uint64_t sizes[] = {sizeof(uint32_t), runs->keys.size, runs->value_size};
    uint64_t num = 0;
    for (uint64_t i = 0; i < runs->num; i++) {
        const struct run *run = runs_at(runs, i);
        const struct share *share = &reader->shares[i];
        const uint64_t places[] = {run->starts_at, run->keys_at, run->values_at};
        for (int k = 0; k < 3; k++) {
            if (sizes[k])
                spans[num++] =
                    (struct span){to[k] + share->first * sizes[k],
                                  places[k] + share->begin * sizes[k], share->count * sizes[k]};
        }
        spans[num++] = (struct span){(char *)job->lines.text.data + share->text_first,
                                     run->text_at + share->text_begin, share->text_size};
    }
    return num;
}

/* Makes the starts in the run's text those in the part's. Every line has a byte at least. */
static bool shift_starts(void *context, uint64_t i)
{
    const struct part_reader *reader = context;
    const struct share *share = &reader->shares[i];
    uint32_t *starts = (uint32_t *)reader->job->lines.starts.data + share->first;
    const uint64_t end = share->text_begin + share->text_size;
    for (uint64_t line = 0, least = share->text_begin; line < share->count; line++) {
        const uint64_t start = starts[line];
        if (start < least || start >= end || (line == 0 && start > least))
            return spill_refuse_damage(&reader->runs->spill);
        least = start + 1;
        starts[line] = (uint32_t)(start - share->text_begin + share->text_first);
    }
    return true;
}

bool lines_read_part(struct lines_job *job, const struct runs *runs, const uint64_t *begins,
                     const uint64_t *ends, uint64_t count, uint64_t size)
{
    struct share *shares = calloc(runs->num + 1, sizeof(*shares));
    struct span *spans = calloc(4 * runs->num + 1, sizeof(*spans));
    struct part_reader reader = {job, runs, shares};
    struct lines *lines = &job->lines;
    bool ok = shares && spans;
    if (!ok)
        message("out of memory");
    lines->count = count;
    lines->text.size = (size_t)size;
    lines->starts.size = (size_t)(count + 1) * sizeof(uint32_t);
    job->job.keys.size = (size_t)(count * runs->keys.size);
    job->positions.size = (size_t)(count * runs->value_size);
    ok = ok && (!runs->value_size || bytes_reserve(&job->positions, job->positions.size)) &&
         share_out(runs, begins, ends, count, size, shares) &&
         spill_read(&runs->spill, spans, list_spans(&reader, spans)) &&
         parallel_for(runs->num, shift_starts, &reader);
    if (ok)
        ((uint32_t *)lines->starts.data)[count] = (uint32_t)size;
    free(shares);
    free(spans);
    return ok;
}

uint64_t lines_position(const struct lines_job *job, uint64_t i)
{
    return job->positions.data ? key_load(job->position_size, job->positions.data, i) : i;
}

bool lines_write_positions(const struct lines_job *job, struct output *output)
{
    uint64_t positions[SLICE_LINES];
    const size_t size = job->position_size;
    for (uint64_t slice = 0; slice * SLICE_LINES < job->lines.count; slice++) {
        const uint64_t begin = slice * SLICE_LINES, end = slice_end(job, slice);
        for (uint64_t i = begin; i < end; i++)
            key_store(size, positions, i - begin, lines_position(job, line_at(job, i)));
        if (!output_write(output, positions, (end - begin) * size))
            return false;
    }
    return true;
}
