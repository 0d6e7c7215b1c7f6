/* tuning.h: every number that only measuring can give, one row per device and item size. */
#ifndef TUNING_H
#define TUNING_H

#include "device.h"
#include "tuning_kinds.h"

/* How a kernel's tile is cut: group_size work-items with items elements (packs) each. */
struct shape {
    uint32_t group_size;
    uint32_t items;
    uint32_t lanes; /* elements of a pack */
};

struct tuning {
    struct shape tile;        /* bitonic_tile: whole tile in local memory */
    struct shape window;      /* bitonic_window: log2(items) strides a pass */
    struct shape rank_tile;   /* rank sort in one work-group */
    struct shape rank_stream; /* rank sort by many */
    struct shape radix;       /* radix sort's tile */
    struct shape move;        /* copies and gathers */
    uint32_t bank_bytes;      /* width of all banks of local memory; 0: not to be cared for */
    uint32_t subgroup;        /* work-items that shuffle; 0: exchange through local memory */
    uint32_t radix_bits;      /* of a digit */
    uint32_t radix_subgroup;  /* work-items that vote in ranking; 0: each counts for itself */
    uint32_t radix_blocks;    /* work-groups of a pass at most, each a block of tiles */
    uint64_t rank_auto_max;   /* AUTO takes rank sort for arrays up to this count */
    uint64_t radix_auto_min;  /* and radix sort from this count on */
};

/* The radix sort of CPUs. Bytes of items, of one array where there are several. */
struct cpu_tuning {
    uint64_t alone_bytes;  /* one work-item sorts as much alone before all of them are faster */
    uint64_t bucket_bytes; /* of a bucket, about */
    uint64_t spare_bytes;  /* beside a bucket, in its work-item's cache */
    uint64_t run_bytes;    /* of a run of merge sort; it needs as much again beside it */
    uint64_t stream_bytes; /* from so much on, buckets are written past the cache */
    uint32_t digit_bits;   /* of a digit, at most */
};

/* The radix sort from the most significant digit down. */
struct part_tuning {
    struct shape scatter;
    struct shape leaf;
    uint32_t count_items;                       /* loads of a work-item on the way, in counting */
    uint32_t digit_bits;                        /* of a level, at most; 0: the device cannot */
    uint32_t deep_bits;                         /* of a deep level in one launch, at least */
    uint32_t bin_bits;                          /* of a leaf's bins */
    uint32_t block_tiles;                       /* of scattering, in a block */
    uint32_t scatter_registers, leaf_registers; /* at most; 0: the compiler decides */
    uint32_t subgroup;                          /* that votes, or 0 */
    uint32_t groups_per_unit;  /* of a compute unit, for all deep levels; 0: a launch each */
    uint32_t crowded_per_unit; /* groups, for leaves whose keys crowd */
    uint32_t patience;         /* looks for other groups (cl/device_phases.h) */
    uint64_t min_count;        /* elements from which it is taken */
    uint64_t quick_min;        /* from which quicksort sorts what is skewed, and no passes do */
};

/* payload_size: 0, 1, 2, 4, 8. Where the device cannot, digit_bits is 0. */
struct part_tuning tuning_part(const struct device_facts *facts, uint32_t key_size,
                               uint32_t payload_size);
struct part_tuning tuning_part_row(const struct device_facts *facts, uint32_t key_size,
                                   uint32_t payload_size); /* as the tables have it */
/* Bytes of local memory that the kernels need. */
uint32_t tuning_part_count_local(const struct part_tuning *tuning);
uint32_t tuning_part_scan_local(const struct part_tuning *tuning);
uint32_t tuning_part_scatter_local(const struct part_tuning *tuning, uint32_t key_size,
                                   uint32_t payload_size);
uint32_t tuning_part_leaf_local(const struct part_tuning *tuning, uint32_t key_size,
                                uint32_t payload_size);

/* Partition quicksort. */
struct quick_tuning {
    struct shape sort; /* a leaf */
    struct shape sample;
    struct shape count;       /* finding buckets */
    struct shape move;        /* the tile of a scatter */
    uint32_t bucket_bits;     /* log2 of a segment's buckets, at most */
    uint32_t block_tiles;     /* of a scatter, at most */
    uint32_t rest_max;        /* elements up to which one group merges what is left of a segment */
    uint32_t sort_registers;  /* of leaves, at most; 0: the compiler decides */
    uint32_t subgroup;        /* that votes, or 0 */
    uint32_t groups_per_unit; /* of a compute unit, for all passes of merging; 0: a launch each */
    uint32_t patience;        /* looks for other groups (cl/device_phases.h) */
};

struct quick_tuning tuning_quick(const struct device_facts *facts, uint32_t item_size);
uint32_t tuning_quick_sort_local(const struct quick_tuning *tuning, uint32_t item_size);
uint32_t tuning_quick_sample_local(const struct quick_tuning *tuning, uint32_t item_size);
uint32_t tuning_quick_move_local(const struct quick_tuning *tuning, uint32_t item_size);
uint32_t tuning_quick_cursors_local(uint32_t group_size, uint32_t bucket_bits);

/* Local memory of group_scan.h. */
uint32_t tuning_scan_local(uint32_t group_size, uint32_t subgroup);

/* Quicksort of one array in one launch (cl/quick_whole.cl), or where it fits in one work-group. */
struct whole_tuning {
    uint32_t group_size;
    uint32_t held;       /* elements of a work-item in registers, at most */
    uint32_t leaf_items; /* of a leaf, at most */
    uint32_t registers;  /* of a work-item, at most; 0: the compiler decides */
    uint32_t
        groups_per_unit; /* that run at the same time; 0: that is not known, and it is not done */
    uint32_t bucket_bits;
    struct shape sample;
    struct shape single; /* of the one work-group, at most */
    uint32_t patience;   /* looks for other groups before they are given up */
    uint32_t subgroup;   /* that votes, or 0 */
    uint64_t auto_max;   /* largest count for which AUTO takes either */
    uint64_t narrow_max; /* of keys of 8 or 16 bits, which radix sort is through with sooner */
};

struct whole_tuning tuning_whole(const struct device_facts *facts, uint32_t item_size);
uint32_t tuning_whole_local(const struct whole_tuning *tuning, uint32_t leaf_items,
                            uint32_t item_size);

/* Stable radix sort with all passes in one launch (cl/onesweep.h). */
struct onesweep_tuning {
    struct shape scatter;
    uint32_t registers; /* of its work-items, at most; 0: the compiler decides */
    uint32_t groups_per_unit;
    uint32_t digit_bits; /* 0: it is not done */
    uint32_t patience;   /* looks for another tile's counts */
    uint32_t subgroup;   /* that votes, or 0 */
    uint64_t min_count;  /* elements of an array from which it is taken, */
    uint64_t max_count;  /* and from which no more */
    uint64_t stable_min; /* the first where equal elements are to keep their order */
    uint64_t
        skew_min; /* from which it sorts what is skewed for the form that begins with the highest digit */
};

struct onesweep_tuning tuning_onesweep(const struct device_facts *facts, uint32_t key_size,
                                       uint32_t payload_size);
struct onesweep_tuning tuning_onesweep_row(const struct device_facts *facts, uint32_t key_size,
                                           uint32_t payload_size);
uint32_t tuning_onesweep_local(const struct onesweep_tuning *tuning, uint32_t key_size,
                               uint32_t payload_size);

struct cpu_tuning tuning_cpu(const struct device_facts *facts);

/* The sort of strings. */
struct string_tuning {
    uint32_t group_size;
    uint32_t splitters;        /* at most STRING_SPLITTERS */
    uint32_t splitter_strings; /* to each splitter at least */
    uint32_t chunks_per_unit;  /* CPUs: parts that the strings are cut into */
    uint32_t chunk_strings;    /* of a part at least */
    uint32_t tie_strings;      /* of a part in which equal keys are looked for */
};

struct string_tuning tuning_strings(const struct device_facts *facts);

/* Bytes of local memory of string_move. */
uint64_t tuning_string_local(uint32_t group_size);

/* Elements up to which the calling thread sorts arrays of the host. */
struct host_tuning {
    uint64_t with_sorter;
    uint64_t without_sorter;
};

/* Counts of records of an array from which AUTO takes what is not merge sort. */
struct record_tuning {
    uint64_t radix_min;      /* radix sort, if the fields are one number together */
    uint64_t radix_free_min; /* where equal ones need not keep their order */
    uint64_t quick_min;      /* quicksort, there, if it is not radix sort */
};

/* A row of any kind: the compiled-in one for the device and these sizes, and on top of it what the
 * sorter's text sets; not yet fitted to the device's limits. */
union tuning_row {
    struct tuning general;
    struct part_tuning part;
    struct shape merge;
    struct quick_tuning quick;
    struct whole_tuning whole;
    struct onesweep_tuning onesweep;
    struct cpu_tuning cpu;
    struct string_tuning strings;
    struct record_tuning records;
    struct host_tuning host;
};
/* The compiled-in row of quicksort. */
struct quick_tuning tuning_quick_row(const struct device_facts *facts, uint32_t item_size);

struct whole_tuning tuning_whole_row(const struct device_facts *facts, uint32_t item_size);

/* Where sub-groups can vote (clsort_subgroup.h), their size. */
uint32_t tuning_votes(const struct device_facts *facts, uint32_t wanted);

/* Registers that a compiler can be held to: only NVIDIA's can be told, and a group's are one compute
 * unit's. */
uint32_t tuning_registers(const struct device_facts *facts, uint32_t wanted,
                          const struct shape *shape);

void tuning_row(const struct device_facts *facts, enum tuning_kind_id kind, uint32_t first_size,
                uint32_t second_size, union tuning_row *row_ret);

/* Elements, of all arrays of a call together, up to which the calling thread sorts arrays of the
 * host by itself. */
uint64_t tuning_host_max(const struct device_facts *facts);

struct record_tuning tuning_records(const struct device_facts *facts);

/* The general row, fitted to the device's limits. item_size: bytes of an element in local memory, 4, 8
 * or 16. */
struct tuning tuning_for(const struct device_facts *facts, uint32_t item_size);

/* The shape of kernels that move elements, or make numbers of them, one after the other. */
struct shape tuning_move(const struct device_facts *facts);

/* The tile of merge sort for items of any size, and the local memory that it takes. */
struct shape tuning_merge(const struct device_facts *facts, uint32_t item_size);
uint64_t tuning_merge_local(struct shape shape, uint32_t item_size);

/* Bytes of local memory of radix_scatter. */
uint64_t tuning_radix_local(const struct tuning *tuning, uint32_t item_size);

static inline uint64_t shape_slots(struct shape shape)
{
    return (uint64_t)shape.group_size * shape.items * shape.lanes;
}

#endif
