/* params_counting.h: parameters of sorting by counting; a part of params.h. */
#ifndef CLSORT_PARAMS_COUNTING_H
#define CLSORT_PARAMS_COUNTING_H

#define COUNTING_BLOCK 256 /* values that a work-group of counting_scan adds up */
#define COUNTING_TEAM 32   /* work-items that write neighbours, or all of a smaller group */

/* counting/counting.cl. Tables are offsets into scratch, the kernels' last buffer. */
struct counting_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 counts;     /* uint [chunk][value as it is stored] */
    param_u64 begins;     /* uint [place in the order]: where a value begins in its block */
    param_u64 sums;       /* uint [block]: keys of its values */
    param_u64 team_share; /* keys that a team writes */
    param_u32 count;
    param_u32 num_chunks; /* of the input, each counted by a work-group for each slice of values */
};

#endif
