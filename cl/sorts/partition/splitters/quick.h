/* quick.h: partition quicksort by many pivots at once, in levels. A level cuts every segment of the
 * arrays that does not fit in local memory by pivots taken from a sample of it:
 *
 *   quick_sample   sorts a sample of each segment, and takes pivots from it
 *   quick_count    finds the bucket between two pivots that each element belongs to, and counts the
 *                  buckets. The last work-group to count a segment finds where each bucket begins,
 *                  and what becomes of it (cursors.h): a leaf if local memory holds it (neighbours
 *                  together, as many as fit), else a segment of the next level
 *   quick_scatter  moves the elements; tiles reserve places in the buckets by atomic additions.
 *                  Of records whose equal ones are to stay in order, quick_starts finds the places
 *                  of each block instead
 *
 * A pivot that the sample holds more than once is heavy: it has a bucket of its own for what is
 * equal to it, which is in order then (three-way partition, Bentley and McIlroy 1993). After the
 * last level
 *
 *   quick_leaf     sorts the leaves in local memory, and copies what is in order but elsewhere; it
 *                  sorts pieces of the segments that are left, which
 *   quick_merges   merges in pairs, until the segment is one run: all passes in one launch, or each
 *                  in a launch of its own
 *
 * The host does not know the segments. It launches as many levels as random elements need, and each
 * level finds its segments in lists that the level before has written. Merges have work only if a
 * sample was bad, so the worst case of any input is that of merge sort behind the levels. An
 * element is compared log2(buckets) + 1 times a level, log2(count / ITEMS) times in merges and
 * ITEMS / 2 times by the network in registers. Samples are smaller than their segments and are
 * sorted in the same way. The lists are bounded, too (src/plan/sorts/partition/quick_cut.c).
 *
 * No work-group of these kernels waits for another, except in quick_merges if that is one launch:
 * there a waiting one gives up after a bounded time (device/phases.h). whole/rank.cl and
 * whole/whole.cl sort an array in one launch if the device's work-groups can hold all of it at
 * once: there they wait, at a barrier that can be given up (device/barrier.h).
 *
 * Pivots in numbers: samplesort (Frazer and McKellar 1970); branch-free descent of a tree of them
 * and buckets of equal keys: super scalar samplesort (Sanders and Winkel 2004), on GPUs Leischner,
 * Osipov and Sanders 2010. One pivot, and places by votes of a sub-group: Cederman and Tsigas 2008.
 *
 * Elements lie in the input, the output or scratch ("place"); a scatter goes from input or output
 * to scratch, and from scratch to the output. Numbers of elements have 32 bits. */
#ifndef CLSORT_QUICK_H
#define CLSORT_QUICK_H

#include "base/item.h"

/* With an index as payload no two elements are equal, and the sort is stable. Records without one
 * may keep their order, too: QUICK_IN_ORDER. */
#if KEEPS_ORDER
#define QUICK_LESS(a, b) ITEM_LESS(a, b)
#define QUICK_LESS_IN(space_a, a, space_b, b) ITEM_LESS_IN(space_a, a, space_b, b)
#elif KEY_PARTIAL && PAYLOAD_SIZE == 0 && RECORD_SIZE == 0
/* Keys alone: by the other bits, too, so that the result is the same every time. */
#define QUICK_LESS(a, b) (ITEM_KEY_LESS(a, b) || (!ITEM_KEY_LESS(b, a) && (a) < (b)))
#define QUICK_LESS_IN(space_a, a, space_b, b) QUICK_LESS(a, b)
#else
#define QUICK_LESS(a, b) ITEM_KEY_LESS(a, b)
#define QUICK_LESS_IN(space_a, a, space_b, b) ITEM_KEY_LESS_IN(space_a, a, space_b, b)
#endif
#define MERGE_LESS(a, b) QUICK_LESS(a, b)
#define MERGE_LESS_LOCAL(a, b) QUICK_LESS_IN(local, a, local, b)

/* If the comparison may be no order, the places where merges are cut are found and checked
 * before. */
#if RECORD_SIZE && !defined(RECORD_IS_ORDERED)
#define QUICK_SPLITS 1
#else
#define QUICK_SPLITS 0
#endif

#define PLACE_IN 0u
#define PLACE_OUT 1u
#define PLACE_WORK 2u

/* Equal records keep their order on the way from level to level, and need no index. Leaves and
 * merges keep it anyway. Bins of numbers do not. */
#if KEEPS_ORDER && RECORD_SIZE
#define QUICK_IN_ORDER 1
#else
#define QUICK_IN_ORDER 0
#endif

/* What a leaf is for. */
#define QUICK_SORT 0u       /* to the output */
#define QUICK_COPY 1u       /* it is in order; to the output */
#define QUICK_PIECE 2u      /* sorting to the output: merges go on from there */
#define QUICK_PIECE_WORK 3u /* or from scratch */

#define QUICK_BUCKETS (1 << RADIX_BITS) /* of a segment at most */
#define QUICK_HEAVY 0x80000000u

#if RADIX_BITS <= 8
typedef uchar quick_id_t;
#else
typedef ushort quick_id_t;
#endif

/* All of these take the parameters from q. */
#define QUICK_AT(type, buffer, slot) \
    ((__global type *)((__global uchar *)(buffer) + q->offsets[slot]))
#define QUICK_TABLE(type, table) \
    ((__global type *)((__global uchar *)scratch + q->offsets[4] + q->table))

/* The table of pivots, where the widest item may begin. */
CLSORT_INLINE __global ITEM *quick_pivots(const struct quick_params *q, __global void *scratch)
{
    __global uchar *table = QUICK_TABLE(uchar, pivots);
    return (__global ITEM *)(table + (0 - (size_t)table) % QUICK_ALIGNMENT);
}

#define QUICK_CONTROL QUICK_TABLE(struct quick_control, control)

#define QUICK_ARGS ITEM_ARGS, __global void *scratch

/* The keys, or what moves with them, that lie at a place. */
CLSORT_INLINE __global stored_key_t *quick_keys(const struct quick_params *q, QUICK_ARGS,
                                                uint place)
{
    (void)payload_in, (void)payload_out;
    /* Without branches: with them, PoCL's code stops if work-groups are one work-item. */
    __global stored_key_t *in = (__global stored_key_t *)QUICK_AT(const stored_key_t, keys_in, 0);
    __global stored_key_t *out = QUICK_AT(stored_key_t, keys_out, 1);
    __global stored_key_t *work = QUICK_TABLE(stored_key_t, work_keys);
    return place == PLACE_IN ? in : place == PLACE_OUT ? out : work;
}

CLSORT_INLINE __global payload_t *quick_payload(const struct quick_params *q, QUICK_ARGS,
                                                uint place)
{
    (void)keys_in, (void)keys_out;
    __global payload_t *in = (__global payload_t *)QUICK_AT(const payload_t, payload_in, 2);
    __global payload_t *out = QUICK_AT(payload_t, payload_out, 3);
    __global payload_t *work = QUICK_TABLE(payload_t, work_payload);
    return place == PLACE_IN ? in : place == PLACE_OUT ? out : work;
}
#define QUICK_BUFFERS keys_in, keys_out, payload_in, payload_out, scratch

/* Where a level moves what lies at a place. */
#define QUICK_NEXT(place) ((place) == PLACE_WORK ? PLACE_OUT : PLACE_WORK)

/* An index is made of the place in the input, and read from then on. */
#define QUICK_LOAD_FLAGS(place) \
    (FLAG_STORE_PAYLOAD | (PAYLOAD_INDEX && (place) == PLACE_IN ? FLAG_MAKE_INDEX : 0))

/* Element `at`, counted over all arrays, of the array that begins at `base`. */
#define QUICK_LOAD(item, keys, payloads, at, base, flags) \
    ITEM_LOAD(item, keys, payloads, at, (at) - (base), flags)

CLSORT_INLINE uint quick_num_segments(const struct quick_params *q, __global void *scratch)
{
    return q->level == 0 ? q->num_arrays : QUICK_CONTROL->num_segments[q->level];
}

CLSORT_INLINE uint quick_num_blocks(const struct quick_params *q, __global void *scratch)
{
    return q->level == 0 ? q->num_arrays * q->blocks_per_array
                         : QUICK_CONTROL->num_blocks[q->level];
}

CLSORT_INLINE uint quick_owner(const struct quick_params *q, __global void *scratch, uint block)
{
    return q->level == 0 ? block / q->blocks_per_array : QUICK_TABLE(uint, owners)[block];
}

/* A block's row of the table of starts. */
CLSORT_INLINE __global uint *quick_block_starts(const struct quick_params *q,
                                                __global void *scratch, uint block)
{
    return QUICK_TABLE(uint, starts) + (size_t)block * QUICK_BUCKETS;
}

/* Buckets that a segment of a level is to have, at most. */
CLSORT_INLINE uint quick_wanted(uint size, uint bucket_size)
{
    return clamp((size - 1) / bucket_size + 1, 2u, (uint)QUICK_BUCKETS);
}

CLSORT_INLINE void quick_add_leaf(const struct quick_params *q, __global void *scratch, uint number,
                                  uint begin, uint size, uint place, uint kind)
{
    __global struct quick_leaf *leaf = QUICK_TABLE(struct quick_leaf, leaves) + number;
    leaf->begin = begin;
    leaf->size = size;
    leaf->place = place;
    leaf->kind = kind;
}

/* Merges that make one run of pieces of a leaf's size each. */
CLSORT_INLINE uint quick_passes(uint size, uint leaf_size)
{
    const uint pieces = (size - 1) / leaf_size + 1;
    return pieces > 1 ? 32 - (uint)clz(pieces - 1) : 0;
}

#endif
