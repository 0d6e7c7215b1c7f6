#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "oracle.h"
#include "sample.h"

/* Rank sort of 10,000 keys, or of 7,000 with kernels for small devices, which are slow on a CPU. */
static const uint64_t max_compares = 110000000, max_compares_limited = 50000000;
/* Larger cases run once, not twice. On Oclgrind all cases do: its simulated device runs work-items
 * in the same order each time. */
static const uint64_t max_keys_twice = 20000;

typedef struct running {
    const fixture *fix;
    const sort_case *c;
    sample s;
    clsort_plan plan;
    guard keys, keys_out, values, values_out, indices, scratch;
} running;

static void case_fail(const running *r, const char *what)
{
    print_error("%s\n  %s\n  data: %s, seed of the data: %llu, %s scratch of %llu bytes\n"
                "  repeat with CLSORT_TEST_SEED=%llu\n",
                what, desc_text(&r->c->desc), data_names[r->c->data],
                (unsigned long long)r->c->seed, r->c->own_scratch ? "own" : "given",
                (unsigned long long)r->plan.scratch_size, (unsigned long long)r->fix->seed);
    fail();
}

static void expect_ok(const running *r, clsort_status status, const char *call)
{
    if (status == CLSORT_OK)
        return;
    char text[512];
    clsort_error_info info = {.call = "", .build_log = ""};
    clsort_last_error(r->fix->sorter, &info);
    snprintf(text, sizeof text, "%s: %s (%s %d)", call, clsort_status_text(status), info.call,
             (int)info.cl_code);
    case_fail(r, text);
}

static void create_buffers(running *r)
{
    const sample *s = &r->s;
    const clsort_desc *desc = &s->desc;
    const cl_context context = r->fix->context;
    const uint64_t keys_size = s->num_keys * s->key_size;
    const uint64_t values_size = s->num_keys * desc->value_size;
    const uint64_t indices_size = s->num_keys * desc->index_size;
    const uint64_t alignment = data_alignment(desc->value_size, 8);
    const uint64_t seed = r->c->seed;
    const int keeps = desc->out_of_place || desc->index_size;
    const cl_mem_flags source = keeps ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
    guard_create(&r->keys, context, source, s->keys, keys_size, s->key_size, s->key_size,
                 seed_mix(seed, 11));
    if (desc->out_of_place) {
        guard_create(&r->keys_out, context, CL_MEM_READ_WRITE, NULL, keys_size, s->key_size,
                     s->key_size, seed_mix(seed, 12));
    }
    if (desc->value_size) {
        guard_create(&r->values, context, source, s->values, values_size, desc->value_size,
                     alignment, seed_mix(seed, 13));
    }
    if (desc->value_size && desc->out_of_place) {
        guard_create(&r->values_out, context, CL_MEM_READ_WRITE, NULL, values_size,
                     desc->value_size, alignment, seed_mix(seed, 14));
    }
    if (desc->index_size) {
        guard_create(&r->indices, context, CL_MEM_READ_WRITE, NULL, indices_size, desc->index_size,
                     desc->index_size, seed_mix(seed, 15));
    }
    if (r->plan.scratch_size && !r->c->own_scratch)
        guard_create_scratch(&r->scratch, context, r->plan.scratch_size, seed_mix(seed, 16));
}

static void free_buffers(running *r)
{
    guard_free(&r->keys);
    guard_free(&r->keys_out);
    guard_free(&r->values);
    guard_free(&r->values_out);
    guard_free(&r->indices);
    guard_free(&r->scratch);
}

static void enqueue_and_wait(running *r)
{
    const clsort_buffers buffers = {
        .keys = guard_buffer(&r->keys),
        .values = guard_buffer(&r->values),
        .keys_out = guard_buffer(&r->keys_out),
        .values_out = guard_buffer(&r->values_out),
        .indices = guard_buffer(&r->indices),
        .scratch = guard_buffer(&r->scratch),
    };
    cl_event event = NULL;
    expect_ok(r,
              clsort_enqueue(r->fix->sorter, r->fix->queue, &r->c->desc, &buffers, 0, NULL, &event),
              "clsort_enqueue");
    if (!event)
        case_fail(r, "clsort_enqueue gave no event");
    if (clWaitForEvents(1, &event) || event_status(event) != CL_COMPLETE)
        case_fail(r, "the event ended with an error");
    clReleaseEvent(event);
}

/* Reads a buffer back and checks its canaries. Returns the range's bytes; NULL if there is no
 * buffer. */
static const void *read_range(running *r, guard *g, const char *name, int kept)
{
    char text[128];
    if (!g->mem)
        return NULL;
    const void *range = guard_read(g, r->fix->queue);
    if (!guard_intact(g)) {
        snprintf(text, sizeof text, "bytes before or after the range of %s were written", name);
        case_fail(r, text);
    }
    if (kept && !guard_unchanged(g)) {
        snprintf(text, sizeof text, "%s was written, but is read-only", name);
        case_fail(r, text);
    }
    return range;
}

static void check_buffers(running *r)
{
    const clsort_desc *desc = &r->s.desc;
    const int keeps = desc->out_of_place || desc->index_size;
    const void *keys = read_range(r, &r->keys, "keys", keeps);
    const void *keys_out = read_range(r, &r->keys_out, "keys_out", 0);
    const void *values = read_range(r, &r->values, "values", keeps);
    const void *values_out = read_range(r, &r->values_out, "values_out", 0);
    const void *indices = read_range(r, &r->indices, "indices", 0);
    read_range(r, &r->scratch, "scratch", 0);
    const char *what =
        sample_check(&r->s, desc->stable || r->plan.stable, desc->out_of_place ? keys_out : keys,
                     desc->out_of_place ? values_out : values, indices);
    if (what)
        case_fail(r, what);
}

static void again(running *r, guard *g)
{
    if (g->mem)
        guard_upload(g, r->fix->queue);
}

/* A copy of a guard's current range. */
static void *copy_range(const guard *g)
{
    void *copy = test_alloc(g->size);
    if (g->size)
        memcpy(copy, g->back + g->offset, (size_t)g->size);
    return copy;
}

static void run_again_alike(running *r)
{
    guard *const results[] = {&r->keys, &r->keys_out, &r->values, &r->values_out, &r->indices};
    void *first[5] = {NULL};
    for (int i = 0; i < 5; ++i) {
        if (results[i]->mem)
            first[i] = copy_range(results[i]);
        again(r, results[i]);
    }
    enqueue_and_wait(r);
    check_buffers(r);
    for (int i = 0; i < 5; ++i) {
        const guard *g = results[i];
        /* Keys that are equal in the bits sorted by are compared too if values tell them apart. */
        const int is_values = results[i] == &r->values || results[i] == &r->values_out;
        const int holds_ties =
            !r->plan.stable &&
            (is_values || (r->c->desc.value_size && (r->c->desc.first_bit || r->c->desc.end_bit)));
        if (g->mem && g->size && !holds_ties &&
            memcmp(first[i], g->back + g->offset, (size_t)g->size))
            case_fail(r, "a second run gave other bytes");
        free(first[i]);
    }
}

int case_run(const fixture *fix, const sort_case *c)
{
    running r = {.fix = fix, .c = c};
    uint64_t scratch_size = UINT64_MAX;
    if (!fixture_takes(c->desc.algorithm))
        return 1;
    const clsort_status status = clsort_get_plan(fix->sorter, &c->desc, &r.plan, NULL, 0);
    if (status == CLSORT_ERROR_ALGORITHM_COUNT)
        return 0;
    expect_ok(&r, status, "clsort_get_plan");
    if (r.plan.compares > (fix->limited ? max_compares_limited : max_compares))
        return 0;
    expect_ok(&r, clsort_scratch_size(fix->sorter, &c->desc, &scratch_size), "clsort_scratch_size");
    if (scratch_size != r.plan.scratch_size)
        case_fail(&r, "clsort_scratch_size() and the plan disagree");
    if (!r.plan.stable &&
        (c->desc.stable || c->desc.index_size || c->desc.algorithm == CLSORT_RANK))
        case_fail(&r, "the plan is not stable");

    if (c->num_bytes)
        sample_init_bytes(&r.s, &c->desc, c->bytes, c->num_bytes, c->seed);
    else
        sample_init(&r.s, &c->desc, c->data, c->seed);
    create_buffers(&r);
    enqueue_and_wait(&r);
    check_buffers(&r);
    if (r.s.num_keys <= max_keys_twice && !c->is_once && !platform_is(fix, "Oclgrind"))
        run_again_alike(&r);
    free_buffers(&r);
    sample_free(&r.s);
    return 1;
}

int case_run_desc(const fixture *fix, const clsort_desc *desc, data_kind data)
{
    const uint64_t facts[] = {desc->count,        desc->num_arrays, desc->type,
                              desc->order,        desc->algorithm,  desc->stable,
                              desc->out_of_place, desc->value_size, desc->index_size,
                              desc->first_bit,    desc->end_bit,    data};
    uint64_t seed = fix->seed;
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; ++i)
        seed = seed_mix(seed, facts[i]);
    const sort_case c = {.desc = *desc, .data = data, .seed = seed, .own_scratch = (int)(seed & 1)};
    return case_run(fix, &c);
}

void case_run_keys(const fixture *fix, const clsort_desc *desc, const void *keys)
{
    const sort_case c = {.desc = *desc,
                         .seed = fix->seed,
                         .own_scratch = 1,
                         .bytes = keys,
                         .num_bytes = desc->count * type_infos[desc->type].size};
    assert_int_equal(case_run(fix, &c), 1);
}

uint32_t case_num_launches(clsort_sorter *sorter, const clsort_desc *desc, const char *kernel)
{
    static clsort_step steps[4096];
    clsort_plan plan;
    uint32_t found = 0;
    expect_status(clsort_get_plan(sorter, desc, &plan, steps, 4096), CLSORT_OK);
    assert_in_range(plan.num_steps, 0, 4096);
    for (uint32_t i = 0; i < plan.num_steps; ++i)
        found += strcmp(steps[i].kernel, kernel) == 0;
    return found;
}

int case_launches(clsort_sorter *sorter, const clsort_desc *desc, const char *kernel)
{
    return case_num_launches(sorter, desc, kernel) > 0;
}
