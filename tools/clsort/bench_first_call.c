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
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where drivers look for their cache: PoCL, NVIDIA, Mesa, Intel, AMD. */
static const char *const cache_variables[] = {"POCL_CACHE_DIR", "CUDA_CACHE_PATH",
                                              "MESA_SHADER_CACHE_DIR", "NEO_CACHE_DIR",
                                              "AMD_COMGR_CACHE_DIR"};
enum { NUM_VARIABLES = sizeof(cache_variables) / sizeof(cache_variables[0]) };

/* Bytes that a process prints at most: names of a device, and three numbers. */
enum { MAX_LINE = 1 << 14 };

int bench_first_call_child(const struct bench_options *options)
{
    struct device device;
    struct first_call times;
    if (!bench_open_timed(options, &device, &times))
        return EXIT_TROUBLE;
    if (times.sort == 0) {
        message("the first -N, -a and -y do not go together on this device; see 'clsort bench'");
        device_close(&device);
        return EXIT_TROUBLE;
    }
    printf("%.17g %.17g %.17g %s, driver %s, %s\n", times.create, times.prepare, times.sort,
           device.facts.name, device.facts.driver, device.facts.version);
    device_close(&device);
    return EXIT_DONE;
}

/* Starts this program once more, its output into the end of a pipe. */
static bool start_child(const struct bench_options *options, const int ends[2], pid_t *child_ret)
{
    char count[24], seed[24], type[BENCH_TYPE_TEXT], argsort[16];
    snprintf(count, sizeof(count), "%" PRIu64, options->counts[0]);
    snprintf(seed, sizeof(seed), "%" PRIu64, options->seed);
    snprintf(argsort, sizeof(argsort), "--argsort=%u", (unsigned)options->index_size);
    const char *arguments[24] = {"clsort",
                                 "bench",
                                 "--first-call-child",
                                 "-N",
                                 count,
                                 "-y",
                                 bench_type_text(options->types[0], type),
                                 "-a",
                                 clsort_algorithm_name(options->algorithms[0]),
                                 "--seed",
                                 seed};
    int end = 11;
    if (options->is_stable)
        arguments[end++] = "--stable";
    if (options->index_size)
        arguments[end++] = argsort;
    if (options->device) {
        arguments[end++] = "-D";
        arguments[end++] = options->device;
    }

    extern char **environ;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int error = posix_spawn(child_ret, "/proc/self/exe", &actions, NULL,
                                  (char *const *)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        message("cannot start a process: %s", strerror(error));
    return error == 0;
}

/* Runs this program again and reads the line that bench_first_call_child() prints: the times, and what
 * is told of the device. */
static bool run_child(const struct bench_options *options, struct first_call *times,
                      char about[800])
{
    int ends[2];
    pid_t child;
    if (pipe(ends) != 0) {
        message("cannot open a pipe: %s", strerror(errno));
        return false;
    }
    const bool is_started = start_child(options, ends, &child);
    close(ends[1]);
    if (!is_started) {
        close(ends[0]);
        return false;
    }
    char line[MAX_LINE + 1];
    const ssize_t size = call_read(ends[0], line, MAX_LINE);
    close(ends[0]);
    line[size < 0 ? 0 : size] = '\0';
    const bool ok = call_wait(child) == 0 && sscanf(line, "%lf %lf %lf %799[^\n]", &times->create,
                                                    &times->prepare, &times->sort, about) == 4;
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
        progress_stage("the first sort of a process", 0);
        struct first_call times;
        char about[800], type[BENCH_TYPE_TEXT];
        const bool ok = run_child(options, &times, about);
        progress_clear();
        if (!ok)
            return false;
        if (i == 0) {
            printf("# %s\n", about);
            printf("# %" PRIu64 " %s keys, algorithm %s, seed %" PRIu64 "; milliseconds\n",
                   options->counts[0], bench_type_text(options->types[0], type),
                   clsort_algorithm_name(options->algorithms[0]), options->seed);
            printf("%-20s %10s %10s %10s\n", "process", "create", "compile", "first sort");
        }
        printf("%-20s %10.1f %10.1f %10.1f\n", names[i], 1e3 * times.create, 1e3 * times.prepare,
               1e3 * times.sort);
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
    progress_end();
    nftw(cache, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}
