/* partition.h: sorts by cutting segments into buckets, in levels.
 *
 * A level cuts every segment that does not fit in local memory into buckets: by its next digit
 * (digits.h), or by pivots taken from a sample of it (splitters.h). A bucket becomes a leaf if
 * local memory holds it, with its neighbours if it is small; else a segment of the next level.
 *
 *   partition_begin    lists the arrays as the first level's segments (segments/tile.cl lists
 *                      segments by offsets)
 *   partition_pivots   by splitters: sorts a sample of each segment, and takes pivots from it
 *   partition_count    counts the buckets of each block of a segment. The last work-group to count
 *                      a segment finds where each bucket begins, and lists what becomes of it
 *                      (list_digits.h, list_splitters.h)
 *   partition_scan     where equal elements keep their order, turns counts into each block's places
 *   partition_scatter  moves the elements
 *
 * If equal elements may be reordered, no scan is needed: tiles take places by atomic additions.
 * Tiles that run at the same time then write close together, so memory gets whole lines.
 *
 * The host does not know the segments. It launches every level; a level finds its segments and
 * blocks in lists that the level before has written, and does nothing if they are empty. No
 * work-group waits for another, except where one launch makes several levels or merges: there a
 * waiting one gives up after a bounded time (device/phases.h).
 *
 * Elements lie in the input, the output or scratch ("place"); a scatter goes from input or output
 * to scratch, and from scratch to the output. Numbers of elements have 32 bits. */
#ifndef CLSORT_PARTITION_H
#define CLSORT_PARTITION_H

#include "base/item.h"

#define PLACE_IN BUFFER_IN
#define PLACE_OUT BUFFER_OUT
#define PLACE_WORK BUFFER_SCRATCH

/* Where a level moves what lies at a place. */
#define PLACE_NEXT(place) ((place) == PLACE_WORK ? PLACE_OUT : PLACE_WORK)

/* What a leaf is for. */
#define LEAF_SORT 0u       /* to the output */
#define LEAF_COPY 1u       /* it is in order; to the output */
#define LEAF_PIECE 2u      /* sorting to the output: merges go on from there */
#define LEAF_PIECE_WORK 3u /* or from scratch */
#define LEAF_REVERSE 4u    /* the whole array stands in reversed order; to the output */

#define PARTITION_BUCKETS (1 << RADIX_BITS) /* of a segment at most */

/* Tables' elements. */
#if SPLITTERS
typedef struct partition_segment segment_t;
typedef struct partition_leaf leaf_t;
#else
typedef struct digits_segment segment_t;
typedef struct digits_leaf leaf_t;
#endif

/* All of these take the parameters from q. */
#define PARTITION_TABLE(type, table) BUFFER_TABLE(type, q->offsets, scratch, q->table)
#define PARTITION_CONTROL PARTITION_TABLE(struct partition_control, control)
#define PARTITION_ARGS ITEM_ARGS, __global void *scratch
#define PARTITION_BUFFERS keys_in, keys_out, payload_in, payload_out, scratch

/* The keys, or what moves with them, that lie at a place. */
#define place_keys(q, buffers, place) buffer_keys((q)->offsets, buffers, place, (q)->work_keys)
#define place_payload(q, buffers, place) \
    buffer_payload((q)->offsets, buffers, place, (q)->work_payload)

/* Blocks of this level, and the segment that owns one. */
#define PARTITION_NUM_BLOCKS (PARTITION_CONTROL->num_blocks[q->level])
#define PARTITION_NUM_SEGMENTS (PARTITION_CONTROL->num_segments[q->level])
#define PARTITION_SEGMENT(number) (PARTITION_TABLE(segment_t, segments) + (number))
#define PARTITION_NEXT_SEGMENT(number) (PARTITION_TABLE(segment_t, next_segments) + (number))
#define PARTITION_OWNER(block) (PARTITION_TABLE(uint, owners)[block])

/* A block's row of the table of counts; row_bits: log2 of its length. */
CLSORT_INLINE __global uint *partition_row(const struct partition_params *q, __global void *scratch,
                                           uint block)
{
    return PARTITION_TABLE(uint, counts) + ((size_t)block << q->digit_bits);
}

#define PARTITION_LEAF(number) (PARTITION_TABLE(leaf_t, leaves)[number])

CLSORT_INLINE __global leaf_t *partition_add_leaf(const struct partition_params *q,
                                                  __global void *scratch, uint number, uint begin,
                                                  uint size, uint place, uint kind)
{
    __global leaf_t *leaf = &PARTITION_LEAF(number);
    leaf->begin = begin;
    leaf->size = size;
    leaf->place = place;
    leaf->kind = kind;
    return leaf;
}

/* Describes a segment that nothing is known of yet. */
CLSORT_INLINE void partition_set_segment(__global segment_t *segment, uint begin, uint size,
                                         uint place, uint first_block, uint num_blocks)
{
    segment->begin = begin;
    segment->size = size;
    segment->place = place;
    segment->first_block = first_block;
    segment->num_blocks = num_blocks;
    segment->counted = segment->first_bucket = segment->num_pivots = segment->broken = 0;
#if !SPLITTERS
    segment->differing = segment->directions = 0;
#endif
}

/* Lists a segment of the next level, which is cut into blocks of that size. Returns its number. */
CLSORT_INLINE uint partition_add_segment(const struct partition_params *q, __global void *scratch,
                                         uint begin, uint size, uint place, uint block_size)
{
    const uint next = q->level + 1, num_blocks = (size - 1) / block_size + 1;
    const uint number = atomic_inc(&PARTITION_CONTROL->num_segments[next]);
    const uint first = atomic_add(&PARTITION_CONTROL->num_blocks[next], num_blocks);
    partition_set_segment(PARTITION_NEXT_SEGMENT(number), begin, size, place, first, num_blocks);
    return number;
}

/* An index is made of the place in the input, and read from then on. */
#define PLACE_LOAD_FLAGS(place) \
    (FLAG_STORE_PAYLOAD | (PAYLOAD_INDEX && (place) == PLACE_IN ? FLAG_MAKE_INDEX : 0))

/* Element `at`, counted over all arrays, of the array that begins at `base`. */
#define PLACE_LOAD(item, keys, payloads, at, base, flags) \
    ITEM_LOAD(item, keys, payloads, at, (at) - (base), flags)

/* Copies a leaf that is in order to the output; stores: what is written. */
CLSORT_INLINE void partition_copy(const struct partition_params *q, PARTITION_ARGS,
                                  const leaf_t *leaf, uint stores)
{
    __global const stored_key_t *keys = place_keys(q, PARTITION_BUFFERS, leaf->place);
    __global const payload_t *payload = place_payload(q, PARTITION_BUFFERS, leaf->place);
    const uint base = PAYLOAD_INDEX ? leaf->begin / q->count * q->count : 0;
    for (uint slot = get_local_id(0); slot < leaf->size; slot += GROUP_SIZE) {
        ITEM item;
        PLACE_LOAD(item, keys, payload, leaf->begin + slot, base, PLACE_LOAD_FLAGS(leaf->place));
        ITEM_STORE(place_keys(q, PARTITION_BUFFERS, PLACE_OUT),
                   place_payload(q, PARTITION_BUFFERS, PLACE_OUT), leaf->begin + slot, item,
                   stores);
    }
}

/* Work-items that write what belongs to a segment of the next level, each of which is in turn. */
#define WRITERS 16
#define WRITER (get_local_id(0) % WRITERS)
#define WRITER_STEP (GROUP_SIZE < WRITERS ? GROUP_SIZE : WRITERS)
#define WRITERS_LOOP(i, end)                                                \
    _Pragma("unroll 1") for (uint i = get_local_id(0) / WRITERS; i < (end); \
                             i += (GROUP_SIZE + WRITERS - 1) / WRITERS)

/* Writes the owners of its blocks. */
CLSORT_INLINE void partition_own_blocks(const struct partition_params *q, __global void *scratch,
                                        uint number)
{
    const segment_t next = *PARTITION_NEXT_SEGMENT(number);
#pragma unroll 1
    for (uint i = WRITER; i < next.num_blocks; i += WRITER_STEP)
        PARTITION_TABLE(uint, next_owners)[next.first_block + i] = number;
}

#endif
