/* onesweep.h: stable radix sort from the least significant digit up, each element read once and written once a
 * pass ("onesweep": Adinets and Merrill, 2022).
 *
 *   onesweep_begin    empties the tables
 *   onesweep_sort     counts all digits of all keys in one read, and sees which digits are the same for all,
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
#ifndef CLSORT_ONESWEEP_H
#define CLSORT_ONESWEEP_H

#include "item.h"
#include "radix.h"
#include "device_barrier.h"

#define ONESWEEP_IN 0u
#define ONESWEEP_OUT 1u
#define ONESWEEP_WORK 2u

/* Digits of a key at most. */
#define ONESWEEP_DIGITS ((KEY_BITS + RADIX_BITS - 1) / RADIX_BITS)

/* A word of a tile and a digit: elements of the tile, or of all tiles up to it; 0: not known yet. */
#define ONESWEEP_TILE 0x40000000u
#define ONESWEEP_SUM 0x80000000u
#define ONESWEEP_COUNT 0x3fffffffu

#define ONESWEEP_ARGS ITEM_ARGS, __global void *scratch
#define ONESWEEP_BUFFERS keys_in, keys_out, payload_in, payload_out, scratch

/* All of these take the parameters from q. */
#define ONESWEEP_AT(type, buffer, slot) \
    ((__global type *)((__global uchar *)(buffer) + q->offsets[slot]))
#define ONESWEEP_TABLE(type, table) \
    ((__global type *)((__global uchar *)scratch + q->offsets[4] + q->table))
/* The array is sorted in another way (part.h). */
#define ONESWEEP_IS_IDLE \
    (q->flags & FLAG_SAMPLES && !ONESWEEP_TABLE(struct part_control, parting)->is_skewed)
#define ONESWEEP_CONTROL ONESWEEP_TABLE(struct onesweep_control, control)

CLSORT_INLINE __global stored_key_t *onesweep_keys(const struct onesweep_params *q, ONESWEEP_ARGS,
                                                   uint place)
{
    (void)payload_in, (void)payload_out;
    __global stored_key_t *in =
        (__global stored_key_t *)ONESWEEP_AT(const stored_key_t, keys_in, 0);
    __global stored_key_t *out = ONESWEEP_AT(stored_key_t, keys_out, 1);
    __global stored_key_t *work = ONESWEEP_TABLE(stored_key_t, work_keys);
    return place == ONESWEEP_IN ? in : place == ONESWEEP_OUT ? out : work;
}

CLSORT_INLINE __global payload_t *onesweep_payload(const struct onesweep_params *q, ONESWEEP_ARGS,
                                                   uint place)
{
    (void)keys_in, (void)keys_out;
    __global payload_t *in = (__global payload_t *)ONESWEEP_AT(const payload_t, payload_in, 2);
    __global payload_t *out = ONESWEEP_AT(payload_t, payload_out, 3);
    __global payload_t *work = ONESWEEP_TABLE(payload_t, work_payload);
    return place == ONESWEEP_IN ? in : place == ONESWEEP_OUT ? out : work;
}

/* Where the bits of a digit begin, counted from the lowest that is sorted by. */
#define ONESWEEP_SHIFT(digit) ((digit)*q->num_bits / q->num_digits)
/* A digit of a stored key. */
#define ONESWEEP_DIGIT(stored, shift, mask) \
    ((uint)(KEY_ENCODE((key_t)(stored)) >> (shift)) & (mask))

#endif
