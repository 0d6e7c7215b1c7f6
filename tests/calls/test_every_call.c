/* Each public function that makes OpenCL calls, with each of these calls failing in turn: once, and
 * for every third call also all later ones. Either the status reports it or the result is right.
 * The source of an out-of-place sort is unchanged, nothing leaks, no command still uses the host's
 * arrays, and the same call then works. test_faults.c checks more of what each failure means. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/calls.h"
#include "support/data.h"
#include "support/fixture.h"
#include "support/keep_programs.h"

enum { COUNT = 3000, NUM_STRINGS = 700, STRINGS_SIZE = 8000 };

/* What sorts read and write, sources first. For rows of two columns these are keys and values. */
enum role {
    KEYS,
    VALUES,
    OFFSETS,
    NUM_SOURCES,
    KEYS_OUT = NUM_SOURCES,
    VALUES_OUT,
    OFFSETS_OUT,
    INDICES,
    NUM_BUFFERS
};

struct stage;
typedef clsort_status act(struct stage *st);

typedef struct scene {
    const char *name;
    act *act;
    clsort_desc desc;
} scene;

/* All of these buffers and arrays, on the host and on the device. */
typedef struct stage {
    const fixture *fix;
    const scene *scene;
    cl_command_queue queue;
    clsort_sorter *sorter;
    cl_mem buffers[NUM_BUFFERS];
    void *arrays[NUM_BUFFERS];
    uint64_t sizes[NUM_BUFFERS];
} stage;

static const clsort_field fields[] = {{4, CLSORT_F32, CLSORT_DESCENDING}};
static const clsort_record by_fields = {.size = 12, .num_fields = 1, .fields = fields};
static const clsort_record by_text = {.size = 8,
                                      .declarations = "typedef struct { uint x, y; } pair;",
                                      .type = "pair",
                                      .less = "a.y < b.y"};

static const clsort_column columns[] = {{CLSORT_F64, CLSORT_DESCENDING},
                                        {CLSORT_U32, CLSORT_ASCENDING}};
static const clsort_strings lines = {.num_bytes = STRINGS_SIZE, .offset_size = 4};

/* ---- The calls under test ---- */

static clsort_status list(stage *st)
{
    cl_device_id devices[8] = {NULL}, device = NULL;
    uint32_t number = 0;
    (void)st;
    clsort_status status = clsort_devices(devices, 8, &number);
    if (!status)
        status = clsort_find_device(NULL, &device);
    if (!status)
        status = clsort_find_device("0", &device);
    return status;
}

static clsort_status create(stage *st)
{
    clsort_sorter *sorter = NULL;
    const clsort_status status = clsort_create(st->fix->context, NULL, &sorter);
    assert_int_equal(status != CLSORT_OK, sorter == NULL);
    clsort_destroy(sorter);
    return status;
}

static clsort_status create_alone(stage *st)
{
    clsort_sorter *sorter = NULL;
    const clsort_status status = clsort_create(NULL, st->fix->device, &sorter);
    assert_int_equal(status != CLSORT_OK, sorter == NULL);
    clsort_destroy(sorter);
    return status;
}

static clsort_status prepare(stage *st)
{
    return clsort_prepare(st->sorter, &st->scene->desc);
}

static clsort_buffers buffers_of(const stage *st)
{
    return (clsort_buffers){.keys = {.mem = st->buffers[KEYS]},
                            .values = {.mem = st->buffers[VALUES]},
                            .keys_out = {.mem = st->buffers[KEYS_OUT]},
                            .values_out = {.mem = st->buffers[VALUES_OUT]},
                            .indices = {.mem = st->buffers[INDICES]}};
}

static clsort_status enqueue(stage *st)
{
    const clsort_buffers buffers = buffers_of(st);
    return clsort_enqueue(st->sorter, st->queue, &st->scene->desc, &buffers, 0, NULL, NULL);
}

/* Two sorts, of which the second waits for the first one's scratch and event; then their times. */
static clsort_status enqueue_timed(stage *st)
{
    const clsort_buffers buffers = buffers_of(st);
    const clsort_desc *desc = &st->scene->desc;
    cl_event first = NULL, second = NULL;
    double seconds[64];
    uint32_t num_steps = 0, num_done = 0;
    clsort_status status = clsort_set_timing(st->sorter, 1);
    if (!status)
        status = clsort_enqueue(st->sorter, st->queue, desc, &buffers, 0, NULL, &first);
    assert_int_equal(status != CLSORT_OK, first == NULL);
    if (!status) {
        status = clsort_enqueue(st->sorter, st->queue, desc, &buffers, 1, &first, &second);
        assert_int_equal(status != CLSORT_OK, second == NULL);
        clReleaseEvent(first);
    }
    if (!status) {
        clReleaseEvent(second);
        status = clsort_get_timing(st->sorter, seconds, 64, &num_steps);
        if (!status)
            status = clsort_get_progress(st->sorter, &num_done, &num_steps);
    }
    clsort_release_scratch(st->sorter);
    return status;
}

static clsort_arrays arrays_of(const stage *st)
{
    void *const *all = st->arrays;
    if (st->scene->desc.num_columns)
        return (clsort_arrays){.columns = &all[KEYS],
                               .columns_out = all[KEYS_OUT] ? &all[KEYS_OUT] : NULL,
                               .indices = all[INDICES]};
    return (clsort_arrays){.keys = all[KEYS],
                           .offsets = all[OFFSETS],
                           .values = all[VALUES],
                           .keys_out = all[KEYS_OUT],
                           .offsets_out = all[OFFSETS_OUT],
                           .values_out = all[VALUES_OUT],
                           .indices = all[INDICES]};
}

static clsort_status sort(stage *st)
{
    const clsort_arrays arrays = arrays_of(st);
    return clsort_sort(st->sorter, &st->scene->desc, &arrays);
}

static clsort_status sort_alone(stage *st)
{
    const clsort_arrays arrays = arrays_of(st);
    return clsort_sort(NULL, &st->scene->desc, &arrays);
}

static int give(void *context, void *bytes, uint64_t offset, size_t size)
{
    const stage *st = context;
    memcpy(bytes, (const char *)st->arrays[KEYS] + offset, size);
    return 0;
}

static int take(void *context, void *bytes, uint64_t offset, size_t size)
{
    const stage *st = context;
    memcpy((char *)st->arrays[KEYS_OUT] + offset, bytes, size);
    return 0;
}

static clsort_status sort_through(stage *st)
{
    const clsort_stream source = {give, st}, sink = {take, st};
    return clsort_sort_through(st->sorter, &st->scene->desc, &source, &sink);
}

/* Allocates pinned memory, if available, and sorts keys in it. */
static clsort_status sort_pinned(stage *st)
{
    void *block = NULL;
    clsort_status status = clsort_host_alloc(st->sorter, st->sizes[KEYS], &block);
    if (status)
        return status;
    memcpy(block, st->arrays[KEYS], st->sizes[KEYS]);
    const clsort_arrays arrays = {.keys = block, .keys_out = st->arrays[KEYS_OUT]};
    status = clsort_sort(st->sorter, &st->scene->desc, &arrays);
    if (!status)
        assert_memory_equal(block, st->arrays[KEYS], st->sizes[KEYS]);
    expect_status(clsort_host_free(st->sorter, block), CLSORT_OK);
    return status;
}

static const scene scenes[] = {
    {"devices", list, {.count = 0}},
    {"create", create, {.count = 0}},
    {"create alone", create_alone, {.count = 0}},
    {"prepare", prepare, {.count = COUNT, .algorithm = CLSORT_BITONIC, .stable = 1}},
    {"rank", enqueue, {.count = 700, .algorithm = CLSORT_RANK, .value_size = 12}},
    {"bitonic",
     enqueue,
     {.count = COUNT, .algorithm = CLSORT_BITONIC, .stable = 1, .value_size = 12}},
    {"bitonic, out of place",
     enqueue,
     {.count = COUNT, .algorithm = CLSORT_BITONIC, .value_size = 4, .out_of_place = 1}},
    {"radix, out of place",
     enqueue,
     {.count = COUNT, .algorithm = CLSORT_RADIX, .value_size = 12, .out_of_place = 1}},
    {"radix, indices", enqueue, {.count = COUNT, .algorithm = CLSORT_RADIX, .index_size = 4}},
    {"merge, out of place",
     enqueue,
     {.count = COUNT, .algorithm = CLSORT_MERGE, .value_size = 8, .out_of_place = 1}},
    {"records", enqueue, {.count = COUNT, .record = &by_fields, .value_size = 4}},
    {"records, out of place", enqueue, {.count = COUNT, .record = &by_text, .out_of_place = 1}},
    {"records by radix sort",
     enqueue,
     {.count = COUNT, .record = &by_fields, .algorithm = CLSORT_RADIX}},
    {"timed",
     enqueue_timed,
     {.count = COUNT, .algorithm = CLSORT_BITONIC, .stable = 1, .value_size = 12}},
    {"arrays", sort, {.count = COUNT, .algorithm = CLSORT_RADIX, .value_size = 4}},
    {"arrays, out of place",
     sort,
     {.count = COUNT, .algorithm = CLSORT_MERGE, .value_size = 8, .out_of_place = 1}},
    {"arrays to indices", sort, {.count = COUNT, .record = &by_fields, .index_size = 8}},
    /* Two sorts, each of a number and an index. */
    {"arrays of columns",
     sort,
     {.count = COUNT, .num_columns = 2, .columns = columns, .index_size = 4, .out_of_place = 1}},
    {"arrays of strings",
     sort,
     {.count = NUM_STRINGS, .strings = &lines, .index_size = 4, .out_of_place = 1}},
    {"arrays of streams",
     sort_through,
     {.count = COUNT, .out_of_place = 1, .algorithm = CLSORT_RADIX}},
    {"arrays, pinned", sort_pinned, {.count = COUNT, .out_of_place = 1, .algorithm = CLSORT_RADIX}},
    {"arrays without a sorter", sort_alone, {.count = COUNT, .algorithm = CLSORT_RADIX}},
};
enum { num_scenes = sizeof scenes / sizeof scenes[0] };

/* ---- The stage: all buffers and arrays of a call ---- */

/* Random sources, increasing offsets, zeros elsewhere. */
static void stage_fill(stage *st)
{
    for (int i = 0; i < NUM_BUFFERS; ++i) {
        if (!st->sizes[i])
            continue;
        if (i < NUM_SOURCES)
            data_bytes(st->arrays[i], st->sizes[i], (uint64_t)i + 1);
        else
            memset(st->arrays[i], 0, st->sizes[i]);
        for (uint32_t k = 0; k <= NUM_STRINGS && i == OFFSETS; ++k)
            ((uint32_t *)st->arrays[i])[k] = k * (STRINGS_SIZE / NUM_STRINGS) + k % 7;
        buffer_write(st->fix->queue, st->buffers[i], st->arrays[i], st->sizes[i]);
    }
}

static void stage_open(stage *st, const fixture *fix, const scene *sc)
{
    const clsort_desc *desc = &sc->desc;
    const uint64_t key_size = desc->record ? desc->record->size : clsort_type_size(desc->type);
    *st = (stage){.fix = fix, .scene = sc};
    st->sizes[KEYS] = desc->strings ? desc->strings->num_bytes : desc->count * key_size;
    st->sizes[VALUES] = desc->count * desc->value_size;
    st->sizes[OFFSETS] = desc->strings ? (desc->count + 1) * desc->strings->offset_size : 0;
    for (uint32_t i = 0; i < desc->num_columns; ++i)
        st->sizes[KEYS + i] = desc->count * clsort_type_size(desc->columns[i].type);
    for (int i = 0; i < NUM_SOURCES; ++i)
        st->sizes[NUM_SOURCES + i] = desc->out_of_place ? st->sizes[i] : 0;
    st->sizes[INDICES] = desc->count * desc->index_size;
    st->queue = queue_create(fix->context, fix->device, CL_QUEUE_PROFILING_ENABLE);
    expect_status(clsort_create(fix->context, fix->device, &st->sorter), CLSORT_OK);
    for (int i = 0; i < NUM_BUFFERS; ++i) {
        if (!st->sizes[i])
            continue;
        st->arrays[i] = test_alloc(st->sizes[i]);
        st->buffers[i] = buffer_create(fix->context, CL_MEM_READ_WRITE, st->sizes[i], NULL);
    }
    stage_fill(st);
}

static void stage_close(stage *st)
{
    clsort_destroy(st->sorter);
    clReleaseCommandQueue(st->queue);
    for (int i = 0; i < NUM_BUFFERS; ++i) {
        if (st->buffers[i])
            clReleaseMemObject(st->buffers[i]);
        free(st->arrays[i]);
    }
}

/* The contents of all arrays and buffers, concatenated. */
static unsigned char *stage_bytes(const stage *st, uint64_t *size_ret)
{
    uint64_t size = 0;
    for (int i = 0; i < NUM_BUFFERS; ++i)
        size += 2 * st->sizes[i];
    unsigned char *bytes = test_alloc(size + 1), *at = bytes;
    for (int i = 0; i < NUM_BUFFERS; ++i) {
        if (!st->sizes[i])
            continue;
        memcpy(at, st->arrays[i], st->sizes[i]);
        at += st->sizes[i];
        buffer_read(st->fix->queue, st->buffers[i], at, st->sizes[i]);
        at += st->sizes[i];
    }
    *size_ret = size;
    return bytes;
}

/* Compares the stage with an earlier copy of its contents: all of it, or only the sources. */
static int same(const stage *st, const unsigned char *before, int sources_alone)
{
    uint64_t size = 0;
    unsigned char *now = stage_bytes(st, &size);
    const uint64_t part = 2 * (st->sizes[KEYS] + st->sizes[VALUES] + st->sizes[OFFSETS]);
    const int is_same = memcmp(now, before, sources_alone ? part : size) == 0;
    free(now);
    return is_same;
}

/* ---- One fault ---- */

static const cl_int codes[] = {CL_OUT_OF_HOST_MEMORY, CL_MEM_OBJECT_ALLOCATION_FAILURE,
                               CL_OUT_OF_RESOURCES, CL_INVALID_OPERATION, -9999};
enum { num_codes = sizeof codes / sizeof codes[0] };

/* Calls that a sort cannot do without. Pinned memory is not needed. Neither are buffers for arrays
 * on the host: if memory is short, arrays are sorted in smaller pieces. */
static int is_needed(const scene *sc, call name, cl_int code)
{
    const char *limit = getenv("CLSORT_LIMIT");
    const int is_array = strstr(sc->name, "arrays") != NULL;
    const int is_staged = is_array && limit && strstr(limit, "unified=0");
    const int is_memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES;
    if ((is_array && is_memory) ||
        (is_staged && sc->act == sort_pinned && name == CALL_clCreateCommandQueue))
        return 0;
    return name == CALL_clCreateProgramWithSource || name == CALL_clBuildProgram ||
           name == CALL_clCreateKernel || name == CALL_clSetKernelArg ||
           name == CALL_clEnqueueNDRangeKernel || name == CALL_clCreateCommandQueue;
}

static void run_fault(const fixture *fix, const scene *sc, unsigned k, int for_ever,
                      const unsigned char *first, const unsigned char *right)
{
    stage st;
    calls_start();
    stage_open(&st, fix, sc);
    calls_mark();
    calls_fail_any(k, for_ever, codes[k % num_codes]);
    const clsort_status status = sc->act(&st);
    const call name = calls_failed();
    const unsigned pending = calls_pending();
    calls_fail_any(0, 0, CL_SUCCESS);
    expect_cl(clFinish(st.queue));

    const char *wrong = NULL;
    const int kept = sc->desc.out_of_place || sc->desc.index_size;
    clsort_error_info info = {.status = CLSORT_OK};
    if (name == NUM_CALLS)
        wrong = "no call was made to fail";
    else if (status == CLSORT_OK && is_needed(sc, name, codes[k % num_codes]))
        wrong = "a call that is needed failed without a status";
    else if (status == CLSORT_OK && !same(&st, right, 0))
        wrong = "the result is wrong, and no status says so";
    else if (status != CLSORT_OK && kept && !same(&st, first, 1))
        wrong = "the source was changed";
    else if (status != CLSORT_OK && status <= CLSORT_ERROR_BUSY && sc->act != enqueue_timed &&
             !same(&st, first, 0))
        wrong = "something changed although the status promises that nothing did";
    else if (pending && strstr(sc->name, "arrays"))
        wrong = "clsort_sort() returned while commands still used the arrays";
    else if (status == CLSORT_OK || clsort_last_error(st.sorter, &info) || !info.status)
        (void)0;
    else if (!for_ever && info.status != status)
        wrong = "clsort_last_error() reports another status";
    else if (!for_ever && *info.call && strcmp(info.call, calls_name(name)) != 0)
        wrong = "clsort_last_error() reports another call";

    stage_fill(&st);
    const clsort_status next = sc->act(&st);
    expect_cl(clFinish(st.queue));
    if (!wrong && (next || !same(&st, right, 0)))
        wrong = "the next call does not work";
    stage_close(&st);
    calls_stop();
    if (!wrong && calls_balance() != 0)
        wrong = "an object was leaked, or released twice";
    if (wrong)
        fail_msg("%s\n  %s; call number %u, %s%s, fails with %d; status: %s", wrong, sc->name, k,
                 name < NUM_CALLS ? calls_name(name) : "", for_ever ? " and all later ones" : "",
                 (int)codes[k % num_codes], clsort_status_text(status));
}

static void run_scene(const fixture *fix, const scene *sc)
{
    stage st;
    uint64_t size = 0;
    stage_open(&st, fix, sc);
    unsigned char *first = stage_bytes(&st, &size);
    calls_start();
    expect_status(sc->act(&st), CLSORT_OK);
    const unsigned number = calls_fallible();
    calls_stop();
    expect_cl(clFinish(st.queue));
    unsigned char *right = stage_bytes(&st, &size);
    stage_close(&st);
    printf("%s: %u calls\n", sc->name, number);
    assert_true(number >= 1);
    for (unsigned k = 1; k <= number; ++k)
        for (int for_ever = 0; for_ever < 1 + (k % 3 == 0); ++for_ever)
            run_fault(fix, sc, k, for_ever, first, right);
    free(first);
    free(right);
}

static const char *scenes_wanted;

static void test_every_call(void **state)
{
    const fixture *fix = fixture_of(state);
    int num_run = 0;
    keep_programs(fix->context);
    for (int i = 0; i < num_scenes; ++i) {
        if (!strstr(scenes[i].name, scenes_wanted))
            continue;
        run_scene(fix, &scenes[i]);
        ++num_run;
    }
    assert_true(num_run > 0);
}

/* test_every_call [TEXT]: only the scenes whose names contain TEXT. */
int main(int argc, char **argv)
{
    scenes_wanted = argc > 1 ? argv[1] : "";
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_call)};
    return fixture_run("every_call", tests, sizeof tests / sizeof tests[0]);
}
