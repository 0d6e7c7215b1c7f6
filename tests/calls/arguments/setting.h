/* A valid sort whose arguments the tests replace by invalid ones, one at a time. */
#ifndef TESTS_SETTING_H
#define TESTS_SETTING_H

#include "support/calls.h"
#include "support/job.h"

enum { setting_room = 4096 }; /* bytes of each buffer */

typedef struct setting {
    const fixture *fix;
    clsort_desc desc;
    clsort_buffers buffers;
    cl_mem mems[6];
    unsigned char before[setting_room];
} setting;

/* Six buffers of random bytes; the description decides which of them are used. */
void setting_open(setting *s, const fixture *fix, clsort_desc desc);
void setting_close(setting *s);

/* The sort with these arguments is refused with this status. Nothing is enqueued, no event is
 * returned, no buffer changes, and clsort_last_error() reports it. */
void expect_refused_at(const setting *s, cl_command_queue queue, const clsort_buffers *buffers,
                       cl_uint num_events, const cl_event *events, clsort_status expected,
                       const char *file, int line);
#define expect_refused(s, buffers, expected) \
    expect_refused_at(s, (s)->fix->queue, buffers, 0, NULL, expected, __FILE__, __LINE__)

/* The sort with these buffers succeeds. */
void expect_accepted(const setting *s, const clsort_buffers *buffers);

#endif
