/* bench.c: bench_mpi [-N COUNT] [-R ROUNDS] [-t THREADS] [-u] [-b] [-h]
 *
 * Times clsort_mpi_sort() of random keys over all ranks, with its stages. In turns it times the
 * parts of such a sort:
 *
 * - a bare MPI_Alltoallv() of the same bytes, into memory in use and into new memory. The first
 *   access to a page of new memory costs more than sending the page;
 * - one clsort_sort() of a rank's share.
 *
 * The sort runs once with the memory that its sorter kept, and once with new memory after
 * clsort_release_scratch(). Every result is checked: the order on each rank and over all ranks, and
 * the sum of the keys' hashes. A round takes the slowest rank's time. The table has medians and
 * their ratios.
 *
 *   -N COUNT   keys of each rank (2^22), such as 1000 or 2^28
 *   -R ROUNDS  measured rounds (5), after one to warm up
 *   -t THREADS threads of each rank that copy between host arrays and the device (0: the caller)
 *   -u         keys of 64 bits instead of 32
 *   -b         clsort_mpi_sort_buffers(): keys are on the device before and after the sort
 *   -h         sort on the host without a device; at most 2^20 keys a rank
 *
 * With -D CLSORT_BENCH_MPSORT=DIR in CMake, a checkout of MP-sort is measured as well. */
#include "job.h"

#include "bench/bench.h"
#include "cli/options.h"
#include "numbers/verify.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef CLSORT_BENCH_MPSORT
#include <mpsort.h>
#endif

enum { MAX_ROUNDS = 100 };

struct setup {
    uint64_t count, rounds, threads;
    size_t size; /* bytes of a key */
    bool on_device;
    bool on_host;
    clsort_sorter *sorter;
    cl_command_queue queue;
    cl_mem mem;
    struct proof before;
    char *keys;  /* the random input, not changed */
    char *work;  /* what is sorted or sent */
    char *other; /* what is received */
};

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "bench_mpi: rank %d: %s: %s\n", own_rank, what, why);
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2); /* not reached */
}

/* Opens the device that CLSORT_DEVICE names, or GPU r modulo the GPUs for rank r of the machine. */
static void open_device(struct setup *s)
{
    MPI_Comm machine = MPI_COMM_NULL;
    cl_device_id devices[64], best = NULL;
    uint32_t num = 0, num_gpus = 0;
    int number = 0;
    cl_int code = CL_SUCCESS;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &number);
    MPI_Comm_free(&machine);
    clsort_status status = clsort_find_device(NULL, &best);
    if (!status)
        status = clsort_devices(devices, 64, &num);
    for (uint32_t i = 0; !status && i < num && i < 64; ++i) {
        cl_device_type type = 0;
        clGetDeviceInfo(devices[i], CL_DEVICE_TYPE, sizeof type, &type, NULL);
        if (type & CL_DEVICE_TYPE_GPU)
            devices[num_gpus++] = devices[i];
    }
    if (num_gpus && !getenv("CLSORT_DEVICE"))
        best = devices[(uint32_t)number % num_gpus];
    if (!status)
        status = clsort_create(NULL, best, &s->sorter);
    if (!status)
        status = clsort_set_host_threads(s->sorter, (uint32_t)s->threads);
    if (status)
        stop("a device", clsort_status_text(status));
    s->queue = clCreateCommandQueue(clsort_context(s->sorter), best, 0, &code);
    if (s->on_device && !code)
        s->mem = clCreateBuffer(clsort_context(s->sorter), CL_MEM_READ_WRITE,
                                (size_t)s->count * s->size, NULL, &code);
    if (code)
        stop("a device", "no queue or buffer");
}

static clsort_desc desc_of(const struct setup *s)
{
    return (clsort_desc){.count = s->count, .type = s->size == 8 ? CLSORT_U64 : CLSORT_U32};
}

/* Checks that the result of all ranks is in order and a permutation of the input. */
static void check(const struct setup *s)
{
    if (!all_right(proof_verify(desc_of(s).type, CLSORT_ASCENDING, &s->before, s->work, s->count)))
        MPI_Abort(MPI_COMM_WORLD, 2);
}

/* Times clsort_sort() of a rank's share in host memory. */
static double share_once(struct setup *s)
{
    const clsort_desc desc = desc_of(s);
    const struct elements elements = elements_of_type(desc.type);
    memcpy(s->work, s->keys, (size_t)s->count * s->size);
    MPI_Barrier(MPI_COMM_WORLD);
    const double since = MPI_Wtime();
    const clsort_status status = clsort_sort(s->sorter, &desc, &(clsort_arrays){.keys = s->work});
    const double seconds = MPI_Wtime() - since;
    if (status)
        stop("clsort", clsort_status_text(status));
    if (find_disorder(&elements, CLSORT_ASCENDING, s->work, s->count) != s->count)
        stop("the result", "it is not in order");
    return seconds;
}

static double sort_once(struct setup *s, clsort_mpi_report *report)
{
    const clsort_desc desc = desc_of(s);
    const size_t size = (size_t)s->count * s->size;
    int status = CLSORT_OK;
    memcpy(s->work, s->keys, size);
    if (s->on_device &&
        clEnqueueWriteBuffer(s->queue, s->mem, CL_TRUE, 0, size, s->keys, 0, NULL, NULL))
        stop("the keys", "cannot be written to the device");
    MPI_Barrier(MPI_COMM_WORLD);
    const double since = MPI_Wtime();
    if (s->on_device)
        status = clsort_mpi_sort_buffers(s->sorter, s->queue, MPI_COMM_WORLD, &desc,
                                         &(clsort_buffers){.keys = {.mem = s->mem}}, report);
    else
        status = clsort_mpi_sort(s->sorter, MPI_COMM_WORLD, &desc,
                                 &(clsort_arrays){.keys = s->work}, report);
    const double seconds = MPI_Wtime() - since;
    if (status)
        stop("clsort_mpi", clsort_mpi_status_text(status));
    if (s->on_device &&
        clEnqueueReadBuffer(s->queue, s->mem, CL_TRUE, 0, size, s->work, 0, NULL, NULL))
        stop("the keys", "cannot be read from the device");
    check(s);
    return seconds;
}

/* Times MPI_Alltoallv(). Random keys are spread evenly, so it moves the bytes that the sort
 * moves. */
static double exchange_once(struct setup *s, bool to_new)
{
    int *counts = calloc((size_t)num_ranks, sizeof *counts);
    int *displacements = calloc((size_t)num_ranks, sizeof *displacements);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (!counts || !displacements)
        stop("memory", "out of memory");
    for (int rank = 0; rank < num_ranks; ++rank) {
        const uint64_t parts = (uint64_t)num_ranks, r = (uint64_t)rank;
        displacements[rank] = (int)(s->count / parts * r);
        counts[rank] = (int)(s->count / parts);
    }
    MPI_Type_contiguous((int)s->size, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    memcpy(s->work, s->keys, (size_t)s->count * s->size);
    char *to = to_new ? malloc((size_t)s->count * s->size) : s->other;
    if (!to)
        stop("memory", "out of memory");
    MPI_Barrier(MPI_COMM_WORLD);
    const double since = MPI_Wtime();
    MPI_Alltoallv(s->work, counts, displacements, type, to, counts, displacements, type,
                  MPI_COMM_WORLD);
    const double seconds = MPI_Wtime() - since;
    if (to_new)
        free(to);
    MPI_Type_free(&type);
    free(counts);
    free(displacements);
    return seconds;
}

#ifdef CLSORT_BENCH_MPSORT
static void radix_of(const void *key, void *radix, void *size)
{
    memcpy(radix, key, *(size_t *)size);
}

static double mpsort_once(struct setup *s)
{
    memcpy(s->work, s->keys, (size_t)s->count * s->size);
    MPI_Barrier(MPI_COMM_WORLD);
    const double since = MPI_Wtime();
    mpsort_mpi(s->work, s->count, s->size, radix_of, s->size, &s->size, MPI_COMM_WORLD);
    const double seconds = MPI_Wtime() - since;
    check(s);
    return seconds;
}
#endif

/* The median over the rounds of the slowest rank's seconds. */
static double median(double *seconds, int num)
{
    MPI_Allreduce(MPI_IN_PLACE, seconds, num, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return bench_summarise(seconds, num).median;
}

enum row {
    SORT,
    FIRST,
    SPLIT,
    EXCHANGE,
    SECOND,
    COPY,
    WAIT,
    SORT_NEW,
    EXCHANGE_NEW,
    BARE,
    BARE_NEW,
    SHARE,
    MPSORT,
    NUM_ROWS
};

static const char *const row_names[NUM_ROWS] = {
    [SORT] = "clsort_mpi, memory kept",
    [FIRST] = "  first sort",
    [SPLIT] = "  borders",
    [EXCHANGE] = "  exchange",
    [SECOND] = "  second sort",
    [COPY] = "  copy of the result",
    [WAIT] = "  waiting for other ranks",
    [SORT_NEW] = "clsort_mpi, new memory",
    [EXCHANGE_NEW] = "  exchange",
    [BARE] = "MPI_Alltoallv, memory in use",
    [BARE_NEW] = "MPI_Alltoallv, new memory",
    [SHARE] = "clsort_sort of a share",
    [MPSORT] = "MP-sort",
};

static double times[NUM_ROWS][MAX_ROUNDS];

static void measure(struct setup *s, int at, clsort_mpi_report *report)
{
    times[SORT][at] = sort_once(s, report);
    times[FIRST][at] = report->sort_seconds;
    times[SPLIT][at] = report->split_seconds;
    times[EXCHANGE][at] = report->exchange_seconds;
    times[SECOND][at] = report->merge_seconds;
    times[COPY][at] = report->copy_seconds;
    times[WAIT][at] = report->wait_seconds;
    times[BARE][at] = exchange_once(s, false);
    times[SHARE][at] = share_once(s);
    times[BARE_NEW][at] = exchange_once(s, true);
    if (s->sorter)
        clsort_release_scratch(s->sorter);
    times[SORT_NEW][at] = sort_once(s, report);
    times[EXCHANGE_NEW][at] = report->exchange_seconds;
#ifdef CLSORT_BENCH_MPSORT
    times[MPSORT][at] = mpsort_once(s);
#endif
}

static void print(const struct setup *s, const clsort_mpi_report *report)
{
    double medians[NUM_ROWS];
    for (int row = 0; row < NUM_ROWS; ++row)
        medians[row] = median(times[row], (int)s->rounds);
    if (own_rank)
        return;
    printf("%d ranks, %" PRIu64 " keys of %zu bytes each, median of %d, %s\n", num_ranks, s->count,
           s->size, (int)s->rounds,
           s->on_host     ? "on the host"
           : s->on_device ? "buffers of the device"
                          : "host arrays, by the device");
    const double keys = (double)s->count * num_ranks, bytes = (double)s->count * (double)s->size;
    for (int row = 0; row < NUM_ROWS; ++row) {
        if (medians[row] > 0)
            printf("%-32s %10.3f ms %9.3f Gkeys/s %9.3f GB/s a rank\n", row_names[row],
                   medians[row] * 1e3, keys / medians[row] * 1e-9, bytes / medians[row] * 1e-9);
    }
    const double borders = medians[SPLIT];
    const double sorts = medians[FIRST] + medians[SECOND] + borders;
    printf("exchange / MPI_Alltoallv, memory in use     %6.2f\n",
           medians[EXCHANGE] / medians[BARE]);
    printf("exchange / MPI_Alltoallv, both new memory   %6.2f\n",
           medians[EXCHANGE_NEW] / medians[BARE_NEW]);
    printf("exchange, new / MPI_Alltoallv, in use        %5.2f\n",
           medians[EXCHANGE_NEW] / medians[BARE]);
    printf("(both sorts + borders) / one sort           %6.2f\n", sorts / medians[SHARE]);
    printf("borders / one sort                          %6.3f, %" PRIu32
           " rounds, %.3f MiB reduced\n",
           borders / medians[SHARE], report->num_rounds, (double)report->bytes_reduced / (1 << 20));
}

static void run(struct setup *s)
{
    clsort_mpi_report report;
    for (int round = -1; round < (int)s->rounds; ++round)
        measure(s, round < 0 ? 0 : round, &report); /* the next round overwrites the first */
    print(s, &report);
}

int main(int argc, char **argv)
{
    struct setup s = {.count = (uint64_t)1 << 22, .rounds = 5, .size = 4};
    int c = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &num_ranks);
    while ((c = getopt(argc, argv, "N:R:t:ubh")) != -1) {
        s.size = c == 'u' ? 8 : s.size;
        s.on_device |= c == 'b';
        s.on_host |= c == 'h';
        if (c == '?' || (c == 'N' && !parse_number(optarg, "COUNT", 1, INT32_MAX, &s.count)) ||
            (c == 'R' && !parse_number(optarg, "ROUNDS", 1, MAX_ROUNDS, &s.rounds)) ||
            (c == 't' && !parse_number(optarg, "THREADS", 0, UINT32_MAX, &s.threads)))
            stop("options", "they are -N COUNT, -R ROUNDS, -t THREADS, -u, -b and -h");
    }
    const size_t size = (size_t)s.count * s.size;
    s.keys = malloc(size);
    s.work = malloc(size);
    s.other = calloc(1, size);
    if (!s.keys || !s.work || !s.other)
        stop("memory", "out of memory");
    for (uint64_t i = 0; i < s.count; ++i) {
        const uint64_t number = bench_random((uint64_t)own_rank << 40, i);
        memcpy(s.keys + i * s.size, &number, s.size);
    }
    s.before = proof_record(desc_of(&s).type, s.keys, s.count);
    if (!s.on_host)
        open_device(&s);
    run(&s);
    if (s.mem)
        clReleaseMemObject(s.mem);
    if (s.queue)
        clReleaseCommandQueue(s.queue);
    clsort_destroy(s.sorter);
    free(s.keys);
    free(s.work);
    free(s.other);
    MPI_Finalize();
    return 0;
}
