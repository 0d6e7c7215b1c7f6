/* select_cut.c: whether selection pays, and how large its sample is. A larger sample leaves
 * fewer elements between its bounds; both must be sorted. */
#include "plan/route.h"

#define MIN_SAMPLE_BITS 6
#define MIN_PART 16 /* elements to each of the sample; otherwise the sample is the array */
#define MAX_ROW_GROUP 1024
#define ROW_GROUP 128 /* more work-items than these have 64 elements each at least */
/* Counters take long to be emptied and summed up for a short row: one for four elements. */
#define ROW_DIGIT_BITS 10
#define ROW_MIN_DIGIT_BITS 8
/* With more places a work-group takes so long that the device sorts few elements faster. */
#define ROW_FEW_PLACES 256
#define ROW_ENOUGH ((uint64_t)1 << 20) /* elements of all rows */
#define SEVERAL 8                      /* arrays: their launches are shared */
#define MAX_SHARE 8 /* sorting more than an eighth of an array takes as long as all of it */

/* How far an element's place in the sample may be from where it is expected. */
static uint64_t deviation(uint64_t place, uint64_t sample_size, uint32_t margin)
{
    return margin * (square_root(smaller(place, sample_size - place)) + 1);
}

/* A sample of this size. Returns the elements that it leaves to be sorted. */
static uint64_t cut_sample(const struct problem *problem, uint64_t sample_size, uint32_t margin,
                           struct select_params *params)
{
    const uint64_t count = problem->count, end = problem->skip + problem_limit(problem);
    const uint64_t first = problem->skip * sample_size / count;
    const uint64_t last = ceil_div(end * sample_size, count);
    const uint64_t below = deviation(first, sample_size, margin);
    const uint64_t high = smaller(last + deviation(last, sample_size, margin), sample_size);
    const uint64_t low = first > below ? first - below : 0;
    const uint64_t between = high - low + deviation((high - low) / 2, sample_size, margin);
    const uint64_t likely = ceil_div(between * count, sample_size);
    params->sample_size = (uint32_t)sample_size;
    params->capacity = (uint32_t)smaller(larger(likely, problem_limit(problem)), UINT32_MAX);
    params->low = (uint32_t)low;
    params->high = (uint32_t)high;
    return params->capacity;
}

/* Elements at most of an array by selection, whose kernels number tiles' slots by 32 bits. An array
 * begins up to 15 slots behind a tile's start. */
#define MAX_SELECTABLE (UINT32_MAX - 16)

/* Whether selection takes these keys and payloads. */
static int is_selectable(const struct problem *problem)
{
    return problem->algorithm == CLSORT_AUTO && !problem->record_size && !problem->num_columns &&
           !problem->is_strings && !problem->num_values && !problem->segment_offset_size &&
           (!problem->in_place || problem->index_size) && problem->count < MAX_SELECTABLE &&
           num_elements(problem) < MAX_COUNT / MAX_SHARE && problem->num_arrays < UINT32_MAX;
}

/* Bytes of local memory of select_rows.cl. */
static uint32_t rows_local(const struct select_tuning *tuning, uint32_t item_size)
{
    enum { STATE = 64, PADDING = 2 * 16 };
    return (uint32_t)shape_slots(tuning->shape) * item_size +
           (4 * SELECT_BOUNDS << tuning->digit_bits) +
           tuning_scan_local(tuning->shape.group_size, 0) + STATE + PADDING;
}

/* The fewest elements of an array for which a sample saves time. */
static uint64_t select_min(const struct problem *problem, const struct select_tuning *tuning)
{
    return problem->num_arrays < SEVERAL ? tuning->min_count : tuning->several_min;
}

/* Whether it is faster that a work-group selects from each array by itself. The whole device can
 * sort one long row in the time in which a work-group reads it, but not many rows. */
static int rows_pay(const struct problem *problem, const struct select_tuning *tuning)
{
    const uint64_t count = problem->count, limit = problem_limit(problem);
    if (!tuning->row_max || count < tuning->row_min || limit > (count + 1) / 2 ||
        count > UINT32_MAX / 2) /* work-items count rounds by 32 bits */
        return 0;
    if (limit > ROW_FEW_PLACES && num_elements(problem) < ROW_ENOUGH)
        return 0;
    return ceil_div(count, tuning->row_max) <= problem->num_arrays &&
           (count <= tuning->row_max || count < select_min(problem, tuning));
}

/* Whether a work-group selects from each array by itself, with some elements for each work-item
 * and, if possible, a tile with room for twice the wanted elements. */
static int takes_rows(const struct route *route, struct select_cut *cut)
{
    const struct problem *problem = route->problem;
    const uint64_t limit = problem_limit(problem);
    const uint64_t many = 2 * larger(route->facts->num_units, 1);
    struct select_tuning tuning = cut->tuning;
    if (route->facts->cpu_kernels || !rows_pay(problem, &tuning))
        return 0;
    const uint32_t row_bits =
        (uint32_t)larger(ceil_log2(problem->count), ROW_MIN_DIGIT_BITS + 2) - 2;
    tuning.digit_bits = (uint32_t)smaller(tuning.digit_bits, smaller(row_bits, ROW_DIGIT_BITS));
    while (tuning.shape.group_size > 32 &&
           tuning.shape.group_size * (tuning.shape.group_size > ROW_GROUP ? 64ull : 4ull) >
               problem->count)
        tuning.shape.group_size /= 2;
    /* Few rows, or one, have the device to themselves. */
    while (problem->num_arrays < many && tuning.shape.group_size * 32ull < problem->count &&
           2 * tuning.shape.group_size <= smaller(route->facts->max_group_size, MAX_ROW_GROUP))
        tuning.shape.group_size *= 2;
    tuning.shape.lanes = 1;
    for (tuning.shape.items = 2; tuning.shape.items < 16 && shape_slots(tuning.shape) < 2 * limit;)
        tuning.shape.items *= 2;
    const uint64_t room = route->facts->local_size;
    while (tuning.digit_bits > 8 && rows_local(&tuning, cut->item_size) > room)
        tuning.digit_bits -= 1;
    while (tuning.shape.items > 2 && rows_local(&tuning, cut->item_size) > room)
        tuning.shape.items /= 2;
    cut->rows_local = rows_local(&tuning, cut->item_size);
    if (cut->rows_local > room || shape_slots(tuning.shape) < limit)
        return 0;
    cut->tuning = tuning;
    return 1;
}

/* Whether a work-group selects from one or several short rows. Their runs have room for all wanted
 * places, and at least the elements that a work-item holds. */
static int takes_short(const struct route *route, struct select_cut *cut)
{
    const struct problem *problem = route->problem;
    struct shape shape = cut->tuning.short_rows;
    if (route->facts->cpu_kernels || problem->count > cut->tuning.short_max)
        return 0;
    const uint64_t slots = (uint64_t)1 << ceil_log2(larger(problem->count, 2));
    while (shape.items > slots)
        shape.items /= 2;
    while (shape_slots(shape) * cut->item_size > route->facts->local_size && shape.group_size > 1)
        shape.group_size /= 2;
    if (shape_slots(shape) < slots ||
        shape_slots(shape) * cut->item_size > route->facts->local_size)
        return 0;
    const uint32_t item_bits = ceil_log2(shape.items);
    cut->tuning.short_rows = shape;
    cut->params.index_bits = ceil_log2(slots);
    cut->params.run_bits =
        (uint32_t)larger(ceil_log2(problem->skip + problem_limit(problem)), item_bits);
    if (cut->params.run_bits > 2 * item_bits)
        cut->params.run_bits = cut->params.index_bits; /* no merge in registers */
    return 1;
}

/* Whether a sample leaves few elements to be sorted. */
static int takes_sample(const struct route *route, struct select_cut *cut)
{
    const struct problem *problem = route->problem;
    uint64_t least = UINT64_MAX;
    if (problem->count < select_min(problem, &cut->tuning) || problem->num_arrays >= UINT16_MAX)
        return 0;
    for (uint32_t bits = MIN_SAMPLE_BITS; bits <= cut->tuning.sample_bits_max; ++bits) {
        const uint64_t sample_size = (uint64_t)1 << bits;
        struct select_params tried = cut->params;
        if (sample_size * MIN_PART > problem->count)
            break;
        const uint64_t cost =
            sample_size + cut_sample(problem, sample_size, cut->tuning.margin, &tried);
        if (cost < least) {
            least = cost;
            cut->params = tried;
        }
    }
    return least < problem->count / MAX_SHARE;
}

/* The digits of keys and indices, where they are counted. */
static void count_rounds(const struct problem *problem, struct select_cut *cut)
{
    const uint32_t digit_bits = cut->tuning.digit_bits;
    cut->params.index_bits = ceil_log2(problem->count);
    cut->params.num_rounds = (uint32_t)(ceil_div(problem->num_bits, digit_bits) +
                                        ceil_div(cut->params.index_bits, digit_bits));
}

int plan_select_takes(const struct route *route, struct select_cut *cut_ret)
{
    const struct problem *problem = route->problem;
    if (!is_selectable(problem))
        return 0;
    struct select_cut cut = {
        .tuning = tuning_select(route->facts),
        .item_size = problem->type->bits == 64 ? 16 : 8,
        .params = {.count = (uint32_t)problem->count,
                   .num_arrays = (uint32_t)problem->num_arrays,
                   .skip = (uint32_t)problem->skip,
                   .limit = (uint32_t)problem_limit(problem)},
    };
    if (takes_short(route, &cut))
        cut.form = FORM_SELECT_SHORT;
    else if (takes_rows(route, &cut))
        cut.form = FORM_SELECT_ROWS;
    else if (takes_sample(route, &cut))
        cut.form = FORM_SELECT;
    else
        return 0;
    if (cut.form != FORM_SELECT_SHORT)
        count_rounds(problem, &cut);
    *cut_ret = cut;
    return 1;
}
