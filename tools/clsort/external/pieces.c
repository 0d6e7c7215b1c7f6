#include "cli/message.h"
#include "cli/progress.h"
#include "external/runs.h"
#include "memory/parallel.h"
#include "numbers/sort_job.h"
#include "numbers/verify.h"

#include <inttypes.h>
#include <pthread.h>

/* Pieces on their way at once. Piece i is in slot i % PIPELINE_SLOTS, which no other piece uses
 * until i has passed the last stage. */
enum { PIPELINE_SLOTS = 3 };

/* Elements on their way: of the input until they are a run, then of several runs. */
struct piece {
    char *keys, *values;
    uint64_t first, count; /* elements; of the input or of the output */
    struct run run;        /* what the elements become */
};

struct pieces {
    struct sort_job *job;
    const struct sort_settings *options;
    struct input *input;
    struct output *output;
    clsort_desc desc; /* of a piece: indices are values that move with the keys */
    struct runs runs;
    struct bytes values; /* of all slots; job->keys has the keys */
    uint64_t capacity;   /* keys of a piece */
    uint64_t num_read;   /* keys */
    struct piece slots[PIPELINE_SLOTS];
    uint64_t output_hash;
    uint64_t last_rank, last_value; /* written last */
    struct unique unique;           /* where of equal keys the first alone is written */
};

/* The sort of a piece. */
static clsort_desc piece_desc(const clsort_desc *all)
{
    clsort_desc desc = *all;
    desc.value_size = all->index_size;
    desc.index_size = 0;
    desc.stable = all->stable || all->index_size > 0;
    return desc;
}

static bool fits(const struct sort_job *job, const struct sort_settings *options, uint64_t count)
{
    clsort_desc desc = piece_desc(&job->desc);
    desc.count = count;
    const uint64_t keys = count * job->elements.size, values = count * desc.value_size;
    uint64_t host = 0;
    if (!job->device.sorter)
        host = host_sort_cost(&desc);
    else if (!device_fits(&job->device, &desc, keys + values, keys > values ? keys : values, &host))
        return false;
    return PIPELINE_SLOTS * (keys + values) + host <= options->memory;
}

/* Large pieces begin and end with a page, in memory and in files. */
static uint64_t round_capacity(uint64_t count, bool is_up)
{
    enum { STEP = DIRECT_PAGE, FEW = 4 * STEP };
    return count < FEW ? count : (count + (is_up ? STEP - 1 : 0)) / STEP * STEP;
}

uint64_t pieces_capacity(const struct sort_job *job, const struct sort_settings *options)
{
    uint64_t low = 1, high = options->memory / job->elements.size + 1;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (fits(job, options, middle))
            low = middle;
        else
            high = middle;
    }
    return round_capacity(low, false);
}

/* Pieces of half the size as long as there is no memory. */
static void reserve_slots(struct pieces *pieces)
{
    enum { LEAST = 1 << 10 };
    const struct runs *runs = &pieces->runs;
    const bool is_alone = !pieces->job->device.sorter;
    for (;;) {
        const uint64_t most = PIPELINE_SLOTS * pieces->capacity;
        pieces->desc.count = pieces->capacity;
        if (bytes_try(&pieces->job->keys, most * runs->keys.size) &&
            (!runs->value_size || bytes_try(&pieces->values, most * runs->value_size)) &&
            (!is_alone || host_sort_has_memory(&pieces->desc)))
            return;
        bytes_free(&pieces->job->keys);
        bytes_free(&pieces->values);
        if (pieces->capacity <= LEAST)
            bytes_refuse(most * (runs->keys.size + runs->value_size));
        pieces->capacity /= 2;
    }
}

/* Equal pieces, where the number of keys is known, and room for all there will be. */
static void begin(struct pieces *pieces)
{
    struct runs *runs = &pieces->runs;
    const uint64_t count = pieces->input->source.size / runs->keys.size;
    const uint64_t num = (count + pieces->capacity - 1) / pieces->capacity;
    if (num > 0)
        pieces->capacity = round_capacity((count + num - 1) / num, true);
    const uint64_t run = runs->keys.size + runs->value_size;
    const uint64_t written = runs->value_size ? runs->value_size : runs->keys.size;
    progress_stage("sorting", count * (runs->keys.size + 2 * run + written));
    const uint64_t reserved = pieces->job->is_unique ? 0 : count * written;
    input_put_back(pieces->input, &pieces->job->keys);
    spill_open(&runs->spill, pieces->options->dir, count * run);
    output_reserve(pieces->output, reserved);
    reserve_slots(pieces);
    for (uint64_t i = 0; i < PIPELINE_SLOTS; i++) {
        const uint64_t first = i * pieces->capacity;
        pieces->slots[i].keys = (char *)pieces->job->keys.data + first * runs->keys.size;
        if (runs->value_size)
            pieces->slots[i].values = (char *)pieces->values.data + first * runs->value_size;
    }
}

static uint64_t hash(const struct pieces *pieces, const struct piece *piece)
{
    return multiset_hash(piece->keys, pieces->runs.keys.size, piece->values,
                         pieces->desc.value_size, piece->count);
}

static void check_order(struct pieces *pieces, const struct piece *piece)
{
    const bool is_descending = pieces->desc.order == CLSORT_DESCENDING;
    const size_t value_size = pieces->runs.value_size;
    for (uint64_t i = 0; i < piece->count; i++) {
        const uint64_t rank = element_rank(&pieces->runs.keys, piece->keys, i);
        const uint64_t value = value_size ? key_load(value_size, piece->values, i) : 0;
        const bool is_first = piece->first + i == 0;
        const bool is_wrong = is_descending ? rank > pieces->last_rank : rank < pieces->last_rank;
        const bool is_swapped =
            value_size && rank == pieces->last_rank && value <= pieces->last_value;
        if (!is_first && (is_wrong || is_swapped))
            output_refute(pieces->output, "the output is out of order at key %" PRIu64,
                          piece->first + i);
        pieces->last_rank = rank;
        pieces->last_value = value;
    }
}

/* Looks at the order, also behind the part before, and adds it up. */
static void check_part(struct pieces *pieces, const struct piece *piece)
{
    const double start = seconds_now();
    check_order(pieces, piece);
    pieces->output_hash += hash(pieces, piece);
    sort_timed(pieces->job, STAGE_CHECKING, start);
}

static struct piece *piece_at(struct pieces *pieces, uint64_t i)
{
    return &pieces->slots[i % PIPELINE_SLOTS];
}

static void sort_piece(struct pieces *pieces, uint64_t i)
{
    struct sort_job *job = pieces->job;
    const struct piece *piece = piece_at(pieces, i);
    const double start = seconds_now();
    pieces->desc.count = piece->count;
    const clsort_arrays arrays = {.keys = piece->keys,
                                  .values = pieces->desc.value_size ? piece->values : NULL};
    device_sort_arrays(&job->device, &pieces->desc, &arrays);
    sort_timed(job, STAGE_SORTING, start);
}

static void read_piece(struct pieces *pieces, uint64_t i)
{
    struct piece *piece = piece_at(pieces, i);
    const double start = seconds_now();
    const uint64_t key_size = pieces->runs.keys.size;
    piece->first = pieces->num_read;
    piece->count =
        input_read_many(pieces->input, piece->keys, pieces->capacity * key_size) / key_size;
    pieces->num_read += piece->count;
    if (pieces->desc.value_size == 4 && pieces->num_read > UINT64_C(1) << 32)
        die("there are too many keys for indices of 4 bytes; use --argsort=8");
    sort_timed(pieces->job, STAGE_READING, start);
}

/* The positions of a piece's keys among all. */
static void number(const struct pieces *pieces, const struct piece *piece)
{
    const size_t size = pieces->desc.value_size;
    for (uint64_t i = 0; size && i < piece->count; i++)
        key_store(size, piece->values, i, piece->first + i);
}

static void sort_to_run(struct pieces *pieces, uint64_t i)
{
    struct piece *piece = piece_at(pieces, i);
    number(pieces, piece);
    if (pieces->options->is_verified)
        pieces->job->input_hash += hash(pieces, piece);
    sort_piece(pieces, i);
    piece->run = *runs_add(&pieces->runs, piece->keys, piece->count);
}

static void write_run(struct pieces *pieces, uint64_t i)
{
    const struct piece *piece = piece_at(pieces, i);
    const double start = seconds_now();
    runs_write(&pieces->runs, &piece->run, piece->keys, piece->values);
    sort_timed(pieces->job, STAGE_WRITING, start);
}

static void read_part(struct pieces *pieces, uint64_t i)
{
    struct piece *piece = piece_at(pieces, i);
    struct runs *runs = &pieces->runs;
    const double start = seconds_now();
    piece->first = runs->num_cut;
    piece->count = smaller(runs->total - runs->num_cut, pieces->capacity);
    if (piece->count > 0)
        runs_read_part(runs, piece->count, piece->keys, piece->values);
    sort_timed(pieces->job, STAGE_READING, start);
}

static void write_part(struct pieces *pieces, uint64_t i)
{
    const struct piece *piece = piece_at(pieces, i);
    if (pieces->options->is_verified)
        check_part(pieces, piece);
    const double start = seconds_now();
    const bool is_argsort = pieces->runs.value_size > 0;
    const char *data = is_argsort ? piece->values : piece->keys;
    const uint32_t size = is_argsort ? pieces->runs.value_size : pieces->runs.keys.size;
    const struct unique_keys keys = {.keys = piece->keys, .count = piece->count};
    if (pieces->job->is_unique)
        unique_write(&pieces->unique, &keys, data, size, pieces->output);
    else
        output_write_many(pieces->output, data, piece->count * size);
    sort_timed(pieces->job, STAGE_WRITING, start);
}

/* ---- The stages ------------------------------------------------------------------------------ */

/* Pieces are read, sorted and written, each stage by a thread of its own, so that one piece is read
 * while the one before it is sorted and the one before that is written. The calling thread sorts,
 * and does the work of a thread that is not to be had. An empty piece is read at the end. */
enum stage { READ, SORT, WRITE, ALL_STAGES };
typedef void stage_function(struct pieces *pieces, uint64_t piece);

/* All but the stages and the pieces under the mutex. */
struct pipeline {
    stage_function *const *stages;
    struct pieces *pieces;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t num_done[ALL_STAGES]; /* pieces that have passed a stage */
    uint64_t num_pieces;           /* UINT64_MAX until the last has been read */
};

/* What a thread does with each piece: one stage, or several in their order. */
struct share {
    struct pipeline *pipeline;
    bool has_stage[ALL_STAGES];
};

/* Waits until a stage may begin its next piece; false: there is none. */
static bool wait_for_piece(struct pipeline *pipeline, enum stage stage, uint64_t piece)
{
    pthread_mutex_lock(&pipeline->mutex);
    for (;;) {
        const bool is_ready = stage == READ ? piece < pipeline->num_done[WRITE] + PIPELINE_SLOTS
                                            : piece < pipeline->num_done[stage - 1];
        if (is_ready || piece >= pipeline->num_pieces)
            break;
        pthread_cond_wait(&pipeline->changed, &pipeline->mutex);
    }
    const bool has_piece = piece < pipeline->num_pieces;
    pthread_mutex_unlock(&pipeline->mutex);
    return has_piece;
}

/* False: there is no such piece. */
static bool run_stage(struct pipeline *pipeline, enum stage stage, uint64_t piece)
{
    if (!wait_for_piece(pipeline, stage, piece))
        return false;
    pipeline->stages[stage](pipeline->pieces, piece);
    pthread_mutex_lock(&pipeline->mutex);
    if (piece_at(pipeline->pieces, piece)->count == 0)
        pipeline->num_pieces = piece;
    else
        pipeline->num_done[stage] = piece + 1;
    pthread_cond_broadcast(&pipeline->changed);
    pthread_mutex_unlock(&pipeline->mutex);
    return true;
}

static void *run_share(void *argument)
{
    const struct share *share = argument;
    for (uint64_t piece = 0;; piece++) {
        for (int stage = 0; stage < ALL_STAGES; stage++) {
            if (share->has_stage[stage] && !run_stage(share->pipeline, (enum stage)stage, piece))
                return NULL;
        }
    }
}

/* Runs all pieces in their order. */
static void run_stages(struct pieces *pieces, stage_function *const stages[ALL_STAGES])
{
    struct pipeline pipeline = {.stages = stages,
                                .pieces = pieces,
                                .mutex = PTHREAD_MUTEX_INITIALIZER,
                                .changed = PTHREAD_COND_INITIALIZER,
                                .num_pieces = UINT64_MAX};
    struct share own = {.pipeline = &pipeline}, others[ALL_STAGES];
    pthread_t threads[ALL_STAGES];
    for (int stage = 0; stage < ALL_STAGES; stage++) {
        others[stage] = (struct share){.pipeline = &pipeline};
        others[stage].has_stage[stage] = true;
        own.has_stage[stage] =
            stage == SORT || !parallel_begin(&threads[stage], run_share, &others[stage]);
    }
    run_share(&own);
    for (int stage = 0; stage < ALL_STAGES; stage++) {
        if (!own.has_stage[stage])
            parallel_join(threads[stage]);
    }
}

/* From the input to runs, and from these to the output, part by part. */
static void sort_all(struct pieces *pieces)
{
    static stage_function *const to_runs[] = {read_piece, sort_to_run, write_run};
    static stage_function *const to_output[] = {read_part, sort_piece, write_part};
    run_stages(pieces, to_runs);
    runs_begin_parts(&pieces->runs, 0);
    run_stages(pieces, to_output);
    if (pieces->options->is_verified && pieces->output_hash != pieces->job->input_hash)
        output_refute(pieces->output, NO_PERMUTATION);
}

void pieces_sort_file(struct sort_job *job, const struct sort_settings *options,
                      struct input *input, struct output *output)
{
    struct pieces pieces = {.job = job, .options = options, .input = input, .output = output};
    pieces.desc = piece_desc(&job->desc);
    pieces.capacity = pieces_capacity(job, options);
    pieces.runs.order = job->desc.order;
    pieces.runs.keys = job->elements;
    pieces.runs.value_size = pieces.desc.value_size;
    pieces.unique.elements = &job->elements;
    begin(&pieces);
    sort_all(&pieces);
    output_finish(output);
    job->desc.count = pieces.runs.total;
    job->num_written = pieces.unique.num_written;
    if (job->device.sorter) {
        pieces.desc.count = pieces.capacity;
        clsort_get_plan(job->device.sorter, &pieces.desc, &job->plan, NULL, 0);
    }
    bytes_free(&pieces.values);
    job->num_pieces = pieces.runs.num;
    job->num_spilled = pieces.runs.spill.size;
    runs_close(&pieces.runs);
}
