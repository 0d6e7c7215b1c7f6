/** @file
 * One sort over all ranks of an MPI communicator.
 *
 * Every rank calls with the keys it has and with the same description, apart from the count. That
 * includes `stable`, although all sorts over ranks are.
 * Afterwards the ranks, in order, hold the sorted keys, and each rank holds exactly as many as it
 * brought:
 *
 *     clsort_desc desc = CLSORT_ZERO;
 *     desc.count = my_count;
 *     desc.type = CLSORT_F32;
 *     clsort_arrays arrays = CLSORT_ZERO;
 *     arrays.keys = my_keys;
 *     int status = clsort_mpi_sort(NULL, MPI_COMM_WORLD, &desc, &arrays, NULL);
 *     if (status)
 *         fprintf(stderr, "%s\n", clsort_mpi_status_text(status));
 *
 * It sorts numbers of every type, by all bits or a range of them, with values or as indices;
 * records by fields; and rows of columns. An index is the element's place in the whole input,
 * counted over the ranks in order. Strings, several arrays in one call (num_arrays), and records
 * with a comparison in OpenCL C are refused, each with a status of its own. Lists of values
 * (num_values), segments, skip, limit and every operation but SORT are ERROR_UNSUPPORTED.
 *
 * ## How it works
 * Each rank sorts its own elements. By counting, the ranks find together which key stands at every
 * border between two ranks. Each element travels once (MPI_Ialltoallv), and each rank sorts what it
 * received. Borders are exact, so the balance does not depend on the keys: all of them may be
 * equal, or lie on one rank. Sorts are stable: equal elements keep the order of their ranks, and of
 * their places on a rank. The same input gives the same output, bit for bit. src/mpi/README.md has
 * the cost.
 *
 * ## Promises
 * - Collective: all ranks of the communicator call, and all return the same status. If a rank fails
 *   (no device, no memory, a wrong argument), all ranks return its status, and no array of any rank
 *   has changed. There are two exceptions. Buffers of a device may have changed if the copy of the
 *   result into them fails. And if MPI fails on a rank in the very last agreement, other ranks may
 *   already have returned success.
 * - The caller's communicator is duplicated, and one reduction on it tells whether all ranks could.
 *   Errors of both, and of all calls on the duplicate, are returned, whatever error handler the
 *   caller's communicator has. MPI gives errors of datatypes to the handler of MPI_COMM_WORLD.
 * - If an MPI call fails on one rank, the others learn of it and return CLSORT_ERROR_MPI instead of
 *   waiting. Memory that MPI may still write to, and the duplicate, are then left allocated.
 * - A rank takes host memory of at most twice the larger of the elements it brings and those it
 *   gets, plus 256 MiB. An element is a key or row with its value or index. On a device it takes
 *   what clsort_sort() takes; for shares larger than the device that includes one more copy on the
 *   host.
 * - A sorter keeps this memory and is then faster at its next sort over ranks: the first access to
 *   new memory costs more than sending it. clsort_release_scratch() and clsort_destroy() free it.
 *   Without a sorter it is freed within the call.
 *
 * ## Limits
 * All ranks together have fewer than 2^48 elements, and at most 2^32 for indices of 4 bytes. Only
 * one thread of a process may sort on a communicator at a time, as with every collective call. MPI
 * must have version 3.0 or later. The clsort that is loaded must have the version that
 * clsort_mpi was built with: otherwise a call with a sorter returns CLSORT_ERROR_MPI_VERSION.
 */
#ifndef CLSORT_CLSORT_MPI_H
#define CLSORT_CLSORT_MPI_H

#include "clsort/clsort.h"

#include <mpi.h>

/* CLSORT_MPI_FOR_... is set by the CMake target and by pkg-config. */
#if (defined(CLSORT_MPI_FOR_OPENMPI) && !defined(OPEN_MPI)) || \
    (defined(CLSORT_MPI_FOR_MPICH) && !defined(MPICH_VERSION))
#error "clsort_mpi was built for another MPI than this mpi.h belongs to"
#endif

/** Marks the functions that the library exports. */
#if defined(_WIN32) && defined(CLSORT_MPI_SHARED)
#ifdef CLSORT_MPI_BUILDING
#define CLSORT_MPI_API __declspec(dllexport)
#else
#define CLSORT_MPI_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define CLSORT_MPI_API __attribute__((visibility("default")))
#else
#define CLSORT_MPI_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */

/** What the calls return besides the statuses of clsort.h: X(enumerator, sentence). */
#define CLSORT_MPI_STATUS_LIST(X)                                                                \
    X(ERROR_MPI,         "an MPI call failed on one of the ranks")                               \
    X(ERROR_MPI_STATE,   "MPI is not initialized, or it is finalized")                           \
    X(ERROR_MPI_COMM,    "the communicator connects two groups; a sort needs one group")         \
    X(ERROR_MPI_UNEQUAL, "the ranks call different functions or give different descriptions")    \
    X(ERROR_MPI_WANTED,  "the counts that all ranks want do not add up to those that they bring")\
    X(ERROR_MPI_STRINGS, "strings cannot be sorted over ranks")                                  \
    X(ERROR_MPI_ARRAYS,  "num_arrays must be 0 or 1: a sort over ranks takes one array")         \
    X(ERROR_MPI_TEXT,    "a sort over ranks takes records by fields, not by a comparison in "    \
                         "OpenCL C")                                                             \
    X(ERROR_MPI_VERSION, "clsort_mpi and clsort have different versions; install the same "      \
                         "version of both")

/* clang-format on */

/** Statuses whose numbers are larger than those of clsort_status. */
typedef enum clsort_mpi_status {
    CLSORT_MPI_STATUS_BEFORE_FIRST = 999, /**< no status: all are above it */
    CLSORT_ERROR_MPI = 1000,              /**< an MPI call failed on one of the ranks */
    CLSORT_ERROR_MPI_STATE = 1001,        /**< MPI is not initialized, or it is finalized */
    CLSORT_ERROR_MPI_COMM = 1002,         /**< the communicator connects two groups */
    CLSORT_ERROR_MPI_UNEQUAL =
        1003, /**< the ranks call different functions or describe different sorts */
    CLSORT_ERROR_MPI_WANTED = 1004,      /**< the counts wanted do not add up to those brought */
    CLSORT_ERROR_MPI_STRINGS = 1005,     /**< strings cannot be sorted over ranks */
    CLSORT_ERROR_MPI_ARRAYS = 1006,      /**< num_arrays is above 1 */
    CLSORT_ERROR_MPI_TEXT = 1007,        /**< records are compared by a text */
    CLSORT_ERROR_MPI_VERSION = 1008,     /**< clsort_mpi and clsort have different versions */
    CLSORT_MPI_STATUS_BEHIND_LAST = 1009 /**< no status: all are below it */
} clsort_mpi_status;

/** What a sort did on this rank. Seconds are of this rank's clock. */
typedef struct clsort_mpi_report {
    int failed_rank;         /**< the rank whose failure is returned, -1 if none or unknown */
    uint32_t num_rounds;     /**< reductions that found the borders between ranks */
    uint64_t bytes_reduced;  /**< by these reductions */
    uint64_t count;          /**< elements brought */
    uint64_t count_received; /**< elements got */
    uint64_t bytes_sent;     /**< to other ranks */
    uint32_t sorted_again;   /**< nonzero: the elements received were not in order */
    double sort_seconds;     /**< the sort of the elements brought, with transfers to the device */
    double split_seconds;    /**< finding the borders */
    double exchange_seconds; /**< sending and receiving the elements */
    double merge_seconds;    /**< the sort of the elements received */
    double wait_seconds;     /**< waiting for slower ranks, after each of the two sorts */
    double copy_seconds;     /**< the copy of the result to the caller's arrays or buffers */
    double total_seconds;    /**< the whole call */
} clsort_mpi_report;

/** The sentence for a status of this header or of clsort.h, without a full stop. Static text. */
CLSORT_MPI_API const char *clsort_mpi_status_text(int status);

/** The flavour of MPI that the library was built for: "openmpi", "mpich" or "mpi". */
CLSORT_MPI_API const char *clsort_mpi_flavour(void);

/** Sorts the arrays of all ranks as one: in place, out of place or to indices, as desc says.
 * desc->count is what this rank brings and gets. A rank may bring nothing; its arrays may be NULL.
 *
 * If sorter is NULL, the calling thread sorts few numbers (as for clsort_sort()), and a device all
 * else. That is the device that CLSORT_DEVICE names. Without the variable, rank number r of a
 * machine takes device r modulo the number of its usable devices of the best kind. The call makes
 * a sorter for it and frees all that it took, so bring a sorter if you sort more than once.
 *
 * report_ret may be NULL; otherwise it is written whatever the status.
 *
 * Returns CLSORT_OK, or a status of clsort.h or of this header, the same on all ranks. A
 * communicator that is MPI_COMM_NULL is CLSORT_ERROR_NULL, on that rank alone. */
CLSORT_MPI_API int clsort_mpi_sort(clsort_sorter *sorter, MPI_Comm comm, const clsort_desc *desc,
                                   const clsort_arrays *arrays, clsort_mpi_report *report_ret);

/** clsort_mpi_sort() to another distribution: this rank brings desc->count elements and gets
 * count_wanted. Both must have the same sum over all ranks. The sort is out of place, whatever
 * desc->out_of_place says: keys_out, values_out, columns_out or indices have room for count_wanted
 * elements, and the source is kept. With an index_size, indices are written, and the sorted keys or
 * columns too if desc->out_of_place is set. */
CLSORT_MPI_API int clsort_mpi_sort_to(clsort_sorter *sorter, MPI_Comm comm, const clsort_desc *desc,
                                      const clsort_arrays *arrays, uint64_t count_wanted,
                                      clsort_mpi_report *report_ret);

/** clsort_mpi_sort() for buffers of the sorter's device, on your queue. It waits for what is in the
 * queue and returns when the sort is done. Elements travel through host memory. Buffers must be as
 * clsort_enqueue() asks, and buffers->scratch must not be given. */
CLSORT_MPI_API int clsort_mpi_sort_buffers(clsort_sorter *sorter, cl_command_queue queue,
                                           MPI_Comm comm, const clsort_desc *desc,
                                           const clsort_buffers *buffers,
                                           clsort_mpi_report *report_ret);

#ifdef __cplusplus
}
#endif

#endif
