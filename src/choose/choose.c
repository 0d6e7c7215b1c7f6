/* choose.c: chooses a sort's route, by a pure function of the problem and the device's facts.
 * It has the limits of algorithms, what AUTO takes, and the forms. Measured numbers are tuning. */
#include "plan/route.h"

#define MAX_RANK_COUNT ((uint64_t)1 << 20)
#define MAX_RANK_COMPARES ((uint64_t)1 << 41)
/* Keys of no more bits have few digits: 2^20 u8 with values of 4 bytes take an H200 0.078 ms by
 * radix sort and 0.118 by quicksort. */
#define QUICK_BITS 16

/* What the choice looks up, each at most once. */
struct chooser {
    const struct device_facts *facts;
    const struct problem *problem;
    struct route *route;
    struct payload ordered;   /* what moves in sorts that keep equal keys in their order, */
    struct payload unordered; /* and in the others, where an index may have to settle ties */
    uint32_t ordered_size, unordered_size; /* payload_item_size() of both */
    struct whole_tuning whole;             /* fitted to the device, once it has been asked for */
    int has_whole;
};

/* ---- Limits ---- */
static int rank_allows(const struct problem *problem)
{
    const uint64_t count = problem->count;
    return count <= MAX_RANK_COUNT && count * count <= MAX_RANK_COMPARES &&
           problem->num_arrays <= MAX_RANK_COMPARES / larger(count * count, 1);
}

static int quick_allows(const struct problem *problem)
{
    return num_elements(problem) <= UINT32_MAX;
}

/* CPUs' compilers work 5 to 13 s on quicksort of records, which is seven or eight kernels. Merge
 * sort, which AUTO takes there, is three kernels and takes 2 to 4 s. */
static int quick_compiles_long(const struct device_facts *facts, const struct problem *problem)
{
    return facts->cpu_kernels && problem->record_size;
}

/* ---- What several choices need ---- */
static void set_form(struct chooser *c, enum route_form form, const struct payload *payload,
                     int stable)
{
    c->route->form = form;
    c->route->payload = *payload;
    c->route->item_size = payload == &c->ordered ? c->ordered_size : c->unordered_size;
    c->route->keeps_order = payload_keeps_order(c->problem, payload);
    c->route->variant = payload_variant(c->problem, payload);
    c->route->stable = stable;
}

/* The most elements of an array that one work-group sorts, or that the device holds at once. */
static uint64_t whole_max(const struct chooser *c, const struct whole_tuning *tuning)
{
    const uint64_t held =
        (uint64_t)c->facts->num_units * tuning->groups_per_unit * tuning->group_size * tuning->held;
    return larger(shape_slots(tuning->single), held);
}

static int takes_whole(struct chooser *c)
{
    if (c->problem->num_arrays != 1 || c->problem->record_is_wide)
        return 0;
    if (!c->has_whole)
        c->whole = tuning_whole(c->facts, c->unordered_size);
    c->has_whole = 1;
    const uint64_t most = c->problem->record_size ? c->whole.records_max : UINT64_MAX;
    return c->whole.groups_per_unit && c->problem->count <= smaller(whole_max(c, &c->whole), most);
}

/* Whether several arrays are sorted as segments: each of them and all together have enough
 * elements, and the device can sort them so. *stable_ret: whether equal keys then keep their
 * order. */
static int takes_arrays(const struct chooser *c, int *stable_ret)
{
    const struct problem *problem = c->problem;
    if (problem->num_arrays < 2 || c->facts->cpu_kernels || problem->record_size)
        return 0;
    struct problem arrays = *problem;
    arrays.count = num_elements(problem);
    arrays.num_arrays = 1;
    const struct problem whole = plan_listed_problem(&arrays);
    const struct segments_params params = {
        .count = whole.count,
        .num_segments = problem->num_arrays,
    };
    const struct segments_tuning tuning = tuning_segments(c->facts, c->ordered_size, 0);
    struct route listed;
    if (problem->count < tuning.arrays_min || problem->count >= tuning.arrays_max ||
        whole.count < tuning.arrays_total ||
        !plan_choose_listed(c->facts, &whole, &params, &listed))
        return 0;
    if (listed.payload.is_index && !problem->index_size && !problem_num_values(problem))
        return 0; /* it would take several copies of the keys to keep equal ones in order */
    *stable_ret = listed.stable;
    return 1;
}

/* ---- AUTO ---- */
/* From which count on radix sort is the fastest for records; UINT64_MAX: it cannot sort them. Its
 * fields are one number of 64 bits together, or it sorts by one after the other. */
static uint64_t records_radix_min(const struct problem *problem, const struct record_tuning *tuning)
{
    const int keeps_order = problem->stable || problem->index_size;
    uint32_t bits = 0;
    for (uint32_t i = 0; i < problem->num_members; ++i)
        bits += problem->members[i].type->bits;
    return bits == 0     ? UINT64_MAX
           : bits > 64   ? tuning->radix_several_min
           : keeps_order ? tuning->radix_min
                         : tuning->radix_free_min;
}

static clsort_algorithm record_algorithm(const struct device_facts *facts,
                                         const struct problem *problem)
{
    const struct record_tuning tuning = tuning_records(facts, problem->record_size);
    const int keeps_order = problem->stable || problem->index_size;
    if (problem->count >= records_radix_min(problem, &tuning))
        return CLSORT_RADIX;
    const uint64_t quick_min = keeps_order ? tuning.quick_stable_min : tuning.quick_min;
    const int are_few =
        problem->count >= tuning.quick_min && problem->count < tuning.quick_stable_few;
    if ((problem->count >= quick_min || are_few) && quick_allows(problem))
        return CLSORT_QUICK;
    return CLSORT_MERGE;
}

/* Pairs of 8 bytes, and those of 16 that msd takes. */
static int is_pair(const struct chooser *c)
{
    const struct key_type *type = c->problem->type;
    if (type->bits == 32 && c->ordered.size == 4)
        return 1;
    return type->bits >= 32 && type->kind != KEY_FLOAT && !problem_shows_order(c->problem) &&
           c->unordered_size == 16 && c->unordered.size &&
           !payload_keeps_order(c->problem, &c->unordered);
}

/* Whether rank sort is faster than the network: for few elements in all. */
static int rank_pays(const struct chooser *c, uint64_t compares)
{
    return c->facts->cpu_kernels || c->problem->num_arrays == 1 ||
           num_elements(c->problem) <=
               compares * larger(c->facts->num_units, 1) / larger(c->problem->count, 1);
}

/* The numbers of quicksort. An index moves as a part of the item, and is compared; records are
 * merged in leaves, whatever moves with them. */
static struct partition_tuning splitters_tuning(const struct chooser *c)
{
    const int is_pair = !c->unordered.is_index && !c->problem->record_size;
    return tuning_splitters(c->facts, c->unordered_size, is_pair ? c->unordered.size : 0);
}

/* Whether quicksort is faster than the network, and than radix sort in three launches a digit:
 * where the key moves with something, and has many digits. */
static int quick_pays(const struct chooser *c)
{
    const struct problem *problem = c->problem;
    if (problem->algorithm != CLSORT_AUTO || c->facts->cpu_kernels || !c->unordered.size ||
        problem->num_bits <= QUICK_BITS || !quick_allows(problem))
        return 0;
    return problem->count >= splitters_tuning(c).min_count;
}

static clsort_algorithm number_algorithm(struct chooser *c)
{
    const struct problem *problem = c->problem;
    int is_stable;
    const struct tuning general = tuning_row(c->facts, TUNING_GENERAL, c->ordered_size, 0).general;
    if (problem->count <= general.rank_auto_max && rank_pays(c, general.rank_compares) &&
        rank_allows(problem))
        return CLSORT_RANK;
    const uint32_t bits = problem->type->bits;
    /* Quicksort in one launch is faster than counting 16 bits, which have many counters. */
    struct counting_tuning counting;
    const int counts = bits <= 16 && plan_counting_takes(c->route, &counting);
    if (counts && bits == 8)
        return CLSORT_RADIX;
    const struct whole_tuning whole =
        tuning_row(c->facts, TUNING_WHOLE, c->unordered_size, 0).whole;
    const uint64_t most = is_pair(c)                                  ? whole.pairs_max
                          : payload_keeps_order(problem, &c->ordered) ? whole.stable_max
                                                                      : whole.auto_max;
    if (problem->count <= (bits < 32 ? whole.narrow_max : most) && takes_whole(c))
        return CLSORT_QUICK;
    return counts || problem->count >= general.radix_auto_min || takes_arrays(c, &is_stable)
               ? CLSORT_RADIX
           : quick_pays(c) ? CLSORT_QUICK
                           : CLSORT_BITONIC;
}

static clsort_algorithm choose_algorithm(struct chooser *c)
{
    const struct problem *problem = c->problem;
    if (problem->algorithm == CLSORT_QUICK && quick_compiles_long(c->facts, problem))
        return CLSORT_MERGE;
    if (problem->algorithm != CLSORT_AUTO)
        return problem->algorithm;
    if (problem->record_size)
        return record_algorithm(c->facts, problem);
    return problem->is_strings ? CLSORT_RADIX : number_algorithm(c);
}

/* ---- Forms of the algorithms ---- */
static void choose_rank(struct chooser *c)
{
    struct route *route = c->route;
    set_form(c, FORM_RANK, &c->ordered, 1);
    if (!route->payload.stored) /* nothing lies in memory between its first step and its last */
        route->payload.work_size = 0;
    route->general = tuning_for(c->facts, route->item_size);
}

static void choose_bitonic(struct chooser *c)
{
    struct route *route = c->route;
    set_form(c, FORM_BITONIC, &c->unordered, payload_is_stable(c->problem, &c->unordered));
    route->general = tuning_for(c->facts, route->item_size);
    if (!route->payload.stored && c->problem->count <= shape_slots(route->general.tile))
        route->payload.work_size = 0;
}

static void choose_merge(struct chooser *c)
{
    struct route *route = c->route;
    set_form(c, FORM_MERGE, &c->ordered, 1);
    if (c->facts->cpu_kernels)
        route->cpu.tuning = tuning_cpu(c->facts);
    else
        route->merge = tuning_merge(c->facts, route->item_size, 0);
}

/* Whether quicksort's levels keep equal records in order by themselves: where an index would have
 * to, or moves for its own sake, and local memory holds the counters. */
static int takes_in_order(const struct chooser *c, struct partition_tuning *row_ret)
{
    struct partition_tuning row = tuning_splitters(c->facts, c->ordered_size, 0);
    if (!c->problem->record_size || !c->unordered.is_index ||
        !tuning_fit_splitters_in_order(c->facts, c->ordered_size, &row))
        return 0;
    *row_ret = row;
    return 1;
}

static void choose_quick(struct chooser *c)
{
    struct route *route = c->route;
    struct partition_tuning in_order;
    set_form(c, FORM_SPLITTERS, &c->unordered, payload_is_stable(c->problem, &c->unordered));
    if (takes_whole(c)) {
        route->whole = c->whole;
        route->form = FORM_WHOLE;
    } else if (takes_in_order(c, &in_order)) {
        set_form(c, FORM_SPLITTERS, &c->ordered, 1);
        route->splitters = in_order;
        route->moves_in_order = 1;
    } else {
        route->splitters = splitters_tuning(c);
        route->moves_in_order = 0;
    }
}

/* CPUs: whether all work-items sort an array together that has more bytes than alone_bytes. */
static int is_together(const struct chooser *c, uint64_t alone_bytes)
{
    const struct problem *problem = c->problem;
    const int are_few = problem->num_arrays < 2 * (uint64_t)c->facts->num_units;
    /* One work-item counts in 32 bits. */
    return problem->count > UINT32_MAX ||
           (are_few && problem->count * c->route->item_size > alone_bytes);
}

static int is_counted_by_cpu(const struct problem *problem, const struct route *route)
{
    const uint32_t bits = problem->type->bits;
    return route->payload.size == 0 && bits <= 16 && problem->num_bits == bits &&
           problem->count >> bits >= route->cpu.tuning.keys_per_counter;
}

/* CPUs: all work-items sort few long arrays together; other arrays are sorted by one work-item
 * each. */
static void choose_cpu_radix(struct chooser *c)
{
    const struct problem *problem = c->problem;
    struct route *route = c->route;
    set_form(c, FORM_CPU, &c->ordered, 1);
    route->cpu.tuning = tuning_cpu(c->facts);
    const struct cpu_tuning *tuning = &route->cpu.tuning;
    const uint64_t in_cache = tuning->spare_bytes / route->item_size;
    const uint64_t alone_bytes =
        plan_cpu_has_vectors(route) ? tuning->vectors_alone_bytes : tuning->alone_bytes;
    route->cpu.is_counted =
        is_together(c, tuning->alone_bytes) && is_counted_by_cpu(problem, route);
    route->cpu.is_alone = !route->cpu.is_counted && !is_together(c, alone_bytes);
    route->cpu.is_short = route->cpu.is_alone && problem->count <= larger(in_cache, 1);
}

/* The radix sort of GPUs that takes the route's head. The last one, with three launches a digit,
 * takes all. */
static enum route_form fill_radix(struct route *route)
{
    if (route->problem->type->bits <= 16 && plan_counting_takes(route, &route->counting))
        return FORM_COUNTING;
    if (plan_msd_takes(route, &route->msd))
        return FORM_MSD;
    if (plan_onesweep_takes(route, &route->onesweep))
        return FORM_ONESWEEP;
    return plan_digits_takes(route, &route->digits, &route->levels) ? FORM_DIGITS : FORM_LSD;
}

static void choose_radix(struct chooser *c)
{
    struct route *route = c->route;
    if (c->facts->cpu_kernels) {
        choose_cpu_radix(c);
        return;
    }
    set_form(c, FORM_LSD, &c->ordered, 1);
    /* All bits, whatever the range: kernels know their digit as a parameter. */
    route->variant.key_first_bit = 0;
    route->variant.key_num_bits = c->problem->type->bits;
    if (takes_arrays(c, &route->stable)) {
        route->form = FORM_ARRAYS;
        route->payload = (struct payload){0};
    } else if ((route->form = fill_radix(route)) != FORM_LSD) {
        route->stable = route->form == FORM_COUNTING || !route->payload.size || route->keeps_order;
    } else if (quick_pays(c)) {
        route->algorithm = CLSORT_QUICK;
        choose_quick(c);
    } else {
        route->general = tuning_for(c->facts, route->item_size);
    }
}

/* Numbers on CPUs are sorted by shares of all work-items. */
static void choose_segments(struct chooser *c)
{
    const struct problem *problem = c->problem;
    struct route *route = c->route;
    route->form = FORM_SEGMENTS;
    if (!c->facts->cpu_kernels || problem->record_size || problem->num_columns ||
        !problem->num_segments || problem->count > UINT32_MAX)
        return;
    set_form(c, FORM_CPU, &c->ordered, 1);
    route->cpu = (struct cpu_cut){.tuning = tuning_cpu(c->facts)};
}

static int is_nothing(const struct problem *problem)
{
    return num_wanted(problem) == 0 ||
           (problem->segment_offset_size && !problem->num_segments &&
            (problem->in_place || problem->skip)) ||
           (problem->count == 1 && problem->in_place && !problem->index_size);
}

static void choose_form(struct chooser *c)
{
    static void (*const choices[])(struct chooser *) = {
        [CLSORT_RANK] = choose_rank,   [CLSORT_BITONIC] = choose_bitonic,
        [CLSORT_RADIX] = choose_radix, [CLSORT_MERGE] = choose_merge,
        [CLSORT_QUICK] = choose_quick,
    };
    _Static_assert(sizeof choices / sizeof *choices == CLSORT_NUM_ALGORITHMS, "one each");
    const struct problem *problem = c->problem;
    struct route *route = c->route;
    const int is_by_radix = problem->record_size && route->algorithm == CLSORT_RADIX;
    if (is_nothing(problem)) {
        route->form = FORM_NOTHING;
    } else if (problem->is_strings) {
        route->form = FORM_STRINGS;
        route->strings = tuning_strings(c->facts);
    } else if (problem->segment_offset_size) {
        choose_segments(c);
    } else if (problem->num_columns || is_by_radix) {
        route->form = FORM_COLUMNS;
    } else {
        choices[route->algorithm](c);
    }
}

/* Whether indices of 8 bytes are sorted as 4: if the last step, which writes them wide, costs less
 * than to move them so. */
static int takes_wide_index(const struct device_facts *facts, const struct problem *problem)
{
    if (facts->cpu_kernels || problem->index_size != 8 || problem->num_arrays != 1 ||
        problem->count >= UINT32_MAX || problem->record_size || problem->num_columns ||
        problem->is_strings || problem->segment_offset_size || problem->type->bits > 32 ||
        (problem->algorithm != CLSORT_AUTO && problem->algorithm != CLSORT_RADIX))
        return 0;
    /* A key and 4 bytes. */
    return problem->count >= tuning_row(facts, TUNING_GENERAL, 8, 0).general.wide_index_min;
}

static clsort_status choose_wide_index(struct route *route)
{
    struct problem narrow = *route->problem;
    struct route sort;
    narrow.index_size = 4;
    const clsort_status status = plan_choose(route->facts, &narrow, &sort);
    route->form = FORM_WIDE_INDEX;
    route->algorithm = sort.algorithm;
    route->stable = sort.stable;
    return status;
}

clsort_status plan_choose(const struct device_facts *facts, const struct problem *problem,
                          struct route *route_ret)
{
    *route_ret = (struct route){
        .facts = facts,
        .problem = problem,
        .num_elements = num_elements(problem),
        .key_size = problem_key_size(problem),
        .stable = 1,
        .move = tuning_move(facts),
    };
    if (problem->operation != CLSORT_OPERATION_SORT)
        return choose_operation(route_ret);
    if (problem_has_places(problem) && !is_nothing(problem)) {
        route_ret->form = FORM_PLACES;
        if (plan_select_takes(route_ret, &route_ret->select))
            route_ret->form = route_ret->select.form;
        return CLSORT_OK;
    }
    if (takes_wide_index(facts, problem))
        return choose_wide_index(route_ret);
    struct chooser c = {.facts = facts,
                        .problem = problem,
                        .route = route_ret,
                        .ordered = payload_choose(problem, 1),
                        .unordered = payload_choose(problem, 0)};
    c.ordered_size = payload_item_size(problem, &c.ordered);
    c.unordered_size = payload_item_size(problem, &c.unordered);
    if (!problem->num_columns || is_nothing(problem))
        route_ret->algorithm = choose_algorithm(&c);
    if ((problem->algorithm == CLSORT_RANK && !rank_allows(problem)) ||
        (problem->algorithm == CLSORT_QUICK && !quick_allows(problem)))
        return CLSORT_ERROR_ALGORITHM_COUNT;
    choose_form(&c);
    return CLSORT_OK;
}
