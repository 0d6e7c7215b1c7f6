/* signals.h: a signal that ends the process removes what there is of temporary names first. Signals
 * that are ignored stay so. */
#ifndef CLSORT_TOOL_SIGNALS_H
#define CLSORT_TOOL_SIGNALS_H

#include <signal.h>

/* The signals that end the process: those that are neither ignored nor a library's. */
void signals_get(sigset_t *signals_ret);

/* From then on these signals remove the names first. */
void signals_catch(void);

/* The same by a thread that waits for them, and no other gets them: a driver's compiler would
 * handle them in its own way. Those that a fault or a write sends go to the thread that has done
 * it; others that are sent to one thread, as by raise(), wait there. Threads that are made later
 * inherit that. Call it once, or again after signals_end_waiting(), as a process that is forked
 * then has to. */
void signals_wait(void);
void signals_end_waiting(void);

#endif
