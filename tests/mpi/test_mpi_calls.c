/* How clsort_mpi uses MPI, and what happens when a call fails: the library's calls pass through a
 * shim here. One by one they fail on one rank, before MPI sees them or after it has done them.
 * Every rank must return; if one hangs, the test times out. Also wrong arguments, on one rank or on
 * all. */
#define _POSIX_C_SOURCE 200809L
#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTEAD, AFTER, NUM_WAYS };

/* What the shim does, and what it has seen. */
static struct {
    int is_on;
    int left; /* calls until one fails; 0: none fails */
    int way;
    const char *failed; /* the call that failed */
    int num_calls;
    int num_reductions; /* started */
    int open;           /* communicators, types and receives created and not yet freed */
} shim;

/* Whether this call is the one that must fail. */
static int is_chosen(const char *name)
{
    if (!shim.is_on)
        return 0;
    ++shim.num_calls;
    if (shim.left == 0 || --shim.left > 0)
        return 0;
    shim.failed = name;
    return 1;
}

#define CALL(name, parameters, arguments)       \
    int MPI_##name parameters                   \
    {                                           \
        const int fails = is_chosen(#name);     \
        if (fails && shim.way == INSTEAD)       \
            return MPI_ERR_OTHER;               \
        const int code = PMPI_##name arguments; \
        return fails ? MPI_ERR_OTHER : code;    \
    }

/* Calls that create or free something. If the shim reports a creating call as failed, the caller
 * does not free what it created. */
#define COUNTED(name, parameters, arguments, number) \
    int MPI_##name parameters                        \
    {                                                \
        const int fails = is_chosen(#name);          \
        if (fails && shim.way == INSTEAD)            \
            return MPI_ERR_OTHER;                    \
        const int code = PMPI_##name arguments;      \
        shim.open += shim.is_on ? (number) : 0;      \
        return fails ? MPI_ERR_OTHER : code;         \
    }

/* clang-format off */
CALL(Initialized, (int *flag), (flag))
CALL(Finalized, (int *flag), (flag))
CALL(Comm_test_inter, (MPI_Comm comm, int *flag), (comm, flag))
CALL(Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler *handler), (comm, handler))
CALL(Errhandler_free, (MPI_Errhandler *handler), (handler))
CALL(Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler handler), (comm, handler))
CALL(Comm_size, (MPI_Comm comm, int *size), (comm, size))
CALL(Comm_rank, (MPI_Comm comm, int *rank), (comm, rank))
CALL(Get_processor_name, (char *name, int *length), (name, length))
CALL(Isend, (const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
     MPI_Request *request), (from, count, type, to, tag, comm, request))
CALL(Request_free, (MPI_Request *request), (request))
CALL(Cancel, (MPI_Request *request), (request))
CALL(Iexscan, (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
     MPI_Request *request), (from, to, count, type, op, comm, request))
CALL(Iallgather, (const void *from, int num_from, MPI_Datatype type_from, void *to, int num_to,
     MPI_Datatype type_to, MPI_Comm comm, MPI_Request *request),
     (from, num_from, type_from, to, num_to, type_to, comm, request))
CALL(Ialltoall, (const void *from, int num_from, MPI_Datatype type_from, void *to, int num_to,
     MPI_Datatype type_to, MPI_Comm comm, MPI_Request *request),
     (from, num_from, type_from, to, num_to, type_to, comm, request))
CALL(Ialltoallv, (const void *from, const int *nums_from, const int *at_from,
     MPI_Datatype type_from, void *to, const int *nums_to, const int *at_to, MPI_Datatype type_to,
     MPI_Comm comm, MPI_Request *request),
     (from, nums_from, at_from, type_from, to, nums_to, at_to, type_to, comm, request))
CALL(Type_commit, (MPI_Datatype *type), (type))
COUNTED(Comm_free, (MPI_Comm *comm), (comm), -1)
COUNTED(Type_contiguous, (int count, MPI_Datatype old, MPI_Datatype *type), (count, old, type), 1)
COUNTED(Type_free, (MPI_Datatype *type), (type), -1)
COUNTED(Irecv, (void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
        MPI_Request *request), (to, count, type, from, tag, comm, request), 1)
COUNTED(Wait, (MPI_Request *request, MPI_Status *status), (request, status), -1)
/* clang-format on */

int MPI_Iallreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request)
{
    const int fails = is_chosen("Iallreduce");
    shim.num_reductions += shim.is_on;
    if (fails && shim.way == INSTEAD)
        return MPI_ERR_OTHER;
    const int code = PMPI_Iallreduce(from, to, count, type, op, comm, request);
    if (fails)
        PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    return fails ? MPI_ERR_OTHER : code;
}

/* All ranks duplicate together, and those that wait for a missing rank cannot give up. So this call
 * fails only after it is done. */
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *copy)
{
    const int fails = is_chosen("Comm_dup");
    const int code = PMPI_Comm_dup(comm, copy);
    if (fails) {
        PMPI_Comm_free(copy);
        PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER); /* as MPI does, which may end the program */
        return MPI_ERR_OTHER;
    }
    shim.open += shim.is_on;
    return code;
}

/* Counts only the calls that find something done; the number of the others depends on timing. */
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    const int code = PMPI_Test(request, flag, status);
    return *flag && is_chosen("Test") ? MPI_ERR_OTHER : code;
}

/* ---- Faults ---------------------------------------------------------------------------------- */

enum { COUNT = 50 };

static uint32_t key_of(uint32_t i)
{
    return (i * 7919 + (uint32_t)ranks_own * 31) % 64;
}

/* A sort with the shim on, over a new communicator, which a failure may leave unusable. */
static int sort_with_shim(uint32_t *keys, int left, int way)
{
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (uint32_t i = 0; i < COUNT; ++i)
        keys[i] = key_of(i);
    const clsort_desc desc = {.count = COUNT};
    memset(&shim, 0, sizeof shim);
    shim.is_on = 1;
    shim.left = left;
    shim.way = way;
    const int status = clsort_mpi_sort(NULL, comm, &desc, &(clsort_arrays){.keys = keys}, NULL);
    shim.is_on = 0;
    if (!status)
        PMPI_Comm_free(&comm);
    ranks_largest(0); /* all have returned */
    return status;
}

static int is_harmless(const char *call)
{
    static const char *const calls[] = {"Initialized",  "Finalized",      "Cancel",
                                        "Wait",         "Comm_free",      "Type_free",
                                        "Request_free", "Errhandler_free"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        if (strcmp(call, calls[i]) == 0)
            return 1;
    }
    return 0;
}

/* What is wrong after call number `number` failed on rank `where`. *is_over_ret: there is no such
 * call. */
static const char *fail_one(int number, int way, int where, int num_reductions, int *is_over_ret)
{
    uint32_t keys[COUNT];
    const int status = sort_with_shim(keys, ranks_own == where ? number : 0, way);
    const int is_silent = shim.failed && is_harmless(shim.failed);
    int in_last = shim.failed && shim.num_reductions == num_reductions;
    int worst = status, has_failed = shim.failed != NULL;
    in_last = ranks_largest(in_last);
    worst = ranks_largest(worst);
    has_failed = ranks_largest(has_failed);
    *is_over_ret = !has_failed;
    if (shim.failed && !is_silent && status != CLSORT_ERROR_MPI)
        return "the rank whose call failed does not say so";
    if (is_silent && status)
        return "a needless call made the sort fail";
    if (status != worst && !in_last)
        return "the ranks return different statuses";
    for (uint32_t i = 0; status && i < COUNT; ++i) {
        if (keys[i] != key_of(i))
            return "an array has changed though the sort failed";
    }
    return NULL;
}

static void test_faults(void **state)
{
    uint32_t keys[COUNT];
    (void)state;
    expect_mpi(sort_with_shim(keys, 0, 0), CLSORT_OK, "without a fault");
    const int num_reductions = shim.num_reductions;
    for (int way = 0; way < NUM_WAYS; ++way) {
        for (int where = 0; where<ranks_size; where += ranks_size> 1 ? ranks_size - 1 : 1) {
            int is_over = 0, number = 1;
            for (; !is_over; ++number) {
                char what[100];
                const char *wrong = fail_one(number, way, where, num_reductions, &is_over);
                snprintf(what, sizeof what, "call %d (%s) fails on rank %d, %s", number,
                         shim.failed ? shim.failed : "elsewhere", where,
                         way == INSTEAD ? "undone" : "done");
                expect_right(wrong, what);
            }
            expect_right(number > 25 ? NULL : "there were too few calls", "all calls");
        }
    }
}

/* The status of looking for a device here: no platform, or no device if the loader finds drivers of
 * its own. */
static clsort_status no_device(void)
{
    cl_device_id device;
    const clsort_status status = clsort_find_device(NULL, &device);
    assert_true(status == CLSORT_ERROR_NO_PLATFORM || status == CLSORT_ERROR_NO_DEVICE);
    return status;
}

static void test_nothing_leaks(void **state)
{
    uint32_t keys[COUNT];
    (void)state;
    expect_mpi(sort_with_shim(keys, 0, 0), CLSORT_OK, "a sort");
    expect_right(shim.open ? "not everything was freed" : NULL, "a sort");
    const clsort_desc desc = {.count = COUNT, .algorithm = CLSORT_RADIX};
    shim.is_on = 1; /* there is no device */
    const int status =
        clsort_mpi_sort(NULL, MPI_COMM_WORLD, &desc, &(clsort_arrays){.keys = keys}, NULL);
    shim.is_on = 0;
    expect_mpi(status, (int)no_device(), "without a device");
    expect_right(shim.open ? "not everything was freed" : NULL, "a sort that fails");
}

/* ---- The caller's communicator --------------------------------------------------------------- */

static int handler_calls;

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    ++handler_calls;
}

static void test_communicator_untouched(void **state)
{
    MPI_Errhandler own = MPI_ERRHANDLER_NULL, after = MPI_ERRHANDLER_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    uint32_t keys[COUNT] = {0};
    int is_done = 0, message = 0;
    (void)state;
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(handle, &own);
    MPI_Comm_set_errhandler(comm, own);
    MPI_Irecv(&message, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
    const clsort_desc desc = {.count = COUNT};
    const int status = clsort_mpi_sort(NULL, comm, &desc, &(clsort_arrays){.keys = keys}, NULL);
    MPI_Comm_get_errhandler(comm, &after);
    PMPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    expect_mpi(status, CLSORT_OK, "a sort");
    expect_right(is_done ? "the caller's receive got a message" : NULL, "a sort");
    expect_right(after != own ? "the caller's error handler changed" : NULL, "a sort");
    expect_right(handler_calls ? "the caller's error handler was called" : NULL, "a sort");
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Errhandler_free(&own);
    MPI_Errhandler_free(&after);
    PMPI_Comm_free(&comm);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static uint32_t refused_keys[COUNT], refused_values[COUNT];

/* The last rank describes the sort differently from the others. */
static void refuse(const char *what, const clsort_desc *others, const clsort_desc *last,
                   const clsort_arrays *arrays, int expected)
{
    const int is_last = ranks_own == ranks_size - 1;
    clsort_mpi_report report;
    for (uint32_t i = 0; i < COUNT; ++i)
        refused_keys[i] = refused_values[i] = key_of(i);
    const int status =
        clsort_mpi_sort(NULL, MPI_COMM_WORLD, is_last ? last : others, arrays, &report);
    const char *wrong = NULL;
    for (uint32_t i = 0; i < COUNT; ++i) {
        if (refused_keys[i] != key_of(i) || refused_values[i] != key_of(i))
            wrong = "an array has changed";
    }
    if (expected < CLSORT_MPI_STATUS_BEFORE_FIRST && report.failed_rank < 0)
        wrong = "the report names no rank";
    expect_mpi(status, expected, what);
    expect_right(wrong, what);
}

static void test_unequal(void **state)
{
    const clsort_desc plain = {.count = COUNT};
    const clsort_arrays arrays = {.keys = refused_keys};
    static const clsort_desc others[] = {
        {.count = COUNT, .type = CLSORT_F32},
        {.count = COUNT, .order = CLSORT_DESCENDING},
        {.count = COUNT, .stable = 1},
        {.count = COUNT, .algorithm = CLSORT_RADIX},
        {.count = COUNT, .first_bit = 3, .end_bit = 9},
        {.count = 0, .type = CLSORT_I32},
    };
    (void)state;
    if (ranks_size == 1)
        skip();
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        refuse("unequal descriptions", &plain, &others[i], &arrays, CLSORT_ERROR_MPI_UNEQUAL);
    static const clsort_field a[] = {{0, CLSORT_U16, CLSORT_ASCENDING},
                                     {2, CLSORT_U16, CLSORT_ASCENDING}};
    static const clsort_field b[] = {{2, CLSORT_U16, CLSORT_ASCENDING},
                                     {0, CLSORT_U16, CLSORT_ASCENDING}};
    const clsort_record records[] = {{.size = 4, .num_fields = 2, .fields = a},
                                     {.size = 4, .num_fields = 2, .fields = b}};
    const clsort_desc by_a = {.count = COUNT, .record = &records[0]};
    const clsort_desc by_b = {.count = COUNT, .record = &records[1]};
    refuse("unequal records", &by_a, &by_b, &arrays, CLSORT_ERROR_MPI_UNEQUAL);
}

/* Two different functions at the same time. */
static void test_unequal_calls(void **state)
{
    uint32_t keys[4] = {0}, keys_out[4] = {0};
    const clsort_desc desc = {.count = 4, .out_of_place = 1};
    const clsort_arrays arrays = {.keys = keys, .keys_out = keys_out};
    (void)state;
    if (ranks_size == 1)
        skip();
    const int status = ranks_own ? clsort_mpi_sort_to(NULL, MPI_COMM_WORLD, &desc, &arrays, 4, NULL)
                                 : clsort_mpi_sort(NULL, MPI_COMM_WORLD, &desc, &arrays, NULL);
    expect_mpi(status, CLSORT_ERROR_MPI_UNEQUAL, "two functions");
}

/* Invalid calls, made by the last rank alone. */
static void test_refused(void **state)
{
    const clsort_arrays arrays = {.keys = refused_keys};
    const clsort_desc plain = {.count = COUNT};
    const clsort_strings strings = {.num_bytes = 8 * COUNT, .width = 4};
    const clsort_record text = {.size = 4, .type = "uint", .less = "a < b"};
    const clsort_record none = {.size = 4};
    const uint32_t value_size = 4;
    const struct {
        const char *what;
        clsort_desc desc;
        int expected;
    } cases[] = {
        {"strings", {.count = COUNT, .strings = &strings}, CLSORT_ERROR_MPI_STRINGS},
        {"arrays", {.count = COUNT, .num_arrays = 2}, CLSORT_ERROR_MPI_ARRAYS},
        {"a text", {.count = COUNT, .record = &text}, CLSORT_ERROR_MPI_TEXT},
        {"no fields", {.count = COUNT, .record = &none}, CLSORT_ERROR_RECORD},
        {"a type", {.count = COUNT, .type = CLSORT_NUM_TYPES}, CLSORT_ERROR_TYPE},
        {"an order", {.count = COUNT, .order = (clsort_order)7}, CLSORT_ERROR_ORDER},
        {"bits", {.count = COUNT, .first_bit = 7, .end_bit = 3}, CLSORT_ERROR_BIT_RANGE},
        {"an index", {.count = COUNT, .index_size = 2}, CLSORT_ERROR_INDEX_SIZE},
        {"values", {.count = COUNT, .value_size = 4}, CLSORT_ERROR_BUFFER_MISSING},
        {"out of place", {.count = COUNT, .out_of_place = 1}, CLSORT_ERROR_BUFFER_MISSING},
        {"a reserved member", {.count = COUNT, .reserved = {1}}, CLSORT_ERROR_RESERVED},
        {"a count", {.count = UINT64_MAX / 2}, CLSORT_ERROR_COUNT},
        {"a large count", {.count = (uint64_t)1 << 60}, CLSORT_ERROR_COUNT},
        {"a list of values",
         {.count = COUNT, .num_values = 1, .value_sizes = &value_size},
         CLSORT_ERROR_UNSUPPORTED},
        {"segments",
         {.count = COUNT, .num_segments = 1, .offset_size = 4},
         CLSORT_ERROR_UNSUPPORTED},
        {"skip", {.count = COUNT, .skip = 1}, CLSORT_ERROR_UNSUPPORTED},
        {"limit", {.count = COUNT, .limit = 1}, CLSORT_ERROR_UNSUPPORTED},
        {"an operation",
         {.count = COUNT, .operation = CLSORT_OPERATION_CHECK},
         CLSORT_ERROR_UNSUPPORTED},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        refuse(cases[i].what, &plain, &cases[i].desc, &arrays, cases[i].expected);
    refuse("no description", &plain, NULL, &arrays, CLSORT_ERROR_NULL);
    const int is_last = ranks_own == ranks_size - 1;
    const clsort_arrays unexpected = {.keys = refused_keys,
                                      .values = is_last ? refused_values : NULL};
    refuse("values", &plain, &plain, &unexpected, CLSORT_ERROR_BUFFER_UNEXPECTED);
    const clsort_arrays odd = {.keys = (char *)refused_keys + is_last};
    refuse("an odd address", &plain, &plain, &odd, CLSORT_ERROR_BUFFER_MISALIGNED);
    const clsort_desc pairs = {.count = COUNT, .value_size = 4};
    const clsort_arrays overlap = {.keys = refused_keys,
                                   .values = is_last ? refused_keys + 1 : refused_values};
    refuse("overlap", &pairs, &pairs, &overlap, CLSORT_ERROR_BUFFER_OVERLAP);
    const clsort_arrays missing = {.keys = is_last ? NULL : refused_keys};
    refuse("no keys", &plain, &plain, &missing, CLSORT_ERROR_BUFFER_MISSING);
}

static void test_wanted(void **state)
{
    uint32_t keys[COUNT], keys_out[COUNT + 1];
    const clsort_desc desc = {.count = COUNT};
    const clsort_arrays arrays = {.keys = keys, .keys_out = keys_out};
    (void)state;
    const int status =
        clsort_mpi_sort_to(NULL, MPI_COMM_WORLD, &desc, &arrays, COUNT + (ranks_own == 0), NULL);
    expect_mpi(status, CLSORT_ERROR_MPI_WANTED, "one more than there are");
    const clsort_desc huge = {.count = 0, .value_size = UINT32_MAX};
    expect_mpi(clsort_mpi_sort_to(NULL, MPI_COMM_WORLD, &huge, &arrays, (uint64_t)1 << 40, NULL),
               CLSORT_ERROR_COUNT, "more bytes than 64 bits count");
    expect_mpi(clsort_mpi_sort(NULL, MPI_COMM_NULL, &desc, &arrays, NULL), CLSORT_ERROR_NULL,
               "no communicator");
}

/* A communicator between two groups. */
static void test_inter(void **state)
{
    MPI_Comm half = MPI_COMM_NULL, inter = MPI_COMM_NULL;
    uint32_t keys[4] = {0};
    const clsort_desc desc = {.count = 4};
    (void)state;
    if (ranks_size == 1)
        skip();
    MPI_Comm_split(MPI_COMM_WORLD, ranks_own > 0, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, ranks_own > 0 ? 0 : 1, 5, &inter);
    const int status = clsort_mpi_sort(NULL, inter, &desc, &(clsort_arrays){.keys = keys}, NULL);
    PMPI_Comm_free(&inter);
    PMPI_Comm_free(&half);
    expect_mpi(status, CLSORT_ERROR_MPI_COMM, "a communicator between two groups");
}

/* Only one rank needs a device, and finds none. */
static void test_one_without_device(void **state)
{
    uint32_t keys[2] = {2, 1};
    const clsort_desc desc = {.count = ranks_own == 0 ? 2 : 1, .algorithm = CLSORT_RADIX};
    clsort_mpi_report report;
    (void)state;
    const int status =
        clsort_mpi_sort(NULL, MPI_COMM_WORLD, &desc, &(clsort_arrays){.keys = keys}, &report);
    expect_mpi(status, (int)no_device(), "a rank without a device");
    expect_right(report.failed_rank == 0 ? NULL : "another rank is named",
                 "a rank without a device");
}

static void test_texts(void **state)
{
    (void)state;
    for (int status = CLSORT_MPI_STATUS_BEFORE_FIRST + 1; status < CLSORT_MPI_STATUS_BEHIND_LAST;
         ++status)
        assert_true(strlen(clsort_mpi_status_text(status)) > 10);
    assert_string_equal(clsort_mpi_status_text(CLSORT_OK), "done");
    assert_string_equal(clsort_mpi_status_text(-1), clsort_status_text((clsort_status)-1));
    assert_string_equal(clsort_mpi_status_text(CLSORT_MPI_STATUS_BEHIND_LAST), "unknown status");
    assert_non_null(strstr("openmpi mpich mpi", clsort_mpi_flavour()));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_unequal),
        cmocka_unit_test(test_unequal_calls),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_wanted),
        cmocka_unit_test(test_inter),
        cmocka_unit_test(test_one_without_device),
        cmocka_unit_test(test_communicator_untouched),
        cmocka_unit_test(test_nothing_leaks),
        cmocka_unit_test(test_faults), /* last, since it leaves calls unfinished */
    };
    return ranks_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
