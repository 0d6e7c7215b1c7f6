/* split.c: the search for the borders between ranks, by counting.
 *
 * A splitter is the last element of a rank's share. The ranks search all splitters at once, one
 * 64-bit word of the key at a time. A splitter has an interval of values for its word. A round
 * divides the interval by evenly spaced probes. Each rank counts by binary search how many of its
 * elements are at most a probe, and one reduction sums the counts of all probes. The interval
 * shrinks to the gap between two probes. If more elements are equal in the word than the share
 * takes, the search continues among them in the next word. Elements that are equal in all words go
 * to the shares in the order of their ranks.
 *
 * Splitters with the same interval share its probes. So the first round has one interval with many
 * probes, and a value that many splitters meet is searched once. With fewer intervals, a round
 * divides each more finely. README.md has the cost. */
#include "split.h"

#include <stdlib.h>

/* A round reduces at most 2^MAX_PROBE_BITS numbers for each splitter. With many splitters the limit
 * drops to 2^MIN_PROBE_BITS, to keep the total below MAX_NUMBERS. */
enum { MAX_PROBE_BITS = 8, MIN_PROBE_BITS = 2, MAX_NUMBERS = 1 << 16 };

struct splitter {
    /* The candidates are the elements that equal the splitter in all earlier words. */
    uint64_t target;      /* candidates of all ranks that belong before the border */
    uint64_t begin, end;  /* the candidates on this rank */
    uint64_t low, high;   /* contains the smallest value that `target` candidates do not exceed */
    uint64_t first, last; /* on this rank, where candidates <= low - 1 and <= high end */
    uint64_t below;       /* candidates of all ranks that are <= low - 1 */
    int family;           /* a number that splitters with the same candidates share */
    int is_found;         /* the border on this rank is `end` */
    int is_exact;         /* exactly `target` candidates are <= low */
    int slot;             /* of its numbers in this round, shared by equal searches; -1: none */
};

int split_alloc(struct split *split, int num_ranks)
{
    const size_t num = num_ranks > 1 ? (size_t)num_ranks - 1 : 1;
    uint32_t bits = MAX_PROBE_BITS;
    while (bits > MIN_PROBE_BITS && num << bits > MAX_NUMBERS)
        --bits;
    *split = (struct split){
        .splitters = calloc(num, sizeof *split->splitters),
        .numbers = malloc((num << bits) * sizeof *split->numbers),
        .sums = malloc((num << bits) * sizeof *split->sums),
        .max_numbers = num << bits,
    };
    return split->splitters && split->numbers && split->sums;
}

void split_free(struct split *split, const struct wire *wire)
{
    wire_free(wire, split->splitters);
    wire_free(wire, split->numbers);
    wire_free(wire, split->sums);
}

/* How many elements are at most `value` in a word: a number between first and last. */
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

/* Assigns slots to the splitters that are not found; a family shares one. With by_interval, only
 * splitters that are still searched get a slot, and they share it only if their intervals agree.
 * All ranks assign the same slots. Returns their number. */
static uint64_t assign_slots(struct split *split, int num, int by_interval)
{
    int num_slots = 0;
    for (int i = 0; i < num; ++i) {
        struct splitter *splitter = &split->splitters[i];
        const struct splitter *before = i ? splitter - 1 : NULL;
        const int takes_part =
            !splitter->is_found && (!by_interval || splitter->low < splitter->high);
        const int is_shared =
            before && before->slot >= 0 && before->family == splitter->family &&
            (!by_interval || (before->low == splitter->low && before->high == splitter->high));
        if (!takes_part)
            splitter->slot = -1;
        else
            splitter->slot = is_shared ? before->slot : num_slots++;
    }
    return (uint64_t)num_slots;
}

/* Whether splitter i is the first one of a slot. */
static int opens_slot(const struct split *split, int i)
{
    const struct splitter *splitter = &split->splitters[i];
    return splitter->slot >= 0 && (i == 0 || splitter[-1].slot != splitter->slot);
}

/* Sets the intervals: from the smallest to the largest value of the word among the candidates. */
static void find_intervals(struct split *split, struct wire *wire, const struct words *words,
                           uint32_t word, int num)
{
    const uint64_t num_numbers = 2 * assign_slots(split, num, 0);
    for (int i = 0; i < num; ++i) {
        const struct splitter *splitter = &split->splitters[i];
        const int has_any = splitter->begin < splitter->end;
        if (!opens_slot(split, i))
            continue;
        uint64_t *numbers = &split->numbers[2 * splitter->slot];
        numbers[0] = has_any ? ~words_get(words, word, splitter->begin) : 0;
        numbers[1] = has_any ? words_get(words, word, splitter->end - 1) : 0;
    }
    wire_max(wire, split->numbers, (int)num_numbers);
    account(split, num_numbers);
    for (int i = 0; i < num; ++i) {
        struct splitter *splitter = &split->splitters[i];
        if (splitter->slot < 0)
            continue;
        splitter->low = ~split->numbers[2 * splitter->slot];
        splitter->high = split->numbers[2 * splitter->slot + 1];
        splitter->first = splitter->begin;
        splitter->last = splitter->end;
        splitter->below = 0;
        splitter->is_exact = 0;
    }
}

/* Probe i of 2^bits - 1, evenly spaced from low to below high. */
static uint64_t probe(const struct splitter *splitter, uint32_t bits, uint64_t i)
{
    const uint64_t width = splitter->high - splitter->low, part = width >> bits;
    const uint64_t rest = width & (((uint64_t)1 << bits) - 1);
    return splitter->low + part * (i + 1) + (rest * (i + 1) >> bits);
}

/* How many bits a round resolves in each interval: no more than the widest interval has. */
static uint32_t bits_of_round(const struct split *split, uint64_t num_intervals, int num)
{
    uint64_t widest = 0;
    uint32_t bits = 1;
    for (int i = 0; i < num; ++i) {
        const struct splitter *splitter = &split->splitters[i];
        const uint64_t width = splitter->slot < 0 ? 0 : splitter->high - splitter->low;
        widest = width > widest ? width : widest;
    }
    while (num_intervals << (bits + 1) <= split->max_numbers && widest >> bits != 0)
        ++bits;
    return bits;
}

/* Counts this rank's candidates at all probes, slot by slot. */
static void count_probes(struct split *split, const struct words *words, uint32_t word,
                         uint32_t bits, int num)
{
    const uint64_t num_probes = ((uint64_t)1 << bits) - 1;
    for (int i = 0; i < num; ++i) {
        const struct splitter *splitter = &split->splitters[i];
        if (!opens_slot(split, i))
            continue;
        uint64_t *counts = &split->numbers[(uint64_t)splitter->slot * num_probes];
        uint64_t at = splitter->first;
        for (uint64_t k = 0; k < num_probes; ++k) {
            at = count_at_most(words, word, probe(splitter, bits, k), at, splitter->last);
            counts[k] = at - splitter->begin;
        }
    }
}

/* The first of `num` ascending counts that reaches the target; `num` if none does. */
static uint64_t first_to_reach(const uint64_t *counts, uint64_t num, uint64_t target)
{
    uint64_t first = 0;
    while (first < num) {
        const uint64_t middle = first + (num - first) / 2;
        if (counts[middle] < target)
            first = middle + 1;
        else
            num = middle;
    }
    return first;
}

/* Shrinks the interval to the gap between the two probes around the target. `counts` are this
 * rank's, `sums` are those of all ranks. */
static void narrow(struct splitter *splitter, uint32_t bits, const uint64_t *counts,
                   const uint64_t *sums)
{
    const uint64_t num_probes = ((uint64_t)1 << bits) - 1;
    const struct splitter before = *splitter;
    const uint64_t k = first_to_reach(sums, num_probes, before.target);
    if (k < num_probes) {
        splitter->high = probe(&before, bits, k);
        splitter->last = before.begin + counts[k];
        splitter->is_exact = sums[k] == before.target;
    }
    if (splitter->is_exact) {
        splitter->low = splitter->high;
    } else if (k > 0) {
        splitter->low = probe(&before, bits, k - 1) + 1;
        splitter->first = before.begin + counts[k - 1];
        splitter->below = sums[k - 1];
    }
}

/* Narrows every interval to one value. */
static void find_values(struct split *split, struct wire *wire, const struct words *words,
                        uint32_t word, int num)
{
    while (!wire->failed) {
        const uint64_t num_intervals = assign_slots(split, num, 1);
        if (num_intervals == 0)
            return;
        const uint32_t bits = bits_of_round(split, num_intervals, num);
        const uint64_t num_probes = ((uint64_t)1 << bits) - 1;
        count_probes(split, words, word, bits, num);
        wire_sum(wire, split->numbers, split->sums, (int)(num_intervals * num_probes));
        account(split, num_intervals * num_probes);
        for (int i = 0; i < num && !wire->failed; ++i) {
            struct splitter *splitter = &split->splitters[i];
            const uint64_t at = (uint64_t)splitter->slot * num_probes;
            if (splitter->slot >= 0)
                narrow(splitter, bits, &split->numbers[at], &split->sums[at]);
        }
    }
}

/* If a border falls among equal elements, these are the candidates for the next word. Splitters of
 * one family stay together if they have the same value. */
static void keep_equals(struct split *split, int num)
{
    int family = -1;    /* of the previous splitter, in this word */
    uint64_t value = 0; /* of the previous splitter */
    for (int i = 0; i < num; ++i) {
        struct splitter *splitter = &split->splitters[i];
        const int was_found = splitter->is_found;
        const int is_equal = splitter->family == family && splitter->low == value;
        family = was_found ? -1 : splitter->family;
        value = splitter->low;
        if (was_found)
            continue;
        splitter->end = splitter->last;
        splitter->is_found = splitter->is_exact;
        splitter->begin = splitter->first;
        splitter->target -= splitter->below;
        splitter->family = is_equal && i ? splitter[-1].family : i;
    }
}

/* Distributes elements that are equal in all words: those of lower ranks come first. */
static void distribute_equals(struct split *split, struct wire *wire, int num)
{
    const uint64_t num_slots = assign_slots(split, num, 0);
    for (int i = 0; i < num; ++i) {
        const struct splitter *splitter = &split->splitters[i];
        if (opens_slot(split, i))
            split->numbers[splitter->slot] = splitter->end - splitter->begin;
    }
    wire_prefix_sums(wire, split->numbers, split->sums, (int)num_slots);
    account(split, num_slots);
    for (int i = 0; i < num; ++i) {
        struct splitter *splitter = &split->splitters[i];
        if (splitter->slot < 0)
            continue;
        const uint64_t before = split->sums[splitter->slot], target = splitter->target;
        const uint64_t num_taken = target > before ? target - before : 0;
        if (num_taken < splitter->end - splitter->begin)
            splitter->end = splitter->begin + num_taken;
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
        keep_equals(split, num);
    }
    if (any_left(split, num))
        distribute_equals(split, wire, num);
    for (int i = 0; i < num; ++i)
        ends[i] = split->splitters[i].end;
}
