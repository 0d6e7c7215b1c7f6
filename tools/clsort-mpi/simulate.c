/* simulate.c: simulate_mpi [-N KEYS] [RANKS...]
 *
 * Prints, as Markdown tables, the cost of finding the borders between ranks: how many rounds and
 * bytes the library's own search reduces. It sorts KEYS keys (2*10^7) of several kinds on RANKS
 * ranks (64, 1000, 10^4 and 10^5), and adds the time by the model of src/mpi/README.md. A second
 * table has the size of a rank's share below which latency dominates. */
#include <getopt.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench/opponents/input.h"
#include "simulated.h"

/* The model's seconds per message and bytes per second. */
#define ALPHA 2e-6
#define BETA 10e9

enum { MIN_MESSAGE = 4096 };

static uint64_t random_number(uint64_t i)
{
    return bench_random(0, i);
}

static double fraction(uint64_t number)
{
    return (double)(number >> 11) * 0x1p-53;
}

static uint64_t bits_of(double number)
{
    uint64_t bits = 0;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Bell-shaped around 0: the sum of twelve numbers. */
static uint64_t bell_key(uint64_t i)
{
    double sum = -6;
    for (uint64_t k = 0; k < 12; ++k)
        sum += fraction(random_number(12 * i + k));
    return bits_of(sum);
}

static uint64_t uniform_key(uint64_t i)
{
    return bits_of(fraction(random_number(i)));
}

static uint64_t half_key(uint64_t i)
{
    return i % 2 ? UINT64_C(0x5bd1e995a3b4c6d7) : random_number(i);
}

static uint64_t zipf_key(uint64_t i)
{
    return (uint64_t)(1 / (1 - fraction(random_number(i))));
}

static uint64_t equal_key(uint64_t i)
{
    (void)i;
    return 42;
}

static const struct input {
    const char *name;
    clsort_type type;
    uint64_t (*key)(uint64_t i);
} inputs[] = {
    {"random u64", CLSORT_U64, random_number},  {"f64 from 0 to 1", CLSORT_F64, uniform_key},
    {"f64, bell-shaped", CLSORT_F64, bell_key}, {"u64, half equal", CLSORT_U64, half_key},
    {"u64, Zipf", CLSORT_U64, zipf_key},        {"u64, all equal", CLSORT_U64, equal_key},
};

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int compare_floats(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static _Noreturn void stop(const char *why)
{
    fprintf(stderr, "simulate_mpi: %s\n", why);
    exit(2);
}

static void *need(void *memory)
{
    if (!memory)
        stop("out of memory");
    return memory;
}

static uint64_t *make_keys(const struct input *input, uint64_t count)
{
    uint64_t *keys = need(malloc((size_t)count * sizeof *keys));
    for (uint64_t i = 0; i < count; ++i)
        keys[i] = input->key(i);
    qsort(keys, (size_t)count, sizeof *keys,
          input->type == CLSORT_F64 ? compare_floats : compare_numbers);
    return keys;
}

/* The model's time for all rounds of the search. */
static double seconds_of(const struct simulated *cost, int num_ranks)
{
    return cost->num_rounds * 2 * ceil(log2(num_ranks)) * ALPHA +
           2 * (double)cost->bytes_reduced / BETA;
}

static void print_row(const struct input *input, const uint64_t *keys, uint64_t count,
                      int num_ranks)
{
    struct simulated cost;
    uint64_t *targets = need(calloc((size_t)num_ranks, sizeof *targets));
    const clsort_desc desc = {.count = count, .type = input->type};
    for (int rank = 0; rank < num_ranks; ++rank)
        targets[rank] = count * ((uint64_t)rank + 1) / (uint64_t)num_ranks;
    const char *wrong = simulated_split(&desc, keys, num_ranks, targets, &cost);
    if (wrong)
        stop(wrong);
    printf("| %s | %d | %u | %.2f | %.2f |\n", input->name, num_ranks, (unsigned)cost.num_rounds,
           (double)cost.bytes_reduced / (1 << 20), seconds_of(&cost, num_ranks) * 1e3);
    free(targets);
}

static void print_borders(uint64_t count, const int *ranks, int num)
{
    puts("| keys | ranks | rounds | MiB reduced | ms |\n|---|---:|---:|---:|---:|");
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; ++i) {
        uint64_t *keys = make_keys(&inputs[i], count);
        for (int k = 0; k < num; ++k)
            print_row(&inputs[i], keys, count, ranks[k]);
        free(keys);
    }
}

/* Seconds of an exchange of `bytes` bytes per rank, in one step, or in two steps among sqrt(ranks)
 * ranks each. */
static void print_limits(void)
{
    puts("\n| ranks | MiB a rank at messages of 4 KiB | exchange, ms | in two levels, ms | "
         "two levels win below, MiB a rank |\n|---:|---:|---:|---:|---:|");
    for (double ranks = 100; ranks <= 1e5; ranks *= 10) {
        const double bytes = MIN_MESSAGE * ranks, side = ceil(sqrt(ranks)) - 1;
        const double one = (ranks - 1) * ALPHA + bytes / BETA;
        const double two = 2 * side * ALPHA + 2 * bytes / BETA;
        printf("| %.0f | %.1f | %.2f | %.2f | %.1f |\n", ranks, bytes / (1 << 20), one * 1e3,
               two * 1e3, (ranks - 1 - 2 * side) * ALPHA * BETA / (1 << 20));
    }
}

int main(int argc, char **argv)
{
    int ranks[16] = {64, 1000, 10000, 100000}, num = 4, c = 0;
    uint64_t count = 20000000;
    while ((c = getopt(argc, argv, "N:")) != -1) {
        if (c != 'N')
            stop("usage: simulate_mpi [-N KEYS] [RANKS...]");
        count = strtoull(optarg, NULL, 10);
    }
    if (optind < argc)
        num = 0;
    for (; optind < argc && num < 16; ++optind)
        ranks[num++] = atoi(argv[optind]);
    for (int i = 0; i < num; ++i) {
        if (ranks[i] < 2 || ranks[i] > 1000000 || count == 0 || count > (uint64_t)1 << 40)
            stop("RANKS must be from 2 to 10^6, and KEYS from 1 to 2^40");
    }
    MPI_Init(NULL, NULL);
    print_borders(count, ranks, num);
    print_limits();
    MPI_Finalize();
    return 0;
}
