/* pieces.c: how large pieces are, and their memory. */
#include "external/pieces_job.h"

#include "memory/host_sort.h"
#include "cli/progress.h"

#include <stdlib.h>

/* The sort of a piece. */
static clsort_desc piece_desc(const clsort_desc *all)
{
    clsort_desc desc = *all;
    desc.value_size = all->index_size;
    desc.index_size = 0;
    desc.stable = all->stable || all->index_size > 0;
    return desc;
}

static bool fits(const struct sort_job *job, const struct pieces_options *options, uint64_t count)
{
    const struct device_facts *facts = &job->device.facts;
    clsort_desc desc = piece_desc(&job->desc);
    clsort_plan plan;
    desc.count = count;
    const uint64_t keys = count * job->elements.size, values = count * desc.value_size;
    if (!job->device.sorter)
        return PIPELINE_SLOTS * (keys + values) + host_sort_cost(&desc) <= options->memory;
    if (clsort_get_plan(job->device.sorter, &desc, &plan, NULL, 0))
        return false;
    const uint64_t all = keys + values + plan.scratch_size;
    const uint64_t host = PIPELINE_SLOTS * (keys + values) +
                          (facts->is_unified ? plan.scratch_size : 0) + job->device.host_size;
    return host <= options->memory && all <= facts->memory - facts->memory / 10 &&
           keys <= facts->max_alloc && values <= facts->max_alloc &&
           plan.scratch_size <= facts->max_alloc;
}

/* Large pieces begin and end with a page, in memory and in files. */
static uint64_t round_capacity(uint64_t count, bool is_up)
{
    enum { STEP = DIRECT_PAGE, FEW = 4 * STEP };
    return count < FEW ? count : (count + (is_up ? STEP - 1 : 0)) / STEP * STEP;
}

uint64_t pieces_capacity(const struct sort_job *job, const struct pieces_options *options)
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
static bool reserve_slots(struct pieces *pieces)
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
            return true;
        bytes_free(&pieces->job->keys);
        bytes_free(&pieces->values);
        if (pieces->capacity <= LEAST)
            return bytes_refuse(most * (runs->keys.size + runs->value_size));
        pieces->capacity /= 2;
    }
}

/* Equal pieces, where the number of keys is known, and room for all there will be. */
static bool begin(struct pieces *pieces)
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
    if (!spill_open(&runs->spill, pieces->options->dir, count * run) ||
        !output_reserve(pieces->output, reserved) || !reserve_slots(pieces))
        return false;
    for (uint64_t i = 0; i < PIPELINE_SLOTS; i++) {
        const uint64_t first = i * pieces->capacity;
        pieces->slots[i].keys = (char *)pieces->job->keys.data + first * runs->keys.size;
        if (runs->value_size)
            pieces->slots[i].values = (char *)pieces->values.data + first * runs->value_size;
    }
    return true;
}

bool pieces_sort_file(struct sort_job *job, const struct pieces_options *options,
                      struct input *input, struct output *output)
{
    struct pieces pieces = {.job = job, .options = options, .input = input, .output = output};
    pieces.desc = piece_desc(&job->desc);
    pieces.capacity = pieces_capacity(job, options);
    pieces.runs.order = job->desc.order;
    pieces.runs.keys = job->elements;
    pieces.runs.value_size = pieces.desc.value_size;
    pieces.unique.elements = &job->elements;
    const bool ok = begin(&pieces) && pieces_write_runs(&pieces) && pieces_merge_runs(&pieces) &&
                    output_finish(output);
    job->desc.count = pieces.runs.total;
    job->num_written = pieces.unique.num_written;
    if (ok && job->device.sorter) {
        pieces.desc.count = pieces.capacity;
        clsort_get_plan(job->device.sorter, &pieces.desc, &job->plan, NULL, 0);
    }
    bytes_free(&pieces.values);
    job->num_pieces = pieces.runs.num;
    job->num_spilled = pieces.runs.spill.size;
    runs_close(&pieces.runs);
    return ok;
}
