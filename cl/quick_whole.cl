/* quick_whole.cl: one array, in one launch, by as many work-groups as the device runs at the same time.
 *
 * Idea: every work-group has a part of the array in its registers from beginning to end. It finds its
 * elements' buckets between the pivots of quick_rank.cl and takes room in them; when all groups have
 * (device_barrier.h), the buckets' places are known, and elements are written to them, in the place of the
 * input if that is wanted, since nobody needs it any more. When all have been written, buckets are sorted in
 * local memory: the array is cut in cells of equal size, and a group sorts the buckets that begin in its
 * cells, as many neighbours together as fit. What is equal to a heavy pivot is in order.
 *
 * A launch takes the host 4.2 microseconds with NVIDIA's driver 580, and waiting for all groups about
 * 1.5: 2^20 u32 take 0.118 ms by quicksort's fourteen launches on an H200.
 *
 * Two things should not happen, and cost time alone if they do. A bucket that local memory does not hold is
 * sorted in pieces and merged, by one group (quick_rest.h). And if not all groups are there at the same
 * time, the first barrier is given up, while the input is whole: the group that ends last sorts all of it
 * like such a bucket.
 *
 * Local memory: where buckets begin and how many of their elements groups before this one have, and the
 * pivots' tree or a leaf. Runs after: quick_rank.cl. */
#include "config.h"
#define LOCAL_SORT_ITEMS(size) (((size) + GROUP_SIZE - 1) / GROUP_SIZE | 1)
#include "quick_rest.h"
#define SEARCH_ITEM ITEM
#define SEARCH_LESS(pivot, own) QUICK_LESS_IN(local, pivot, private, own)
#define SEARCH_ITEMS HELD
#include "group_search_tree.h"
#include "device_barrier.h"

struct quick_whole_tree {
    uint marks[QUICK_BUCKETS + 1];
    uint counters[QUICK_BUCKETS]; /* then elements of other groups in front of this one's */
    ITEM pivots[QUICK_BUCKETS];
    ITEM nodes[QUICK_BUCKETS];
};

struct quick_whole_local {
    struct group_scan_local scan;
    uint begins[QUICK_BUCKETS + 1]; /* with EQUAL */
    uint come;
    uint is_last;
    uint has_large;
    union {
        struct quick_whole_tree pivots;
        struct quick_rest_local rest;
    } u;
};

#define EQUAL 0x80000000u /* all of this bucket's elements are */
#define BEGIN(b) (shared->begins[b] & ~EQUAL)

/* Buckets from `bucket` up to `stop` are still to be sorted by this group, then those of cells from
 * `next_cell` on. */
struct quick_whole_turn {
    uint bucket, stop;
    uint next_cell, num_cells;
    uint num_buckets;
};

/* The first bucket that begins at `at` or behind. */
CLSORT_INLINE uint quick_whole_find(__local const struct quick_whole_local *shared,
                                    uint num_buckets, uint at)
{
    uint low = 0, high = num_buckets;
    while (low < high) {
        const uint middle = (low + high) / 2;
        if (BEGIN(middle) < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The next leaf of this group: where it begins, and its size; 0: there is none. */
CLSORT_INLINE uint quick_whole_next(const struct quick_params *q,
                                    __local const struct quick_whole_local *shared,
                                    struct quick_whole_turn *turn, uint *begin)
{
    uint size = 0;
    while (size == 0 && (turn->bucket < turn->stop || turn->next_cell < turn->num_cells)) {
        if (turn->bucket >= turn->stop) {
            const uint at = turn->next_cell * q->small_size;
            turn->bucket = quick_whole_find(shared, turn->num_buckets, at);
            turn->stop = quick_whole_find(shared, turn->num_buckets, at + q->small_size);
            turn->next_cell += get_num_groups(0);
        } else if (shared->begins[turn->bucket] & EQUAL) {
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

KERNEL void quick_whole(const struct quick_params p, QUICK_ARGS)
{
    const struct quick_params *q = &p;
    __local struct quick_whole_local local_memory;
    LOCAL_FITS(sizeof(local_memory));
    __local struct quick_whole_local *shared = &local_memory;
    const uint me = get_local_id(0);
    const uint group = get_group_id(0);
    const uint num_groups = get_num_groups(0);
    __local struct quick_whole_tree *tree = &shared->u.pivots;

    const uint begin = group * q->block_size; /* no group is without any */
    const uint size = min(q->block_size, q->count - begin);
    __global const stored_key_t *keys = quick_keys(q, QUICK_BUFFERS, PLACE_IN);
    __global const payload_t *payloads = quick_payload(q, QUICK_BUFFERS, PLACE_IN);
    ITEM own[HELD];
#pragma unroll
    for (uint i = 0; i < HELD; ++i)
        QUICK_LOAD(own[i], keys, payloads, begin + min(i * GROUP_SIZE + me, size - 1), 0,
                   QUICK_LOAD_FLAGS(PLACE_IN));

    /* Candidate j, from 1 on, is a pivot if the one before is less, and heavy if the next one is not more. */
    __global const ITEM *candidates = quick_pivots(q, scratch);
    const uint wanted = quick_wanted(q->count, q->bucket_size);
    for (uint j = me; j <= QUICK_BUCKETS; j += GROUP_SIZE) {
        uint flags = 0;
        if (j > 0 && j < wanted && (j == 1 || QUICK_LESS(candidates[j - 1], candidates[j])))
            flags = 1 | (j + 1 < wanted && !QUICK_LESS(candidates[j], candidates[j + 1])) << 16;
        shared->begins[j] = flags;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all are compared */
    group_scan_exclusive(&shared->scan, shared->begins, QUICK_BUCKETS + 1);
    const uint num_pivots = shared->begins[wanted] & 0xffff;
    const uint num_buckets = num_pivots + (shared->begins[wanted] >> 16) + 1;
    const uint depth = SEARCH_DEPTH(num_pivots);
    for (uint j = 1 + me; j < wanted; j += GROUP_SIZE) {
        const uint before = shared->begins[j], after = shared->begins[j + 1];
        const uint pivot = before & 0xffff;
        if ((after & 0xffff) != pivot) {
            tree->pivots[pivot] = candidates[j];
            tree->marks[pivot] =
                (pivot + (before >> 16)) | (after >> 16 != before >> 16 ? QUICK_HEAVY : 0);
        }
    }
    if (me == 0)
        tree->marks[num_pivots] = num_buckets - 1;
    for (uint i = me; i < num_buckets; i += GROUP_SIZE)
        tree->counters[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the pivots are there */
    for (uint node = 1 + me; node < 1u << depth; node += GROUP_SIZE)
        tree->nodes[node] = tree->pivots[search_splitter(node, num_pivots, depth)];

    barrier(CLK_LOCAL_MEM_FENCE); /* the tree is there, counters are 0 */

    uint places
        [HELD]; /* low half: among the group's elements of the bucket, which is the high half */
    {
        uint befores[HELD], nearest[HELD];
        group_search_descend(own, tree->nodes, num_pivots, befores, nearest);
#pragma unroll
        for (uint i = 0; i < HELD; ++i) {
            if (i * GROUP_SIZE + me < size) {
                const uint mark = tree->marks[befores[i]];
                uint id = mark & ~QUICK_HEAVY;
                if (mark & QUICK_HEAVY && !QUICK_LESS(own[i], tree->nodes[nearest[i]]))
                    ++id;
                places[i] = id << 16 | atomic_inc(&tree->counters[id]);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted; the tree is read no more */
    __global uint *totals = QUICK_TABLE(uint, totals);
    for (uint i = me; i < num_buckets; i += GROUP_SIZE) {
        const uint count = tree->counters[i];
        tree->counters[i] = count ? atomic_add(&totals[i], count) : 0;
    }
    const uint all_come =
        device_barrier(&QUICK_CONTROL->arrived, &shared->come, num_groups, 1, q->patience);

    for (uint i = me; i <= QUICK_BUCKETS; i += GROUP_SIZE)
        shared->begins[i] = all_come && i < num_buckets ? totals[i] : 0;
    if (me == 0) {
        shared->has_large = 0;
        shared->is_last = !all_come && atomic_inc(&QUICK_CONTROL->left) == num_groups - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the totals are there */
    group_scan_exclusive(&shared->scan, shared->begins, QUICK_BUCKETS + 1);
    for (uint i = me; i < num_pivots; i += GROUP_SIZE)
        if (tree->marks[i] & QUICK_HEAVY)
            shared->begins[(tree->marks[i] & ~QUICK_HEAVY) + 1] |= EQUAL;
    barrier(CLK_LOCAL_MEM_FENCE); /* it is known which are equal */
    for (uint i = me; i < num_buckets; i += GROUP_SIZE)
        if (BEGIN(i + 1) - BEGIN(i) > q->leaf_size && !(shared->begins[i] & EQUAL))
            shared->has_large = 1;
    __global stored_key_t *to_keys = quick_keys(q, QUICK_BUFFERS, PLACE_OUT);
    __global payload_t *to_payload = quick_payload(q, QUICK_BUFFERS, PLACE_OUT);
#pragma unroll
    for (uint i = 0; i < HELD; ++i) {
        if (all_come && i * GROUP_SIZE + me < size) {
            const uint id = places[i] >> 16;
            item_store(to_keys, to_payload, BEGIN(id) + tree->counters[id] + (places[i] & 0xffff),
                       own[i], FLAG_STORE_KEYS | FLAG_STORE_PAYLOAD);
        }
    }
    /* Nobody to wait for, if the first was given up; barriers are for all work-items alike. */
    device_barrier(&QUICK_CONTROL->arrived, &shared->come, all_come ? num_groups : 0, 2, 0);

    struct quick_whole_turn turn;
    turn.bucket = turn.stop = 0;
    turn.next_cell = group;
    turn.num_cells = all_come ? (q->count - 1) / q->small_size + 1 : 0;
    turn.num_buckets = num_buckets;
    uint leaf_begin = 0;
    for (uint leaf_size = quick_whole_next(q, shared, &turn, &leaf_begin); leaf_size > 0;
         leaf_size = quick_whole_next(q, shared, &turn, &leaf_begin))
        quick_sort_leaf(q, QUICK_BUFFERS, &shared->u.rest.leaf, leaf_begin, leaf_size, PLACE_OUT,
                        PLACE_OUT, q->flags);

    /* Large buckets, each by one group; or all that there is. */
    const uint last_large = all_come ? (shared->has_large ? num_buckets : 0) : shared->is_last;
    for (uint i = all_come ? group : 0; i < last_large; i += num_groups) {
        struct quick_segment segment;
        segment.begin = all_come ? BEGIN(i) : 0;
        segment.size = all_come ? BEGIN(i + 1) - segment.begin : q->count;
        if (all_come && (segment.size <= q->leaf_size || shared->begins[i] & EQUAL))
            segment.size = 0;
        segment.place = all_come ? PLACE_OUT : PLACE_IN;
        segment.num_blocks = (segment.size + q->leaf_size - 1) / q->leaf_size;
        segment.broken = 0;
        const uint passes = segment.size ? quick_passes(segment.size, q->leaf_size) : 0;
        for (uint k = 0; k < segment.num_blocks; ++k)
            quick_sort_leaf(q, QUICK_BUFFERS, &shared->u.rest.leaf,
                            segment.begin + k * q->leaf_size,
                            min(q->leaf_size, segment.size - k * q->leaf_size), segment.place,
                            passes % 2 ? PLACE_WORK : PLACE_OUT, q->flags | FLAG_STORE_KEYS);
        if (segment.size == 0)
            segment.size = 1; /* no pass */
        quick_rest_segment(q, QUICK_BUFFERS, &shared->u.rest, &segment);
    }
}
