/* vectors_avx512.h: vectors of 64 bytes, of unsigned numbers of 32 or 64 bits.
 *
 * The larger one of two numbers is what is left of both without the smaller one: a ^ b ^ min(a, b).
 * An Intel Xeon takes a minimum on one port alone, but a logical function on two. 2^14 u64: 223
 * million a second, with a maximum 188.
 *
 * Before including it, define LANE_BITS, 32 or 64, VECTOR_LANES, how many there are, and
 * LANE_NUMBERS. */
#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,popcnt")
#endif

#include "base/opencl_as_c.h"

/* The intrinsic whose name ends with the bits of a lane. */
#define SIMD(name) JOIN(_mm512_##name, LANE_BITS)
#define JOIN(a, b) JOIN_(a, b)
#define JOIN_(a, b) a##b

#define lane_t JOIN(host_u, LANE_BITS)
#define lanes_mask JOIN(__mmask, VECTOR_LANES)
typedef __m512i vector_t;
#define VECTOR_INLINE static inline __attribute__((always_inline))
#define FIRST_LANES(n) ((lanes_mask)((1u << (n)) - 1))

#define SET(x) SIMD(set1_epi)(x)
#define LOAD(p) _mm512_loadu_si512(p)
#define LOAD_PRIVATE(p) _mm512_loadu_si512(p)
#define LOAD_FEW(p, n) SIMD(mask_loadu_epi)(SET(LARGEST_NUMBER), FIRST_LANES(n), p)
#define STORE(p, v) _mm512_storeu_si512(p, v)
#define STORE_FEW(p, n, v) SIMD(mask_storeu_epi)(p, FIRST_LANES(n), v)
#define MIN(a, b) SIMD(min_epu)(a, b)
#define LARGER(a, b, min) SIMD(ternarylogic_epi)(a, b, min, XOR_OF_THREE)
#define HAS_BIT(bit) JOIN(SIMD(test_epi), _mask)(LANE_NUMBERS, SET(bit))
#define MIN_MAX(v, w, bit) SIMD(mask_ternarylogic_epi)(MIN(v, w), HAS_BIT(bit), v, w, XOR_OF_THREE)
#define XOR_OF_THREE 0x96
#define EXCHANGE(v, flip) SIMD(permutexvar_epi)(_mm512_xor_si512(LANE_NUMBERS, SET(flip)), v)
