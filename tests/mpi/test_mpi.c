/* Sorts over ranks, on the host, against the oracle. Every rank makes the whole input, asks for the
 * whole order and compares its share, bit for bit. So one comparison covers counts, order,
 * permutation and stability. The library is linked in, for limits that are not public and for
 * memory failures. */
#include "ranks.h"

#include <stdlib.h>
#include <string.h>

#include "support/allocations.h"
#include "mpi_case.h"
#include "call/sorter.h"
#include "tuning/file.h"

/* Few enough that the whole test takes seconds, but more than a rank has probes. */
static uint64_t usual_count(void)
{
    return 700 + 97 * (uint64_t)ranks_size;
}

/* Every shape of keys in every distribution; u32 with values, which show whether the sort is
 * stable. */
static void test_shapes(void **state)
{
    (void)state;
    for (int data = 0; data < NUM_DATA_KINDS; ++data) {
        for (int from = 0; from < NUM_DEALS; ++from)
            mpi_case_run(&(mpi_case){
                .desc = {.count = usual_count(), .value_size = 4},
                .data = (data_kind)data,
                .from = (deal)from,
            });
    }
}

/* Every type, ascending and descending, keys alone and with values of odd sizes. */
static void test_types(void **state)
{
    static const uint32_t value_sizes[] = {0, 1, 3, 8, 40};
    (void)state;
    for (int type = 0; type < CLSORT_NUM_TYPES; ++type) {
        for (int order = 0; order < 2; ++order)
            mpi_case_run(&(mpi_case){
                .desc = {.count = usual_count(),
                         .type = (clsort_type)type,
                         .order = (clsort_order)order,
                         .stable = type % 3 == 0,
                         .value_size = value_sizes[(type + 2 * order) % 5],
                         .out_of_place = type % 2 == 1},
                .data = order ? DATA_SPRINKLED : DATA_EXTREMES,
                .from = (deal)(type % NUM_DEALS),
            });
    }
}

/* A bit range for which most keys are equal though they differ. */
static void test_bits(void **state)
{
    static const uint32_t ranges[][2] = {{0, 1}, {3, 7}, {8, 29}, {31, 32}, {0, 31}};
    static const clsort_type types[] = {CLSORT_U32, CLSORT_I32, CLSORT_F32, CLSORT_U64, CLSORT_F64};
    (void)state;
    for (int i = 0; i < 5; ++i) {
        for (int order = 0; order < 2; ++order)
            mpi_case_run(&(mpi_case){
                .desc = {.count = usual_count(),
                         .type = types[(i + order) % 5],
                         .order = (clsort_order)order,
                         .first_bit = ranges[i][0],
                         .end_bit = ranges[i][1]},
                .data = DATA_SPRINKLED,
                .from = (deal)i,
            });
    }
}

/* Indices count over all ranks. Out of place the keys are written, too. */
static void test_indices(void **state)
{
    (void)state;
    for (int from = 0; from < NUM_DEALS; ++from) {
        for (uint32_t index_size = 4; index_size <= 8; index_size += 4)
            mpi_case_run(&(mpi_case){
                .desc = {.count = usual_count(),
                         .type = index_size == 4 ? CLSORT_F32 : CLSORT_I16,
                         .order = (clsort_order)(from % 2),
                         .index_size = index_size,
                         .out_of_place = (uint32_t)from / 2 % 2},
                .data = from % 2 ? DATA_FEW : DATA_SPRINKLED,
                .from = (deal)from,
                .to = (deal)((from + 1) % NUM_DEALS),
                .has_to = from % 3 == 0,
            });
    }
}

/* From every distribution to every other. */
static void test_to(void **state)
{
    (void)state;
    for (int from = 0; from < NUM_DEALS; ++from) {
        for (int to = 0; to < NUM_DEALS; ++to)
            mpi_case_run(&(mpi_case){
                .desc = {.count = usual_count(),
                         .type = from % 2 ? CLSORT_U64 : CLSORT_U8,
                         .value_size = to % 2 ? 8 : 0},
                .data = to % 3 ? DATA_RANDOM : DATA_EQUAL,
                .from = (deal)from,
                .to = (deal)to,
                .has_to = 1,
            });
    }
}

/* No elements, fewer elements than ranks, and one more. */
static void test_few(void **state)
{
    (void)state;
    for (uint64_t count = 0; count <= (uint64_t)ranks_size + 1; ++count)
        mpi_case_run(&(mpi_case){
            .desc = {.count = count, .type = CLSORT_I32, .value_size = 2},
            .data = count % 2 ? DATA_RANDOM : DATA_TWO,
            .from = (deal)(count % NUM_DEALS),
        });
}

/* Exchanges of more elements than an int counts, simulated with a smaller limit. */
static void test_long(void **state)
{
    static const uint32_t value_sizes[] = {0, 3, 64, 1};
    (void)state;
    for (int i = 0; i < 8; ++i)
        mpi_case_run(&(mpi_case){
            .desc = {.count = 4 * usual_count(),
                     .type = i % 2 ? CLSORT_U8 : CLSORT_U64,
                     .value_size = value_sizes[i % 4]},
            .data = i % 3 ? DATA_RANDOM : DATA_FEW,
            .from = (deal)(i % NUM_DEALS),
            .to = (deal)((i + 2) % NUM_DEALS),
            .has_to = i % 2,
            .max_short = 10,
        });
}

/* Data that is already sorted over the ranks is neither sent nor sorted again. */
static void test_sorted(void **state)
{
    const share part = ranks_share(DEAL_EVEN, usual_count());
    uint32_t *keys = canary_copy(NULL, part.count, 4);
    clsort_mpi_report report;
    (void)state;
    for (uint64_t i = 0; i < part.count; ++i)
        keys[i] = (uint32_t)(part.base + i) / 3;
    const clsort_desc desc = {.count = part.count};
    const int status =
        clsort_mpi_sort(NULL, MPI_COMM_WORLD, &desc, &(clsort_arrays){.keys = keys}, &report);
    const char *wrong = status                ? clsort_mpi_status_text(status)
                        : report.bytes_sent   ? "elements travelled"
                        : report.sorted_again ? "they were sorted again"
                                              : NULL;
    for (uint64_t i = 0; i < part.count; ++i)
        wrong = keys[i] == (uint32_t)(part.base + i) / 3 ? wrong : "keys have changed";
    canary_free(keys, part.count, 4);
    expect_right(wrong, "sorted already");
}

/* A communicator that is not MPI_COMM_WORLD, with the ranks in reverse order. */
static void test_communicator(void **state)
{
    MPI_Comm comm = MPI_COMM_NULL;
    (void)state;
    MPI_Comm_split(MPI_COMM_WORLD, ranks_own % 2, -ranks_own, &comm);
    uint32_t keys[3], last = 0;
    int rank = 0, size = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < 3; ++i)
        keys[i] = (uint32_t)((size - 1 - rank) * 3 + 2 - i);
    const clsort_desc desc = {.count = 3};
    const int status = clsort_mpi_sort(NULL, comm, &desc, &(clsort_arrays){.keys = keys}, NULL);
    for (int i = 0; i < 3; ++i)
        last += keys[i] == (uint32_t)(rank * 3 + i);
    MPI_Comm_free(&comm);
    expect_mpi(status, CLSORT_OK, "half of the ranks");
    expect_right(last == 3 ? NULL : "wrong keys", "half of the ranks");
}

/* 64 ranks find their borders in 10 rounds, whatever the keys and their distribution. */
static void test_rounds(void **state)
{
    static const clsort_type types[] = {CLSORT_U64, CLSORT_F64, CLSORT_F32, CLSORT_I16};
    static const struct {
        int num_ranks;
        uint64_t count;
        uint32_t most;
    } cases[] = {{64, 20000, 10}, {64, 40, 10}, {2, 20000, 10}, {1000, 20000, 12}};
    (void)state;
    if (ranks_size > 1)
        skip();
    for (int number = 0; number < 4 * 4 * NUM_DATA_KINDS; ++number) {
        const int c = number % 4, kind = number / 16;
        if (c > 0 && number / 4 % 4 != kind % 4)
            continue; /* the types take turns */
        const clsort_desc desc = {.count = cases[c].count, .type = types[number / 4 % 4]};
        sample s;
        sample_init(&s, &desc, (data_kind)kind, mpi_case_seed());
        for (int to = 0; to < NUM_DEALS; ++to) {
            struct simulated cost = {0};
            const char *wrong = mpi_case_simulate(&s, (deal)to, cases[c].num_ranks, &cost);
            if (!wrong && cost.num_rounds > cases[c].most)
                wrong = "too many rounds";
            if (!wrong && cost.bytes_reduced > (uint64_t)cost.num_rounds << 19)
                wrong = "too many bytes";
            expect_right(wrong, data_names[kind]);
        }
        sample_free(&s);
    }
}

/* Records of three 64-bit numbers. Most borders lie among records whose first number, or first two,
 * are equal, so several searches proceed side by side. */
static void test_words(void **state)
{
    enum { RANKS = 64, RECORDS = 6400 };
    static const clsort_field fields[] = {{0, CLSORT_U64, CLSORT_ASCENDING},
                                          {8, CLSORT_I64, CLSORT_DESCENDING},
                                          {16, CLSORT_U64, CLSORT_ASCENDING}};
    const clsort_record record = {.size = 24, .num_fields = 3, .fields = fields};
    const clsort_desc desc = {.count = RECORDS, .record = &record};
    struct simulated cost = {0};
    uint64_t(*records)[3] = test_alloc(RECORDS * sizeof *records), targets[RANKS];
    (void)state;
    if (ranks_size > 1) {
        free(records);
        skip();
    }
    for (uint64_t i = 0; i < RECORDS; ++i) {
        records[i][0] = i / 2530 * 1000003;
        records[i][1] = UINT64_MAX - i / 505 * 77;
        records[i][2] = seed_mix(i / 505, 1) / 2 + i / 7;
    }
    for (uint64_t rank = 0; rank < RANKS; ++rank)
        targets[rank] = RECORDS / RANKS * (rank + 1);
    const char *wrong = simulated_split(&desc, records, RANKS, targets, &cost);
    free(records);
    expect_right(wrong, "records");
}

/* Twice the elements, plus what the sort needs for its keys. */
static void test_memory_bound(void **state)
{
    enum { COUNT = 2000, VALUE_SIZE = 2048 };
    uint32_t *keys = canary_copy(NULL, COUNT, 4);
    char *values = canary_copy(NULL, COUNT, VALUE_SIZE);
    const clsort_desc desc = {.count = COUNT, .value_size = VALUE_SIZE};
    const clsort_arrays arrays = {.keys = keys, .values = values};
    (void)state;
    for (uint32_t i = 0; i < COUNT; ++i)
        keys[i] = i * 7919 % COUNT;
    const size_t before = allocations.bytes;
    allocations.most_bytes = before;
    const int status = clsort_mpi_sort(NULL, MPI_COMM_WORLD, &desc, &arrays, NULL);
    const size_t most = allocations.most_bytes - before;
    canary_free(keys, COUNT, 4);
    canary_free(values, COUNT, VALUE_SIZE);
    expect_mpi(status, CLSORT_OK, "memory");
    /* Tables of ranks and probes take less than a MiB. */
    expect_right(most > 2 * COUNT * (size_t)(4 + VALUE_SIZE) + COUNT * (size_t)64 + (1 << 20)
                     ? "more memory than is promised"
                     : NULL,
                 "memory");
}

/* A sorter without a device, for a few keys. */
static clsort_sorter *open_sorter(void)
{
    clsort_sorter *sorter = test_alloc(sizeof *sorter);
    memset(sorter, 0, sizeof *sorter);
    assert_int_equal(tuning_file_read(NULL, &sorter->tuning_rows), CLSORT_OK);
    assert_int_equal(device_none(&sorter->facts), CLSORT_OK);
    sorter->facts.tuning_rows = &sorter->tuning_rows;
    return sorter;
}

static void close_sorter(clsort_sorter *sorter)
{
    clsort_release_scratch(sorter);
    tuning_rows_finish(&sorter->tuning_rows);
    free(sorter);
}

/* Sorts `count` values of KEPT_SIZE bytes by keys. Reports the memory that was taken, and the part
 * that is kept. */
enum { KEPT_SIZE = 1000, KEPT_KEY_SCRATCH = 64 };

static const char *sort_kept(clsort_sorter *sorter, uint64_t count, size_t *taken_ret)
{
    uint32_t *keys = canary_copy(NULL, count, 4);
    char *values = canary_copy(NULL, count, KEPT_SIZE);
    const clsort_desc desc = {.count = count, .value_size = KEPT_SIZE};
    const clsort_arrays arrays = {.keys = keys, .values = values};
    const char *wrong = NULL;
    for (uint64_t i = 0; i < count; ++i)
        keys[i] = (uint32_t)(i * 7919 % count);
    const size_t before = allocations.bytes;
    allocations.most_bytes = before;
    const int status = clsort_mpi_sort(sorter, MPI_COMM_WORLD, &desc, &arrays, NULL);
    *taken_ret = allocations.most_bytes - before;
    for (uint64_t i = 1; i < count; ++i) {
        if (keys[i - 1] > keys[i])
            wrong = "not in order";
    }
    canary_free(keys, count, 4);
    canary_free(values, count, KEPT_SIZE);
    return status ? clsort_mpi_status_text(status) : wrong;
}

/* A sorter keeps the memory of a sort for the next one, but no more than the last sort needed. */
static void test_memory_kept(void **state)
{
    static const uint64_t counts[] = {8000, 8000, 2000, 9000};
    clsort_sorter *sorter = open_sorter();
    const size_t before = allocations.bytes;
    size_t kept = 0;
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        const size_t tables = (size_t)counts[i] * KEPT_KEY_SCRATCH + (1 << 20);
        const size_t promised = 2 * (size_t)counts[i] * (4 + KEPT_SIZE) + tables;
        size_t taken = 0;
        const char *wrong = sort_kept(sorter, counts[i], &taken);
        if (i == 1 && taken > tables)
            wrong = "the memory of the first sort was not used";
        if (kept + taken > promised && counts[i] > 2000)
            wrong = "more memory than is promised";
        kept = allocations.bytes - before;
        if (kept < (size_t)counts[i] * KEPT_SIZE || kept > promised)
            wrong = "the kept size differs from what the sort needed";
        expect_right(wrong, "memory that is kept");
    }
    assert_int_equal(clsort_release_scratch(sorter), CLSORT_OK);
    const char *wrong = allocations.bytes == before ? NULL : "memory was not released";
    close_sorter(sorter);
    expect_right(wrong, "clsort_release_scratch()");
}

/* The version that clsort_version() tells; NULL: the real one. */
static const char *version;
const char *__real_clsort_version(void);
const char *__wrap_clsort_version(void);

const char *__wrap_clsort_version(void)
{
    return version ? version : __real_clsort_version();
}

/* A sorter of another version of the library is refused, and not looked at: it points to no
 * memory. */
static void test_version(void **state)
{
    clsort_sorter *const nowhere = (clsort_sorter *)(uintptr_t)64, *own = open_sorter();
    uint32_t keys[3] = {3, 2, 1};
    const clsort_desc desc = {.count = 3};
    const clsort_arrays arrays = {.keys = keys};
    const int is_last = ranks_own == ranks_size - 1;
    (void)state;
    version = "0.0.99";
    int status = clsort_mpi_sort(is_last ? nowhere : NULL, MPI_COMM_WORLD, &desc, &arrays, NULL);
    version = NULL;
    expect_mpi(status, CLSORT_ERROR_MPI_VERSION, "another version");
    expect_right(keys[0] == 3 ? NULL : "an array has changed", "another version");
    status = clsort_mpi_sort(is_last ? own : NULL, MPI_COMM_WORLD, &desc, &arrays, NULL);
    close_sorter(own);
    expect_mpi(status, CLSORT_OK, "the same version");
}

/* Whether a sort is under way, and its reductions whose result lies on the stack. */
static struct {
    int is_on;
    int num_on_stack;
} watch;

int MPI_Iallreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request)
{
    const char here = 0;
    const uintptr_t at = (uintptr_t)to, top = (uintptr_t)&here;
    const uintptr_t distance = at > top ? at - top : top - at;
    watch.num_on_stack += watch.is_on && distance < 1 << 16;
    return PMPI_Iallreduce(from, to, count, type, op, comm, request);
}

/* Each of the library's allocations fails in turn, on one rank. */
static void test_memory(void **state)
{
    uint32_t keys[40];
    uint64_t values[40];
    int num_failed = 0, status = -1;
    (void)state;
    for (int number = 1; status; ++number) {
        for (uint32_t i = 0; i < 40; ++i) {
            keys[i] = (uint32_t)ranks_own + i * 7919 % 40;
            values[i] = keys[i];
        }
        const clsort_desc desc = {.count = 40, .value_size = 8};
        const clsort_arrays arrays = {.keys = keys, .values = values};
        allocations.left = ranks_own == ranks_size / 2 ? number : 0;
        const int num_before = allocations.number;
        watch.is_on = 1;
        status = clsort_mpi_sort(NULL, MPI_COMM_WORLD, &desc, &arrays, NULL);
        watch.is_on = 0;
        const int num_after = allocations.number;
        int is_over = allocations.left > 0, highest = status;
        allocations.left = 0;
        is_over = ranks_largest(is_over);
        highest = ranks_largest(highest);
        const char *wrong = highest != status ? "the ranks return different statuses" : NULL;
        if (num_after != num_before)
            wrong = "memory was not freed";
        if (watch.num_on_stack)
            wrong = "a reduction may outlive the call, and has its result on the stack";
        if (is_over && status)
            wrong = "without a failure the sort failed";
        for (uint32_t i = 0; status && i < 40; ++i) {
            if (keys[i] != (uint32_t)ranks_own + i * 7919 % 40 || values[i] != keys[i])
                wrong = "an array has changed though the sort failed";
        }
        num_failed += status != 0;
        expect_right(wrong, "an allocation fails");
        status = !is_over;
    }
    assert_in_range(num_failed, 10, 1000);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),       cmocka_unit_test(test_types),
        cmocka_unit_test(test_bits),         cmocka_unit_test(test_indices),
        cmocka_unit_test(test_to),           cmocka_unit_test(test_few),
        cmocka_unit_test(test_long),         cmocka_unit_test(test_sorted),
        cmocka_unit_test(test_communicator), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_rounds),       cmocka_unit_test(test_words),
        cmocka_unit_test(test_memory_bound), cmocka_unit_test(test_memory_kept),
        cmocka_unit_test(test_version),
    };
    return ranks_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
