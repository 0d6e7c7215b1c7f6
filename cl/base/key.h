/* key.h: keys as ordered unsigned bits. KEY_ENCODE maps a stored key to the unsigned number whose
 * order is the key's (header clsort.h, "ordered form"; descending: all bits flipped, never a
 * negation, so the smallest integer has no special case), KEY_DECODE maps it back. Only operators,
 * so both work on vectors of keys too; no float type is needed.
 *
 * Floats: flip the sign bit if it is clear, all bits if it is set (Herf, "Radix tricks", 2001).
 * Negative NaNs are then the KEY_NUM_NANS smallest numbers; subtracting that many wraps them around
 * to the top, behind the positive NaNs, and -inf becomes 0. */
#ifndef CLSORT_KEY_H
#define CLSORT_KEY_H

#include "base/config.h"

#if KEY_BITS == 64
#define WORK_KEY ulong
#define KEY_CONST(x) x##ul
#define KEY_WORK_BITS 64
#else
#define WORK_KEY uint
#define KEY_CONST(x) x##u
#define KEY_WORK_BITS 32
#endif
typedef WORK_KEY key_t;

#if KEY_BITS == 8
#define STORED_KEY uchar
#elif KEY_BITS == 16
#define STORED_KEY ushort
#elif KEY_BITS == 32
#define STORED_KEY uint
#else
#define STORED_KEY ulong
#endif
typedef STORED_KEY stored_key_t;

#define KEY_ALL (~KEY_CONST(0) >> (KEY_WORK_BITS - KEY_BITS))
#define KEY_SIGN (KEY_CONST(1) << (KEY_BITS - 1))
#define KEY_NUM_NANS ((KEY_CONST(1) << KEY_MANTISSA) - 1) /* of one sign */
#define KEY_FLIP (KEY_DESCENDING ? KEY_ALL : KEY_CONST(0))

#if KEY_MANTISSA
#define KEY_ENCODE(k)                                                                              \
    (((((k) ^ (((KEY_CONST(0) - ((k) >> (KEY_BITS - 1))) | KEY_SIGN) & KEY_ALL)) - KEY_NUM_NANS) & \
      KEY_ALL) ^                                                                                   \
     KEY_FLIP)
#define KEY_UNWRAP(k) ((((k) ^ KEY_FLIP) + KEY_NUM_NANS) & KEY_ALL)
#define KEY_UNFLIP(k) ((k) ^ (((((k) >> (KEY_BITS - 1)) - KEY_CONST(1)) | KEY_SIGN) & KEY_ALL))
#define KEY_DECODE(k) KEY_UNFLIP(KEY_UNWRAP(k))
#else
#define KEY_ENCODE(k) ((k) ^ ((KEY_SIGNED ? KEY_SIGN : KEY_CONST(0)) ^ KEY_FLIP))
#define KEY_DECODE(k) KEY_ENCODE(k)
#endif

/* The bits to sort by, as a number. */
#define KEY_PARTIAL (KEY_NUM_BITS < KEY_BITS)
#if KEY_PARTIAL
#define KEY_DIGITS(k) (((k) >> KEY_FIRST_BIT) & (~KEY_CONST(0) >> (KEY_WORK_BITS - KEY_NUM_BITS)))
#else
#define KEY_DIGITS(k) (k)
#endif

#endif
