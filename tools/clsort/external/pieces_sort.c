/* pieces_sort.c: from the input to runs, and from runs to the output. */
#include "external/pieces_job.h"

#include "numbers/key.h"
#include "cli/message.h"

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
    const struct run *run =
        sort_piece(pieces, piece) ? runs_add(&pieces->runs, piece->keys, piece->count) : NULL;
    if (run)
        piece->run = *run;
    return run != NULL;
}

static bool write_run(void *context, uint64_t i)
{
    struct pieces *pieces = context;
    const struct piece *piece = piece_at(pieces, i);
    const double start = seconds_now();
    const bool ok = runs_write(&pieces->runs, &piece->run, piece->keys, piece->values);
    pieces->job->seconds[STAGE_WRITING] += seconds_now() - start;
    return ok;
}

bool pieces_write_runs(struct pieces *pieces)
{
    return pipeline_run(&(struct pipeline){read_piece, sort_to_run, write_run, pieces});
}

static bool read_part(void *context, uint64_t i, bool *has_piece_ret)
{
    struct pieces *pieces = context;
    struct piece *piece = piece_at(pieces, i);
    struct runs *runs = &pieces->runs;
    const uint64_t left = runs->total - runs->num_cut;
    const double start = seconds_now();
    piece->first = runs->num_cut;
    piece->count = left < pieces->capacity ? left : pieces->capacity;
    *has_piece_ret = piece->count > 0;
    const bool ok =
        !*has_piece_ret || runs_read_part(runs, piece->count, piece->keys, piece->values);
    pieces->job->seconds[STAGE_READING] += seconds_now() - start;
    return ok;
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
    return runs_begin_parts(&pieces->runs, 0) &&
           pipeline_run(&(struct pipeline){read_part, sort_part, write_part, pieces}) &&
           pieces_check_end(pieces);
}
