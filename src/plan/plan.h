/* plan.h: a sort as data, made without any OpenCL call: an array of steps, each one kernel launch.
 * Algorithms only write steps; running, printing, timing and sizing scratch read them. */
#ifndef PLAN_H
#define PLAN_H

#include "device/device.h"
#include "base/params.h"
#include "base/math.h"
#include "base/role.h"
#include "program/program.h"
#include "tuning/tuning.h"
#include "base/type.h"

#define MAX_COUNT ((uint64_t)1 << 48) /* elements; sums over a plan then fit in 64 bits */
/* Merges of up to 48 bits over the smallest tiles, of one bit, with a pass for each stride and
 * tile. */
#define MAX_STEPS (48 * 49 / 2 + 48 + 4)
/* Bytes. Parts of scratch are aligned to a GPU's widest access; a caller's scratch, to no more than
 * the second. */
#define SCRATCH_ALIGNMENT 128
#define GIVEN_SCRATCH_ALIGNMENT 8

/* One of the numbers that a row is sorted by. */
struct member {
    const struct key_type *type;
    uint32_t offset;              /* bytes from the record's beginning */
    int descending;               /* in the sort's order */
    uint32_t first_bit, num_bits; /* of its ordered form, those that count */
};

/* A description, checked and completed. */
struct problem {
    uint64_t count;
    uint64_t num_arrays;
    uint64_t num_segments;
    uint32_t segment_offset_size; /* 4 or 8: there are segments; 0: there are none */
    uint32_t run_offset_size;     /* of RUNS: bytes of the offsets that are written; 0: none are */
    const struct key_type *type;
    int descending;
    int stable;
    int in_place;
    clsort_algorithm algorithm;
    uint32_t value_size;
    uint32_t num_values; /* lists of values, instead of value_size */
    uint32_t value_sizes[MAX_MEMBERS];
    uint32_t index_size;
    uint64_t skip, limit;
    clsort_operation operation;
    uint64_t first_count, num_queries;
    uint32_t first_bit;
    uint32_t num_bits;
    uint32_t record_size;                   /* bytes; 0: the keys are numbers of the type */
    int record_is_wide;                     /* program/record.h */
    uint32_t record_text;                   /* which of the sorter's texts declares the records */
    uint32_t num_columns;                   /* 0: there are keys */
    uint32_t num_members;                   /* columns, or a record's fields; else 0 */
    struct member members[MAX_MEMBERS + 1]; /* the segment's number may come first */
    int is_strings;                         /* the keys are these: */
    clsort_strings strings;
};

struct buffer_ref {
    enum buffer_role role;
    uint64_t offset; /* bytes, added to the caller's */
};

/* The buffer of a role, from the beginning that the caller says. */
static inline struct buffer_ref role_ref(enum buffer_role role)
{
    return (struct buffer_ref){role, 0};
}

#define STEP_BUFFERS COLUMNS_BUFFERS /* the most that a kernel has */

/* Kernels' parameters, and the bytes of their structs, which have no padding: X(name, size). */
/* clang-format off */
#define STEP_PARAMS_LIST(X)                                               \
    X(tile, 88)                                                           \
    X(window, 80)                                                         \
    X(rank, 64)                                                           \
    X(radix, 72)                                                          \
    X(partition, 288)                                                     \
    X(msd, 232)                                                           \
    X(onesweep, 120)                                                      \
    X(counting, 80)                                                       \
    X(cpu, 208)                                                           \
    X(merge, 104)                                                         \
    X(range, 96)                                                          \
    X(move, 96)                                                           \
    X(table, 32)                                                          \
    X(select, 160)                                                        \
    X(columns, 8 * COLUMNS_BUFFERS + 32 + 32 * COLUMNS_MEMBERS)           \
    X(segments, 160)                                                      \
    X(segments_tile, 288 + 3 * 8)                                         \
    X(cpu_segments, 328)                                                  \
    X(string, 160)
/* clang-format on */

/* All parameter structs begin with the offsets of the step's buffers; the run adds the caller's. */
union step_params {
    param_u64 offsets[STEP_BUFFERS];
#define STEP_PARAMS_MEMBER(name, size) struct name##_params name;
    STEP_PARAMS_LIST(STEP_PARAMS_MEMBER)
#undef STEP_PARAMS_MEMBER
};

struct step {
    enum kernel_id kernel;
    struct variant variant;
    uint64_t num_groups;
    uint32_t local_size;
    uint32_t num_buffers;
    struct buffer_ref buffers[STEP_BUFFERS];
    union step_params params;
    size_t params_size;
    uint64_t compares, exchanges, bytes_read, bytes_written;
    clsort_role role;
    const char *work; /* what a launch of a kernel that does several things does; else NULL */
};

/* Chooses routes, and adds a route's steps to a plan after reserving the scratch that its payload
 * needs: make.c's, so that a planner can plan another sort without including what stands above. */
struct route;
struct plan;
struct plan_maker {
    clsort_status (*choose)(const struct device_facts *facts, const struct problem *problem,
                            struct route *route_ret);
    int (*choose_listed)(const struct device_facts *facts, const struct problem *problem,
                         const struct segments_params *params, struct route *route_ret);
    void (*write)(struct route *route, struct plan *plan);
};

struct plan {
    clsort_algorithm algorithm;
    int stable;
    uint64_t scratch_size; /* bytes from a multiple of SCRATCH_ALIGNMENT on, the most in use */
    uint64_t scratch_end;  /* of what is in use: the next step reserves behind it */
    uint32_t num_steps;
    uint32_t capacity; /* of steps, which grows and is kept between sorts */
    uint32_t depth;    /* of the sorts that are planned inside each other */
    struct step *steps;
    clsort_status status; /* of what failed first; steps may then be missing */
    struct step lost;     /* what plan_add() returns if memory is out */
    const struct plan_maker *maker;
};

/* Structs of kernels' parameters and tables have the same layout on both sides. */
#define IS_STEP_PARAMS(name, size) \
    _Static_assert(sizeof(struct name##_params) == size, "no padding");
STEP_PARAMS_LIST(IS_STEP_PARAMS)
#undef IS_STEP_PARAMS
_Static_assert(sizeof(struct partition_segment) == 40, "no padding");
_Static_assert(sizeof(struct partition_leaf) == 16, "no padding");
_Static_assert(sizeof(struct digits_segment) == 72, "no padding");
_Static_assert(sizeof(struct digits_leaf) == 32, "no padding");
_Static_assert(sizeof(struct msd_region) == 32, "no padding");
_Static_assert(sizeof(struct onesweep_control) == 7 * 128, "whole lines of a cache");
_Static_assert(sizeof(struct cpu_state) == 40 + 24 * CPU_COARSE, "no padding");
_Static_assert(sizeof(struct columns_member) == 32, "no padding");
_Static_assert(sizeof(struct select_state) == 48, "no padding");

/* Makes the plan of a problem, reusing the plan's memory. plan starts zero-initialised. */
clsort_status plan_make(const struct device_facts *facts, const struct problem *problem,
                        struct plan *plan);
void plan_finish(struct plan *plan);

/* Rows of columns whose keys do not fit in one number are records of several to the operations
 * besides sorting. Returns whether the problem's are; if so, *record_ret says what these are. */
int plan_packed_record(const struct problem *problem, clsort_field fields[MAX_MEMBERS],
                       clsort_record *record_ret);

/* The sums that clsort_get_plan() shows, and one step of it. */
void plan_sums(const struct plan *plan, clsort_plan *sums_ret);
void plan_step(const struct step *step, clsort_step *step_ret);

/* The plan as text. Writes at most size bytes, the final zero included; returns the length of the
 * whole text. */
size_t plan_text(const struct plan *plan, const struct problem *problem, char *chars, size_t size);

/* ---- for algorithms ---- */

/* The plan fails, unless it has before. Planners go on, and plan_make() tells at last. */
static inline void plan_fail(struct plan *plan, clsort_status status)
{
    plan->status = plan->status ? plan->status : status;
}

/* A new step at the end: a kernel in this shape, and all else as in `like`. If memory is out, the
 * plan fails, and the step is never run. */
struct step *plan_add(struct plan *plan, enum kernel_id kernel, const struct step *like,
                      struct shape shape);

/* A new step of a kernel that sees no keys. */
struct step *plan_add_keyless(struct plan *plan, enum kernel_id kernel, uint32_t payload_size,
                              uint32_t move_unit, struct shape shape);

/* A step that fills a table with `size` numbers of number_size bytes, from 0 on, and from 0 again
 * every `period` numbers. With a period of 1 it is cleared. */
void plan_fill(const struct route *route, struct buffer_ref table, uint32_t number_size,
               uint64_t size, uint64_t period, struct plan *plan);

/* A step that scans num_rows rows of `size` counts of 8 bytes: a count becomes the sum of those
 * before it in its row. The rows' sums go behind the rows. subgroup: 0, or the device has them. */
void plan_scan(uint32_t group_size, uint32_t subgroup, struct buffer_ref table, uint64_t num_rows,
               uint64_t size, struct plan *plan);

/* Reserves a kernel's tables, one behind another. A table has a size, and a parameter that says
 * where it begins. */
struct table {
    param_u64 *begin;
    uint64_t size;
};
void plan_reserve_tables(struct plan *plan, const struct table *tables, size_t num_tables);

/* The step's parameters of a kernel, to be assigned: its member of union step_params. */
#define STEP_PARAMS(step, member) \
    (*((step)->params_size = sizeof(step)->params.member, &(step)->params.member))

/* Gives the step these buffers, in this order. */
#define STEP_BIND(step, ...)                                  \
    step_bind(step, (const struct buffer_ref[]){__VA_ARGS__}, \
              sizeof((const struct buffer_ref[]){__VA_ARGS__}) / sizeof(struct buffer_ref))
static inline void step_bind(struct step *step, const struct buffer_ref *refs, size_t num)
{
    step->num_buffers = (uint32_t)num;
    for (size_t i = 0; i < num; ++i)
        step->buffers[i] = refs[i];
}

/* What of its elements a kernel stores, and whether it makes their indices. */
static inline uint32_t store_flags(int keys, int payload, int makes_index)
{
    return (keys ? FLAG_STORE_KEYS : 0) | (payload ? FLAG_STORE_PAYLOAD : 0) |
           (makes_index ? FLAG_MAKE_INDEX : 0);
}

/* Reserves scratch: where it begins, and the reference to it. */
uint64_t plan_reserve(struct plan *plan, uint64_t size);
struct buffer_ref plan_reserve_buffer(struct plan *plan, uint64_t size);

/* Bytes of one key. */
static inline uint32_t problem_key_size(const struct problem *problem)
{
    return problem->record_size ? problem->record_size : problem->type->bits / 8;
}

/* What moves with the keys: this many arrays, array number i of values of a size, with this
 * role. */
static inline uint32_t problem_num_values(const struct problem *problem)
{
    return problem->num_values ? problem->num_values : problem->value_size != 0;
}

static inline uint32_t problem_value_size(const struct problem *problem, uint32_t i)
{
    return problem->num_values ? problem->value_sizes[i] : problem->value_size;
}

static inline enum buffer_role problem_values(const struct problem *problem, uint32_t i)
{
    return (enum buffer_role)((problem->num_values ? BUFFER_LISTED : BUFFER_VALUES) + i);
}

/* Where the elements of a source are when they have been sorted. */
static inline enum buffer_role problem_out(const struct problem *problem, enum buffer_role role)
{
    return problem->in_place ? role : role_out(role);
}

/* One of the offsets of 4 or 8 bytes in an array. */
static inline uint64_t offset_at(const void *offsets, uint32_t offset_size, uint64_t i)
{
    return offset_size == 4 ? ((const uint32_t *)offsets)[i] : ((const uint64_t *)offsets)[i];
}

/* An array that moves with a sort: where it is, and the bytes of an element. */
struct moved_array {
    enum buffer_role from;
    uint32_t size;
};
#define MAX_MOVED_ARRAYS (2 * MAX_MEMBERS)

/* Lists keys or columns, and then values. Returns how many there are. */
uint32_t problem_moved(const struct problem *problem, struct moved_array moved[MAX_MOVED_ARRAYS]);

/* Whether equal elements can be told apart without values. Structs can, and keys of which only some
 * bits are compared. */
static inline int problem_shows_order(const struct problem *problem)
{
    return problem->record_size || problem->num_bits != problem->type->bits;
}

/* Plans a sort inside this plan. Its buffers are places[role]; roles stay where that is NONE. The
 * scratch that it reserves is free behind it. */
void plan_inner(const struct device_facts *facts, const struct problem *problem,
                const struct buffer_ref places[NUM_BUFFER_ROLES], struct plan *plan);

/* Elements of all arrays. */
static inline uint64_t num_elements(const struct problem *problem)
{
    return problem->count * problem->num_arrays;
}

/* Places of each array's order that are wanted. */
static inline uint64_t problem_limit(const struct problem *problem)
{
    return problem->limit ? problem->limit : problem->count - problem->skip;
}

/* Elements of all arrays in a buffer that only holds what is wanted. Segments without a limit leave
 * gaps between what is wanted of each. */
static inline uint64_t num_wanted(const struct problem *problem)
{
    if (!problem->segment_offset_size)
        return problem_limit(problem) * problem->num_arrays;
    return problem->limit && problem->count ? problem->num_segments * problem->limit
                                            : problem->count;
}

/* Whether only some places are wanted, or keys and their indices: composed/places.c. Segments place
 * their keys by themselves. */
static inline int problem_has_places(const struct problem *problem)
{
    if (problem->segment_offset_size)
        return problem->skip || problem->limit;
    return problem_limit(problem) != problem->count ||
           (problem->index_size && !problem->in_place && !problem->num_columns &&
            !problem->is_strings);
}

/* Whether host arrays cannot be sorted in pieces. */
static inline int problem_is_whole(const struct problem *problem)
{
    return problem->is_strings || problem->segment_offset_size;
}

/* Work-groups of a whole device, from the number for each compute unit; at least one. */
static inline uint64_t plan_groups(const struct device_facts *facts, uint32_t per_unit)
{
    return facts->num_units ? (uint64_t)facts->num_units * per_unit : 1;
}

/* How many short arrays a work-group takes: as many as fit, but so few that each compute unit still
 * has a work-group. Below 2, a work-group takes one array or a part of one. */
static inline uint64_t plan_arrays_of_group(const struct device_facts *facts,
                                            const struct problem *problem, uint64_t most)
{
    return smaller(most, problem->num_arrays / plan_groups(facts, 1));
}

/* Bytes of scratch that a caller is asked for, so that the plan's fit wherever they begin. */
static inline uint64_t plan_scratch_asked(const struct plan *plan)
{
    const uint64_t lost = SCRATCH_ALIGNMENT - GIVEN_SCRATCH_ALIGNMENT;
    return plan->scratch_size ? plan->scratch_size + lost : 0;
}

/* Bytes that are left out of scratch at this address, so that kernels find every table aligned. */
static inline uint64_t plan_scratch_lead(uint64_t address)
{
    return (SCRATCH_ALIGNMENT - address % SCRATCH_ALIGNMENT) % SCRATCH_ALIGNMENT;
}

#endif
