#include "setting.h"

#include <stdio.h>
#include <string.h>

void setting_set_good(setting *s)
{
    const int rows = s->desc.num_columns != 0, out = s->desc.out_of_place != 0;
    const cl_mem *mems = s->mems;
    clsort_buffers *buffers = &s->buffers;
    memset(buffers, 0, sizeof *buffers);
    for (int i = 0; i < 2; ++i) {
        s->columns[i] = (clsort_buffer){rows ? mems[i] : NULL, 0};
        s->columns_out[i] = (clsort_buffer){rows && out ? mems[2 + i] : NULL, 0};
    }
    buffers->keys.mem = rows ? NULL : mems[0];
    buffers->keys_out.mem = !rows && out ? mems[1] : NULL;
    buffers->columns = rows ? s->columns : NULL;
    buffers->columns_out = rows && out ? s->columns_out : NULL;
    buffers->values.mem = s->desc.value_size ? mems[2] : NULL;
    buffers->values_out.mem = s->desc.value_size && out ? mems[3] : NULL;
    buffers->indices.mem = s->desc.index_size ? mems[4] : NULL;
    buffers->offsets.mem = s->desc.strings ? mems[5] : NULL;
    buffers->offsets_out.mem = s->desc.strings && out ? mems[6] : NULL;
}

void setting_open(setting *s, const fixture *fix, clsort_desc desc)
{
    s->fix = fix;
    s->desc = desc;
    data_bytes(s->before, setting_room, 77);
    for (int i = 0; i < 8; ++i)
        s->mems[i] = buffer_create(fix->context, CL_MEM_READ_WRITE, setting_room, s->before);
    setting_set_good(s);
}

void setting_reset(const setting *s)
{
    for (int i = 0; i < 8; ++i)
        buffer_write(s->fix->queue, s->mems[i], s->before, setting_room);
}

void setting_close(setting *s)
{
    for (int i = 0; i < 8; ++i)
        clReleaseMemObject(s->mems[i]);
}

static void expect_unchanged(const setting *s)
{
    unsigned char after[setting_room];
    for (int i = 0; i < 8; ++i) {
        buffer_read(s->fix->queue, s->mems[i], after, setting_room);
        assert_memory_equal(after, s->before, setting_room);
    }
}

void expect_refused_at(const setting *s, cl_command_queue queue, const clsort_buffers *buffers,
                       cl_uint num_events, const cl_event *events, clsort_status expected,
                       const char *argument, const char *file, int line)
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
    if (argument)
        assert_string_equal(info.argument, argument);
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
