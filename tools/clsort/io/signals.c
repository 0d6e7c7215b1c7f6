#include "io/signals.h"

#include "io/temp.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* The signals that do not end a process; SIGKILL and SIGSTOP cannot be caught. */
static const int harmless[] = {SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH, 0};

/* What a thread's own doing sends to it. */
static const int own_doing[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGTRAP,
                                SIGSYS,  SIGABRT, SIGPIPE, SIGXFSZ, 0};

static bool is_one_of(const int *signals, int number)
{
    while (*signals && *signals != number)
        signals++;
    return *signals != 0;
}

/* Whether a signal has that effect. */
static bool is_handled_by(int number, void (*handler)(int))
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && !(action.sa_flags & SA_SIGINFO) &&
           action.sa_handler == handler;
}

static void remove_names_and_die(int number)
{
    static atomic_flag is_dying = ATOMIC_FLAG_INIT;
    static _Thread_local bool is_mine;
    /* The first thread ends all. A second one that died before would leave the names behind. */
    while (!is_mine && atomic_flag_test_and_set(&is_dying))
        pause();
    const bool is_again = is_mine;
    is_mine = true;
    if (!is_again)
        temp_remove_all();
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, number);
    pthread_sigmask(SIG_UNBLOCK, &own, NULL);
    /* LLVM's handler removes files of its own, and may call this function, or just return. */
    if (!is_again && !is_handled_by(number, remove_names_and_die))
        raise(number);
    for (;;) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

void signals_get(sigset_t *signals_ret)
{
    sigemptyset(signals_ret);
    for (int number = 1; number <= SIGRTMAX; number++) {
        if (!is_one_of(harmless, number) &&
            (is_handled_by(number, SIG_DFL) || is_handled_by(number, remove_names_and_die)))
            sigaddset(signals_ret, number);
    }
}

void signals_catch(void)
{
    static bool done;
    if (done)
        return;
    done = true;
    struct sigaction action = {.sa_handler = remove_names_and_die};
    sigset_t signals;
    sigfillset(&action.sa_mask);
    signals_get(&signals);
    for (int number = 1; number <= SIGRTMAX; number++) {
        if (sigismember(&signals, number) == 1)
            sigaction(number, &action, NULL);
    }
}

/* ---- A thread that waits --------------------------------------------------------------------- */

static struct {
    sigset_t signals, before; /* that it waits for; the mask that other threads had */
    pthread_t thread;
    bool is_running;
    atomic_bool is_ending;
} waiter;

/* It ends the waiting. One that another process sends is ignored. */
#define SIGNAL_END SIGURG

static void *wait_and_die(void *unused)
{
    for (;;) {
        int number = 0;
        if (sigwait(&waiter.signals, &number) != 0)
            continue;
        if (number != SIGNAL_END)
            remove_names_and_die(number);
        else if (atomic_load(&waiter.is_ending))
            return unused;
    }
}

void signals_wait(void)
{
    pthread_sigmask(SIG_SETMASK, NULL, &waiter.before);
    signals_get(&waiter.signals);
    sigset_t blocked = waiter.before;
    for (int number = 1; number <= SIGRTMAX; number++) {
        const bool is_mine = sigismember(&waiter.signals, number) == 1 &&
                             !is_one_of(own_doing, number) &&
                             sigismember(&waiter.before, number) == 0;
        if (!is_mine)
            sigdelset(&waiter.signals, number);
        /* What is ignored is blocked, too: LLVM's handlers would remove its files. */
        const bool is_ignored = !is_one_of(harmless, number) && !is_one_of(own_doing, number) &&
                                is_handled_by(number, SIG_IGN);
        if (is_mine || is_ignored)
            sigaddset(&blocked, number);
    }
    sigaddset(&waiter.signals, SIGNAL_END);
    sigaddset(&blocked, SIGNAL_END);
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    atomic_store(&waiter.is_ending, false);
    waiter.is_running = pthread_create(&waiter.thread, NULL, wait_and_die, NULL) == 0;
    if (!waiter.is_running)
        pthread_sigmask(SIG_SETMASK, &waiter.before, NULL);
}

void signals_end_waiting(void)
{
    if (!waiter.is_running)
        return;
    waiter.is_running = false;
    atomic_store(&waiter.is_ending, true);
    pthread_kill(waiter.thread, SIGNAL_END);
    pthread_join(waiter.thread, NULL);
    pthread_sigmask(SIG_SETMASK, &waiter.before, NULL);
}
