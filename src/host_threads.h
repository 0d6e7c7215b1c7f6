/* host_threads.h: threads of the host that live no longer than one call. */
#ifndef HOST_THREADS_H
#define HOST_THREADS_H

#include <stdint.h>

#define MAX_HOST_THREADS 64

/* Runs work(argument, i) for i = 0 ... num - 1 at once, number 0 by the calling thread, and returns when
 * all have returned. Threads that cannot be started are left out, so the work must be shared out as it is
 * taken. num is at most MAX_HOST_THREADS. Signals are left to the caller's threads. */
void host_threads_run(uint32_t num, void (*work)(void *argument, uint32_t number), void *argument);

/* Lets other threads run. */
void host_threads_yield(void);

#endif
