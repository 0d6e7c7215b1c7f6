/* job.h: one rank's part of a sort over ranks: the caller's request and the arrays that move. */
#ifndef JOB_H
#define JOB_H

#include "call/sorter.h"
#include "check/check.h"
#include "split.h"
#include "wire.h"

/* A rank's working memory on the host: two areas that the caller's sorter keeps between calls. */
enum area_name { AREA_SENT, AREA_RECEIVED, NUM_AREAS };

/* Moves the sorter's areas here. Without a sorter, or if another thread uses it, they are empty. */
void memory_borrow(struct kept_memory areas[NUM_AREAS], clsort_sorter *sorter);

/* Resizes an area to `size` bytes; its contents are lost. Returns its address, a multiple of
 * AREA_ALIGNMENT, or NULL if there is no memory. */
enum { AREA_ALIGNMENT = 128 };
char *memory_fit(struct kept_memory *area, size_t size);

/* Returns both areas to the sorter. Without one, or if another thread uses it, frees them. If both
 * are empty, the sorter is not looked at. */
void memory_return(struct kept_memory areas[NUM_AREAS], clsort_sorter *sorter);

enum { MAX_MOVED = MAX_MEMBERS + 1 }; /* columns, and values or indices */

/* The caller's arguments. */
struct request {
    clsort_sorter *sorter;
    const clsort_desc *desc;
    const clsort_arrays *arrays;
    int is_device; /* the next two instead of arrays */
    const clsort_buffers *buffers;
    cl_command_queue queue;
    uint64_t count_wanted;
    int has_wanted;         /* count_wanted is given: clsort_mpi_sort_to() */
    uint64_t max_short;     /* most elements of a rank, or bytes of an element, for an int */
    uint32_t exchange_unit; /* bytes that a longer exchange counts as one */
};

/* An array that moves with the sort. */
struct moved {
    uint32_t size;         /* bytes of an element */
    enum buffer_role from; /* of the caller; NONE: indices, which the job makes */
    enum buffer_role to;   /* of the caller; NONE: only the order needs the array */
    enum buffer_role role; /* in this rank's two sorts, which are in place */
    char *sent;            /* count elements; for host arrays the larger of both counts */
    char *received;        /* count_wanted elements; for indices the larger of both counts */
    cl_mem mem;            /* on the device: the larger of both counts */
};

struct job {
    const struct request *request;
    struct wire *wire;
    clsort_mpi_report report;
    struct problem problem;
    uint64_t count;
    uint64_t count_wanted;
    uint64_t total;     /* of all ranks */
    uint64_t base;      /* elements of lower ranks */
    int is_long;        /* for struct wire_pieces */
    clsort_desc sorted; /* describes this rank's own sorts; each sets the count */
    struct moved moved[MAX_MOVED];
    uint32_t num_moved;
    struct kept_memory areas[NUM_AREAS];
    struct words words;
    struct split split;
    uint64_t *ranks;   /* RANK_FACTS numbers of each rank; one block with the next four */
    uint64_t *targets; /* for each rank, where its share of the result ends */
    uint64_t *ends;    /* for each rank, where this rank's elements for it end */
    uint64_t *sent_counts;
    uint64_t *received_counts;
    clsort_sorter *sorter; /* the caller's or the job's own; NULL: not needed */
    int owns_sorter;
};

enum rank_fact { RANK_COUNT, RANK_WANTED, RANK_MACHINE, RANK_FACTS };

/* Checks the request and fills in problem, sorted, moved and words. Returns a status. */
int job_check(struct job *job);

/* A hash of the request without its counts, to compare requests between ranks. */
uint64_t job_hash(const struct job *job);

/* Makes the sorter, if this rank needs one. `ranks` must be filled in. Returns a status. */
int job_find_sorter(struct job *job);

/* This rank's sorts of host arrays, to moved.sent: from the caller's arrays, and after the exchange
 * from moved.received. The first sort reads indices from moved.received. */
int job_sort(struct job *job, uint64_t count, int is_received);

/* Copies the result to the caller: from moved.sent if it was sorted again, else from
 * moved.received. Returns CLSORT_OK, as a status like device_deliver(). */
int job_deliver(struct job *job);

/* The same for device buffers, which device_open() makes. These sorts are in place. */
int device_open(struct job *job);
void device_close(struct job *job);
int device_sort_sent(struct job *job);
int device_sort_received(struct job *job);
int device_deliver(struct job *job);

/* Runs the whole sort. All ranks call it. */
int job_run(MPI_Comm comm, const struct request *request, clsort_mpi_report *report_ret);

#endif
