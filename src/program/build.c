/* build.c: builds the programs that a plan lacks, by several threads where that is faster.
 *
 * Idea: each thread takes one program after the other, those with the longest source first. Threads
 * share the context alone, and have ended when the call returns. They begin when this thread has
 * compiled a program. Only this thread makes kernels: PoCL 3.1 may abort where several do. */
#include "program/program.h"

#include "program/build_log.h"
#include "base/phases.h"
#include "base/threads.h"
#include "program/source.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A build that takes this thread's processor longer was compiled. NVIDIA's cache on disk answers in
 * 3 to 10 milliseconds, and its compiler takes 40 for an empty kernel. Other threads of the program
 * may be busy meanwhile, so neither their processors nor the clock on the wall can tell. */
#define COMPILED_SECONDS 0.02

/* A program on its way. */
struct job {
    struct program_entry *entry;
    char *source;
    size_t length;
    const char *failed_call; /* static text; NULL: none */
    cl_int code;
    char *log; /* of a build that failed */
};

struct crew {
    const struct program_cache *cache;
    struct job *jobs;
    size_t num_jobs;
    size_t end;            /* those from here on are built */
    atomic_int has_failed; /* then no other build begins */
};

/* The build log of a program; NULL if there is none or no memory. */
static char *read_build_log(cl_program program, cl_device_id device, const char *source)
{
    size_t size = 0;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) || size == 0)
        return NULL;
    char *log = calloc(size + 1, 1);
    if (log)
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    return build_log_by_marks(log, source);
}

/* Builds a program of a saved binary. Returns 0 if the driver does not take it. */
static int build_saved(struct job *job, const struct program_cache *cache, const char *options)
{
    size_t size = 0;
    cl_int code = CL_SUCCESS, status = CL_SUCCESS;
    const unsigned char *binary = saved_find(&cache->saved, job->entry->key, &size);
    if (!binary)
        return 0;
    cl_program program = clCreateProgramWithBinary(cache->context, 1, &cache->device, &size,
                                                   &binary, &status, &code);
    if (program && !status && !clBuildProgram(program, 1, &cache->device, options, NULL, NULL)) {
        job->entry->program = program;
        return 1;
    }
    if (program)
        clReleaseProgram(program);
    return 0;
}

static void build(struct job *job, const struct program_cache *cache)
{
    const char *text = job->source;
    char options[VARIANT_OPTIONS_CAPACITY];
    variant_options(&job->entry->variant, options);
    job->entry->key = saved_key(text, options);
    if (build_saved(job, cache, options))
        return;
    cl_program program = clCreateProgramWithSource(cache->context, 1, &text, NULL, &job->code);
    if (!program) {
        job->failed_call = "clCreateProgramWithSource";
        return;
    }
    job->code = clBuildProgram(program, 1, &cache->device, options, NULL, NULL);
    if (!job->code) {
        job->entry->program = program;
        return;
    }
    job->failed_call = "clBuildProgram";
    if (job->code != CL_OUT_OF_HOST_MEMORY)
        job->log = read_build_log(program, cache->device, text);
    clReleaseProgram(program);
}

static void build_some(void *argument, size_t begin, size_t end)
{
    struct crew *crew = argument;
    for (size_t i = begin; i < end && !atomic_load(&crew->has_failed); ++i) {
        build(&crew->jobs[i], crew->cache);
        if (crew->jobs[i].failed_call)
            atomic_store(&crew->has_failed, 1);
    }
}

/* Builds the shortest programs until one of them was compiled. With NVIDIA's driver 580 a process
 * crashed at its end, 32 times of 32, if this thread's program was cached and the other thread's
 * was not. In 364 runs in which this thread compiled, too, or none did, it never crashed. So the
 * compiler seems to need that it runs first in a thread that stays. */
static void build_alone(struct crew *crew)
{
    int has_compiled = 0;
    while (crew->end > 0 && !has_compiled && !atomic_load(&crew->has_failed)) {
        const double before = host_threads_processor_time();
        --crew->end;
        build_some(crew, crew->end, crew->end + 1);
        has_compiled = host_threads_processor_time() - before > COMPILED_SECONDS;
    }
}

/* Longest sources first: a thread that ends with one would have the others wait. */
static int by_length(const void *a, const void *b)
{
    const struct job *x = a, *y = b;
    return (x->length < y->length) - (x->length > y->length);
}

/* Joins the sources. Returns 0 if there is no memory. */
static int list_jobs(struct crew *crew, struct program_entry *entries, size_t num)
{
    for (; crew->num_jobs < num; ++crew->num_jobs) {
        struct program_entry *entry = &entries[crew->num_jobs];
        const uint32_t text = entry->variant.record_text;
        char *source = source_join(entry->file, text ? crew->cache->texts[text - 1] : NULL);
        if (!source)
            return 0;
        crew->jobs[crew->num_jobs] =
            (struct job){.entry = entry, .source = source, .length = strlen(source)};
    }
    qsort(crew->jobs, num, sizeof *crew->jobs, by_length);
    return 1;
}

/* Whether a build failed by its source. Otherwise it had no memory, or the device is gone. */
static int is_of_the_source(cl_int code)
{
    return code != CL_OUT_OF_HOST_MEMORY && code != CL_OUT_OF_RESOURCES &&
           code != CL_MEM_OBJECT_ALLOCATION_FAILURE && code != CL_DEVICE_NOT_AVAILABLE;
}

/* Records the first failure. */
static clsort_status judge(struct crew *crew)
{
    struct error *error = crew->cache->error;
    for (size_t i = 0; i < crew->num_jobs; ++i) {
        struct job *job = &crew->jobs[i];
        char *log = job->log;
        if (!job->failed_call)
            continue;
        job->log = NULL;
        if (strcmp(job->failed_call, "clBuildProgram") == 0 && is_of_the_source(job->code))
            return error_build(error, job->code, log);
        free(log);
        return error_opencl(error, job->failed_call, job->code);
    }
    return CLSORT_OK;
}

clsort_status program_build(const struct program_cache *cache, struct program_entry *entries,
                            size_t num, uint32_t num_threads)
{
    clsort_status status = CLSORT_OK;
    struct crew crew = {.cache = cache};
    crew.jobs = calloc(num ? num : 1, sizeof *crew.jobs);
    atomic_init(&crew.has_failed, 0);
    if (!crew.jobs || !list_jobs(&crew, entries, num)) {
        status = error_set(cache->error, CLSORT_ERROR_HOST_MEMORY);
    } else {
        crew.end = crew.num_jobs;
        if (num_threads > 1)
            build_alone(&crew);
        host_parts_run(num_threads, crew.end, 1, build_some, &crew);
        status = judge(&crew);
    }
    for (size_t i = 0; i < crew.num_jobs; ++i) {
        free(crew.jobs[i].source);
        free(crew.jobs[i].log);
    }
    free(crew.jobs);
    return status;
}
