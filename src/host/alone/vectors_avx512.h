/* vectors_avx512.h: vectors of 64 bytes, of unsigned numbers of 32 or 64 bits.
 *
 * The larger one of two numbers is what is left of both without the smaller one: a ^ b ^ min(a, b).
 * An Intel Xeon takes a minimum on one port alone, but a logical function on two. 2^14 u64: 223
 * million a second, with a maximum 188.
 *
 * Before including it, define lane_t, VECTOR_LANES, lanes_mask, LANE_NUMBERS, SET(x), PERMUTE and
 * SIMD(name), the intrinsic of a name; behind it, split_lanes(), which is SPLIT. */
#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,popcnt")
#endif

#include "base/opencl_as_c.h"

typedef __m512i vector_t;
#define VECTOR_INLINE static inline __attribute__((always_inline))
#define VECTOR_CALLED static __attribute__((noinline))
#define LARGEST_NUMBER ((lane_t) ~(lane_t)0)
#define FIRST_LANES(n) ((lanes_mask)((1u << (n)) - 1))

#define LOAD(p) _mm512_loadu_si512(p)
#define LOAD_PRIVATE(p) _mm512_loadu_si512(p)
#define LOAD_FEW(p, n) SIMD(mask_loadu)(SET(LARGEST_NUMBER), FIRST_LANES(n), p)
#define STORE(p, v) _mm512_storeu_si512(p, v)
#define STORE_FEW(p, n, v) SIMD(mask_storeu)(p, FIRST_LANES(n), v)
#define MIN(a, b) SIMD(min_epu)(a, b)
#define LARGER(a, b, min) SIMD(ternarylogic)(a, b, min, XOR_OF_THREE)
#define MIN_MAX(v, w, bit) \
    SIMD(mask_ternarylogic)(MIN(v, w), SIMD(test)(LANE_NUMBERS, SET(bit)), v, w, XOR_OF_THREE)
#define XOR_OF_THREE 0x96
#define EXCHANGE(v, flip) PERMUTE(_mm512_xor_si512(LANE_NUMBERS, SET(flip)), v)
#define FIRST_NUMBER(v) number_of_lane(v, 0)
#define MIDDLE_NUMBER(v) number_of_lane(v, VECTOR_LANES / 2)
#define SPLIT split_lanes

static inline lane_t number_of_lane(__m512i v, int lane)
{
    lane_t numbers[VECTOR_LANES];
    _mm512_storeu_si512(numbers, v);
    return numbers[lane];
}
