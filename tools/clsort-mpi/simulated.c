#include "simulated.h"

#include "mpi/split.h"

#include "check/check.h"

#include <stdlib.h>

static const char *search(struct wire *wire, const struct words *words, uint64_t count,
                          const uint64_t *targets, struct simulated *simulated_ret)
{
    struct split split;
    const int num = wire->size - 1;
    const char *wrong = NULL;
    uint64_t *ends = calloc((size_t)wire->size, sizeof *ends);
    const int has_memory = split_alloc(&split, wire->size);
    if (!ends || !has_memory)
        wrong = "out of memory";
    if (!wrong)
        split_find(&split, wire, words, count, targets, count, ends);
    for (int i = 0; !wrong && i < num; ++i) {
        if (ends[i] != targets[i])
            wrong = "the search found a wrong border";
    }
    simulated_ret->num_rounds = split.num_rounds;
    simulated_ret->bytes_reduced = split.bytes_reduced;
    split_free(&split, wire);
    free(ends);
    return wrong;
}

const char *simulated_split(const clsort_desc *desc, const void *sorted, int num_ranks,
                            const uint64_t *targets, struct simulated *simulated_ret)
{
    struct problem problem;
    struct words words;
    struct wire *wire = NULL;
    if (check_desc(desc, &problem).status || problem.num_columns)
        return "the description is invalid or has columns";
    if (wire_open(MPI_COMM_SELF, &wire))
        return "an MPI call failed";
    words_describe(&problem, &words);
    words.arrays[0] = sorted;
    wire->size = num_ranks;
    const char *wrong = search(wire, &words, desc->count, targets, simulated_ret);
    wire_close(wire);
    return wrong;
}
