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
    uint64_t starts_at; /* count + 1 offsets of 4 bytes: where each line begins behind text_at */
    uint64_t text_at, text_size;
    uint64_t step; /* every so many-th number's rank is in `samples`, from number samples_at on */
    uint64_t samples_at;
    struct run_block {
        uint64_t begin, size; /* bytes */
    } blocks[2];              /* in `cache`, of keys; or of where lines begin, and of their text */
};

/* Numbers or records, which may have values or lines, or lines by their bytes. */
struct runs {
    struct spill spill;
    clsort_order order;
    struct elements keys; /* of size 0: there are none */
    uint32_t value_size;  /* bytes; 0: there are none */
    bool has_lines;
    uint64_t total; /* elements of all runs */
    uint64_t num;
    struct bytes list;    /* struct run, num of them */
    struct bytes samples; /* u64 */
    struct bytes cache;   /* the blocks of each run that were looked at last */
    uint64_t cache_size;  /* bytes of a block */
    struct bytes pivot;   /* a line */
};

struct run *runs_at(const struct runs *runs, uint64_t i);

/* Appends a run: takes its places in the temporary file. */
struct run *runs_add(struct runs *runs, uint64_t count, uint64_t text_size);

/* Makes room for samples of a run's numbers, by which less is read for the cuts; then all of the
 * numbers have to be given, in parts by any thread, the first of each being number `first` of the
 * run. They lie in memory, sorted, or in the order that `order` tells if it is not NULL. */
bool runs_begin_samples(struct runs *runs, struct run *run);
void runs_sample(const struct runs *runs, const struct run *run, const void *keys,
                 const uint32_t *order, uint64_t first, uint64_t count);

/* Finds the positions, one a run, before which `target` elements lie that come before all others.
 * They are at or behind those of `from`. */
bool runs_cut(struct runs *runs, uint64_t target, const uint64_t *from, uint64_t *positions);

/* Bytes of the lines of run i between two positions: where in the run's text they begin, and how
 * many they are, at least one a line. A file that says something else is refused as damaged. */
bool runs_text_between(const struct runs *runs, uint64_t i, uint64_t begin, uint64_t end,
                       uint64_t *begin_ret, uint64_t *size_ret);

void runs_close(struct runs *runs);

#endif
