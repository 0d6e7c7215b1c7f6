/* placed_job.c: runs a sort whose buffers begin at each offset in turn. */
#include "placed_job.h"

#include <stdlib.h>
#include <string.h>

#include "support/guard.h"

enum { num_rounds = 16 };

void placed_part_set(placed_job *j, int name, uint64_t count, uint32_t size, uint32_t alignment,
                     unsigned char *before, unsigned char *behind)
{
    j->parts[name] = (placed_part){count * size, size, alignment, before, behind};
}

void placed_job_finish(placed_job *j)
{
    for (int i = 0; i < NUM_PARTS; ++i) {
        free(j->parts[i].before);
        free(j->parts[i].behind);
    }
}

static void job_fail(const placed_job *j, int round, const char *what)
{
    print_error("%s: %s; %s of %llu, values of %u, indices of %u, %s, round %d\n", what, j->name,
                clsort_algorithm_name(j->desc.algorithm), (unsigned long long)j->desc.count,
                j->desc.value_size, j->desc.index_size,
                j->desc.out_of_place ? "out of place" : "in place", round);
    fail();
}

static void job_check(const fixture *fix, const placed_job *j, guard *guards, int round)
{
    for (int i = 0; i < NUM_PARTS; ++i) {
        const placed_part *p = &j->parts[i];
        if (!guards[i].mem)
            continue;
        const void *now = guard_read(&guards[i], fix->queue);
        if (!guard_intact(&guards[i]))
            job_fail(j, round, "bytes outside a buffer were written");
        if (p->before && !p->behind && !guard_unchanged(&guards[i]))
            job_fail(j, round, "a source was written");
        if (p->behind && memcmp(now, p->behind, (size_t)p->size) != 0)
            job_fail(j, round, "the result is wrong");
    }
}

static void job_round(const fixture *fix, const placed_job *j, int round)
{
    guard guards[NUM_PARTS] = {{0}};
    clsort_buffer columns[2], columns_out[2];
    const int by_columns = j->desc.num_columns != 0;
    for (int i = 0; i < NUM_PARTS; ++i) {
        const placed_part *p = &j->parts[i];
        /* An odd multiple of the round, so that all remainders modulo 16 occur. */
        const uint64_t times = i == SCRATCH ? 1 : 2 * (uint64_t)i + 1;
        if (p->size)
            guard_create_at(&guards[i], fix->context, CL_MEM_READ_WRITE, p->before, p->size,
                            p->element_size, times * (uint64_t)round * p->alignment, fix->seed);
    }
    for (int i = 0; i < 2; ++i) {
        columns[i] = guard_buffer(&guards[COLUMN + i]);
        columns_out[i] = guard_buffer(&guards[COLUMN_OUT + i]);
    }
    const clsort_buffers buffers = {
        .keys = guard_buffer(&guards[KEYS]),
        .keys_out = guard_buffer(&guards[KEYS_OUT]),
        .values = guard_buffer(&guards[VALUES]),
        .values_out = guard_buffer(&guards[VALUES_OUT]),
        .indices = guard_buffer(&guards[INDICES]),
        .offsets = guard_buffer(&guards[OFFSETS]),
        .offsets_out = guard_buffer(&guards[OFFSETS_OUT]),
        .scratch = guard_buffer(&guards[SCRATCH]),
        .columns = by_columns ? columns : NULL,
        .columns_out = by_columns && j->desc.out_of_place ? columns_out : NULL,
    };
    if (fixture_enqueue(fix, &j->desc, &buffers))
        job_fail(j, round, "clsort_enqueue");
    job_check(fix, j, guards, round);
    for (int i = 0; i < NUM_PARTS; ++i)
        guard_free(&guards[i]);
}

void placed_job_run(const fixture *fix, placed_job *j)
{
    uint64_t scratch = 0;
    if (!fixture_takes(j->desc.algorithm))
        return;
    expect_status(clsort_scratch_size(fix->sorter, &j->desc, &scratch), CLSORT_OK);
    placed_part_set(j, SCRATCH, scratch, 1, 8, NULL, NULL);
    for (int round = 0; round < num_rounds; ++round)
        if (round == 1 || !platform_is(fix, "Oclgrind"))
            job_round(fix, j, round);
}
