/* params.h: the parameters of every kernel, one struct each, passed by value. Read by the OpenCL
 * compiler and by the host's: fixed widths, 8-byte members first, no padding (asserted in
 * src/plan/plan.h). Each begins with the byte offsets of the kernel's buffers, in argument
 * order. */
#ifndef CLSORT_PARAMS_H
#define CLSORT_PARAMS_H

#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_VERSION__)
typedef ulong param_u64;
typedef uint param_u32;
#else
#include <stdint.h>
typedef uint64_t param_u64;
typedef uint32_t param_u32;
#endif

#define PARAM_BUFFERS 5 /* keys in, keys out, payload in, payload out, counts */

/* What a step does with its elements (bits of `flags`). */
#define FLAG_STORE_KEYS 1u
#define FLAG_STORE_PAYLOAD 2u
#define FLAG_MAKE_INDEX 4u /* the payload is not read: it is the element's index in its array */
#define FLAG_IN_PLACE 8u   /* the keys' output is their input */
#define FLAG_UNORDERED 64u /* tiles take their ranges by atomics, in no order */
/* More of them, of one family of kernels each. No two are the same bit. */
#define CPU_FLAG_EXACT 32u            /* a bin for each key that there can be */
#define COLUMNS_FLAG_BY_INDEX 128u    /* rows are taken in the order of the indices */
#define COLUMNS_FLAG_COUNTED 65536u   /* it is known on the device how many rows there are */
#define STRINGS_FLAG_DESCENDING 256u  /* largest first */
#define ONESWEEP_FLAG_BEHIND 512u     /* sorts what msd/msd.h leaves */
#define SEGMENTS_FLAG_GAPS 2048u      /* what lies in none is marked */
#define SEGMENTS_FLAG_BY_PLACE 32768u /* segments_places: a thread for each place of the output */
#define SELECT_FLAG_WIDE_INDEX 8192u  /* indices of 8 bytes */
#define SELECT_FLAG_AGAIN 16384u      /* by the bounds that counting has found */
#define MSD_FLAG_MAPS 524288u         /* the sample may map floats (msd/map.h) */
#define MSD_FLAG_DEALS 1048576u       /* keys partly in order may be dealt (msd/deal.h) */

/* How the elements of all arrays are dealt to work-groups, in tiles of TILE_SLOTS slots. Long
 * arrays have tiles_per_array tiles; short ones lie several in a tile, each at a multiple of
 * 2^slot_bits slots. */
struct tile_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 count; /* elements of an array */
    param_u64 num_arrays;
    param_u64 tiles_per_array;
    param_u32 arrays_per_tile;
    param_u32 slot_bits;
    param_u32 flags;
    /* bitonic: from stride 2^(top-1) of merge first_stage to the end of merge last_stage */
    param_u32 first_stage;
    param_u32 top;
    param_u32 last_stage;
};

/* One window of strides of a bitonic merge in global memory, 2^(window+high) down to
 * 2^window+low. */
struct window_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 count;
    param_u64 units_per_array; /* work-items that an array needs */
    param_u64 num_units;
    param_u32 window; /* lowest bit, of the pack's index, that lies in registers */
    param_u32 high;
    param_u32 low;
    param_u32 flip;
};

/* Rank sort by many work-groups. */
struct rank_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 count;
    param_u64 groups_per_array;
    param_u32 flags;
    param_u32 unused;
};

/* Radix sort by one digit. An array is cut into num_blocks blocks of block_size elements, a
 * multiple of the tile except for the last. */
struct radix_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 count;
    param_u64 block_size;
    param_u32 num_blocks;
    param_u32 shift;      /* lowest bit of the digit in the ordered key */
    param_u32 digit_mask; /* of the digit's bits, moved down */
    param_u32 flags;
};

/* Merge sort. An array lies in num_runs runs of `run` elements, the last one shorter; a step makes
 * them, or merges neighbours to runs twice as long. The merge of two ranges is one such step: the
 * first has `run` elements, and both `span`. */
struct merge_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 count;
    param_u64 num_arrays;
    param_u64 run;
    param_u64 span;     /* of a merge: two runs */
    param_u64 num_runs; /* of an array */
    param_u64 tiles_per_array;
    param_u32 num_workers; /* CPUs: work-groups, which share the work */
    param_u32 pass;        /* merges so far, this one included */
    param_u32 tile;        /* elements of a merge's tile; merge_short: arrays of a work-group */
    param_u32 flags;
};

/* The radix sort of devices where a work-group is one work-item (CPUs). An array is cut into
 * chunks; its range of keys into bins, which are merged to buckets. The tables lie in scratch,
 * the kernels' last buffer, at these byte offsets from its first multiple of CPU_ALIGNMENT;
 * "slot" is an array or, where a work-item sorts whole arrays, a work-group. */
#define CPU_COARSE 64 /* bins that a crowded range is cut into first; no tuning: private arrays */
#define CPU_ALIGNMENT 128
#define CPU_BUCKETS 2048 /* at most, no tuning: a line of each fills a cache of 128 KiB */
#define CPU_SAMPLED 3    /* levels of cutting buckets again by samples; most often there is one */
/* Chunks of a bucket that is cut again: counts have 32 bits. */
#define CPU_REFINE_CHUNK (1u << 31)
#define CPU_REFINE_CHUNKS(count) ((count) / CPU_REFINE_CHUNK + 1)

struct cpu_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 count;
    param_u64 num_arrays;
    param_u64 chunk_size;     /* elements, below 2^32 */
    param_u64 bucket_target;  /* elements of a bucket, about */
    param_u64 items;          /* [slot][count] items */
    param_u64 states;         /* [slot] struct cpu_state */
    param_u64 monotonicity;   /* [slot][chunk] uint: which ways its keys go */
    param_u64 counts;         /* [slot][chunk][bin] uint */
    param_u64 histogram;      /* [slot][bin] ulong */
    param_u64 bucket_of;      /* [slot][bin] ushort */
    param_u64 bucket_offsets; /* [slot][bucket + 1] ulong */
    param_u64 write_offsets;  /* [slot][chunk][bucket] ulong */
    param_u64 spare;          /* [work-group][spare_items] items */
    param_u64 spare_keys; /* [slot][count] stored keys, where the output has none; else unused */
    param_u64 waiting;    /* [work-group][refine_parts] struct refine_part */
    /* Behind the arrays', a work-group's slot and rows for what it sorts alone (cpu/refine.h). */
    param_u64 refine_slot, refine_row;
    param_u32 num_chunks;
    param_u32 num_bins;
    param_u32 max_buckets;
    param_u32 spare_items;
    param_u32 num_workers; /* work-groups that sort buckets */
    param_u32 flags;
    param_u32 steps;
    param_u32 refine_parts;
};

/* The bins of an array (cpu/bins.h). */
struct cpu_coarse {
    param_u64 low;
    param_u32 shift;
    param_u32 first;
    param_u32 last;
    param_u32 unused;
};

struct cpu_bins {
    param_u64 low;
    param_u32 shift;
    param_u32 last;
    param_u32 flat; /* no coarse bins: bins are equal parts of the range */
    param_u32 unused;
    struct cpu_coarse coarse[CPU_COARSE];
};

/* The step of a launch (cpu/radix.cl, cpu/segments.cl). */
#define CPU_COUNT 1u
#define CPU_SCAN 2u
#define CPU_SCATTER 4u
#define CPU_SORT 8u
#define CPU_FILL 16u
#define CPU_ALONE 32u

/* What is known of an array only once it has been read. */
struct cpu_state {
    struct cpu_bins bins;
    param_u32 monotonicity; /* all chunks' */
    param_u32 num_buckets;
    param_u32 next_bucket; /* that no work-group has taken */
    param_u32 unused;
};

#define MSD_SAMPLE 2048           /* keys that sample/sample.cl looks at */
#define MSD_SAMPLE_BINS 1024      /* and what it counts them in */
#define MAP_CELLS MSD_SAMPLE_BINS /* of floats' map */

/* Keys that lie evenly in a part of their range are stretched over all of it (msd/stretch.h). */
struct key_stretch {
    param_u64 low;   /* the part's first key, and */
    param_u64 range; /* how many keys it has, moved up by `shift`, so that the highest bit is set */
    param_u64 factor; /* what a moved key grows by, as a fraction */
    param_u32 shift;
    param_u32 is_used;
    /* msd/map.h uses low and shift for numbers of a scale, and not range and factor. */
    param_u32 top; /* the largest floats' exponent */
    param_u32 unused;
};

/* Cells of floats, and what they become (msd/map.h). */
struct float_map {
    param_u64 inverses[MAP_CELLS]; /* a cell's step times this is 1 */
    param_u32 cells[MAP_CELLS];    /* where it begins << 16 | its step */
};

/* Radix sort of evenly spread keys; msd/msd.h says how. The tables lie in scratch at these byte
 * offsets. */
#define MSD_PAD 8        /* words from a digit's counters to the next one's */
#define MSD_ALIGNMENT 32 /* a leaf's room is a multiple */
#define MSD_ROOM_MORE 64 /* of a room, beside what it likely needs and a quarter more */
#define MSD_FEW_BITS 6   /* of level 1: with no more, msd_split counts leaves by 16 bits */
#define MSD_MOST_ROOM (0xffff / MSD_ALIGNMENT * MSD_ALIGNMENT) /* half a word counts it */
/* Bits of both levels, at most, where msd_split counts leaves. Counters have 16 bits, or 8 if
 * leaves are many or items keep their order. */
#define MSD_COUNTED_BITS 13
/* Room of a bucket, in quarters of a tile's share (msd/msd.h). */
#define MSD_ROOM_QUARTERS(bits, in_order) \
    ((bits) <= MSD_FEW_BITS ? 9 : (in_order) || (bits) <= (MSD_COUNTED_BITS + 1) / 2 ? 8 : 10)
#define MSD_MAX_SLOT_BITS 13 /* of a slot's number in msd/finish.cl; of a leaf: */
#define MSD_SLOT_BITS(slots) \
    ((slots) <= 512 ? 9 : (slots) <= 1024 ? 10 : (slots) <= 2048 ? 11 : (slots) <= 4096 ? 12 : 13)
/* A leaf can put by as many late items as it has slots, divided by this. A small leaf needs more of
 * them, and a leaf with many bins needs fewer. */
#define MSD_LATE_SHARE(slots, likely) ((slots) <= 2560 ? 8 : (likely)*24 < (slots) ? 19 : 14)
/* A leaf of msd/finish.cl is cut in two if it has more elements than the work-group has slots, and
 * no more than this, so that random halves fit. Some leaves of f64 of random bits have twice the
 * average. A larger one has most probably a frequent key, which no cut divides. */
#define MSD_LARGE_MOST(slots) ((slots) / 8 * 15)
#define MSD_LARGE_COLUMNS 32 /* of counters */
#define MSD_KIND_BITS 18     /* of what is noted of a block, below its number */
/* Bytes of a chunk. A bucket's room has 16 bytes more at least, or, if its output has no room to
 * spare (msd/exact.h), than two chunks. */
#define MSD_CHUNK_BYTES(bits, item_size) ((bits) > 8 && (item_size) > 2 ? 32 : 64)
#define MSD_LEAST_ROOM(chunk_bytes) ((chunk_bytes) / 16 + 1) /* times 16 bytes */
#define MSD_EXACT_ROOM(chunk_bytes) ((chunk_bytes) / 8 + 1)

struct msd_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 control;      /* struct msd_control */
    param_u64 onesweep;     /* its tables, from struct onesweep_control on */
    param_u64 map;          /* with MSD_FLAG_MAPS: struct float_map */
    param_u64 least_range;  /* of keys that may be stretched (msd/stretch.h) */
    param_u64 digits_mask;  /* of the bits to sort by, moved down */
    param_u64 blocks;       /* item [block][MSD_BLOCK] */
    param_u64 kinds;        /* uint [block]: MSD_KIND of msd/msd.h */
    param_u64 list;         /* uint []: block << MSD_NUM_BITS | number of keys, by digit */
    param_u64 list_begins;  /* uint [digit + 1] */
    param_u64 totals;       /* uint [digit][MSD_PAD]: blocks, keys, listed blocks */
    param_u64 counts;       /* uint [leaf]; in order: [digit][part][leaf] */
    param_u64 group_blocks; /* in order, uint [group][digit]: blocks */
    param_u64 part_begins;  /* in order, uint [digit][part]: in the list */
    param_u64 regions;      /* struct msd_region [leaf] */
    param_u64 rests;        /* with MSD_SHORT: ushort [], in rooms */
    param_u32 count;        /* elements */
    param_u32 num_bits;     /* to sort by */
    param_u32 first_bit;    /* the lowest of them */
    param_u32 flags;
    param_u32 spin_limit;    /* polls for what other work-groups do */
    param_u32 most_repeats;  /* of a key, on average (sample/repeats.h) */
    param_u32 onesweep_size; /* bytes of its tables that are to be 0 */
    param_u32 num_totals;    /* words of totals and counts that are to be 0 */
    param_u32 blocks_per_group;
    param_u32 parts;          /* of a digit of level 1, for work-groups of level 2 */
    param_u32 shifts[2];      /* of each level's digit in the ordered key */
    param_u32 bits[2];        /* of it */
    param_u32 num_room_items; /* for which there is room; behind them, for those that find none */
    param_u32 num_groups;     /* of msd_split */
    param_u32 leaf_slots;     /* a larger leaf may end msd's work (msd/offsets.h) */
    param_u32 counts_leaves;  /* msd_split does */
};

/* What the sample and msd's steps tell each other, and onesweep behind them. */
struct msd_control {
    param_u32 is_left;       /* onesweep sorts all: the sample has said so, or a leaf did not fit */
    param_u32 is_even;       /* or how msd_split reads the keys, unless level 1 */
    param_u32 split_gave_up; /* lacks a block, or meets a key that it cannot place or count, */
    param_u32 leaf_gave_up;  /* or a leaf is too large, or lacks room */
    param_u32 tickets[4];    /* msd/phases.h: tasks of a phase that have been taken */
    param_u32 done[4];
    param_u32 phases; /* that are complete */
    param_u32 unused;
    struct key_stretch stretch;
};

/* A leaf: where its keys go. If there are rooms, the lower half of `taken` is how many from
 * its front on, the upper half how many at its end. */
struct msd_region {
    param_u32 begin, size;
    param_u32 front, back; /* that have taken their place in the output */
    param_u32 room, capacity;
    param_u32 taken;
    param_u32 unused;
};

/* With a payload, an element of a leaf is sorted as what its key has above the leaf's, and its
 * slot below that, in 64 bits: it says where it came from, and equal keys keep their order. */
#define REST_SLOT_BITS 13

#define SEGMENTS_MARKED 8 /* offsets of a work-item: neighbours often share a word */

/* Segments by offsets: buffers offsets, index, indices, scratch twice (cl/segments/segments.h). */
struct segments_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 count;
    param_u64 num_segments;
    param_u64 bits;    /* uint []: a bit for each element, and one for the count */
    param_u64 tops;    /* uint []: a bit for each 1024 of them */
    param_u64 ends;    /* ulong [3]: the first and last offset; a place for one more number */
    param_u64 sums;    /* ulong []: of each block of bits, then of those before it */
    param_u64 numbers; /* [element]: the number of its segment */
    param_u64 begins;  /* [number]: where the segment begins; behind the last, where it ends */
    param_u64 control; /* struct partition_control, or 0 words */
    /* segments/places.cl: */
    param_u64 skip;       /* places of each segment's order that are left out, at most the count */
    param_u64 limit;      /* places that are wanted; 0: all others */
    param_u64 num_places; /* elements or places that are looked at */
    param_u32 num_units;  /* MOVE_UNIT pieces of an element */
    param_u32 offset_size;
    param_u32 index_size; /* of the indices */
    param_u32 flags;
    param_u32 control_words;
    param_u32 stride; /* elements of each segment, if there are no offsets; else 0 */
};

/* What is done with arrays in order: ordered/check.cl, ordered/runs.cl, ordered/search.cl. A block
 * is a work-group's elements, or queries, of an array. */
struct range_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 count; /* elements of an array */
    param_u64 num_arrays;
    param_u64 num_queries; /* of an array */
    param_u64 block_size;  /* check_short, runs_short: arrays of a work-group */
    param_u64 stride;      /* keys of a step of search_sample */
    param_u32 num_samples; /* of an array; 0: none */
    param_u32 num_blocks;  /* of an array */
    param_u32 spin_limit;  /* polls for what other groups count */
    param_u32 flags;
};

/* Segments on CPUs; buffers as sorts have them. */
struct cpu_segments_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 count;
    param_u64 share;   /* elements of a work-item */
    param_u64 longest; /* elements that one work-item sorts, at least a share */
    param_u64 bits;    /* as segments_params has them */
    param_u64 tops;
    param_u64 ends;
    param_u64 longs;  /* [share] two ulong: where its long segment begins and ends */
    param_u64 tables; /* of cpu, whose rows and slots are shares */
    struct cpu_params cpu;
    param_u64 own;   /* of cpu's tables: [share][spare_items] items */
    param_u32 flags; /* SEGMENTS_FLAG_GAPS: indices count from the segment's beginning */
    param_u32 unused;
};

/* gather, gather_whole: buffers in, out, index; out[i] = in[start of i's array + index]. */
struct move_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 count;        /* elements of an array */
    param_u64 num_elements; /* of all arrays */
    param_u64 share;        /* gather_whole: elements of a work-item */
    param_u64 wanted;       /* gather: elements of an array in the output, */
    param_u64 skip;         /* from this place of the array's order on */
    param_u64 order;        /* gather: indices of an array's order */
    param_u32 num_units;    /* MOVE_UNIT pieces of an element */
    param_u32 unused;
};

/* fill, scan: a buffer that is a table. */
struct table_params {
    param_u64 offsets[1];
    param_u64 size;   /* numbers, of scan in a row */
    param_u64 period; /* fill: after which they begin at 0 again */
    param_u64 share;  /* fill: numbers of a work-group */
};

/* Rows that are sorted by several numbers, their members: columns, or fields of records.
 * Buffers: a place for each member, keys, indices. */
#define COLUMNS_MEMBERS 8 /* as many as fit in a key of 64 bits */
#define COLUMNS_BUFFERS (COLUMNS_MEMBERS + 2)

struct columns_member {
    param_u32 stride; /* bytes from a row to the next */
    param_u32 unit;   /* bytes that may be read at once: 1, 2, 4, 8 */
    param_u32 bits;
    param_u32 mantissa_bits;
    param_u32 is_signed;
    param_u32 descending;
    param_u32 first_bit; /* of its ordered form's bits, those that count; */
    param_u32 num_bits;  /* bits, if all do */
};

struct columns_params {
    param_u64 offsets[COLUMNS_BUFFERS];
    param_u64 count;        /* rows of an array */
    param_u64 num_elements; /* rows of all arrays */
    struct columns_member members[COLUMNS_MEMBERS];
    param_u32 num_members;
    param_u32 flags;
    param_u32 num_words; /* from a row's key to the next one's, in keys */
    param_u32 unused;
};

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

/* select/select.h. Tables are offsets into scratch. */
#define SELECT_BOUNDS 2 /* the first and the last that is wanted */

/* What is known of an array. Elements are ordered by key and index, so no two are equal. */
struct select_state {
    param_u64 low, high; /* keys of the bounds found by counting, */
    param_u32 low_index, high_index;
    param_u32 before;  /* elements before these bounds, */
    param_u32 between; /* and between them */
    param_u32 below;   /* elements before the candidates by the sample's bounds, */
    param_u32 found;   /* and these candidates */
    param_u32 again;   /* those by the bounds here */
    param_u32 phases;  /* digits that are counted */
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

/* Strings (clsort.h says what they are). The tables lie in scratch, a kernel's last buffer, at
 * these byte offsets; items at the first multiple of CPU_ALIGNMENT behind theirs. Buckets are
 * what splitters, some of the strings, part them into: bucket 2b has those between splitters b -
 * 1 and b, bucket 2b + 1 those equal to splitter b. */
#define STRING_LEVELS 8       /* chunks of a splitter in tables */
#define STRING_SPLITTERS 4095 /* at most: a key has 13 bits for the bucket */

struct string_params {
    param_u64 offsets[PARAM_BUFFERS];
    param_u64 count;
    param_u64 num_bytes;
    param_u64 chunk_size; /* strings of a work-group, or that it takes at once */
    param_u64 run;        /* merging: strings of a run */
    param_u64 block_size; /* moving: bytes that a work-group writes, at most */
    param_u64 keys;       /* [count] ulong */
    param_u64 taken;      /* uint: chunks that work-groups have taken */
    param_u64 samples;    /* [splitter] ulong: which string it is */
    param_u64 words;      /* [level][splitter] ulong: its first chunks of bytes */
    param_u64 depths;     /* [bucket / 2] ulong: bytes in which all its strings agree */
    param_u64 items;      /* [2][count or splitter] items, behind [work-group][2][room] */
    param_u32 num_splitters;
    param_u32 offset_size; /* bytes; 0: strings of one width */
    param_u32 width;
    param_u32 tail_size;
    param_u32 num_chunks;
    param_u32 room; /* CPUs: items that a work-group has for itself */
    param_u32 num_workers;
    param_u32 flags;
};

/* Families of their own. */
#include "base/params_onesweep.h"
#include "base/params_partition.h"

#endif
