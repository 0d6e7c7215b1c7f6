/* pieces.h: sorts host arrays that are larger than the device's memory.
 *
 * Pass 1 sorts pieces of the array into runs in host memory. The runs are then split at exact
 * positions (pieces_split.c), so that part j of the result is one range of each run. Pass 2 sorts
 * these ranges once more on the device and writes the part to its final place. A device sorts
 * faster than the link transfers, so a second sort costs less than any merge on the host. In both
 * passes one piece goes to the device while another is sorted and a third comes back
 * (pieces_run.c). */
#ifndef PIECES_H
#define PIECES_H

#include "host/in_core.h"

/* A lane is an array that is transferred: keys or a column, values, or indices, which the host
 * generates. */
struct lane {
    enum buffer_role role; /* on the device, where all sorts are in place */
    uint32_t size;         /* bytes of an element */
    int is_key;            /* it is part of the key */
    int has_sink;          /* it is part of the result */
    struct host_end source;
    struct host_end sink;
    char *runs; /* with the elements of one array, or of all arrays */
};

#define MAX_LANES (2 * MAX_MEMBERS + 1)

/* One sort in pieces. Positions count elements. */
struct pieces {
    const struct host_job *job;
    struct lane lanes[MAX_LANES];
    uint32_t num_lanes;
    struct kept_memory kept[KEPT_RUNS]; /* the memory of each lane's runs */
    uint64_t array_count;               /* elements of one array */
    int is_grouped;    /* a piece is some whole arrays, and pass 1 completes the sort */
    uint64_t base;     /* the first element of this sort */
    uint64_t count;    /* the number of its elements */
    uint64_t run_size; /* elements of every run except the last */
    uint64_t num_runs;
    uint64_t part_size;
    uint64_t num_parts;
    uint64_t *splits; /* num_parts + 1 rows of num_runs positions in the runs */
};

enum pass_kind {
    PASS_RUNS,   /* from the source into runs */
    PASS_PARTS,  /* from the runs to the sink */
    PASS_GROUPS, /* from the source to the sink */
};

/* Whether the sort of sorter->plan fits on the device. Releases buffers that the sorter keeps if
 * they are in the way. *need_ret: the bytes that the sort takes. */
int pieces_fit(clsort_sorter *sorter, const struct problem *problem, uint64_t *need_ret);

/* Sorts in pieces that take at most `memory` bytes of the device. Arrays of more elements than
 * job->most_in_pieces are refused as DEVICE_MEMORY. */
clsort_status pieces_sort(const struct host_job *job, uint64_t memory);

/* The description of the sort of one piece on the device. */
clsort_desc pieces_desc(const struct pieces *pieces, uint64_t num_elements);

/* Runs a pass: transfers and sorts all pieces. */
clsort_status pieces_run(const struct pieces *pieces, enum pass_kind kind);

/* Fills in splits for parts of part_size elements. */
clsort_status pieces_split(struct pieces *pieces);

#endif
