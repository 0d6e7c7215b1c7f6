/* sort_report.c: what 'clsort sort' says about a sort: --verify and --stats. */
#include "numbers/sort_job.h"

#include "cli/json.h"
#include "cli/message.h"
#include "io/output.h"
#include "cli/progress.h"
#include "numbers/verify.h"

#include <inttypes.h>

static const char *const stage_names[] = {
#define STAGE_NAME(name, text) text,
    SORT_STAGE_LIST(STAGE_NAME)};

/* Keys between two looks at the progress. */
enum { PART_KEYS = 1 << 20 };

uint64_t sort_hash(const struct sort_job *job)
{
    const char *keys = job->keys.data;
    const uint64_t count = job->desc.count, size = job->elements.size;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i += PART_KEYS) {
        const uint64_t num = count - i < PART_KEYS ? count - i : PART_KEYS;
        sum += multiset_hash(keys + i * size, size, NULL, 0, num);
        for (uint32_t k = 0; k < job->desc.num_values; k++) {
            const uint32_t value_size = job->values.sizes[k];
            const char *values = job->values.data[k];
            sum += multiset_hash(keys + i * size, size, values + i * value_size, value_size, num);
        }
        progress_add(num);
    }
    return sum;
}

/* The first key that should stand before its neighbour, or the count. */
static uint64_t find_in_parts(const struct sort_job *job)
{
    const char *keys = job->keys.data;
    const uint64_t count = job->desc.count, size = job->elements.size;
    for (uint64_t i = 0; i < count; i += PART_KEYS) {
        /* Each part ends with the first key of the next one. */
        const uint64_t num = count - i < PART_KEYS + 1 ? count - i : PART_KEYS + 1;
        const uint64_t found = find_disorder(&job->elements, job->desc.order, keys + i * size, num);
        if (found < num)
            return i + found;
        progress_add(num);
    }
    return count;
}

void sort_check(const struct sort_job *job, const struct output *output)
{
    const clsort_desc *desc = &job->desc;
    uint64_t position;
    if (desc->index_size > 0) {
        progress_stage("checking", desc->count);
        if (!verify_indices(&job->elements, desc->order, job->keys.data, job->indices.data,
                            desc->index_size, desc->count, &position))
            output_refute(output, "index %" PRIu64 " of the sorted indices is wrong", position);
        return;
    }
    progress_stage("checking", 2 * desc->count);
    position = find_in_parts(job);
    if (position < desc->count)
        output_refute(output, "the output is out of order at key %" PRIu64, position);
    if (sort_hash(job) != job->input_hash)
        output_refute(output, NO_PERMUTATION);
}

static const char *type_name(const struct sort_job *job)
{
    return job->desc.strings ? "lines" : clsort_type_name(job->elements.type);
}

static void print_json(const struct sort_job *job, bool is_verified)
{
    const clsort_desc *desc = &job->desc;
    struct json json;
    json_begin(&json);
    json_device(&json, &job->device.facts);
    /* The host keeps the order of equal keys. */
    const bool is_host = !job->device.sorter;
    json_text(&json, "algorithm", is_host ? "host" : clsort_algorithm_name(job->plan.algorithm));
    json_text(&json, "type", type_name(job));
    json_text(&json, "order", desc->order ? "descending" : "ascending");
    json_flag(&json, "stable", is_host || job->plan.stable);
    json_count(&json, "index_size", desc->index_size);
    json_count(&json, "keys", desc->count);
    if (desc->record)
        json_count(&json, "record_size", desc->record->size);
    if (desc->num_values)
        json_count(&json, "values", desc->num_values);
    if (job->is_unique)
        json_count(&json, "written", job->num_written);
    json_count(&json, "steps", job->plan.num_steps);
    json_count(&json, "pieces", job->num_pieces);
    json_count(&json, "spilled", job->num_spilled);
    json_flag(&json, "zero_copy", job->device.facts.is_unified);
    json_open(&json, "seconds", '{');
    for (int i = 0; i < NUM_STAGES; i++) {
        if (i != STAGE_CHECKING || is_verified)
            json_number(&json, stage_names[i], job->seconds[i]);
    }
    json_close(&json, '}');
    const double sorting = job->seconds[STAGE_SORTING];
    if (sorting > 0)
        json_number(&json, "keys_per_second", (double)desc->count / sorting);
    else
        json_text(&json, "keys_per_second", NULL);
    if (is_verified)
        json_text(&json, "verify", "passed");
    json_end(&json, stderr);
}

static void print_text(const struct sort_job *job, bool is_verified)
{
    const struct device_facts *facts = &job->device.facts;
    char rate[SIZE_TEXT];
    if (!job->device.sorter) {
        message("device none: the host sorted");
        message("algorithm host");
    } else {
        message("device %s (%s, driver %s)", facts->name, facts->platform, facts->driver);
        message("algorithm %s, %u step%s", clsort_algorithm_name(job->plan.algorithm),
                (unsigned)job->plan.num_steps, job->plan.num_steps == 1 ? "" : "s");
    }
    message("%" PRIu64 " %s%s, %s", job->desc.count, type_name(job),
            job->desc.strings  ? ""
            : job->desc.record ? " records"
                               : " keys",
            job->desc.order ? "descending" : "ascending");
    if (job->num_pieces) {
        char size[SIZE_TEXT];
        message("%" PRIu64 " pieces, merged from %s in a temporary file", job->num_pieces,
                size_text(job->num_spilled, size));
    }
    if (job->is_unique)
        message("%" PRIu64 " distinct keys written", job->num_written);
    for (int i = 0; i < NUM_STAGES; i++) {
        if (i != STAGE_CHECKING || is_verified)
            message("%-9s %10.6f s", stage_names[i], job->seconds[i]);
    }
    message("sorted at %s", rate_text(job->desc.count, job->seconds[STAGE_SORTING], rate));
}

void sort_tell(const struct sort_job *job, const struct sort_settings *settings,
               const char *verdict)
{
    if (settings->is_json)
        print_json(job, settings->is_verified);
    else if (settings->is_verified)
        message("verified: %s", verdict);
    if (settings->is_timed && !settings->is_json)
        print_text(job, settings->is_verified);
}
