/* combination_draw.c: draws descriptions, and says which members exclude which, in the words of
 * clsort.h's table. */
#include "combination.h"

#include <string.h>

#include "support/data.h"

#define FEATURE_NAME(enumerator, name) name,
const char *const feature_names[NUM_FEATURES] = {FEATURE_LIST(FEATURE_NAME)};
#undef FEATURE_NAME

static const clsort_field person[] = {{4, CLSORT_F32, CLSORT_DESCENDING},
                                      {0, CLSORT_U16, CLSORT_ASCENDING}};
static const clsort_record records[] = {
    {.size = 12, .num_fields = 2, .fields = person},
    {.size = 8,
     .declarations = "typedef struct { uint x, y; } point;",
     .type = "point",
     .less = "(a.x & 7) * (a.y & 3) < (b.x & 7) * (b.y & 3)"},
};
static const clsort_column columns[] = {{CLSORT_U8, CLSORT_ASCENDING},
                                        {CLSORT_F32, CLSORT_DESCENDING},
                                        {CLSORT_I64, CLSORT_ASCENDING}};
static const uint32_t value_sizes[LISTED] = {4, 1, 12};

static void set_keys(combination *c, uint32_t features, rng *r)
{
    static const clsort_type types[] = {CLSORT_F32, CLSORT_I64, CLSORT_U8};
    clsort_desc *desc = &c->desc;
    if (features >> FEATURE_TYPE & 1)
        desc->type = types[rng_below(r, 3)];
    if (features >> FEATURE_RECORD & 1)
        desc->record = &records[rng_below(r, 2)];
    if (features >> FEATURE_COLUMNS & 1) {
        desc->num_columns = 2 + (uint32_t)rng_below(r, 2);
        desc->columns = columns;
    }
    if (features >> FEATURE_BITS & 1) {
        desc->first_bit = desc->type == CLSORT_U8 ? 2 : 3;
        desc->end_bit = desc->type == CLSORT_U8 ? 5 : 9;
    }
    if (features >> FEATURE_STRINGS & 1)
        desc->strings = &c->strings;
}

static void set_shape(combination *c, uint32_t features, rng *r)
{
    clsort_desc *desc = &c->desc;
    desc->count = rng_below(r, 4) ? 2 + rng_below(r, 60) : rng_below(r, 700);
    if (features >> FEATURE_ARRAYS & 1) {
        desc->num_arrays = 2 + rng_below(r, 5);
        desc->count %= 120;
    }
    if (features >> FEATURE_SEGMENTS & 1) {
        desc->offset_size = rng_below(r, 2) ? 4 : 8;
        desc->num_segments = rng_below(r, MAX_GROUPS / 4);
    }
    if (features >> FEATURE_SKIP & 1)
        desc->skip = rng_below(r, desc->count + 1);
    if (features >> FEATURE_LIMIT & 1)
        desc->limit = 1 + rng_below(r, desc->count - desc->skip + (desc->offset_size != 0));
    if (desc->limit > desc->count - desc->skip && !desc->offset_size)
        desc->limit = 0;
    c->n = desc->count * (desc->num_arrays ? desc->num_arrays : 1);
}

static void set_wanted(combination *c, uint32_t features, clsort_operation operation, rng *r)
{
    static const clsort_algorithm algorithms[] = {CLSORT_RANK, CLSORT_BITONIC, CLSORT_RADIX,
                                                  CLSORT_MERGE, CLSORT_QUICK};
    clsort_desc *desc = &c->desc;
    if (features >> FEATURE_ORDER & 1)
        desc->order = CLSORT_DESCENDING;
    if (features >> FEATURE_ALGORITHM & 1)
        desc->algorithm = algorithms[rng_below(r, 5)];
    desc->stable = features >> FEATURE_STABLE & 1;
    if (features >> FEATURE_VALUE & 1)
        desc->value_size = rng_below(r, 2) ? 4 : 12;
    if (features >> FEATURE_VALUES & 1) {
        desc->num_values = 1 + (uint32_t)rng_below(r, LISTED);
        desc->value_sizes = value_sizes;
    }
    if (features >> FEATURE_INDICES & 1)
        desc->index_size = rng_below(r, 2) ? 4 : 8;
    desc->out_of_place = features >> FEATURE_OUT & 1;
    if (features >> FEATURE_OPERATION & 1)
        desc->operation = operation;
    if (features >> FEATURE_FIRST_COUNT & 1)
        desc->first_count = rng_below(r, desc->count + 1);
    if (features >> FEATURE_NUM_QUERIES & 1)
        desc->num_queries = 1 + rng_below(r, 90);
    if (desc->operation == CLSORT_OPERATION_RUNS) /* offset_size asks for offsets */
        desc->num_segments = 0;
}

/* Strings of one width, of some bytes. */
static void set_strings(combination *c, rng *r)
{
    c->strings.width = 1 + (uint32_t)rng_below(r, 12);
    c->strings.num_bytes = c->desc.count * c->strings.width;
    if (rng_below(r, 2)) {
        c->strings.width = 0;
        c->strings.offset_size = rng_below(r, 2) ? 4 : 8;
    }
}

static void draw(combination *c, uint32_t features, clsort_operation operation, uint64_t seed)
{
    rng r = {seed};
    *c = (combination){.features = features, .seed = seed};
    set_keys(c, features, &r);
    set_shape(c, features, &r);
    set_wanted(c, features, operation, &r);
    if (c->desc.strings)
        set_strings(c, &r);
}

void combination_draw(combination *c, uint32_t features, uint64_t seed)
{
    rng r = {seed};
    excluded refusals[MAX_REFUSALS];
    const clsort_operation operation =
        (clsort_operation)(1 + rng_below(&r, CLSORT_NUM_OPERATIONS - 1));
    /* More features make more exclusions: some combinations that are accepted are looked for. */
    for (int attempt = 0; attempt < 40; ++attempt) {
        uint32_t more = features;
        for (uint32_t i = 0; i < NUM_FEATURES; ++i)
            more |= (uint32_t)(rng_below(&r, attempt < 20 ? 6 : 12) == 0) << i;
        draw(c, more, operation, seed_mix(seed, (uint64_t)attempt));
        if (combination_refusals(c, refusals) == 0 || rng_below(&r, 16) == 0)
            return;
    }
}

/* ---- Exclusions ---- */
struct refusal_list {
    excluded *refusals;
    uint32_t num;
};

static void add(struct refusal_list *list, int is_made, clsort_status status, const char *argument)
{
    if (is_made && list->num < MAX_REFUSALS)
        list->refusals[list->num++] = (excluded){status, argument};
}

static void exclude_keys(const clsort_desc *desc, struct refusal_list *list)
{
    const struct {
        int is_on;
        clsort_status status;
    } kinds[] = {{desc->record != NULL, CLSORT_ERROR_RECORD},
                 {desc->strings != NULL, CLSORT_ERROR_STRINGS},
                 {desc->num_columns != 0, CLSORT_ERROR_COLUMNS}};
    for (uint32_t i = 0; i < 3; ++i) {
        if (!kinds[i].is_on)
            continue;
        add(list, desc->type != 0, kinds[i].status, "desc.type");
        add(list, desc->first_bit != 0, kinds[i].status, "desc.first_bit");
        add(list, desc->end_bit != 0, kinds[i].status, "desc.end_bit");
    }
    add(list, desc->strings && desc->record, CLSORT_ERROR_STRINGS, "desc.record");
    add(list, desc->num_columns && desc->record, CLSORT_ERROR_COLUMNS, "desc.record");
    add(list, desc->num_columns && desc->strings, CLSORT_ERROR_COLUMNS, "desc.strings");
    add(list,
        desc->record && (desc->algorithm == CLSORT_RANK || desc->algorithm == CLSORT_BITONIC ||
                         (desc->algorithm == CLSORT_RADIX && !desc->record->num_fields)),
        CLSORT_ERROR_ALGORITHM_RECORD, "desc.algorithm");
    if (!desc->strings)
        return;
    add(list, desc->num_arrays > 1, CLSORT_ERROR_STRINGS, "desc.num_arrays");
    add(list, desc->value_size != 0, CLSORT_ERROR_STRINGS, "desc.value_size");
    add(list, desc->num_values != 0, CLSORT_ERROR_STRINGS, "desc.num_values");
    add(list, !desc->index_size && !desc->out_of_place, CLSORT_ERROR_STRINGS, "desc.index_size");
    add(list, desc->algorithm != CLSORT_AUTO && desc->algorithm != CLSORT_RADIX,
        CLSORT_ERROR_STRINGS, "desc.algorithm");
    add(list, desc->offset_size != 0, CLSORT_ERROR_UNSUPPORTED, "desc.strings");
    add(list, desc->skip != 0, CLSORT_ERROR_UNSUPPORTED, "desc.skip");
    add(list, desc->limit != 0, CLSORT_ERROR_UNSUPPORTED, "desc.limit");
}

static void exclude_operation(const clsort_desc *desc, struct refusal_list *list)
{
    const clsort_operation operation = desc->operation;
    const int is_sort = operation == CLSORT_OPERATION_SORT;
    const int is_check = operation == CLSORT_OPERATION_CHECK;
    const int is_merge = operation == CLSORT_OPERATION_MERGE;
    const int is_runs = operation == CLSORT_OPERATION_RUNS;
    const int is_search = operation == CLSORT_OPERATION_SEARCH;
    const int is_gather = operation == CLSORT_OPERATION_GATHER;
    const clsort_status status = CLSORT_ERROR_OPERATION;
    add(list, !is_merge && desc->first_count, status, "desc.first_count");
    add(list, !is_search && desc->num_queries, status, "desc.num_queries");
    if (is_sort)
        return;
    const int has_no_values = is_check || is_runs || is_search;
    add(list, has_no_values && desc->value_size, status, "desc.value_size");
    add(list, has_no_values && desc->num_values, status, "desc.num_values");
    add(list, (is_check || is_runs) && desc->index_size, status, "desc.index_size");
    add(list, !is_runs && desc->offset_size, status, "desc.offset_size");
    add(list, desc->num_segments != 0, status, "desc.num_segments");
    add(list, desc->skip != 0, status, "desc.skip");
    add(list, desc->limit != 0, status, "desc.limit");
    add(list, desc->algorithm != CLSORT_AUTO, status, "desc.algorithm");
    add(list, desc->strings != NULL, CLSORT_ERROR_UNSUPPORTED, "desc.strings");
    add(list, (is_search || is_gather) && !desc->index_size, CLSORT_ERROR_INDEX_SIZE,
        "desc.index_size");
}

static void exclude_wanted(const clsort_desc *desc, struct refusal_list *list)
{
    const int uses_both = desc->operation != CLSORT_OPERATION_SORT &&
                          desc->operation != CLSORT_OPERATION_MERGE; /* GATHER; others neither */
    const int is_sort = desc->operation == CLSORT_OPERATION_SORT;
    add(list, desc->value_size && desc->num_values, CLSORT_ERROR_VALUES, "desc.value_size");
    add(list, desc->value_size && desc->index_size && !uses_both, CLSORT_ERROR_INDEX_AND_VALUES,
        "desc.value_size");
    add(list, desc->num_values && desc->index_size && !uses_both, CLSORT_ERROR_INDEX_AND_VALUES,
        "desc.num_values");
    if (!is_sort || !desc->offset_size)
        return;
    add(list, desc->num_arrays > 1, CLSORT_ERROR_SEGMENTS, "desc.num_arrays");
    add(list, desc->algorithm != CLSORT_AUTO, CLSORT_ERROR_SEGMENTS, "desc.algorithm");
}

uint32_t combination_refusals(const combination *c, excluded refusals[MAX_REFUSALS])
{
    struct refusal_list list = {refusals, 0};
    exclude_keys(&c->desc, &list);
    exclude_operation(&c->desc, &list);
    exclude_wanted(&c->desc, &list);
    return list.num;
}
