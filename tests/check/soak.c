/* soak SECONDS [SORTS]: random sorts with all checks of case.c for this many seconds. Then one
 * sorter runs SORTS (10000) sorts, over which the process must not grow. The seed is printed first,
 * and CLSORT_TEST_SEED repeats it. Exits with 77 without a device. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "support/case.h"
#include "support/job.h"

/* The process's resident bytes; 0 if unknown. */
static long resident(void)
{
    long total = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%ld %ld", &total, &pages) != 2)
        pages = 0;
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

/* The logarithms of the sizes are spread evenly. Bit ranges are rare, since each needs kernels. */
static sort_case random_case(rng *r)
{
    static const uint32_t payloads[][2] = {{0, 0}, {0, 0},  {4, 0}, {8, 0},
                                           {1, 0}, {12, 0}, {0, 4}, {0, 8}};
    const uint32_t *payload = payloads[rng_below(r, sizeof payloads / sizeof *payloads)];
    const uint64_t largest = (uint64_t)1 << rng_below(r, 19);
    sort_case c = {
        .desc = {.count = rng_below(r, largest + 1),
                 .num_arrays = rng_below(r, 4) ? 1 : 1 + rng_below(r, 50),
                 .type = (clsort_type)rng_below(r, CLSORT_NUM_TYPES),
                 .order = (clsort_order)rng_below(r, 2),
                 .algorithm = (clsort_algorithm)rng_below(r, CLSORT_NUM_ALGORITHMS),
                 .stable = (uint32_t)rng_below(r, 2),
                 .value_size = payload[0],
                 .index_size = payload[1],
                 .out_of_place = payload[1] ? 0 : (uint32_t)rng_below(r, 2)},
        .data = (data_kind)rng_below(r, NUM_DATA_KINDS),
        .seed = rng_next(r),
        .own_scratch = (int)rng_below(r, 2),
    };
    if (rng_below(r, 4) == 0) {
        c.desc.first_bit = type_infos[c.desc.type].bits / 2;
        c.desc.end_bit = c.desc.first_bit + 3;
    }
    if (c.desc.num_arrays > 1)
        c.desc.count %= 5000;
    return c;
}

static void run_random(const fixture *fix, double seconds)
{
    rng r = {fix->seed};
    uint64_t cases = 0;
    for (const time_t start = time(NULL); difftime(time(NULL), start) < seconds; ++cases) {
        const sort_case c = random_case(&r);
        case_run(fix, &c);
    }
    printf("%llu random cases are right\n", (unsigned long long)cases);
}

/* First runs a fifth of them, in which drivers fill their pools. */
static int run_many(const fixture *fix, unsigned sorts)
{
    enum { ALLOWED = 4 << 20 };
    long before = 0;
    for (unsigned i = 0; i < sorts; ++i) {
        const clsort_desc desc = {.count = 500 + i % 7 * 300,
                                  .algorithm = (clsort_algorithm)(i % CLSORT_NUM_ALGORITHMS),
                                  .stable = 1,
                                  .value_size = i % 2 ? 12 : 0};
        job j;
        cl_event event = NULL;
        if (i == sorts / 5)
            before = resident();
        if (job_init(&j, fix->context, &desc, i) ||
            job_enqueue(&j, fix->sorter, fix->queue, 0, NULL, &event))
            return 1;
        expect_complete(event);
        if (i % 100 == 0 && !job_is_right(&j, fix->queue))
            return 1;
        job_free(&j);
    }
    const long grown = resident() - before;
    printf("%u sorts: resident memory %ld KiB, grown by %ld KiB\n", sorts, resident() / 1024,
           grown / 1024);
    return grown > ALLOWED;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: soak SECONDS [SORTS]\n");
        return 2;
    }
    const fixture *fix = fixture_open(); /* prints the seed */
    if (!fix)
        return 77;
    run_random(fix, strtod(argv[1], NULL));
    return run_many(fix, argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 10000);
}
