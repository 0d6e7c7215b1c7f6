#include "calls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LAUNCHES 4096

static struct {
    int on;
    unsigned counts[NUM_CALLS];
    call fail_name;
    unsigned fail_from;
    int fail_for_ever;
    cl_int fail_code;
    cl_int command_code; /* of every command, unless it is CL_COMPLETE */
    size_t largest_buffer;
    unsigned num_refused;
    unsigned num_fallible;
    call failed;
    unsigned pending;
    long balance;
    unsigned num_launches;
    call_launch launches[MAX_LAUNCHES];
} calls;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int is_own_call; /* one that this file makes */

#define CALLS_TEXT(name, ...) #name,
#define CALLS_TEXT_CREATE(result, name, ...) #name,
static const char *const call_names[NUM_CALLS] = {
    CALLS_PLAIN(CALLS_TEXT) CALLS_STATUS(CALLS_TEXT) CALLS_ENQUEUE(CALLS_TEXT)
        CALLS_CREATE(CALLS_TEXT_CREATE) CALLS_CREATE_MEMORY(CALLS_TEXT_CREATE)};

void calls_mark(void)
{
    memset(calls.counts, 0, sizeof calls.counts);
    calls.num_fallible = 0;
    calls.failed = NUM_CALLS;
    calls.num_refused = 0;
    calls.num_launches = 0;
}

void calls_start(void)
{
    calls_mark();
    calls.balance = 0;
    calls.pending = 0;
    calls.on = 1;
}

void calls_stop(void)
{
    calls.on = 0;
}

void calls_fail(call name, unsigned k, int for_ever, cl_int code)
{
    calls.fail_name = name;
    calls.fail_from = k;
    calls.fail_for_ever = for_ever;
    calls.fail_code = code;
}

void calls_fail_any(unsigned k, int for_ever, cl_int code)
{
    calls_fail(NUM_CALLS, k, for_ever, code);
}

void calls_fail_commands(cl_int code)
{
    calls.command_code = code;
}

void calls_refuse_buffers(size_t size)
{
    calls.largest_buffer = size;
}

unsigned calls_refused(void)
{
    return calls.num_refused;
}

unsigned calls_fallible(void)
{
    return calls.num_fallible;
}

call calls_failed(void)
{
    return calls.failed;
}

unsigned calls_count(call name)
{
    return calls.counts[name];
}

unsigned calls_total(void)
{
    unsigned total = 0;
    for (int i = 0; i < NUM_CALLS; ++i)
        total += calls.counts[i];
    return total;
}

unsigned calls_enqueued(void)
{
    unsigned total = 0;
    for (int i = 0; i < NUM_CALLS; ++i) {
        if (strncmp(call_names[i], "clEnqueue", 9) == 0)
            total += calls.counts[i];
    }
    return total;
}

const char *calls_name(call name)
{
    return call_names[name];
}

long calls_balance(void)
{
    return calls.balance;
}

unsigned calls_pending(void)
{
    return calls.pending;
}

unsigned calls_launches(const call_launch **launches_ret)
{
    *launches_ret = calls.launches;
    return calls.num_launches;
}

/* The real function of this name. */
static void *real_call(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) {
        fprintf(stderr, "no real %s\n", name);
        abort();
    }
    return found;
}

static int is_fallible(call name)
{
    return strncmp(call_names[name], "clRe", 4) != 0 && name != CALL_clEnqueueUnmapMemObject;
}

static cl_int count(call name)
{
    unsigned number = ++calls.counts[name];
    calls.num_fallible += (unsigned)is_fallible(name);
    const int any = calls.fail_name == NUM_CALLS;
    number = any ? calls.num_fallible : number;
    const int for_ever = calls.fail_for_ever && !(any && name == CALL_clFinish);
    if (calls.fail_from && (any ? is_fallible(name) : name == calls.fail_name) &&
        (number == calls.fail_from || (for_ever && number > calls.fail_from))) {
        if (calls.failed == NUM_CALLS)
            calls.failed = name;
        return calls.fail_code;
    }
    if (strncmp(call_names[name], "clRetain", 8) == 0)
        ++calls.balance;
    if (strncmp(call_names[name], "clRelease", 9) == 0)
        --calls.balance;
    return CL_SUCCESS;
}

/* Counts one call. Returns the code with which it must fail, or CL_SUCCESS. */
static cl_int enter(call name)
{
    if (!calls.on || is_own_call)
        return CL_SUCCESS;
    pthread_mutex_lock(&lock);
    const cl_int code = count(name);
    pthread_mutex_unlock(&lock);
    return code;
}

static void note_created(const void *object)
{
    if (!calls.on || !object)
        return;
    pthread_mutex_lock(&lock);
    ++calls.balance;
    pthread_mutex_unlock(&lock);
}

static void set_pending(unsigned is_kept, unsigned more)
{
    pthread_mutex_lock(&lock);
    calls.pending = (is_kept ? calls.pending : 0) + more;
    pthread_mutex_unlock(&lock);
}

static void note_launch(cl_kernel kernel, cl_uint dimensions, const size_t *global,
                        const size_t *local)
{
    if (!calls.on || calls.num_launches == MAX_LAUNCHES)
        return;
    pthread_mutex_lock(&lock);
    call_launch *launch = &calls.launches[calls.num_launches++];
    pthread_mutex_unlock(&lock);
    launch->num_groups = 1;
    launch->group_size = 1;
    for (cl_uint i = 0; i < dimensions; ++i) {
        const size_t size = local ? local[i] : 1;
        launch->group_size *= size;
        launch->num_groups *= global[i] / size;
    }
    is_own_call = 1;
    if (clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof launch->kernel, launch->kernel,
                        NULL))
        launch->kernel[0] = 0;
    is_own_call = 0;
}

#define PLAIN(name, parameters, arguments)                                       \
    cl_int CL_API_CALL name parameters                                           \
    {                                                                            \
        static cl_int(CL_API_CALL *real) parameters;                             \
        const cl_int code = enter(CALL_##name);                                  \
        if (code)                                                                \
            return code;                                                         \
        if (!real)                                                               \
            *(void **)&real = real_call(#name);                                  \
        if (CALL_##name == CALL_clFinish || CALL_##name == CALL_clWaitForEvents) \
            set_pending(0, 0);                                                   \
        return real arguments;                                                   \
    }
CALLS_PLAIN(PLAIN)

#define STATUS(name, parameters, arguments)                                                    \
    cl_int CL_API_CALL name parameters                                                         \
    {                                                                                          \
        static cl_int(CL_API_CALL *real) parameters;                                           \
        cl_int code = enter(CALL_##name);                                                      \
        if (code)                                                                              \
            return code;                                                                       \
        if (!real)                                                                             \
            *(void **)&real = real_call(#name);                                                \
        code = real arguments;                                                                 \
        if (!code && calls.on && calls.command_code && b == CL_EVENT_COMMAND_EXECUTION_STATUS) \
            *(cl_int *)d = calls.command_code;                                                 \
        return code;                                                                           \
    }
CALLS_STATUS(STATUS)

#define ENQUEUE(name, parameters, arguments, blocks, uses, note) \
    cl_int CL_API_CALL name parameters                           \
    {                                                            \
        static cl_int(CL_API_CALL *real) parameters;             \
        cl_int code = enter(CALL_##name);                        \
        if (code)                                                \
            return code;                                         \
        if (!real)                                               \
            *(void **)&real = real_call(#name);                  \
        note;                                                    \
        code = real arguments;                                   \
        if (!code)                                               \
            set_pending(!(blocks), (blocks) ? 0 : (uses));       \
        if (!code && z)                                          \
            note_created(*z);                                    \
        return code;                                             \
    }
CALLS_ENQUEUE(ENQUEUE)

static void note_mapped(const void *mapped, cl_bool blocks, const cl_event *event)
{
    if (!mapped)
        return;
    set_pending(!blocks, !blocks);
    note_created(event ? *event : NULL);
}

static cl_int enter_with(call name, size_t size)
{
    const cl_int code = enter(name);
    if (code || !calls.on || !calls.largest_buffer || size <= calls.largest_buffer)
        return code;
    ++calls.num_refused;
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

#define CREATE_MEMORY(result, name, parameters, arguments, size, note) \
    result CL_API_CALL name parameters                                 \
    {                                                                  \
        static result(CL_API_CALL *real) parameters;                   \
        const cl_int code = enter_with(CALL_##name, size);             \
        if (code) {                                                    \
            if (z)                                                     \
                *z = code;                                             \
            return NULL;                                               \
        }                                                              \
        if (!real)                                                     \
            *(void **)&real = real_call(#name);                        \
        result object = real arguments;                                \
        note;                                                          \
        return object;                                                 \
    }
#define CREATE(result, name, parameters, arguments) \
    CREATE_MEMORY(result, name, parameters, arguments, 0, note_created(object))
CALLS_CREATE(CREATE)
CALLS_CREATE_MEMORY(CREATE_MEMORY)
