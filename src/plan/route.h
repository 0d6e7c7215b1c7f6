/* route.h: how a sort is made. plan_choose() chooses a route once a plan, from the problem and the
 * device's facts alone. The planner of its form then only writes steps. */
#ifndef ROUTE_H
#define ROUTE_H

#include "plan/plan.h"

#define SAMPLE_GROUP 512 /* more look at the sample at once than a scatter has */

/* What moves with the keys. It is the same for all algorithms: nothing, the values themselves, or
 * the elements' indices, by which a last step gathers the values. */
struct payload {
    uint32_t size;          /* bytes inside the sort: 0, 1, 2, 4, 8 */
    int is_index;           /* settles ties */
    int stored;             /* wanted after the sort */
    int gathers;            /* values are to be moved by it afterwards */
    struct buffer_ref from; /* NONE for an index: the first step makes it */
    struct buffer_ref work; /* where it lies between steps and after the last; NONE if neither */
    uint64_t work_size;     /* bytes of scratch that `work` is to be given; 0: none */
};

/* Chooses. places_ties: the sort keeps equal keys in order by itself. */
struct payload payload_choose(const struct problem *problem, int places_ties);

/* Whether equal elements must keep their input order: always if their order shows in the keys
 * alone, and with values if that is asked for. An index is that order itself. */
int payload_keeps_order(const struct problem *problem, const struct payload *payload);

/* Whether a sort that does not keep equal elements in order by itself is stable. */
int payload_is_stable(const struct problem *problem, const struct payload *payload);

/* Bytes of an element in registers and local memory: 4, 8 or 16, as cl/base/item.h says. For a
 * record and its payload, the most that it can be. */
uint32_t payload_item_size(const struct problem *problem, const struct payload *payload);

/* The same of a record that stays in its slot, with the numbers of slots:
 * cl/group/merge_slots.h. */
uint32_t payload_slot_size(const struct problem *problem, const struct payload *payload);

/* The largest piece, a power of two up to 8 bytes, that divides an element. */
uint32_t payload_piece(uint32_t size);

/* The variant for a problem's keys and payload. The algorithm adds its shape. */
struct variant payload_variant(const struct problem *problem, const struct payload *payload);

/* Elements at most where work-items go through an array by steps of 32 bits: a work-group's last
 * step, of MAX_STEP elements at most, must not reach 2^32. */
#define MAX_STEP ((uint32_t)1 << 18)
#define MAX_NUMBERED (UINT32_MAX - MAX_STEP)

/* The bytes of segments' numbers, which count from 1; there is one behind the last. */
static inline uint32_t segment_number_size(uint64_t count)
{
    return count < UINT32_MAX ? 4 : 8;
}

/* What the steps are, and what plans them: X(form, planner). */
/* clang-format off */
#define ROUTE_FORMS(X)                                                                           \
    X(RANK, plan_rank)                 /* rank sort */                                           \
    X(BITONIC, plan_bitonic)           /* the bitonic network */                                 \
    X(MERGE, plan_merge)               /* merge sort */                                          \
    X(LSD, plan_radix)                 /* radix sort from the lowest digit, 3 launches a pass */ \
    X(ONESWEEP, plan_onesweep)         /* the same with all passes in one launch */              \
    X(DIGITS, plan_digits)             /* radix sort from the highest digit, which counts */     \
    X(MSD, plan_msd)                   /* of evenly spread keys, with onesweep behind it */      \
    X(COUNTING, plan_counting)         /* counting sort, of keys of 8 or 16 bits alone */        \
    X(CPU, plan_cpu)                   /* radix sort of work-groups of one work-item */          \
    X(SPLITTERS, plan_splitters)       /* partition quicksort */                                 \
    X(WHOLE, plan_whole)               /* quicksort in one work-group, or in one launch */       \
    X(COLUMNS, plan_columns)           /* rows by several numbers: sorts of their keys */        \
    X(STRINGS, plan_strings)                                                                     \
    X(PLACES, plan_places)             /* some places: all is sorted into scratch */             \
    X(SEGMENTS, plan_segments)         /* segments by offsets */                                 \
    X(ARRAYS, plan_arrays)             /* GPUs: several arrays of numbers, as segments */        \
    X(WIDE_INDEX, plan_wide_index)     /* GPUs: indices of 8 bytes, sorted as 4 */               \
    X(PACKED, plan_packed)             /* operations on rows of columns, made to keys */         \
    X(CHECK, plan_check)               /* the other operations of clsort_operation */            \
    X(MERGE_RANGES, plan_merge_ranges)                                                           \
    X(RUNS, plan_runs)                                                                           \
    X(SEARCH, plan_search)                                                                       \
    X(GATHER, plan_gather)                                                                       \
    X(SELECT_SHORT, plan_select_short) /* some places: of several short arrays by a group */     \
    X(SELECT_ROWS, plan_select_rows)   /* of each array by a group alone */                      \
    X(SELECT, plan_select)             /* of what a sample shows to lie near these places */
/* clang-format on */

#define ROUTE_FORM(form, planner) FORM_##form,
enum route_form { FORM_NOTHING, ROUTE_FORMS(ROUTE_FORM) NUM_FORMS };
#undef ROUTE_FORM

/* How FORM_CPU shares arrays out: each is one work-item's alone, or all sort each one together. */
struct cpu_cut {
    struct cpu_tuning tuning;
    int is_alone;
    int is_short;   /* alone, and it fits in the work-item's cache */
    int is_counted; /* together, and by counting: keys of few bits alone */
};

/* How FORM_MSD cuts an array (cl/sorts/msd/msd.h). */
struct msd_cut {
    struct msd_tuning tuning; /* as cut for this array */
    uint32_t bits[2];         /* of both digits */
    int is_short;             /* two bytes are left of a key, and lie in rooms in scratch */
    int maps;                 /* floats may be mapped (cl/sorts/msd/map.h) */
    int in_order;             /* equal keys keep their order on the way */
    int counts_leaves;        /* level 1 does */
    int cuts_leaves;          /* in two, those that are too large (cl/sorts/msd/large.h) */
    uint32_t item;            /* bytes of an element in its blocks */
    uint64_t groups;          /* of level 1, */
    uint64_t group_blocks;    /* each one's blocks, */
    uint64_t block_bytes;     /* and those of all */
    uint64_t num_room_items;  /* rests that rooms hold, */
    uint64_t rest_bytes;      /* and bytes of these and of what lies behind; 0: none are short */
    uint32_t local[2];        /* bytes of local memory, of each level, */
    uint32_t sample_local;    /* and of the sample */
    struct onesweep_tuning behind;
};

/* How FORM_DIGITS cuts arrays: the digits of each level, the most segments, blocks and leaves. */
struct digits_levels {
    uint32_t num_levels;
    uint32_t num_split; /* levels that random keys need */
    int deep_is_one;    /* the others are one launch */
    uint64_t leaf_size, block_size;
    uint32_t digit_bits[PARTITION_LEVELS];
    uint32_t table_bits[PARTITION_LEVELS]; /* of a digit, in tables */
    uint32_t bits_left[PARTITION_LEVELS];  /* that the levels before this one leave */
    uint64_t max_segments[PARTITION_LEVELS + 1], max_blocks[PARTITION_LEVELS];
    uint64_t max_leaves;
};

/* How some places are selected. */
struct select_cut {
    enum route_form form;
    struct select_tuning tuning;
    uint32_t item_size;
    struct select_params params; /* those that say what is selected, and how */
    uint32_t rows_local;         /* of FORM_SELECT_ROWS: bytes of local memory */
};

/* What all forms have, and the numbers of this one, fitted to the device. */
struct route {
    const struct device_facts *facts;
    const struct problem *problem;
    uint64_t num_elements; /* of all arrays */
    uint32_t key_size;     /* bytes */
    enum route_form form;
    clsort_algorithm algorithm; /* AUTO for FORM_COLUMNS, whose sorts have their own */
    int stable;                 /* what the plan promises: all forms but some sorts */
    struct payload payload;
    int keeps_order;                      /* payload_keeps_order() */
    uint32_t item_size;                   /* payload_item_size() */
    struct variant variant;               /* of every step that sees keys and their payload */
    struct shape move;                    /* of copies and gathers, if there are any */
    const struct segments_params *listed; /* segments by offsets; NULL: arrays */
    struct segments_tuning listed_tuning;
    uint32_t listed_tile; /* elements that a work-group of it stands for */
    union {
        struct tuning general; /* of FORM_RANK, FORM_BITONIC and FORM_LSD */
        struct merge_tuning merge;
        struct cpu_cut cpu; /* of FORM_MERGE on CPUs, too */
        struct onesweep_tuning onesweep;
        struct msd_cut msd;
        struct {
            struct partition_tuning digits;
            struct digits_levels levels;
        };
        struct counting_tuning counting;
        struct {
            struct partition_tuning splitters;
            int moves_in_order; /* equal records keep their order without an index */
        };
        struct whole_tuning whole;
        struct string_tuning strings;
        struct select_cut select;
        struct range_tuning range; /* look_back: FORM_RUNS does, by cl/device/lookback.h */
    };
};

/* The route of an operation that is no sort: plan_choose() has set what the problem says. */
clsort_status choose_operation(struct route *route);

/* Chooses a route, which points to the facts and the problem. CLSORT_ERROR_ALGORITHM_COUNT: the
 * algorithm that is asked for does not take that number of elements. It calls itself at most once:
 * for indices of 8 bytes that go as 4. */
clsort_status plan_choose(const struct device_facts *facts, const struct problem *problem,
                          struct route *route_ret);

/* What is sorted of segments by offsets, or of arrays as segments: indices have 4 bytes, and are of
 * keys that stay where they are. */
static inline struct problem plan_listed_problem(const struct problem *problem)
{
    struct problem listed = *problem;
    listed.segment_offset_size = 0;
    listed.index_size = problem->index_size ? 4 : 0;
    listed.in_place = problem->in_place || problem->index_size;
    return listed;
}

/* Chooses FORM_DIGITS for segments by offsets, or FORM_SPLITTERS if they are of records: params.
 * Returns 0 if it cannot sort them. The problem is plan_listed_problem()'s. */
int plan_choose_listed(const struct device_facts *facts, const struct problem *problem,
                       const struct segments_params *params, struct route *route_ret);

/* Steps that find segments, sort the short ones and list the others for partition; first: what its
 * steps have in common. */
void plan_segments_list(const struct route *route, const struct step *first, struct plan *plan);

/* Steps that number the segments of all elements, and find where each number's begins: tables of
 * params, which says what the segments are. Numbers have 8 bytes if the count needs more than 4. */
void plan_segments_number(const struct route *route, struct segments_params *params,
                          struct plan *plan);

/* Whether vectors sort the items in place, if the compiler has them (cl/cpu/vectors.h). */
int plan_cpu_has_vectors(const struct route *route);

/* Adds a step that gathers the wanted elements of a source, of `size` bytes, out of place: by all
 * indices, of the problem's size, or by those that are wanted, of 4 bytes. */
void plan_places_gather(const struct route *route, uint32_t size, enum buffer_role role,
                        struct buffer_ref indices, int are_wanted, struct plan *plan);

/* Gathers values by the wanted indices of 4 bytes, if there are values and such indices. */
void plan_select_gather(const struct route *route, struct buffer_ref indices, struct plan *plan);

/* Whether a sort takes what the route's head says; if so, how. */
int plan_select_takes(const struct route *route, struct select_cut *cut_ret);
int plan_counting_takes(const struct route *route, struct counting_tuning *row_ret);
int plan_msd_takes(const struct route *route, struct msd_cut *cut_ret);
int plan_onesweep_takes(const struct route *route, struct onesweep_tuning *row_ret);
int plan_digits_takes(const struct route *route, struct partition_tuning *row_ret,
                      struct digits_levels *levels_ret);

/* Whether onesweep can sort it, though it may not be the fastest. */
int plan_onesweep_cut(const struct route *route, struct onesweep_tuning *row_ret);

/* `count` elements that are cut into leaves by some of num_bits bits. If a leaf's items are the
 * rest of the key and below that the number of a slot, in rest_bits, the number has slot_bits, or
 * as many as the leaf's slots need; else 0. */
struct leaf_cut {
    uint64_t count;
    uint32_t num_bits;
    uint32_t slot_bits;
    uint32_t rest_bits;
};
#define LEAF_SLOT_BITS 64 /* slot_bits: as many as the leaf's slots need */

/* How many bits make leaves of random keys that fit. */
uint32_t plan_leaf_bits(const struct leaf_cut *cut, struct shape leaf);

/* Numbers of slots leave fewer bits for the key, so leaves may have to be many, and small. Halves
 * the group of a leaf, as long as that takes no more leaves, and says how often. Work-items then
 * have an element more, since the sizes of small leaves vary more. Leaves without such numbers stay
 * as they are. */
uint32_t plan_leaf_shrink(const struct leaf_cut *cut, struct shape *leaf);

/* Each writes the steps for a problem of at least one element. */
#define ROUTE_PLANNER(form, planner) void planner(const struct route *route, struct plan *plan);
ROUTE_FORMS(ROUTE_PLANNER)
#undef ROUTE_PLANNER

/* What the steps of radix sort in large arrays have in common: buffers, and the keys' variant. */
static inline struct step route_step(const struct route *route, struct buffer_ref keys_to)
{
    return (struct step){
        .variant = route->variant,
        .num_buffers = PARAM_BUFFERS,
        .buffers = {{BUFFER_KEYS, 0},
                    keys_to,
                    route->payload.from,
                    route->payload.work,
                    {BUFFER_SCRATCH, 0}},
    };
}

/* Counts the bytes of a step that reads all elements and stores of them what these flags say. */
static inline void route_count_bytes(const struct route *route, uint32_t flags, struct step *step)
{
    const uint64_t n = route->num_elements;
    const uint32_t key_size = route->key_size, payload_size = route->payload.size;
    step->bytes_read = n * (key_size + (flags & FLAG_MAKE_INDEX ? 0 : payload_size));
    step->bytes_written = n * ((flags & FLAG_STORE_KEYS ? key_size : 0) +
                               (flags & FLAG_STORE_PAYLOAD ? payload_size : 0));
}

/* Where the keys go: to the output, or for an argsort, which must not write its keys, to a copy. */
static inline struct buffer_ref route_keys_to(const struct route *route, struct plan *plan)
{
    return route->problem->index_size
               ? plan_reserve_buffer(plan, route->num_elements * route->key_size)
               : role_ref(BUFFER_KEYS_OUT);
}

/* Onesweep, alone or behind another sort. The first reserves its tables. The second adds its steps;
 * with ONESWEEP_FLAG_BEHIND in params->flags the sort before has emptied the tables. */
void plan_onesweep_tables(const struct route *route, const struct onesweep_tuning *tuning,
                          struct onesweep_params *params, struct plan *plan);
void plan_onesweep_add(const struct route *route, const struct onesweep_tuning *tuning,
                       struct buffer_ref keys_to, const struct onesweep_params *params,
                       struct plan *plan);

/* How tiles divide arrays: an array has several tiles, or a tile has several arrays. */
struct tile_params plan_divide_tiles(const struct problem *problem, struct shape shape);

/* Where passes write that alternate between the output and scratch. The last pass writes to the
 * output. An argsort's keys have no output, so they have two places in scratch. */
struct elements {
    struct buffer_ref keys, payload;
};
struct double_buffer {
    struct elements at[2]; /* [passes left, odd or even] */
};

struct double_buffer double_buffer_choose(const struct route *route, uint32_t num_passes,
                                          struct plan *plan);

/* Where a pass writes that is the first of the `left` passes still to come. */
static inline struct elements double_buffer_at(const struct double_buffer *data, uint32_t left)
{
    return data->at[(left - 1) % 2];
}

/* Adds a step of move.cl without its buffers, for `wanted` elements of each array in pieces, of
 * which a work-item has as many as the route's move says. */
struct step *payload_move(const struct route *route, enum kernel_id kernel, uint32_t size,
                          uint64_t wanted, struct plan *plan);

/* Adds steps that put the arrays of problem_moved(), from number `first` on, in the order of
 * indices. Where indices alone are wanted, there are none. */
void payload_place(const struct route *route, uint32_t first, struct buffer_ref index,
                   uint32_t index_size, struct plan *plan);

/* Adds a step that copies `wanted` elements of each array, of `size` bytes. */
struct step *payload_copy(const struct route *route, uint32_t size, uint64_t wanted,
                          struct buffer_ref from, struct buffer_ref to, struct plan *plan);

#endif
