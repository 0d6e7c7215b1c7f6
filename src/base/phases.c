/* phases.c: work in phases by several host threads.
 *
 * Idea: one number has the phase, how many tasks it has, and the next of them. A thread adds 1 and
 * knows its task. The thread whose task ends last prepares the next phase. The others look for it
 * and let other threads run meanwhile, so that no thread waits for one that has not begun. */
#include "base/phases.h"

#include "base/math.h"
#include "base/threads.h"

#include <stdatomic.h>

#define PARTS_A_THREAD 4
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
    host_threads_run(num_threads, take_tasks, &team);
}

struct parts {
    size_t count, size;
    void (*work)(void *argument, size_t begin, size_t end);
    void *argument;
    _Atomic uint64_t next;
};

static void take_parts(void *argument, uint32_t number)
{
    struct parts *parts = argument;
    (void)number;
    for (;;) {
        const uint64_t begin = atomic_fetch_add(&parts->next, parts->size);
        if (begin >= parts->count)
            return;
        parts->work(parts->argument, (size_t)begin,
                    (size_t)(begin + smaller(parts->size, parts->count - begin)));
    }
}

void host_parts_run(uint32_t num_threads, size_t count, size_t size,
                    void (*work)(void *argument, size_t begin, size_t end), void *argument)
{
    struct parts parts = {.count = count, .size = size, .work = work, .argument = argument};
    if (count)
        host_threads_run((uint32_t)smaller(num_threads, ceil_div(count, size)), take_parts, &parts);
}

void host_ranges_run(uint32_t num_threads, size_t count,
                     void (*work)(void *argument, size_t begin, size_t end), void *argument)
{
    const uint64_t num = smaller(num_threads, count / RANGE_MIN);
    const uint64_t num_parts = num > 1 ? num * PARTS_A_THREAD : 1;
    host_parts_run((uint32_t)num, count, (size_t)ceil_div(count, num_parts), work, argument);
}
