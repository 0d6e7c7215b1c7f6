/* combine.h: elements cut by digit without being counted first: write-combining buckets.
 *
 * Idea: each digit has a bucket in local memory. An element takes a number from its digit's
 * counter and goes into the bucket. When a tile is in, whole chunks of COMBINE_BYTES leave each
 * bucket, aligned, by 16 bytes a work-item, and the rest moves to the bucket's front and waits
 * for the next tile. So nothing is counted before, nothing is ranked, and every write is a whole
 * chunk. An element that finds its bucket full is read again and written straight to its target.
 * (Write-combining buffers as in Wassenberg and Sanders, 2011, of CPUs; in local memory as in
 * Stehle and Jacobsen's hybrid radix sort, 2017.)
 *
 *   group_combine_begin     empties the buckets
 *   group_combine_add_tile  a tile's elements into their buckets
 *   group_combine_flush     the tile's whole chunks out
 *   group_combine_finish    the rests out
 *
 * With COMBINE_IN_ORDER elements of a digit leave in the order in which they came: numbers do not
 * come from a counter, but from combine_order.h.
 *
 * A row of 16 * odd bytes lets work-items of neighbouring digits use different banks: capacities
 * of 44 (u32), 72 (u16), 22 (u64) or 11 (pairs of u64).
 *
 * Defined before: COMBINE_BYTES of a chunk, 32 or 64 (64); COMBINE_SIZE, bytes of an element;
 * COMBINE_RADIX; COMBINE_CAPACITY of a bucket, a multiple of 16 bytes; COMBINE_CONTEXT, a type, and
 *   COMBINE_DIGIT(context, own)              the digit of an element as a work-item holds it
 *   COMBINE_FETCH(context, i, item, digit)   sets them for a work-item's element i of this tile
 *   COMBINE_TAKE(context, digit, count)      range of the output for `count`; its first index,
 *                                            like count, is a multiple of a chunk's elements
 *   COMBINE_TAKE_REST(context, digit, count) the same for a rest, of any count and index
 * A digit's room is always taken by the same work-item, so it may keep some in reserve. If buckets
 * do not hold elements as work-items do, also COMBINE_OWN, their type there, and
 * COMBINE_STORED(context, own), what a bucket holds of one.
 *
 * If the output is no array of elements, also COMBINE_STORE(context, out, index, item),
 * COMBINE_STORE_QUAD(..., quad) of 16 bytes, and COMBINE_STORE_REST(context, out, digit, first,
 * number, item). If chunks may find no room, COMBINE_MAX_REST is 2 * COMBINE_CHUNK, and
 * COMBINE_TAKE lowers `count`, an lvalue. There must be room for all but one chunk of a digit, so
 * that a bucket holds all that is then left. COMBINE_CAPACITY is COMBINE_MAX_REST or more.
 *
 * In order, chunks are aligned wherever a digit's output begins: before its first element there may
 * be up to a chunk of places that are not written, COMBINE_HEAD(context). They count as elements.
 *
 * Local memory: struct group_combine_local. */
#ifndef CLSORT_GROUP_COMBINE_H
#define CLSORT_GROUP_COMBINE_H

#include "group/digit_rank.h"

#ifndef COMBINE_BYTES
#define COMBINE_BYTES 64
#endif
#ifndef COMBINE_IN_ORDER
#define COMBINE_IN_ORDER 0
#endif

#if COMBINE_SIZE == 16
typedef ulong2 combine_item_t;
#elif COMBINE_SIZE == 8
typedef ulong combine_item_t;
#elif COMBINE_SIZE == 4
typedef uint combine_item_t;
#else
typedef ushort combine_item_t;
#endif
typedef uint4 __attribute__((may_alias)) combine_quad_t;

#define COMBINE_CHUNK (COMBINE_BYTES / COMBINE_SIZE) /* elements */
#define COMBINE_QUAD (16 / COMBINE_SIZE)             /* of one access */
#define COMBINE_LANES (COMBINE_BYTES / 16)           /* work-items that write a chunk */
#define COMBINE_BATCH 4
#ifndef COMBINE_STORED
#define COMBINE_OWN combine_item_t
#define COMBINE_STORED(context, own) (own)
#endif
#ifndef COMBINE_MAX_REST
#define COMBINE_MAX_REST COMBINE_CHUNK
#endif
#ifndef COMBINE_STORE
#define COMBINE_STORE(context, out, index, item) ((out)[index] = (item))
#define COMBINE_STORE_QUAD(context, out, index, quad) \
    (*(__global combine_quad_t *)((out) + (index)) = (quad))
#define COMBINE_STORE_REST(context, out, digit, first, number, item) \
    ((out)[(first) + (number)] = (item))
#endif
#if COMBINE_CAPACITY % COMBINE_QUAD || COMBINE_CAPACITY < COMBINE_MAX_REST
#error "combine.h: a bucket holds a chunk, in whole accesses of 16 bytes"
#endif

#if COMBINE_IN_ORDER
/* Two sub-groups share a word of counters, if none of them is a work-item. */
#define COMBINE_SHARES (TILE_SUBGROUP > 1 && NUM_SUBGROUPS > 1)
#define COMBINE_ROWS (COMBINE_SHARES ? NUM_SUBGROUPS / 2 : NUM_SUBGROUPS)
#else
typedef uint combine_overflow_t; /* a bit for each of a work-item's elements */
#define COMBINE_OVERFLOW(beyond) (*(beyond))
#define COMBINE_FILLED(shared, digit) atomic_add(&(shared)->filled[digit], 0x10000u)
#define COMBINE_NUMBER_BEYOND(beyond, i, filled) (COMBINE_CAPACITY + ((filled) >> 16))
#define COMBINE_HEAD(context) 0u
#endif

struct group_combine_local {
    combine_item_t buckets[COMBINE_RADIX * COMBINE_CAPACITY] __attribute__((aligned(16)));
    uint counts[COMBINE_RADIX];
    uint filled[COMBINE_RADIX]; /* before the whole chunks left; above: fetched again so far, */
                                /* or, in order, COMBINE_HEAD */
    uint targets[COMBINE_RADIX];
#if COMBINE_IN_ORDER
    uint rows[COMBINE_ROWS * COMBINE_RADIX]; /* combine_order.h */
    uint absent[NUM_SUBGROUPS];
#endif
};

/* Ends before a barrier. */
CLSORT_INLINE void group_combine_begin(__local struct group_combine_local *shared)
{
    group_clear(shared->counts, COMBINE_RADIX);
#if COMBINE_IN_ORDER
    group_clear(shared->rows, COMBINE_ROWS * COMBINE_RADIX);
#endif
}

/* Takes room for the whole chunks of a digit that has `count` elements. */
CLSORT_INLINE void combine_take(__local struct group_combine_local *shared, uint digit, uint count,
                                COMBINE_CONTEXT context)
{
    uint whole = count & ~(COMBINE_CHUNK - 1u);
    shared->filled[digit] = count | COMBINE_HEAD(context) << 16;
    if (whole)
        shared->targets[digit] = COMBINE_TAKE(context, digit, whole);
    shared->counts[digit] = count - whole;
}

#if COMBINE_IN_ORDER
#include "group/combine_order.h"
#else
/* Adds COMBINE_BATCH elements. Returns a bit for each that found its bucket full, for
 * group_combine_flush(). All have their numbers before the first goes into its bucket, so that the
 * additions are under way together. */
CLSORT_INLINE uint group_combine_add(__local struct group_combine_local *shared, const uint *digits,
                                     const combine_item_t *items, const int *is_there)
{
    uint numbers[COMBINE_BATCH], overflow = 0;
#pragma unroll
    for (uint i = 0; i < COMBINE_BATCH; ++i)
        numbers[i] = is_there[i] ? atomic_inc(&shared->counts[digits[i]]) : 0;
#pragma unroll
    for (uint i = 0; i < COMBINE_BATCH; ++i) {
        const int is_full = numbers[i] >= COMBINE_CAPACITY;
        if (is_there[i] && !is_full)
            shared->buckets[digits[i] * COMBINE_CAPACITY + numbers[i]] = items[i];
        overflow |= (is_there[i] && is_full) << i;
    }
    return overflow;
}

/* Adds a tile, of which a work-item has those elements i whose i * step is below `left`. What found
 * no room is for group_combine_flush(), which follows. Begins after a barrier, and ends before
 * one. */
CLSORT_INLINE void group_combine_add_tile(__local struct group_combine_local *shared,
                                          const COMBINE_OWN *own, int left, int step,
                                          combine_overflow_t *beyond, COMBINE_CONTEXT context)
{
    *beyond = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i += COMBINE_BATCH) {
        uint digits[COMBINE_BATCH];
        combine_item_t items[COMBINE_BATCH];
        int is_there[COMBINE_BATCH];
#pragma unroll
        for (int j = 0; j < COMBINE_BATCH; ++j) {
            const COMBINE_OWN item = own[i + j < ITEMS ? i + j : 0];
            digits[j] = COMBINE_DIGIT(context, item);
            items[j] = COMBINE_STORED(context, item);
            is_there[j] = i + j < ITEMS && (i + j) * step < left;
        }
        *beyond |= group_combine_add(shared, digits, items, is_there) << i;
    }
}

#endif

/* How many of a digit's elements have room, after combine_take(). */
#define COMBINE_WHOLE(shared, digit, count)                               \
    (COMBINE_MAX_REST > COMBINE_CHUNK ? (count) - (shared)->counts[digit] \
                                      : (count) & ~(COMBINE_CHUNK - 1u))

/* The whole chunks out, the rests to the front. */
CLSORT_INLINE void combine_write_chunks(__local struct group_combine_local *shared,
                                        __global combine_item_t *out, COMBINE_CONTEXT context)
{
    for (uint i = get_local_id(0); i < COMBINE_RADIX * COMBINE_LANES; i += GROUP_SIZE) {
        const uint digit = i / COMBINE_LANES, first = i % COMBINE_LANES * COMBINE_QUAD;
        const uint filled = shared->filled[digit], count = filled & 0xffff;
        const uint whole = COMBINE_WHOLE(shared, digit, count);
        if (whole) {
            __local combine_item_t *from = shared->buckets + digit * COMBINE_CAPACITY;
            const uint target = shared->targets[digit];
            const uint end = min(whole, (uint)COMBINE_CAPACITY);
            uint at = first;
            if (COMBINE_IN_ORDER && at < filled >> 16) {
                for (uint i = at; i < at + COMBINE_QUAD; ++i)
                    if (i >= filled >> 16)
                        COMBINE_STORE(context, out, target + i, from[i]);
                at += COMBINE_CHUNK;
            }
            for (; at < end; at += COMBINE_CHUNK)
                COMBINE_STORE_QUAD(context, out, target + at,
                                   *(__local combine_quad_t *)(from + at));
#pragma unroll
            for (at = first; at < COMBINE_MAX_REST; at += COMBINE_CHUNK)
                if (whole + at < min(count, (uint)COMBINE_CAPACITY))
                    *(__local combine_quad_t *)(from + at) =
                        *(__local combine_quad_t *)(from + whole + at);
        }
    }
}

/* Elements that found their bucket full. They go behind what the bucket held, to the output, or as
 * part of the rest to its front. */
CLSORT_INLINE void combine_write_beyond(__local struct group_combine_local *shared,
                                        __global combine_item_t *out,
                                        const combine_overflow_t *beyond, COMBINE_CONTEXT context)
{
    uint overflow = COMBINE_OVERFLOW(beyond);
#pragma unroll 1
    while (overflow) {
        const uint i = 31 - (uint)clz(overflow);
        combine_item_t item;
        uint digit;
        overflow ^= 1u << i;
        COMBINE_FETCH(context, i, item, digit);
        const uint filled = COMBINE_FILLED(shared, digit);
        const uint number = COMBINE_NUMBER_BEYOND(beyond, i, filled);
        const uint whole = COMBINE_WHOLE(shared, digit, filled & 0xffff);
        if (number < whole)
            COMBINE_STORE(context, out, shared->targets[digit] + number, item);
        else
            shared->buckets[digit * COMBINE_CAPACITY + number - whole] = item;
    }
}

/* When a tile is in. beyond: what group_combine_add_tile() had no room for. Begins with a barrier
 * and ends before one, which stands at the begin of the caller's loop: PoCL 3.1 loses branches
 * between the last two barriers of a loop. */
CLSORT_INLINE void group_combine_flush(__local struct group_combine_local *shared,
                                       __global combine_item_t *out,
                                       const combine_overflow_t *beyond, COMBINE_CONTEXT context)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* all are in their buckets */
#if COMBINE_IN_ORDER
    group_clear(shared->rows, COMBINE_ROWS * COMBINE_RADIX);
#else
    GROUP_LOOP(digit, 0, COMBINE_RADIX)
        combine_take(shared, digit, shared->counts[digit], context);
    barrier(CLK_LOCAL_MEM_FENCE); /* room has been taken */
#endif
    combine_write_chunks(shared, out, context);
    barrier(CLK_LOCAL_MEM_FENCE); /* the rests are at the front */
    combine_write_beyond(shared, out, beyond, context);
}

/* After the last tile. Begins after a barrier, and ends with one. */
CLSORT_INLINE void group_combine_finish(__local struct group_combine_local *shared,
                                        __global combine_item_t *out, COMBINE_CONTEXT context)
{
    GROUP_LOOP(digit, 0, COMBINE_RADIX) {
        const uint count = shared->counts[digit];
        shared->filled[digit] = count | COMBINE_HEAD(context) << 16;
        shared->counts[digit] = 0;
        if (count)
            shared->targets[digit] = COMBINE_TAKE_REST(context, digit, count);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* room has been taken */
    GROUP_LOOP(i, 0, COMBINE_RADIX * COMBINE_MAX_REST) {
        const uint digit = i / COMBINE_MAX_REST, number = i % COMBINE_MAX_REST;
        const uint filled = shared->filled[digit];
        if (number < (filled & 0xffff) && number >= filled >> 16)
            COMBINE_STORE_REST(context, out, digit, shared->targets[digit], number,
                               shared->buckets[digit * COMBINE_CAPACITY + number]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the rests have been written */
}

#endif
