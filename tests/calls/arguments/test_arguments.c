/* A refused call names the wrong argument, for each check of descriptions, buffers, queues, wait
 * lists and arrays; nothing is enqueued and nothing changes. test_args and its neighbours try more
 * wrong values for each status, and check that an argument is named at all. */
#include <string.h>

#include "refusal.h"
#include "setting.h"

enum { count = 8 };

/* ---- Descriptions ---- */
#define BIG (UINT64_C(1) << 60)
#define MOST_ROWS (UINT64_C(1) << 44)
static const clsort_field fields[17] = {{0, CLSORT_U32, CLSORT_ASCENDING}};
static const clsort_field bad_offset[] = {{0, CLSORT_U8, CLSORT_ASCENDING},
                                          {1, CLSORT_U32, CLSORT_ASCENDING}};
static const clsort_field behind = {10, CLSORT_U32, CLSORT_ASCENDING};
static const clsort_field far = {UINT32_MAX, CLSORT_U32, CLSORT_ASCENDING};
static const clsort_field bad_type[] = {{0, CLSORT_NUM_TYPES, CLSORT_ASCENDING}};
static const clsort_field bad_order[] = {{0, CLSORT_U32, (clsort_order)2}};
static const clsort_column columns[17] = {{CLSORT_U32, CLSORT_ASCENDING}};
static const clsort_column wrong_columns[] = {{CLSORT_U8, CLSORT_ASCENDING},
                                              {CLSORT_U8, (clsort_order)7},
                                              {CLSORT_NUM_TYPES, CLSORT_ASCENDING}};
static const clsort_column wrong_type[] = {{CLSORT_U8, CLSORT_ASCENDING},
                                           {CLSORT_NUM_TYPES, CLSORT_ASCENDING}};
static const clsort_record good_record = {.size = 4, .num_fields = 1, .fields = fields};
static const clsort_record less_record = {.size = 4, .type = "int", .less = "a < b"};
static const clsort_strings good_strings = {.num_bytes = 80, .offset_size = 4};

/* clang-format off */
#define RECORD(...) .record = &(const clsort_record){__VA_ARGS__}
#define STRINGS(...) .strings = &(const clsort_strings){__VA_ARGS__}, .index_size = 4
/* clang-format on */
#define COLUMNS .num_columns = 2, .columns = columns

static const refusal wrong_descs[] = {
    REFUSED(TYPE, "type", .type = CLSORT_NUM_TYPES),
    REFUSED(ORDER, "order", .order = (clsort_order)2),
    REFUSED(ALGORITHM, "algorithm", .algorithm = CLSORT_NUM_ALGORITHMS),
    REFUSED(RESERVED, "reserved", .reserved = {0, 1}),
    REFUSED(BIT_RANGE, "end_bit", .end_bit = 33),
    REFUSED(BIT_RANGE, "first_bit", .first_bit = 9, .end_bit = 9),
    REFUSED(INDEX_SIZE, "index_size", .index_size = 2),
    REFUSED(INDEX_SIZE, "index_size", .count = (UINT64_C(1) << 32) + 1, .index_size = 4),
    REFUSED(INDEX_AND_VALUES, "value_size", .value_size = 4, .index_size = 4),
    REFUSED(COUNT, "count", .count = BIG),
    REFUSED(COUNT, "num_arrays", .num_arrays = BIG),
    REFUSED(COUNT, "num_arrays", .count = 1 << 30, .num_arrays = 1 << 30),
    REFUSED(COUNT, "count", .count = UINT64_C(1) << 47, .value_size = 1 << 20),
    REFUSED(COUNT, "count", .count = UINT64_C(1) << 47, .num_columns = 2, .columns = columns),
    REFUSED(ALGORITHM_COUNT, "algorithm", .count = 1 << 21, .algorithm = CLSORT_RANK),

    REFUSED(RECORD, "type", .type = CLSORT_F32, .record = &good_record),
    REFUSED(RECORD, "first_bit", .record = &good_record, .first_bit = 1),
    REFUSED(RECORD, "end_bit", .record = &good_record, .end_bit = 1),
    REFUSED(RECORD, "record.size", RECORD(.num_fields = 1, .fields = fields)),
    REFUSED(RECORD, "record.size", RECORD(.size = 257, .num_fields = 1, .fields = fields)),
    REFUSED(RECORD, "record.num_fields", RECORD(.size = 4)),
    REFUSED(RECORD, "record.num_fields", RECORD(.size = 4, .num_fields = 17, .fields = fields)),
    REFUSED(RECORD, "record.fields", RECORD(.size = 4, .num_fields = 1)),
    REFUSED(RECORD, "record.type", RECORD(.size = 4, .less = "a < b")),
    REFUSED(RECORD, "record.less", RECORD(.size = 4, .type = "int")),
    REFUSED(RESERVED, "record.reserved",
            RECORD(.size = 4, .num_fields = 1, .fields = fields, .reserved = {1})),
    REFUSED(RECORD, "record.fields[1].offset",
            RECORD(.size = 4, .num_fields = 2, .fields = bad_offset)),
    REFUSED(TYPE, "record.fields[0].type", RECORD(.size = 4, .num_fields = 1, .fields = bad_type)),
    REFUSED(ORDER, "record.fields[0].order",
            RECORD(.size = 4, .num_fields = 1, .fields = bad_order)),
    REFUSED(ALGORITHM_RECORD, "algorithm", .record = &less_record, .algorithm = CLSORT_RADIX),
    REFUSED(RECORD, "record.num_fields",
            RECORD(.size = 4, .num_fields = 1, .fields = fields, .type = "int")),
    REFUSED(RECORD, "record.less",
            RECORD(.size = 4, .type = "int", .less = "a < b", .less_body = "return a < b;")),
    REFUSED(RECORD, "record.fields[0].offset",
            RECORD(.size = 12, .num_fields = 1, .fields = &behind)),
    REFUSED(RECORD, "record.fields[0].offset", RECORD(.size = 12, .num_fields = 1, .fields = &far)),
    REFUSED(ALGORITHM_RECORD, "algorithm", .record = &good_record, .algorithm = CLSORT_BITONIC),
    REFUSED(RECORD, "record.size", .count = UINT64_C(1) << 47,
            RECORD(.size = 257, .num_fields = 1, .fields = fields)),
    {{.count = 5, .record = &good_record}, CLSORT_OK, NULL},
    {{.count = 5, .record = &good_record, .algorithm = CLSORT_RADIX}, CLSORT_OK, NULL},

    REFUSED(COLUMNS, "num_columns", .columns = columns),
    REFUSED(COLUMNS, "num_columns", .num_columns = 17, .columns = columns),
    REFUSED(COLUMNS, "columns", .num_columns = 2),
    REFUSED(COLUMNS, "type", COLUMNS, .type = CLSORT_F32),
    REFUSED(COLUMNS, "first_bit", COLUMNS, .first_bit = 1),
    REFUSED(COLUMNS, "end_bit", COLUMNS, .end_bit = 1),
    REFUSED(COLUMNS, "record", COLUMNS, .record = &good_record),
    REFUSED(COLUMNS, "strings", COLUMNS, .strings = &good_strings),
    REFUSED(ORDER, "columns[1].order", .num_columns = 2, .columns = wrong_columns),
    REFUSED(ORDER, "columns[0].order", .num_columns = 2, .columns = wrong_columns + 1),
    REFUSED(TYPE, "columns[0].type", .num_columns = 1, .columns = wrong_columns + 2),
    REFUSED(TYPE, "columns[1].type", .num_columns = 2, .columns = wrong_type),
    REFUSED(COLUMNS, "num_columns", .num_columns = UINT32_MAX, .columns = columns),
    REFUSED(ORDER, "order", COLUMNS, .order = (clsort_order)2),
    REFUSED(INDEX_SIZE, "index_size", COLUMNS, .index_size = 2),
    REFUSED(INDEX_AND_VALUES, "value_size", COLUMNS, .value_size = 4, .index_size = 4),
    REFUSED(RESERVED, "reserved", COLUMNS, .reserved = {1}),
    REFUSED(COUNT, "num_arrays", COLUMNS, .count = 5, .num_arrays = UINT64_C(1) << 46),
    REFUSED(COUNT, "count", .count = 5, .num_arrays = MOST_ROWS / 5 + 1, .num_columns = 16,
            .columns = columns),
    {{.count = 5, .num_arrays = MOST_ROWS / 5, .num_columns = 16, .columns = columns},
     CLSORT_OK,
     NULL},
    {{.count = 5, .num_columns = 16, .columns = columns, .index_size = 8}, CLSORT_OK, NULL},

    REFUSED(STRINGS, "type", .type = CLSORT_F32, STRINGS(.offset_size = 4)),
    REFUSED(STRINGS, "record", .record = &good_record, STRINGS(.offset_size = 4)),
    REFUSED(STRINGS, "first_bit", .first_bit = 1, STRINGS(.offset_size = 4)),
    REFUSED(STRINGS, "end_bit", .end_bit = 1, STRINGS(.offset_size = 4)),
    REFUSED(STRINGS, "value_size", .value_size = 1, STRINGS(.offset_size = 4)),
    REFUSED(STRINGS, "num_arrays", .num_arrays = 2, STRINGS(.offset_size = 4)),
    REFUSED(STRINGS, "index_size", .strings = &good_strings),
    REFUSED(STRINGS, "algorithm", .algorithm = CLSORT_MERGE, STRINGS(.offset_size = 4)),
    REFUSED(INDEX_SIZE, "index_size", .strings = &good_strings, .index_size = 5),
    REFUSED(COUNT, "count", .count = UINT64_C(1) << 32, STRINGS(.offset_size = 8)),
    REFUSED(COUNT, "strings.num_bytes", STRINGS(.num_bytes = UINT64_MAX, .offset_size = 8)),
    REFUSED(STRINGS, "strings.offset_size", STRINGS(.offset_size = 2)),
    REFUSED(STRINGS, "strings.num_bytes", STRINGS(.num_bytes = BIG, .offset_size = 4)),
    REFUSED(STRINGS, "strings.num_bytes", STRINGS(.num_bytes = 1)),
    REFUSED(STRINGS, "strings.tail_size", STRINGS(.tail_size = 1)),
    REFUSED(STRINGS, "strings.width", STRINGS(.offset_size = 4, .width = 1)),
    REFUSED(RESERVED, "strings.reserved", STRINGS(.offset_size = 4, .reserved = {1})),
    REFUSED(RESERVED, "strings.reserved", STRINGS(.offset_size = 4, .reserved = {0, 1})),
    REFUSED(STRINGS, "strings.num_bytes", .count = 11, STRINGS(.num_bytes = 100, .width = 10)),
    REFUSED(STRINGS, "strings.tail_size", .count = 10,
            STRINGS(.num_bytes = 100, .width = 10, .tail_size = 11)),
    REFUSED(STRINGS, "strings.num_bytes", .count = 10,
            STRINGS(.num_bytes = UINT64_C(1) << 32, .offset_size = 4)),
    REFUSED(COUNT, "strings.num_bytes", .count = 10,
            STRINGS(.num_bytes = UINT64_C(1) << 62, .offset_size = 8)),
    REFUSED(ORDER, "order", .order = (clsort_order)2, STRINGS(.offset_size = 4)),
    {{.count = 10, STRINGS(.num_bytes = 100, .offset_size = 4)}, CLSORT_OK, NULL},
    {{.count = 10, .algorithm = CLSORT_RADIX, STRINGS(.num_bytes = 100, .offset_size = 4)},
     CLSORT_OK,
     NULL},
    {{.count = 10, .strings = &good_strings, .index_size = 8, .out_of_place = 1}, CLSORT_OK, NULL},
    {{.count = 10, .out_of_place = 1, STRINGS(.num_bytes = 100, .width = 10)}, CLSORT_OK, NULL},
};

static void test_descriptions(void **state)
{
    const fixture *fix = fixture_of(state);
    uint64_t scratch_size = 0;
    refusals_run(fix, wrong_descs, sizeof wrong_descs / sizeof *wrong_descs);
    expect_argument(fix->sorter, clsort_scratch_size(fix->sorter, NULL, &scratch_size),
                    CLSORT_ERROR_NULL, "desc");
}

/* ---- Buffers ---- */
enum kind {
    NUMBERS,
    PAIRS,
    INDICES,
    IN_PLACE,
    FLOATS,
    WITH_VALUES,
    WIDE_PAIRS,
    WIDE_INDICES,
    STRINGS_OUT,
    ROWS,
    ROWS_IN_PLACE,
    NUM_KINDS
};
static const clsort_column two_columns[] = {{CLSORT_U32, CLSORT_ASCENDING},
                                            {CLSORT_F64, CLSORT_ASCENDING}};
static const clsort_desc descs[NUM_KINDS] = {
    [NUMBERS] = {.count = count, .out_of_place = 1},
    [PAIRS] = {.count = count, .value_size = 8, .out_of_place = 1},
    [INDICES] = {.count = count, .index_size = 4},
    [IN_PLACE] = {.count = count, .algorithm = CLSORT_RADIX},
    [FLOATS] = {.count = count, .type = CLSORT_F32},
    [WITH_VALUES] = {.count = count, .value_size = 12},
    [WIDE_PAIRS] = {.count = count, .type = CLSORT_U64, .value_size = 16, .out_of_place = 1},
    [WIDE_INDICES] = {.count = count, .type = CLSORT_U16, .index_size = 8},
    [STRINGS_OUT] = {.count = count, .strings = &good_strings, .out_of_place = 1},
    [ROWS] = {.count = count, .num_columns = 2, .columns = two_columns, .out_of_place = 1},
    [ROWS_IN_PLACE] = {.count = count, .num_columns = 2, .columns = two_columns},
};

static void refuse(setting *s, clsort_status expected, const char *argument)
{
    expect_refused_as(s, &s->buffers, expected, argument);
    setting_set_good(s);
}

static void refuse_each_buffer(setting *s)
{
    clsort_buffers *b = &s->buffers;
    const struct {
        clsort_buffer *buffer;
        const char *name;
    } all[] = {
        {&b->keys, "keys"},
        {&b->keys_out, "keys_out"},
        {&b->values, "values"},
        {&b->values_out, "values_out"},
        {&b->indices, "indices"},
        {&b->offsets, "offsets"},
        {&b->offsets_out, "offsets_out"},
        {&s->columns[0], "columns[0]"},
        {&s->columns[1], "columns[1]"},
        {&s->columns_out[0], "columns_out[0]"},
        {&s->columns_out[1], "columns_out[1]"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        clsort_buffer *buffer = all[i].buffer;
        if (buffer->mem) {
            buffer->mem = NULL;
            refuse(s, CLSORT_ERROR_BUFFER_MISSING, all[i].name);
            buffer->offset = setting_room;
            refuse(s, CLSORT_ERROR_BUFFER_TOO_SMALL, all[i].name);
            const int are_bytes = s->desc.strings && i < 2;
            buffer->offset = 1;
            if (!are_bytes)
                refuse(s, CLSORT_ERROR_BUFFER_MISALIGNED, all[i].name);
        } else if (i < 7) {
            buffer->mem = s->mems[7];
            refuse(s, CLSORT_ERROR_BUFFER_UNEXPECTED, all[i].name);
        }
    }
}

/* Every buffer of every kind of sort left out, misplaced and, where unneeded, given. */
static void test_buffers(void **state)
{
    for (enum kind kind = 0; kind < NUM_KINDS; ++kind) {
        setting s;
        setting_open(&s, fixture_of(state), descs[kind]);
        refuse_each_buffer(&s);
        if (!s.buffers.columns) {
            s.buffers.columns = s.columns;
            refuse(&s, CLSORT_ERROR_BUFFER_UNEXPECTED, "columns");
        }
        if (!s.buffers.columns_out) {
            s.buffers.columns_out = s.columns_out;
            refuse(&s, CLSORT_ERROR_BUFFER_UNEXPECTED, "columns_out");
        }
        if (!s.desc.strings) /* whose offsets are random */
            expect_accepted(&s, &s.buffers);
        setting_close(&s);
    }
}

/* What OpenCL says about a buffer. */
static void test_objects(void **state)
{
    const fixture *fix = fixture_of(state);
    setting s;
    setting_open(&s, fix, descs[PAIRS]);
    cl_mem read_only = buffer_create(fix->context, CL_MEM_READ_ONLY, setting_room, NULL);
    cl_context other = context_create(fix->device);
    cl_mem foreign = buffer_create(other, CL_MEM_READ_WRITE, setting_room, NULL);

    s.buffers.values_out.mem = read_only;
    refuse(&s, CLSORT_ERROR_BUFFER_ACCESS, "values_out");
    s.buffers.keys.mem = foreign;
    refuse(&s, CLSORT_ERROR_WRONG_CONTEXT, "keys");
    s.buffers.values.mem = foreign;
    refuse(&s, CLSORT_ERROR_WRONG_CONTEXT, "values");
    s.buffers.values_out.mem = s.buffers.keys.mem;
    refuse(&s, CLSORT_ERROR_BUFFER_OVERLAP, "values_out");
    expect_accepted(&s, &s.buffers);
    clReleaseMemObject(foreign);
    clReleaseMemObject(read_only);
    clReleaseContext(other);
    setting_close(&s);
}

static void test_columns(void **state)
{
    const fixture *fix = fixture_of(state);
    setting s;
    setting_open(&s, fix, descs[ROWS]);
    cl_mem read_only = buffer_create(fix->context, CL_MEM_READ_ONLY, setting_room, NULL);
    cl_mem write_only = buffer_create(fix->context, CL_MEM_WRITE_ONLY, setting_room, NULL);
    const struct {
        clsort_buffer *place, buffer; /* what goes there */
        clsort_status status;
        const char *argument;
    } wrong[] = {
        {&s.columns[1],
         {s.mems[1], setting_room - 8 * count + 8},
         CLSORT_ERROR_BUFFER_TOO_SMALL,
         "columns[1]"},
        {&s.columns_out[1],
         {s.mems[3], setting_room - 8 * count + 8},
         CLSORT_ERROR_BUFFER_TOO_SMALL,
         "columns_out[1]"},
        {&s.columns[1], {s.mems[0], 0}, CLSORT_ERROR_BUFFER_OVERLAP, "columns[1]"},
        {&s.columns_out[1], {s.mems[2], 0}, CLSORT_ERROR_BUFFER_OVERLAP, "columns_out[1]"},
        {&s.columns_out[1], {s.mems[0], 0}, CLSORT_ERROR_BUFFER_OVERLAP, "columns_out[1]"},
        {&s.columns[1], {write_only, 0}, CLSORT_ERROR_BUFFER_ACCESS, "columns[1]"},
        {&s.columns_out[1], {read_only, 0}, CLSORT_ERROR_BUFFER_ACCESS, "columns_out[1]"},
        {&s.buffers.scratch, {s.mems[7], setting_room}, CLSORT_ERROR_SCRATCH_TOO_SMALL, "scratch"},
        {&s.buffers.scratch, {s.mems[7], 4}, CLSORT_ERROR_BUFFER_MISALIGNED, "scratch"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        *wrong[i].place = wrong[i].buffer;
        refuse(&s, wrong[i].status, wrong[i].argument);
    }
    s.buffers.columns = NULL;
    refuse(&s, CLSORT_ERROR_BUFFER_MISSING, "columns[0]");
    s.buffers.columns_out = NULL;
    refuse(&s, CLSORT_ERROR_BUFFER_MISSING, "columns_out[0]");
    expect_accepted(&s, &s.buffers);
    clReleaseMemObject(read_only);
    clReleaseMemObject(write_only);
    setting_close(&s);
}

static void test_queues(void **state)
{
    const fixture *fix = fixture_of(state);
    setting s;
    setting_open(&s, fix, descs[IN_PLACE]);
    cl_context other = context_create(fix->device);
    cl_command_queue foreign = queue_create(other, fix->device, 0);
    cl_event foreign_event = event_create(other), both = event_create(fix->context);

    const cl_event null_event = NULL, waited_for = both;
    const struct {
        cl_command_queue queue;
        cl_uint num_events;
        const cl_event *events;
        clsort_status status;
        const char *argument;
    } wrong[] = {
        {NULL, 0, NULL, CLSORT_ERROR_NULL, "queue"},
        {foreign, 0, NULL, CLSORT_ERROR_WRONG_CONTEXT, "queue"},
        {fix->queue, 1, NULL, CLSORT_ERROR_WAIT_LIST, "event_wait_list"},
        {fix->queue, 0, &both, CLSORT_ERROR_WAIT_LIST, "num_events_in_wait_list"},
        {fix->queue, 0, &foreign_event, CLSORT_ERROR_WAIT_LIST, "num_events_in_wait_list"},
        {fix->queue, 1, &null_event, CLSORT_ERROR_WAIT_LIST, "event_wait_list"},
        {fix->queue, 1, &foreign_event, CLSORT_ERROR_WRONG_CONTEXT, "event_wait_list"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        expect_refused_at(&s, wrong[i].queue, &s.buffers, wrong[i].num_events, wrong[i].events,
                          wrong[i].status, wrong[i].argument, __FILE__, __LINE__);
    /* One variable may hold the event to wait for, and then the sort's. */
    expect_cl(clSetUserEventStatus(both, CL_COMPLETE));
    expect_status(clsort_enqueue(fix->sorter, fix->queue, &s.desc, &s.buffers, 1, &both, &both),
                  CLSORT_OK);
    assert_true(both && both != waited_for);
    expect_cl(clWaitForEvents(1, &both));
    clReleaseEvent(both);
    clReleaseEvent(waited_for);
    /* An array that is not used is none for a count of 0 either. */
    setting_reset(&s);
    s.desc.count = 0;
    s.buffers.indices = s.buffers.keys;
    refuse(&s, CLSORT_ERROR_BUFFER_UNEXPECTED, "indices");
    expect_cl(clSetUserEventStatus(foreign_event, CL_COMPLETE));
    clReleaseEvent(foreign_event);
    clReleaseCommandQueue(foreign);
    clReleaseContext(other);
    setting_close(&s);
}

/* ---- Arrays ---- */
static uint64_t block[4][4 * count];
static uint64_t *const a = block[0], *const b = block[1], *const c = block[2], *const d = block[3];

static void *past(uint64_t *array, int num_bytes)
{
    return (char *)array + num_bytes;
}

/* Refused with a sorter and without, with nothing written. */
static void refuse_arrays(const fixture *fix, enum kind kind, const clsort_arrays *arrays,
                          clsort_status status, const char *argument)
{
    uint64_t before[4][4 * count];
    data_bytes(block, sizeof block, 9);
    memcpy(before, block, sizeof block);
    expect_argument(fix->sorter, clsort_sort(fix->sorter, &descs[kind], arrays), status, argument);
    expect_status(clsort_sort(NULL, &descs[kind], arrays), status);
    assert_memory_equal(block, before, sizeof block);
}

static void test_arrays(void **state)
{
    const fixture *fix = fixture_of(state);
    void *const two[] = {a, b}, *const one[] = {a, NULL}, *const same[] = {a, a};
    void *const twice[] = {c, d};
    const struct {
        enum kind kind;
        clsort_arrays arrays;
        clsort_status status;
        const char *argument;
    } wrong[] = {
        WRONG(BUFFER_MISSING, "keys", FLOATS, .keys = NULL),
        WRONG(BUFFER_MISSING, "keys_out", NUMBERS, .keys = a),
        WRONG(BUFFER_MISSING, "values", WITH_VALUES, .keys = a),
        WRONG(BUFFER_MISSING, "keys", WITH_VALUES, .values = a),
        WRONG(BUFFER_MISSING, "values", PAIRS, .keys = a, .keys_out = b),
        WRONG(BUFFER_MISSING, "values_out", PAIRS, .keys = a, .values = c, .keys_out = b),
        WRONG(BUFFER_MISSING, "keys_out", PAIRS, .keys = a, .values = c, .values_out = d),
        WRONG(BUFFER_MISSING, "indices", INDICES, .keys = a),
        WRONG(BUFFER_UNEXPECTED, "values", INDICES, .keys = a, .values = b, .indices = c),
        WRONG(BUFFER_UNEXPECTED, "keys_out", FLOATS, .keys = a, .keys_out = b),
        WRONG(BUFFER_UNEXPECTED, "values", FLOATS, .keys = a, .values = b),
        WRONG(BUFFER_UNEXPECTED, "values_out", FLOATS, .keys = a, .values_out = b),
        WRONG(BUFFER_UNEXPECTED, "indices", FLOATS, .keys = a, .indices = b),
        WRONG(BUFFER_UNEXPECTED, "columns", FLOATS, .keys = a, .columns = two),
        WRONG(BUFFER_UNEXPECTED, "columns_out", FLOATS, .keys = a, .columns_out = two),
        WRONG(BUFFER_MISALIGNED, "keys", FLOATS, .keys = past(a, 1)),
        WRONG(BUFFER_MISALIGNED, "keys", FLOATS, .keys = past(a, 2)),
        WRONG(BUFFER_MISALIGNED, "values", WITH_VALUES, .keys = a, .values = past(b, 2)),
        WRONG(BUFFER_MISALIGNED, "keys_out", NUMBERS, .keys = a, .keys_out = past(b, 1)),
        WRONG(BUFFER_MISALIGNED, "keys_out", WIDE_PAIRS, .keys = a, .values = c,
              .keys_out = past(b, 4), .values_out = d),
        WRONG(BUFFER_MISALIGNED, "indices", WIDE_INDICES, .keys = a, .indices = past(b, 4)),
        WRONG(BUFFER_OVERLAP, "keys_out", NUMBERS, .keys = a, .keys_out = a),
        WRONG(BUFFER_OVERLAP, "keys_out", WIDE_PAIRS, .keys = a, .values = c, .keys_out = a,
              .values_out = d),
        WRONG(BUFFER_OVERLAP, "keys_out", WIDE_PAIRS, .keys = a, .values = c,
              .keys_out = past(a, 8 * count - 8), .values_out = d),
        WRONG(BUFFER_OVERLAP, "values_out", WIDE_PAIRS, .keys = a, .values = c, .keys_out = b,
              .values_out = past(c, 8 - 16 * count)),
        WRONG(BUFFER_OVERLAP, "values", WITH_VALUES, .keys = a, .values = past(a, 4 * count - 4)),
        WRONG(BUFFER_OVERLAP, "indices", WIDE_INDICES, .keys = a,
              .indices = past(a, 2 * count - 8)),
        WRONG(COUNT, "keys", NUMBERS, .keys = (void *)(UINTPTR_MAX - 3), .keys_out = a),
        WRONG(BUFFER_MISSING, "offsets", STRINGS_OUT, .keys = a, .keys_out = b),
        WRONG(BUFFER_MISSING, "offsets_out", STRINGS_OUT, .keys = a, .offsets = c, .keys_out = b),
        WRONG(BUFFER_MISSING, "columns[1]", ROWS_IN_PLACE, .columns = one),
        WRONG(BUFFER_OVERLAP, "columns[1]", ROWS_IN_PLACE, .columns = same),
        WRONG(BUFFER_MISSING, "columns[0]", ROWS_IN_PLACE, .columns = NULL),
        WRONG(BUFFER_UNEXPECTED, "columns_out", ROWS_IN_PLACE, .columns = two, .columns_out = two),
        WRONG(BUFFER_OVERLAP, "columns_out[0]", ROWS, .columns = two, .columns_out = one),
        WRONG(BUFFER_UNEXPECTED, "keys", ROWS, .keys = a, .columns = two, .columns_out = twice),
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        refuse_arrays(fix, wrong[i].kind, &wrong[i].arrays, wrong[i].status, wrong[i].argument);
    /* Adjacent arrays are allowed. */
    const clsort_arrays touching = {.keys = a,
                                    .keys_out = past(a, 8 * count),
                                    .values = past(a, 16 * count),
                                    .values_out = past(a, 32 * count)};
    expect_status(clsort_sort(fix->sorter, &descs[WIDE_PAIRS], &touching), CLSORT_OK);
}

/* When no argument is wrong, or nothing has failed. */
static void test_none(void **state)
{
    const fixture *fix = fixture_of(state);
    clsort_sorter *sorter = sorter_create(fix);
    expect_argument(sorter, CLSORT_OK, CLSORT_OK, "");
    const clsort_desc wrong = {.type = CLSORT_NUM_TYPES};
    expect_argument(sorter, clsort_prepare(sorter, &wrong), CLSORT_ERROR_TYPE, "desc.type");
    double seconds = 0;
    uint32_t num_steps = 0;
    expect_argument(sorter, clsort_get_timing(sorter, &seconds, 1, &num_steps),
                    CLSORT_ERROR_NO_TIMING, "");
    const clsort_record record = {.size = 4, .type = "int", .less = "a < missing"};
    const clsort_desc desc = {.count = 100, .record = &record};
    expect_argument(sorter, clsort_prepare(sorter, &desc), CLSORT_ERROR_BUILD, "");
    clsort_destroy(sorter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_descriptions), cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_objects),      cmocka_unit_test(test_columns),
        cmocka_unit_test(test_queues),       cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_none),
    };
    fixture_with_host();
    return fixture_run("arguments", tests, sizeof tests / sizeof tests[0]);
}
