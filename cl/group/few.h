/* few.h: finds a key among few, which are in order. */
#ifndef CLSORT_FEW_H
#define CLSORT_FEW_H

#include "base/item.h"

/* An entry of a list of `num_keys` keys, from it up to ONESWEEP_FEW the largest key there is. */
#define FEW_KEY(few, i, num_keys) ((i) < (num_keys) ? (key_t)(few)[i] : (key_t)KEY_ALL)

/* The numbers of `num` keys in the list, or ONESWEEP_FEW; num_keys: at least 1. A turn of the loop
 * is a step for all of them: a compiler has less code, and 16 keys take four steps. */
CLSORT_INLINE void few_find(__local const key_t *keys, uint num_keys, const key_t *own, uint num,
                            uint *at)
{
#pragma unroll
    for (uint i = 0; i < num; ++i)
        at[i] = 0;
#pragma unroll 1
    for (uint step = num_keys > 1 ? 1u << (31 - clz(num_keys - 1)) : 0; step > 0; step /= 2) {
#pragma unroll
        for (uint i = 0; i < num; ++i)
            at[i] += keys[at[i] + step] <= own[i] ? step : 0;
    }
#pragma unroll
    for (uint i = 0; i < num; ++i) {
        at[i] = min(at[i], num_keys - 1); /* the largest key may be listed */
        at[i] = keys[at[i]] == own[i] ? at[i] : ONESWEEP_FEW;
    }
}

#endif
