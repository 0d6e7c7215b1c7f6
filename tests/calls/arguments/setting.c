#include "setting.h"

#include <stdio.h>
#include <string.h>

void setting_open(setting *s, const fixture *fix, clsort_desc desc)
{
    s->fix = fix;
    s->desc = desc;
    data_bytes(s->before, setting_room, 77);
    for (int i = 0; i < 6; ++i)
        s->mems[i] = buffer_create(fix->context, CL_MEM_READ_WRITE, setting_room, s->before);
    memset(&s->buffers, 0, sizeof s->buffers);
    s->buffers.keys.mem = s->mems[0];
    s->buffers.keys_out.mem = desc.out_of_place ? s->mems[1] : NULL;
    s->buffers.values.mem = desc.value_size ? s->mems[2] : NULL;
    s->buffers.values_out.mem = desc.value_size && desc.out_of_place ? s->mems[3] : NULL;
    s->buffers.indices.mem = desc.index_size ? s->mems[4] : NULL;
}

void setting_close(setting *s)
{
    for (int i = 0; i < 6; ++i)
        clReleaseMemObject(s->mems[i]);
}

static void expect_unchanged(const setting *s)
{
    unsigned char after[setting_room];
    for (int i = 0; i < 6; ++i) {
        buffer_read(s->fix->queue, s->mems[i], after, setting_room);
        assert_memory_equal(after, s->before, setting_room);
    }
}

void expect_refused_at(const setting *s, cl_command_queue queue, const clsort_buffers *buffers,
                       cl_uint num_events, const cl_event *events, clsort_status expected,
                       const char *file, int line)
{
    const cl_event no_event = (cl_event)(uintptr_t)0x10;
    cl_event event = no_event;
    calls_start();
    const clsort_status status =
        clsort_enqueue(s->fix->sorter, queue, &s->desc, buffers, num_events, events, &event);
    calls_stop();
    expect_status_at(status, expected, "clsort_enqueue", file, line);
    assert_int_equal(calls_enqueued(), 0);
    assert_int_equal(calls_balance(), 0);
    assert_true(event == no_event || !event);
    clsort_error_info info;
    expect_status(clsort_last_error(s->fix->sorter, &info), CLSORT_OK);
    expect_status_at(info.status, expected, "clsort_last_error", file, line);
    assert_string_not_equal(info.argument, "");
    char text[256], expected_text[256];
    expect_status(clsort_get_error_text(s->fix->sorter, text, sizeof text, NULL), CLSORT_OK);
    const int length = snprintf(expected_text, sizeof expected_text, "%s: %s", info.argument,
                                clsort_status_text(expected));
    assert_memory_equal(text, expected_text, (size_t)length);
    expect_unchanged(s);
}

void expect_accepted(const setting *s, const clsort_buffers *buffers)
{
    cl_event event = NULL;
    expect_status(clsort_enqueue(s->fix->sorter, s->fix->queue, &s->desc, buffers, 0, NULL, &event),
                  CLSORT_OK);
    expect_complete(event);
}
