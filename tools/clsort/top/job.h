/* job.h: what the files of 'clsort top' share. */
#ifndef CLSORT_TOOL_TOP_JOB_H
#define CLSORT_TOOL_TOP_JOB_H

#include "commands/input_job.h"
#include "external/runs.h"
#include "io/output.h"
#include "memory/device.h"
#include "numbers/companions.h"

/* select.c: how the library selects: by the host's threads or on a device, and how many elements at
 * once. */
struct top_select {
    clsort_desc desc;      /* type, order and the size of indices, 0: there are none */
    uint64_t memory;       /* bytes: what -S says */
    const char *selection; /* of a device; NULL: the best, where one is needed */
    struct device device;  /* open where it has a sorter */
    struct bytes keys_out, indices_out;
};

/* What was selected. It stays until the next selection. */
struct top_found {
    void *keys, *indices; /* in order; indices only if they are asked for */
};

/* Bytes of what the input is read into, a part of the memory. */
uint64_t top_select_chunk(const struct top_select *select);

/* Whether the host's threads select: no device is open or asked for. */
bool top_select_is_by_host(const struct top_select *select);

/* The most elements that they select from at once, within half of the memory. */
uint64_t top_select_host_most(const struct top_select *select);

/* Opens the device and returns the most elements that fit into it and the memory, if `need` of them
 * are wanted, in as many segments as there may be. */
uint64_t top_select_open(struct top_select *select, uint64_t need, uint64_t num_segments);

/* Finds places skip up to skip + num, which are within the count. Keys may change their order, and
 * their indices with them. Among equal keys the first in the array comes first. */
struct top_found top_select_places(struct top_select *select, void *keys, void *indices,
                                   uint64_t count, uint64_t skip, uint64_t num);

void top_select_close(struct top_select *select);

/* The places that 'clsort top' takes of each segment. */
struct top_segments {
    struct segments segments;
    uint64_t skip, limit; /* of each segment; limit 0: all that is behind skip */
    bool is_median;       /* instead: the place in the middle, the lower of two */
};

/* The numbers or indices that are found, and where they are of which segment. */
struct top_output {
    const char *path, *offsets_path; /* offsets_path NULL: there are none */
    clsort_type type;
    bool is_text;
    struct output elements, offsets;
    uint64_t num_written; /* elements */
};

/* Which of many numbers come before a threshold. */
struct top_filter {
    clsort_type type;
    struct key_map map;
    uint64_t end;    /* places before this one pass, */
    bool passes_all; /* or all do */
};

/* list.c: some places at the front of the order of a list of numbers that come one after another. A
 * buffer holds the best so far and new ones that come before the last of these. If it is full, a
 * selection reduces it. If more are wanted, it becomes a sorted run, in memory or, if there is too
 * little, in a temporary file. */
struct top_list {
    struct top_select *select;
    const char *dir; /* of the temporary file; NULL: the usual one */
    uint64_t need;   /* this many places are wanted, from the first on; UINT64_MAX: all */
    struct top_filter filter;
    struct bytes keys, indices; /* the buffer: what came first stands first */
    uint64_t num, capacity;     /* elements in it, and at most */
    struct runs runs;
    bool is_on_disk; /* the runs; else they lie in memory */
};

/* Begins a list, an empty one; what the struct has of memory and device is used again. */
void top_list_begin(struct top_list *list, uint64_t need);

/* Adds numbers, the first of which is number `first` of the list. */
void top_list_add(struct top_list *list, const void *keys, uint64_t first, uint64_t count);

/* Writes places skip up to skip + num, which are within what is needed and what there was. */
void top_list_write(struct top_list *list, uint64_t skip, uint64_t num, struct top_output *output);

void top_list_free(struct top_list *list);

struct top_job {
    struct input_job input;
    struct input file;
    struct top_segments top; /* the places, of each segment if there are any */
    struct top_select select;
    struct top_list list;
    struct bytes chunk; /* keys that are read */
    uint64_t num_read;  /* keys */
    struct top_output output;
};

/* How many places there are of a segment of `length` numbers, and how many are left out before
 * these. */
uint64_t top_segments_places(const struct top_segments *top, uint64_t length, uint64_t *skip_ret);

/* Reads and adds to the list the next `count` numbers, or all there are; without a list they are
 * only counted. */
void top_job_read(struct top_job *job, uint64_t count, struct top_list *list);

/* Segments: small ones are read together and selected at once, a long one by the list. */
void top_batches_run(struct top_job *job);

/* Writes what was found. */
void top_output_write(struct top_output *output, const void *elements, uint64_t num);

/* Writes offsets of segments, where they are asked for. */
void top_output_write_offsets(struct top_output *output, const uint64_t *offsets, uint64_t num);

#endif
