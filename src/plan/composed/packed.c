/* packed.c: other operations than to sort, of rows of columns. Rows are packed into keys
 * (cl/move/columns.cl): numbers of up to 64 bits, or records of several numbers if the columns have
 * more. The operation's plan for these keys is put in here. What it writes is unpacked to the
 * columns. */
#include "plan/rows.h"

#include "program/record.h"

/* One key for a row: all words of several groups have 64 bits. */
static void group_words(struct rows *rows)
{
    rows_group(rows);
    rows->num_words = rows->num_groups;
    for (uint32_t i = 0; i < rows->num_groups && rows->num_groups > 1; ++i)
        rows->groups[i].key_bits = 64;
}

int plan_packed_record(const struct problem *problem, clsort_field fields[MAX_MEMBERS],
                       clsort_record *record_ret)
{
    struct rows rows = {.problem = problem};
    if (!problem->num_columns || problem->operation == CLSORT_OPERATION_SORT ||
        problem->operation == CLSORT_OPERATION_GATHER)
        return 0;
    group_words(&rows);
    for (uint32_t i = 0; i < rows.num_words; ++i)
        fields[i] = (clsort_field){8 * i, CLSORT_U64, CLSORT_ASCENDING};
    *record_ret =
        (clsort_record){.size = 8 * rows.num_words, .num_fields = rows.num_words, .fields = fields};
    return rows.num_words > 1;
}

/* The same problem of packed keys. */
static struct problem packed_problem(const struct rows *rows)
{
    clsort_field fields[MAX_MEMBERS];
    clsort_record record;
    struct problem packed = *rows->problem;
    packed.type = key_type_of(rows->groups[0].key_bits == 64 ? CLSORT_U64 : CLSORT_U32);
    packed.num_bits = packed.type->bits;
    packed.descending = 0; /* members are packed as their direction says */
    if (plan_packed_record(rows->problem, fields, &record)) {
        packed.record_size = record.size;
        packed.record_is_wide = record_is_wide(&record);
    }
    packed.num_columns = packed.num_members = 0;
    return packed;
}

/* Packs `num` rows of the columns that begin at a role. */
static void pack(struct rows *rows, enum buffer_role columns, uint64_t num,
                 struct buffer_ref *packed_ret)
{
    const uint64_t row_size = rows->num_words * rows->groups[0].key_bits / 8;
    struct route route = *rows->route;
    struct rows some = *rows;
    *packed_ret = plan_reserve_buffer(rows->plan, num * row_size);
    route.num_elements = num;
    some.route = &route;
    for (uint32_t i = 0; i < rows->num_groups && num; ++i) {
        some.key = some.index = (struct buffer_ref){packed_ret->role, packed_ret->offset + 8 * i};
        rows_pack(&some, &some.groups[i], columns, 0);
    }
}

/* Unpacks the rows that the operation has written. */
static void unpack(struct rows *rows, struct buffer_ref packed)
{
    const int is_counted = rows->problem->operation == CLSORT_OPERATION_RUNS;
    for (uint32_t i = 0; i < rows->num_groups && rows->route->num_elements; ++i) {
        rows->key = rows->index = (struct buffer_ref){packed.role, packed.offset + 8 * i};
        if (is_counted)
            rows->index = role_ref(BUFFER_RESULT);
        rows_unpack(rows, i, BUFFER_COLUMN_OUT, is_counted ? COLUMNS_FLAG_COUNTED : 0);
    }
}

void plan_packed(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const uint64_t num_queries = problem->num_queries * problem->num_arrays;
    const int writes_keys =
        problem->operation == CLSORT_OPERATION_MERGE || problem->operation == CLSORT_OPERATION_RUNS;
    struct rows rows = {.route = route, .problem = problem, .plan = plan};
    struct buffer_ref places[NUM_BUFFER_ROLES] = {{BUFFER_NONE, 0}};
    group_words(&rows);
    const struct problem packed = packed_problem(&rows);
    pack(&rows, BUFFER_COLUMN, route->num_elements, &places[BUFFER_KEYS]);
    pack(&rows, BUFFER_QUERY_COLUMN, num_queries, &places[BUFFER_QUERIES]);
    if (writes_keys)
        places[BUFFER_KEYS_OUT] =
            plan_reserve_buffer(plan, route->num_elements * problem_key_size(&packed));
    places[BUFFER_NONE] = places[BUFFER_KEYS]; /* the caller has no keys to stand for it */
    plan_inner(route->facts, &packed, places, plan);
    if (writes_keys)
        unpack(&rows, places[BUFFER_KEYS_OUT]);
}
