/* array.h: the array that msd.h sorts, and its tables in scratch, for the sample, too. */
#ifndef CLSORT_MSD_ARRAY_H
#define CLSORT_MSD_ARRAY_H

#include "base/item.h"

/* How msd_split reads the keys: as they stand, or dealt, since they are partly in order. */
#define MSD_EVEN 1u
#define MSD_DEALT 2u
#define DEAL_MOST (1u << 30) /* elements; numbers of those behind the last fit in 32 bits */

/* The bits to sort by of a stored key, as a number; the parameters are q. */
#define MSD_ORDER(stored) (((KEY_ENCODE((key_t)(stored))) >> q->first_bit) & (key_t)q->digits_mask)

/* A table in scratch. The parameters are q. A kernel copies its own, so that a compiler reads each
 * of them once, whatever is stored meanwhile. */
#define MSD_TABLE(type, table) BUFFER_TABLE(type, q->offsets, scratch, q->table)
#define MSD_CONTROL MSD_TABLE(struct msd_control, control)

#define MSD_ARGS ITEM_ARGS, __global void *scratch
#define MSD_BUFFERS keys_in, keys_out, payload_in, payload_out, scratch

/* The keys, or what moves with them, in the input or the output. */
#define msd_keys(q, buffers, buffer) buffer_keys((q)->offsets, buffers, buffer, 0)
#define msd_payload(q, buffers, buffer) buffer_payload((q)->offsets, buffers, buffer, 0)

#endif
