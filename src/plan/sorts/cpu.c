/* cpu.c: steps of the radix sort for CPUs, where a work-group is one work-item. All work-items
 * sort few long arrays together: count, scan, scatter, sort. Short or many arrays are sorted by one
 * work-item each. Segments are sorted by equal shares of the elements. */
#include "plan/lists/lists.h"

#define MAX_CHUNK UINT32_MAX /* its counters have 32 bits */
#define MIN_BINS 64          /* CPU_COARSE: each coarse bin has one at least */
#define COUNTERS_PER_KEY 4   /* of all chunks, at most, for each key of one; see choose_chunks() */

struct cpu {
    const struct route *route;
    uint64_t num_slots; /* of tables: an array's, or a work-item's */
    uint64_t num_items; /* of all slots */
    uint64_t tables_size;
    struct buffer_ref tables;
    struct cpu_params params;
};

/* Room for num_rows rows of size bytes behind the other tables: where it begins. */
static uint64_t reserve(struct cpu *cpu, uint64_t num_rows, uint64_t size)
{
    const uint64_t begin = ceil_div(cpu->tables_size, CPU_ALIGNMENT) * CPU_ALIGNMENT;
    cpu->tables_size = begin + num_rows * size;
    return begin;
}

static void reserve_counts(struct cpu *cpu, uint64_t slots, uint64_t rows)
{
    struct cpu_params *p = &cpu->params;
    p->states = reserve(cpu, slots, sizeof(struct cpu_state));
    p->monotonicity = reserve(cpu, rows, 4);
    p->counts = reserve(cpu, rows, (uint64_t)p->num_bins * 4);
    p->histogram = reserve(cpu, slots, (uint64_t)p->num_bins * 8);
    p->bucket_offsets = reserve(cpu, slots, ((uint64_t)p->max_buckets + 1) * 8);
}

static void reserve_tables(struct cpu *cpu)
{
    const struct route *route = cpu->route;
    struct cpu_params *p = &cpu->params;
    p->refine_slot = cpu->num_slots;
    p->refine_row = cpu->num_slots * p->num_chunks;
    if (route->cpu.is_counted) {
        reserve_counts(cpu, p->refine_slot, p->refine_row);
        return;
    }
    p->items = reserve(cpu, cpu->num_items, route->item_size);
    p->spare = reserve(cpu, p->num_workers, (uint64_t)p->spare_items * route->item_size);
    if (route->cpu.is_short)
        return;
    const uint64_t slots = p->refine_slot + p->num_workers;
    const uint64_t rows = p->refine_row + p->num_workers * CPU_REFINE_CHUNKS(p->count);
    reserve_counts(cpu, slots, rows);
    p->bucket_of = reserve(cpu, slots, (uint64_t)p->num_bins * 2);
    p->write_offsets = reserve(cpu, rows, (uint64_t)p->max_buckets * 8);
    p->refine_parts = (uint32_t)(p->count / p->spare_items + 1);
    p->waiting = reserve(cpu, p->num_workers, (uint64_t)p->refine_parts * 24);
    if (route->problem->index_size)
        p->spare_keys = reserve(cpu, cpu->num_items, route->key_size);
}

/* The chunks of an array that all work-items share. With more of them each work-item has fewer
 * keys, but the one that scans has more counters. On one core of an EPYC, 16-bit keys take 0.4 ns
 * to scan a counter and 0.9 ns to count a key. Other keys take 1.3 ns a counter, and a u32 3.6 ns
 * to be counted and moved. COUNTERS_PER_KEY balances both. */
static uint64_t choose_chunks(const struct cpu *cpu)
{
    const struct problem *problem = cpu->route->problem;
    const struct cpu_tuning *tuning = &cpu->route->cpu.tuning;
    const uint64_t units = cpu->route->facts->num_units;
    const uint64_t wanted = ceil_div(units * tuning->chunks_per_unit, problem->num_arrays);
    const uint64_t keys_per_bin = problem->count / cpu->params.num_bins;
    uint64_t chunks = larger(smaller(wanted, problem->count / tuning->chunk_min), 1);
    while (chunks > 1 && chunks * chunks > COUNTERS_PER_KEY * keys_per_bin)
        --chunks;
    return chunks;
}

/* Gives all work-items chunks of each array, or each work-item whole arrays. */
static void split_arrays(struct cpu *cpu)
{
    const struct route *route = cpu->route;
    const struct problem *problem = route->problem;
    const struct cpu_tuning *tuning = &route->cpu.tuning;
    struct cpu_params *p = &cpu->params;
    const uint64_t count = problem->count;
    const uint64_t units = route->facts->num_units;
    const int is_short = route->cpu.is_short;
    p->count = count;
    p->num_arrays = problem->num_arrays;
    p->spare_items = (uint32_t)larger(tuning->spare_bytes / route->item_size, 1);
    if (route->cpu.is_alone) {
        p->chunk_size = smaller(count, MAX_CHUNK);
        p->num_workers = (uint32_t)smaller(problem->num_arrays,
                                           is_short ? tuning->workers_per_unit * units : units);
        cpu->num_slots = p->num_workers;
    } else {
        p->chunk_size = smaller(ceil_div(count, choose_chunks(cpu)), MAX_CHUNK);
        p->num_workers =
            (uint32_t)(route->cpu.is_counted ? tuning->workers_per_unit * units : units);
        cpu->num_slots = problem->num_arrays;
    }
    if (is_short)
        p->spare_items = (uint32_t)count;
    p->num_chunks = (uint32_t)ceil_div(count, p->chunk_size);
    cpu->num_items = cpu->num_slots * count;
}

/* How finely keys are counted, and how many buckets that makes. */
static void choose_bins(struct cpu *cpu)
{
    const struct route *route = cpu->route;
    const struct cpu_tuning *tuning = &route->cpu.tuning;
    struct cpu_params *p = &cpu->params;
    const uint64_t count = route->problem->count;
    const uint64_t units = route->facts->num_units;
    if (route->cpu.is_counted) {
        p->flags |= CPU_FLAG_EXACT;
        p->num_bins = p->max_buckets = 1u << route->problem->type->bits;
        return;
    }
    const uint64_t bins = (uint64_t)1 << ceil_log2(ceil_div(count, tuning->items_per_bin));
    p->num_bins = (uint32_t)larger(smaller(bins, tuning->bins_max), MIN_BINS);
    p->max_buckets = (uint32_t)smaller(p->num_bins, CPU_BUCKETS);
    /* Enough buckets for all, small enough for the cache. */
    p->bucket_target = smaller(ceil_div(count, tuning->chunks_per_unit * units),
                               larger(tuning->bucket_bytes / route->item_size, 1));
    p->bucket_target = larger(p->bucket_target, ceil_div(count, p->max_buckets));
}

/* One work-item, with the lanes of cl/cpu/vectors.h: vectors of 64 bytes, or of 32 for items of 32
 * bits. Longer items are sorted by numbers of 64 bits. 1 lane: by digits. */
static struct shape shape_of(const struct route *route)
{
    const uint32_t bytes = route->facts->vector_bytes;
    const uint32_t lane_size = (uint32_t)smaller(route->item_size, 8);
    const uint32_t lanes = bytes >= 64 ? 64 / lane_size : bytes >= 32 && lane_size == 4 ? 8 : 1;
    return (struct shape){1, 1, lanes};
}

int plan_cpu_has_vectors(const struct route *route)
{
    const struct payload *payload = &route->payload;
    const int are_numbers = payload->size == 0 || (payload->is_index && route->item_size <= 8);
    return are_numbers && route->problem->num_bits == route->problem->type->bits &&
           shape_of(route).lanes > 1;
}

/* What of its elements a sort reads and writes. */
static uint32_t flags_of(const struct route *route, int stores_keys)
{
    return store_flags(stores_keys, route->payload.size != 0, route->payload.is_index) |
           (route->problem->in_place && stores_keys ? FLAG_IN_PLACE : 0);
}

static struct step *add_step(struct plan *plan, const struct cpu *cpu, enum kernel_id kernel,
                             uint64_t num_groups, uint64_t bytes_read, uint64_t bytes_written)
{
    const struct route *route = cpu->route;
    const int stores_keys = cpu->params.flags & FLAG_STORE_KEYS;
    struct step *step =
        plan_add(plan, kernel, &(struct step){.variant = route->variant}, shape_of(route));
    step->variant.radix_bits = route->cpu.tuning.digit_bits;
    step->num_groups = num_groups;
    STEP_BIND(step, role_ref(BUFFER_KEYS), role_ref(stores_keys ? BUFFER_KEYS_OUT : BUFFER_NONE),
              route->payload.from, route->payload.work, cpu->tables);
    STEP_PARAMS(step, cpu) = cpu->params;
    step->bytes_read = bytes_read;
    step->bytes_written = bytes_written;
    return step;
}

static void add_steps(struct plan *plan, const struct cpu *cpu)
{
    const struct route *route = cpu->route;
    const struct payload *payload = &route->payload;
    const struct cpu_params *p = &cpu->params;
    const uint64_t n = route->num_elements;
    const uint64_t keys = n * route->key_size, items = n * route->item_size;
    const uint64_t in = keys + (payload->is_index ? 0 : n * payload->size);
    const uint64_t out = (route->problem->index_size ? 0 : keys) + n * payload->size;
    const uint64_t num_chunks = cpu->num_slots * p->num_chunks;
    const uint64_t counts = num_chunks * p->num_bins * 4;
    const int alone = route->cpu.is_alone, counting = route->cpu.is_counted;
    const struct {
        int is_made;
        const char *work;
        uint32_t steps; /* of cpu_radix; 0: it is cpu_short */
        uint64_t num_groups, bytes_read, bytes_written;
    } launches[] = {
        {route->cpu.is_short, NULL, 0, p->num_workers, in, out},
        {alone && !route->cpu.is_short, "alone", CPU_ALONE, p->num_workers, keys + in + items,
         items + out},
        {!alone, "count", CPU_COUNT, num_chunks, keys, counts},
        {!alone, "scan", CPU_SCAN, cpu->num_slots, counts, counts},
        {!alone && !counting, "scatter", CPU_SCATTER, num_chunks, in, items},
        {!alone && !counting, "sort", CPU_SORT, p->num_workers, items, out},
        {counting, "fill", CPU_FILL, p->num_workers, counts, keys},
    };
    for (size_t i = 0; i < sizeof launches / sizeof *launches; ++i) {
        if (!launches[i].is_made)
            continue;
        struct step *step =
            add_step(plan, cpu, launches[i].steps ? KERNEL_CPU_RADIX : KERNEL_CPU_SHORT,
                     launches[i].num_groups, launches[i].bytes_read, launches[i].bytes_written);
        step->work = launches[i].work;
        step->params.cpu.steps = launches[i].steps;
    }
}

/* ---- Segments ---- */

/* Lays out the tables by which long segments are sorted in shares of that many elements, and others
 * of up to `longest` alone. Returns their size. */
static uint64_t lay_out_shares(const struct route *route, struct cpu_segments_params *p)
{
    const uint64_t count = route->problem->count;
    const uint64_t spare = larger(route->cpu.tuning.spare_bytes / route->item_size, 1);
    struct cpu cpu = {.route = route, .num_slots = ceil_div(count, p->share), .num_items = count};
    cpu.params = (struct cpu_params){
        .count = count,
        .num_arrays = 1,
        .chunk_size = p->share,
        .num_chunks = 1, /* a row of each slot: those of a segment are neighbours */
        .num_workers = (uint32_t)cpu.num_slots,
        .spare_items = (uint32_t)smaller(spare, p->longest),
        .flags = p->flags,
    };
    choose_bins(&cpu);
    reserve_tables(&cpu);
    p->own = reserve(&cpu, cpu.num_slots, (uint64_t)cpu.params.spare_items * route->item_size);
    p->cpu = cpu.params;
    return cpu.tables_size + CPU_ALIGNMENT;
}

static struct cpu_segments_params reserve_shares(const struct route *route,
                                                 struct segments_steps *segments, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct cpu_tuning *tuning = &route->cpu.tuning;
    const uint64_t n = problem->count;
    struct cpu_segments_params p = {
        .count = n,
        .share = ceil_div(n, plan_groups(route->facts, tuning->workers_per_unit)),
        .flags = flags_of(route, !problem->index_size || !problem->in_place),
    };
    const uint64_t alone = larger(tuning->run_bytes / route->item_size, 16);
    p.longest = smaller(larger(p.share, alone), n);
    segments_reserve_bits(segments);
    const uint64_t size = lay_out_shares(route, &p);
    const struct table tables[] = {
        {&p.longs, (uint64_t)p.cpu.num_workers * 16},
        {&p.tables, size},
    };
    plan_reserve_tables(plan, tables, sizeof tables / sizeof *tables);
    p.bits = segments->params.bits;
    p.tops = segments->params.tops;
    p.ends = segments->params.ends;
    p.flags |= problem->index_size ? SEGMENTS_FLAG_GAPS : 0;
    return p;
}

/* Sorts segments by shares of all work-items. The last three launches are for long ones. */
static void plan_shares(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const uint64_t n = problem->count;
    const uint64_t bytes = n * (route->key_size + (uint64_t)route->payload.size);
    static const struct {
        const char *work;
        uint32_t steps;
    } launches[] = {
        {"short", CPU_COUNT}, {"scan", CPU_SCAN}, {"scatter", CPU_SCATTER}, {"sort", CPU_SORT}};
    struct segments_steps segments = {
        .route = route,
        .plan = plan,
        .index_size = segment_number_size(n),
        .params = {.count = n,
                   .num_segments = problem->num_segments,
                   .offset_size = problem->segment_offset_size,
                   .index_size = problem->index_size,
                   .flags = SEGMENTS_FLAG_GAPS},
        .index = {BUFFER_SCRATCH, 0},
    };
    const struct cpu_segments_params p = reserve_shares(route, &segments, plan);
    const struct cpu cpu = {.route = route, .params = p.cpu, .tables = {BUFFER_SCRATCH, 0}};
    segments_add_bits(&segments);
    for (size_t i = 0; i < (n > p.longest ? sizeof launches / sizeof *launches : 1); ++i) {
        const uint64_t moved = i ? 0 : bytes;
        struct step *step =
            add_step(plan, &cpu, KERNEL_CPU_SEGMENTS, p.cpu.num_workers, moved, moved);
        step->work = launches[i].work;
        STEP_PARAMS(step, cpu_segments) = p;
        step->params.cpu_segments.cpu.steps = launches[i].steps;
    }
}

void plan_cpu(const struct route *route, struct plan *plan)
{
    struct cpu cpu = {.route = route, .params.flags = flags_of(route, !route->problem->index_size)};
    if (route->problem->segment_offset_size) {
        plan_shares(route, plan);
        return;
    }
    choose_bins(&cpu);
    split_arrays(&cpu);
    reserve_tables(&cpu);
    /* The kernels begin at the first line: scratch may begin at any multiple of 8. */
    cpu.tables = plan_reserve_buffer(plan, cpu.tables_size + CPU_ALIGNMENT);
    add_steps(plan, &cpu);
}
