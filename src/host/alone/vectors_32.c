/* vectors_32.c: numbers of 32 bits, by AVX-512. */
#include "host/alone/items.h"

#if HOST_HAS_X86
#define LANE_BITS 32
#define VECTOR_LANES 16
#define LANE_NUMBERS _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#include "host/alone/vectors_avx512.h"

VECTOR_INLINE uint split_lanes(__m512i v, __m512i pivots, lane_t *left, lane_t *right)
{
    const __mmask16 below = _mm512_cmplt_epu32_mask(v, pivots);
    const uint num = (uint)__builtin_popcount(below), num_others = VECTOR_LANES - num;
    STORE(left, _mm512_maskz_compress_epi32(below, v));
    STORE_FEW(right - num_others, num_others, _mm512_maskz_compress_epi32(~below, v));
    return num;
}
#define HOST_VECTORS host_vectors_32
#include "host/alone/vectors.h"
#endif
