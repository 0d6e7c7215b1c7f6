/* pieces_split.c: finds the exact positions in sorted runs that split off a given number of
 * elements.
 *
 * Elements are ordered by their keys, then by the number of their run, then by their position in
 * it. Each run has an interval that contains its position. A round samples every d-th element of
 * the intervals, and the sorter sorts the samples. If c samples of a run come before a given
 * sample, at least c * d of the run's elements do, and fewer than d more. So some samples are
 * certain to lie before the positions, and some after them. The intervals shrink to a few times d
 * elements; with d = 1 they become empty. No key is compared here, so this works for every kind of
 * key. */
#include "host/pieces.h"

#include "check/check.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 16 /* bytes: the most that records may ask for; malloc() may promise less */

/* No tuning: with more samples there are fewer rounds, but longer ones. find() says what a round
 * leaves with the fewest. */
#define SAMPLES_PER_RUN 64
#define FEWEST_SAMPLES_PER_RUN 8

/* Samples that do not fit on the device are sorted in pieces, which takes samples of them. Each
 * such sort has at most an eighth of the elements of the one around it, so at most 16 are nested:
 * a sort in pieces has fewer than 2^48 elements. */
#define SMALLER_IN_PIECES 8

struct splitter {
    const struct pieces *pieces;
    uint64_t max_samples;
    uint64_t *low, *high;       /* the interval of each run: its position is in low ... high */
    uint64_t *before, *before2; /* the number of samples of each run */
    uint32_t *owners;           /* the run of each sample */
    uint32_t *order;            /* the numbers of the samples in sorted order */
    void *memory[MAX_LANES];    /* of the samples, for the lanes that are keys */
    char *samples[MAX_LANES];   /* in it, as aligned as arrays must be */
};

static int open_splitter(struct splitter *splitter, const struct pieces *pieces)
{
    const size_t num_runs = (size_t)pieces->num_runs;
    *splitter = (struct splitter){.pieces = pieces, .max_samples = num_runs * SAMPLES_PER_RUN};
    const size_t max_samples = (size_t)splitter->max_samples;
    splitter->low = malloc(4 * num_runs * sizeof *splitter->low);
    splitter->owners = malloc(2 * max_samples * sizeof *splitter->owners);
    int is_open = splitter->low && splitter->owners;
    for (uint32_t i = 0; i < pieces->num_lanes; ++i) {
        if (!pieces->lanes[i].is_key)
            continue;
        splitter->memory[i] = malloc(max_samples * pieces->lanes[i].size + ALIGNMENT);
        is_open = is_open && splitter->memory[i];
        const size_t beyond = (uintptr_t)splitter->memory[i] % ALIGNMENT;
        splitter->samples[i] = (char *)splitter->memory[i] + (ALIGNMENT - beyond);
    }
    if (is_open) {
        splitter->high = splitter->low + num_runs;
        splitter->before = splitter->high + num_runs;
        splitter->before2 = splitter->before + num_runs;
        splitter->order = splitter->owners + max_samples;
    }
    return is_open;
}

static void close_splitter(struct splitter *splitter)
{
    free(splitter->low);
    free(splitter->owners);
    for (uint32_t i = 0; i < MAX_LANES; ++i)
        free(splitter->memory[i]);
}

/* Gathers the last of every d elements of the intervals, run by run. Returns the number of
 * samples. */
static uint32_t gather(struct splitter *splitter, uint64_t d)
{
    const struct pieces *pieces = splitter->pieces;
    uint32_t num = 0;
    for (uint64_t run = 0; run < pieces->num_runs; ++run) {
        for (uint64_t at = splitter->low[run] + d - 1; at < splitter->high[run]; at += d) {
            const uint64_t element = run * pieces->run_size + at;
            for (uint32_t i = 0; i < pieces->num_lanes; ++i) {
                const size_t size = pieces->lanes[i].size;
                if (pieces->lanes[i].is_key)
                    memcpy(splitter->samples[i] + num * size,
                           pieces->lanes[i].runs + element * size, size);
            }
            splitter->owners[num++] = (uint32_t)run;
        }
    }
    return num;
}

/* Sorts the samples. Equal ones stay in the order in which they were gathered. */
static clsort_status order_samples(const struct splitter *splitter, uint32_t num)
{
    const struct pieces *pieces = splitter->pieces;
    clsort_desc desc = *pieces->job->desc;
    void *columns[MAX_MEMBERS] = {NULL};
    clsort_arrays arrays = {.indices = splitter->order};
    desc.count = num;
    desc.limit = 0;
    desc.num_arrays = 1;
    desc.algorithm = CLSORT_AUTO;
    desc.stable = 1;
    desc.value_size = desc.num_values = 0;
    desc.value_sizes = NULL;
    desc.index_size = sizeof *splitter->order;
    desc.out_of_place = 0;
    arrays.columns = desc.num_columns ? columns : NULL;
    for (uint32_t i = 0; i < pieces->num_lanes; ++i) {
        if (pieces->lanes[i].is_key)
            *array_at(&arrays, pieces->lanes[i].role) = splitter->samples[i];
    }
    return pieces->job->sort_samples(pieces->job->sorter, &desc, &arrays,
                                     pieces->count / SMALLER_IN_PIECES);
}

/* Takes samples and sorts them. If that takes too much of the device's memory, half as many are
 * tried, down to the fewest. */
static clsort_status sample(struct splitter *splitter, uint64_t num_left, uint64_t *d_ret,
                            uint32_t *num_ret)
{
    const uint64_t fewest = splitter->pieces->num_runs * FEWEST_SAMPLES_PER_RUN;
    clsort_status status = CLSORT_ERROR_DEVICE_MEMORY;
    while (status == CLSORT_ERROR_DEVICE_MEMORY && splitter->max_samples >= fewest) {
        *d_ret = ceil_div(num_left, splitter->max_samples);
        *num_ret = gather(splitter, *d_ret);
        status = order_samples(splitter, *num_ret);
        if (status == CLSORT_ERROR_DEVICE_MEMORY)
            splitter->max_samples /= 2;
    }
    return status;
}

/* Counts the first `num` sorted samples of each run. */
static void count_first(const struct splitter *splitter, uint64_t num, uint64_t *counts)
{
    memset(counts, 0, (size_t)splitter->pieces->num_runs * sizeof *counts);
    for (uint64_t i = 0; i < num; ++i)
        ++counts[splitter->owners[splitter->order[i]]];
}

/* Shrinks the intervals, which have num_left elements, `target` of them before the positions. At
 * least j * d elements precede or are the j-th sample in order, and at most (runs - 1) * (d - 1)
 * more do. */
static clsort_status shrink(struct splitter *splitter, uint64_t num_left, uint64_t target)
{
    const uint64_t num_runs = splitter->pieces->num_runs;
    uint64_t d = 0;
    uint32_t num = 0;
    const clsort_status status = sample(splitter, num_left, &d, &num);
    if (status)
        return status;
    const uint64_t slack = (num_runs - 1) * (d - 1);
    const uint64_t surely_before = target > slack ? (target - slack) / d : 0;
    const uint64_t maybe_before = target / d;
    count_first(splitter, surely_before < num ? surely_before : num, splitter->before);
    count_first(splitter, maybe_before < num ? maybe_before : num, splitter->before2);
    for (uint64_t run = 0; run < num_runs; ++run) {
        const uint64_t low = splitter->low[run];
        const uint64_t high = low + splitter->before2[run] * d + d - 1; /* the next sample */
        splitter->low[run] = low + splitter->before[run] * d;
        splitter->high[run] = smaller(high, splitter->high[run]);
    }
    return CLSORT_OK;
}

/* Finds the positions before which `target` elements lie. `low` has the positions of a smaller
 * target. A round leaves at most 2 * runs * (d - 1) + 1 elements, and (d - 1) * max_samples is less
 * than num_left: at most a quarter of them and one more are left, or none if d is 1. So there are
 * fewer rounds than num_left has bits. */
static clsort_status find(struct splitter *splitter, uint64_t target)
{
    const struct pieces *pieces = splitter->pieces;
    for (uint64_t run = 0; run < pieces->num_runs; ++run)
        splitter->high[run] = smaller(pieces->count - run * pieces->run_size, pieces->run_size);
    for (;;) {
        uint64_t num_left = 0, num_before = 0;
        for (uint64_t run = 0; run < pieces->num_runs; ++run) {
            num_left += splitter->high[run] - splitter->low[run];
            num_before += splitter->low[run];
        }
        if (num_left == 0)
            return CLSORT_OK;
        const clsort_status status = shrink(splitter, num_left, target - num_before);
        if (status)
            return status;
    }
}

clsort_status pieces_split(struct pieces *pieces)
{
    struct splitter splitter;
    const size_t row = (size_t)pieces->num_runs;
    free(pieces->splits);
    pieces->splits = calloc((size_t)(pieces->num_parts + 1) * row, sizeof *pieces->splits);
    clsort_status status = CLSORT_OK;
    if (!open_splitter(&splitter, pieces) || !pieces->splits)
        status = error_set(&pieces->job->sorter->error, CLSORT_ERROR_HOST_MEMORY);
    for (uint64_t part = 1; part <= pieces->num_parts && !status; ++part) {
        const uint64_t target = part * pieces->part_size;
        uint64_t *splits = pieces->splits + part * row;
        memcpy(splitter.low, splits - row, row * sizeof *splits);
        status = find(&splitter, target < pieces->count ? target : pieces->count);
        memcpy(splits, splitter.low, row * sizeof *splits);
    }
    close_splitter(&splitter);
    return status;
}
