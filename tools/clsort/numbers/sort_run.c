/* sort_run.c: a sort in memory, its stages timed. */
#include "numbers/sort_job.h"

#include "cli/message.h"
#include "cli/progress.h"

#include <string.h>

void sort_timed(struct sort_job *job, enum sort_stage stage, double start)
{
    job->seconds[stage] += seconds_now() - start;
}

bool sort_open_device(struct sort_job *job, const struct sort_settings *settings)
{
    const double start = seconds_now();
    const bool ok = device_open(&job->device, settings->device);
    if (ok)
        device_limit_host(&job->device, settings->memory);
    sort_timed(job, STAGE_OPENING, start);
    return ok;
}

void sort_plan(struct sort_job *job)
{
    clsort_sorter *sorter = job->device.sorter;
    if (sorter)
        device_check(clsort_get_plan(sorter, &job->desc, &job->plan, NULL, 0), sorter);
}

bool sort_fits_memory(const struct sort_job *job, uint64_t memory, bool is_streamed)
{
    const struct device_facts *facts = &job->device.facts;
    const uint64_t keys = job->desc.count * job->elements.size;
    const uint64_t indices = job->desc.count * job->desc.index_size;
    if (!job->device.sorter)
        return keys + indices + host_sort_cost(&job->desc) <= memory;
    const uint64_t scratch = job->plan.scratch_size, all = keys + indices + scratch;
    const uint64_t host = job->device.host_size + (facts->is_unified ? all
                                                   : is_streamed     ? 0
                                                                     : keys + indices);
    return keys <= facts->max_alloc && indices <= facts->max_alloc && scratch <= facts->max_alloc &&
           all <= facts->memory && host <= memory;
}

/* A device that is asked for sorts small arrays, too. */
static void sort_arrays(struct sort_job *job)
{
    clsort_desc desc = job->desc;
    const bool is_argsort = desc.index_size > 0;
    job->indices.size = (size_t)(desc.count * desc.index_size);
    bytes_need(&job->indices, job->indices.size);
    if (is_argsort && desc.offset_size > 0) /* those in no segment stay */
        memset(job->indices.data, 0, job->indices.size);
    if (job->device.sorter && clsort_sorts_on_host(job->device.sorter, &desc))
        desc.algorithm = job->plan.algorithm;
    const clsort_arrays arrays = {.keys = job->keys.data,
                                  .offsets =
                                      desc.offset_size > 0 ? job->segments.offsets.data : NULL,
                                  .values_list = desc.num_values ? job->values.data : NULL,
                                  .indices = is_argsort ? job->indices.data : NULL};
    device_sort_arrays(&job->device, &desc, &arrays);
}

void sort_run(struct sort_job *job)
{
    clsort_sorter *sorter = job->device.sorter;
    double start = seconds_now();
    if (job->desc.count == 0)
        return;
    if (sorter && job->desc.offset_size == 0 && job->desc.num_values == 0) {
        progress_stage("compiling", 0);
        /* What a kernel allows once it is compiled may change the plan, and with it the scratch. */
        device_check(clsort_prepare(sorter, &job->desc), sorter);
        sort_plan(job);
        sort_timed(job, STAGE_COMPILING, start);
    }
    progress_stage("sorting", 0);
    start = seconds_now();
    sort_arrays(job);
    sort_timed(job, STAGE_SORTING, start);
}
