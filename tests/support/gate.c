#include "gate.h"

#include <string.h>
#include <time.h>

/* Far more than a slow, busy machine takes to compile what is enqueued behind a gate. */
enum { GATE_SECONDS = 100 };

static void *gate_watch(void *data)
{
    gate *g = data;
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += GATE_SECONDS;
    pthread_mutex_lock(&g->mutex);
    while (!g->done && pthread_cond_timedwait(&g->changed, &g->mutex, &end) == 0)
        ;
    if (!g->done) {
        g->forced = 1;
        clSetUserEventStatus(g->event, CL_COMPLETE);
    }
    pthread_mutex_unlock(&g->mutex);
    return NULL;
}

/* Why a gate would tell nothing about the library, or NULL. Oclgrind (21.10) waits for events while
 * it enqueues. PoCL's device without threads (POCL_DEVICES=basic; 3.1) waits forever in clFinish()
 * for a command behind a user event, although the event is complete. Both do so for any command. */
static const char *why_not(cl_context context)
{
    cl_device_id device = NULL;
    char name[256] = "";
    char version[256] = "";
    if (clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL))
        return NULL; /* several devices */
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL);
    if (strstr(name, "Oclgrind"))
        return "Oclgrind waits for events while it enqueues";
    if (strncmp(name, "basic", 5) == 0 && strstr(version, "PoCL"))
        return "PoCL's basic device does not continue after a user event";
    return NULL;
}

void gate_close(gate *g, cl_context context)
{
    if (why_not(context))
        skip_because(why_not(context));
    g->event = event_create(context);

    g->forced = 0;
    g->done = 0;
    pthread_mutex_init(&g->mutex, NULL);
    pthread_cond_init(&g->changed, NULL);
    assert_int_equal(pthread_create(&g->thread, NULL, gate_watch, g), 0);
}

void gate_open(gate *g, cl_int status)
{
    pthread_mutex_lock(&g->mutex);
    g->done = 1;
    if (!g->forced)
        expect_cl(clSetUserEventStatus(g->event, status));
    pthread_cond_signal(&g->changed);
    pthread_mutex_unlock(&g->mutex);
    pthread_join(g->thread, NULL);
    pthread_mutex_destroy(&g->mutex);
    pthread_cond_destroy(&g->changed);
    clReleaseEvent(g->event);
    if (g->forced)
        fail_msg("clsort_enqueue() waited for an event of its wait list");
}
