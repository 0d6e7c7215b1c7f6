/* bench_first_call.c: what the first sort of a process costs. A driver may keep compiled kernels on
 * disk, and nothing tells a process whether it did; so --first-call starts two processes on an
 * empty cache, one behind the other: the first compiles, the second loads. */
#include "bench.h"

#include "calls.h"
#include "command.h"
#include "message.h"
#include "progress.h"

#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where drivers look for their cache: PoCL, NVIDIA, Mesa, Intel, AMD. */
static const char *const cache_variables[] = {"POCL_CACHE_DIR", "CUDA_CACHE_PATH",
                                              "MESA_SHADER_CACHE_DIR", "NEO_CACHE_DIR",
                                              "AMD_COMGR_CACHE_DIR"};
enum { NUM_VARIABLES = sizeof(cache_variables) / sizeof(cache_variables[0]) };

/* What a process tells. */
struct told {
    struct first_call times;
    struct device_facts facts;
};

/* In a process of its own: nothing of OpenCL has been called before it was made. */
static bool measure(const struct bench_options *options, int end)
{
    static struct bench_opencl opencl;
    struct device device = {0};
    struct told told = {0};
    bool ok = bench_open_timed(options, &device, &opencl, &told.times);
    if (ok && told.times.sort == 0) {
        message("the first -N, -a and -y do not go together on this device; see 'clsort bench'");
        ok = false;
    }
    told.facts = device.facts;
    bench_opencl_close(&opencl);
    device_close(&device);
    progress_end();
    return ok && call_write(end, &told, sizeof(told));
}

static bool run_process(const struct bench_options *options, struct told *told_ret)
{
    int ends[2];
    if (pipe(ends) != 0) {
        message("cannot open a pipe: %s", strerror(errno));
        return false;
    }
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        _exit(measure(options, ends[1]) ? EXIT_DONE : EXIT_TROUBLE);
    close(ends[1]);
    const ssize_t size = child > 0 ? call_read(ends[0], told_ret, sizeof(*told_ret)) : 0;
    close(ends[0]);
    const bool ok = child > 0 && call_wait(child) == 0 && size == sizeof(*told_ret);
    if (!ok)
        message("the process that was started to measure the first call has failed");
    return ok;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    remove(path);
    return 0;
}

static bool print_processes(const struct bench_options *options)
{
    static const char *const names[] = {"first, empty cache", "second"};
    for (int i = 0; i < 2; i++) {
        struct told told;
        char type[BENCH_TYPE_TEXT];
        if (!run_process(options, &told))
            return false;
        if (i == 0) {
            printf("# %s, driver %s, %s\n", told.facts.name, told.facts.driver, told.facts.version);
            printf("# %" PRIu64 " %s keys, algorithm %s, seed %" PRIu64 "; milliseconds\n",
                   told.times.count, bench_type_text(options->types[0], type),
                   clsort_algorithm_name(told.times.algorithm), options->seed);
            printf("%-20s %10s %10s %10s\n", "process", "create", "compile", "first sort");
        }
        printf("%-20s %10.1f %10.1f %10.1f\n", names[i], 1e3 * told.times.create,
               1e3 * told.times.prepare, 1e3 * told.times.sort);
        fflush(stdout);
    }
    return true;
}

int bench_first_call(const struct bench_options *options)
{
    const char *parent = getenv("TMPDIR");
    char cache[4096];
    snprintf(cache, sizeof(cache), "%s/clsort-cache-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(cache)) {
        message("cannot create %s: %s", cache, strerror(errno));
        return EXIT_TROUBLE;
    }
    for (int i = 0; i < NUM_VARIABLES; i++)
        setenv(cache_variables[i], cache, 1);
    const bool ok = print_processes(options);
    nftw(cache, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}
