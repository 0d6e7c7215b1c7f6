/* runs.c: cutting by multisequence selection. The middle of the widest interval is looked for in
 * all runs, which halves the interval and narrows the others, until the cuts are known. */
#include "external/runs.h"

#include "numbers/key.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_CACHE = 2048, MOST_CACHE = 16384 }; /* bytes */

struct run *runs_at(const struct runs *runs, uint64_t i)
{
    return (struct run *)runs->list.data + i;
}

/* Every step-th number's rank. */
static void sample(struct runs *runs, struct run *run, const void *keys)
{
    enum { MOST = 8192, LEAST_STEP = 256 };
    struct bytes *samples = &runs->samples;
    run->step = run->count / MOST > LEAST_STEP ? run->count / MOST : LEAST_STEP;
    run->samples_at = samples->size / sizeof(uint64_t);
    const uint64_t size = samples->size + (run->count / run->step + 1) * sizeof(uint64_t);
    if (size > samples->capacity)
        bytes_need(samples, 2 * size);
    samples->size = (size_t)size;
    uint64_t *ranks = (uint64_t *)samples->data + run->samples_at;
    for (uint64_t i = 0; i < run->count; i += run->step)
        ranks[i / run->step] = element_rank(&runs->keys, keys, i);
}

struct run *runs_add(struct runs *runs, const void *keys, uint64_t count)
{
    const uint64_t size = (runs->num + 1) * sizeof(struct run);
    if (size > runs->list.capacity)
        bytes_need(&runs->list, 2 * size);
    struct run *run = runs_at(runs, runs->num);
    struct spill *spill = &runs->spill;
    *run = (struct run){.count = count};
    run->keys_at = spill_take(spill, count * runs->keys.size);
    run->values_at = spill_take(spill, count * runs->value_size);
    runs->num++;
    runs->total += count;
    sample(runs, run, keys);
    return run;
}

void runs_write(const struct runs *runs, const struct run *run, void *keys, void *values)
{
    const struct span spans[] = {{keys, run->keys_at, run->count * runs->keys.size},
                                 {values, run->values_at, run->count * runs->value_size}};
    spill_write(&runs->spill, spans, runs->value_size ? 2 : 1);
}

void runs_close(struct runs *runs)
{
    spill_close(&runs->spill);
    bytes_free(&runs->list);
    bytes_free(&runs->samples);
    bytes_free(&runs->cache);
    free(runs->before);
    free(runs->spans);
    runs->before = NULL;
    runs->spans = NULL;
}

/* An element of a run, by a block of it that stays in memory: most of what is looked at for a cut
 * lies near what was looked at before. */
static const char *look(struct runs *runs, uint64_t i, uint64_t position)
{
    struct run *run = runs_at(runs, i);
    const uint64_t size = runs->keys.size, offset = position * size;
    char *data = (char *)runs->cache.data + i * runs->cache_size;
    if (offset < run->block_begin || offset + size > run->block_begin + run->block_size) {
        const uint64_t begin = offset / runs->cache_size * runs->cache_size;
        run->block_begin = offset + size > begin + runs->cache_size ? offset : begin;
        run->block_size = smaller(run->count * size - run->block_begin, runs->cache_size);
        spill_read_few(&runs->spill, data, (size_t)run->block_size,
                       run->keys_at + run->block_begin);
    }
    return data + (offset - run->block_begin);
}

/* Where an element's number stands among all of its type. */
static uint64_t load_rank(struct runs *runs, uint64_t i, uint64_t position)
{
    const struct run *run = runs_at(runs, i);
    if (position % run->step == 0)
        return ((const uint64_t *)runs->samples.data)[run->samples_at + position / run->step];
    return element_rank(&runs->keys, look(runs, i, position), 0);
}

/* An element near the middle of low to high, which is not empty: a sample where there is one. */
static uint64_t middle_of(const struct run *run, uint64_t low, uint64_t high)
{
    const uint64_t middle = low + (high - low) / 2;
    const uint64_t sample = middle / run->step * run->step;
    if (sample >= low)
        return sample;
    return sample + run->step < high ? sample + run->step : middle;
}

/* How many elements of run i come before the pivot, equal ones too where the run stands before the
 * pivot's; they are known to be low to high. */
static uint64_t count_before(struct runs *runs, uint64_t i, uint64_t pivot_run, uint64_t pivot,
                             uint64_t low, uint64_t high)
{
    while (low < high) {
        const uint64_t middle = middle_of(runs_at(runs, i), low, high);
        const uint64_t rank = load_rank(runs, i, middle);
        const bool is_before = runs->order == CLSORT_DESCENDING ? rank > pivot : rank < pivot;
        if (is_before || (rank == pivot && i < pivot_run))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t widest(const struct runs *runs, const uint64_t *low, const uint64_t *high)
{
    uint64_t best = 0;
    for (uint64_t i = 1; i < runs->num; i++) {
        if (high[i] - low[i] > high[best] - low[best])
            best = i;
    }
    return best;
}

/* One step: low and high enclose the cuts, and at least one element less lies between them
 * afterwards. It looks at the middle of the widest interval, or of its first `reach` elements. */
static void narrow(struct runs *runs, uint64_t target, uint64_t reach, uint64_t *low,
                   uint64_t *high, uint64_t *counts)
{
    const uint64_t run = widest(runs, low, high);
    const uint64_t end = low[run] + smaller(high[run] - low[run], reach);
    const uint64_t middle = middle_of(runs_at(runs, run), low[run], end);
    const uint64_t pivot = load_rank(runs, run, middle);
    uint64_t total = 0;
    for (uint64_t i = 0; i < runs->num; i++) {
        counts[i] = i == run ? middle : count_before(runs, i, run, pivot, low[i], high[i]);
        total += counts[i];
    }
    /* With the pivot itself total + 1 elements are a begin of all. */
    if (total < target) {
        memcpy(low, counts, runs->num * sizeof(*low));
        low[run]++;
    } else {
        memcpy(high, counts, runs->num * sizeof(*high));
    }
}

/* Blocks of each run. Those of keys are as large as the runs are: what many small ones cost in all
 * stays little. */
static void reserve_cache(struct runs *runs)
{
    enum { SHARE = 512 };
    const uint64_t size = runs->num ? runs->total / runs->num * runs->keys.size / SHARE : 0;
    if (!runs->cache_size)
        runs->cache_size = size < LEAST_CACHE ? LEAST_CACHE : smaller(size, MOST_CACHE);
    bytes_need(&runs->cache, runs->num * runs->cache_size);
}

void runs_cut(struct runs *runs, uint64_t target, const uint64_t *from, uint64_t *positions)
{
    const uint64_t num = runs->num;
    uint64_t *high = zeroed(2 * num, sizeof(*high));
    uint64_t before = 0;
    reserve_cache(runs);
    memcpy(positions, from, num * sizeof(*positions));
    for (uint64_t i = 0; i < num; i++)
        before += from[i];
    for (uint64_t i = 0; i < num; i++) {
        const uint64_t most = from[i] + (target - before); /* one run gives no more than all do */
        high[i] = runs_at(runs, i)->count < most ? runs_at(runs, i)->count : most;
    }
    /* If the runs give about as much each, the first step leaves no more than twice that. */
    uint64_t reach = 4 * ((target - before) / (num + 1) + 1);
    while (memcmp(positions, high, num * sizeof(*high)) != 0) {
        narrow(runs, target, reach, positions, high, high + num);
        reach = UINT64_MAX;
    }
    free(high);
}

void runs_begin_parts(struct runs *runs, uint64_t skip)
{
    const uint64_t num = runs->num;
    runs->num_cut = skip;
    runs->before = zeroed(2 * num + 1, sizeof(*runs->before));
    runs->spans = zeroed(2 * num + 1, sizeof(*runs->spans));
    if (skip > 0)
        runs_cut(runs, skip, runs->before + num, runs->before);
}

void runs_read_part(struct runs *runs, uint64_t count, char *keys, char *values)
{
    const uint64_t sizes[] = {runs->keys.size, runs->value_size};
    char *to[] = {keys, values};
    uint64_t *const before = runs->before, *const cuts = before + runs->num;
    uint64_t num = 0;
    runs->num_cut += count;
    runs_cut(runs, runs->num_cut, before, cuts);
    for (uint64_t i = 0; i < runs->num; i++) {
        const struct run *run = runs_at(runs, i);
        const uint64_t places[] = {run->keys_at, run->values_at}, more = cuts[i] - before[i];
        for (int k = 0; k < 2 && more > 0; k++) {
            if (sizes[k])
                runs->spans[num++] =
                    (struct span){to[k], places[k] + before[i] * sizes[k], more * sizes[k]};
            to[k] += more * sizes[k];
        }
    }
    memcpy(before, cuts, runs->num * sizeof(*cuts));
    spill_read(&runs->spill, runs->spans, num);
}
