/* split.c: the search for the borders between ranks, by counting.
 *
 * A splitter is the element with which a rank's share ends. All splitters are searched at once, a word of
 * the elements at a time. A splitter has an interval of values for its word; a round divides it by evenly
 * spaced probes. Each rank counts by binary search how many of its elements are at most a probe, and one
 * reduction sums the counts of all probes. The interval shrinks to that between two probes. Where the
 * word is found and more elements are equal in it than the share takes, the search goes on among these,
 * in the next word. Elements equal in all words are dealt in the order of their ranks. */
#include "split.h"

#include <stdlib.h>

enum { MAX_PROBE_BITS = 8, MIN_PROBE_BITS = 2, MAX_PROBES = 1 << 16 };

struct splitter {
    uint64_t target;     /* elements wanted before it, of those equal in the words before */
    uint64_t begin, end; /* these, on this rank */
    uint64_t low,
        high; /* the least value that at least `target` elements do not exceed is between */
    uint64_t first, last; /* on this rank, elements at most low - 1, and at most high */
    int is_found;         /* its place on this rank is `end` */
    int is_exact;         /* just `target` elements are at most low */
};

int split_alloc(struct split *split, int num_ranks)
{
    const size_t num = num_ranks > 1 ? (size_t)num_ranks - 1 : 1;
    uint32_t bits = MAX_PROBE_BITS;
    while (bits > MIN_PROBE_BITS && num << bits > MAX_PROBES)
        --bits;
    *split = (struct split){
        .splitters = calloc(num, sizeof *split->splitters),
        .numbers = malloc((num << bits) * sizeof *split->numbers),
        .sums = malloc(num * sizeof *split->sums),
        .probe_bits = bits,
    };
    return split->splitters && split->numbers && split->sums;
}

void split_free(struct split *split, const struct wire *wire)
{
    wire_free(wire, split->splitters);
    wire_free(wire, split->numbers);
    wire_free(wire, split->sums);
}

/* How many elements are at most `value` in a word, if between first and last of them are. */
static uint64_t count_at_most(const struct words *words, uint32_t word, uint64_t value,
                              uint64_t first, uint64_t last)
{
    while (first < last) {
        const uint64_t middle = first + (last - first) / 2;
        if (words_get(words, word, middle) <= value)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

static void account(struct split *split, uint64_t count)
{
    ++split->num_rounds;
    split->bytes_reduced += count * sizeof *split->numbers;
}

/* Probe number i of 2^bits - 1, evenly spaced from low to below high. */
static uint64_t probe(const struct splitter *splitter, uint32_t bits, uint64_t i)
{
    const uint64_t width = splitter->high - splitter->low, part = width >> bits;
    const uint64_t rest = width & (((uint64_t)1 << bits) - 1);
    return splitter->low + part * (i + 1) + (rest * (i + 1) >> bits);
}

/* From the smallest to the largest value of the word among the elements that are left. */
static void find_intervals(struct split *split, struct wire *wire, const struct words *words,
                           uint32_t word, int num)
{
    for (int i = 0; i < num; ++i) {
        const struct splitter *splitter = &split->splitters[i];
        const int has_any = !splitter->is_found && splitter->begin < splitter->end;
        split->numbers[2 * i] = has_any ? ~words_get(words, word, splitter->begin) : 0;
        split->numbers[2 * i + 1] = has_any ? words_get(words, word, splitter->end - 1) : 0;
    }
    wire_max(wire, split->numbers, 2 * num);
    account(split, 2 * (uint64_t)num);
    for (int i = 0; i < num; ++i) {
        struct splitter *splitter = &split->splitters[i];
        splitter->low = ~split->numbers[2 * i];
        splitter->high = split->numbers[2 * i + 1];
        splitter->first = splitter->begin;
        splitter->last = splitter->end;
        splitter->is_exact = 0;
    }
}

static int is_searched(const struct splitter *splitter)
{
    return !splitter->is_found && splitter->low < splitter->high;
}

/* Counts at all probes of the splitters that are searched; how many numbers that gives. */
static uint64_t count_probes(struct split *split, const struct words *words, uint32_t word, int num)
{
    const uint64_t num_probes = ((uint64_t)1 << split->probe_bits) - 1;
    uint64_t *to = split->numbers;
    for (int i = 0; i < num; ++i) {
        const struct splitter *splitter = &split->splitters[i];
        if (!is_searched(splitter))
            continue;
        uint64_t at = splitter->first;
        for (uint64_t k = 0; k < num_probes; ++k) {
            const uint64_t value = probe(splitter, split->probe_bits, k);
            at = count_at_most(words, word, value, at, splitter->last);
            *to++ = at - splitter->begin;
        }
    }
    return (uint64_t)(to - split->numbers);
}

/* The interval between the two probes around the target. `counts` are those of all ranks. */
static void narrow(struct splitter *splitter, const struct words *words, uint32_t word,
                   uint32_t probe_bits, const uint64_t *counts)
{
    const uint64_t num_probes = ((uint64_t)1 << probe_bits) - 1;
    const struct splitter before = *splitter;
    uint64_t k = 0;
    while (k < num_probes && counts[k] < before.target)
        ++k;
    if (k < num_probes) {
        splitter->high = probe(&before, probe_bits, k);
        splitter->last = count_at_most(words, word, splitter->high, before.first, before.last);
        splitter->is_exact = counts[k] == before.target;
    }
    if (splitter->is_exact) {
        splitter->low = splitter->high;
    } else if (k > 0) {
        const uint64_t below = probe(&before, probe_bits, k - 1);
        splitter->low = below + 1;
        splitter->first = count_at_most(words, word, below, before.first, splitter->last);
    }
}

/* Narrows all intervals to one value. */
static void find_values(struct split *split, struct wire *wire, const struct words *words,
                        uint32_t word, int num)
{
    const uint64_t num_probes = ((uint64_t)1 << split->probe_bits) - 1;
    while (!wire->failed) {
        const uint64_t num_counts = count_probes(split, words, word, num);
        if (num_counts == 0)
            return;
        wire_sum(wire, split->numbers, (int)num_counts);
        account(split, num_counts);
        const uint64_t *counts = split->numbers;
        for (int i = 0; i < num && !wire->failed; ++i) {
            if (!is_searched(&split->splitters[i]))
                continue;
            narrow(&split->splitters[i], words, word, split->probe_bits, counts);
            counts += num_probes;
        }
    }
}

/* Splitters whose border is not between two values go on among the elements of their value. */
static void keep_equals(struct split *split, struct wire *wire, const struct words *words,
                        uint32_t word, int num)
{
    for (int i = 0; i < num; ++i) {
        struct splitter *splitter = &split->splitters[i];
        split->numbers[i] = 0;
        if (splitter->is_found)
            continue;
        const uint64_t behind =
            count_at_most(words, word, splitter->low, splitter->first, splitter->last);
        if (splitter->is_exact) {
            splitter->end = behind;
            splitter->is_found = 1;
            continue;
        }
        const uint64_t before =
            splitter->low ? count_at_most(words, word, splitter->low - 1, splitter->begin, behind)
                          : splitter->begin;
        split->numbers[i] = before - splitter->begin;
        splitter->begin = before;
        splitter->end = behind;
    }
    wire_sum(wire, split->numbers, num);
    account(split, (uint64_t)num);
    for (int i = 0; i < num; ++i) {
        if (!split->splitters[i].is_found)
            split->splitters[i].target -= split->numbers[i];
    }
}

/* Of elements that are equal in all words, the first ranks' come first. */
static void deal_equals(struct split *split, struct wire *wire, int num)
{
    for (int i = 0; i < num; ++i)
        split->numbers[i] = split->splitters[i].end - split->splitters[i].begin;
    wire_sums_before(wire, split->numbers, split->sums, num);
    for (int i = 0; i < num; ++i) {
        struct splitter *splitter = &split->splitters[i];
        const uint64_t before = split->sums[i], target = splitter->target;
        if (splitter->is_found)
            continue;
        const uint64_t wanted = target > before ? target - before : 0;
        if (wanted < split->numbers[i])
            splitter->end = splitter->begin + wanted;
        splitter->is_found = 1;
    }
}

static int any_left(const struct split *split, int num)
{
    for (int i = 0; i < num; ++i) {
        if (!split->splitters[i].is_found)
            return 1;
    }
    return 0;
}

void split_find(struct split *split, struct wire *wire, const struct words *words, uint64_t count,
                const uint64_t *targets, uint64_t total, uint64_t *ends)
{
    const int num = wire->size - 1;
    for (int i = 0; i < num; ++i) {
        const int is_trivial = targets[i] == 0 || targets[i] == total;
        split->splitters[i] = (struct splitter){
            .target = targets[i],
            .end = targets[i] == 0 ? 0 : count,
            .is_found = is_trivial,
        };
    }
    for (uint32_t word = 0; word < words->num_words && any_left(split, num); ++word) {
        find_intervals(split, wire, words, word, num);
        find_values(split, wire, words, word, num);
        if (wire->failed)
            return;
        keep_equals(split, wire, words, word, num);
    }
    if (any_left(split, num))
        deal_equals(split, wire, num);
    for (int i = 0; i < num; ++i)
        ends[i] = split->splitters[i].end;
}
