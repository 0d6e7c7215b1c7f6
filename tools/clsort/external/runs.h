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
};

struct run *runs_at(const struct runs *runs, uint64_t i);

/* Appends a run: takes its places in the temporary file. */
struct run *runs_add(struct runs *runs, uint64_t count);

/* Makes room for samples of a run's numbers, by which less is read for the cuts; then all of the
 * numbers have to be given, sorted, in parts by any thread, the first of each being number `first`
 * of the run. */
bool runs_begin_samples(struct runs *runs, struct run *run);
void runs_sample(const struct runs *runs, const struct run *run, const void *keys, uint64_t first,
                 uint64_t count);

/* Finds the positions, one a run, before which `target` elements lie that come before all others.
 * They are at or behind those of `from`. */
bool runs_cut(struct runs *runs, uint64_t target, const uint64_t *from, uint64_t *positions);

void runs_close(struct runs *runs);

#endif
