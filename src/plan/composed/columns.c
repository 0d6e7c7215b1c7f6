/* columns.c: steps that sort rows by several numbers. Neighbouring numbers that fit in 64 bits
 * are packed into one key (cl/move/columns.cl), so that there are few keys. The rows' indices are
 * sorted by each key, stably, from the last to the first; these sorts are plans of numbers, put in
 * here. At last the indices put in order what is wanted, except the members of the first key: it is
 * sorted, and they are unpacked from it. If that is all, there are no indices. */
#include "plan/rows.h"

#include "program/record.h"

#define MAX_KEY_BITS 64

void rows_group(struct rows *rows)
{
    const struct problem *problem = rows->problem;
    struct row_key *group = NULL;
    for (uint32_t i = 0; i < problem->num_members; ++i) {
        const uint32_t bits = problem->members[i].num_bits;
        if (!group || group->bits + bits > MAX_KEY_BITS) {
            group = &rows->groups[rows->num_groups++];
            *group = (struct row_key){.first = i};
        }
        group->end = i + 1;
        group->bits += bits;
        group->key_bits = group->bits <= 32 ? 32 : 64;
    }
}

void rows_reserve_key(struct rows *rows)
{
    uint32_t bits = 32;
    for (uint32_t i = 0; i < rows->num_groups; ++i)
        bits = rows->groups[i].key_bits > bits ? rows->groups[i].key_bits : bits;
    rows->key = plan_reserve_buffer(rows->plan, rows->route->num_elements * bits / 8);
}

/* Bytes that may be read at once from a place at a multiple of `alignment`. */
static uint32_t unit_of(uint32_t size, uint32_t alignment, uint32_t offset)
{
    uint32_t unit = size < alignment ? size : alignment;
    while (offset % unit)
        unit /= 2;
    return unit;
}

/* A step of columns.cl; `columns` is the role of the first column. */
static struct step *add_step(struct rows *rows, const struct row_key *group, enum kernel_id kernel,
                             enum buffer_role columns, uint32_t flags)
{
    const struct problem *problem = rows->problem;
    const struct shape shape = rows->route->move;
    const struct variant variant = {
        .key_bits = group->key_bits,
        .key_num_bits = group->key_bits,
        .payload_size = kernel == KERNEL_COLUMNS_PACK && rows->index_size ? rows->index_size : 4,
        .move_unit = 1,
    };
    struct step *step = plan_add(rows->plan, kernel, &(struct step){.variant = variant}, shape);
    struct columns_params *params = &step->params.columns;
    *params = (struct columns_params){
        .count = problem->count,
        .num_elements = rows->route->num_elements,
        .num_members = group->end - group->first,
        .flags = flags,
        .num_words = rows->num_words ? rows->num_words : 1,
    };
    step->num_buffers = COLUMNS_BUFFERS;
    for (uint32_t i = 0; i < COLUMNS_MEMBERS; ++i)
        step->buffers[i] = rows->key; /* not touched */
    for (uint32_t i = 0; i < params->num_members; ++i) {
        const uint32_t number = group->first + i;
        const struct member *member = &problem->members[number];
        const uint32_t size = member->type->bits / 8;
        const int is_number = rows->number_size && number == 0;
        const int is_field = problem->record_size && !is_number;
        const uint32_t column = number - (rows->number_size != 0);
        const uint32_t stride = is_field ? problem->record_size : size;
        const uint32_t alignment = is_field ? record_alignment(stride) : size;
        params->members[i] = (struct columns_member){
            .stride = stride,
            .unit = unit_of(size, alignment, member->offset),
            .bits = member->type->bits,
            .mantissa_bits = member->type->mantissa_bits,
            .is_signed = member->type->kind == KEY_SIGNED,
            .descending = (uint32_t)member->descending,
            .first_bit = member->first_bit,
            .num_bits = member->num_bits,
        };
        step->buffers[i] = is_number ? rows->numbers
                           : problem->num_columns
                               ? role_ref((enum buffer_role)(columns + column))
                               : (struct buffer_ref){BUFFER_KEYS, member->offset};
    }
    step->buffers[COLUMNS_MEMBERS] = rows->key;
    step->buffers[COLUMNS_MEMBERS + 1] = rows->index;
    step->params_size = sizeof *params;
    step->num_groups = ceil_div(rows->route->num_elements, shape_slots(shape));
    return step;
}

void rows_pack(struct rows *rows, const struct row_key *group, enum buffer_role columns,
               uint32_t flags)
{
    const uint64_t n = rows->route->num_elements;
    struct step *step = add_step(rows, group, KERNEL_COLUMNS_PACK, columns, flags);
    step->bytes_read =
        n * (group->bits / 8 + (flags & COLUMNS_FLAG_BY_INDEX ? rows->index_size : 0));
    step->bytes_written =
        n * (group->key_bits / 8 + (flags & FLAG_MAKE_INDEX ? rows->index_size : 0));
}

/* Sorts the keys, and with them the indices, in place. */
static void add_sort(struct rows *rows, const struct row_key *group)
{
    const struct problem *problem = rows->problem;
    struct problem sort = {
        .count = problem->count,
        .num_arrays = problem->num_arrays,
        .type = key_type_of(group->key_bits == 32 ? CLSORT_U32 : CLSORT_U64),
        .stable = 1,
        .in_place = 1,
        .algorithm = problem->record_size ? CLSORT_RADIX : problem->algorithm,
        .value_size = rows->index_size,
        .num_bits = group->key_bits,
    };
    const struct device_facts *facts = rows->route->facts;
    struct route route;
    /* Radix sort does less for fewer bits. For other sorts a bit range would be one more form of
     * kernels. */
    if (!facts->cpu_kernels && group->bits < sort.num_bits &&
        !rows->plan->maker->choose(facts, &sort, &route) && route.algorithm == CLSORT_RADIX) {
        sort.algorithm = CLSORT_RADIX;
        sort.num_bits = group->bits;
    }
    const struct buffer_ref places[NUM_BUFFER_ROLES] = {
        [BUFFER_NONE] = rows->key, /* the caller may have no keys to stand for it */
        [BUFFER_KEYS] = rows->key,     [BUFFER_KEYS_OUT] = rows->key,
        [BUFFER_VALUES] = rows->index, [BUFFER_VALUES_OUT] = rows->index,
    };
    plan_inner(facts, &sort, places, rows->plan);
}

void rows_sort(struct rows *rows, int has_index)
{
    for (uint32_t i = rows->num_groups; i-- > 0;) {
        const int is_first = !has_index && i + 1 == rows->num_groups;
        const uint32_t flags = is_first ? FLAG_MAKE_INDEX : COLUMNS_FLAG_BY_INDEX;
        rows_pack(rows, &rows->groups[i], BUFFER_COLUMN, rows->index_size ? flags : 0);
        add_sort(rows, &rows->groups[i]);
    }
}

void rows_unpack(struct rows *rows, uint32_t group, enum buffer_role columns, uint32_t flags)
{
    const struct row_key *key = &rows->groups[group];
    struct step *step = add_step(rows, key, KERNEL_COLUMNS_UNPACK, columns, flags);
    step->bytes_read = rows->route->num_elements * (key->key_bits / 8);
    step->bytes_written = rows->route->num_elements * (key->bits / 8);
}

void plan_columns(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    struct rows rows = {.route = route, .problem = problem, .plan = plan};
    rows_group(&rows);
    rows_reserve_key(&rows);
    rows.index = rows.key; /* not touched */
    if (problem->index_size) {
        rows.index_size = problem->index_size;
        rows.index = role_ref(BUFFER_INDICES);
    } else if (rows.num_groups > 1 || problem_num_values(problem) || problem->record_size) {
        rows.index_size = problem->count > (uint64_t)UINT32_MAX + 1 ? 8 : 4;
        rows.index = plan_reserve_buffer(plan, route->num_elements * rows.index_size);
    }
    rows_sort(&rows, 0);
    const uint32_t num_in_key = problem->num_columns ? rows.groups[0].end : 0; /* the first key */
    payload_place(route, num_in_key, rows.index, rows.index_size, plan);
    if (num_in_key && !(problem->index_size && problem->in_place))
        rows_unpack(&rows, 0, problem_out(problem, BUFFER_COLUMN), 0);
    plan->stable = 1;
}
