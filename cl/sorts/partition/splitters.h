/* splitters.h: partition by many pivots at once: quicksort (partition.h).
 *
 * A pivot that the sample holds more than once is heavy: it has a bucket of its own for what is
 * equal to it, which is in order then (three-way partition, Bentley and McIlroy 1993). After the
 * last level
 *
 *   partition_leaf     sorts the leaves in local memory, and copies what is in order but elsewhere;
 *                      it sorts pieces of the segments that are left, which
 *   partition_merges   merges in pairs, until the segment is one run: all passes in one launch, or
 *                      each in a launch of its own
 *
 * The host launches as many levels as random elements need. Merges have work only if a sample was
 * bad, so the worst case of any input is that of merge sort behind the levels. An element is
 * compared log2(buckets) + 1 times a level, log2(count / ITEMS) times in merges and ITEMS / 2 times
 * by the network in registers. Samples are smaller than their segments and are sorted in the same
 * way. The lists are bounded, too (src/plan/sorts/partition/splitters_cut.c).
 *
 * whole/rank.cl and whole/whole.cl sort an array in one launch if the device's work-groups can hold
 * all of it at once: there they wait, at a barrier that can be given up (device/barrier.h).
 *
 * Pivots in numbers: samplesort (Frazer and McKellar 1970); branch-free descent of a tree of them
 * and buckets of equal keys: super scalar samplesort (Sanders and Winkel 2004), on GPUs Leischner,
 * Osipov and Sanders 2010. One pivot, and places by votes of a sub-group: Cederman and Tsigas 2008.
 */
#ifndef CLSORT_SPLITTERS_H
#define CLSORT_SPLITTERS_H

#include "sorts/partition/partition.h"
#include "base/random.h"

/* With an index as payload no two elements are equal, and the sort is stable. Records without one
 * may keep their order, too: SPLITTERS_IN_ORDER. */
#if KEEPS_ORDER
#define SPLITTERS_LESS(a, b) ITEM_LESS(a, b)
#define SPLITTERS_LESS_IN(space_a, a, space_b, b) ITEM_LESS_IN(space_a, a, space_b, b)
#elif KEY_PARTIAL && PAYLOAD_SIZE == 0 && RECORD_SIZE == 0
/* Keys alone: by the other bits, too, so that the result is the same every time. */
#define SPLITTERS_LESS(a, b) (ITEM_KEY_LESS(a, b) || (!ITEM_KEY_LESS(b, a) && (a) < (b)))
#define SPLITTERS_LESS_IN(space_a, a, space_b, b) SPLITTERS_LESS(a, b)
#else
#define SPLITTERS_LESS(a, b) ITEM_KEY_LESS(a, b)
#define SPLITTERS_LESS_IN(space_a, a, space_b, b) ITEM_KEY_LESS_IN(space_a, a, space_b, b)
#endif
#define MERGE_LESS(a, b) SPLITTERS_LESS(a, b)
#define MERGE_LESS_LOCAL(a, b) SPLITTERS_LESS_IN(local, a, local, b)

/* If the comparison may be no order, the places where merges are cut are found and checked
 * before. */
#if RECORD_SIZE && !defined(RECORD_IS_ORDERED)
#define LEFT_SPLITS 1
#else
#define LEFT_SPLITS 0
#endif

/* Equal records keep their order on the way from level to level, and need no index. Leaves and
 * merges keep it anyway. Bins of numbers do not. */
#if KEEPS_ORDER && RECORD_SIZE
#define SPLITTERS_IN_ORDER 1
#else
#define SPLITTERS_IN_ORDER 0
#endif

#define PIVOT_HEAVY 0x80000000u

#if RADIX_BITS <= 8
typedef uchar bucket_id_t;
#else
typedef ushort bucket_id_t;
#endif

/* The table of pivots, where the widest item may begin. */
CLSORT_INLINE __global ITEM *pivots_table(const struct partition_params *q, __global void *scratch)
{
    __global uchar *table = PARTITION_TABLE(uchar, pivots);
    return (__global ITEM *)(table + (0 - (size_t)table) % PIVOTS_ALIGNMENT);
}

/* Buckets that a segment of a level is to have, at most. */
CLSORT_INLINE uint buckets_wanted(uint size, uint bucket_size)
{
    return clamp((size - 1) / bucket_size + 1, 2u, (uint)PARTITION_BUCKETS);
}

/* Merges that make one run of pieces of a leaf's size each. */
CLSORT_INLINE uint left_passes(uint size, uint leaf_size)
{
    const uint pieces = (size - 1) / leaf_size + 1;
    return pieces > 1 ? 32 - (uint)clz(pieces - 1) : 0;
}

/* The place of element number i of a sample of a segment: one lies in each of many equal parts, at
 * a place that looks random but is the same every time. */
CLSORT_INLINE uint pivots_place(const struct partition_params *q, uint begin, uint size, uint i,
                                uint samples)
{
    const uint room = size / samples, longer = size % samples; /* the first parts by one */
    const uint from = i * room + min(i, longer);
    return begin + from + random_below(begin + from + q->level, room + (i < longer));
}

#endif
