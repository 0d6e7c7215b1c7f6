/* phases.c: work in phases by several host threads.
 *
 * Idea: one number has the phase, how many tasks it has, and the next of them. A thread adds 1 and
 * knows its task. The thread whose task ends last prepares the next phase. The others look for it
 * and let other threads run meanwhile, so that no thread waits for one that has not begun. */
#include "base/phases.h"

#include "base/threads.h"

#include <stdatomic.h>

#define RANGES_A_THREAD 4
#define RANGE_MIN 65536 /* elements that are worth a thread: 30 us of one, as a start takes */
#define FEW_LOOKS 200   /* of a thread that waits, before it lets others run */

/* The numbers in struct team's `at`: 24 bits of the next task, 24 of the number of tasks, and
 * 16 of the phase. */
#define AT(phase, num_tasks) ((uint64_t)(phase) << 48 | (uint64_t)(num_tasks) << 24)
#define NEXT_OF(at) ((uint32_t)(at)&0xffffff)
#define NUM_TASKS_OF(at) ((uint32_t)((at) >> 24) & 0xffffff)
#define PHASE_OF(at) ((uint32_t)((at) >> 48))

struct team {
    const struct host_phases *phases;
    _Atomic uint64_t at;
    atomic_uint num_done; /* tasks of this phase */
};

static void begin(struct team *team, uint32_t phase)
{
    const uint32_t num_tasks = team->phases->begin(team->phases->argument, phase);
    atomic_store(&team->num_done, 0);
    atomic_store(&team->at, AT(phase, num_tasks));
}

/* Waits for the end of a phase. */
static void wait_for_next(struct team *team, uint32_t phase)
{
    for (uint32_t looks = 0; PHASE_OF(atomic_load(&team->at)) == phase; ++looks) {
        if (looks >= FEW_LOOKS)
            host_threads_yield();
    }
}

static void take_tasks(void *argument, uint32_t number)
{
    struct team *team = argument;
    (void)number;
    for (;;) {
        const uint64_t at = atomic_fetch_add(&team->at, 1);
        const uint32_t phase = PHASE_OF(at), num_tasks = NUM_TASKS_OF(at);
        if (num_tasks == 0)
            return;
        if (NEXT_OF(at) >= num_tasks) {
            wait_for_next(team, phase);
            continue;
        }
        team->phases->run(team->phases->argument, phase, NEXT_OF(at));
        if (atomic_fetch_add(&team->num_done, 1) + 1 == num_tasks)
            begin(team, phase + 1);
    }
}

void host_phases_run(uint32_t num_threads, const struct host_phases *phases)
{
    struct team team = {.phases = phases};
    begin(&team, 0);
    host_threads_run(num_threads < MAX_HOST_THREADS ? num_threads : MAX_HOST_THREADS, take_tasks,
                     &team);
}

struct ranges {
    size_t count;
    uint32_t num;
    void (*work)(void *argument, size_t begin, size_t end);
    void *argument;
};

static uint32_t begin_ranges(void *argument, uint32_t phase)
{
    const struct ranges *ranges = argument;
    return phase == 0 ? ranges->num : 0;
}

static void run_range(void *argument, uint32_t phase, uint32_t task)
{
    const struct ranges *ranges = argument;
    const size_t size = ranges->count / ranges->num, rest = ranges->count % ranges->num;
    const size_t first = task * size + (task < rest ? task : rest);
    (void)phase;
    ranges->work(ranges->argument, first, first + size + (task < rest));
}

void host_ranges_run(uint32_t num_threads, size_t count,
                     void (*work)(void *argument, size_t begin, size_t end), void *argument)
{
    const size_t most = count / RANGE_MIN;
    num_threads = num_threads < most ? num_threads : (uint32_t)most;
    struct ranges ranges = {count, num_threads * RANGES_A_THREAD, work, argument};
    if (num_threads > 1)
        host_phases_run(num_threads, &(struct host_phases){begin_ranges, run_range, &ranges});
    else
        work(argument, 0, count);
}
