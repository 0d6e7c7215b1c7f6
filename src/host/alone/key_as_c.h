/* key_as_c.h: what the kernels' headers have to know of an element, where they are compiled as C
 * (base/opencl_as_c.h): one number, sorted by all bits, by one work-item. Before including it,
 * define KEY_BITS, and what else differs. */
#ifndef KEY_AS_C_H
#define KEY_AS_C_H

#include "base/opencl_as_c.h"

#define key_t host_key /* POSIX has a type of this name */

#ifndef KEY_MANTISSA
#define KEY_MANTISSA 0
#endif
#ifndef KEY_DESCENDING
#define KEY_DESCENDING 0
#endif
#ifndef PAYLOAD_SIZE
#define PAYLOAD_SIZE 0
#endif
#ifndef RADIX_BITS
#define RADIX_BITS 8
#endif
#define RECORD_SIZE 0
#define KEY_SIGNED 0
#define KEY_FIRST_BIT 0
#define KEY_NUM_BITS KEY_BITS
#define PAYLOAD_INDEX 0
#define GROUP_SIZE 1
#define ITEMS 1
#define LANES 1
#define TILE_BITS 0
#define BANKS 0
#define CLSORT_SUBGROUP 0
#define MOVE_UNIT 1
#define HELD 0
#define BLOCK_LANES 0
#define CUTS_LEAVES 0
#define SHORT_RESTS 0
#define SPLITTERS 0
#define KEEPS_ORDER 0
#define REGISTERS 0
#define LOCAL_SIZE 0

#endif
