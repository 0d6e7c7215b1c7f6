/* runs.h: sorted runs in a temporary file, and where to cut all of them so that exactly so many
 * elements lie before the cuts. Equal elements are in the order of their runs, so a stable sort
 * stays stable. */
#ifndef CLSORT_TOOL_RUNS_H
#define CLSORT_TOOL_RUNS_H

#include "io/bytes.h"
#include "numbers/key.h"
#include "external/spill.h"

#include <clsort/clsort.h>

/* What a run has for each element: places in the temporary file. */
struct run {
    uint64_t count;
    uint64_t keys_at;   /* numbers */
    uint64_t values_at; /* what moves with a number */
    uint64_t step; /* every so many-th number's rank is in `samples`, from number samples_at on */
    uint64_t samples_at;
    uint64_t block_begin, block_size; /* bytes, in `cache` */
};

/* Numbers or records, which may have values. */
struct runs {
    struct spill spill;
    clsort_order order;
    struct elements keys;
    uint32_t value_size; /* bytes; 0: there are none */
    uint64_t total;      /* elements of all runs */
    uint64_t num;
    struct bytes list;    /* struct run, num of them */
    struct bytes samples; /* u64 */
    struct bytes cache;   /* the block of each run that was looked at last */
    uint64_t cache_size;  /* bytes of a block */

    uint64_t num_cut; /* elements before the part that is read next */
    uint64_t *before; /* where that begins in each run, and behind these where it ends */
    struct span *spans;
};

struct run *runs_at(const struct runs *runs, uint64_t i);

/* Appends a run of sorted elements: takes its places in the temporary file, and samples of its
 * numbers, by which less is read for the cuts. */
struct run *runs_add(struct runs *runs, const void *keys, uint64_t count);

/* Writes the elements of a run to its places, from any thread. */
void runs_write(const struct runs *runs, const struct run *run, void *keys, void *values);

/* Finds the positions, one a run, before which `target` elements lie that come before all others.
 * They are at or behind those of `from`. */
void runs_cut(struct runs *runs, uint64_t target, const uint64_t *from, uint64_t *positions);

/* Begins to read what all runs have together, behind the first `skip` elements of their order. */
void runs_begin_parts(struct runs *runs, uint64_t skip);

/* Reads the next `count` elements of it, run behind run, so they are still to be sorted. */
void runs_read_part(struct runs *runs, uint64_t count, char *keys, char *values);

void runs_close(struct runs *runs);

#endif
