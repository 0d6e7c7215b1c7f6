/* The threads that a call starts leave the program's signals to the program's own threads, but not
 * the signals of their own faults, which would end it. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/data.h"
#include "support/fixture.h"

/* A stream of an array that looks at the signals of the thread it is called on. */
typedef struct signal_end {
    unsigned char *bytes;
    pthread_t caller;
    atomic_uint num_others; /* calls on other threads than the caller */
    atomic_int wrong;
} signal_end;

/* Faults' signals must be open: a blocked one ends the program. All others must be blocked. */
static void look_at_signals(signal_end *e)
{
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    const int opens_faults = !sigismember(&blocked, SIGSEGV) && !sigismember(&blocked, SIGBUS) &&
                             !sigismember(&blocked, SIGFPE);
    if (!opens_faults || !sigismember(&blocked, SIGTERM) || !sigismember(&blocked, SIGUSR1))
        e->wrong = 1;
    e->num_others += 1;
}

static void copy_watched(signal_end *e, unsigned char *to, const unsigned char *from, size_t size)
{
    if (!pthread_equal(pthread_self(), e->caller))
        look_at_signals(e);
    /* The caller leaves work to the others: at most 10 s. */
    for (int i = 0; i < 10000 && e->num_others == 0; ++i)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    memcpy(to, from, size);
}

static int give_watched(void *context, void *bytes, uint64_t offset, size_t size)
{
    signal_end *e = context;
    copy_watched(e, bytes, e->bytes + offset, size);
    return 0;
}

static int take_watched(void *context, void *bytes, uint64_t offset, size_t size)
{
    signal_end *e = context;
    copy_watched(e, e->bytes + offset, bytes, size);
    return 0;
}

static void test_signals(void **state)
{
    enum { count = 3 << 20 };
    const fixture *fix = fixture_of(state);
    const clsort_desc desc = {.count = count, .algorithm = CLSORT_RADIX};
    uint32_t *keys = test_alloc(count * sizeof *keys);
    for (uint32_t i = 0; i < count; ++i)
        keys[i] = i * 2654435761u;
    signal_end e = {.bytes = (unsigned char *)keys, .caller = pthread_self()};
    const clsort_stream from = {give_watched, &e}, to = {take_watched, &e};
    expect_status(clsort_set_host_threads(fix->sorter, 4), CLSORT_OK);
    expect_status(clsort_sort_through(fix->sorter, &desc, &from, &to), CLSORT_OK);
    expect_status(clsort_set_host_threads(fix->sorter, 0), CLSORT_OK);
    assert_in_range(e.num_others, 1, UINT32_MAX);
    assert_false(e.wrong);
    for (uint32_t i = 1; i < count; ++i)
        assert_true(keys[i - 1] <= keys[i]);
    free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_signals)};
    fixture_with_host();
    return fixture_run("thread_signals", tests, sizeof tests / sizeof tests[0]);
}
