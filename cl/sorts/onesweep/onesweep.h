/* onesweep.h: stable radix sort from the least significant digit up; a pass reads and writes
 * each element once ("onesweep": Adinets and Merrill, 2022).
 *
 *   fill              empties the tables (move/table.cl)
 *   onesweep_sort     counts all digits of all keys in one read; sees which digits all keys share,
 *                     and whether the keys are in order already; then moves the elements by one
 *                     digit after the other
 *
 * A tile of a pass must know how many elements of each digit are in the tiles before it. It
 * learns that by decoupled look-back (device/lookback.h). A tile that is not published in time
 * is counted again from the pass's input, which does not change meanwhile, so a look-back always
 * ends. A word has 30 bits for a count. So it counts from the first tile of its portion, and a tile
 * looks back through the portions before its own, too.
 *
 * If equal keys may be reordered (FLAG_UNORDERED), the tiles of the first pass take their ranges
 * by atomic additions and do not look back, and keys in reversed order are turned around. A digit
 * that all keys share has no pass; of few different keys, nor has a digit that tells none from
 * another (few.h). Keys of 64 bits seldom need passes by their lowest digits (settle.h). Passes
 * alternate between scratch and the output, and the last one writes to the output. If their number
 * is odd in place, the first only copies. */
#ifndef CLSORT_ONESWEEP_H
#define CLSORT_ONESWEEP_H

/* Digits of a key at most. */
#define ONESWEEP_DIGITS ((KEY_BITS + RADIX_BITS - 1) / RADIX_BITS)

/* Whether passes by the lowest digits may be left out. */
#define ONESWEEP_SETTLES (KEY_BITS == 64 && ONESWEEP_DIGITS <= 8)

#include "base/buffers.h"
#include "device/barrier.h"
#include "group/digit_rank.h"
#include "base/item.h"

#define ONESWEEP_ARGS ITEM_ARGS, __global void *scratch
#define ONESWEEP_BUFFERS keys_in, keys_out, payload_in, payload_out, scratch

/* All of these take the parameters from q. */
#define ONESWEEP_TABLE(type, table) BUFFER_TABLE(type, q->offsets, scratch, q->table)
#define ONESWEEP_ENGINE ONESWEEP_TABLE(struct msd_control, engine)
/* What stands before (msd/msd.h) leaves all. */
#define ONESWEEP_IS_LEFT \
    (ONESWEEP_ENGINE->is_left || ONESWEEP_ENGINE->split_gave_up || ONESWEEP_ENGINE->leaf_gave_up)
#define ONESWEEP_IS_IDLE (q->flags & ONESWEEP_FLAG_BEHIND && !ONESWEEP_IS_LEFT)
#define ONESWEEP_CONTROL ONESWEEP_TABLE(struct onesweep_control, control)

/* Among the passes' digits, from this one on are others' numbers: the keys are in order already, or
 * in reversed order; and settle.h's. */
#define ONESWEEP_COPY 0x100u

#define ONESWEEP_UP 1u   /* there is a key before a larger one */
#define ONESWEEP_DOWN 2u /* or before a smaller one */

/* The keys, or what moves with them, of a buffer. */
#define onesweep_keys(q, buffers, buffer) buffer_keys((q)->offsets, buffers, buffer, (q)->work_keys)
#define onesweep_payload(q, buffers, buffer) \
    buffer_payload((q)->offsets, buffers, buffer, (q)->work_payload)

/* The lowest bit of a digit, counted from the lowest that is sorted by. */
#define ONESWEEP_SHIFT(digit) ((digit)*q->num_bits / q->num_digits)
#define ONESWEEP_MASK(digit) ((1u << (ONESWEEP_SHIFT((digit) + 1) - ONESWEEP_SHIFT(digit))) - 1)
/* The bits to sort by of a stored key, as a number; a digit of it. */
#define ONESWEEP_ORDER(stored) \
    (KEY_ENCODE((key_t)(stored)) >> q->first_bit & ~KEY_CONST(0) >> (KEY_WORK_BITS - q->num_bits))
#define ONESWEEP_DIGIT(stored, shift, mask) \
    ((uint)(KEY_ENCODE((key_t)(stored)) >> (shift)) & (mask))

#endif
