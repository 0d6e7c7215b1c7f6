/* host_vectors.h: the quicksort by vectors of cl/vector_sort.h, compiled as C for numbers of 32 or
 * 64 bits and processors with AVX-512.
 *
 * Before including it, define lane_t, VECTOR_LANES, lanes_mask, LANE_NUMBERS, SET(x), PERMUTE, and
 * SIMD(name), the intrinsic of a name. Include it once in a file. */
#include "host_items.h"

#if HOST_HAS_X86
#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,popcnt")
#endif

#include "opencl_as_c.h"

typedef __m512i vector_t;
#define VECTOR_INLINE static inline __attribute__((always_inline))
#define VECTOR_CALLED static __attribute__((noinline))
#define FIRST_LANES(n) ((lanes_mask)((1u << (n)) - 1))

#define LOAD(p) _mm512_loadu_si512(p)
#define LOAD_PRIVATE(p) _mm512_loadu_si512(p)
#define LOAD_FEW(p, n) SIMD(mask_loadu)(_mm512_set1_epi32(-1), FIRST_LANES(n), p)
#define STORE(p, v) _mm512_storeu_si512(p, v)
#define STORE_FEW(p, n, v) SIMD(mask_storeu)(p, FIRST_LANES(n), v)
#define MIN(a, b) SIMD(min_epu)(a, b)
#define MAX(a, b) SIMD(max_epu)(a, b)
#define MIN_MAX(v, w, bit) \
    SIMD(mask_max_epu)(SIMD(min_epu)(v, w), SIMD(test)(LANE_NUMBERS, SET(bit)), v, w)
#define EXCHANGE(v, flip) PERMUTE(_mm512_xor_si512(LANE_NUMBERS, SET(flip)), v)
#define BELOW(v, w) SIMD(cmplt_epu_mask)(v, w)
#define COMPRESS(v, mask) SIMD(maskz_compress)(mask, v)
#define NUM_ONES(mask) ((uint)__builtin_popcount(mask))
#define FIRST_NUMBER(v) number_of_lane(v, 0)
#define MIDDLE_NUMBER(v) number_of_lane(v, VECTOR_LANES / 2)

static inline lane_t number_of_lane(__m512i v, int lane)
{
    lane_t numbers[VECTOR_LANES];
    _mm512_storeu_si512(numbers, v);
    return numbers[lane];
}

#include "vector_sort.h"

/* Whether the numbers ascend, or descend. Random ones are given up after a few. */
static int are_in_order(const lane_t *keys, size_t count, int descending)
{
    for (size_t i = 1; i < count; ++i) {
        if (descending ? keys[i - 1] < keys[i] : keys[i - 1] > keys[i])
            return 0;
    }
    return 1;
}

static void sort_unless_in_order(lane_t *keys, size_t count)
{
    if (are_in_order(keys, count, 0))
        return;
    if (are_in_order(keys, count, 1)) {
        for (size_t i = 0, j = count - 1; i < j; ++i, --j) {
            const lane_t low = keys[j];
            keys[j] = keys[i];
            keys[i] = low;
        }
        return;
    }
    sort_numbers(keys, count);
}

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
