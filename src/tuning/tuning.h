/* tuning.h: every number that only measuring can give. src/tuning/ has them as texts, a row for
 * a device and the sizes of an element; tools/build/tuning.cmake makes data of them. A row may be
 * hopeful: what is fitted to a device has groups, tiles and digits that its limits allow. */
#ifndef TUNING_H
#define TUNING_H

#include "device/device.h"
#include "tuning/kinds.h"

/* How a kernel's tile is cut: group_size work-items with items elements (packs) each. */
struct shape {
    uint32_t group_size;
    uint32_t items;
    uint32_t lanes; /* elements of a pack; 0 as 1, in rows that are not fitted yet */
};

static inline uint64_t shape_slots(struct shape shape)
{
    return (uint64_t)shape.group_size * shape.items * (shape.lanes ? shape.lanes : 1);
}

/* ---- Rows ---- */

/* "general": bitonic network, rank sort, radix sort with three launches a digit, moves. */
struct tuning {
    struct shape tile;        /* bitonic_tile: a tile in local memory */
    struct shape window;      /* bitonic_window: log2(items) strides a pass */
    struct shape rank_tile;   /* rank sort in one work-group */
    struct shape rank_stream; /* rank sort by many */
    struct shape radix;       /* radix sort's tile */
    struct shape move;        /* copies and gathers */
    uint32_t bank_bytes;      /* width of all banks of local memory; 0: does not matter */
    uint32_t subgroup;        /* work-items that shuffle; 0: exchange through local memory */
    uint32_t radix_bits;      /* of a digit */
    uint32_t radix_subgroup;  /* work-items that vote in ranking; 0: each counts for itself */
    uint32_t radix_blocks;    /* work-groups of a pass at most, each a block of tiles */
    uint64_t rank_auto_max;   /* AUTO takes rank sort for arrays up to this count */
    uint64_t rank_compares;   /* of several arrays, if each compute unit has no more than these */
    uint64_t radix_auto_min;  /* and radix sort from this count on */
    uint64_t wide_index_min;  /* count from which on indices of 8 bytes are sorted as 4 */
};

/* Partition, by digits or by splitters, which is quicksort (cl/sorts/partition/partition.h). */
struct partition_tuning {
    struct shape leaf;
    struct shape scatter;
    struct shape count;         /* of digits with the group of `scatter` */
    struct shape sample;        /* of splitters */
    uint32_t bucket_bits;       /* log2 of a segment's buckets, at most; 0: the device cannot */
    uint32_t spare_bits;        /* splitters: more of them where that saves a level */
    uint32_t deep_bits;         /* digits: of a deep level in one launch, at least */
    uint32_t bin_bits;          /* digits: log2 of a leaf's bins */
    uint32_t block_tiles;       /* tiles of a block of scattering, at most */
    uint32_t scatter_registers; /* at most; 0: the compiler decides */
    uint32_t leaf_registers;
    uint32_t subgroup;                  /* that votes, or 0 */
    uint32_t groups_per_unit;           /* of all deep levels, or of all merges; 0: a launch each */
    uint32_t crowded_per_unit;          /* digits: groups, for leaves whose keys crowd */
    uint32_t spin_limit;                /* polls for other groups (cl/device/phases.h) */
    uint64_t min_count;                 /* elements from which on AUTO takes it */
    uint32_t leaf_local, scatter_local; /* bytes, once the row is fitted */
};

/* msd, of evenly spread keys (cl/sorts/msd/msd.h). */
struct msd_tuning {
    struct shape leaf;        /* group_size 0: the device cannot */
    uint32_t leaf_registers;  /* at most; 0: the compiler decides */
    uint32_t bin_bits;        /* log2 of a leaf's bins, which are a bit each */
    uint32_t subgroup;        /* that votes, or 0 */
    struct shape split;       /* the tile of both levels; group_size 0: the device cannot */
    uint32_t split_registers; /* at most; 0: the compiler decides */
    uint32_t block_lanes;     /* work-items that share a block of level 1, `items` keys each */
    uint32_t groups_per_unit; /* that split and scatter, which have several tiles each */
    uint32_t parts;           /* of a digit of level 1, for work-groups of level 2 */
    uint32_t room;            /* percent of the elements that scratch may have, if it has rooms */
    uint32_t digit_bits;      /* of a level, mostly at most */
    uint32_t spin_limit;      /* polls for other groups (cl/device/phases.h) */
    uint64_t min_count;       /* elements from which on it is taken: of keys or of pairs, */
    uint64_t float_min;       /* if keys are floats, */
    uint64_t stable_min;      /* or with a payload, if equal keys keep their order */
    /* For which these replace leaf_registers, split_registers and groups_per_unit. */
    uint32_t order_leaf_registers;
    uint32_t order_split_registers;
    uint32_t order_groups_per_unit;
    uint32_t leaf_local; /* bytes, once the row is fitted */
};

#define WHOLE_MIN_GROUP 256 /* below which groups are not halved */

/* Quicksort of one array in one launch (cl/sorts/whole/whole.cl), or in one work-group if it fits
 * there. */
struct whole_tuning {
    uint32_t group_size;
    uint32_t held;            /* elements of a work-item in registers, at most */
    uint32_t leaf_items;      /* of a leaf, at most */
    uint32_t registers;       /* of a work-item, at most; 0: the compiler decides */
    uint32_t groups_per_unit; /* that run at the same time; 0: not known, so it is not done */
    uint32_t bucket_bits;     /* log2 of the buckets, at most */
    uint32_t bucket_min;      /* elements of a bucket for which there are fewer */
    struct shape sample;
    struct shape single;  /* of the one work-group, at most */
    uint32_t spin_limit;  /* polls for other groups before they are given up */
    uint32_t subgroup;    /* that votes, or 0 */
    uint64_t auto_max;    /* largest count for which AUTO takes either */
    uint64_t narrow_max;  /* the same for keys of 8 or 16 bits, where radix sort has few passes */
    uint64_t pairs_max;   /* the same for pairs: of 4 and 4 bytes, and of 16 in any order; */
    uint64_t stable_max;  /* and for other pairs that keep their order, and indices */
    uint64_t records_max; /* beyond, quicksort of records has levels of several launches */
    uint64_t half_min;    /* from which on groups have half the size, a unit has twice as many */
};

/* Radix sort with all passes in one launch (cl/sorts/onesweep/onesweep.h). */
struct onesweep_tuning {
    struct shape scatter;
    uint32_t registers; /* of its work-items, at most; 0: the compiler decides */
    uint32_t groups_per_unit;
    uint32_t digit_bits; /* 0: the device cannot */
    uint32_t spin_limit; /* polls for another tile's counts */
    uint32_t portion;    /* elements whose counts a word holds; cl/sorts/onesweep/onesweep.h */
    uint32_t subgroup;   /* that votes, or 0 */
    uint64_t min_count;  /* elements of an array from which on it is taken */
    uint64_t wide_max;   /* below, a tile of as many elements has twice the work-items */
    uint32_t local_size; /* bytes, once the row is fitted */
};

/* Counting sort of keys of 8 or 16 bits (cl/sorts/counting/counting.cl). */
struct counting_tuning {
    struct shape shape; /* items: vectors of 16 bytes */
    uint32_t groups_per_unit;
    uint64_t min_count;  /* elements from which on it is taken */
    uint32_t subgroup;   /* that exchanges in registers, or 0; once the row is fitted, */
    uint32_t local_size; /* bytes, */
    uint32_t num_slices; /* of the values, each with work-groups of its own; 0: too many */
};

/* The radix sort of CPUs. Bytes of items, of one array if there are several. */
struct cpu_tuning {
    uint64_t alone_bytes;         /* up to which one work-item is faster alone than all together, */
    uint64_t vectors_alone_bytes; /* and of items that vectors sort in place */
    uint64_t bucket_bytes;        /* of a bucket, about */
    uint64_t spare_bytes;         /* beside a bucket, in its work-item's cache */
    uint64_t run_bytes;           /* of a run of merge sort, which needs as much again beside it */
    uint32_t digit_bits;          /* of a digit, at most */
    uint32_t move_items;          /* elements of a work-item that copies or gathers */
    /* A compute unit gets several parts of the work, so that a thread that started late does
     * less. */
    uint32_t chunks_per_unit;  /* of arrays that all work-items sort together */
    uint32_t chunk_min;        /* elements of such a chunk, at least */
    uint32_t workers_per_unit; /* work-items that sort arrays of their own, or merge */
    uint32_t bins_max;         /* whose counters stay in the first cache */
    uint32_t items_per_bin;    /* about; with fewer, counting would cost more than it saves */
    uint32_t keys_per_counter; /* from which on keys of 8 and 16 bits are sorted by counting */
    uint32_t run_min;          /* elements that are worth a run of merge sort of their own */
    uint32_t range_items;      /* elements, or queries, that a work-item looks at together */
};

/* The sort of strings. */
struct string_tuning {
    uint32_t group_size;
    uint32_t splitters;        /* at most STRING_SPLITTERS */
    uint32_t splitter_strings; /* to each splitter at least */
    uint32_t compared_bytes;   /* GPUs: of all pairs of splitters, at most */
    uint32_t moved_bytes;      /* GPUs: by a work-group that rearranges strings, at most */
    uint32_t chunks_per_unit;  /* CPUs: parts that the strings are cut into */
    uint32_t chunk_strings;    /* of a part at least */
    uint32_t tie_strings;      /* of a part in which equal keys are looked for */
};

/* What is asked of arrays in order: cl/ordered/check.cl, cl/ordered/runs.cl,
 * cl/ordered/search.cl. */
struct range_tuning {
    struct shape check;
    struct shape runs;
    struct shape search;
    uint32_t sample_share;    /* queries for each key of a search's sample */
    uint64_t sample_min;      /* queries from which on there is one */
    uint32_t groups_per_unit; /* each with a block of an array */
    uint32_t look_back;       /* runs in one launch */
    uint32_t subgroup;        /* that votes, or 0 */
    uint32_t spin_limit;      /* polls for another tile's count */
};

/* Counts of records in an array from which on AUTO takes another sort than merge sort. CPUs never
 * take quicksort for them. */
struct record_tuning {
    uint64_t radix_min;         /* radix sort, if the fields are one number together */
    uint64_t radix_several_min; /* if they are several numbers */
    uint64_t radix_free_min;    /* radix sort, if equal records need not keep their order */
    uint64_t quick_min;         /* quicksort, if they need not and it is not radix sort */
    uint64_t quick_stable_min;  /* and if they must keep it; */
    uint64_t quick_stable_few;  /* or of fewer than this, from quick_min on: one work-group's */
};

/* Arrays of the host. */
struct host_tuning {
    uint64_t with_sorter;         /* elements up to which the calling thread sorts by itself, */
    uint64_t without_sorter;      /* and in calls without a sorter */
    uint64_t vectors_with_sorter; /* the same of numbers that it sorts by vectors */
    uint64_t vectors_without_sorter;
    uint64_t chunk_bytes;      /* of a staged chunk, */
    uint64_t double_chunk_min; /* but twice that for transfers from this size on (staging.c), */
    uint64_t many_min;         /* bytes from which on several devices share an array */
    uint64_t piece_min;        /* bytes of a piece, if it is the device's memory that allows it */
    uint32_t pieces;           /* of an array for each device, if they are no smaller than that */
    uint64_t pin_min;          /* bytes of ordinary memory that are worth pinning for one call, */
    uint32_t pin_threads;      /* if no more threads than these would copy them */
    uint32_t build_threads;    /* that build the programs of a plan */
};

/* Selection: only some places of the order are wanted. */
struct select_tuning {
    struct shape shape;
    uint32_t groups_per_unit;
    uint32_t digit_bits;      /* where the sample has misled */
    uint32_t margin;          /* standard deviations that the sample's bounds leave */
    uint32_t sample_bits_max; /* log2 of the largest sample */
    uint64_t min_count;       /* elements of an array from which on it is taken, */
    uint64_t several_min;     /* of one of several arrays, */
    uint64_t row_min;         /* and for a work-group that selects from a row by itself, */
    uint64_t row_max;         /* up to as many times these as there are rows */
    struct shape short_rows;  /* of a work-group that selects from several rows */
    uint64_t short_max;       /* elements of a row; 0: never */
    uint32_t bank_bytes;      /* struct tuning's */
    uint32_t spin_limit;      /* struct partition_tuning's */
};

/* Segments that fit in local memory: cl/segments/tile.cl, cl/segments/records.cl. */
struct segments_tuning {
    struct shape shape;   /* of numbers */
    struct shape records; /* of records */
    uint32_t registers;
    uint32_t tile_percent; /* of the slots: the rest is for what hangs over a tile's end */
    /* How many elements several arrays have that radix sort takes as segments. */
    uint64_t arrays_min;   /* of an array, at least */
    uint64_t arrays_max;   /* of an array, below this */
    uint64_t arrays_total; /* of all arrays, at least */
};

struct merge_tuning {
    struct shape shape; /* of merge sort */
    uint32_t two_items; /* elements of a work-item where two sorted arrays are merged */
};

union tuning_row {
    struct tuning general;
    struct partition_tuning digits;
    struct msd_tuning msd;
    struct merge_tuning merge;
    struct segments_tuning segments;
    struct partition_tuning splitters;
    struct whole_tuning whole;
    struct onesweep_tuning onesweep;
    struct counting_tuning counting;
    struct cpu_tuning cpu;
    struct string_tuning strings;
    struct range_tuning range;
    struct record_tuning records;
    struct host_tuning host;
    struct select_tuning select;
};

/* ---- The one look-up ---- */

#define TUNING_NUM_ROWS 61 /* of all kinds, each of its sizes, the second one fastest */

/* The compiled-in rows of a class of devices, or of devices of that class that are called so. A
 * row that is all 0 is of something that the device cannot do. */
struct tuning_table {
    union tuning_row rows[TUNING_NUM_ROWS];
};

struct tuning_device {
    enum device_class class;
    const char *name; /* a part of the device's or its platform's; NULL: the end of the list */
    const struct tuning_table *table;
};

extern const struct tuning_table *const tuning_classes[]; /* by enum device_class */
extern const struct tuning_device tuning_devices[];

/* The first of a list that a device is; NULL if there is none. */
const struct tuning_table *tuning_find(const struct tuning_device *devices, enum device_class class,
                                       cl_device_id device);

/* The row of a kind and of sizes that the kind depends on: the compiled-in one, with what the
 * sorter's text sets on top of it. All 0 where there is none. */
union tuning_row tuning_row(const struct device_facts *facts, enum tuning_kind_id kind,
                            uint32_t first_size, uint32_t second_size);

/* ---- Rows, fitted to the device ---- */

/* What partition by digits moves. */
struct digits_element {
    uint32_t key_size;
    uint32_t payload_size; /* 0, 1, 2, 4, 8 */
    int keeps_order;       /* equal keys' payloads stay in their order; never without a payload */
};

/* Makes of a row what the device allows. item_size: bytes of an element in local memory;
 * payload_size: 0, 1, 2, 4, 8. Where the device does not allow a sort at all, these are 0:
 * bucket_bits of digits, onesweep's digit_bits, whole's groups_per_unit, counting's num_slices. */
void tuning_fit_msd(const struct device_facts *facts, uint32_t item_size, struct msd_tuning *row);
void tuning_fit_onesweep(const struct device_facts *facts, uint32_t key_size, uint32_t payload_size,
                         struct onesweep_tuning *row);

/* The look-up and the fitting in one. */
struct tuning tuning_for(const struct device_facts *facts, uint32_t item_size);
/* is_of_two: of the merge of two sorted arrays, not of merge sort. */
struct merge_tuning tuning_merge(const struct device_facts *facts, uint32_t item_size,
                                 int is_of_two);
/* of_records: the shape is that of records, and the items are payload_slot_size(). */
struct segments_tuning tuning_segments(const struct device_facts *facts, uint32_t item_size,
                                       int of_records);
struct partition_tuning tuning_splitters(const struct device_facts *facts, uint32_t item_size,
                                         uint32_t payload_size);
struct whole_tuning tuning_whole(const struct device_facts *facts, uint32_t item_size);
struct partition_tuning tuning_digits(const struct device_facts *facts,
                                      struct digits_element element);
struct counting_tuning tuning_counting(const struct device_facts *facts, uint32_t key_size);
struct cpu_tuning tuning_cpu(const struct device_facts *facts);
struct string_tuning tuning_strings(const struct device_facts *facts);
struct range_tuning tuning_range(const struct device_facts *facts, uint32_t key_size);
struct record_tuning tuning_records(const struct device_facts *facts, uint32_t record_size);
struct select_tuning tuning_select(const struct device_facts *facts);
struct host_tuning tuning_host(const struct device_facts *facts);

/* The shape of kernels that move elements, or make numbers of them, one after the other. */
struct shape tuning_move(const struct device_facts *facts);
/* Bytes of local memory of the kernel that takes the most with this shape, segments_number. */
uint32_t tuning_move_local(struct shape shape);

/* Elements, of all arrays of a call together, up to which num_threads threads of the host sort its
 * arrays. On a CPU they are as many more as the device has fewer compute units, and if it has no
 * more than threads, vectors take all. */
uint64_t tuning_host_max(const struct device_facts *facts, int by_vectors, uint32_t num_threads);

/* ---- What fitting is made of ---- */

/* Halves a group until the device takes it. A shape whose row has no vectors gets one lane. */
static inline void tuning_fit_shape(const struct device_facts *facts, struct shape *shape)
{
    while (shape->group_size > facts->max_group_size)
        shape->group_size /= 2;
    if (shape->lanes == 0)
        shape->lanes = 1;
}

/* Halves the items, or the group if there are as few items as may be. Returns 0 if neither can. */
static inline int tuning_shrink(struct shape *shape, uint32_t min_items)
{
    const int has_items = shape->items > min_items;
    if (!has_items && shape->group_size <= 1)
        return 0;
    *(has_items ? &shape->items : &shape->group_size) /= 2;
    return 1;
}

/* The size of sub-groups if they can vote (clsort_subgroup.h) and that is wanted, else 0. */
static inline uint32_t tuning_votes(const struct device_facts *facts, uint32_t wanted)
{
    return wanted && facts->class == DEVICE_NVIDIA ? facts->subgroup_size : 0;
}

/* The same for groups of a size: 0 also where they are no whole sub-groups. */
static inline uint32_t tuning_group_votes(const struct device_facts *facts, uint32_t wanted,
                                          uint32_t group_size)
{
    const uint32_t votes = tuning_votes(facts, wanted);
    return votes && group_size % votes == 0 ? votes : 0;
}

/* Bytes of local memory of cl/group/scan.h, a part of others. */
static inline uint32_t tuning_scan_local(uint32_t group_size, uint32_t subgroup)
{
    return subgroup ? group_size / subgroup * 4 : 2 * 4 * group_size;
}

/* Bytes of local memory of kernels, which assert them (LOCAL_FITS of cl/base/config.h). */
uint64_t tuning_radix_local(const struct tuning *tuning, uint32_t item_size);
#define MAX_MERGE_SLOTS ((uint64_t)1 << 16) /* of records, whose slots are u16 (merge_slots.h) */
uint64_t tuning_merge_local(struct shape shape, uint32_t item_size);
uint32_t tuning_segments_local(struct shape shape, uint32_t item_size);
uint64_t tuning_segment_records_local(struct shape shape, uint32_t slot_size);
#define LIST_LOCAL (2 * 4 + 2 + 3 * 2 + 4) /* of a bucket of partition/list.h: sums, what it is */
uint32_t tuning_digits_count_local(const struct partition_tuning *tuning);
uint32_t tuning_digits_leaf_local(const struct partition_tuning *tuning, uint32_t key_size,
                                  uint32_t payload_size);
uint32_t tuning_msd_leaf_local(const struct msd_tuning *tuning, uint32_t item_size);
/* What both splits of cl/sorts/msd/msd.h move: the first items, the second items or, if short,
 * rests of two bytes. */
struct split_items {
    uint32_t size;
    int are_short, in_order;
};
/* The local memory of both, by their digits' bits. */
void tuning_msd_split_local(const struct msd_tuning *tuning, const uint32_t digit_bits[2],
                            const struct split_items *items, uint32_t local_ret[2]);
/* partition_leaf behind splitters, or alone. */
uint32_t tuning_leaf_local(struct shape leaf, uint32_t subgroup, uint32_t item_size);
uint32_t tuning_splitters_sample_local(const struct partition_tuning *tuning, uint32_t item_size);
/* in_order: equal records are to stay so. */
uint64_t tuning_splitters_scatter_local(const struct partition_tuning *tuning, uint32_t item_size,
                                        int in_order);
/* Makes tiles smaller until it fits. Returns 0 if it never does. */
int tuning_fit_splitters_in_order(const struct device_facts *facts, uint32_t item_size,
                                  struct partition_tuning *row);
/* Takes the spare bits. Returns 0, and changes nothing, if there is no room for them. */
int tuning_splitters_widen(const struct device_facts *facts, uint32_t item_size, int in_order,
                           struct partition_tuning *row);
uint32_t tuning_splitters_count_local(const struct partition_tuning *tuning, uint32_t item_size);
uint32_t tuning_whole_local(const struct whole_tuning *tuning, uint32_t leaf_items,
                            uint32_t item_size);
uint64_t tuning_string_local(uint32_t group_size);

/* Writes all rows as a text that a file of tuning may have. Returns its bytes, with the NUL at the
 * end, of which `size` are written at most. */
size_t tuning_rows_text(const struct device_facts *facts, char *text, size_t size);

#endif
