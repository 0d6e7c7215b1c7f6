/* Any description on any device, planned without one: either it is refused, or the plan stays within
 * the device's limits, its scratch and the arithmetic's 64 bits (which UBSan watches, and sums that
 * agree). An input is the device's facts, then a clsort_desc as it lies in memory,
 * with zeros for what is missing. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define EXPECT(condition) ((condition) ? (void)0 : abort())

static void check_step(const struct device_facts *facts, const struct plan *plan,
                       const struct step *step)
{
    char options[VARIANT_OPTIONS_CAPACITY];
    variant_options(&step->variant, options);
    EXPECT(strlen(options) + 1 < VARIANT_OPTIONS_CAPACITY);
    EXPECT(step->variant.group_size >= 1 && step->variant.group_size <= facts->max_group_size);
    EXPECT(step->local_size <= facts->local_size);
    EXPECT(step->num_groups >= 1 && step->num_groups < (uint64_t)1 << 62);
    EXPECT(step->params_size <= sizeof step->params);
    for (uint32_t i = 0; i < step->num_buffers; ++i) {
        const struct buffer_ref *buffer = &step->buffers[i];
        EXPECT(buffer->role < NUM_BUFFER_ROLES);
        EXPECT(buffer->role != BUFFER_SCRATCH || buffer->offset < plan->scratch_size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct plan plan; /* kept, as a sorter does */
    struct problem problem;
    clsort_desc desc = {0};
    enum { FACTS = 6 };
    if (size <= FACTS)
        return -1;
    static const uint32_t subgroups[] = {0, 16, 32, 64};
    /* No device has less local memory than 1 KiB an OpenCL compiler could use. */
    const struct device_facts facts = {
        .class = (enum device_class)(data[0] % (DEVICE_OTHER + 1)),
        .max_group_size = 1u << data[1] % 13,
        .subgroup_size = subgroups[data[2] % 4],
        .vector_bytes = data[3] % 4 ? 8u << data[3] % 4 : 0,
        .local_size = 1024 + ((uint64_t)data[4] << 12),
        .unified_memory = data[5] & 1,
        .reports_kernel_limit = data[5] >> 1 & 1,
    };
    memcpy(&desc, data + FACTS, size - FACTS < sizeof desc ? size - FACTS : sizeof desc);
    clsort_column columns[MAX_MEMBERS];
    for (uint32_t i = 0; i < MAX_MEMBERS; ++i)
        columns[i] = (clsort_column){(clsort_type)(data[i % size] % CLSORT_NUM_TYPES),
                                     (clsort_order)(data[i % size] >> 7)};
    desc.columns = desc.columns ? columns : NULL;
    desc.record = NULL; /* fuzz_record.c has those */
    if (check_desc(&desc, &problem) != CLSORT_OK)
        return 0;
    const clsort_status status = plan_make(&facts, &problem, &plan);
    EXPECT(status == CLSORT_OK || status == CLSORT_ERROR_ALGORITHM_COUNT);
    if (status)
        return 0;
    EXPECT(plan.algorithm > CLSORT_AUTO && plan.algorithm < CLSORT_NUM_ALGORITHMS);
    EXPECT(plan.num_steps <= MAX_MEMBERS * MAX_STEPS);
    EXPECT(plan.stable || !(problem.stable || problem.index_size));
    for (uint32_t i = 0; i < plan.num_steps; ++i)
        check_step(&facts, &plan, &plan.steps[i]);
    clsort_plan sums;
    plan_sums(&plan, &sums);
    EXPECT(sums.num_steps == plan.num_steps && sums.scratch_size == plan.scratch_size);
    return 0;
}
