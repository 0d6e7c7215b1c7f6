/* params_select.h: parameters of selection; a part of params.h. */
#ifndef CLSORT_PARAMS_SELECT_H
#define CLSORT_PARAMS_SELECT_H

/* select/select.h. Tables are offsets into scratch. */
#define SELECT_BOUNDS 2 /* the first and the last that is wanted */

/* What is known of an array. Elements are ordered by key and index, so no two are equal. Each bound
 * is a prefix of the bits of both: the others are free. */
struct select_state {
    param_u64 key[SELECT_BOUNDS];
    param_u64 free_key; /* bits that are free */
    param_u32 index[SELECT_BOUNDS];
    param_u32 before[SELECT_BOUNDS]; /* elements before those with the prefix, */
    param_u32 size[SELECT_BOUNDS];   /* and those with it */
    param_u32 free_index;
    param_u32 below;  /* elements before the candidates by the sample's bounds, */
    param_u32 found;  /* and these candidates */
    param_u32 again;  /* those by the bounds here */
    param_u32 phases; /* digits that are counted */
    param_u32 unused;
};

struct select_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 sample, sample_indices; /* of keys up to 32 bits, a number holds both */
    param_u64 candidates, candidate_indices;
    param_u64 states;
    param_u64 histograms; /* of a round, 2^RADIX_BITS words for each bound */
    param_u64 tasks;      /* of a round: parts of the array that are taken, and those done */
    param_u32 count, num_arrays;
    param_u32 skip, limit;
    param_u32 sample_size, capacity;
    param_u32 low, high; /* bounds in the sample: place low - 1; none: 0, sample_size */
    param_u32 groups_per_array;
    param_u32 num_rounds;
    param_u32 spin_limit; /* polls for other groups' counts */
    param_u32 index_bits;
    param_u32 run_bits; /* select_short: log2 of a run's slots */
    param_u32 unused;
    /* select_rows, select_short: pieces of MOVE_UNIT bytes of a value; 0: values do not move */
    param_u32 num_units;
    param_u32 flags;
};

#endif
