/* sort.c: the steps of a sort over ranks.
 *
 * At a few points all ranks agree on a status. A rank that fails still takes part in all collective
 * calls up to the next agreement. It reports its status there, so all ranks return together.
 * Between agreements only MPI calls can fail (wire.h). */
#include "job.h"

#include <limits.h>
#include <stdlib.h>

/* Returns the seconds since *since and sets *since to now. */
static double lap(double *since)
{
    const double before = *since;
    *since = MPI_Wtime();
    return *since - before;
}

/* A hash of this machine's name. If two machines collide, their ranks only share devices
 * unevenly. */
static int machine_number(uint64_t *number_ret)
{
    char name[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int length = 0;
    if (MPI_Get_processor_name(name, &length))
        return CLSORT_ERROR_MPI;
    *number_ret = 0xcbf29ce484222325;
    for (int i = 0; i < length; ++i)
        *number_ret = (*number_ret ^ (unsigned char)name[i]) * 0x100000001b3;
    return CLSORT_OK;
}

static int alloc_ranks(struct job *job)
{
    const size_t num = (size_t)job->wire->size;
    job->ranks = calloc(num * (RANK_FACTS + 4), sizeof *job->ranks);
    const int has_split = split_alloc(&job->split, job->wire->size);
    if (!job->ranks || !has_split)
        return CLSORT_ERROR_HOST_MEMORY;
    job->targets = job->ranks + num * RANK_FACTS;
    job->ends = job->targets + num;
    job->sent_counts = job->ends + num;
    job->received_counts = job->sent_counts + num;
    return CLSORT_OK;
}

static void job_free(struct job *job)
{
    if (!job->wire->pending)
        memory_return(job->areas, job->request->sorter);
    wire_free(job->wire, job->ranks);
    split_free(&job->split, job->wire);
    device_close(job);
    if (job->owns_sorter)
        clsort_destroy(job->sorter);
}

/* Gathers the counts of all ranks and checks them. All ranks get the same status. */
static int gather_ranks(struct job *job)
{
    struct wire *wire = job->wire;
    uint64_t total_wanted = 0, largest = 0;
    wire_gather(wire, job->ranks, RANK_FACTS);
    if (wire->failed)
        return CLSORT_ERROR_MPI;
    for (int rank = 0; rank < wire->size; ++rank) {
        const uint64_t *facts = &job->ranks[rank * RANK_FACTS];
        if (rank == wire->rank)
            job->base = job->total;
        job->total += facts[RANK_COUNT];
        total_wanted += facts[RANK_WANTED];
        if (job->total >= MAX_COUNT || total_wanted >= MAX_COUNT)
            return CLSORT_ERROR_COUNT;
        job->targets[rank] = total_wanted;
        largest = facts[RANK_COUNT] > largest ? facts[RANK_COUNT] : largest;
        largest = facts[RANK_WANTED] > largest ? facts[RANK_WANTED] : largest;
    }
    for (uint32_t i = 0; i < job->num_moved; ++i)
        largest = job->moved[i].size > largest ? job->moved[i].size : largest;
    job->is_long = largest > job->request->max_short;
    if (total_wanted != job->total)
        return CLSORT_ERROR_MPI_WANTED;
    return job->problem.index_size == 4 && job->total > (uint64_t)UINT32_MAX + 1
               ? CLSORT_ERROR_INDEX_SIZE
               : CLSORT_OK;
}

/* Writes the indices of this rank's elements in the whole input. */
static void make_indices(const struct job *job, const struct moved *moved, char *indices)
{
    for (uint64_t i = 0; i < job->count; ++i) {
        if (moved->size == 8)
            ((uint64_t *)(void *)indices)[i] = job->base + i;
        else
            ((uint32_t *)(void *)indices)[i] = (uint32_t)(job->base + i);
    }
}

/* Appends an array to an area that ends at *end. Returns 0 if a size_t cannot hold the new end. */
static int reserve(uint64_t count, uint32_t size, size_t *end)
{
    const size_t left = (SIZE_MAX >> 1) - *end;
    if (left < AREA_ALIGNMENT || count > (left - AREA_ALIGNMENT) / size)
        return 0;
    *end += ((size_t)count * size + AREA_ALIGNMENT - 1) / AREA_ALIGNMENT * AREA_ALIGNMENT;
    return 1;
}

/* Allocates both areas and sets moved.sent and moved.received. */
static int alloc_elements(struct job *job)
{
    const uint64_t larger = job->count > job->count_wanted ? job->count : job->count_wanted;
    size_t ends[NUM_AREAS] = {0}, begins[NUM_AREAS][MAX_MOVED];
    for (uint32_t i = 0; i < job->num_moved; ++i) {
        const struct moved *moved = &job->moved[i];
        const int is_made = moved->from == BUFFER_NONE, is_device = job->request->is_device;
        begins[AREA_SENT][i] = ends[AREA_SENT];
        begins[AREA_RECEIVED][i] = ends[AREA_RECEIVED];
        if (!reserve(is_device ? job->count : larger, moved->size, &ends[AREA_SENT]) ||
            !reserve(is_made ? larger : job->count_wanted, moved->size, &ends[AREA_RECEIVED]))
            return CLSORT_ERROR_HOST_MEMORY;
    }
    memory_borrow(job->areas, job->request->sorter);
    char *sent = memory_fit(&job->areas[AREA_SENT], ends[AREA_SENT]);
    char *received = memory_fit(&job->areas[AREA_RECEIVED], ends[AREA_RECEIVED]);
    if (!sent || !received)
        return CLSORT_ERROR_HOST_MEMORY;
    for (uint32_t i = 0; i < job->num_moved; ++i) {
        job->moved[i].sent = sent + begins[AREA_SENT][i];
        job->moved[i].received = received + begins[AREA_RECEIVED][i];
    }
    return CLSORT_OK;
}

/* Sorts this rank's elements into moved.sent. */
static int sort_sent(struct job *job)
{
    const int is_device = job->request->is_device;
    int status = job_find_sorter(job);
    if (!status)
        status = alloc_elements(job);
    for (uint32_t i = 0; !status && i < job->num_moved; ++i) {
        const struct moved *moved = &job->moved[i];
        if (moved->from == BUFFER_NONE)
            make_indices(job, moved, is_device ? moved->sent : moved->received);
    }
    if (!status && is_device)
        status = device_open(job);
    if (!status)
        status = is_device ? device_sort_sent(job) : job_sort(job, job->count, 0);
    return status;
}

static void use_words(struct job *job, int is_received)
{
    const uint32_t num = job->problem.num_columns ? job->problem.num_columns : 1;
    for (uint32_t i = 0; i < num; ++i)
        job->words.arrays[i] = is_received ? job->moved[i].received : job->moved[i].sent;
}

/* Whether this rank receives exactly count_wanted elements. With more, MPI would write past the
 * end; with fewer, ranks would wait. A device that sorts wrongly may cause either. */
static int counts_add_up(const struct job *job)
{
    uint64_t received = 0;
    int is_rising = 1;
    for (int rank = 0; rank < job->wire->size; ++rank) {
        is_rising &= job->ends[rank] >= (rank ? job->ends[rank - 1] : 0);
        received += job->received_counts[rank];
    }
    return is_rising && received == job->count_wanted;
}

static void find_counts(struct job *job)
{
    struct wire *wire = job->wire;
    use_words(job, 0);
    split_find(&job->split, wire, &job->words, job->count, job->targets, job->total, job->ends);
    job->ends[wire->size - 1] = job->count;
    for (int rank = 0; rank < wire->size; ++rank)
        job->sent_counts[rank] = job->ends[rank] - (rank ? job->ends[rank - 1] : 0);
    wire_swap(wire, job->sent_counts, job->received_counts);
    if (!wire->failed && !counts_add_up(job))
        wire_stop(wire);
}

static void exchange(struct job *job)
{
    struct wire *wire = job->wire;
    for (uint32_t i = 0; i < job->num_moved; ++i) {
        const struct moved *moved = &job->moved[i];
        const struct wire_pieces pieces = {
            .size = moved->size,
            .is_long = job->is_long,
            .unit = job->request->exchange_unit,
            .sent_counts = job->sent_counts,
            .received_counts = job->received_counts,
        };
        wire_exchange(wire, &pieces, moved->sent, moved->received);
        job->report.bytes_sent += (job->count - job->sent_counts[wire->rank]) * moved->size;
    }
}

/* Whether the sorted pieces received are in order one after another. */
static int is_in_order(struct job *job)
{
    uint64_t at = 0;
    use_words(job, 1);
    for (int rank = 0; rank < job->wire->size; ++rank) {
        const uint64_t count = job->received_counts[rank];
        if (at && count && !words_in_order(&job->words, 0, at - 1, at))
            return 0;
        at += count;
    }
    return 1;
}

static int sort_received(struct job *job)
{
    job->report.sorted_again = !is_in_order(job);
    if (job->request->is_device)
        return device_sort_received(job);
    return job->report.sorted_again ? job_sort(job, job->count_wanted, 1) : CLSORT_OK;
}

/* Runs all steps on an open wire. */
static int run(struct job *job)
{
    struct wire *wire = job->wire;
    clsort_mpi_report *report = &job->report;
    int *const failed_rank = &report->failed_rank;
    double since = MPI_Wtime();
    uint64_t machine = 0;
    int status = job_check(job);
    if (!status)
        status = alloc_ranks(job);
    if (!status)
        status = machine_number(&machine);
    status = wire_agree(wire, status, status ? 0 : job_hash(job), failed_rank);
    if (status)
        return status;
    uint64_t *own = &job->ranks[wire->rank * RANK_FACTS];
    own[RANK_COUNT] = job->count;
    own[RANK_WANTED] = job->count_wanted;
    own[RANK_MACHINE] = machine;
    status = gather_ranks(job);
    if (status || !job->total)
        return status;
    lap(&since);
    status = sort_sent(job);
    report->sort_seconds = lap(&since);
    status = wire_agree(wire, status, 0, failed_rank);
    report->wait_seconds = lap(&since);
    if (status)
        return status;
    find_counts(job);
    report->split_seconds = lap(&since);
    if (!wire->failed)
        exchange(job);
    report->exchange_seconds = lap(&since);
    status = wire->failed ? CLSORT_ERROR_MPI : sort_received(job);
    report->merge_seconds = lap(&since);
    status = wire_agree(wire, status, 0, failed_rank);
    report->wait_seconds += lap(&since);
    if (status)
        return status;
    const int is_device = job->request->is_device;
    status = is_device ? device_deliver(job) : job_deliver(job);
    report->copy_seconds = lap(&since);
    return is_device ? wire_agree(wire, status, 0, failed_rank) : status;
}

/* The status of a call that must be refused before any collective call. */
static int refuse_alone(MPI_Comm comm)
{
    int is_initialized = 0, is_finalized = 0;
    if (comm == MPI_COMM_NULL)
        return CLSORT_ERROR_NULL;
    /* If one of these calls fails, go on, since the other ranks wait. */
    if ((!MPI_Initialized(&is_initialized) && !is_initialized) ||
        (!MPI_Finalized(&is_finalized) && is_finalized))
        return CLSORT_ERROR_MPI_STATE;
    return CLSORT_OK;
}

int job_run(MPI_Comm comm, const struct request *request, clsort_mpi_report *report_ret)
{
    struct job job = {.request = request, .report.failed_rank = -1};
    if (report_ret)
        *report_ret = job.report;
    int status = refuse_alone(comm);
    if (status)
        return status;
    double since = MPI_Wtime();
    status = wire_open(comm, &job.wire);
    if (!status) {
        status = run(&job);
        job_free(&job);
        wire_close(job.wire);
    }
    job.report.num_rounds = job.split.num_rounds;
    job.report.bytes_reduced = job.split.bytes_reduced;
    job.report.count = job.count;
    job.report.count_received = job.count_wanted;
    job.report.total_seconds = lap(&since);
    if (report_ret)
        *report_ret = job.report;
    return status;
}

static struct request request_of(clsort_sorter *sorter, const clsort_desc *desc,
                                 const clsort_arrays *arrays)
{
    return (struct request){
        .sorter = sorter,
        .desc = desc,
        .arrays = arrays,
        .max_short = INT_MAX,
        .exchange_unit = 1 << 20,
    };
}

int clsort_mpi_sort(clsort_sorter *sorter, MPI_Comm comm, const clsort_desc *desc,
                    const clsort_arrays *arrays, clsort_mpi_report *report_ret)
{
    const struct request request = request_of(sorter, desc, arrays);
    return job_run(comm, &request, report_ret);
}

int clsort_mpi_sort_to(clsort_sorter *sorter, MPI_Comm comm, const clsort_desc *desc,
                       const clsort_arrays *arrays, uint64_t count_wanted,
                       clsort_mpi_report *report_ret)
{
    struct request request = request_of(sorter, desc, arrays);
    request.count_wanted = count_wanted;
    request.has_wanted = 1;
    return job_run(comm, &request, report_ret);
}

int clsort_mpi_sort_buffers(clsort_sorter *sorter, cl_command_queue queue, MPI_Comm comm,
                            const clsort_desc *desc, const clsort_buffers *buffers,
                            clsort_mpi_report *report_ret)
{
    struct request request = request_of(sorter, desc, NULL);
    request.is_device = 1;
    request.buffers = buffers;
    request.queue = queue;
    return job_run(comm, &request, report_ret);
}
