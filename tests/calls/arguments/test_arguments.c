/* A refused call names the wrong argument, for each check of descriptions, buffers, queues, wait
 * lists and arrays. test_args and its neighbours try more wrong values for each status, and check
 * that an argument is named at all. */
#include <string.h>

#include "support/fixture.h"

enum { count = 8, size = 4096 };

static void expect_argument(clsort_sorter *sorter, clsort_status got, clsort_status expected,
                            const char *argument)
{
    clsort_error_info info;
    expect_status(clsort_last_error(sorter, &info), CLSORT_OK);
    if (got != expected || info.status != expected || strcmp(info.argument, argument) != 0)
        fail_msg("\"%s\" about \"%s\" instead of \"%s\" about \"%s\"", clsort_status_text(got),
                 info.argument, clsort_status_text(expected), argument);
}

/* ---- Descriptions ---- */
#define BIG (UINT64_C(1) << 60)
static const clsort_field fields[17] = {{0, CLSORT_U32, CLSORT_ASCENDING}};
static const clsort_field bad_offset[] = {{0, CLSORT_U8, CLSORT_ASCENDING},
                                          {1, CLSORT_U32, CLSORT_ASCENDING}};
static const clsort_field bad_type[] = {{0, CLSORT_NUM_TYPES, CLSORT_ASCENDING}};
static const clsort_field bad_order[] = {{0, CLSORT_U32, (clsort_order)2}};
static const clsort_column columns[17] = {{CLSORT_U32, CLSORT_ASCENDING}};
static const clsort_column wrong_columns[] = {{CLSORT_U8, CLSORT_ASCENDING},
                                              {CLSORT_U8, (clsort_order)7},
                                              {CLSORT_NUM_TYPES, CLSORT_ASCENDING}};
static const clsort_record good_record = {.size = 4, .num_fields = 1, .fields = fields};
static const clsort_record less_record = {.size = 4, .type = "int", .less = "a < b"};
static const clsort_strings good_strings = {.num_bytes = 80, .offset_size = 4};

/* clang-format off */
#define RECORD(...) .record = &(const clsort_record){__VA_ARGS__}
#define STRINGS(...) .strings = &(const clsort_strings){__VA_ARGS__}, .index_size = 4
/* clang-format on */
#define COLUMNS .num_columns = 2, .columns = columns

static const struct {
    clsort_desc desc;
    clsort_status status;
    const char *argument;
} wrong_descs[] = {
    {{.type = CLSORT_NUM_TYPES}, CLSORT_ERROR_TYPE, "desc.type"},
    {{.order = (clsort_order)2}, CLSORT_ERROR_ORDER, "desc.order"},
    {{.algorithm = CLSORT_NUM_ALGORITHMS}, CLSORT_ERROR_ALGORITHM, "desc.algorithm"},
    {{.reserved = {0, 1}}, CLSORT_ERROR_RESERVED, "desc.reserved"},
    {{.end_bit = 33}, CLSORT_ERROR_BIT_RANGE, "desc.end_bit"},
    {{.first_bit = 9, .end_bit = 9}, CLSORT_ERROR_BIT_RANGE, "desc.first_bit"},
    {{.index_size = 2}, CLSORT_ERROR_INDEX_SIZE, "desc.index_size"},
    {{.count = (UINT64_C(1) << 32) + 1, .index_size = 4},
     CLSORT_ERROR_INDEX_SIZE,
     "desc.index_size"},
    {{.value_size = 4, .index_size = 4}, CLSORT_ERROR_INDEX_AND_VALUES, "desc.value_size"},
    {{.count = BIG}, CLSORT_ERROR_COUNT, "desc.count"},
    {{.num_arrays = BIG}, CLSORT_ERROR_COUNT, "desc.num_arrays"},
    {{.count = 1 << 30, .num_arrays = 1 << 30}, CLSORT_ERROR_COUNT, "desc.num_arrays"},
    {{.count = UINT64_C(1) << 47, .value_size = 1 << 20}, CLSORT_ERROR_COUNT, "desc.count"},
    {{.count = UINT64_C(1) << 47, .num_columns = 2, .columns = columns},
     CLSORT_ERROR_COUNT,
     "desc.count"},
    {{.count = 1 << 21, .algorithm = CLSORT_RANK}, CLSORT_ERROR_ALGORITHM_COUNT, "desc.algorithm"},

    {{.type = CLSORT_F32, .record = &good_record}, CLSORT_ERROR_RECORD, "desc.type"},
    {{.record = &good_record, .first_bit = 1}, CLSORT_ERROR_RECORD, "desc.first_bit"},
    {{.record = &good_record, .end_bit = 1}, CLSORT_ERROR_RECORD, "desc.end_bit"},
    {{RECORD(.num_fields = 1, .fields = fields)}, CLSORT_ERROR_RECORD, "desc.record.size"},
    {{RECORD(.size = 257, .num_fields = 1, .fields = fields)},
     CLSORT_ERROR_RECORD,
     "desc.record.size"},
    {{RECORD(.size = 4)}, CLSORT_ERROR_RECORD, "desc.record.num_fields"},
    {{RECORD(.size = 4, .num_fields = 17, .fields = fields)},
     CLSORT_ERROR_RECORD,
     "desc.record.num_fields"},
    {{RECORD(.size = 4, .num_fields = 1)}, CLSORT_ERROR_RECORD, "desc.record.fields"},
    {{RECORD(.size = 4, .less = "a < b")}, CLSORT_ERROR_RECORD, "desc.record.type"},
    {{RECORD(.size = 4, .type = "int")}, CLSORT_ERROR_RECORD, "desc.record.less"},
    {{RECORD(.size = 4, .num_fields = 1, .fields = fields, .reserved = {1})},
     CLSORT_ERROR_RESERVED,
     "desc.record.reserved"},
    {{RECORD(.size = 4, .num_fields = 2, .fields = bad_offset)},
     CLSORT_ERROR_RECORD,
     "desc.record.fields[1].offset"},
    {{RECORD(.size = 4, .num_fields = 1, .fields = bad_type)},
     CLSORT_ERROR_TYPE,
     "desc.record.fields[0].type"},
    {{RECORD(.size = 4, .num_fields = 1, .fields = bad_order)},
     CLSORT_ERROR_ORDER,
     "desc.record.fields[0].order"},
    {{.record = &less_record, .algorithm = CLSORT_RADIX},
     CLSORT_ERROR_ALGORITHM_RECORD,
     "desc.algorithm"},

    {{.columns = columns}, CLSORT_ERROR_COLUMNS, "desc.num_columns"},
    {{.num_columns = 17, .columns = columns}, CLSORT_ERROR_COLUMNS, "desc.num_columns"},
    {{.num_columns = 2}, CLSORT_ERROR_COLUMNS, "desc.columns"},
    {{COLUMNS, .type = CLSORT_F32}, CLSORT_ERROR_COLUMNS, "desc.type"},
    {{COLUMNS, .first_bit = 1}, CLSORT_ERROR_COLUMNS, "desc.first_bit"},
    {{COLUMNS, .end_bit = 1}, CLSORT_ERROR_COLUMNS, "desc.end_bit"},
    {{COLUMNS, .record = &good_record}, CLSORT_ERROR_COLUMNS, "desc.record"},
    {{COLUMNS, .strings = &good_strings}, CLSORT_ERROR_COLUMNS, "desc.strings"},
    {{.num_columns = 2, .columns = wrong_columns}, CLSORT_ERROR_ORDER, "desc.columns[1].order"},
    {{.num_columns = 2, .columns = wrong_columns + 1}, CLSORT_ERROR_ORDER, "desc.columns[0].order"},
    {{.num_columns = 1, .columns = wrong_columns + 2}, CLSORT_ERROR_TYPE, "desc.columns[0].type"},

    {{.type = CLSORT_F32, STRINGS(.offset_size = 4)}, CLSORT_ERROR_STRINGS, "desc.type"},
    {{.record = &good_record, STRINGS(.offset_size = 4)}, CLSORT_ERROR_STRINGS, "desc.record"},
    {{.first_bit = 1, STRINGS(.offset_size = 4)}, CLSORT_ERROR_STRINGS, "desc.first_bit"},
    {{.end_bit = 1, STRINGS(.offset_size = 4)}, CLSORT_ERROR_STRINGS, "desc.end_bit"},
    {{.value_size = 1, STRINGS(.offset_size = 4)}, CLSORT_ERROR_STRINGS, "desc.value_size"},
    {{.num_arrays = 2, STRINGS(.offset_size = 4)}, CLSORT_ERROR_STRINGS, "desc.num_arrays"},
    {{.strings = &good_strings}, CLSORT_ERROR_STRINGS, "desc.index_size"},
    {{.algorithm = CLSORT_MERGE, STRINGS(.offset_size = 4)},
     CLSORT_ERROR_STRINGS,
     "desc.algorithm"},
    {{.strings = &good_strings, .index_size = 5}, CLSORT_ERROR_INDEX_SIZE, "desc.index_size"},
    {{.count = UINT64_C(1) << 32, STRINGS(.offset_size = 8)}, CLSORT_ERROR_COUNT, "desc.count"},
    {{STRINGS(.num_bytes = UINT64_MAX, .offset_size = 8)},
     CLSORT_ERROR_COUNT,
     "desc.strings.num_bytes"},
    {{STRINGS(.offset_size = 2)}, CLSORT_ERROR_STRINGS, "desc.strings.offset_size"},
    {{STRINGS(.num_bytes = BIG, .offset_size = 4)}, CLSORT_ERROR_STRINGS, "desc.strings.num_bytes"},
    {{STRINGS(.num_bytes = 1)}, CLSORT_ERROR_STRINGS, "desc.strings.num_bytes"},
    {{STRINGS(.tail_size = 1)}, CLSORT_ERROR_STRINGS, "desc.strings.tail_size"},
    {{STRINGS(.offset_size = 4, .width = 1)}, CLSORT_ERROR_STRINGS, "desc.strings.width"},
    {{STRINGS(.offset_size = 4, .reserved = {1})}, CLSORT_ERROR_RESERVED, "desc.strings.reserved"},
};

static void test_descriptions(void **state)
{
    const fixture *fix = fixture_of(state);
    uint64_t scratch_size = 0;
    for (size_t i = 0; i < sizeof wrong_descs / sizeof *wrong_descs; ++i)
        expect_argument(fix->sorter,
                        clsort_scratch_size(fix->sorter, &wrong_descs[i].desc, &scratch_size),
                        wrong_descs[i].status, wrong_descs[i].argument);
    expect_argument(fix->sorter, clsort_scratch_size(fix->sorter, NULL, &scratch_size),
                    CLSORT_ERROR_NULL, "desc");
}

/* ---- Buffers ---- */
enum kind { NUMBERS, PAIRS, INDICES, IN_PLACE, STRINGS_OUT, ROWS, ROWS_IN_PLACE, NUM_KINDS };
static const clsort_column two_columns[] = {{CLSORT_U32, CLSORT_ASCENDING},
                                            {CLSORT_F64, CLSORT_ASCENDING}};
static const clsort_desc descs[NUM_KINDS] = {
    [NUMBERS] = {.count = count, .out_of_place = 1},
    [PAIRS] = {.count = count, .value_size = 8, .out_of_place = 1},
    [INDICES] = {.count = count, .index_size = 4},
    [IN_PLACE] = {.count = count, .algorithm = CLSORT_RADIX},
    [STRINGS_OUT] = {.count = count, .strings = &good_strings, .out_of_place = 1},
    [ROWS] = {.count = count, .num_columns = 2, .columns = two_columns, .out_of_place = 1},
    [ROWS_IN_PLACE] = {.count = count, .num_columns = 2, .columns = two_columns},
};

/* Eight buffers, and which of them a kind of sort has. */
struct place {
    cl_mem mems[8];
    clsort_buffer columns[2], columns_out[2];
    clsort_buffers buffers;
};

static void open_place(struct place *place, const fixture *fix)
{
    memset(place, 0, sizeof *place);
    for (int i = 0; i < 8; ++i)
        place->mems[i] = buffer_create(fix->context, CL_MEM_READ_WRITE, size, NULL);
}

static void close_place(struct place *place)
{
    for (int i = 0; i < 8; ++i)
        clReleaseMemObject(place->mems[i]);
}

static void set_good(struct place *place, enum kind kind)
{
    const clsort_desc *desc = &descs[kind];
    const int rows = desc->num_columns != 0, out = desc->out_of_place != 0;
    const cl_mem *mems = place->mems;
    memset(&place->buffers, 0, sizeof place->buffers);
    for (int i = 0; i < 2; ++i) {
        place->columns[i] = (clsort_buffer){rows ? mems[i] : NULL, 0};
        place->columns_out[i] = (clsort_buffer){rows && out ? mems[2 + i] : NULL, 0};
    }
    place->buffers.keys.mem = rows ? NULL : mems[0];
    place->buffers.keys_out.mem = !rows && out ? mems[1] : NULL;
    place->buffers.columns = rows ? place->columns : NULL;
    place->buffers.columns_out = rows && out ? place->columns_out : NULL;
    place->buffers.values.mem = desc->value_size ? mems[2] : NULL;
    place->buffers.values_out.mem = desc->value_size && out ? mems[3] : NULL;
    place->buffers.indices.mem = desc->index_size ? mems[4] : NULL;
    place->buffers.offsets.mem = desc->strings ? mems[5] : NULL;
    place->buffers.offsets_out.mem = desc->strings ? mems[6] : NULL;
}

static void refuse_at(const fixture *fix, struct place *place, enum kind kind,
                      clsort_status expected, const char *argument)
{
    expect_argument(fix->sorter,
                    clsort_enqueue(fix->sorter, fix->queue, &descs[kind], &place->buffers, 0, NULL,
                                   NULL),
                    expected, argument);
    set_good(place, kind);
}

/* Every buffer of every kind of sort left out, misplaced and, where unneeded, given. */
static void test_buffers(void **state)
{
    const fixture *fix = fixture_of(state);
    struct place place;
    open_place(&place, fix);
    clsort_buffers *b = &place.buffers;
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
        {&place.columns[0], "columns[0]"},
        {&place.columns[1], "columns[1]"},
        {&place.columns_out[0], "columns_out[0]"},
        {&place.columns_out[1], "columns_out[1]"},
    };
    for (enum kind kind = 0; kind < NUM_KINDS; ++kind) {
        set_good(&place, kind);
        for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
            clsort_buffer *buffer = all[i].buffer;
            if (buffer->mem) {
                buffer->mem = NULL;
                refuse_at(fix, &place, kind, CLSORT_ERROR_BUFFER_MISSING, all[i].name);
                buffer->offset = size;
                refuse_at(fix, &place, kind, CLSORT_ERROR_BUFFER_TOO_SMALL, all[i].name);
                const int are_bytes = kind == STRINGS_OUT && i < 2;
                buffer->offset = 1;
                if (!are_bytes)
                    refuse_at(fix, &place, kind, CLSORT_ERROR_BUFFER_MISALIGNED, all[i].name);
            } else if (i < 7) {
                buffer->mem = place.mems[7];
                refuse_at(fix, &place, kind, CLSORT_ERROR_BUFFER_UNEXPECTED, all[i].name);
            }
        }
        if (!descs[kind].num_columns) {
            b->columns = place.columns;
            refuse_at(fix, &place, kind, CLSORT_ERROR_BUFFER_UNEXPECTED, "columns");
        }
        if (!b->columns_out) {
            b->columns_out = place.columns_out;
            refuse_at(fix, &place, kind, CLSORT_ERROR_BUFFER_UNEXPECTED, "columns_out");
        }
    }
    close_place(&place);
}

/* What OpenCL says about a buffer. */
static void test_objects(void **state)
{
    const fixture *fix = fixture_of(state);
    struct place place;
    open_place(&place, fix);
    clsort_buffers *b = &place.buffers;
    cl_int code = CL_SUCCESS;
    cl_mem read_only = buffer_create(fix->context, CL_MEM_READ_ONLY, size, NULL);
    cl_context other = clCreateContext(NULL, 1, &fix->device, NULL, NULL, &code);
    expect_cl(code);
    cl_mem foreign = buffer_create(other, CL_MEM_READ_WRITE, size, NULL);

    set_good(&place, PAIRS);
    b->values_out.mem = read_only;
    refuse_at(fix, &place, PAIRS, CLSORT_ERROR_BUFFER_ACCESS, "values_out");
    b->values.mem = foreign;
    refuse_at(fix, &place, PAIRS, CLSORT_ERROR_WRONG_CONTEXT, "values");
    b->values_out.mem = b->keys.mem;
    refuse_at(fix, &place, PAIRS, CLSORT_ERROR_BUFFER_OVERLAP, "values_out");

    set_good(&place, ROWS);
    place.columns_out[1].mem = place.columns[0].mem;
    refuse_at(fix, &place, ROWS, CLSORT_ERROR_BUFFER_OVERLAP, "columns_out[1]");
    b->scratch = (clsort_buffer){place.mems[7], size};
    refuse_at(fix, &place, ROWS, CLSORT_ERROR_SCRATCH_TOO_SMALL, "scratch");
    b->scratch = (clsort_buffer){place.mems[7], 4};
    refuse_at(fix, &place, ROWS, CLSORT_ERROR_BUFFER_MISALIGNED, "scratch");

    clReleaseMemObject(foreign);
    clReleaseContext(other);
    clReleaseMemObject(read_only);
    close_place(&place);
}

static void test_queues(void **state)
{
    const fixture *fix = fixture_of(state);
    struct place place;
    open_place(&place, fix);
    set_good(&place, IN_PLACE);
    cl_int code = CL_SUCCESS;
    cl_context other = clCreateContext(NULL, 1, &fix->device, NULL, NULL, &code);
    expect_cl(code);
    cl_command_queue foreign = queue_create(other, fix->device, 0);
    cl_event foreign_event = clCreateUserEvent(other, &code);
    expect_cl(code);
    const cl_event null_event = NULL;
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
        {fix->queue, 0, &foreign_event, CLSORT_ERROR_WAIT_LIST, "num_events_in_wait_list"},
        {fix->queue, 1, &null_event, CLSORT_ERROR_WAIT_LIST, "event_wait_list"},
        {fix->queue, 1, &foreign_event, CLSORT_ERROR_WRONG_CONTEXT, "event_wait_list"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        expect_argument(fix->sorter,
                        clsort_enqueue(fix->sorter, wrong[i].queue, &descs[IN_PLACE],
                                       &place.buffers, wrong[i].num_events, wrong[i].events, NULL),
                        wrong[i].status, wrong[i].argument);
    /* One variable may hold the event to wait for, and then the sort's. */
    cl_event both = clCreateUserEvent(fix->context, &code);
    const cl_event waited_for = both;
    expect_cl(code);
    expect_cl(clSetUserEventStatus(both, CL_COMPLETE));
    expect_status(clsort_enqueue(fix->sorter, fix->queue, &descs[IN_PLACE], &place.buffers, 1,
                                 &both, &both),
                  CLSORT_OK);
    assert_true(both && both != waited_for);
    expect_cl(clWaitForEvents(1, &both));
    clReleaseEvent(both);
    clReleaseEvent(waited_for);
    /* An array that is not used is none for a count of 0 either. */
    clsort_desc nothing = descs[IN_PLACE];
    clsort_buffers unused = place.buffers;
    nothing.count = 0;
    unused.indices = place.buffers.keys;
    expect_argument(fix->sorter,
                    clsort_enqueue(fix->sorter, fix->queue, &nothing, &unused, 0, NULL, NULL),
                    CLSORT_ERROR_BUFFER_UNEXPECTED, "indices");
    expect_cl(clSetUserEventStatus(foreign_event, CL_COMPLETE));
    clReleaseEvent(foreign_event);
    clReleaseCommandQueue(foreign);
    clReleaseContext(other);
    close_place(&place);
}

/* ---- Arrays ---- */
static void test_arrays(void **state)
{
    const fixture *fix = fixture_of(state);
    static uint64_t a[2 * count], b[2 * count], c[2 * count], d[2 * count];
    char *const odd = (char *)c + 1;
    void *const two[] = {a, b}, *const one[] = {a, NULL}, *const same[] = {a, a};
    void *const twice[] = {c, d};
    const struct {
        enum kind kind;
        clsort_arrays arrays;
        clsort_status status;
        const char *argument;
    } wrong[] = {
        {IN_PLACE, {0}, CLSORT_ERROR_BUFFER_MISSING, "keys"},
        {NUMBERS, {.keys = a}, CLSORT_ERROR_BUFFER_MISSING, "keys_out"},
        {PAIRS, {.keys = a, .keys_out = b}, CLSORT_ERROR_BUFFER_MISSING, "values"},
        {PAIRS, {.keys = a, .values = c, .keys_out = b}, CLSORT_ERROR_BUFFER_MISSING, "values_out"},
        {INDICES, {.keys = a}, CLSORT_ERROR_BUFFER_MISSING, "indices"},
        {INDICES, {.keys = a, .values = b, .indices = c}, CLSORT_ERROR_BUFFER_UNEXPECTED, "values"},
        {NUMBERS, {.keys = a, .keys_out = odd}, CLSORT_ERROR_BUFFER_MISALIGNED, "keys_out"},
        {NUMBERS, {.keys = a, .keys_out = a}, CLSORT_ERROR_BUFFER_OVERLAP, "keys_out"},
        {NUMBERS, {.keys = (void *)(UINTPTR_MAX - 3), .keys_out = a}, CLSORT_ERROR_COUNT, "keys"},
        {IN_PLACE, {.keys = a, .columns = two}, CLSORT_ERROR_BUFFER_UNEXPECTED, "columns"},
        {IN_PLACE, {.keys = a, .columns_out = two}, CLSORT_ERROR_BUFFER_UNEXPECTED, "columns_out"},
        {STRINGS_OUT, {.keys = a, .keys_out = b}, CLSORT_ERROR_BUFFER_MISSING, "offsets"},
        {STRINGS_OUT,
         {.keys = a, .offsets = c, .keys_out = b},
         CLSORT_ERROR_BUFFER_MISSING,
         "offsets_out"},
        {ROWS_IN_PLACE, {.columns = one}, CLSORT_ERROR_BUFFER_MISSING, "columns[1]"},
        {ROWS_IN_PLACE, {.columns = same}, CLSORT_ERROR_BUFFER_OVERLAP, "columns[1]"},
        {ROWS, {.columns = two, .columns_out = one}, CLSORT_ERROR_BUFFER_OVERLAP, "columns_out[0]"},
        {ROWS,
         {.keys = a, .columns = two, .columns_out = twice},
         CLSORT_ERROR_BUFFER_UNEXPECTED,
         "keys"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        expect_argument(fix->sorter,
                        clsort_sort(fix->sorter, &descs[wrong[i].kind], &wrong[i].arrays),
                        wrong[i].status, wrong[i].argument);
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
        cmocka_unit_test(test_objects),      cmocka_unit_test(test_queues),
        cmocka_unit_test(test_arrays),       cmocka_unit_test(test_none),
    };
    fixture_with_host();
    return fixture_run("arguments", tests, sizeof tests / sizeof tests[0]);
}
