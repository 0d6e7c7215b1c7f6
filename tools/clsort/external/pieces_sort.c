/* pieces_sort.c: from the input to runs, and from runs to the output. */
#include "external/pieces_job.h"

#include "memory/device_sort.h"
#include "numbers/key.h"
#include "cli/message.h"

#include <stdlib.h>
#include <string.h>

static struct piece *piece_at(struct pieces *pieces, uint64_t i)
{
    return &pieces->slots[i % PIPELINE_SLOTS];
}

static bool sort_piece(struct pieces *pieces, const struct piece *piece)
{
    struct sort_job *job = pieces->job;
    const double start = seconds_now();
    pieces->desc.count = piece->count;
    const clsort_arrays arrays = {.keys = piece->keys,
                                  .values = pieces->desc.value_size ? piece->values : NULL};
    const bool ok = device_sort_arrays(&job->device, &pieces->desc, &arrays);
    job->seconds[STAGE_SORTING] += seconds_now() - start;
    return ok;
}

static bool read_piece(void *context, uint64_t i, bool *has_piece_ret)
{
    struct pieces *pieces = context;
    struct piece *piece = piece_at(pieces, i);
    const double start = seconds_now();
    const uint64_t key_size = pieces->runs.keys.size;
    uint64_t size;
    if (!input_read_many(pieces->input, piece->keys, pieces->capacity * key_size, &size))
        return false;
    piece->first = pieces->num_read;
    piece->count = size / key_size;
    if (pieces->desc.value_size == 4 && pieces->num_read + piece->count > UINT64_C(1) << 32) {
        message("there are too many keys for indices of 4 bytes; use --argsort=8");
        return false;
    }
    pieces->num_read += piece->count;
    pieces->job->seconds[STAGE_READING] += seconds_now() - start;
    *has_piece_ret = piece->count > 0;
    return true;
}

/* The positions of a piece's keys among all. */
static void number(const struct pieces *pieces, const struct piece *piece)
{
    const size_t size = pieces->desc.value_size;
    for (uint64_t i = 0; size && i < piece->count; i++)
        key_store(size, piece->values, i, piece->first + i);
}

static bool sort_to_run(void *context, uint64_t i)
{
    struct pieces *pieces = context;
    struct piece *piece = piece_at(pieces, i);
    number(pieces, piece);
    pieces_check_input(pieces, piece);
    struct run *run = sort_piece(pieces, piece) ? runs_add(&pieces->runs, piece->count) : NULL;
    if (!run || !runs_begin_samples(&pieces->runs, run))
        return false;
    runs_sample(&pieces->runs, run, piece->keys, 0, piece->count);
    piece->run = *run;
    return true;
}

static bool write_run(void *context, uint64_t i)
{
    struct pieces *pieces = context;
    const struct piece *piece = piece_at(pieces, i);
    const struct runs *runs = &pieces->runs;
    const double start = seconds_now();
    const struct span spans[] = {{piece->keys, piece->run.keys_at, piece->count * runs->keys.size},
                                 {piece->values, piece->run.values_at,
                                  piece->count * runs->value_size}};
    const bool ok = spill_write(&runs->spill, spans, runs->value_size ? 2 : 1);
    pieces->job->seconds[STAGE_WRITING] += seconds_now() - start;
    return ok;
}

bool pieces_write_runs(struct pieces *pieces)
{
    return pipeline_run(&(struct pipeline){read_piece, sort_to_run, write_run, pieces});
}

/* Where the part's elements lie in the runs, and where in memory. */
static uint64_t list_spans(struct pieces *pieces, const struct piece *piece)
{
    const struct runs *runs = &pieces->runs;
    uint64_t num = 0, at = 0;
    for (uint64_t i = 0; i < runs->num; i++) {
        const struct run *run = runs_at(runs, i);
        const uint64_t begin = pieces->before[i], count = pieces->cuts[i] - begin;
        const uint64_t sizes[] = {runs->keys.size, runs->value_size};
        const uint64_t places[] = {run->keys_at, run->values_at};
        char *const to[] = {piece->keys, piece->values};
        for (int k = 0; k < 2 && count > 0; k++) {
            if (sizes[k])
                pieces->spans[num++] =
                    (struct span){to[k] + at * sizes[k], places[k] + begin * sizes[k],
                                  count * sizes[k]};
        }
        at += count;
    }
    return num;
}

static bool read_part(void *context, uint64_t i, bool *has_piece_ret)
{
    struct pieces *pieces = context;
    struct piece *piece = piece_at(pieces, i);
    struct runs *runs = &pieces->runs;
    const uint64_t left = runs->total - pieces->num_cut;
    const double start = seconds_now();
    piece->first = pieces->num_cut;
    piece->count = left < pieces->capacity ? left : pieces->capacity;
    *has_piece_ret = piece->count > 0;
    if (!*has_piece_ret)
        return true;
    pieces->num_cut += piece->count;
    if (!runs_cut(runs, pieces->num_cut, pieces->before, pieces->cuts) ||
        !spill_read(&runs->spill, pieces->spans, list_spans(pieces, piece)))
        return false;
    memcpy(pieces->before, pieces->cuts, runs->num * sizeof(*pieces->cuts));
    pieces->job->seconds[STAGE_READING] += seconds_now() - start;
    return true;
}

static bool sort_part(void *context, uint64_t i)
{
    struct pieces *pieces = context;
    return sort_piece(pieces, piece_at(pieces, i));
}

static bool write_part(void *context, uint64_t i)
{
    struct pieces *pieces = context;
    const struct piece *piece = piece_at(pieces, i);
    if (!pieces_check_part(pieces, piece))
        return false;
    const double start = seconds_now();
    const bool is_argsort = pieces->runs.value_size > 0;
    const char *data = is_argsort ? piece->values : piece->keys;
    const uint32_t size = is_argsort ? pieces->runs.value_size : pieces->runs.keys.size;
    const struct unique_keys keys = {.keys = piece->keys, .count = piece->count};
    const bool ok = pieces->job->is_unique
                        ? unique_write(&pieces->unique, &keys, data, size, pieces->output)
                        : output_write_many(pieces->output, data, piece->count * size);
    pieces->job->seconds[STAGE_WRITING] += seconds_now() - start;
    return ok;
}

bool pieces_merge_runs(struct pieces *pieces)
{
    const uint64_t num = pieces->runs.num;
    pieces->before = calloc(2 * num + 1, sizeof(*pieces->before));
    pieces->spans = calloc(2 * num + 1, sizeof(*pieces->spans));
    if (!pieces->before || !pieces->spans) {
        message("out of memory");
        return false;
    }
    pieces->cuts = pieces->before + num;
    return pipeline_run(&(struct pipeline){read_part, sort_part, write_part, pieces}) &&
           pieces_check_end(pieces);
}
