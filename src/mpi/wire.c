/* wire.c: see wire.h. Every function starts a non-blocking call, and finish() alone waits. */
#define _POSIX_C_SOURCE 200809L
#include "wire.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#include <sched.h>
#endif

enum { ALARM_TAG = 1, POLLS_BEFORE_YIELD = 1000 };

/* Lets another rank use this core. */
static void yield(void)
{
#if defined(__unix__) || defined(__APPLE__)
    sched_yield();
#endif
}

/* The messages are empty and their requests are freed at once: no rank waits for their delivery. */
void wire_stop(struct wire *wire)
{
    wire->failed = 1;
    for (int rank = 0; wire->comm != MPI_COMM_NULL && rank < wire->size; ++rank) {
        MPI_Request request;
        if (rank != wire->rank &&
            !MPI_Isend(NULL, 0, MPI_BYTE, rank, ALARM_TAG, wire->comm, &request))
            MPI_Request_free(&request);
    }
}

/* Waits for a call that returned `code` when it was started. */
static void finish(struct wire *wire, int code, MPI_Request request)
{
    int done = 0, rung = 0;
    if (code) {
        wire->pending = 1; /* the call may run in spite of its error */
        wire_stop(wire);
        return;
    }
    for (uint32_t polls = 0; !done; ++polls) {
        code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!code && !done && wire->alarm != MPI_REQUEST_NULL)
            code = MPI_Test(&wire->alarm, &rung, MPI_STATUS_IGNORE);
        if (code || rung) {
            wire->pending = 1;
            wire->failed = 1;
            if (code)
                wire_stop(wire);
            return;
        }
        if (polls >= POLLS_BEFORE_YIELD)
            yield();
    }
}

/* Prepares a new duplicate. Returns 0 if a call failed. */
static int prepare(struct wire *wire)
{
    return !MPI_Comm_set_errhandler(wire->comm, MPI_ERRORS_RETURN) &&
           !MPI_Comm_size(wire->comm, &wire->size) && !MPI_Comm_rank(wire->comm, &wire->rank) &&
           !MPI_Irecv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, ALARM_TAG, wire->comm, &wire->alarm);
}

/* Each side is one block: its types, counts and displacements. */
static int sides_alloc(struct wire *wire)
{
    const size_t num = (size_t)wire->size;
    for (int i = 0; i < 2; ++i) {
        struct wire_side *side = &wire->sides[i];
        side->types = malloc(num * (sizeof *side->types + 2 * sizeof *side->counts));
        if (!side->types)
            return 0;
        side->counts = (int *)(void *)(side->types + num);
        side->displacements = side->counts + num;
    }
    return 1;
}

/* Frees what the wire holds. */
static void wire_shut(struct wire *wire)
{
    if (wire->alarm != MPI_REQUEST_NULL && !MPI_Cancel(&wire->alarm))
        MPI_Wait(&wire->alarm, MPI_STATUS_IGNORE);
    /* After a call that was given up, MPI_Comm_free() might wait for it. */
    if (wire->comm != MPI_COMM_NULL && !wire->failed)
        MPI_Comm_free(&wire->comm);
    for (int i = 0; i < 2 && !wire->pending; ++i)
        free(wire->sides[i].types);
}

/* Duplicates the communicator. Returns this rank's status. */
static int duplicate(struct wire *wire, MPI_Comm comm)
{
    if (MPI_Comm_dup(comm, &wire->comm)) {
        wire->comm = MPI_COMM_NULL;
        return CLSORT_ERROR_MPI;
    }
    if (!prepare(wire))
        return CLSORT_ERROR_MPI;
    return sides_alloc(wire) ? CLSORT_OK : CLSORT_ERROR_HOST_MEMORY;
}

/* `code`: of what came before, so that all ranks learn of it. */
static int open_quietly(MPI_Comm comm, int code, struct wire **wire_ret)
{
    /* If the reduction is given up, MPI may write here after this function has returned. It only
     * ever holds a failure, so threads that run out of memory at the same time may share it. */
    static uint64_t failure;
    struct wire on_stack, *wire = malloc(sizeof *wire);
    const int has_memory = wire != NULL;
    int is_inter = 0, status = CLSORT_ERROR_MPI_COMM;
    if (!has_memory)
        wire = &on_stack; /* still take part, since the other ranks wait */
    *wire = (struct wire){.comm = MPI_COMM_NULL, .alarm = MPI_REQUEST_NULL};
    const int code_of_test = MPI_Comm_test_inter(comm, &is_inter);
    if (!is_inter) {
        status = duplicate(wire, comm);
        if (code || code_of_test)
            status = CLSORT_ERROR_MPI;
        uint64_t *const word = has_memory ? wire->words : &failure;
        *word = (uint64_t)(has_memory ? status : CLSORT_ERROR_HOST_MEMORY);
        /* A rank without a duplicate can report that only on the caller's communicator. */
        MPI_Request request = MPI_REQUEST_NULL;
        code = MPI_Iallreduce(MPI_IN_PLACE, word, 1, MPI_UINT64_T, MPI_MAX, comm, &request);
        finish(wire, code, request);
        status = wire->failed ? CLSORT_ERROR_MPI : (int)*word;
    }
    *wire_ret = status ? NULL : wire;
    if (status && has_memory)
        wire_close(wire);
    else if (status)
        wire_shut(wire);
    return status;
}

/* The two calls on the caller's communicator return their errors, whatever its handler is. */
int wire_open(MPI_Comm comm, struct wire **wire_ret)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    const int is_unknown = MPI_Comm_get_errhandler(comm, &handler);
    const int code = is_unknown ? is_unknown : MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const int status = open_quietly(comm, code, wire_ret);
    if (is_unknown)
        return status;
    const int is_changed = MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    if (is_changed && *wire_ret)
        wire_stop(*wire_ret);
    return status;
}

void wire_close(struct wire *wire)
{
    wire_shut(wire);
    if (!wire->pending)
        free(wire);
}

void wire_free(const struct wire *wire, void *memory)
{
    if (!wire->pending)
        free(memory);
}

int wire_agree(struct wire *wire, int status, uint64_t number, int *rank_ret)
{
    const uint64_t rank = status ? (uint64_t)UINT32_MAX - (uint32_t)wire->rank : 0;
    wire->words[0] = rank << 32 | (uint32_t)status; /* largest for the lowest rank */
    wire->words[1] = number;
    wire->words[2] = ~number;
    *rank_ret = -1;
    wire_max(wire, wire->words, 3);
    if (wire->failed)
        return CLSORT_ERROR_MPI;
    if (wire->words[0]) {
        *rank_ret = (int)(UINT32_MAX - (uint32_t)(wire->words[0] >> 32));
        return (int)(uint32_t)wire->words[0];
    }
    return wire->words[1] == ~wire->words[2] ? CLSORT_OK : CLSORT_ERROR_MPI_UNEQUAL;
}

/* Starts a call whose last arguments are the communicator and a request, unless one has failed, and
 * waits for it. */
#define COLLECT(wire, call, ...)                                          \
    do {                                                                  \
        MPI_Request request = MPI_REQUEST_NULL;                           \
        if (!(wire)->failed) {                                            \
            const int code = (call)(__VA_ARGS__, (wire)->comm, &request); \
            finish(wire, code, request);                                  \
        }                                                                 \
    } while (0)

void wire_sum(struct wire *wire, const uint64_t *numbers, uint64_t *sums, int count)
{
    COLLECT(wire, MPI_Iallreduce, numbers, sums, count, MPI_UINT64_T, MPI_SUM);
}

/* MPICH 4.0 compares unsigned 64-bit numbers as signed ones, and Open MPI 4.1 does so for one of
 * the types. So this maps them to signed numbers in the same order. */
void wire_max(struct wire *wire, uint64_t *numbers, int count)
{
    const uint64_t sign = (uint64_t)1 << 63;
    for (int i = 0; i < count; ++i)
        numbers[i] ^= sign;
    COLLECT(wire, MPI_Iallreduce, MPI_IN_PLACE, numbers, count, MPI_INT64_T, MPI_MAX);
    for (int i = 0; i < count; ++i)
        numbers[i] ^= sign;
}

void wire_prefix_sums(struct wire *wire, const uint64_t *numbers, uint64_t *sums, int count)
{
    const size_t size = (size_t)count * sizeof *sums;
    memset(sums, 0, size); /* MPI does not write those of rank 0 */
    COLLECT(wire, MPI_Iexscan, numbers, sums, count, MPI_UINT64_T, MPI_SUM);
    if (wire->rank == 0)
        memset(sums, 0, size);
}

void wire_gather(struct wire *wire, uint64_t *all, int count)
{
    COLLECT(wire, MPI_Iallgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, count, MPI_UINT64_T);
}

void wire_swap(struct wire *wire, const uint64_t *to, uint64_t *from)
{
    COLLECT(wire, MPI_Ialltoall, to, 1, MPI_UINT64_T, from, 1, MPI_UINT64_T);
}

/* Fills in counts and displacements, in elements. */
static void side_fill(struct wire_side *side, int num_ranks, const uint64_t *counts)
{
    uint64_t offset = 0;
    for (int r = 0; r < num_ranks; ++r) {
        side->counts[r] = (int)counts[r];
        side->displacements[r] = (int)offset;
        offset += counts[r];
    }
}

static void side_free_types(struct wire_side *side, int num_ranks)
{
    for (int r = 0; r < num_ranks; ++r) {
        if (side->types[r] != MPI_BYTE)
            MPI_Type_free(&side->types[r]);
    }
}

/* Makes a datatype for each piece: its whole units, its remaining bytes, and its displacement,
 * since MPI's displacements are ints, too. Returns an MPI error code. */
static int side_fill_long(struct wire_side *side, int num_ranks, const struct wire_pieces *pieces,
                          const uint64_t *counts, MPI_Datatype unit)
{
    uint64_t offset = 0;
    int code = MPI_SUCCESS;
    for (int r = 0; r < num_ranks; ++r) {
        const uint64_t size = counts[r] * pieces->size, num_units = size / pieces->unit;
        const uint64_t rest = size % pieces->unit;
        const int lengths[] = {(int)num_units, (int)rest};
        const MPI_Aint displacements[] = {(MPI_Aint)offset, (MPI_Aint)(offset + size - rest)};
        const MPI_Datatype types[] = {unit, MPI_BYTE};
        MPI_Datatype type = MPI_BYTE;
        offset += size;
        side->displacements[r] = 0;
        side->counts[r] = size != 0;
        if (!code && num_units > INT_MAX)
            code = MPI_ERR_COUNT;
        if (!code && size)
            code = MPI_Type_create_struct(2, lengths, displacements, types, &type);
        side->types[r] = code ? MPI_BYTE : type;
        if (!code && size)
            code = MPI_Type_commit(&side->types[r]);
    }
    return code;
}

static int start_long(struct wire *wire, const struct wire_pieces *pieces, MPI_Datatype unit,
                      const void *sent, void *received, MPI_Request *request)
{
    struct wire_side *to = &wire->sides[0], *from = &wire->sides[1];
    int code = side_fill_long(to, wire->size, pieces, pieces->sent_counts, unit);
    const int code_from = side_fill_long(from, wire->size, pieces, pieces->received_counts, unit);
    if (!code)
        code = code_from;
    if (!code)
        code = MPI_Ialltoallw(sent, to->counts, to->displacements, to->types, received,
                              from->counts, from->displacements, from->types, wire->comm, request);
    return code;
}

static int start_short(struct wire *wire, const struct wire_pieces *pieces, MPI_Datatype element,
                       const void *sent, void *received, MPI_Request *request)
{
    struct wire_side *to = &wire->sides[0], *from = &wire->sides[1];
    side_fill(to, wire->size, pieces->sent_counts);
    side_fill(from, wire->size, pieces->received_counts);
    return MPI_Ialltoallv(sent, to->counts, to->displacements, element, received, from->counts,
                          from->displacements, element, wire->comm, request);
}

void wire_exchange(struct wire *wire, const struct wire_pieces *pieces, const void *sent,
                   void *received)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    if (wire->failed)
        return;
    int code =
        MPI_Type_contiguous((int)(pieces->is_long ? pieces->unit : pieces->size), MPI_BYTE, &type);
    const int has_type = !code;
    if (!code)
        code = MPI_Type_commit(&type);
    const int has_types = !code && pieces->is_long;
    if (!code)
        code = (pieces->is_long ? start_long : start_short)(wire, pieces, type, sent, received,
                                                            &request);
    finish(wire, code, request);
    if (has_type)
        MPI_Type_free(&type);
    for (int i = 0; has_types && i < 2; ++i)
        side_free_types(&wire->sides[i], wire->size);
}
