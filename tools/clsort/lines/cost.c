/* cost.c: what sorting lines in memory costs, before it is tried. */
#include "lines/pieces.h"

#include "memory/host_sort.h"

uint64_t lines_cost(const struct lines_job *job, uint64_t text_size, uint64_t count)
{
    enum { FEW = 1 << 16 };
    const bool is_by_bytes = job->job.desc.strings != NULL;
    clsort_desc desc = job->job.desc;
    const uint32_t offset_size = text_size > UINT32_MAX ? 8 : 4;
    clsort_strings strings = {.num_bytes = text_size, .offset_size = offset_size, .tail_size = 1};
    const struct device *device = &job->job.device;
    clsort_plan plan = {0};
    /* So few are the host's, or cost as much as that many. */
    desc.count = count < FEW ? FEW : count;
    desc.strings = is_by_bytes ? &strings : NULL;
    /* What else is refused, the sort says. */
    const clsort_status status =
        device->sorter ? clsort_get_plan(device->sorter, &desc, &plan, NULL, 0) : CLSORT_OK;
    if (status == CLSORT_ERROR_COUNT ||
        (device->sorter && (plan.scratch_size > device->facts.max_alloc ||
                            count * offset_size > device->facts.max_alloc)))
        return UINT64_MAX;
    const uint64_t key_size = is_by_bytes ? 0 : clsort_type_size(desc.type);
    desc.index_size = sizeof(uint32_t);
    if (!device->sorter && !is_by_bytes)
        plan.scratch_size = host_sort_cost(&desc);
    const double scratch = (double)plan.scratch_size / (double)desc.count * (double)count;
    return text_size + count * (offset_size + sizeof(uint32_t) + key_size + job->position_size) +
           (uint64_t)scratch;
}
