/* runs.c: cutting by multisequence selection. The middle of the widest interval is looked for in
 * all runs, which halves the interval and narrows the others, until the cuts are known. */
#include "external/runs.h"

#include "numbers/key.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_CACHE = 2048, MOST_CACHE = 16384, LINES_CACHE = 256 }; /* bytes */

struct run *runs_at(const struct runs *runs, uint64_t i)
{
    return (struct run *)runs->list.data + i;
}

struct run *runs_add(struct runs *runs, uint64_t count, uint64_t text_size)
{
    const uint64_t size = (runs->num + 1) * sizeof(struct run);
    if (size > runs->list.capacity && !bytes_reserve(&runs->list, 2 * size))
        return NULL;
    struct run *run = runs_at(runs, runs->num);
    struct spill *spill = &runs->spill;
    *run = (struct run){.count = count, .step = 1};
    run->keys_at = spill_take(spill, count * runs->keys.size);
    run->values_at = spill_take(spill, count * runs->value_size);
    if (runs->has_lines) {
        run->starts_at = spill_take(spill, (count + 1) * sizeof(uint32_t));
        run->text_at = spill_take(spill, text_size);
        run->text_size = text_size;
    }
    runs->num++;
    runs->total += count;
    return run;
}

bool runs_begin_samples(struct runs *runs, struct run *run)
{
    enum { MOST = 8192, LEAST_STEP = 256 };
    struct bytes *samples = &runs->samples;
    run->step = run->count / MOST > LEAST_STEP ? run->count / MOST : LEAST_STEP;
    run->samples_at = samples->size / sizeof(uint64_t);
    const uint64_t size = samples->size + (run->count / run->step + 1) * sizeof(uint64_t);
    if (size > samples->capacity && !bytes_reserve(samples, 2 * size))
        return false;
    samples->size = (size_t)size;
    return true;
}

void runs_sample(const struct runs *runs, const struct run *run, const void *keys,
                 const uint32_t *order, uint64_t first, uint64_t count)
{
    uint64_t *ranks = (uint64_t *)runs->samples.data + run->samples_at;
    const uint64_t begin = (first + run->step - 1) / run->step * run->step;
    for (uint64_t i = begin; i < first + count; i += run->step)
        ranks[i / run->step] =
            element_rank(&runs->keys, keys, order ? order[i - first] : i - first);
}

void runs_close(struct runs *runs)
{
    spill_close(&runs->spill);
    bytes_free(&runs->list);
    bytes_free(&runs->samples);
    bytes_free(&runs->cache);
    bytes_free(&runs->pivot);
}

bool runs_text_between(const struct runs *runs, uint64_t i, uint64_t begin, uint64_t end,
                       uint64_t *begin_ret, uint64_t *size_ret)
{
    const struct run *run = runs_at(runs, i);
    uint32_t starts[2];
    const uint64_t size = sizeof(starts[0]), at = run->starts_at + begin * size;
    const bool is_line = end == begin + 1; /* whose starts are neighbours */
    if (!spill_read_few(&runs->spill, starts, is_line ? 2 * size : size, at) ||
        (!is_line && !spill_read_few(&runs->spill, &starts[1], size, run->starts_at + end * size)))
        return false;
    *begin_ret = starts[0];
    *size_ret = (uint64_t)starts[1] - starts[0];
    if (starts[0] <= starts[1] && starts[1] <= run->text_size && *size_ret >= end - begin)
        return true;
    return spill_refuse_damage(&runs->spill);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

enum region { REGION_KEYS, REGION_STARTS, REGION_TEXT };

static uint64_t blocks_a_run(const struct runs *runs)
{
    return runs->keys.size ? 1 : 2;
}

/* Part of a run, of at most cache_size bytes, by a block of it that stays in memory: most of what
 * is looked at for a cut lies near what was looked at before. NULL: it cannot be read. */
static const char *look(struct runs *runs, uint64_t i, enum region region, uint64_t offset,
                        uint64_t size)
{
    struct run *run = runs_at(runs, i);
    const struct {
        uint64_t at, size;
    } places[] = {
        [REGION_KEYS] = {run->keys_at, run->count * runs->keys.size},
        [REGION_STARTS] = {run->starts_at, (run->count + 1) * sizeof(uint32_t)},
        [REGION_TEXT] = {run->text_at, run->text_size},
    };
    struct run_block *block = &run->blocks[region == REGION_TEXT];
    char *data = (char *)runs->cache.data +
                 (i * blocks_a_run(runs) + (region == REGION_TEXT)) * runs->cache_size;
    if (offset < block->begin || offset + size > block->begin + block->size) {
        /* A block of lines is read whole only when the search has nearly ended. */
        const bool is_near =
            offset < block->begin + runs->cache_size && block->begin < offset + runs->cache_size;
        const uint64_t most = is_near || region == REGION_KEYS ? runs->cache_size : size;
        const uint64_t begin = offset / most * most;
        block->begin = offset + size > begin + most ? offset : begin;
        block->size = smaller(places[region].size - block->begin, most);
        if (!spill_read_few(&runs->spill, data, (size_t)block->size,
                            places[region].at + block->begin))
            return NULL;
    }
    return data + (offset - block->begin);
}

/* An element to compare with: where a number stands among all of its type, or a line without its
 * line feed. */
struct pivot {
    uint64_t rank;
    const char *line;
    uint64_t size;
};

static bool load_rank(struct runs *runs, uint64_t i, uint64_t position, uint64_t *rank_ret)
{
    struct run *run = runs_at(runs, i);
    if (run->step > 1 && position % run->step == 0) {
        *rank_ret = ((const uint64_t *)runs->samples.data)[run->samples_at + position / run->step];
        return true;
    }
    const char *key = look(runs, i, REGION_KEYS, position * runs->keys.size, runs->keys.size);
    if (key)
        *rank_ret = element_rank(&runs->keys, key, 0);
    return key != NULL;
}

/* A line without its line feed: where it begins in the run's text, and its size. */
static bool find_line(struct runs *runs, uint64_t i, uint64_t position, uint64_t *begin_ret,
                      uint64_t *size_ret)
{
    uint32_t starts[2];
    const char *found = look(runs, i, REGION_STARTS, position * sizeof(starts[0]), sizeof(starts));
    if (!found)
        return false;
    memcpy(starts, found, sizeof(starts));
    if (starts[0] >= starts[1] || starts[1] > runs_at(runs, i)->text_size) {
        spill_refuse_damage(&runs->spill);
        return false;
    }
    *begin_ret = starts[0];
    *size_ret = starts[1] - starts[0] - 1;
    return true;
}

static bool load_pivot(struct runs *runs, uint64_t i, uint64_t position, struct pivot *pivot)
{
    if (runs->keys.size)
        return load_rank(runs, i, position, &pivot->rank);
    uint64_t begin;
    if (!find_line(runs, i, position, &begin, &pivot->size) ||
        !bytes_reserve(&runs->pivot, pivot->size + 1) ||
        !spill_read_few(&runs->spill, runs->pivot.data, pivot->size,
                        runs_at(runs, i)->text_at + begin))
        return false;
    pivot->line = runs->pivot.data;
    return true;
}

/* A line against the pivot, a block at a time. */
static bool compare_line(struct runs *runs, uint64_t i, uint64_t position,
                         const struct pivot *pivot, int *order_ret)
{
    uint64_t begin, size;
    if (!find_line(runs, i, position, &begin, &size))
        return false;
    const uint64_t both = smaller(size, pivot->size);
    for (uint64_t at = 0; at < both; at += runs->cache_size) {
        const uint64_t part = smaller(both - at, runs->cache_size);
        const char *text = look(runs, i, REGION_TEXT, begin + at, part);
        if (!text)
            return false;
        *order_ret = memcmp(text, pivot->line + at, part);
        if (*order_ret)
            return true;
    }
    *order_ret = (size > pivot->size) - (size < pivot->size);
    return true;
}

/* Below 0: the element comes before the pivot in the order of the runs; 0: it is equal to it. */
static bool compare(struct runs *runs, uint64_t i, uint64_t position, const struct pivot *pivot,
                    int *order_ret)
{
    uint64_t rank;
    if (!runs->keys.size) {
        if (!compare_line(runs, i, position, pivot, order_ret))
            return false;
    } else {
        if (!load_rank(runs, i, position, &rank))
            return false;
        *order_ret = (rank > pivot->rank) - (rank < pivot->rank);
    }
    if (runs->order == CLSORT_DESCENDING)
        *order_ret = -*order_ret;
    return true;
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
static bool count_before(struct runs *runs, uint64_t i, uint64_t pivot_run,
                         const struct pivot *pivot, uint64_t low, uint64_t high,
                         uint64_t *count_ret)
{
    while (low < high) {
        const uint64_t middle = middle_of(runs_at(runs, i), low, high);
        int order;
        if (!compare(runs, i, middle, pivot, &order))
            return false;
        if (order < 0 || (order == 0 && i < pivot_run))
            low = middle + 1;
        else
            high = middle;
    }
    *count_ret = low;
    return true;
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
static bool narrow(struct runs *runs, uint64_t target, uint64_t reach, uint64_t *low,
                   uint64_t *high, uint64_t *counts)
{
    const uint64_t run = widest(runs, low, high);
    const uint64_t end = low[run] + smaller(high[run] - low[run], reach);
    const uint64_t middle = middle_of(runs_at(runs, run), low[run], end);
    struct pivot pivot = {0};
    if (!load_pivot(runs, run, middle, &pivot))
        return false;
    uint64_t total = 0;
    for (uint64_t i = 0; i < runs->num; i++) {
        counts[i] = middle;
        if (i != run && !count_before(runs, i, run, &pivot, low[i], high[i], &counts[i]))
            return false;
        total += counts[i];
    }
    /* With the pivot itself total + 1 elements are a begin of all. */
    if (total < target) {
        memcpy(low, counts, runs->num * sizeof(*low));
        low[run]++;
    } else {
        memcpy(high, counts, runs->num * sizeof(*high));
    }
    return true;
}

/* Blocks of each run. Those of keys are as large as the runs are: what many small ones cost in all
 * stays little. */
static bool reserve_cache(struct runs *runs)
{
    enum { SHARE = 512 };
    const uint64_t size = runs->num ? runs->total / runs->num * runs->keys.size / SHARE : 0;
    if (!runs->cache_size)
        runs->cache_size = !runs->keys.size     ? LINES_CACHE
                           : size < LEAST_CACHE ? LEAST_CACHE
                                                : smaller(size, MOST_CACHE);
    return bytes_reserve(&runs->cache, runs->num * blocks_a_run(runs) * runs->cache_size);
}

bool runs_cut(struct runs *runs, uint64_t target, const uint64_t *from, uint64_t *positions)
{
    const uint64_t num = runs->num;
    uint64_t *high = malloc(2 * num * sizeof(*high));
    bool ok = high && reserve_cache(runs);
    bool is_open = true;
    uint64_t before = 0;
    memcpy(positions, from, num * sizeof(*positions));
    for (uint64_t i = 0; i < num; i++)
        before += from[i];
    for (uint64_t i = 0; ok && i < num; i++) {
        const uint64_t most = from[i] + (target - before); /* one run gives no more than all do */
        high[i] = runs_at(runs, i)->count < most ? runs_at(runs, i)->count : most;
    }
    /* If the runs give about as much each, the first step leaves no more than twice that. */
    uint64_t reach = 4 * ((target - before) / (num + 1) + 1);
    while (ok && is_open) {
        is_open = false;
        for (uint64_t i = 0; i < num; i++)
            is_open |= positions[i] < high[i];
        if (is_open)
            ok = narrow(runs, target, reach, positions, high, high + num);
        reach = UINT64_MAX;
    }
    free(high);
    return ok;
}
