/* params_onesweep.h: parameters of radix sort in one launch; a part of params.h. */
#ifndef CLSORT_PARAMS_ONESWEEP_H
#define CLSORT_PARAMS_ONESWEEP_H

/* Stable radix sort from the least significant digit up, in one launch; onesweep/onesweep.h says
 * how. The tables lie in scratch, the kernels' last buffer, at these byte offsets. */
#define ONESWEEP_PASSES 20 /* at most, with what stands between them */

struct onesweep_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 work_keys;    /* the second copy of the keys */
    param_u64 work_payload; /* and of what moves with them */
    param_u64 control;      /* struct onesweep_control */
    param_u64 bin_offsets;  /* uint [digit][value]: how many; then where they begin in the output */
    param_u64 tile_states;  /* uint [2][tile][value]: of this pass and the next */
    param_u64
        engine; /* with ONESWEEP_FLAG_BEHIND: struct msd_control, which says whether to sort */
    param_u32 count;
    param_u32 num_tiles;
    param_u32 num_digits;
    param_u32 num_bits;   /* to sort by */
    param_u32 first_bit;  /* the lowest of them */
    param_u32 spin_limit; /* polls for what other groups do */
    param_u32 flags;
    param_u32 portion; /* tiles: a word of tile_states counts from its portion's first on */
};

#define ONESWEEP_FEW 64 /* different keys at most that are listed: they need fewer passes */

struct onesweep_control {
    param_u64 few[ONESWEEP_FEW]; /* different keys of a sample, in order, if they are few */
    param_u32 num_few;
    param_u32 few_others;               /* there are keys that the sample has not met */
    param_u32 tickets[ONESWEEP_PASSES]; /* tiles that have been taken */
    param_u32 done[ONESWEEP_PASSES];    /* and written */
    param_u32 digits[ONESWEEP_PASSES];  /* of each pass */
    param_u32 num_passes;
    param_u32 reverses;     /* the keys are in reversed order */
    param_u32 ways;         /* ONESWEEP_UP, ONESWEEP_DOWN: there are neighbours that go that way */
    param_u32 arrived;      /* groups that have counted */
    param_u32 phases;       /* counting and passes that are complete */
    param_u32 copies_first; /* the first pass only copies */
    param_u32 first_end;    /* passes until keys are in order, or nearly: onesweep/settle.h */
    param_u32 needed;       /* a bit for each digit that tells keys apart */
    param_u32 num_runs;     /* that lie in two tiles and are not in order after those passes */
    param_u32 is_unsettled; /* some are too long */
    param_u32 equal;        /* neighbours of the input that are equal, of those looked at */
    param_u32 unused[23];   /* the tables behind this begin with a line of the cache */
};

#endif
