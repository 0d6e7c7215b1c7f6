/* pass.h: what is the same for all tiles of a pass (onesweep.h): where its elements come
 * from, where they go, its digit and its tables. */
#ifndef CLSORT_ONESWEEP_PASS_H
#define CLSORT_ONESWEEP_PASS_H

#include "sorts/onesweep/item.h"

struct onesweep_pass {
    __global uint *bin_offsets;      /* where each digit's elements begin in the output */
    __global uint *tile_states;      /* [tile][digit] */
    __global uint *next_tile_states; /* of the next pass, emptied on the way */
    struct onesweep_arrays from, to;
    uint spin_limit;
    uint shift, mask; /* of the digit */
    uint up, down;    /* the same, by other shifts: see onesweep_rank() */
    int any_order;    /* tiles take their ranges as they come; none looks back */
};

/* Fills in what pass `number` needs. A barrier has to follow. */
CLSORT_INLINE void onesweep_open(struct onesweep_pass *pass, const struct onesweep_params *q,
                                 ONESWEEP_ARGS, uint number)
{
    __global struct onesweep_control *control = ONESWEEP_CONTROL;
    __global uint *tile_states = ONESWEEP_TABLE(uint, tile_states);
    const uint num_states = q->num_tiles * RADIX;
    const uint end = number < control->first_end ? control->first_end : control->num_passes;
    const uint digit = control->digits[number];
    const uint to = (end - number) % 2 ? BUFFER_OUT : BUFFER_SCRATCH;
    const uint from = number == 0 ? BUFFER_IN : to == BUFFER_OUT ? BUFFER_SCRATCH : BUFFER_OUT;
    pass->mask = ONESWEEP_MASK(digit);
    pass->shift = ONESWEEP_SHIFT(digit) + q->first_bit;
    pass->down = KEY_WORK_BITS - popcount(pass->mask);
    pass->up = pass->down - pass->shift;
    /* What is equal so far need not keep its order when the first digit is sorted by. */
    pass->any_order = number == control->copies_first && q->flags & FLAG_UNORDERED;
    pass->spin_limit = q->spin_limit;
    pass->bin_offsets = ONESWEEP_TABLE(uint, bin_offsets) + (digit << RADIX_BITS);
    pass->tile_states = tile_states + number % 2 * num_states;
    pass->next_tile_states = tile_states + (number + 1) % 2 * num_states;
    onesweep_bind(&pass->from, q, ONESWEEP_BUFFERS, from);
    onesweep_bind(&pass->to, q, ONESWEEP_BUFFERS, to);
}

#endif
