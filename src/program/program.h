/* program.h: compiles kernels on first use and keeps them. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "base/error.h"
#include "program/saved.h"

/* Every kernel: X(enumerator, file, function). */
#define KERNEL_LIST(X)                                                    \
    X(BITONIC_TILE, "sorts/bitonic/tile.cl", bitonic_tile)                \
    X(BITONIC_WINDOW, "sorts/bitonic/window.cl", bitonic_window)          \
    X(RANK_TILE, "sorts/rank/tile.cl", rank_tile)                         \
    X(RANK_STREAM, "sorts/rank/stream.cl", rank_stream)                   \
    X(RADIX_COUNT, "sorts/lsd/count.cl", radix_count)                     \
    X(RADIX_SCATTER, "sorts/lsd/scatter.cl", radix_scatter)               \
    X(ONESWEEP_SORT, "sorts/onesweep/sort.cl", onesweep_sort)             \
    X(MSD_SAMPLE, "sorts/sample/sample.cl", msd_sample)                   \
    X(PARTITION_BEGIN, "sorts/partition/begin.cl", partition_begin)       \
    X(PARTITION_PIVOTS, "sorts/partition/pivots.cl", partition_pivots)    \
    X(PARTITION_COUNT, "sorts/partition/count.cl", partition_count)       \
    X(PARTITION_SCAN, "sorts/partition/scan.cl", partition_scan)          \
    X(PARTITION_SCATTER, "sorts/partition/scatter.cl", partition_scatter) \
    X(PARTITION_LEAF, "sorts/partition/leaf.cl", partition_leaf)          \
    X(PARTITION_MERGES, "sorts/partition/merges.cl", partition_merges)    \
    X(PARTITION_LEVELS, "sorts/partition/levels.cl", partition_levels)    \
    X(PARTITION_RESTS, "sorts/partition/rests.cl", partition_rests)       \
    X(PARTITION_CROWDED, "sorts/partition/crowded.cl", partition_crowded) \
    X(MSD_SPLIT, "sorts/msd/split.cl", msd_split)                         \
    X(MSD_OFFSETS, "sorts/msd/offsets.cl", msd_offsets)                   \
    X(MSD_SCATTER, "sorts/msd/scatter.cl", msd_scatter)                   \
    X(MSD_RESTORE, "sorts/msd/restore.cl", msd_restore)                   \
    X(MSD_FINISH, "sorts/msd/finish.cl", msd_finish)                      \
    X(COUNTING_COUNT, "sorts/counting/counting.cl", counting_count)       \
    X(COUNTING_SCAN, "sorts/counting/counting.cl", counting_scan)         \
    X(COUNTING_FILL, "sorts/counting/counting.cl", counting_fill)         \
    X(CPU_RADIX, "cpu/radix.cl", cpu_radix)                               \
    X(CPU_SHORT, "cpu/short.cl", cpu_short)                               \
    X(CPU_RUNS, "cpu/runs.cl", cpu_runs)                                  \
    X(CPU_MERGE, "cpu/merge.cl", cpu_merge)                               \
    X(MERGE_TILE, "sorts/merge/tile.cl", merge_tile)                      \
    X(MERGE_SHORT, "sorts/merge/short.cl", merge_short)                   \
    X(MERGE_SPLIT, "sorts/merge/split.cl", merge_split)                   \
    X(MERGE_PASS, "sorts/merge/pass.cl", merge_pass)                      \
    X(WHOLE_RANK, "sorts/whole/rank.cl", whole_rank)                      \
    X(WHOLE_SORT, "sorts/whole/whole.cl", whole_sort)                     \
    X(STRING_SAMPLE, "strings/strings.cl", string_sample)                 \
    X(STRING_SPLIT, "strings/strings.cl", string_split)                   \
    X(STRING_KEYS, "strings/strings.cl", string_keys)                     \
    X(STRING_MERGE, "strings/strings.cl", string_merge)                   \
    X(STRING_SIZES, "strings/strings.cl", string_sizes)                   \
    X(STRING_SCAN, "strings/strings.cl", string_scan)                     \
    X(STRING_MOVE, "strings/strings.cl", string_move)                     \
    X(CPU_SAMPLE, "strings/strings.cl", cpu_sample)                       \
    X(CPU_TIES, "strings/strings.cl", cpu_ties)                           \
    X(CPU_MOVE, "strings/strings.cl", cpu_move)                           \
    X(CHECK_BLOCKS, "ordered/check.cl", check_blocks)                     \
    X(CHECK_RESULT, "ordered/check.cl", check_result)                     \
    X(CHECK_SHORT, "ordered/check_short.cl", check_short)                 \
    X(RUNS_COUNT, "ordered/runs.cl", runs_count)                          \
    X(RUNS_WRITE, "ordered/runs.cl", runs_write)                          \
    X(RUNS_ONCE, "ordered/runs.cl", runs_once)                            \
    X(RUNS_SHORT, "ordered/runs_short.cl", runs_short)                    \
    X(SEARCH_SPLIT, "ordered/search.cl", search_split)                    \
    X(SEARCH_SAMPLE, "ordered/search.cl", search_sample)                  \
    X(SEARCH_TILES, "ordered/search.cl", search_tiles)                    \
    X(CPU_SEARCH, "ordered/search.cl", cpu_search)                        \
    X(FILL, "move/table.cl", fill)                                        \
    X(SCAN, "move/table.cl", scan)                                        \
    X(GATHER, "move/move.cl", gather)                                     \
    X(GATHER_WHOLE, "move/move.cl", gather_whole)                         \
    X(SELECT_SAMPLE, "select/select.cl", select_sample)                   \
    X(SELECT_COLLECT, "select/select.cl", select_collect)                 \
    X(SELECT_COUNT, "select/select.cl", select_count)                     \
    X(SELECT_ROWS, "select/rows.cl", select_rows)                         \
    X(SELECT_SHORT, "select/short.cl", select_short)                      \
    X(SELECT_PLACE, "select/select.cl", select_place)                     \
    X(COLUMNS_PACK, "move/columns.cl", columns_pack)                      \
    X(COLUMNS_UNPACK, "move/columns.cl", columns_unpack)                  \
    X(SEGMENTS_BEGIN, "segments/segments.cl", segments_begin)             \
    X(SEGMENTS_MARK, "segments/segments.cl", segments_mark)               \
    X(SEGMENTS_COUNT, "segments/segments.cl", segments_count)             \
    X(SEGMENTS_NUMBER, "segments/segments.cl", segments_number)           \
    X(SEGMENTS_FINISH, "segments/segments.cl", segments_finish)           \
    X(SEGMENTS_TILE, "segments/tile.cl", segments_tile)                   \
    X(SEGMENTS_RECORDS, "segments/records.cl", segments_records)          \
    X(SEGMENTS_PLACES, "segments/places.cl", segments_places)             \
    X(SEGMENTS_TURN, "segments/places.cl", segments_turn)                 \
    X(CPU_SEGMENTS, "cpu/segments.cl", cpu_segments)

#define KERNEL_ENUM(enumerator, file, function) KERNEL_##enumerator,
enum kernel_id { KERNEL_LIST(KERNEL_ENUM) NUM_KERNELS };
#undef KERNEL_ENUM

const char *kernel_name(enum kernel_id id);

struct kernel_entry {
    enum kernel_id id;
    struct variant variant;
    cl_kernel kernel;
    size_t max_group_size; /* the compiled kernel's limit */
};

/* A sorter's kernels and programs, and the texts that declare the records they sort. An empty cache
 * has the sorter's context, device and error alone. */
struct program_cache {
    cl_context context;
    cl_device_id device;
    struct error *error; /* says what has failed */
    struct kernel_entry *entries;
    size_t num_entries;
    struct program_entry *programs;
    size_t num_programs;
    char **texts;
    uint32_t num_texts;
    struct saved_programs saved; /* the caller's: taken instead of compiling */
};

/* The number, from 1 on, of the cache's copy of this text. 0 if there is no memory. */
uint32_t program_text(struct program_cache *cache, const char *text);

/* Builds the programs of `num` entries, which are to be the cache's, by up to num_threads threads,
 * this one among them. If one fails, others may be left without a program. */
clsort_status program_build(const struct program_cache *cache, struct program_entry *entries,
                            size_t num, uint32_t num_threads);

struct kernel_wanted {
    enum kernel_id id;
    const struct variant *variant;
};

/* Builds those programs of these kernels that the cache lacks, by up to num_threads threads. */
clsort_status program_prepare(struct program_cache *cache, const struct kernel_wanted *wanted,
                              size_t num, uint32_t num_threads);

/* A kernel of the cache, or NULL. The entry is valid until program_kernel() is called. */
const struct kernel_entry *program_find(const struct program_cache *cache, enum kernel_id id,
                                        const struct variant *variant);

/* Gets a kernel from the cache, or makes it, of a program that is built if need be. The entry is
 * valid until the next call. */
clsort_status program_kernel(struct program_cache *cache, enum kernel_id id,
                             const struct variant *variant, const struct kernel_entry **entry_ret);

void program_finish(struct program_cache *cache);

#endif
