/* A user event that holds sorts back. A thread completes it after a hundred seconds, so a call that
 * waits for it fails its test instead of hanging. */
#ifndef TESTS_GATE_H
#define TESTS_GATE_H

#include <pthread.h>

#include "fixture.h"

typedef struct gate {
    cl_event event;
    int forced; /* the thread had to complete the event */
    int done;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} gate;

void gate_close(gate *g, cl_context context);

/* Completes the gate's event with this status; the test fails if a call has waited for it. */
void gate_open(gate *g, cl_int status);

#endif
