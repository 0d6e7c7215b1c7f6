/* vectors_32_avx2.c: numbers of 32 bits, by vectors of 32 bytes. Numbers of 64 bits are not
 * sorted so: AVX2 has no minimum of them, and 2^14 took 1.1 times as long as by digits. */
#include "host/alone/items.h"

#if HOST_HAS_X86
#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,popcnt")
#endif

#include "base/opencl_as_c.h"

#define lane_t host_u32
#define VECTOR_LANES 8
#define SPLIT_TABLE static const
#include "cpu/vector_split.h"

typedef __m256i vector_t;
#define VECTOR_INLINE static inline __attribute__((always_inline))

#define SET(x) _mm256_set1_epi32((int)(x))
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define LOAD_PRIVATE(p) LOAD(p)
#define LOAD_FEW(p, n)                      \
    _mm256_blendv_epi8(SET(LARGEST_NUMBER), \
                       _mm256_maskload_epi32((const int *)(p), first_lanes(n)), first_lanes(n))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define STORE_FEW(p, n, v) _mm256_maskstore_epi32((int *)(p), first_lanes(n), v)
#define MIN(a, b) _mm256_min_epu32(a, b)
#define MAX(a, b) _mm256_max_epu32(a, b)
#define LARGER(a, b, min) MAX(a, b)
#define MIN_MAX(v, w, bit) lanes_with_bit(MIN(v, w), MAX(v, w), bit)
#define EXCHANGE(v, flip) flip_lanes(v, flip)

VECTOR_INLINE __m256i first_lanes(uint n)
{
    static const int lanes[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return LOAD(lanes + 8 - n);
}

/* Lane i takes what lane i ^ flip has; instructions want the lanes as a constant. */
VECTOR_INLINE __m256i flip_lanes(__m256i v, uint flip)
{
    const uint in_half = flip % 4;
    v = in_half == 1   ? _mm256_shuffle_epi32(v, _MM_SHUFFLE(2, 3, 0, 1))
        : in_half == 2 ? _mm256_shuffle_epi32(v, _MM_SHUFFLE(1, 0, 3, 2))
        : in_half == 3 ? _mm256_shuffle_epi32(v, _MM_SHUFFLE(0, 1, 2, 3))
                       : v;
    return flip < 4 ? v : _mm256_permute4x64_epi64(v, _MM_SHUFFLE(1, 0, 3, 2));
}

/* The lanes of w whose number has this bit, and the others of v. */
VECTOR_INLINE __m256i lanes_with_bit(__m256i v, __m256i w, uint bit)
{
    return bit == 1   ? _mm256_blend_epi32(v, w, 0xaa)
           : bit == 2 ? _mm256_blend_epi32(v, w, 0xcc)
                      : _mm256_blend_epi32(v, w, 0xf0);
}

VECTOR_INLINE uint split_lanes(__m256i v, __m256i pivots, lane_t *left, lane_t *right)
{
    const __m256i others = _mm256_cmpeq_epi32(MAX(v, pivots), v);
    const uint below = (uint)_mm256_movemask_ps(_mm256_castsi256_ps(others)) ^ 0xff;
    const __m128i lanes = _mm_loadl_epi64((const __m128i *)&lanes_of_mask[below]);
    v = _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(lanes));
    STORE(left, v);
    STORE(right - VECTOR_LANES, v);
    return (uint)__builtin_popcount(below);
}

#define HOST_VECTORS host_vectors_32_avx2
#include "host/alone/vectors.h"
#endif
