/* threads.h: host threads that live no longer than one call. */
#ifndef HOST_THREADS_H
#define HOST_THREADS_H

#include <stdint.h>

#define MAX_HOST_THREADS 64

/* Runs work(argument, i) for i = 0 ... num - 1 at once and returns when all have returned. Number 0
 * runs on the calling thread. Threads that cannot be started are left out, as are those above
 * MAX_HOST_THREADS, so `work` must take its share as it goes. The threads block all signals but
 * those of their own faults. At most three calls are nested: a sort in pieces has a thread for each
 * device, these have threads that copy, and one of those may build kernels by threads. */
void host_threads_run(uint32_t num, void (*work)(void *argument, uint32_t number), void *argument);

/* Seconds that the calling thread has had a processor; always 0 where the system does not tell. */
double host_threads_processor_time(void);

/* Lets other threads run. */
void host_threads_yield(void);

#endif
