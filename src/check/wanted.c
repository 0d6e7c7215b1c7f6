/* wanted.c: checks the members of a description that say what is wanted of the keys: parts of
 * the array, lists of values, places of the order, another operation than to sort. */
#include "check/check.h"

#include "base/names.h"

#define MAX_BYTES ((uint64_t)1 << 62)

static struct refusal check_segments(const clsort_desc *desc)
{
    const uint32_t size = desc->offset_size;
    if (desc->operation != CLSORT_OPERATION_SORT) /* operation.c */
        return accepted();
    const struct mistake wrong[] = {
        {!size && desc->num_segments, "desc.num_segments"},
        {size && size != 4 && size != 8, "desc.offset_size"},
        {size && desc->num_arrays > 1, "desc.num_arrays"},
        {size && desc->algorithm != CLSORT_AUTO, "desc.algorithm"},
    };
    const struct refusal refusal =
        check_mistakes(CLSORT_ERROR_SEGMENTS, wrong, sizeof wrong / sizeof *wrong);
    if (refusal.status)
        return refusal;
    if (desc->num_segments >= MAX_COUNT)
        return refuse(CLSORT_ERROR_COUNT, "desc.num_segments");
    const struct mistake missing[] = {{size && desc->strings, "desc.strings"}};
    return check_mistakes(CLSORT_ERROR_UNSUPPORTED, missing, sizeof missing / sizeof *missing);
}

static struct refusal check_values(const clsort_desc *desc)
{
    const uint32_t num = desc->num_values;
    const struct mistake wrong[] = {
        {num > MAX_MEMBERS, "desc.num_values"},
        {!num != !desc->value_sizes, "desc.value_sizes"},
        {num && desc->value_size, "desc.value_size"},
    };
    struct refusal refusal =
        check_mistakes(CLSORT_ERROR_VALUES, wrong, sizeof wrong / sizeof *wrong);
    if (!refusal.status && num && desc->index_size && desc->operation == CLSORT_OPERATION_SORT)
        refusal = refuse(CLSORT_ERROR_INDEX_AND_VALUES, "desc.num_values");
    const uint64_t n = check_most_elements(desc);
    uint64_t size = 0; /* of all: a plan adds them up */
    for (uint32_t i = 0; i < num && !refusal.status; ++i) {
        size += desc->value_sizes[i];
        if (!desc->value_sizes[i])
            refusal = refuse(CLSORT_ERROR_VALUES, check_part_name(VALUE_SIZE, i));
        else if (n && size > (MAX_BYTES - 1) / n)
            refusal = refuse(CLSORT_ERROR_COUNT, check_part_name(VALUE_SIZE, i));
    }
    return refusal;
}

/* Segments may be shorter than what is wanted of each. */
static struct refusal check_ranks(const clsort_desc *desc)
{
    const uint64_t count = desc->count;
    const struct mistake wrong[] = {
        {!desc->offset_size && desc->skip > count, "desc.skip"},
        {!desc->offset_size && desc->skip <= count && desc->limit > count - desc->skip,
         "desc.limit"},
    };
    const struct refusal refusal =
        check_mistakes(CLSORT_ERROR_RANKS, wrong, sizeof wrong / sizeof *wrong);
    if (refusal.status)
        return refusal;
    const struct mistake missing[] = {
        {desc->strings && desc->skip, "desc.skip"},
        {desc->strings && desc->limit, "desc.limit"},
    };
    return check_mistakes(CLSORT_ERROR_UNSUPPORTED, missing, sizeof missing / sizeof *missing);
}

struct refusal check_wanted(const clsort_desc *desc)
{
    static struct refusal (*const checks[])(const clsort_desc *) = {
        check_operation,
        check_segments,
        check_values,
        check_ranks,
    };
    struct refusal refusal = accepted();
    for (size_t i = 0; i < sizeof checks / sizeof *checks && !refusal.status; ++i)
        refusal = checks[i](desc);
    return refusal;
}
