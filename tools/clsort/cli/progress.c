#include "cli/progress.h"

#include "cli/message.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 30, SECONDS_BEFORE = 1, MILLISECONDS_BETWEEN = 200 };

/* All under the mutex, except that the number done is written by the working loops. */
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    pthread_t thread;
    bool running;
    bool drawn;
    bool hidden;
    const char *stage;
    uint64_t total;
    double seconds; /* that the stage takes at most; 0: it ends with its total */
    double start;
    double stage_start;
    atomic_uint_fast64_t done;
} progress = {.mutex = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

static void erase(void)
{
    if (progress.drawn)
        fputs("\r\033[K", stderr);
    progress.drawn = false;
}

/* The share that is done, or -1 if there is no knowing. */
static double share_done(double in_stage)
{
    const double total = progress.seconds > 0 ? progress.seconds : (double)progress.total;
    const double done = progress.seconds > 0 ? in_stage : (double)atomic_load(&progress.done);
    return total > 0 ? (done < total ? done / total : 1) : -1;
}

static void draw(void)
{
    if (progress.hidden)
        return;
    const double now = seconds_now(), elapsed = now - progress.start;
    const double in_stage = now - progress.stage_start, share = share_done(in_stage);
    erase();
    if (share < 0) {
        const uint64_t done = atomic_load(&progress.done);
        char size[SIZE_TEXT];
        fprintf(stderr, "%s%s%s, %.0f s", progress.stage, done ? ", " : "",
                done ? size_text(done, size) : "", elapsed);
    } else {
        const int filled = (int)(share * BAR_WIDTH);
        char bar[BAR_WIDTH + 1];
        memset(bar, '-', BAR_WIDTH);
        memset(bar, '#', (size_t)filled);
        bar[BAR_WIDTH] = '\0';
        fprintf(stderr, "%s [%s] %3.0f%%, %.0f s", progress.stage, bar, 100 * share, elapsed);
        /* By the clock, or by the stage's rate so far, once that means something. */
        if (progress.seconds > 0 && share < 1)
            fprintf(stderr, ", at most %.0f s left", progress.seconds - in_stage);
        else if (share >= 0.02 && share < 1 && in_stage > SECONDS_BEFORE)
            fprintf(stderr, ", about %.0f s left", in_stage * (1 - share) / share);
    }
    fflush(stderr);
    progress.drawn = true;
}

static void *draw_until_ended(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&progress.mutex);
    while (progress.running) {
        struct timespec time;
        clock_gettime(CLOCK_REALTIME, &time);
        time.tv_nsec += MILLISECONDS_BETWEEN * 1000000;
        time.tv_sec += time.tv_nsec / 1000000000;
        time.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&progress.ended, &progress.mutex, &time);
        if (progress.running && seconds_now() - progress.start > SECONDS_BEFORE)
            draw();
    }
    pthread_mutex_unlock(&progress.mutex);
    return NULL;
}

static void begin(const char *stage, uint64_t total, double seconds)
{
    static int is_terminal = -1; /* standard error */
    if (is_terminal < 0)
        is_terminal = isatty(STDERR_FILENO);
    if (!is_terminal)
        return;

    pthread_mutex_lock(&progress.mutex);
    progress.stage = stage;
    progress.total = total;
    progress.seconds = seconds;
    progress.stage_start = seconds_now();
    atomic_store(&progress.done, 0);
    if (!progress.running) {
        progress.start = seconds_now();
        progress.running = pthread_create(&progress.thread, NULL, draw_until_ended, NULL) == 0;
    }
    pthread_mutex_unlock(&progress.mutex);
}

void progress_stage(const char *stage, uint64_t total)
{
    begin(stage, total, 0);
}

void progress_stage_of_seconds(const char *stage, double seconds)
{
    begin(stage, 0, seconds);
}

void progress_hide(void)
{
    pthread_mutex_lock(&progress.mutex);
    erase();
    progress.hidden = true;
    pthread_mutex_unlock(&progress.mutex);
}

void progress_done(uint64_t done)
{
    atomic_store_explicit(&progress.done, done, memory_order_relaxed);
}

void progress_add(uint64_t more)
{
    atomic_fetch_add_explicit(&progress.done, more, memory_order_relaxed);
}

void progress_clear(void)
{
    pthread_mutex_lock(&progress.mutex);
    erase();
    pthread_mutex_unlock(&progress.mutex);
}

void progress_end(void)
{
    pthread_mutex_lock(&progress.mutex);
    const bool was_running = progress.running;
    progress.running = false;
    erase();
    fflush(stderr);
    pthread_cond_signal(&progress.ended);
    pthread_mutex_unlock(&progress.mutex);
    if (was_running)
        pthread_join(progress.thread, NULL);
}
