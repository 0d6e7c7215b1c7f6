/* float_scale.h: floats of 64 bits as numbers of a scale that grows evenly with a float's value
 * near the largest ones, and with its logarithm elsewhere. So what is spread smoothly over values,
 * as uniform and normal floats, or over logarithms, as prices, is spread smoothly over the scale.
 *
 * Idea: `top` is the exponent of the largest floats, of either sign. From SCALE_EVEN exponents on,
 * of which it is the last, a mantissa is moved up by as much as its exponent is larger, as in a
 * fixed-point number. Below these exponents and above them floats keep their distance as bits. So
 * different floats have different numbers, in their order. Those further below or above than the
 * scale goes have none, as infinities and NaNs; 0 has one of its own.
 *
 * Numbers of positive floats count upwards from the middle of all, of negative ones downwards.
 * (The scale is linear and then logarithmic as the "symlog" axes of plots, the other way round; our
 * own, 2026.) */
#ifndef CLSORT_FLOAT_SCALE_H
#define CLSORT_FLOAT_SCALE_H

#include "base/key.h"

#define SCALE_EVEN 4   /* exponents whose floats lie evenly */
#define SCALE_BELOW 34 /* and those below and above them */
#define SCALE_ABOVE 14
#define SCALE_EXPONENTS ((1u << (KEY_BITS - 1 - KEY_MANTISSA)) - 1) /* infinity's */
#define SCALE_ONE (KEY_CONST(1) << KEY_MANTISSA)                    /* an exponent's floats */
/* The first float of the even part has number SCALE_OFFSET + SCALE_ONE, from the middle. */
#define SCALE_OFFSET ((SCALE_BELOW - 1) * SCALE_ONE + 1)
/* Numbers on either side of the middle. */
#define SCALE_NUMBERS (SCALE_OFFSET + ((1 << SCALE_EVEN) + SCALE_ABOVE) * SCALE_ONE)

/* Turns the two halves of all numbers so that both begin with 0, and back. */
#define SCALE_TURN(bits) ((bits) ^ ((bits) >= KEY_SIGN ? KEY_SIGN : KEY_SIGN - 1))
#define SCALE_TURN_LIKE(number, bits) ((number) ^ ((bits) >= KEY_SIGN ? KEY_SIGN : KEY_SIGN - 1))

/* An ordered key's exponent. */
#define SCALE_EXPONENT(order) ((uint)(SCALE_TURN(KEY_UNWRAP(order)) >> KEY_MANTISSA))

/* Whether all of a scale's exponents are finite floats'. */
#define SCALE_FITS(top) ((top) >= SCALE_EVEN + SCALE_BELOW && (top) + SCALE_ABOVE < SCALE_EXPONENTS)

/* The first float of the even part, without its sign. */
#define SCALE_FIRST(top) ((key_t)((top) + 1 - SCALE_EVEN) << KEY_MANTISSA)

/* Whether an ordered key has no number. */
CLSORT_INLINE uint scale_is_beyond(key_t order, uint top)
{
    const key_t size = SCALE_TURN(KEY_UNWRAP(order));
    const key_t above = size - SCALE_FIRST(top) + SCALE_BELOW * SCALE_ONE;
    return (above >= (SCALE_BELOW + SCALE_EVEN + SCALE_ABOVE) * SCALE_ONE) &
           (size != 0); /* which has a number of its own */
}

/* The number of an ordered key that has one. */
CLSORT_INLINE key_t scale_number(key_t order, uint top)
{
    const key_t bits = KEY_UNWRAP(order), size = SCALE_TURN(bits);
    const key_t above = size - SCALE_FIRST(top);
    const uint exponent = min((uint)(above >> KEY_MANTISSA), (uint)SCALE_EVEN);
    const key_t rest = above - exponent * SCALE_ONE;
    const key_t even =
        (SCALE_ONE << exponent) + (exponent < SCALE_EVEN ? rest << exponent : rest) + SCALE_OFFSET;
    const key_t below = size ? above + SCALE_BELOW * SCALE_ONE + 1 : 0;
    return SCALE_TURN_LIKE(size >= SCALE_FIRST(top) ? even : below, bits) ^ KEY_FLIP;
}

/* The ordered key of a number. One that no key has gets the next key's towards 0, or infinity's. */
CLSORT_INLINE key_t scale_order(key_t number, uint top)
{
    const key_t bits = number ^ KEY_FLIP, far = SCALE_TURN(bits);
    const key_t even = far - SCALE_OFFSET;
    const uint exponent =
        min(KEY_WORK_BITS - 1 - KEY_MANTISSA - (uint)clz(even | SCALE_ONE), (uint)SCALE_EVEN);
    const key_t rest = even - (SCALE_ONE << exponent);
    const key_t above = exponent * SCALE_ONE + (exponent < SCALE_EVEN ? rest >> exponent : rest);
    const key_t below = far - SCALE_BELOW * SCALE_ONE - 1;
    const key_t size =
        far ? SCALE_FIRST(top) + (far >= SCALE_OFFSET + SCALE_ONE ? above : below) : 0;
    const key_t finite = min(size, (key_t)SCALE_EXPONENTS << KEY_MANTISSA);
    return ((SCALE_TURN_LIKE(finite, bits) - KEY_NUM_NANS) & KEY_ALL) ^ KEY_FLIP;
}

#endif
