/* arrays.c: clsort_sort() of u32 arrays of the host, transfers and all: arrays in ordinary
 * memory, copied by the given numbers of threads, and in memory of clsort_host_alloc(). A Markdown
 * table; every output is checked.
 *
 *     bench_arrays [-t THREADS,...] [-r REPEAT] [-m DEVICES] [-c CUB] [LOG2...]
 *
 * Times are the best and the median of REPEAT calls after one that is not counted, which pins
 * and compiles. -m: by clsort_sort_many() with DEVICES devices of one name, that of the best or
 * of CLSORT_DEVICE; THREADS for each. -c: and by CUB, of the shared object that
 * tools/bench/nvidia/cub_arrays.cu makes. CLSORT_LIMIT=memory=2147483648 measures arrays larger
 * than the device on a larger device. */
#include "bench/bench.h"
#include "cli/message.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPEAT = 99, MAX_THREADS = 16, MAX_SORTERS = 64 };

/* The functions of cub_arrays.cu; open is NULL without them. */
struct cub {
    uint32_t *(*open)(uint64_t count);
    int (*sort)(uint64_t count);
    void (*close)(void);
};

struct options {
    uint32_t threads[MAX_THREADS];
    int num_threads;
    int repeat;
    uint32_t num_sorters;
    struct cub cub;
};

/* Whether keys are in order and are those of the input, by their sum and the sum of their
 * squares. */
static int is_sorted(const uint32_t *keys, const uint32_t *input, uint64_t count)
{
    uint64_t sum = 0, squares = 0, wrong = 0;
    for (uint64_t i = 0; i < count; ++i) {
        sum += (uint64_t)keys[i] - input[i];
        squares += (uint64_t)keys[i] * keys[i] - (uint64_t)input[i] * input[i];
        wrong += i > 0 && keys[i - 1] > keys[i];
    }
    return !sum && !squares && !wrong;
}

/* One row of the table; 0: it went wrong. No sorters: by CUB. */
static int measure(clsort_sorter **sorters, const struct options *options, const char *memory,
                   uint32_t num_threads, uint32_t *keys, const uint32_t *input, uint64_t count)
{
    double seconds[MAX_REPEAT];
    const clsort_desc desc = {.count = count};
    const clsort_arrays arrays = {.keys = keys};
    for (uint32_t i = 0; sorters && i < options->num_sorters; ++i)
        clsort_set_host_threads(sorters[i], num_threads);
    for (int i = -1; i < options->repeat; ++i) {
        memcpy(keys, input, count * sizeof *keys);
        const double start = seconds_now();
        const clsort_status status =
            sorters ? clsort_sort_many(sorters, options->num_sorters, &desc, &arrays)
            : options->cub.sort(count) ? CLSORT_OK
                                       : CLSORT_ERROR_DEVICE_MEMORY;
        if (i >= 0)
            seconds[i] = seconds_now() - start;
        if (status || !is_sorted(keys, input, count)) {
            fprintf(stderr, "bench_arrays: %s\n",
                    status ? clsort_status_text(status) : "not sorted");
            return 0;
        }
    }
    const struct bench_summary times = bench_summarise(seconds, options->repeat);
    printf("| %llu | %s | %u | %.2f | %.2f | %.2f | %.2f |\n", (unsigned long long)count, memory,
           (unsigned)num_threads, times.best * 1e3, times.median * 1e3,
           (double)count / times.best * 1e-9, (double)count / times.median * 1e-9);
    fflush(stdout);
    return 1;
}

static int measure_size(clsort_sorter **sorters, const struct options *options, unsigned log2)
{
    const uint64_t count = (uint64_t)1 << log2;
    uint32_t *input = malloc(count * sizeof *input), *ordinary = malloc(count * sizeof *input);
    void *pinned = NULL;
    const clsort_status status = input && ordinary
                                     ? clsort_host_alloc(sorters[0], count * sizeof *input, &pinned)
                                     : CLSORT_ERROR_HOST_MEMORY;
    int ok = !status;
    if (status)
        fprintf(stderr, "bench_arrays: three arrays of %llu keys: %s\n", (unsigned long long)count,
                clsort_status_text(status));
    for (uint64_t i = 0; ok && i < count; ++i)
        input[i] = (uint32_t)bench_random(1, i);
    for (int i = 0; ok && i < options->num_threads; ++i)
        ok = measure(sorters, options, "ordinary", options->threads[i], ordinary, input, count);
    ok = ok && measure(sorters, options, "pinned", 0, pinned, input, count);
    clsort_host_free(sorters[0], pinned);
    if (ok && options->cub.open) {
        uint32_t *keys = options->cub.open(count);
        ok = keys && measure(NULL, options, "pinned, CUB", 0, keys, input, count);
        options->cub.close();
    }
    free(ordinary);
    free(input);
    return ok;
}

static void read_threads(struct options *options, const char *text)
{
    options->num_threads = 0;
    for (char *end = NULL; *text && options->num_threads < MAX_THREADS; text = *end ? end + 1 : end)
        options->threads[options->num_threads++] = (uint32_t)strtoul(text, &end, 10);
}

/* 0 after a message. */
static int load_cub(const char *file, struct cub *cub)
{
    void *module = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (module) {
        *(void **)&cub->open = dlsym(module, "cub_open");
        *(void **)&cub->sort = dlsym(module, "cub_sort");
        *(void **)&cub->close = dlsym(module, "cub_close");
    }
    if (cub->open && cub->sort && cub->close)
        return 1;
    fprintf(stderr, "bench_arrays: %s\n", dlerror());
    return 0;
}

/* A sorter on the device that the library takes, and others on devices of that name; 0: it went
 * wrong. */
static int create(clsort_sorter **sorters, uint32_t num)
{
    cl_device_id devices[MAX_SORTERS] = {NULL}, best = NULL;
    char wanted[256] = "", name[256] = "";
    uint32_t num_devices = 0, num_made = 1;
    clsort_status status = clsort_create(NULL, NULL, &sorters[0]);
    if (!status && num > 1)
        status = clsort_devices(devices, MAX_SORTERS, &num_devices);
    if (!status)
        clGetDeviceInfo(best = clsort_device(sorters[0]), CL_DEVICE_NAME, sizeof wanted, wanted,
                        NULL);
    for (uint32_t i = 0; !status && i < num_devices && i < MAX_SORTERS && num_made < num; ++i) {
        clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof name, name, NULL);
        if (devices[i] != best && strcmp(name, wanted) == 0)
            status = clsort_create(NULL, devices[i], &sorters[num_made++]);
    }
    if (!status && num_made < num)
        status = CLSORT_ERROR_NO_DEVICE;
    if (status)
        fprintf(stderr, "bench_arrays: %s\n", clsort_status_text(status));
    return !status;
}

int main(int argc, char **argv)
{
    struct options options = {.threads = {0, 8}, .num_threads = 2, .repeat = 5, .num_sorters = 1};
    unsigned sizes[64] = {22, 24, 26, 28, 30};
    int num_sizes = 0;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "-t") == 0 && i + 1 < argc)
            read_threads(&options, argv[++i]);
        else if (strcmp(argv[i], "-r") == 0 && i + 1 < argc)
            options.repeat = atoi(argv[++i]);
        else if (strcmp(argv[i], "-m") == 0 && i + 1 < argc)
            options.num_sorters = (uint32_t)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "-c") == 0 && i + 1 < argc) {
            if (!load_cub(argv[++i], &options.cub))
                return 2;
        } else if (num_sizes < 64)
            sizes[num_sizes++] = (unsigned)atoi(argv[i]);
    }
    if (options.repeat < 1 || options.repeat > MAX_REPEAT || options.num_sorters < 1 ||
        options.num_sorters > MAX_SORTERS) {
        fprintf(stderr, "bench_arrays: 1 to %d repeats, 1 to %d devices\n", MAX_REPEAT,
                MAX_SORTERS);
        return 2;
    }
    clsort_sorter *sorters[MAX_SORTERS] = {NULL};
    const double start = seconds_now();
    if (!create(sorters, options.num_sorters))
        return 1;
    char name[256] = "";
    clGetDeviceInfo(clsort_device(sorters[0]), CL_DEVICE_NAME, sizeof name, name, NULL);
    printf("%u x %s; creating the sorters took %.0f ms\n\n", (unsigned)options.num_sorters, name,
           (seconds_now() - start) * 1e3);
    printf("| u32 | memory | threads | best ms | median ms | best Gkeys/s | median Gkeys/s |\n");
    printf("|---:|---|---:|---:|---:|---:|---:|\n");
    int ok = 1;
    for (int i = 0; ok && i < (num_sizes ? num_sizes : 5); ++i)
        ok = measure_size(sorters, &options, sizes[i]);
    for (uint32_t i = 0; i < options.num_sorters; ++i)
        clsort_destroy(sorters[i]);
    return ok ? 0 : 1;
}
