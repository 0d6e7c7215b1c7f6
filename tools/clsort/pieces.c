/* pieces.c: numbers larger than memory. */
#include "pieces.h"

#include "key.h"
#include "message.h"
#include "parallel.h"
#include "progress.h"
#include "runs.h"
#include "stream_sort.h"
#include "text_sort.h"
#include "verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct pieces {
    struct sort_job *job;
    const struct pieces_options *options;
    struct input *input;
    struct output *output;
    clsort_desc desc; /* of a piece: indices are values that move with the keys */
    struct runs runs;
    struct bytes values;
    bool is_streamed;
    uint64_t capacity;       /* keys of a piece */
    uint64_t *cuts, *before; /* positions, one a run: where the part ends and begins */
    uint64_t *ends;          /* keys of the part up to the end of each run's */
    uint64_t num_read, num_written;
    uint64_t output_hash;
    uint64_t last_rank, last_value; /* written last */
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

static bool fits(const struct sort_job *job, const struct pieces_options *options, bool is_streamed,
                 uint64_t count)
{
    const struct device_facts *facts = &job->device.facts;
    clsort_desc desc = piece_desc(&job->desc);
    clsort_plan plan;
    desc.count = count;
    if (clsort_get_plan(job->device.sorter, &desc, &plan, NULL, 0))
        return false;
    const uint64_t keys = count * clsort_type_size(desc.type), values = count * desc.value_size;
    const uint64_t all = keys + values + plan.scratch_size;
    const uint64_t host = facts->is_unified ? all : is_streamed ? 0 : keys + values;
    return host <= options->memory && all <= facts->memory - facts->memory / 10 &&
           keys <= facts->max_alloc && values <= facts->max_alloc &&
           plan.scratch_size <= facts->max_alloc;
}

uint64_t pieces_capacity(const struct sort_job *job, const struct pieces_options *options,
                         bool is_streamed)
{
    const uint64_t memory =
        is_streamed && !job->device.facts.is_unified ? job->device.facts.memory : options->memory;
    uint64_t low = 1, high = memory / clsort_type_size(job->desc.type) + 1;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (fits(job, options, is_streamed, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool sort_piece(struct pieces *pieces, uint64_t count)
{
    struct sort_job *job = pieces->job;
    const double start = seconds_now();
    pieces->desc.count = count;
    const clsort_arrays arrays = {.keys = job->keys.data, .values = pieces->values.data};
    const clsort_status status = clsort_sort(job->device.sorter, &pieces->desc, &arrays);
    if (status)
        message_of_status(status, job->device.sorter);
    job->seconds[STAGE_SORTING] += seconds_now() - start;
    return !status;
}

/* The positions of a piece's keys among all. */
static void number(struct pieces *pieces, uint64_t count)
{
    const size_t size = pieces->desc.value_size;
    for (uint64_t i = 0; size && i < count; i++)
        key_store(size, pieces->values.data, i, pieces->num_read + i);
}

static uint64_t hash(const struct pieces *pieces, uint64_t count)
{
    if (!pieces->options->is_checked)
        return 0;
    return multiset_hash(pieces->job->keys.data, pieces->runs.key_size, pieces->values.data,
                         pieces->desc.value_size, count);
}

/* Sorts the first keys in memory, as many as a piece has, and writes them. */
static bool write_run(struct pieces *pieces)
{
    struct bytes *keys = &pieces->job->keys;
    struct runs *runs = &pieces->runs;
    const uint64_t num_keys = keys->size / runs->key_size;
    const uint64_t count = num_keys < pieces->capacity ? num_keys : pieces->capacity;
    number(pieces, count);
    pieces->job->input_hash += hash(pieces, count);
    if (count == 0)
        return true;
    struct run *run = sort_piece(pieces, count) ? runs_add(runs, count, 0) : NULL;
    const double start = seconds_now();
    const bool ok =
        run && runs_begin_samples(runs, run) &&
        spill_write(&runs->spill, keys->data, count * runs->key_size, run->keys_at) &&
        spill_write(&runs->spill, pieces->values.data, count * runs->value_size, run->values_at);
    if (ok)
        runs_sample(runs, run, keys->data, NULL, 0, count);
    pieces->job->seconds[STAGE_WRITING] += seconds_now() - start;
    pieces->num_read += count;
    progress_add(count * (runs->key_size + runs->value_size));
    keys->size -= (size_t)(count * runs->key_size);
    memmove(keys->data, (char *)keys->data + count * runs->key_size, keys->size);
    return ok;
}

static bool write_runs(struct pieces *pieces)
{
    struct sort_job *job = pieces->job;
    bool has_ended = false;
    while (!has_ended || job->keys.size > 0) {
        const double start = seconds_now();
        if (!input_read_up_to(pieces->input, pieces->capacity * pieces->runs.key_size, &job->keys,
                              &has_ended))
            return false;
        job->seconds[STAGE_READING] += seconds_now() - start;
        if (!write_run(pieces))
            return false;
    }
    return true;
}

/* A piece of the input, and the run that it becomes. */
struct streamed_run {
    struct pieces *pieces;
    const struct run *run;
};

static bool read_input(void *context, void *bytes, uint64_t offset, size_t size)
{
    struct pieces *pieces = ((const struct streamed_run *)context)->pieces;
    const uint64_t begin = pieces->num_read * pieces->runs.key_size;
    return input_read_at(pieces->input, bytes, begin + offset, size);
}

static bool write_to_run(void *context, void *bytes, uint64_t offset, size_t size)
{
    const struct streamed_run *streamed = context;
    const struct runs *runs = &streamed->pieces->runs;
    runs_sample(runs, streamed->run, bytes, NULL, offset / runs->key_size, size / runs->key_size);
    return spill_write_few(&runs->spill, bytes, size, streamed->run->keys_at + offset);
}

static bool stream_runs(struct pieces *pieces)
{
    struct runs *runs = &pieces->runs;
    const uint64_t total = pieces->input->reader.source.size / runs->key_size;
    while (pieces->num_read < total) {
        const uint64_t left = total - pieces->num_read;
        const uint64_t count = left < pieces->capacity ? left : pieces->capacity;
        struct run *run = runs_add(runs, count, 0);
        struct streamed_run streamed = {pieces, run};
        if (!run || !runs_begin_samples(runs, run) ||
            !stream_sort(pieces->job, count, &(struct stream_end){read_input, &streamed},
                         &(struct stream_end){write_to_run, &streamed}))
            return false;
        pieces->num_read += count;
    }
    return true;
}

/* Reads elements `at` up to `end` of the part, which is made of pieces of runs. */
static bool read_elements(const struct pieces *pieces, bool is_values, char *to, uint64_t at,
                          uint64_t end)
{
    const struct runs *runs = &pieces->runs;
    const size_t size = is_values ? runs->value_size : runs->key_size;
    for (uint64_t i = 0; at < end; i++) {
        if (pieces->ends[i] <= at)
            continue;
        const struct run *run = runs_at(runs, i);
        const uint64_t until = pieces->ends[i] < end ? pieces->ends[i] : end;
        const uint64_t position = pieces->cuts[i] - (pieces->ends[i] - at);
        const size_t bytes = (size_t)(until - at) * size;
        if (!spill_read_few(&runs->spill, to, bytes,
                            (is_values ? run->values_at : run->keys_at) + position * size))
            return false;
        to += bytes;
        at = until;
    }
    return true;
}

/* A part in memory. */
struct gathering {
    const struct pieces *pieces;
    bool is_values;
    char *to;
    uint64_t count;
};

enum { SLICE_KEYS = 1 << 19 };

static bool gather_slice(void *context, uint64_t item)
{
    const struct gathering *gathering = context;
    const struct pieces *pieces = gathering->pieces;
    const size_t size = gathering->is_values ? pieces->runs.value_size : pieces->runs.key_size;
    const uint64_t at = item * SLICE_KEYS;
    const uint64_t end = gathering->count - at < SLICE_KEYS ? gathering->count : at + SLICE_KEYS;
    return read_elements(pieces, gathering->is_values, gathering->to + at * size, at, end);
}

static bool gather(const struct pieces *pieces, uint64_t count)
{
    const double start = seconds_now();
    struct gathering keys = {pieces, false, pieces->job->keys.data, count};
    struct gathering values = {pieces, true, pieces->values.data, count};
    const uint64_t num_slices = (count + SLICE_KEYS - 1) / SLICE_KEYS;
    const bool ok = parallel_for(num_slices, gather_slice, &keys) &&
                    (!pieces->runs.value_size || parallel_for(num_slices, gather_slice, &values));
    pieces->job->seconds[STAGE_READING] += seconds_now() - start;
    progress_add(count * (pieces->runs.key_size + pieces->runs.value_size));
    return ok;
}

/* Whether a part is in order, also behind the one before it. */
static bool is_in_order(struct pieces *pieces, uint64_t count)
{
    const struct key_type *type = &key_types[pieces->desc.type];
    const bool is_descending = pieces->desc.order == CLSORT_DESCENDING;
    const void *keys = pieces->job->keys.data, *values = pieces->values.data;
    const size_t size = pieces->runs.key_size, value_size = pieces->runs.value_size;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t rank = key_rank(type, key_load(size, keys, i));
        const uint64_t value = value_size ? key_load(value_size, values, i) : 0;
        const bool is_first = pieces->num_written + i == 0;
        const bool is_wrong = is_descending ? rank > pieces->last_rank : rank < pieces->last_rank;
        const bool is_swapped =
            value_size && rank == pieces->last_rank && value <= pieces->last_value;
        if (!is_first && (is_wrong || is_swapped)) {
            message("check failed: the output is out of order at key %" PRIu64 "; %s",
                    pieces->num_written + i, output_verdict(pieces->output));
            return false;
        }
        pieces->last_rank = rank;
        pieces->last_value = value;
    }
    return true;
}

static bool check_part(struct pieces *pieces, uint64_t count)
{
    const double start = seconds_now();
    const bool ok = !pieces->options->is_checked || is_in_order(pieces, count);
    pieces->output_hash += hash(pieces, count);
    pieces->job->seconds[STAGE_CHECKING] += seconds_now() - start;
    return ok;
}

static bool write_part(struct pieces *pieces, uint64_t count)
{
    const double start = seconds_now();
    const struct runs *runs = &pieces->runs;
    const bool is_argsort = runs->value_size > 0;
    const void *data = is_argsort ? pieces->values.data : pieces->job->keys.data;
    const size_t size = is_argsort ? runs->value_size : runs->key_size;
    const bool ok = is_argsort && pieces->input->text
                        ? text_write_indices(data, size, count, pieces->output)
                        : output_write(pieces->output, data, (size_t)count * size);
    pieces->job->seconds[STAGE_WRITING] += seconds_now() - start;
    return ok;
}

static bool read_part(void *context, void *bytes, uint64_t offset, size_t size)
{
    const struct pieces *pieces = context;
    const uint64_t at = offset / pieces->runs.key_size;
    return read_elements(pieces, false, bytes, at, at + size / pieces->runs.key_size);
}

static bool write_to_output(void *context, void *bytes, uint64_t offset, size_t size)
{
    const struct pieces *pieces = context;
    const uint64_t begin = pieces->num_written * pieces->runs.key_size;
    return output_write_at(pieces->output, bytes, begin + offset, size);
}

static bool sort_part(struct pieces *pieces, uint64_t count)
{
    if (pieces->is_streamed)
        return stream_sort(pieces->job, count, &(struct stream_end){read_part, pieces},
                           &(struct stream_end){write_to_output, pieces});
    return gather(pieces, count) && sort_piece(pieces, count) && check_part(pieces, count) &&
           write_part(pieces, count);
}

/* Sorts and writes what lies between two cuts. */
static bool merge_part(struct pieces *pieces, uint64_t count)
{
    struct runs *runs = &pieces->runs;
    const double start = seconds_now();
    if (!runs_cut(runs, pieces->num_written + count, pieces->before, pieces->cuts))
        return false;
    pieces->job->seconds[STAGE_READING] += seconds_now() - start;
    uint64_t end = 0;
    for (uint64_t i = 0; i < runs->num; i++) {
        end += pieces->cuts[i] - pieces->before[i];
        pieces->ends[i] = end;
    }
    if (!sort_part(pieces, count))
        return false;
    pieces->num_written += count;
    memcpy(pieces->before, pieces->cuts, runs->num * sizeof(*pieces->cuts));
    return true;
}

static bool merge_runs(struct pieces *pieces)
{
    struct runs *runs = &pieces->runs;
    pieces->cuts = calloc(3 * runs->num + 1, sizeof(*pieces->cuts));
    if (!pieces->cuts) {
        message("out of memory");
        return false;
    }
    pieces->before = pieces->cuts + runs->num;
    pieces->ends = pieces->before + runs->num;
    while (pieces->num_written < runs->total) {
        const uint64_t left = runs->total - pieces->num_written;
        if (!merge_part(pieces, left < pieces->capacity ? left : pieces->capacity))
            return false;
    }
    if (pieces->options->is_checked && pieces->output_hash != pieces->job->input_hash) {
        message("check failed: the output is not a permutation of the input; %s",
                output_verdict(pieces->output));
        return false;
    }
    return true;
}

/* Equal pieces, where the number of keys is known, and room for all there will be. */
static bool begin(struct pieces *pieces)
{
    struct runs *runs = &pieces->runs;
    const uint64_t count =
        pieces->input->text ? 0 : pieces->input->reader.source.size / runs->key_size;
    const uint64_t num = (count + pieces->capacity - 1) / pieces->capacity;
    if (num > 0)
        pieces->capacity = (count + num - 1) / num;
    const uint64_t run = runs->key_size + runs->value_size;
    const uint64_t written = runs->value_size ? runs->value_size : runs->key_size;
    progress_stage("sorting", count * (runs->key_size + 2 * run + written));
    return spill_open(&runs->spill, pieces->options->dir, count * run) &&
           output_reserve(pieces->output, count * written) &&
           (pieces->is_streamed ||
            bytes_reserve(&pieces->job->keys, pieces->capacity * runs->key_size)) &&
           (!runs->value_size ||
            bytes_reserve(&pieces->values, pieces->capacity * runs->value_size));
}

bool pieces_sort(struct sort_job *job, const struct pieces_options *options, struct input *input,
                 struct output *output)
{
    struct pieces pieces = {.job = job, .options = options, .input = input, .output = output};
    pieces.desc = piece_desc(&job->desc);
    pieces.is_streamed = !options->is_checked && stream_is_possible(job, input, output);
    pieces.capacity = pieces_capacity(job, options, pieces.is_streamed);
    pieces.runs.type = job->desc.type;
    pieces.runs.order = job->desc.order;
    pieces.runs.key_size = clsort_type_size(job->desc.type);
    pieces.runs.value_size = pieces.desc.value_size;
    const bool ok = begin(&pieces) &&
                    (pieces.is_streamed ? stream_runs(&pieces) : write_runs(&pieces)) &&
                    merge_runs(&pieces) && output_finish(output);
    job->desc.count = pieces.runs.total;
    if (ok) {
        pieces.desc.count = pieces.capacity;
        clsort_get_plan(job->device.sorter, &pieces.desc, &job->plan, NULL, 0);
    }
    free(pieces.cuts);
    bytes_free(&pieces.values);
    runs_close(&pieces.runs);
    return ok;
}
