/* strings.c: checks the description of strings, and says which buffers they need. */
#include "check/check.h"

#include "base/names.h"

#define MAX_STRINGS UINT32_MAX

struct refusal check_strings(const clsort_desc *desc)
{
    const clsort_strings *strings = desc->strings;
    if (!strings)
        return accepted();
    const uint32_t index_size = desc->index_size, offset_size = strings->offset_size;
    const int is_fixed = offset_size == 0;
    const struct mistake wrong[] = {
        /* An operation that is unknown is refused later. */
        {desc->operation != CLSORT_OPERATION_SORT &&
             (unsigned)desc->operation < CLSORT_NUM_OPERATIONS,
         CLSORT_ERROR_UNSUPPORTED, "desc.strings"},
        {check_reserved(strings->reserved, sizeof strings->reserved / sizeof *strings->reserved),
         CLSORT_ERROR_RESERVED, "desc.strings.reserved"},
        {desc->type != 0, CLSORT_ERROR_STRINGS, "desc.type"},
        {desc->record != NULL, CLSORT_ERROR_STRINGS, "desc.record"},
        {desc->first_bit != 0, CLSORT_ERROR_STRINGS, "desc.first_bit"},
        {desc->end_bit != 0, CLSORT_ERROR_STRINGS, "desc.end_bit"},
        {desc->value_size != 0, CLSORT_ERROR_STRINGS, "desc.value_size"},
        {desc->num_values != 0, CLSORT_ERROR_STRINGS, "desc.num_values"},
        {desc->num_arrays > 1, CLSORT_ERROR_STRINGS, "desc.num_arrays"},
        {!index_size && !desc->out_of_place, CLSORT_ERROR_STRINGS, "desc.index_size"},
        {desc->algorithm != CLSORT_AUTO && desc->algorithm != CLSORT_RADIX, CLSORT_ERROR_STRINGS,
         "desc.algorithm"},
        {index_size && index_size != 4 && index_size != 8, CLSORT_ERROR_INDEX_SIZE,
         "desc.index_size"},
        {desc->count > MAX_STRINGS, CLSORT_ERROR_COUNT, "desc.count"},
        {strings->num_bytes >= MAX_BYTES, CLSORT_ERROR_COUNT, "desc.strings.num_bytes"},
        {!is_fixed && offset_size != 4 && offset_size != 8, CLSORT_ERROR_STRINGS,
         "desc.strings.offset_size"},
        {is_fixed && strings->num_bytes != desc->count * strings->width, CLSORT_ERROR_STRINGS,
         "desc.strings.num_bytes"},
        {is_fixed && strings->tail_size > strings->width, CLSORT_ERROR_STRINGS,
         "desc.strings.tail_size"},
        {!is_fixed && strings->width, CLSORT_ERROR_STRINGS, "desc.strings.width"},
        {offset_size == 4 && strings->num_bytes > UINT32_MAX, CLSORT_ERROR_STRINGS,
         "desc.strings.num_bytes"},
    };
    return check_mistakes(wrong, sizeof wrong / sizeof *wrong);
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
