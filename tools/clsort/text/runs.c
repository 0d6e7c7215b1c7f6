/* runs.c: sorted pieces in the temporary file, and how they are merged: a number of them at
 * once that the memory has room for, in several rounds if need be. */
#include "text/job.h"

#include "cli/message.h"
#include "cli/progress.h"
#include "numbers/verify.h"

#include <string.h>

size_t text_put_position(const struct text_job *job, uint64_t position, char to[TEXT_POSITION])
{
    if (!text_is_typed(&job->order)) {
        key_store(job->options.index_size, to, 0, position);
        return job->options.index_size;
    }
    const size_t size = text_print(CLSORT_U64, position, to);
    to[size] = '\n';
    return size + 1;
}

void text_write_positions(struct text_job *job)
{
    enum { BLOCK = 1 << 16 };
    const struct bytes *indices = &job->sort.indices;
    const uint32_t *lines = indices->data;
    const uint64_t count = indices->size / sizeof(*lines);
    char block[BLOCK];
    size_t used = 0;
    if (!text_is_typed(&job->order) && job->options.index_size == sizeof(*lines)) {
        output_write(&job->output, lines, indices->size);
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (used + TEXT_POSITION > BLOCK) {
            output_write(&job->output, block, used);
            used = 0;
        }
        used += text_put_position(job, lines[i], block + used);
    }
    output_write(&job->output, block, used);
}

static struct text_run *last_run(const struct text_job *job)
{
    return (struct text_run *)((char *)job->runs.data + job->runs.size) - 1;
}

void text_put(struct text_job *job, bool is_run, const void *data, size_t size)
{
    if (!is_run) {
        output_write(&job->output, data, size);
        return;
    }
    struct text_run *run = last_run(job);
    spill_write_few(&job->spill, data, size, run->at + run->size);
    run->size += size;
}

void text_open_spill(struct text_job *job)
{
    if (!job->spill.dir)
        spill_open(&job->spill, job->options.dir, job->expected_size);
}

void text_begin_run(struct text_job *job)
{
    text_open_spill(job);
    const struct text_run run = {.at = job->spill.size};
    bytes_append(&job->runs, &run, sizeof(run));
}

void text_end_run(struct text_job *job)
{
    spill_take(&job->spill, last_run(job)->size);
}

/* With positions, a line has its number in front. */
void text_write_run(struct text_job *job)
{
    const uint64_t end = job->num_lines + job->lines.count;
    if (job->options.index_size == sizeof(uint32_t) && end > UINT64_C(1) << 32)
        die("there are too many lines for positions of 4 bytes; use --argsort=8");
    for (uint64_t i = 0; job->options.is_verified && i < job->lines.count; i++) {
        size_t size;
        const char *line = text_line(job, i, &size);
        const uint64_t position = job->num_lines + i;
        job->hash +=
            multiset_hash(line, size, &position, job->options.index_size ? TEXT_HEAD : 0, 1);
    }
    text_begin_run(job);
    text_write_piece(job, true);
    text_end_run(job);
}

void text_free_piece(struct text_job *job)
{
    bytes_free(&job->lines.text);
    bytes_free(&job->lines.starts);
    bytes_free(&job->sort.keys);
    bytes_free(&job->sort.indices);
    for (int i = 0; i < TEXT_MAX_THREADS; i++) {
        text_coder_free(&job->coders[i]);
        text_coder_free(&job->others[i]);
        bytes_free(&job->groups[i]);
        bytes_free(&job->tails[i]);
    }
}

static void open_run(struct text_job *job, struct text_stream *stream, uint64_t i, size_t block)
{
    const struct text_run *run = (const struct text_run *)job->runs.data + i;
    *stream = (struct text_stream){.spill = &job->spill,
                                   .at = run->at,
                                   .left = run->size,
                                   .end = job->order.end,
                                   .elements = job->order.elements,
                                   .head_size = job->options.index_size ? TEXT_HEAD : 0,
                                   .block_size = block};
}

static uint64_t num_runs(const struct text_job *job)
{
    return job->runs.size / sizeof(struct text_run);
}

/* Merges neighbouring runs, of which the memory has room for blocks, to fewer that take their
 * place. */
static void merge_to_fewer(struct text_job *job, uint64_t most)
{
    struct bytes *runs = &job->runs;
    const size_t size = runs->size;
    const uint64_t num = num_runs(job);
    for (uint64_t i = 0; i < num; i += most)
        text_merge(job, open_run, i, smaller(num - i, most), true);
    runs->size -= size;
    memmove(runs->data, (char *)runs->data + size, runs->size);
}

void text_merge_runs(struct text_job *job)
{
    enum { BLOCK = 1 << 15, FEWEST = 16, MOST = 1024 };
    const double start = seconds_now();
    const uint64_t share = job->options.memory / 2 / BLOCK;
    const uint64_t most = share < FEWEST ? FEWEST : smaller(share, MOST);
    text_free_piece(job);
    progress_stage("merging", 0);
    while (num_runs(job) > most)
        merge_to_fewer(job, most);
    text_merge(job, open_run, 0, num_runs(job), false);
    sort_timed(&job->sort, STAGE_WRITING, start);
}
