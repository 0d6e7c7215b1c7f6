/* compile_times [COUNT [SEED [NUMBER...]]]: measures how long kernels of records take to compile.
 * It takes the largest forms and COUNT (20) random descriptions: sizes of 1 to 256 bytes, any
 * fields, values and algorithm. NUMBERs select some of these. Each has its own sorter. Where
 * work-group code is generated at the first launch (PoCL), that counts too. The driver's cache must
 * be off (check/parts/compile.sh). Prints a line for each description, then all of them sorted, the
 * slowest last. Fails if one takes more than COMPILE_SECONDS, if set. Exits with 77 without a
 * device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clsort/clsort.h"
#include "support/data.h"

enum { max_fields = 16, max_size = 256, num_large = 20, sorted_count = 3000 };

typedef struct description {
    clsort_record record;
    clsort_field fields[max_fields];
    clsort_desc desc;
    double seconds;
    uint32_t number;
} description;

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void add_fields(description *d, rng *r, uint32_t num_fields)
{
    d->record.num_fields = 0;
    while (d->record.num_fields < num_fields) {
        const clsort_type type = (clsort_type)rng_below(r, CLSORT_NUM_TYPES);
        const uint32_t bytes = clsort_type_size(type);
        if (bytes > d->record.size)
            continue;
        d->fields[d->record.num_fields++] =
            (clsort_field){(uint32_t)rng_below(r, d->record.size - bytes + 1), type,
                           (clsort_order)rng_below(r, 2)};
    }
}

static void make_random(description *d, rng *r)
{
    static const clsort_algorithm algorithms[] = {CLSORT_AUTO, CLSORT_AUTO, CLSORT_MERGE,
                                                  CLSORT_QUICK};
    static const uint64_t counts[] = {1000, 1 << 17, 1 << 22};
    d->record =
        (clsort_record){.size = 1 + (uint32_t)rng_below(r, rng_below(r, 2) ? max_size : 40)};
    add_fields(d, r, 1 + (uint32_t)rng_below(r, rng_below(r, 2) ? max_fields : 3));
    d->desc = (clsort_desc){
        .count = counts[rng_below(r, 3)],
        .algorithm = algorithms[rng_below(r, 4)],
        .stable = (uint32_t)rng_below(r, 2),
        .value_size = rng_below(r, 2) ? (uint32_t)rng_below(r, 65) : 0,
    };
}

/* The most expensive forms: many 8-byte fields, unaligned and aligned, by both algorithms. */
static void make_large(description *d, uint32_t number)
{
    static const uint32_t sizes[] = {31, 33, 128, 255, 256};
    const uint32_t size = sizes[number / 4 % 5];
    d->record = (clsort_record){.size = size, .num_fields = max_fields};
    for (uint32_t i = 0; i < max_fields; ++i)
        d->fields[i] = (clsort_field){(size - 8) * i / (max_fields - 1),
                                      i % 2 ? CLSORT_F64 : CLSORT_I64, (clsort_order)(i / 2 % 2)};
    d->desc = (clsort_desc){
        .count = 1 << 22,
        .algorithm = number % 2 ? CLSORT_QUICK : CLSORT_MERGE,
        .stable = number / 2 % 2,
        .value_size = number / 2 % 2 ? 59 : 0,
    };
}

/* Sorts a few such records, since some kernels are finished only at their first launch. */
static clsort_status sort_few(clsort_sorter *sorter, clsort_desc desc)
{
    desc.count = sorted_count;
    void *keys = calloc(sorted_count, desc.record->size);
    void *values = desc.value_size ? calloc(sorted_count, desc.value_size) : NULL;
    const clsort_arrays arrays = {.keys = keys, .values = values};
    const clsort_status status = clsort_sort(sorter, &desc, &arrays);
    free(keys);
    free(values);
    return status;
}

static clsort_status measure(description *d)
{
    clsort_sorter *sorter = NULL;
    d->record.fields = d->fields;
    d->desc.record = &d->record;
    clsort_status status = clsort_create(NULL, NULL, &sorter);
    if (status)
        return status;
    const double start = now(CLOCK_MONOTONIC), cpu_start = now(CLOCK_PROCESS_CPUTIME_ID);
    status = clsort_prepare(sorter, &d->desc);
    const char *launches = getenv("COMPILE_LAUNCH");
    if (!status && launches && *launches)
        status = sort_few(sorter, d->desc);
    /* Time spent waiting on a busy machine does not count. */
    const double wall = now(CLOCK_MONOTONIC) - start;
    const double cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
    d->seconds = wall < cpu ? wall : cpu;
    clsort_destroy(sorter);
    return status;
}

static int compare_seconds(const void *a, const void *b)
{
    const double x = ((const description *)a)->seconds, y = ((const description *)b)->seconds;
    return (x > y) - (x < y);
}

static void print(const description *d)
{
    printf("%6.2f s  number %3u: %3u bytes, %2u fields, %2u-byte values, %s%s, 2^%d:", d->seconds,
           (unsigned)d->number, (unsigned)d->record.size, (unsigned)d->record.num_fields,
           (unsigned)d->desc.value_size, clsort_algorithm_name(d->desc.algorithm),
           d->desc.stable ? ", stable" : "",
           d->desc.count > 1000 ? (d->desc.count > 1 << 17 ? 22 : 17) : 10);
    for (uint32_t i = 0; i < d->record.num_fields; ++i)
        printf("%s %s%s@%u", i ? "," : " ", clsort_type_name(d->fields[i].type),
               d->fields[i].order ? " down" : "", (unsigned)d->fields[i].offset);
    putchar('\n');
    fflush(stdout);
}

static int is_wanted(uint32_t number, int argc, char **argv)
{
    int wanted = argc <= 3;
    for (int i = 3; i < argc && !wanted; ++i)
        wanted = strtoul(argv[i], NULL, 10) == number;
    return wanted;
}

int main(int argc, char **argv)
{
    const uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : num_large;
    rng r = {argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    const char *limit = getenv("COMPILE_SECONDS");
    description *all = calloc(num_large + count + 1, sizeof *all);
    if (!all)
        return 2;
    uint32_t measured = 0;
    for (uint32_t i = 0; i < num_large + count; ++i) {
        description *d = &all[measured];
        d->number = i;
        if (i < num_large)
            make_large(d, i);
        else
            make_random(d, &r);
        if (!is_wanted(i, argc, argv))
            continue;
        const clsort_status status = measure(d);
        if (status) {
            fprintf(stderr, "compile_times: %s\n", clsort_status_text(status));
            return status == CLSORT_ERROR_NO_PLATFORM || status == CLSORT_ERROR_NO_DEVICE ? 77 : 1;
        }
        print(d); /* printed first, so a compilation that never ends is named */
        ++measured;
    }
    qsort(all, measured, sizeof *all, compare_seconds);
    puts("in order:");
    for (uint32_t i = 0; i < measured; ++i)
        print(&all[i]);
    const double slowest = measured ? all[measured - 1].seconds : 0;
    free(all);
    return limit && slowest > strtod(limit, NULL);
}
