/* runs.c: cutting by multisequence selection. The middle of the widest interval is looked for in
 * all runs, which halves the interval and narrows the others, until the cuts are known. */
#include "runs.h"

#include "key.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_CACHE = 2048, MOST_CACHE = 16384, LINE_BLOCK = 4096 }; /* bytes */

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
    const uint64_t keys_a_block = runs->cache_size / runs->keys.size;
    char *block = (char *)runs->cache.data + i * runs->cache_size;
    if (position < run->cached || position >= run->cached + run->num_cached) {
        const uint64_t first = position / keys_a_block * keys_a_block;
        const uint64_t left = run->count - first;
        run->cached = first;
        run->num_cached = left < keys_a_block ? left : keys_a_block;
        if (!spill_read_few(&runs->spill, block, (size_t)(run->num_cached * runs->keys.size),
                            run->keys_at + first * runs->keys.size))
            return false;
    }
    *rank_ret = element_rank(&runs->keys, block, position - run->cached);
    return true;
}

static bool load_pivot(struct runs *runs, uint64_t i, uint64_t position, struct pivot *pivot)
{
    if (runs->keys.size)
        return load_rank(runs, i, position, &pivot->rank);
    uint64_t begin, size;
    if (!runs_text_between(runs, i, position, position + 1, &begin, &size) ||
        !bytes_reserve(&runs->pivot, size) ||
        !spill_read_few(&runs->spill, runs->pivot.data, size, runs_at(runs, i)->text_at + begin))
        return false;
    pivot->line = runs->pivot.data;
    pivot->size = size - 1;
    return true;
}

/* A line against the pivot, a block at a time. */
static bool compare_line(const struct runs *runs, uint64_t i, uint64_t position,
                         const struct pivot *pivot, int *order_ret)
{
    char block[LINE_BLOCK];
    uint64_t begin, size;
    if (!runs_text_between(runs, i, position, position + 1, &begin, &size))
        return false;
    size--;
    const uint64_t both = size < pivot->size ? size : pivot->size;
    for (uint64_t at = 0; at < both; at += LINE_BLOCK) {
        const size_t part = both - at < LINE_BLOCK ? (size_t)(both - at) : LINE_BLOCK;
        if (!spill_read_few(&runs->spill, block, part, runs_at(runs, i)->text_at + begin + at))
            return false;
        *order_ret = memcmp(block, pivot->line + at, part);
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
 * afterwards. */
static bool narrow(struct runs *runs, uint64_t target, uint64_t *low, uint64_t *high,
                   uint64_t *counts)
{
    const uint64_t run = widest(runs, low, high);
    const uint64_t middle = middle_of(runs_at(runs, run), low[run], high[run]);
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

/* A block of each run, as large as the runs are: what many small ones cost in all stays little. */
static bool reserve_cache(struct runs *runs)
{
    enum { SHARE = 512 };
    const uint64_t size = runs->num ? runs->total / runs->num * runs->keys.size / SHARE : 0;
    if (!runs->cache_size)
        runs->cache_size = size < LEAST_CACHE ? LEAST_CACHE : size < MOST_CACHE ? size : MOST_CACHE;
    return bytes_reserve(&runs->cache, runs->num * runs->cache_size);
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
    while (ok && is_open) {
        is_open = false;
        for (uint64_t i = 0; i < num; i++)
            is_open |= positions[i] < high[i];
        if (is_open)
            ok = narrow(runs, target, positions, high, high + num);
    }
    free(high);
    return ok;
}
