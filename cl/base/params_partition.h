/* params_partition.h: parameters of sorts by partition; a part of params.h. */
#ifndef CLSORT_PARAMS_PARTITION_H
#define CLSORT_PARAMS_PARTITION_H

/* Partition, in levels; sorts/partition/partition.h says how. The tables lie in scratch, the
 * kernels' last buffer, at these byte offsets. */
#define PARTITION_LEVELS 32 /* at most */
#define SPLITTERS_LEVELS 8  /* of splitters at most; merges do the rest */
#define PARTITION_PHASES 64 /* of all levels in one launch, or of merges, at most */
#define PIVOTS_ALIGNMENT 16

struct partition_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 work_keys;     /* the second copy of the keys */
    param_u64 work_payload;  /* and of what moves with them */
    param_u64 control;       /* struct partition_control */
    param_u64 segments;      /* of this level: struct partition_segment [] */
    param_u64 next_segments; /* of the next one, or what is left to merges */
    param_u64 owners;        /* of this level's blocks: uint [] segment */
    param_u64 next_owners;
    param_u64 totals;      /* uint [bucket]; a digit is the bucket of its segment's number */
    param_u64 next_totals; /* digits: 0 before the next level */
    param_u64 cursors;     /* uint [bucket]: where its next element goes */
    param_u64 counts;      /* in order, uint [block][bucket]: count, then first element's place */
    param_u64 leaves;      /* struct partition_leaf [] */
    /* Digits: */
    param_u64 crowded;     /* uint [] leaf */
    param_u64 digits_mask; /* of the bits to sort by, moved down */
    /* Splitters, from the next multiple of PIVOTS_ALIGNMENT on: item [], of a segment from its
     * first_bucket on. */
    param_u64 pivots;
    param_u64 marks; /* uint [] the bucket in front of a pivot, and whether that is heavy */
    param_u64 ids;   /* [element] its bucket: uchar, or ushort for more than 256 */
    /* Records: uint [block left to merges] where its merge begins in the first run. */
    param_u64 splits;
    param_u32 count; /* elements of an array */
    param_u32 num_arrays;
    param_u32 blocks_per_array, buckets_per_array;
    param_u32 block_size;      /* elements */
    param_u32 next_block_size; /* splitters: leaf_size where the next level is none, but merges */
    param_u32 level;
    param_u32 leaf_size;
    param_u32 flags;
    param_u32 scan_width; /* in order: buckets of a segment that a work-group scans */
    param_u32 spin_limit; /* polls for what other work-groups do */
    /* Digits: */
    param_u32 num_bits;  /* to sort by */
    param_u32 first_bit; /* the lowest of them */
    param_u32 digit_bits;
    param_u32 next_digit_bits;
    param_u32 num_levels;
    param_u32 bits_left;  /* levels.cl: before its first level */
    param_u32 max_totals; /* digits of all segments of a level for which the tables have room */
    /* Splitters: */
    param_u32 bucket_size;      /* elements that a bucket is to have, about */
    param_u32 next_bucket_size; /* 0: the next level is none */
    param_u32 fill_size;        /* elements of several buckets in a leaf, at most */
    param_u32 passes_left;      /* merging: this one included */
    /* Equal elements up to this share a leaf with others. whole/whole.cl: a cell's size. */
    param_u32 small_size;
    param_u32 samples_per_bucket;
    param_u32 phases_left; /* of merging, for a launch that makes one of them; 0: it makes all */
    param_u32 unused;
};

/* Short segments; buffers as above. */
struct segments_tile_params {
    struct partition_params partition;
    param_u64 bits_of_segments; /* as segments_params.bits and .tops */
    param_u64 tops_of_segments;
    param_u32 tile; /* elements: a multiple of 32, at most TILE_SLOTS */
    param_u32 flags;
};

/* A part of an array that is still to be cut. */
#define PARTITION_SEGMENT_MEMBERS                            \
    param_u32 begin, size;                                   \
    param_u32 place; /* PLACE_IN, PLACE_OUT or PLACE_WORK */ \
    param_u32 first_block, num_blocks;                       \
    param_u32 counted;                   /* blocks */        \
    param_u32 first_bucket, num_buckets; /* in the tables */ \
    param_u32 num_pivots;                /* splitters */     \
    param_u32 broken; /* merging: passes_left of the pass that met the comparison as no order */
struct partition_segment {
    PARTITION_SEGMENT_MEMBERS
};

/* The same with what partition by digits learns of it. */
struct digits_segment {
    param_u64 differing;  /* the bits in which a key differs from the first */
    param_u64 first;      /* that one */
    param_u32 bits;       /* the lowest ones, in which keys may differ */
    param_u32 directions; /* on the first level: DIGITS_UP, DIGITS_DOWN: neighbours go that way */
    param_u32 moves;      /* elements are scattered */
    param_u32 target;     /* where they lie then */
    PARTITION_SEGMENT_MEMBERS
};

/* Elements that fit in local memory. */
#define PARTITION_LEAF_MEMBERS \
    param_u32 begin, size;     \
    param_u32 place;           \
    param_u32 kind; /* LEAF_SORT ... */
struct partition_leaf {
    PARTITION_LEAF_MEMBERS
};
struct digits_leaf {
    param_u64 low; /* what its keys agree in above their last `bits` bits, and 0 below */
    param_u32 bits;
    param_u32 unused;
    PARTITION_LEAF_MEMBERS
};

struct partition_control {
    /* One for each level. The last ones are of what is left to merges. */
    param_u32 num_segments[PARTITION_LEVELS + 1];
    param_u32 num_blocks[PARTITION_LEVELS + 1];
    param_u32 num_buckets[PARTITION_LEVELS + 1];
    param_u32 num_leaves;
    param_u32 num_crowded;
    param_u32 arrived;                   /* whole/whole.cl: groups at its barriers */
    param_u32 left;                      /* and how many have given up waiting */
    param_u32 tickets[PARTITION_PHASES]; /* tasks of a phase that have been taken */
    param_u32 done[PARTITION_PHASES];
    param_u32 phases; /* that are complete */
};

#endif
