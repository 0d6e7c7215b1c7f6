/* plan.c: what all planners need to write steps, and what others read from a plan. make.c makes
 * plans. */
#include "plan/route.h"

#include <stdlib.h>

#define FILLERS_PER_UNIT 16 /* work-groups, at most */

static int grow(struct plan *plan)
{
    const uint32_t capacity = plan->capacity ? 2 * plan->capacity : 32;
    struct step *grown = capacity <= 2 * MAX_MEMBERS * MAX_STEPS
                             ? realloc(plan->steps, capacity * sizeof *grown)
                             : NULL;
    if (!grown)
        return 0;
    plan->steps = grown;
    plan->capacity = capacity;
    return 1;
}

struct step *plan_add(struct plan *plan, enum kernel_id kernel, const struct step *like,
                      struct shape shape)
{
    const int has_room = plan->num_steps < plan->capacity || grow(plan);
    struct step *step = has_room ? &plan->steps[plan->num_steps++] : &plan->lost;
    if (!has_room)
        plan_fail(plan, CLSORT_ERROR_HOST_MEMORY);
    *step = *like;
    step->kernel = kernel;
    step->variant.group_size = shape.group_size;
    step->variant.items = shape.items;
    step->variant.lanes = shape.lanes;
    return step;
}

struct step *plan_add_keyless(struct plan *plan, enum kernel_id kernel, uint32_t payload_size,
                              uint32_t move_unit, struct shape shape)
{
    const struct step like = {.variant = {.key_bits = 32, /* these only have to be valid */
                                          .key_num_bits = 32,
                                          .payload_size = payload_size,
                                          .move_unit = move_unit}};
    return plan_add(plan, kernel, &like, shape);
}

/* A step of table.cl, whose kernels have the local memory of scan. */
static struct step *add_table(enum kernel_id kernel, uint32_t group_size, struct buffer_ref table,
                              struct table_params params, struct plan *plan)
{
    struct step *step = plan_add_keyless(plan, kernel, 0, 1, (struct shape){group_size, 1, 1});
    step->variant.local_size = 8 * group_size;
    STEP_BIND(step, table);
    STEP_PARAMS(step, table) = params;
    return step;
}

void plan_fill(const struct route *route, struct buffer_ref table, uint32_t number_size,
               uint64_t size, uint64_t period, struct plan *plan)
{
    const uint32_t group_size = route->move.group_size;
    const uint64_t most = ((uint64_t)route->facts->num_units + 1) * FILLERS_PER_UNIT;
    const uint64_t share = ceil_div(size, larger(smaller(ceil_div(size, group_size), most), 1));
    struct step *step = add_table(KERNEL_FILL, group_size, table,
                                  (struct table_params){{0}, size, period, share}, plan);
    step->variant.payload_size = number_size;
    step->num_groups = ceil_div(size, larger(share, 1));
    step->bytes_written = size * number_size;
    step->work = period == 1 ? "zeros" : "indices";
}

void plan_scan(uint32_t group_size, uint32_t subgroup, struct buffer_ref table, uint64_t num_rows,
               uint64_t size, struct plan *plan)
{
    struct step *step =
        add_table(KERNEL_SCAN, group_size, table, (struct table_params){{0}, size, 1, 0}, plan);
    step->variant.subgroup = subgroup;
    step->variant.local_size *= subgroup > 1 ? 2 : 1;
    step->local_size = step->variant.local_size;
    step->num_groups = num_rows;
    step->bytes_read = step->bytes_written = num_rows * size * 8;
}

void plan_reserve_tables(struct plan *plan, const struct table *tables, size_t num_tables)
{
    for (size_t i = 0; i < num_tables; ++i) {
        *tables[i].begin =
            (plan->scratch_end + SCRATCH_ALIGNMENT - 1) / SCRATCH_ALIGNMENT * SCRATCH_ALIGNMENT;
        plan->scratch_end = *tables[i].begin + tables[i].size;
        plan->scratch_size = larger(plan->scratch_size, plan->scratch_end);
    }
}

uint64_t plan_reserve(struct plan *plan, uint64_t size)
{
    param_u64 begin;
    plan_reserve_tables(plan, &(struct table){&begin, size}, 1);
    return begin;
}

struct buffer_ref plan_reserve_buffer(struct plan *plan, uint64_t size)
{
    return (struct buffer_ref){BUFFER_SCRATCH, plan_reserve(plan, size)};
}

uint32_t problem_moved(const struct problem *problem, struct moved_array moved[MAX_MOVED_ARRAYS])
{
    uint32_t num = 0;
    for (uint32_t i = 0; i < problem->num_columns; ++i)
        moved[num++] = (struct moved_array){(enum buffer_role)(BUFFER_COLUMN + i),
                                            problem->members[i].type->bits / 8};
    if (num == 0)
        moved[num++] = (struct moved_array){BUFFER_KEYS, problem_key_size(problem)};
    for (uint32_t i = 0; i < problem_num_values(problem); ++i)
        moved[num++] =
            (struct moved_array){problem_values(problem, i), problem_value_size(problem, i)};
    return num;
}

struct tile_params plan_divide_tiles(const struct problem *problem, struct shape shape)
{
    const uint64_t slots = shape_slots(shape);
    const int whole = problem->count > slots;
    /* Arrays below a vector's width still get slots of their own for a whole vector. */
    const uint32_t slot_bits = ceil_log2(whole ? slots : larger(problem->count, shape.lanes));
    return (struct tile_params){
        .count = problem->count,
        .num_arrays = problem->num_arrays,
        .tiles_per_array = whole ? ceil_div(problem->count, slots) : 1,
        .arrays_per_tile = (uint32_t)(slots >> slot_bits),
        .slot_bits = slot_bits,
    };
}

void plan_inner(const struct device_facts *facts, const struct problem *problem,
                const struct buffer_ref places[NUM_BUFFER_ROLES], struct plan *plan)
{
    const uint32_t first_step = plan->num_steps;
    const uint64_t scratch_end = plan->scratch_end;
    struct route route;
    const clsort_status status = plan->maker->choose(facts, problem, &route);
    if (status)
        plan_fail(plan, status);
    else
        plan->maker->write(&route, plan);
    plan->scratch_end = scratch_end;
    for (uint32_t i = first_step; i < plan->num_steps; ++i) {
        struct step *step = &plan->steps[i];
        for (uint32_t j = 0; j < step->num_buffers; ++j) {
            const struct buffer_ref *place = &places[step->buffers[j].role];
            if (place->role != BUFFER_NONE) {
                step->buffers[j].role = place->role;
                step->buffers[j].offset += place->offset;
            }
        }
    }
}

void plan_finish(struct plan *plan)
{
    free(plan->steps);
    *plan = (struct plan){0};
}

void plan_sums(const struct plan *plan, clsort_plan *sums_ret)
{
    clsort_plan sums = {
        .algorithm = plan->algorithm,
        .stable = (uint32_t)plan->stable,
        .num_steps = plan->num_steps,
        .scratch_size = plan_scratch_asked(plan),
    };
    for (uint32_t i = 0; i < plan->num_steps; ++i) {
        sums.compares += plan->steps[i].compares;
        sums.exchanges += plan->steps[i].exchanges;
        sums.bytes_read += plan->steps[i].bytes_read;
        sums.bytes_written += plan->steps[i].bytes_written;
    }
    *sums_ret = sums;
}

void plan_step(const struct step *step, clsort_step *step_ret)
{
    *step_ret = (clsort_step){
        .kernel = kernel_name(step->kernel),
        .num_groups = step->num_groups,
        .group_size = step->variant.group_size,
        .local_size = step->local_size,
        .compares = step->compares,
        .exchanges = step->exchanges,
        .bytes_read = step->bytes_read,
        .bytes_written = step->bytes_written,
    };
}
