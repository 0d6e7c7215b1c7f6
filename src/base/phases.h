/* phases.h: work in phases by several host threads. */
#ifndef HOST_PHASES_H
#define HOST_PHASES_H

#include <stddef.h>
#include <stdint.h>

struct host_phases {
    /* Prepares a phase and returns how many tasks it has, fewer than 2^24; 0: there is no such
     * phase. All tasks of earlier phases have returned, and those of this one have not begun.
     */
    uint32_t (*begin)(void *argument, uint32_t phase);
    void (*run)(void *argument, uint32_t phase, uint32_t task);
    void *argument;
};

/* Runs phases 0, 1, ... until there are no more. The tasks of a phase run at once, on the calling
 * thread and on up to num_threads - 1 others, which have ended when this returns. */
void host_phases_run(uint32_t num_threads, const struct host_phases *phases);

/* Calls work(argument, begin, end) for parts of 0 ... count - 1 that have this size, the last one
 * perhaps less: at once, on as many threads, or fewer if there are not as many parts. */
void host_parts_run(uint32_t num_threads, size_t count, size_t size,
                    void (*work)(void *argument, size_t begin, size_t end), void *argument);

/* The same for parts that are worth a thread. */
void host_ranges_run(uint32_t num_threads, size_t count,
                     void (*work)(void *argument, size_t begin, size_t end), void *argument);

#endif
