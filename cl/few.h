/* few.h: finds a key among few, which are in order. */
#ifndef CLSORT_FEW_H
#define CLSORT_FEW_H

#include "item.h"

/* The number of a listed key, or ONESWEEP_FEW; num_keys: at least 1. */
CLSORT_INLINE uint few_find(__local const key_t *keys, uint num_keys, key_t key)
{
    uint at = 0;
#pragma unroll
    for (uint step = ONESWEEP_FEW / 2; step > 0; step /= 2)
        at += at + step < num_keys && keys[at + step] <= key ? step : 0;
    return keys[at] == key ? at : ONESWEEP_FEW;
}

#endif
