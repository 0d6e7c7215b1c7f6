/* sort_job.h: what the files of 'clsort sort' share: one sort from input to output. */
#ifndef CLSORT_TOOL_SORT_JOB_H
#define CLSORT_TOOL_SORT_JOB_H

#include "cli/options.h"
#include "io/bytes.h"
#include "memory/device.h"
#include "numbers/companions.h"
#include "numbers/input.h"
#include "numbers/key.h"

#include <clsort/clsort.h>

/* The stages whose seconds --stats tells: X(enumerator, text). */
#define SORT_STAGE_LIST(X)                                                               \
    X(OPENING, "opening")     /* finding the device, a context, a queue */               \
    X(READING, "reading")     /* and parsing */                                          \
    X(COMPILING, "compiling") /* the kernels, or loading them from the driver's cache */ \
    X(SORTING, "sorting")     /* the device with all transfers */                        \
    X(CHECKING, "checking")   /* --verify */                                             \
    X(WRITING, "writing")     /* and printing */

#define SORT_STAGE_ENUM(name, text) STAGE_##name,
enum sort_stage { SORT_STAGE_LIST(SORT_STAGE_ENUM) NUM_STAGES };
#undef SORT_STAGE_ENUM

struct sort_job {
    clsort_desc desc;
    clsort_plan plan;
    struct device device;
    struct elements elements;
    clsort_field field; /* of records, and */
    clsort_record record;
    struct bytes keys;    /* input, and where there are no indices output */
    struct bytes indices; /* output where desc.index_size > 0 */
    struct segments segments;
    struct value_files values;
    bool is_unique;       /* of equal keys the first alone is written */
    uint64_t num_written; /* keys, then */
    uint64_t num_pieces;  /* that were sorted through a temporary file; 0: there was none */
    uint64_t num_spilled; /* bytes, then */
    uint64_t input_hash;  /* of --verify */
    double seconds[NUM_STAGES];
};

/* Adds the seconds since `start` to a stage. */
void sort_timed(struct sort_job *job, enum sort_stage stage, double start);

/* Opens the device that the settings name, within their memory. False after a message: the device
 * may be opened by another thread, ahead of its use. */
bool sort_open_device(struct sort_job *job, const struct sort_settings *settings);

/* Sets the plan, if there is a device. */
void sort_plan(struct sort_job *job);

/* Whether a sort at once fits into the device and that much of the host's memory, by the plan.
 * Streamed numbers lie in the host's memory only where the device shares it. */
bool sort_fits_memory(const struct sort_job *job, uint64_t memory, bool is_streamed);

/* Compiles and sorts; without a device, by host_sort(). */
void sort_run(struct sort_job *job);

/* The sum of the keys' hashes, whatever their order. */
uint64_t sort_hash(const struct sort_job *job);

/* The tool's own check of what is sorted in memory, before it is written. */
void sort_check(const struct sort_job *job, const struct output *output);

/* Tells on standard error what --verify has proved, and for --stats and --json of the sort. */
void sort_tell(const struct sort_job *job, const struct sort_settings *settings,
               const char *verdict);

/* unique.c: of equal keys in order the first alone. */

/* Keys in order, which may come in parts: the last one of a part is kept in mind. */
struct unique {
    const struct elements *elements;
    bool has_last;
    uint64_t last;        /* rank of the key before */
    uint64_t num_written; /* elements */
};

/* The next keys: in order as they lie, or in the order of these positions. */
struct unique_keys {
    const void *keys;
    const void *positions; /* NULL: as they lie */
    size_t position_size;  /* bytes */
    uint64_t count;
};

/* Writes those of the elements at `data`, of `size` bytes, one a key, whose key differs from the
 * key before. */
void unique_write(struct unique *unique, const struct unique_keys *keys, const void *data,
                  size_t size, struct output *output);

/* external/pieces.c: sorting what is larger than -S: pieces are sorted and written to a temporary
 * file as runs, all runs are cut at exact positions, and what lies between two cuts is read, sorted
 * again and written to the output. Every byte is read twice and written twice. Reading, sorting and
 * writing go on at the same time. */

/* The numbers of a piece: as many as fit into the memory several times and into the device at
 * once. */
uint64_t pieces_capacity(const struct sort_job *job, const struct sort_settings *options);

/* Sorts numbers; job->keys may hold the first of them already, half of the memory at most.
 * desc.index_size > 0: writes indices instead. */
void pieces_sort_file(struct sort_job *job, const struct sort_settings *options,
                      struct input *input, struct output *output);

#endif
