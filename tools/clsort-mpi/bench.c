/* bench.c: bench_mpi [-N COUNT] [-R ROUNDS] [-u] [-b] [-h]
 *
 * Times clsort_mpi_sort() of random keys over all ranks beside a bare MPI_Alltoallv() of the same bytes,
 * which every sort must pay for at least once, in turns. Each round is the slowest rank's time; the table
 * has the medians.
 *
 *   -N COUNT   keys a rank (2^22), as 1000 or 2^28
 *   -R ROUNDS  measured rounds (5), after one that is not
 *   -u         keys of 64 bits, instead of 32
 *   -b         clsort_mpi_sort_buffers(): keys lie on the device before and after the sort
 *   -h         sort on the host, without a device; at most 2^20 keys a rank
 *
 * With -D CLSORT_BENCH_MPSORT=DIR in CMake, a checkout of MP-sort is measured as well. */
#include <clsort/clsort_mpi.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef CLSORT_BENCH_MPSORT
#include <mpsort.h>
#endif

enum { MAX_ROUNDS = 100 };

static int own_rank, num_ranks;

struct setup {
    uint64_t count;
    int rounds;
    size_t size; /* bytes of a key */
    bool on_device;
    bool on_host;
    clsort_sorter *sorter;
    cl_command_queue queue;
    cl_mem mem;
    char *keys; /* random, and kept */
    char *work;
    char *other;
};

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "bench_mpi: rank %d: %s: %s\n", own_rank, what, why);
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2); /* not reached */
}

static uint64_t random_number(uint64_t i)
{
    uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)(own_rank + 1) << 40;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* The device number `rank of this machine`, modulo its GPUs, or what CLSORT_DEVICE names. */
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
    if (status)
        stop("a device", clsort_status_text(status));
    s->queue = clCreateCommandQueue(clsort_context(s->sorter), best, 0, &code);
    if (s->on_device && !code)
        s->mem = clCreateBuffer(clsort_context(s->sorter), CL_MEM_READ_WRITE,
                                (size_t)s->count * s->size, NULL, &code);
    if (code)
        stop("a device", "no queue or buffer");
}

static void check(const struct setup *s)
{
    uint64_t last = 0;
    for (uint64_t i = 0; i < s->count; ++i) {
        uint64_t key = 0;
        memcpy(&key, s->work + i * s->size, s->size);
        if (key < last)
            stop("the result", "it is not in order");
        last = key;
    }
}

static double sort_once(struct setup *s, clsort_mpi_report *report)
{
    const clsort_desc desc = {.count = s->count, .type = s->size == 8 ? CLSORT_U64 : CLSORT_U32};
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

static double exchange_once(struct setup *s)
{
    int *counts = calloc((size_t)num_ranks, sizeof *counts);
    int *places = calloc((size_t)num_ranks, sizeof *places);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (!counts || !places)
        stop("memory", "there is too little");
    for (int rank = 0; rank < num_ranks; ++rank) {
        const uint64_t parts = (uint64_t)num_ranks, r = (uint64_t)rank;
        places[rank] = (int)(s->count / parts * r);
        counts[rank] = (int)(s->count / parts);
    }
    MPI_Type_contiguous((int)s->size, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    memcpy(s->work, s->keys, (size_t)s->count * s->size);
    MPI_Barrier(MPI_COMM_WORLD);
    const double since = MPI_Wtime();
    MPI_Alltoallv(s->work, counts, places, type, s->other, counts, places, type, MPI_COMM_WORLD);
    const double seconds = MPI_Wtime() - since;
    MPI_Type_free(&type);
    free(counts);
    free(places);
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

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The slowest rank's seconds of each round; their median. */
static double median(double *seconds, int num)
{
    MPI_Allreduce(MPI_IN_PLACE, seconds, num, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    qsort(seconds, (size_t)num, sizeof *seconds, compare);
    return num % 2 ? seconds[num / 2] : (seconds[num / 2 - 1] + seconds[num / 2]) / 2;
}

static void print(const struct setup *s, const char *name, double *seconds)
{
    const double time = median(seconds, s->rounds);
    const double keys = (double)s->count * num_ranks;
    if (own_rank == 0)
        printf("%-24s %10.3f ms %9.3f Gkeys/s %9.3f GB/s a rank\n", name, time * 1e3,
               keys / time * 1e-9, (double)s->count * (double)s->size / time * 1e-9);
}

static void run(struct setup *s)
{
    enum { SORT, EXCHANGE, MPSORT, FIRST, SPLIT, MOVE, SECOND, NUM };
    static double times[NUM][MAX_ROUNDS];
    clsort_mpi_report report;
    for (int round = -1; round < s->rounds; ++round) {
        const int at = round < 0 ? 0 : round; /* what the first writes, the next overwrites */
        times[SORT][at] = sort_once(s, &report);
        times[FIRST][at] = report.sort_seconds;
        times[SPLIT][at] = report.split_seconds;
        times[MOVE][at] = report.exchange_seconds;
        times[SECOND][at] = report.merge_seconds;
        times[EXCHANGE][at] = exchange_once(s);
#ifdef CLSORT_BENCH_MPSORT
        times[MPSORT][at] = mpsort_once(s);
#endif
    }
    if (own_rank == 0)
        printf("%d ranks, %" PRIu64 " keys of %zu bytes each, median of %d, %s\n", num_ranks,
               s->count, s->size, s->rounds,
               s->on_host     ? "on the host"
               : s->on_device ? "buffers of the device"
                              : "host arrays, by the device");
    print(s, "clsort_mpi", times[SORT]);
    print(s, "  first sort", times[FIRST]);
    print(s, "  borders", times[SPLIT]);
    print(s, "  exchange", times[MOVE]);
    print(s, "  second sort", times[SECOND]);
    print(s, "MPI_Alltoallv alone", times[EXCHANGE]);
#ifdef CLSORT_BENCH_MPSORT
    print(s, "MP-sort", times[MPSORT]);
#endif
}

static uint64_t parse(const char *text)
{
    return strncmp(text, "2^", 2) == 0 ? (uint64_t)1 << (strtoul(text + 2, NULL, 10) & 63)
                                       : strtoull(text, NULL, 10);
}

int main(int argc, char **argv)
{
    struct setup s = {.count = (uint64_t)1 << 22, .rounds = 5, .size = 4};
    int c = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &num_ranks);
    while ((c = getopt(argc, argv, "N:R:ubh")) != -1) {
        s.count = c == 'N' ? parse(optarg) : s.count;
        s.rounds = c == 'R' ? atoi(optarg) : s.rounds;
        s.size = c == 'u' ? 8 : s.size;
        s.on_device |= c == 'b';
        s.on_host |= c == 'h';
        if (c == '?')
            stop("options", "they are -N COUNT, -R ROUNDS, -u, -b and -h");
    }
    if (s.count == 0 || s.count > INT32_MAX || s.rounds < 1 || s.rounds > MAX_ROUNDS)
        stop("options", "a count is below 2^31, rounds are 1 to 100");
    const size_t size = (size_t)s.count * s.size;
    s.keys = malloc(size);
    s.work = malloc(size);
    s.other = calloc(1, size);
    if (!s.keys || !s.work || !s.other)
        stop("memory", "there is too little");
    for (uint64_t i = 0; i < s.count; ++i) {
        const uint64_t number = random_number(i);
        memcpy(s.keys + i * s.size, &number, s.size);
    }
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
