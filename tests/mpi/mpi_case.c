/* mpi_case.c: sorts a sample over all ranks and compares each rank's share with the oracle's. */
#include "mpi_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocations.h"
#include "mpi/job.h"
#include "support/oracle.h"

uint64_t mpi_case_seed(void)
{
    static uint64_t number;
    const char *seed = getenv("CLSORT_TEST_SEED");
    return seed_mix(seed ? strtoull(seed, NULL, 0) : 1, ++number);
}

static int run(const mpi_case *plan, const clsort_desc *desc, const clsort_arrays *arrays,
               uint64_t wanted, clsort_mpi_report *report)
{
    if (!plan->max_short)
        return plan->has_to ? clsort_mpi_sort_to(NULL, MPI_COMM_WORLD, desc, arrays, wanted, report)
                            : clsort_mpi_sort(NULL, MPI_COMM_WORLD, desc, arrays, report);
    const struct request request = {
        .desc = desc,
        .arrays = arrays,
        .count_wanted = wanted,
        .has_wanted = plan->has_to,
        .max_short = plan->max_short,
        .exchange_unit = 64,
    };
    return job_run(MPI_COMM_WORLD, &request, report);
}

static const char *differs(const void *got, const void *all, share part, uint32_t size)
{
    return part.count &&
                   memcmp(got, (const char *)all + part.base * size, (size_t)part.count * size) != 0
               ? "the elements differ from the oracle's"
               : NULL;
}

static const char *check_indices(const sample *s, const void *got, share part)
{
    for (uint64_t i = 0; i < part.count; ++i) {
        if (key_load(got, i, s->desc.index_size) != s->order[part.base + i])
            return "the indices differ from the oracle's";
    }
    return NULL;
}

/* One rank's part of a sort. */
typedef struct hands {
    share from, to;
    void *keys, *keys_out, *values, *values_out, *indices;
} hands;

static hands take(const sample *s, const mpi_case *plan)
{
    const uint32_t size = s->key_size, value_size = s->desc.value_size;
    hands h = {.from = ranks_share(plan->from, s->num_keys)};
    h.to = plan->has_to ? ranks_share(plan->to, s->num_keys) : h.from;
    h.keys = canary_copy(s->keys + h.from.base * size, h.from.count, size);
    if (value_size)
        h.values = canary_copy(s->values + h.from.base * value_size, h.from.count, value_size);
    if (s->desc.index_size)
        h.indices = canary_copy(NULL, h.to.count, s->desc.index_size);
    if (s->desc.out_of_place || (plan->has_to && !s->desc.index_size))
        h.keys_out = canary_copy(NULL, h.to.count, size);
    if (h.keys_out && value_size)
        h.values_out = canary_copy(NULL, h.to.count, value_size);
    return h;
}

/* What is wrong with a rank's part after a sort, or with its source, which must be unchanged. */
static const char *judge(const sample *s, const mpi_case *plan, const hands *h)
{
    const uint32_t size = s->key_size, value_size = s->desc.value_size;
    const int in_place = !s->desc.index_size && !plan->has_to && !s->desc.out_of_place;
    const char *wrong = in_place ? differs(h->keys, s->sorted_keys, h->to, size)
                                 : differs(h->keys, s->keys, h->from, size);
    if (!wrong && value_size)
        wrong = in_place ? differs(h->values, s->sorted_values, h->to, value_size)
                         : differs(h->values, s->values, h->from, value_size);
    if (!wrong && s->desc.index_size)
        wrong = check_indices(s, h->indices, h->to);
    if (!wrong && h->keys_out)
        wrong = differs(h->keys_out, s->sorted_keys, h->to, size);
    if (!wrong && h->values_out)
        wrong = differs(h->values_out, s->sorted_values, h->to, value_size);
    return wrong;
}

static int let_go(const sample *s, hands *h)
{
    int is_intact = canary_free(h->keys, h->from.count, s->key_size);
    is_intact &= canary_free(h->values, h->from.count, s->desc.value_size);
    is_intact &= canary_free(h->keys_out, h->to.count, s->key_size);
    is_intact &= canary_free(h->values_out, h->to.count, s->desc.value_size);
    is_intact &= canary_free(h->indices, h->to.count, s->desc.index_size);
    return is_intact;
}

const char *mpi_case_simulate(const sample *s, deal to, int num_ranks,
                              struct simulated *simulated_ret)
{
    uint64_t *targets = test_alloc((size_t)num_ranks * sizeof *targets);
    for (int rank = 0; rank < num_ranks; ++rank) {
        const share part = ranks_share_of(to, s->num_keys, rank, num_ranks);
        targets[rank] = part.base + part.count;
    }
    const char *wrong =
        simulated_split(&s->desc, s->sorted_keys, num_ranks, targets, simulated_ret);
    free(targets);
    return wrong;
}

void mpi_case_run(const mpi_case *plan)
{
    struct simulated simulated = {0};
    sample s;
    clsort_mpi_report report;
    char what[256];
    sample_init(&s, &plan->desc, plan->data, mpi_case_seed());
    hands h = take(&s, plan);
    clsort_desc desc = plan->desc;
    desc.count = h.from.count;
    const clsort_arrays arrays = {
        .keys = h.keys,
        .values = h.values,
        .keys_out = h.keys_out,
        .values_out = h.values_out,
        .indices = h.indices,
    };
    snprintf(what, sizeof what, "%s, %s, dealt %d to %d", desc_text(&plan->desc),
             data_names[plan->data], (int)plan->from, plan->has_to ? (int)plan->to : -1);
    const int num_before = allocations.number;
    const int status = run(plan, &desc, &arrays, h.to.count, &report);
    const int num_after = allocations.number;
    const char *wrong = status ? clsort_mpi_status_text(status) : judge(&s, plan, &h);
    if (!wrong && (report.failed_rank != -1 || report.count != h.from.count ||
                   report.count_received != h.to.count))
        wrong = "the report has other counts";
    if (!wrong && num_after != num_before)
        wrong = "memory was not freed";
    if (!let_go(&s, &h) && !wrong)
        wrong = "bytes outside an array were written";
    if (!wrong && !s.desc.index_size && s.num_keys)
        wrong = mpi_case_simulate(&s, plan->has_to ? plan->to : plan->from, ranks_size, &simulated);
    if (!wrong && !s.desc.index_size &&
        (simulated.num_rounds != report.num_rounds ||
         simulated.bytes_reduced != report.bytes_reduced))
        wrong = "a simulation takes a different number of rounds";
    sample_free(&s);
    expect_right(wrong, what);
}
