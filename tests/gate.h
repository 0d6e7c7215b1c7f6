/* A user event that holds sorts back. Another thread completes it after a hundred seconds, so that
 * a call that waits for it fails its test instead of hanging. */
#ifndef TESTS_GATE_H
#define TESTS_GATE_H

#include <pthread.h>

#include "fixture.h"

typedef struct gate {
    cl_event event;
    int forced; /* the thread had to complete it */
    int done;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} gate;

void gate_close(gate *g, cl_context context);

/* Ends the gate's event with this status; fails the test if something has waited for it before. */
void gate_open(gate *g, cl_int status);

#endif
