/* places.c: only some places of each array's order are wanted (skip and limit), or the
 * sorted keys together with their indices. The general route, for every kind of keys and of
 * payload: all is sorted stably into scratch by another plan, and the wanted places are copied
 * from there. In place, the first places hold what is wanted, and the others what lies around it
 * in the order. Keys with indices are gathered by the indices. Segments go the same way, each by
 * itself (cl/segments/places.cl). */
#include "plan/route.h"

struct places {
    const struct route *route;
    const struct problem *problem;
    struct plan *plan;
    uint64_t wanted;                            /* elements of an array that are written */
    struct segments_params segments;            /* if there are any */
    struct buffer_ref sorted[NUM_BUFFER_ROLES]; /* where the other plan writes them; NONE: there */
};

/* Whether all elements are moved, those that are wanted to the front. */
static int moves_all(const struct problem *problem)
{
    return problem->in_place && !problem->index_size;
}

/* Copies the wanted elements: those of segments by segments_places.cl. */
static void copy(const struct places *places, uint32_t size, struct buffer_ref from,
                 struct buffer_ref to)
{
    const struct problem *problem = places->problem;
    if (!problem->segment_offset_size) {
        payload_copy(places->route, size, places->wanted, from, to, places->plan)
            ->params.move.skip = problem->skip;
        return;
    }
    const enum kernel_id kernel =
        moves_all(problem) ? KERNEL_SEGMENTS_TURN : KERNEL_SEGMENTS_PLACES;
    struct step *step = payload_move(places->route, kernel, size, places->wanted, places->plan);
    step->variant.payload_size = segment_number_size(problem->count);
    STEP_PARAMS(step, segments) = places->segments;
    step->params.segments.num_units = size / payload_piece(size);
    STEP_BIND(step, role_ref(BUFFER_OFFSETS), from, to, from, role_ref(BUFFER_SCRATCH));
}

void plan_places_gather(const struct route *route, uint32_t size, enum buffer_role role,
                        struct buffer_ref indices, int are_wanted, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const uint64_t limit = problem_limit(problem);
    struct step *step = payload_move(route, KERNEL_GATHER, size, limit, plan);
    step->variant.payload_size = are_wanted ? 4 : problem->index_size;
    step->params.move.skip = are_wanted ? 0 : problem->skip;
    step->params.move.order = are_wanted ? limit : problem->count;
    STEP_BIND(step, role_ref(role), role_ref(role_out(role)), indices);
    step->bytes_read += num_wanted(problem) * step->variant.payload_size;
}

/* The other plan, which writes to scratch what the roles of `sorted` stand for. */
static void sort_all(struct places *places, struct problem *sort)
{
    const struct problem *problem = places->problem;
    struct plan *plan = places->plan;
    sort->skip = sort->limit = 0;
    /* Numbers alone show no order. */
    sort->stable = problem->value_size || problem->num_values || problem->index_size ||
                   problem_shows_order(problem);
    plan_inner(places->route->facts, sort, places->sorted, plan);
    plan->stable = 1;
}

static struct buffer_ref reserve(struct places *places, uint32_t size)
{
    return plan_reserve_buffer(places->plan, num_elements(places->problem) * size);
}

/* Keys and their indices: by an argsort. */
static void place_keys(struct places *places)
{
    const struct problem *problem = places->problem;
    const struct buffer_ref indices = role_ref(BUFFER_INDICES);
    const int is_all = places->wanted == problem->count;
    struct problem sort = *problem;
    sort.in_place = 1;
    if (!is_all)
        places->sorted[BUFFER_INDICES] = reserve(places, problem->index_size);
    const struct buffer_ref order = is_all ? indices : places->sorted[BUFFER_INDICES];
    sort_all(places, &sort);
    plan_places_gather(places->route, problem_key_size(problem), BUFFER_KEYS, order, 0,
                       places->plan);
    if (!is_all)
        copy(places, problem->index_size, order, indices);
}

/* What the steps of segments need to know, and their tables. A limit may be far beyond all
 * segments, so it is not always its places that are looked at. */
static void find_segments(struct places *places)
{
    const struct problem *problem = places->problem;
    const int by_place = !moves_all(problem) && problem->limit &&
                         problem->num_segments * problem->limit <= problem->count;
    places->wanted = by_place ? problem->num_segments * problem->limit : problem->count;
    places->segments = (struct segments_params){
        .count = problem->count,
        .num_segments = problem->num_segments,
        .skip = problem->skip,
        .limit = problem->limit,
        .num_places = places->wanted,
        .offset_size = problem->segment_offset_size,
        .flags = by_place ? SEGMENTS_FLAG_BY_PLACE : 0,
    };
    if (moves_all(problem) && problem->skip)
        plan_segments_number(places->route, &places->segments, places->plan);
}

/* Whatever is written, from where it is sorted in scratch; in place, to the source. */
static void place_all(struct places *places)
{
    const struct problem *problem = places->problem;
    const int is_argsort = problem->index_size && problem->in_place;
    struct moved_array moved[MAX_MOVED_ARRAYS];
    uint32_t num = is_argsort ? 0 : problem_moved(problem, moved);
    struct problem sort = *problem;
    sort.in_place = is_argsort;
    if (problem->index_size) /* and so there are no values */
        moved[num++] = (struct moved_array){BUFFER_INDICES, problem->index_size};
    for (uint32_t i = 0; i < num; ++i)
        places->sorted[role_out(moved[i].from)] = reserve(places, moved[i].size);
    sort_all(places, &sort);
    if (problem->segment_offset_size)
        find_segments(places);
    for (uint32_t i = 0; i < num; ++i)
        copy(places, moved[i].size, places->sorted[role_out(moved[i].from)],
             role_ref(problem_out(problem, moved[i].from)));
}

void plan_places(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    struct places places = {
        .route = route,
        .problem = problem,
        .plan = plan,
        .wanted = moves_all(problem) ? problem->count : problem_limit(problem),
    };
    struct problem sort = *problem;
    if (problem->index_size && !problem->in_place && !problem->num_columns &&
        !problem->segment_offset_size)
        place_keys(&places);
    else if (!moves_all(problem) || problem->skip)
        place_all(&places);
    else /* the first places of the order are in place */
        sort_all(&places, &sort);
}
