/* whole.cl: sorts one array in one launch, by as many work-groups as the device runs at once.
 *
 * Idea: every work-group keeps a part of the array in its registers. It finds the buckets of its
 * elements between the pivots of rank.cl and reserves room in them. When all work-groups have
 * done so (device/barrier.h), it is known where buckets begin, and elements are written there. In
 * place they overwrite the input, which no work-group reads any more. When all are written, buckets
 * are sorted in local memory: the array is cut into cells of equal size, one for each work-group,
 * which sorts the buckets that begin there, as many neighbours together as fit. What is equal to a
 * heavy pivot is in order already.
 *
 * A launch takes the host 4.2 microseconds, and waiting for all work-groups about 1.5.
 *
 * Two things are rare and cost only time. A bucket that local memory does not hold is sorted in
 * pieces that one work-group merges (rest.h). And if not all work-groups run at the same
 * time, the first barrier is given up while the input is still whole: the work-group that ends last
 * then sorts the array like such a bucket.
 *
 * Local memory: where buckets begin, and where this work-group's elements begin in them; the tree
 * of pivots, or a leaf. Runs after: rank.cl. */
#include "base/config.h"
#define LOCAL_SORT_ITEMS(size) (((size) + GROUP_SIZE - 1) / GROUP_SIZE | 1)
#include "sorts/partition/splitters.h"
#include "group/pivots.h"
#include "sorts/whole/rest.h"
#define SEARCH_ITEM ITEM
#define SEARCH_LESS(pivot, own) SPLITTERS_LESS_IN(local, pivot, private, own)
#define SEARCH_ITEMS HELD
#include "group/search_tree.h"
#include "device/barrier.h"

struct whole_tree {
    uint marks[PARTITION_BUCKETS + 1];
    uint
        counters[PARTITION_BUCKETS]; /* then where this work-group's elements begin in the bucket */
    ITEM pivots[PARTITION_BUCKETS];
    ITEM nodes[PARTITION_BUCKETS];
};

struct whole_local {
    struct group_scan_local scan;
    uint begins[PARTITION_BUCKETS + 1]; /* with EQUAL */
    uint all_arrived;
    uint is_last;
    uint has_large;
    uint first, stop; /* the buckets that begin in this work-group's cell */
    union {
        struct whole_tree pivots;
        struct rest_local rest;
    } u;
};

#define EQUAL 0x80000000u /* all of the bucket's elements are equal */
#define BEGIN(b) (shared->begins[b] & ~EQUAL)

/* What this work-group still sorts: the buckets `bucket` ... `stop` - 1, which begin in its cell,
 * and every num_groups-th large one from `large` on, piece by piece. If not all have arrived, the
 * whole array is the only large one. */
struct whole_turn {
    uint bucket, stop;
    uint large, num_large, piece;
    uint all_arrived;
};

/* What is sorted at once, and the segment whose pieces are then all in order; or it has none. */
struct whole_leaf {
    uint begin, size;
    uint from, to, stores;
    segment_t segment;
};

/* Finds this work-group's next bucket, or several, that fit in a leaf. Returns their size, or 0 if
 * none is left. */
CLSORT_INLINE uint whole_next_small(const struct partition_params *q,
                                    __local const struct whole_local *shared,
                                    struct whole_turn *turn, uint *begin)
{
    uint size = 0;
#pragma unroll 1
    while (size == 0 && turn->bucket < turn->stop) {
        if (shared->begins[turn->bucket] & EQUAL) {
            turn->bucket += 1;
        } else {
            *begin = BEGIN(turn->bucket);
            do {
                size = BEGIN(turn->bucket + 1) - *begin;
                turn->bucket += 1;
            } while (turn->bucket < turn->stop && BEGIN(turn->bucket + 1) - *begin <= q->leaf_size);
            if (size > q->leaf_size)
                size = 0; /* a large one, alone */
        }
    }
    return size;
}

/* Finds the next piece of a large bucket. Returns whether one is left. */
CLSORT_INLINE uint whole_next_piece(const struct partition_params *q,
                                    __local const struct whole_local *shared,
                                    struct whole_turn *turn, struct whole_leaf *leaf)
{
    const uint all_arrived = turn->all_arrived;
    uint begin = 0, size = 0;
#pragma unroll 1
    for (; turn->large < turn->num_large; turn->large += get_num_groups(0)) {
        begin = all_arrived ? BEGIN(turn->large) : 0;
        size = all_arrived ? BEGIN(turn->large + 1) - begin : q->count;
        if (!all_arrived || (size > q->leaf_size && !(shared->begins[turn->large] & EQUAL)))
            break;
    }
    if (turn->large >= turn->num_large)
        return 0;
    const uint done = turn->piece * q->leaf_size;
    leaf->begin = begin + done;
    leaf->size = min(q->leaf_size, size - done);
    leaf->from = all_arrived ? PLACE_OUT : PLACE_IN;
    leaf->to = left_passes(size, q->leaf_size) % 2 ? PLACE_WORK : PLACE_OUT;
    leaf->stores = q->flags | FLAG_STORE_KEYS;
    turn->piece += 1;
    if (done + leaf->size == size) {
        leaf->segment.begin = begin;
        leaf->segment.size = size;
        leaf->segment.num_blocks = turn->piece;
        turn->piece = 0;
        turn->large += get_num_groups(0);
    }
    return 1;
}

/* Finds what this work-group sorts next. Returns whether there is anything. */
CLSORT_INLINE uint whole_next(const struct partition_params *q,
                              __local const struct whole_local *shared, struct whole_turn *turn,
                              struct whole_leaf *leaf)
{
    leaf->begin = 0;
    leaf->from = leaf->to = PLACE_OUT;
    leaf->stores = q->flags;
    leaf->segment.size = 1; /* no pass */
    leaf->segment.num_blocks = 0;
    leaf->segment.broken = 0;
    leaf->size = whole_next_small(q, shared, turn, &leaf->begin);
    return leaf->size > 0 || whole_next_piece(q, shared, turn, leaf);
}

/* What the steps share. */
struct whole_sort {
    uint begin, size; /* of this work-group's part */
    uint num_pivots, num_buckets;
};

/* The part's elements, in registers; slots behind its end have the last one. */
CLSORT_INLINE void whole_load(const struct partition_params *q, PARTITION_ARGS,
                              const struct whole_sort *part, ITEM *own)
{
    __global const stored_key_t *keys = place_keys(q, PARTITION_BUFFERS, PLACE_IN);
    __global const payload_t *payloads = place_payload(q, PARTITION_BUFFERS, PLACE_IN);
#pragma unroll
    for (uint i = 0; i < HELD; ++i)
        PLACE_LOAD(own[i], keys, payloads,
                   part->begin + min(i * GROUP_SIZE + (uint)get_local_id(0), part->size - 1), 0,
                   PLACE_LOAD_FLAGS(PLACE_IN));
}

#define CANDIDATE_LESS(a, b) SPLITTERS_LESS_IN(local, tree->nodes[a], local, tree->nodes[b])

/* Takes the pivots from the candidates, and clears the buckets' counters. Ends with a barrier. */
CLSORT_INLINE void whole_choose_pivots(const struct partition_params *q,
                                       __global const ITEM *candidates,
                                       __local struct whole_local *shared, struct whole_sort *part)
{
    const uint me = get_local_id(0);
    __local struct whole_tree *tree = &shared->u.pivots;
    const uint wanted = buckets_wanted(q->count, q->bucket_size);
    GROUP_LOOP(j, 1, wanted)
        tree->nodes[j] = candidates[j];
    barrier(CLK_LOCAL_MEM_FENCE); /* the candidates are there */
    GROUP_LOOP(j, 0, PARTITION_BUCKETS + 1) {
        PIVOT_CANDIDATE_FLAGS(flags, j, wanted, CANDIDATE_LESS)
        shared->begins[j] = flags;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all are compared */
    group_scan_exclusive(&shared->scan, shared->begins, PARTITION_BUCKETS + 1);
    part->num_pivots = PIVOTS_BEFORE(shared->begins[wanted]);
    part->num_buckets = BUCKET_BEHIND(shared->begins[wanted]) + 1;
    GROUP_LOOP(j, 1, wanted) {
        const uint before = shared->begins[j], after = shared->begins[j + 1];
        const uint pivot = PIVOTS_BEFORE(before);
        if (PIVOTS_BEFORE(after) != pivot) {
            tree->pivots[pivot] = tree->nodes[j];
            tree->marks[pivot] = pivot_mark(before, after);
        }
    }
    if (me == 0)
        tree->marks[part->num_pivots] = part->num_buckets - 1;
    group_clear(tree->counters, part->num_buckets);
    barrier(CLK_LOCAL_MEM_FENCE); /* the pivots are there */
}

/* Counts the part's elements. In `places` the high half is an element's bucket, the low half its
 * place among the work-group's elements of that bucket. Ends with a barrier. */
CLSORT_INLINE void whole_count(const struct whole_sort *part, const ITEM *own,
                               __local struct whole_tree *tree, uint *places)
{
    uint befores[HELD], nearest[HELD];
    group_search_descend(own, tree->nodes, part->num_pivots, befores, nearest);
#pragma unroll
    for (uint i = 0; i < HELD; ++i) {
        if (i * GROUP_SIZE + get_local_id(0) < part->size) {
            const uint mark = tree->marks[befores[i]];
            uint bucket = mark & ~PIVOT_HEAVY;
            if (mark & PIVOT_HEAVY && !SPLITTERS_LESS(own[i], tree->nodes[nearest[i]]))
                ++bucket;
            places[i] = bucket << 16 | atomic_inc(&tree->counters[bucket]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted; the tree is read no more */
}

/* Reserves room for this work-group's elements in the buckets. Ends before a barrier. */
CLSORT_INLINE void whole_reserve(__local struct whole_tree *tree, uint num_buckets,
                                 __global uint *totals)
{
    GROUP_LOOP(i, 0, num_buckets) {
        const uint count = tree->counters[i];
        tree->counters[i] = count ? atomic_add(&totals[i], count) : 0;
    }
}

/* Whether bucket i is the first that begins at `at` or behind it. All work-items ask, each for some
 * buckets: bisection by each of them took a quarter of the leaves' time. */
#define IS_FIRST_FROM(i, at) (BEGIN(i) >= (at) && ((i) == 0 || BEGIN((i)-1) < (at)))

/* Finds where buckets begin, which have equal elements alone, whether any is larger than a leaf,
 * and which begin in this work-group's cell. Ends before a barrier. */
CLSORT_INLINE void whole_bound_buckets(const struct partition_params *q, __global void *scratch,
                                       __local struct whole_local *shared,
                                       const struct whole_sort *part, uint all_arrived)
{
    const uint me = get_local_id(0);
    __local const struct whole_tree *tree = &shared->u.pivots;
    __global const uint *totals = PARTITION_TABLE(uint, totals);
    GROUP_LOOP(i, 0, PARTITION_BUCKETS + 1)
        shared->begins[i] = all_arrived && i < part->num_buckets ? totals[i] : 0;
    if (me == 0) {
        shared->has_large = shared->first = shared->stop = 0;
        shared->is_last =
            !all_arrived && atomic_inc(&PARTITION_CONTROL->left) == get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the totals are there */
    group_scan_exclusive(&shared->scan, shared->begins, PARTITION_BUCKETS + 1);
    GROUP_LOOP(i, 0, part->num_pivots)
        if (tree->marks[i] & PIVOT_HEAVY)
            shared->begins[(tree->marks[i] & ~PIVOT_HEAVY) + 1] |= EQUAL;
    barrier(CLK_LOCAL_MEM_FENCE); /* it is known which are equal */
    GROUP_LOOP(i, 0, part->num_buckets)
        if (BEGIN(i + 1) - BEGIN(i) > q->leaf_size && !(shared->begins[i] & EQUAL))
            shared->has_large = 1;
    const uint cell = get_group_id(0) * q->small_size, end = min(cell + q->small_size, q->count);
    GROUP_LOOP(i, 0, all_arrived ? part->num_buckets + 1 : 0) {
        if (IS_FIRST_FROM(i, cell))
            shared->first = i;
        if (IS_FIRST_FROM(i, end))
            shared->stop = i;
    }
}

/* Moves the part's elements to their buckets in the output. */
CLSORT_INLINE void whole_scatter(const struct partition_params *q, PARTITION_ARGS,
                                 __local const struct whole_local *shared, const ITEM *own,
                                 const uint *places, uint size)
{
    __local const struct whole_tree *tree = &shared->u.pivots;
    __global stored_key_t *to_keys = place_keys(q, PARTITION_BUFFERS, PLACE_OUT);
    __global payload_t *to_payload = place_payload(q, PARTITION_BUFFERS, PLACE_OUT);
#pragma unroll
    for (uint i = 0; i < HELD; ++i) {
        if (i * GROUP_SIZE + get_local_id(0) < size) {
            const uint bucket = places[i] >> 16;
            const uint place = tree->counters[bucket] + (places[i] & 0xffff);
            item_store(to_keys, to_payload, BEGIN(bucket) + place, own[i],
                       FLAG_STORE_KEYS | FLAG_STORE_PAYLOAD);
        }
    }
}

/* Sorts buckets. Leaves and pieces have one loop: the code to sort a leaf is large. */
CLSORT_INLINE void whole_sort_leaves(const struct partition_params *q, PARTITION_ARGS,
                                     __local struct whole_local *shared, uint num_buckets,
                                     uint all_arrived)
{
    struct whole_turn turn;
    struct whole_leaf leaf;
    turn.bucket = shared->first;
    turn.stop = shared->stop;
    turn.piece = 0;
    turn.all_arrived = all_arrived;
    /* Large buckets, a work-group for each; or the whole array, by the last work-group. */
    turn.large = all_arrived ? get_group_id(0) : 0;
    turn.num_large = all_arrived ? (shared->has_large ? num_buckets : 0) : shared->is_last;
#pragma unroll 1
    while (whole_next(q, shared, &turn, &leaf)) {
        leaf_sort(q, PARTITION_BUFFERS, &shared->u.rest.leaf, leaf.begin, leaf.size, leaf.from,
                  leaf.to, leaf.stores);
        rest_segment(q, PARTITION_BUFFERS, &shared->u.rest, &leaf.segment);
    }
}

KERNEL void whole_sort(const struct partition_params p, PARTITION_ARGS)
{
    const struct partition_params *q = &p;
    __local struct whole_local local_memory;
    LOCAL_FITS(sizeof(local_memory));
    __local struct whole_local *shared = &local_memory;
    __local struct whole_tree *tree = &shared->u.pivots;
    const uint group = get_group_id(0), num_groups = get_num_groups(0);
    volatile __global uint *arrived = &PARTITION_CONTROL->arrived;

    struct whole_sort part;
    part.begin = group * q->block_size; /* every work-group has elements */
    part.size = min(q->block_size, q->count - part.begin);
    ITEM own[HELD];
    uint places[HELD];
    whole_load(q, PARTITION_BUFFERS, &part, own);
    whole_choose_pivots(q, pivots_table(q, scratch), shared, &part);
    GROUP_SEARCH_FILL(tree->nodes, tree->pivots, part.num_pivots);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tree is there, counters are 0 */
    whole_count(&part, own, tree, places);
    whole_reserve(tree, part.num_buckets, PARTITION_TABLE(uint, totals));
    const uint all_arrived =
        device_barrier(arrived, &shared->all_arrived, num_groups, 1, q->spin_limit);
    whole_bound_buckets(q, scratch, shared, &part, all_arrived);
    whole_scatter(q, PARTITION_BUFFERS, shared, own, places, all_arrived ? part.size : 0);
    /* If the first barrier was given up, this one waits for no other work-group. */
    device_barrier(arrived, &shared->all_arrived, all_arrived ? num_groups : 0, 2, 0);
    whole_sort_leaves(q, PARTITION_BUFFERS, shared, part.num_buckets, all_arrived);
}
