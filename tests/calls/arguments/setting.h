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
    clsort_buffer columns[2], columns_out[2];
    cl_mem mems[8]; /* no sort uses the last one */
    unsigned char before[setting_room];
} setting;

/* Buffers of random bytes; the description, of two columns if any, decides which are used. */
void setting_open(setting *s, const fixture *fix, clsort_desc desc);
void setting_close(setting *s);

/* The valid arguments again, and the random bytes. */
void setting_set_good(setting *s);
void setting_reset(const setting *s);

/* The sort with these arguments is refused with this status. Nothing is enqueued, no event is
 * returned, no buffer changes, and clsort_last_error() reports it with this argument's name; NULL:
 * with any. */
void expect_refused_at(const setting *s, cl_command_queue queue, const clsort_buffers *buffers,
                       cl_uint num_events, const cl_event *events, clsort_status expected,
                       const char *argument, const char *file, int line);
#define expect_refused_as(s, buffers, expected, argument) \
    expect_refused_at(s, (s)->fix->queue, buffers, 0, NULL, expected, argument, __FILE__, __LINE__)
#define expect_refused(s, buffers, expected) expect_refused_as(s, buffers, expected, NULL)

/* The sort with these buffers succeeds. */
void expect_accepted(const setting *s, const clsort_buffers *buffers);

#endif
