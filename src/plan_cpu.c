/* plan_cpu.c: steps of the radix sort for CPUs, where a work-group is one work-item: few long
 * arrays by all work-items together (count, scan, scatter, sort), short or many ones each by one. */
#include "route.h"

#define CHUNKS_PER_UNIT 4 /* so that a thread that started late has less to do */
#define WORKERS_PER_UNIT 4
#define MIN_CHUNK 16384
#define MAX_CHUNK UINT32_MAX /* its counters have 32 bits */
#define MIN_CELLS 64
#define MAX_CELLS 4096    /* 16 KiB of counters stay in the first cache */
#define ITEMS_PER_CELL 16 /* a cell with less would be a waste of counters */

struct cpu {
    const struct problem *problem;
    const struct payload *payload;
    struct cpu_tuning tuning;
    enum route_form form;
    uint32_t item_size;
    uint64_t num_slots;
    uint64_t tables_size;
    struct buffer_ref tables;
    struct cpu_params params;
};

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* A table of num_rows rows of size bytes behind the others: where it begins. */
static uint64_t take(struct cpu *cpu, uint64_t num_rows, uint64_t size)
{
    const uint64_t begin = ceil_div(cpu->tables_size, CPU_ALIGNMENT) * CPU_ALIGNMENT;
    cpu->tables_size = begin + num_rows * size;
    return begin;
}

/* All work-items sort each array, rather than each its own. */
static int is_together(const struct cpu *cpu)
{
    return cpu->form == FORM_CPU_BUCKETS || cpu->form == FORM_CPU_COUNTING;
}

static void lay_out_counts(struct cpu *cpu)
{
    struct cpu_params *p = &cpu->params;
    const uint64_t slots = cpu->num_slots;
    p->states = take(cpu, slots, sizeof(struct cpu_state));
    p->directions = take(cpu, slots * p->num_chunks, 4);
    p->counts = take(cpu, slots * p->num_chunks, (uint64_t)p->num_cells * 4);
    p->totals = take(cpu, slots, (uint64_t)p->num_cells * 8);
    p->starts = take(cpu, slots, ((uint64_t)p->max_buckets + 1) * 8);
}

static void lay_out(struct cpu *cpu)
{
    struct cpu_params *p = &cpu->params;
    const struct problem *problem = cpu->problem;
    const uint64_t slots = cpu->num_slots;
    if (p->flags & FLAG_EXACT) {
        lay_out_counts(cpu);
        return;
    }
    p->items = take(cpu, slots, problem->count * cpu->item_size);
    p->spare = take(cpu, p->num_workers, (uint64_t)p->spare_items * cpu->item_size);
    if (cpu->form == FORM_CPU_SHORT)
        return;
    lay_out_counts(cpu);
    p->bucket_of = take(cpu, slots, (uint64_t)p->num_cells * 2);
    p->places = take(cpu, slots * p->num_chunks, (uint64_t)p->max_buckets * 8);
    if (p->flags & FLAG_STREAM)
        p->lines = take(cpu, slots * p->num_chunks, (uint64_t)p->max_buckets * 64);
    p->refine_counts = take(cpu, p->num_workers, (uint64_t)p->num_cells * 4);
    p->refine_totals = take(cpu, p->num_workers, (uint64_t)p->num_cells * 8);
    p->refine_bucket_of = take(cpu, p->num_workers, (uint64_t)p->num_cells * 2);
    p->refine_starts = take(cpu, p->num_workers, ((uint64_t)p->max_buckets + 1) * 8);
    if (problem->index_size)
        p->spare_keys = take(cpu, slots, problem->count * problem_key_size(problem));
}

static void cut(const struct device_facts *facts, struct cpu *cpu)
{
    struct cpu_params *p = &cpu->params;
    const struct problem *problem = cpu->problem;
    const uint64_t count = problem->count;
    const uint64_t bytes = count * cpu->item_size;
    const uint64_t units = facts->num_units;
    p->count = count;
    p->num_arrays = problem->num_arrays;
    p->spare_items = (uint32_t)larger(cpu->tuning.spare_bytes / cpu->item_size, 1);
    if (is_together(cpu)) {
        const uint64_t wanted = ceil_div(units * CHUNKS_PER_UNIT, problem->num_arrays);
        const uint64_t num_chunks = larger(smaller(wanted, count / MIN_CHUNK), 1);
        p->chunk_size = smaller(ceil_div(count, num_chunks), MAX_CHUNK);
        p->num_workers = (uint32_t)units;
        cpu->num_slots = problem->num_arrays;
    } else {
        p->chunk_size = smaller(count, MAX_CHUNK);
        p->num_workers =
            (uint32_t)smaller(problem->num_arrays,
                              cpu->form == FORM_CPU_SHORT ? WORKERS_PER_UNIT * units : units);
        cpu->num_slots = p->num_workers;
    }
    if (cpu->form == FORM_CPU_SHORT)
        p->spare_items = (uint32_t)count;
    p->num_chunks = (uint32_t)ceil_div(count, p->chunk_size);
    const uint64_t cells = (uint64_t)1 << ceil_log2(ceil_div(count, ITEMS_PER_CELL));
    p->num_cells = (uint32_t)larger(smaller(cells, MAX_CELLS), MIN_CELLS);
    p->max_buckets = (uint32_t)smaller(p->num_cells, CPU_BUCKETS);
    if (cpu->form == FORM_CPU_COUNTING) {
        p->flags |= FLAG_EXACT;
        p->num_cells = p->max_buckets = 1u << problem->type->bits;
        p->num_workers = (uint32_t)(units * WORKERS_PER_UNIT);
        return;
    }
    /* Enough buckets for all, small enough for the cache. */
    p->bucket_target = smaller(ceil_div(count, CHUNKS_PER_UNIT * units),
                               larger(cpu->tuning.bucket_bytes / cpu->item_size, 1));
    p->bucket_target = larger(p->bucket_target, ceil_div(count, p->max_buckets));
    if (bytes >= cpu->tuning.stream_bytes)
        p->flags |= FLAG_STREAM;
}

static clsort_status add(struct plan *plan, const struct cpu *cpu, enum kernel_id kernel,
                         uint64_t num_groups, uint64_t bytes_read, uint64_t bytes_written)
{
    struct step *step = plan_add(plan);
    if (!step)
        return CLSORT_ERROR_HOST_MEMORY;
    const struct problem *problem = cpu->problem;
    step->kernel = kernel;
    step->variant = payload_variant(problem, cpu->payload);
    step->variant.group_size = 1;
    step->variant.items = 1;
    step->variant.lanes = 1;
    step->variant.radix_bits = cpu->tuning.digit_bits;
    step->num_groups = num_groups;
    step->num_buffers = PARAM_BUFFERS;
    step->buffers[0] = (struct buffer_ref){BUFFER_KEYS, 0};
    step->buffers[1] = (struct buffer_ref){problem->index_size ? BUFFER_NONE : BUFFER_KEYS_OUT, 0};
    step->buffers[2] = cpu->payload->from;
    step->buffers[3] = cpu->payload->work;
    step->buffers[4] = cpu->tables;
    step->params.cpu = cpu->params;
    step->params_size = sizeof step->params.cpu;
    step->bytes_read = bytes_read;
    step->bytes_written = bytes_written;
    return CLSORT_OK;
}

/* in, out: bytes of the arrays before and after. */
static clsort_status add_steps(struct plan *plan, const struct cpu *cpu, uint64_t in, uint64_t out)
{
    const struct cpu_params *p = &cpu->params;
    const uint64_t n = num_elements(cpu->problem);
    const uint64_t key_bytes = n * problem_key_size(cpu->problem);
    const uint64_t items = n * cpu->item_size;
    const uint64_t counts = cpu->num_slots * p->num_chunks * p->num_cells * 4;
    const uint64_t num_chunks = cpu->num_slots * p->num_chunks;
    if (cpu->form == FORM_CPU_SHORT)
        return add(plan, cpu, KERNEL_CPU_SHORT, p->num_workers, in, out);
    /* Longer ones are read twice, and moved to buckets between. */
    if (cpu->form == FORM_CPU_ARRAYS)
        return add(plan, cpu, KERNEL_CPU_ARRAYS, p->num_workers, key_bytes + in + items,
                   items + out);
    clsort_status status = add(plan, cpu, KERNEL_CPU_COUNT, num_chunks, key_bytes, counts);
    if (!status)
        status = add(plan, cpu, KERNEL_CPU_SCAN, cpu->num_slots, counts, counts);
    if (!status && cpu->form == FORM_CPU_COUNTING)
        return add(plan, cpu, KERNEL_CPU_FILL, cpu->num_slots * p->num_workers, counts, key_bytes);
    if (!status)
        status = add(plan, cpu, KERNEL_CPU_SCATTER, num_chunks, in, items);
    if (!status)
        status = add(plan, cpu, KERNEL_CPU_SORT, p->num_workers, items, out);
    return status;
}

clsort_status plan_cpu(const struct route *route, struct plan *plan)
{
    const struct problem *problem = route->problem;
    const struct payload *payload = &route->payload;
    struct cpu cpu = {
        .problem = problem,
        .payload = payload,
        .tuning = route->tuning.cpu,
        .form = route->form,
        .item_size = route->item_size,
    };
    cpu.params.flags = (problem->index_size ? 0 : FLAG_STORE_KEYS) |
                       (payload->size ? FLAG_STORE_PAYLOAD : 0) |
                       (payload->is_index ? FLAG_MAKE_INDEX : 0) |
                       (problem->in_place && !problem->index_size ? FLAG_IN_PLACE : 0);
    cut(route->facts, &cpu);
    lay_out(&cpu);
    /* The kernels begin at the first line: scratch may begin at any multiple of 8. */
    cpu.tables = plan_take_scratch(plan, cpu.tables_size + CPU_ALIGNMENT);
    const uint64_t n = num_elements(problem);
    const uint64_t key_bytes = n * problem_key_size(problem);
    const uint64_t in = key_bytes + (payload->is_index ? 0 : n * payload->size);
    const uint64_t out = (problem->index_size ? 0 : key_bytes) + n * payload->size;
    return add_steps(plan, &cpu, in, out);
}
