/* sweep.h: stable radix sort from the least significant digit up, each element read once and written once a
 * pass ("onesweep": Adinets and Merrill, 2022).
 *
 *   sweep_begin    empties the tables
 *   sweep_sort     counts all digits of all keys in one read, and sees which digits are the same for all,
 *                  and whether the keys are in order already; then moves the elements to their places by
 *                  one digit after the other
 *
 * A tile of a pass must know how many elements of each digit are in the tiles before it. Tiles are taken by a
 * ticket, and each publishes what it has counted, and later also the sum over all tiles up to it, in
 * a word for each digit; it looks back over the tiles before it until it finds a sum ("decoupled
 * look-back": Merrill and Garland, 2016). No tile waits for another without a bound: if a predecessor does
 * not publish in time, the waiting work-item recounts that tile itself, from its input, which does not
 * change during the pass. So a look-back always ends, although OpenCL promises no progress of other
 * work-groups ("decoupled fallback": Smith, Levien, Owens, 2025).
 *
 * If equal keys may be reordered (FLAG_CURSORS), tiles of the first pass take their places by atomic
 * additions and do not look back. A digit that is the same in all keys has no pass. Passes alternate
 * between scratch and the output, and the last one writes to the output. Elements lie in the input, the
 * output or scratch ("place"). */
#ifndef CLSORT_SWEEP_H
#define CLSORT_SWEEP_H

#include "item.h"
#include "radix.h"
#include "device_barrier.h"

#define SWEEP_IN 0u
#define SWEEP_OUT 1u
#define SWEEP_WORK 2u

/* Digits of a key at most. */
#define SWEEP_DIGITS ((KEY_BITS + RADIX_BITS - 1) / RADIX_BITS)

/* A word of a tile and a digit: elements of the tile, or of all tiles up to it; 0: not known yet. */
#define SWEEP_TILE 0x40000000u
#define SWEEP_SUM 0x80000000u
#define SWEEP_COUNT 0x3fffffffu

#define SWEEP_ARGS ITEM_ARGS, __global void *scratch
#define SWEEP_BUFFERS keys_in, keys_out, payload_in, payload_out, scratch

/* All of these take the parameters from q. */
#define SWEEP_AT(type, buffer, slot) \
    ((__global type *)((__global uchar *)(buffer) + q->offsets[slot]))
#define SWEEP_TABLE(type, table) \
    ((__global type *)((__global uchar *)scratch + q->offsets[4] + q->table))
/* The array is sorted in another way (part.h). */
#define SWEEP_IS_IDLE \
    (q->flags & FLAG_SAMPLES && !SWEEP_TABLE(struct part_control, parting)->is_skewed)
#define SWEEP_CONTROL SWEEP_TABLE(struct sweep_control, control)

CLSORT_INLINE __global stored_key_t *sweep_keys(const struct sweep_params *q, SWEEP_ARGS,
                                                uint place)
{
    (void)payload_in, (void)payload_out;
    __global stored_key_t *in = (__global stored_key_t *)SWEEP_AT(const stored_key_t, keys_in, 0);
    __global stored_key_t *out = SWEEP_AT(stored_key_t, keys_out, 1);
    __global stored_key_t *work = SWEEP_TABLE(stored_key_t, work_keys);
    return place == SWEEP_IN ? in : place == SWEEP_OUT ? out : work;
}

CLSORT_INLINE __global payload_t *sweep_payload(const struct sweep_params *q, SWEEP_ARGS,
                                                uint place)
{
    (void)keys_in, (void)keys_out;
    __global payload_t *in = (__global payload_t *)SWEEP_AT(const payload_t, payload_in, 2);
    __global payload_t *out = SWEEP_AT(payload_t, payload_out, 3);
    __global payload_t *work = SWEEP_TABLE(payload_t, work_payload);
    return place == SWEEP_IN ? in : place == SWEEP_OUT ? out : work;
}

/* Where the bits of a digit begin, counted from the lowest that is sorted by. */
#define SWEEP_SHIFT(digit) ((digit)*q->num_bits / q->num_digits)
/* A digit of a stored key. */
#define SWEEP_DIGIT(stored, shift, mask) ((uint)(KEY_ENCODE((key_t)(stored)) >> (shift)) & (mask))

#endif
