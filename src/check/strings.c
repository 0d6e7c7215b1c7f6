/* strings.c: checks the description of strings, and says which buffers they need. */
#include "check/check.h"

#include "base/names.h"

#define MAX_STRINGS UINT32_MAX
#define MAX_BYTES ((uint64_t)1 << 62)

/* Checks the members that say where strings begin. */
static struct refusal check_layout(const clsort_desc *desc, const clsort_strings *strings)
{
    const int fixed = strings->offset_size == 0;
    const int is_odd_size = !fixed && strings->offset_size != 4 && strings->offset_size != 8;
    const int is_too_narrow = strings->offset_size == 4 && strings->num_bytes > UINT32_MAX;
    const struct mistake wrong[] = {
        {is_odd_size, "desc.strings.offset_size"},
        {fixed && strings->num_bytes != desc->count * strings->width, "desc.strings.num_bytes"},
        {fixed && strings->tail_size > strings->width, "desc.strings.tail_size"},
        {!fixed && strings->width, "desc.strings.width"},
        {is_too_narrow, "desc.strings.num_bytes"},
    };
    return check_mistakes(CLSORT_ERROR_STRINGS, wrong, sizeof wrong / sizeof *wrong);
}

struct refusal check_strings(const clsort_desc *desc, struct strings *strings_ret)
{
    const clsort_strings *strings = desc->strings;
    /* One that is unknown is refused later. */
    if (desc->operation != CLSORT_OPERATION_SORT &&
        (unsigned)desc->operation < CLSORT_NUM_OPERATIONS)
        return refuse(CLSORT_ERROR_UNSUPPORTED, "desc.strings");
    for (size_t i = 0; i < sizeof strings->reserved / sizeof *strings->reserved; ++i) {
        if (strings->reserved[i])
            return refuse(CLSORT_ERROR_RESERVED, "desc.strings.reserved");
    }
    const struct mistake wrong[] = {
        {desc->type != 0, "desc.type"},
        {desc->record != NULL, "desc.record"},
        {desc->first_bit != 0, "desc.first_bit"},
        {desc->end_bit != 0, "desc.end_bit"},
        {desc->value_size != 0, "desc.value_size"},
        {desc->num_values != 0, "desc.num_values"},
        {desc->num_arrays > 1, "desc.num_arrays"},
        {!desc->index_size && !desc->out_of_place, "desc.index_size"},
        {desc->algorithm != CLSORT_AUTO && desc->algorithm != CLSORT_RADIX, "desc.algorithm"},
    };
    struct refusal refusal =
        check_mistakes(CLSORT_ERROR_STRINGS, wrong, sizeof wrong / sizeof *wrong);
    if (refusal.status)
        return refusal;
    if (desc->index_size != 0 && desc->index_size != 4 && desc->index_size != 8)
        return refuse(CLSORT_ERROR_INDEX_SIZE, "desc.index_size");
    if (desc->count > MAX_STRINGS)
        return refuse(CLSORT_ERROR_COUNT, "desc.count");
    if (strings->num_bytes >= MAX_BYTES)
        return refuse(CLSORT_ERROR_COUNT, "desc.strings.num_bytes");
    refusal = check_layout(desc, strings);
    if (refusal.status)
        return refusal;
    *strings_ret = (struct strings){
        .num_bytes = strings->num_bytes,
        .offset_size = strings->offset_size,
        .width = strings->width,
        .tail_size = strings->tail_size,
    };
    return accepted();
}

int check_strings_expect(const struct problem *problem, enum buffer_role role)
{
    const int rearranged = !problem->in_place;
    const int has_offsets = problem->strings.offset_size != 0;
    return role == BUFFER_KEYS || (role == BUFFER_KEYS_OUT && rearranged) ||
           (role == BUFFER_OFFSETS && has_offsets) ||
           (role == BUFFER_OFFSETS_OUT && has_offsets && rearranged) ||
           (role == BUFFER_INDICES && problem->index_size);
}

uint64_t check_strings_size(const struct problem *problem, enum buffer_role role)
{
    if (!check_strings_expect(problem, role) || problem->count == 0)
        return 0;
    if (role == BUFFER_KEYS || role == BUFFER_KEYS_OUT)
        return problem->strings.num_bytes;
    return role == BUFFER_INDICES ? problem->count * problem->index_size
                                  : (problem->count + 1) * problem->strings.offset_size;
}

uint32_t check_strings_alignment(const struct problem *problem, enum buffer_role role)
{
    const uint32_t sizes[NUM_BUFFER_ROLES] = {
        [BUFFER_OFFSETS] = problem->strings.offset_size,
        [BUFFER_OFFSETS_OUT] = problem->strings.offset_size,
        [BUFFER_INDICES] = problem->index_size,
        [BUFFER_SCRATCH] = GIVEN_SCRATCH_ALIGNMENT,
    };
    return sizes[role] ? sizes[role] : 1;
}
