/* make.c: makes plans: a route is chosen, and its planner writes the steps. This file alone knows
 * the chooser and all planners; those that plan other sorts inside reach it by plan->maker. */
#include "plan/route.h"

#define NVIDIA_REGISTERS 65536 /* of a compute unit, for the work-items of a group at least */

/* A planner may plan a sort of something simpler: places plan the whole order, rows and strings
 * their numbers, wide indices narrow ones, segments and arrays a list. The longest chain is places,
 * of rows, of many arrays of numbers, in a list. */
#define MAX_PLAN_DEPTH 4

static void write(struct route *route, struct plan *plan)
{
#define PLANNER(form, planner) [FORM_##form] = planner,
    static void (*const planners[NUM_FORMS])(const struct route *,
                                             struct plan *) = {ROUTE_FORMS(PLANNER)};
#undef PLANNER
    plan->algorithm = route->algorithm;
    plan->stable = route->stable;
    if (route->form == FORM_NOTHING)
        return;
    if (plan->depth == MAX_PLAN_DEPTH) {
        plan_fail(plan, CLSORT_ERROR_UNSUPPORTED);
        return;
    }
    ++plan->depth;
    if (route->payload.work_size)
        route->payload.work = plan_reserve_buffer(plan, route->payload.work_size);
    planners[route->form](route, plan);
    if (route->payload.gathers) /* the values, which come behind the keys */
        payload_place(route, 1, route->payload.work, route->payload.size, plan);
    --plan->depth;
}

static const struct plan_maker maker = {plan_choose, plan_choose_listed, write};

clsort_status plan_make(const struct device_facts *facts, const struct problem *problem,
                        struct plan *plan)
{
    struct route route;
    plan->maker = &maker;
    plan->scratch_size = plan->scratch_end = 0;
    plan->num_steps = 0;
    plan->status = plan_choose(facts, problem, &route);
    if (!plan->status)
        write(&route, plan);
    for (uint32_t i = 0; i < plan->num_steps; ++i) {
        struct step *step = &plan->steps[i];
        struct variant *variant = &step->variant;
        /* Every kernel asserts that its local memory is no more than that. */
        variant->local_size = (uint32_t)larger(variant->local_size, step->local_size);
        /* NVIDIA's compiler alone can be held to a number of registers. */
        const uint32_t most =
            facts->class == DEVICE_NVIDIA ? NVIDIA_REGISTERS / variant->group_size : 0;
        variant->registers = (uint32_t)smaller(variant->registers, most);
    }
    return plan->status;
}
