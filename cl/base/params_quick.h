/* params_quick.h: parameters of partition quicksort; a part of params.h. */
#ifndef CLSORT_PARAMS_QUICK_H
#define CLSORT_PARAMS_QUICK_H

/* Partition quicksort, in levels; splitters/quick.h says how. The tables lie in scratch, the
 * kernels' last buffer, at these byte offsets. */
#define QUICK_LEVELS 8 /* at most */
#define QUICK_ALIGNMENT 16
#define QUICK_PHASES 64      /* of merging, at most */
#define QUICK_MANY_BLOCKS 64 /* of an array, for splitters/starts.cl */

struct quick_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 work_keys;     /* the second copy of the keys */
    param_u64 work_payload;  /* and of what moves with them */
    param_u64 control;       /* struct quick_control */
    param_u64 segments;      /* of this level: struct quick_segment [] */
    param_u64 next_segments; /* of the next one, or what is left to merges */
    param_u64 owners;        /* of this level's blocks: uint [] segment */
    param_u64 next_owners;
    /* From the next multiple of QUICK_ALIGNMENT on: item [], of a segment from its first_bucket
     * on. */
    param_u64 pivots;
    param_u64 marks;   /* uint [] the bucket in front of a pivot, and whether that is heavy */
    param_u64 totals;  /* uint [bucket] */
    param_u64 cursors; /* uint [bucket]: where its next element goes */
    param_u64
        starts;    /* in order: uint [block][bucket]: its count, then its first element's place */
    param_u64 ids; /* [element] its bucket: uchar, or ushort for more than 256 */
    param_u64 leaves; /* struct quick_leaf [] */
    param_u64
        splits; /* records: uint [block left to merges] where its merge begins in the first run */
    param_u32 count; /* elements of an array */
    param_u32 num_arrays;
    param_u32 blocks_per_array; /* first level */
    param_u32 block_size;       /* elements */
    param_u32 next_block_size;  /* leaf_size where the next level is none, but merges */
    param_u32 bucket_size;      /* elements that a bucket is to have, about */
    param_u32 next_bucket_size; /* 0: the next level is none */
    param_u32 level;
    param_u32 leaf_size;
    param_u32 fill_size;   /* elements of several buckets in a leaf, at most */
    param_u32 passes_left; /* merging: this one included; 0: the leaves are the arrays */
    /* Equal elements up to this share a leaf with others. whole/whole.cl: a cell's size. */
    param_u32 small_size;
    param_u32 samples_per_bucket;
    param_u32 flags;
    param_u32 spin_limit;  /* where work-groups wait in one launch: polls for others */
    param_u32 phases_left; /* of merging, for a launch that makes one of them; 0: it makes all */
};

/* Short segments of records; buffers as above. */
struct segments_records_params {
    struct quick_params quick;
    param_u64 bits_of_segments; /* as segments_params.bits and .tops */
    param_u64 tops_of_segments;
    param_u32 tile; /* elements: a multiple of 32, at most TILE_SLOTS */
    param_u32 unused;
};

struct quick_segment {
    param_u32 begin, size;
    param_u32 place; /* PLACE_IN, PLACE_OUT or PLACE_WORK */
    param_u32 first_block, num_blocks;
    param_u32 first_bucket; /* in the tables */
    param_u32 num_pivots;
    param_u32 counted; /* blocks */
    param_u32 broken;  /* merging: passes_left of the pass that met the comparison as no order */
};

struct quick_leaf {
    param_u32 begin, size;
    param_u32 place;
    param_u32 kind;
};

struct quick_control {
    param_u32 num_segments[QUICK_LEVELS + 1]; /* of each level; behind the last, left to merges */
    param_u32 num_blocks[QUICK_LEVELS + 1];
    param_u32 num_buckets[QUICK_LEVELS + 1];
    param_u32 num_leaves;
    param_u32 arrived;               /* whole/whole.cl: groups at its barriers */
    param_u32 left;                  /* and how many have given up waiting */
    param_u32 tickets[QUICK_PHASES]; /* splitters/merges.cl: tiles of a phase that were taken */
    param_u32 done[QUICK_PHASES];
    param_u32 phases; /* that are complete */
};

#endif
