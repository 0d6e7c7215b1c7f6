/* first_call.c: what the first sort of a process costs. A driver may keep compiled kernels on
 * disk, and nothing tells a process whether it did; so --first-call starts processes one behind the
 * other. The first has an empty cache and compiles; the second has the cache that the first has
 * left; the third has an empty one again, but loads the programs that the first has written. This
 * process waits for them and for signals: one that would end it ends the other one and removes the
 * caches first. */
#include "bench/bench.h"

#include "cli/command.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "io/signals.h"
#include "io/temp.h"

#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the first process has compiled, in memory that all share. */
struct programs {
    size_t size;
    unsigned char data[1 << 26]; /* pages that are not written take no memory */
};

/* The processes, one behind the other. */
static const struct process {
    const char *name, *cache;
    bool is_first, loads;
} processes[] = {{"first, empty cache", "first", .is_first = true},
                 {"second", "first", .loads = false},
                 {"programs loaded", "second", .loads = true}};

/* Seconds of the parts of a process's first sort. */
struct seconds {
    double create; /* find the device, create a context and a sorter */
    double prepare, sort;
};

/* ---- The first sort of a process ------------------------------------------------------------- */

/* The seconds until its end. */
static double sort_once(struct bench_opencl *opencl, const clsort_desc *desc)
{
    const clsort_buffers buffers = bench_buffers(opencl, desc);
    const double start = seconds_now();
    if (opencl->result > 0)
        bench_opencl_status(opencl, clsort_enqueue(opencl->device->sorter, opencl->queue, desc,
                                                   &buffers, 0, NULL, NULL));
    BENCH_TRY(opencl, clFinish, opencl->queue);
    return seconds_now() - start;
}

/* Keeps what the sorter has compiled. */
static bool keep_programs(clsort_sorter *sorter, struct programs *programs)
{
    if (!clsort_save_programs(sorter, programs->data, sizeof(programs->data), &programs->size))
        return true;
    message("the compiled programs cannot be written");
    return false;
}

/* Gives the sorter what an earlier process has compiled. */
static bool load_programs(clsort_sorter *sorter, const struct programs *programs)
{
    uint32_t num = 0;
    if (!clsort_load_programs(sorter, programs->data, programs->size, &num) && num > 0)
        return true;
    message("the programs that an earlier process has compiled cannot be loaded");
    return false;
}

/* Measures the first type, algorithm and count. False after a message, also if they do not go
 * together. */
static bool prepare_and_sort(const struct bench_options *options, struct bench_opencl *opencl,
                             const struct programs *programs, struct seconds *seconds)
{
    clsort_sorter *sorter = opencl->device->sorter;
    const struct device_facts *facts = &opencl->device->facts;
    struct bench_combination first = bench_combine(options, facts, 0);
    const clsort_desc desc = bench_desc(options, first.type, options->algorithms[0], &first.input);
    clsort_plan plan;
    clsort_status status = *first.note ? CLSORT_OK : clsort_get_plan(sorter, &desc, &plan, NULL, 0);
    if (status)
        bench_refuse(first.note, clsort_status_text(status));
    if (*first.note || !bench_fits_device(facts, &first.input, plan.scratch_size, first.note)) {
        message("the first of each list do not go together: %s", first.note);
        return false;
    }
    const double start = seconds_now();
    if (programs && !load_programs(sorter, programs))
        return false;
    status = clsort_prepare(sorter, &desc);
    seconds->prepare = seconds_now() - start;
    if (!device_succeeded(status, sorter))
        return false;
    bench_opencl_begin(opencl, &first);
    bench_opencl_refresh(opencl, opencl->queue, desc.out_of_place != 0);
    seconds->sort = sort_once(opencl, &desc);
    bench_opencl_end(opencl);
    if (opencl->result == 0)
        message("the first sort: %s", opencl->why);
    return opencl->result > 0;
}

/* ---- The processes of --first-call ----------------------------------------------------------- */

/* Where drivers look for their cache: PoCL, NVIDIA, Mesa, Intel, AMD. */
static const char *const cache_variables[] = {"POCL_CACHE_DIR", "CUDA_CACHE_PATH",
                                              "MESA_SHADER_CACHE_DIR", "NEO_CACHE_DIR",
                                              "AMD_COMGR_CACHE_DIR"};
enum { NUM_VARIABLES = sizeof(cache_variables) / sizeof(cache_variables[0]) };

static void print(const struct bench_options *options, const struct process *process,
                  const struct device_facts *facts, const struct seconds *seconds)
{
    char type[BENCH_TYPE_TEXT];
    if (process->is_first) {
        printf("# %s, driver %s, %s\n", facts->name, facts->driver, facts->version);
        printf("# %" PRIu64 " %s keys, algorithm %s, seed %" PRIu64 "; milliseconds\n",
               options->counts[0], bench_type_text(options->types[0], type),
               clsort_algorithm_name(options->algorithms[0]), options->seed);
        printf("%-20s %10s %10s %10s\n", "process", "create", "compile", "first sort");
    }
    printf("%-20s %10.1f %10.1f %10.1f\n", process->name, 1e3 * seconds->create,
           1e3 * seconds->prepare, 1e3 * seconds->sort);
    fflush(stdout);
}

/* In a process of its own: nothing of OpenCL has been called before it was made. */
static bool measure(const struct bench_options *options, const struct process *process,
                    struct programs *programs)
{
    static struct bench_opencl opencl;
    struct device device = {0};
    struct seconds seconds;
    signals_wait();
    progress_stage("the first sort", 0);
    const double start = seconds_now();
    bool ok = device_open(&device, options->device);
    seconds.create = seconds_now() - start;
    ok = ok && bench_opencl_open(&opencl, &device) &&
         prepare_and_sort(options, &opencl, process->loads ? programs : NULL, &seconds) &&
         (process->loads || keep_programs(device.sorter, programs));
    progress_end();
    if (ok)
        print(options, process, &device.facts, &seconds);
    bench_opencl_close(&opencl);
    device_close(&device);
    return ok;
}

/* The signals that are waited for, instead of what they do. */
struct watch {
    sigset_t signals, before;
    int caught; /* one that is to end this process, or 0 */
};

/* Waits until the child has ended; its status. */
static int wait_for(pid_t child, struct watch *watch)
{
    int status = 0, number;
    pid_t ended;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
        if (sigwait(&watch->signals, &number) != 0 || number == SIGCHLD)
            continue;
        watch->caught = number;
        kill(child, SIGKILL);
    }
    return ended < 0 ? -1 : status;
}

static bool run_process(const struct bench_options *options, const struct process *process,
                        struct programs *programs, struct watch *watch)
{
    const pid_t child = fork();
    if (child == 0) {
        sigprocmask(SIG_SETMASK, &watch->before, NULL);
        _exit(measure(options, process, programs) ? EXIT_DONE : EXIT_TROUBLE);
    }
    const int status = child > 0 ? wait_for(child, watch) : -1;
    const bool has_told_why = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_TROUBLE;
    if (status != 0 && !has_told_why && !watch->caught)
        message("the process that was started to measure the first call has failed");
    return status == 0;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    remove(path);
    return 0;
}

/* Names the drivers a folder for their cache. */
static bool set_cache(const char *caches, const char *name)
{
    char path[4200];
    snprintf(path, sizeof(path), "%s/%s", caches, name);
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
        message("cannot create %s: %s", path, strerror(errno));
        return false;
    }
    for (int i = 0; i < NUM_VARIABLES; i++)
        setenv(cache_variables[i], path, 1);
    return true;
}

int bench_first_call(const struct bench_options *options)
{
    struct watch watch = {.caught = 0};
    char cache[4096];
    snprintf(cache, sizeof(cache), "%s/clsort-cache-XXXXXX", temp_dir());
    signals_end_waiting();
    signal(SIGCHLD, SIG_DFL); /* if it were ignored, it would not come */
    signals_get(&watch.signals);
    sigaddset(&watch.signals, SIGCHLD);
    sigprocmask(SIG_BLOCK, &watch.signals, &watch.before);
    struct programs *programs =
        mmap(NULL, sizeof(*programs), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool ok = programs != MAP_FAILED && mkdtemp(cache) != NULL;
    if (ok) {
        for (int i = 0; i < 3 && ok; i++)
            ok = set_cache(cache, processes[i].cache) &&
                 run_process(options, &processes[i], programs, &watch);
        nftw(cache, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    } else {
        message("cannot create %s: %s", cache, strerror(errno));
    }
    sigprocmask(SIG_SETMASK, &watch.before, NULL);
    if (watch.caught)
        raise(watch.caught);
    return ok ? EXIT_DONE : EXIT_TROUBLE;
}
