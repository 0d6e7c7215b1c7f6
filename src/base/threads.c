/* threads.c: host threads that live no longer than one call, by POSIX, Windows or C11. */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
typedef pthread_t thread;
#define TASK_RESULT void *
#elif defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <process.h>
#include <windows.h>
typedef HANDLE thread;
#define TASK_RESULT unsigned __stdcall
#else
#include <threads.h>
typedef thrd_t thread;
#define TASK_RESULT int
#endif

#include "base/threads.h"

struct task {
    void (*work)(void *argument, uint32_t number);
    void *argument;
    uint32_t number;
};

static TASK_RESULT run_task(void *argument)
{
    const struct task *task = argument;
    task->work(task->argument, task->number);
    return 0;
}

#if defined(__unix__) || defined(__APPLE__)

/* A thread inherits the mask of blocked signals. Here all are blocked, so that the program's own
 * threads get them; but not those of a fault, which only the thread gets that makes it. */
static int start(thread *started, struct task *task)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t all, before;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i)
        sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int code = pthread_create(started, NULL, run_task, task);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code == 0;
}

static void join(thread started)
{
    pthread_join(started, NULL);
}

void host_threads_yield(void)
{
    sched_yield();
}

double host_threads_processor_time(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#elif defined(_WIN32)

static int start(thread *started, struct task *task)
{
    *started = (HANDLE)_beginthreadex(NULL, 0, run_task, task, 0, NULL);
    return *started != NULL;
}

static void join(thread started)
{
    WaitForSingleObject(started, INFINITE);
    CloseHandle(started);
}

void host_threads_yield(void)
{
    SwitchToThread();
}

double host_threads_processor_time(void)
{
    FILETIME begin, end, kernel, user;
    if (!GetThreadTimes(GetCurrentThread(), &begin, &end, &kernel, &user))
        return 0;
    return 1e-7 * (4294967296.0 * (kernel.dwHighDateTime + user.dwHighDateTime) +
                   kernel.dwLowDateTime + user.dwLowDateTime);
}

#else

static int start(thread *started, struct task *task)
{
    return thrd_create(started, run_task, task) == thrd_success;
}

static void join(thread started)
{
    thrd_join(started, NULL);
}

void host_threads_yield(void)
{
    thrd_yield();
}

double host_threads_processor_time(void)
{
    return 0; /* C11 has no clock of a thread */
}

#endif

void host_threads_run(uint32_t num, void (*work)(void *argument, uint32_t number), void *argument)
{
    thread threads[MAX_HOST_THREADS];
    struct task tasks[MAX_HOST_THREADS];
    uint32_t num_started = 0;
    for (uint32_t i = 1; i < num && i < MAX_HOST_THREADS; ++i) {
        tasks[num_started] = (struct task){work, argument, i};
        if (start(&threads[num_started], &tasks[num_started]))
            ++num_started;
    }
    work(argument, 0);
    for (uint32_t i = 0; i < num_started; ++i)
        join(threads[i]);
}
