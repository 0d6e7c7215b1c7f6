/* job.h: one rank's part of a sort: what was asked for, and the elements on their way. */
#ifndef JOB_H
#define JOB_H

#include "check.h"
#include "memory.h"
#include "split.h"
#include "wire.h"

enum { MAX_MOVED = MAX_MEMBERS + 1 }; /* columns, and values or indices */

/* What the caller gave. */
struct request {
    clsort_sorter *sorter;
    const clsort_desc *desc;
    const clsort_arrays *arrays;
    int is_device; /* instead of arrays: */
    const clsort_buffers *buffers;
    cl_command_queue queue;
    uint64_t count_wanted;
    int has_wanted;         /* the sort is to another distribution */
    uint64_t max_short;     /* elements of a rank, or bytes of one, that an int counts */
    uint32_t exchange_unit; /* bytes counted as one where there are more */
};

/* An array that moves with the sort. */
struct moved {
    uint32_t size;         /* bytes of an element */
    enum buffer_role from; /* the caller's; NONE: indices, which are made */
    enum buffer_role to;   /* the caller's; NONE: it is needed for the order alone */
    enum buffer_role role; /* in the two sorts of this rank, which are in place */
    char *sent;            /* room for count elements, of host arrays for count_wanted, too */
    char *received; /* room for count_wanted elements; made indices have room for count, too */
    cl_mem mem;     /* on the device, the larger of both counts */
};

struct job {
    const struct request *request;
    struct wire *wire;
    clsort_mpi_report report;
    struct problem problem;
    uint64_t count;
    uint64_t count_wanted;
    uint64_t total;     /* of all ranks */
    uint64_t base;      /* elements of the ranks before */
    int is_long;        /* for struct wire_pieces */
    clsort_desc sorted; /* the description of this rank's own sorts, but for the count */
    struct moved moved[MAX_MOVED];
    uint32_t num_moved;
    struct memory memory;
    struct words words;
    struct split split;
    uint64_t *ranks;   /* RANK_FACTS of every rank */
    uint64_t *targets; /* of every rank: where its share ends */
    uint64_t *ends;    /* of every rank: where this rank's elements for it end */
    uint64_t *sent_counts;
    uint64_t *received_counts;
    clsort_sorter *sorter; /* the request's, or this job's own; NULL: not needed */
    int owns_sorter;
};

enum rank_fact { RANK_COUNT, RANK_WANTED, RANK_MACHINE, RANK_FACTS };

/* This rank's view of what is asked for: fills in problem, sorted, moved and words. Returns a status. */
int job_check(struct job *job);

/* A number that is equal on all ranks if what is asked for is, apart from the counts. */
uint64_t job_hash(const struct job *job);

/* The sorter that this rank needs, once `ranks` is filled in. Returns a status. */
int job_find_sorter(struct job *job);

/* ---- this rank's sorts of host arrays: from the caller's arrays to moved.sent; and, after the exchange,
 * from moved.received to moved.sent. Indices that are made begin in moved.received. ---- */
int job_sort_sent(struct job *job);
int job_sort_received(struct job *job);

/* From where the elements are in order to the caller: moved.sent if they were sorted again, else
 * moved.received. A status, always CLSORT_OK. */
int job_deliver(struct job *job);

/* The same for buffers of a device; device_open() makes them. Sorts are in place there. */
int device_open(struct job *job);
void device_close(struct job *job);
int device_sort_sent(struct job *job);
int device_sort_received(struct job *job);
int device_deliver(struct job *job);

/* The whole sort, on all ranks. */
int job_run(MPI_Comm comm, const struct request *request, clsort_mpi_report *report_ret);

#endif
