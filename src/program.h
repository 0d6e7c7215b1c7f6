/* program.h: compiles kernels on first use and keeps them. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "program_build.h"

/* Every kernel: X(enumerator, file, function). */
#define KERNEL_LIST(X)                                               \
    X(BITONIC_TILE, "bitonic_tile.cl", bitonic_tile)                 \
    X(BITONIC_WINDOW, "bitonic_window.cl", bitonic_window)           \
    X(RANK_TILE, "rank_tile.cl", rank_tile)                          \
    X(RANK_STREAM, "rank_stream.cl", rank_stream)                    \
    X(RADIX_COUNT, "radix_count.cl", radix_count)                    \
    X(RADIX_SCAN, "radix_scan.cl", radix_scan)                       \
    X(RADIX_SCATTER, "radix_scatter.cl", radix_scatter)              \
    X(ONESWEEP_BEGIN, "onesweep_begin.cl", onesweep_begin)           \
    X(ONESWEEP_SORT, "onesweep_sort.cl", onesweep_sort)              \
    X(PART_BEGIN, "part_begin.cl", part_begin)                       \
    X(PART_SAMPLE, "part_sample.cl", part_sample)                    \
    X(PART_COUNT, "part_count.cl", part_count)                       \
    X(PART_SCAN, "part_scan.cl", part_scan)                          \
    X(PART_SCATTER, "part_scatter.cl", part_scatter)                 \
    X(PART_DEEP, "part_deep.cl", part_deep)                          \
    X(PART_LEAF, "part_leaf.cl", part_leaf)                          \
    X(PART_CROWDED, "part_crowded.cl", part_crowded)                 \
    X(MSD_SPLIT, "msd_split.cl", msd_split)                          \
    X(MSD_OFFSETS, "msd_offsets.cl", msd_offsets)                    \
    X(MSD_SCATTER, "msd_scatter.cl", msd_scatter)                    \
    X(MSD_RESTORE, "msd_restore.cl", msd_restore)                    \
    X(MSD_FINISH, "msd_finish.cl", msd_finish)                       \
    X(COUNTING_COUNT, "counting.cl", counting_count)                 \
    X(COUNTING_SCAN, "counting.cl", counting_scan)                   \
    X(COUNTING_FILL, "counting.cl", counting_fill)                   \
    X(CPU_RADIX, "cpu_radix.cl", cpu_radix)                          \
    X(CPU_SHORT, "cpu_short.cl", cpu_short)                          \
    X(CPU_ARRAYS, "cpu_arrays.cl", cpu_arrays)                       \
    X(CPU_RUNS, "cpu_runs.cl", cpu_runs)                             \
    X(CPU_MERGE, "cpu_merge.cl", cpu_merge)                          \
    X(MERGE_TILE, "merge_tile.cl", merge_tile)                       \
    X(MERGE_SHORT_TILE, "merge_short_tile.cl", merge_short_tile)     \
    X(MERGE_SHORT_PASS, "merge_short_pass.cl", merge_short_pass)     \
    X(MERGE_SPLIT, "merge_split.cl", merge_split)                    \
    X(MERGE_PASS, "merge_pass.cl", merge_pass)                       \
    X(QUICK_SAMPLE, "quick_sample.cl", quick_sample)                 \
    X(QUICK_COUNT, "quick_count.cl", quick_count)                    \
    X(QUICK_CURSORS, "quick_cursors.cl", quick_cursors)              \
    X(QUICK_STARTS, "quick_starts.cl", quick_starts)                 \
    X(QUICK_SCATTER, "quick_scatter.cl", quick_scatter)              \
    X(QUICK_LEAF, "quick_leaf.cl", quick_leaf)                       \
    X(QUICK_SPLIT, "quick_split.cl", quick_split)                    \
    X(QUICK_MERGE, "quick_merge.cl", quick_merge)                    \
    X(QUICK_MERGES, "quick_merges.cl", quick_merges)                 \
    X(QUICK_LEVELS, "quick_levels.cl", quick_levels)                 \
    X(QUICK_REST, "quick_rest.cl", quick_rest)                       \
    X(QUICK_RANK, "quick_rank.cl", quick_rank)                       \
    X(QUICK_WHOLE, "quick_whole.cl", quick_whole)                    \
    X(STRING_SAMPLE, "strings.cl", string_sample)                    \
    X(STRING_SPLIT, "strings.cl", string_split)                      \
    X(STRING_KEYS, "strings.cl", string_keys)                        \
    X(STRING_MERGE, "strings.cl", string_merge)                      \
    X(STRING_SIZES, "strings.cl", string_sizes)                      \
    X(STRING_SCAN, "strings.cl", string_scan)                        \
    X(STRING_MOVE, "strings.cl", string_move)                        \
    X(CPU_SAMPLE, "strings.cl", cpu_sample)                          \
    X(CPU_TIES, "strings.cl", cpu_ties)                              \
    X(CPU_MOVE, "strings.cl", cpu_move)                              \
    X(CHECK_BLOCKS, "check.cl", check_blocks)                        \
    X(CHECK_RESULT, "check.cl", check_result)                        \
    X(CHECK_SHORT, "check_short.cl", check_short)                    \
    X(RUNS_COUNT, "runs.cl", runs_count)                             \
    X(RUNS_SCAN, "runs.cl", runs_scan)                               \
    X(RUNS_WRITE, "runs.cl", runs_write)                             \
    X(RUNS_BEGIN, "runs.cl", runs_begin)                             \
    X(RUNS_ONCE, "runs.cl", runs_once)                               \
    X(RUNS_SHORT, "runs_short.cl", runs_short)                       \
    X(SEARCH_SPLIT, "search.cl", search_split)                       \
    X(SEARCH_SAMPLE, "search.cl", search_sample)                     \
    X(SEARCH_TILES, "search.cl", search_tiles)                       \
    X(SEARCH_SHORT, "search.cl", search_short)                       \
    X(CPU_SEARCH, "search.cl", cpu_search)                           \
    X(NUMBER, "move.cl", number)                                     \
    X(COPY, "move.cl", copy)                                         \
    X(GATHER, "move.cl", gather)                                     \
    X(GATHER_WHOLE, "move.cl", gather_whole)                         \
    X(COPY_PLACES, "move.cl", copy_places)                           \
    X(GATHER_PLACES, "move.cl", gather_places)                       \
    X(SELECT_SAMPLE, "select.cl", select_sample)                     \
    X(SELECT_COLLECT, "select.cl", select_collect)                   \
    X(SELECT_COUNT, "select.cl", select_count)                       \
    X(SELECT_ROWS, "select_rows.cl", select_rows)                    \
    X(SELECT_SHORT, "select_short.cl", select_short)                 \
    X(SELECT_PLACE, "select.cl", select_place)                       \
    X(COLUMNS_PACK, "columns.cl", columns_pack)                      \
    X(COLUMNS_UNPACK, "columns.cl", columns_unpack)                  \
    X(SEGMENTS_BEGIN, "segments.cl", segments_begin)                 \
    X(SEGMENTS_MARK, "segments.cl", segments_mark)                   \
    X(SEGMENTS_COUNT, "segments.cl", segments_count)                 \
    X(SEGMENTS_SCAN, "segments.cl", segments_scan)                   \
    X(SEGMENTS_NUMBER, "segments.cl", segments_number)               \
    X(SEGMENTS_FINISH, "segments.cl", segments_finish)               \
    X(SEGMENTS_TILE, "segments_tile.cl", segments_tile)              \
    X(SEGMENTS_RECORDS, "segments_records.cl", segments_records)     \
    X(SEGMENTS_PLACES, "segments_places.cl", segments_places)        \
    X(SEGMENTS_TURN, "segments_places.cl", segments_turn)            \
    X(CPU_SEGMENTS, "cpu_segments.cl", cpu_segments)                 \
    X(CPU_SEGMENTS_SCAN, "cpu_segments.cl", cpu_segments_scan)       \
    X(CPU_SEGMENTS_SCATTER, "cpu_segments.cl", cpu_segments_scatter) \
    X(CPU_SEGMENTS_BUCKETS, "cpu_segments.cl", cpu_segments_buckets)

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

/* A sorter's kernels and programs, and the texts that declare the records they sort. All zeros is
 * an empty cache. */
struct program_cache {
    struct kernel_entry *entries;
    size_t num_entries, capacity;
    struct program_entry *programs;
    size_t num_programs;
    char **texts;
    uint32_t num_texts;
};

/* The number, from 1 on, of the cache's copy of this text. 0 if there is no memory. */
uint32_t program_text(struct program_cache *cache, const char *text);

struct kernel_wanted {
    enum kernel_id id;
    const struct variant *variant;
};

/* Builds those programs of these kernels that the cache lacks, by up to num_threads threads. */
clsort_status program_prepare(struct program_cache *cache, cl_context context, cl_device_id device,
                              const struct kernel_wanted *wanted, size_t num, uint32_t num_threads,
                              struct error *error);

/* A kernel of the cache, or NULL. The entry is valid until program_kernel() is called. */
const struct kernel_entry *program_find(const struct program_cache *cache, enum kernel_id id,
                                        const struct variant *variant);

/* Gets a kernel from the cache, or makes it, of a program that is built if need be. The entry is
 * valid until the next call. */
clsort_status program_kernel(struct program_cache *cache, cl_context context, cl_device_id device,
                             enum kernel_id id, const struct variant *variant, struct error *error,
                             const struct kernel_entry **entry_ret);

void program_finish(struct program_cache *cache);

#endif
