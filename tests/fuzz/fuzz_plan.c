/* Any description on any device, planned without one. Either it is refused, or the plan stays
 * within the device's limits, its scratch and 64-bit arithmetic (checked by UBSan and by sums that
 * must agree). An input begins with HEAD bytes: the device's facts, the description's numbers, more
 * facts, and a record, in the order in which take() reads them. MORE bytes describe columns or
 * strings. */
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "plan/plan.h"
#include "program/record.h"

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

/* The input's next bytes, as a number. */
static uint64_t take(const uint8_t **data, size_t size)
{
    uint64_t number = 0;
    memcpy(&number, *data, size);
    *data += size;
    return number;
}

static struct device_facts take_facts(const uint8_t **data)
{
    static const uint32_t subgroups[] = {0, 16, 32, 64};
    /* No device has less than 1 KiB of local memory that an OpenCL compiler could use. */
    struct device_facts facts = {.class = (enum device_class)(take(data, 1) % (DEVICE_OTHER + 1)),
                                 .num_units = 1};
    facts.max_group_size = 1u << take(data, 1) % 13;
    facts.subgroup_size = subgroups[take(data, 1) % 4];
    const uint64_t vector = take(data, 1) % 4;
    facts.vector_bytes = vector ? 8u << vector : 0;
    facts.local_size = 1024 + (take(data, 1) << 12);
    const uint64_t flags = take(data, 1);
    facts.unified_memory = flags & 1;
    facts.reports_kernel_limit = flags >> 1 & 1;
    return facts;
}

static clsort_desc take_desc(const uint8_t **data)
{
    clsort_desc desc = {0};
    desc.count = take(data, 8);
    desc.num_arrays = take(data, 8);
    desc.type = (clsort_type)take(data, 4);
    desc.order = (clsort_order)take(data, 4);
    desc.algorithm = (clsort_algorithm)take(data, 4);
    desc.stable = (uint32_t)take(data, 4);
    desc.out_of_place = (uint32_t)take(data, 4);
    desc.value_size = (uint32_t)take(data, 4);
    desc.index_size = (uint32_t)take(data, 4);
    desc.first_bit = (uint32_t)take(data, 4);
    desc.end_bit = (uint32_t)take(data, 4);
    desc.reserved[sizeof desc.reserved / sizeof *desc.reserved - 1] = (uint32_t)take(data, 4);
    return desc;
}

/* A record, with its fields in `fields`; or none. */
static const clsort_record *take_record(const uint8_t **data, clsort_record *record,
                                        clsort_field *fields, unsigned capacity)
{
    enum { FIELDS = 1, TEXT = 2 };
    const uint64_t choice = take(data, 1) % 4;
    *record = (clsort_record){.size = (uint32_t)take(data, 2)};
    const uint64_t num_fields = take(data, 1);
    const uint64_t seed = take(data, 8);
    if (choice & FIELDS) {
        record->num_fields = (uint32_t)(num_fields % (capacity + 2));
        record->fields = fields;
        for (unsigned i = 0; i < capacity; ++i)
            fields[i] = (clsort_field){(uint32_t)(seed >> i & 0x7f),
                                       (clsort_type)((seed >> (8 + 2 * i) & 0xff) %
                                                     (CLSORT_NUM_TYPES + (i == 7))),
                                       (clsort_order)(seed >> i % 5 & 1)};
    }
    if (choice & TEXT) {
        record->type = "pair";
        record->less = seed & 1 ? "a < b" : NULL;
        record->less_body = seed & 2 ? "return a < b;" : NULL;
    }
    return choice ? record : NULL;
}

/* Columns or strings, which have no type of their own; otherwise leaves the description
 * unchanged. */
static void take_rows(const uint8_t **data, clsort_desc *desc, clsort_column *columns,
                      unsigned capacity, clsort_strings *strings)
{
    const uint64_t choice = take(data, 1) % 4;
    const uint64_t seed = take(data, 8);
    *strings = (clsort_strings){.num_bytes = take(data, 8),
                                .offset_size = (uint32_t)take(data, 1),
                                .width = (uint32_t)take(data, 4),
                                .tail_size = (uint32_t)take(data, 1)};
    if (choice == 1) {
        desc->num_columns = (uint32_t)(seed % (capacity + 2));
        desc->columns = columns;
        for (unsigned i = 0; i < capacity; ++i)
            columns[i] = (clsort_column){(clsort_type)((seed >> (8 + 3 * i) & 0xff) %
                                                       (CLSORT_NUM_TYPES + (i == 7))),
                                         (clsort_order)(seed >> i & 1)};
    } else if (choice == 2) {
        desc->strings = strings;
    }
    if (choice == 1 || choice == 2)
        desc->type = (clsort_type)0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct plan plan; /* kept between calls, as in a sorter */
    struct problem problem;
    clsort_record record;
    clsort_field fields[17];
    clsort_column columns[17];
    clsort_strings strings;
    enum { HEAD = 78, MORE = 23 };
    if (size < HEAD)
        return -1;
    struct device_facts facts = take_facts(&data);
    clsort_desc desc = take_desc(&data);
    const uint64_t cpu = take(&data, 2);
    facts.cpu_kernels = facts.class == DEVICE_CPU && (cpu & 1);
    facts.num_units = 1 + (cpu >> 1 & 0xff);
    facts.cache_size = cpu & 0x8000 ? (uint64_t)1 << (10 + (cpu >> 9 & 31)) : 0;
    desc.record = take_record(&data, &record, fields, 16);
    if (size >= HEAD + MORE)
        take_rows(&data, &desc, columns, 16, &strings);
    if (check_desc(&desc, &problem).status != CLSORT_OK)
        return 0;
    struct writer text = {0};
    if (desc.record)
        record_write(desc.record, &text);
    free(text.bytes);
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
    EXPECT(sums.num_steps == plan.num_steps && sums.scratch_size == plan_scratch_asked(&plan));
    return 0;
}
