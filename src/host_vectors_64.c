/* host_vectors_64.c: numbers of 64 bits. */
#define lane_t host_u64
#define VECTOR_LANES 8
#define lanes_mask __mmask8
#define LANE_NUMBERS _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0)
#define SET(x) _mm512_set1_epi64((long long)(x))
#define PERMUTE _mm512_permutexvar_epi64
#define SIMD(name) SIMD_##name
#define SIMD_min_epu _mm512_min_epu64
#define SIMD_max_epu _mm512_max_epu64
#define SIMD_mask_max_epu _mm512_mask_max_epu64
#define SIMD_test _mm512_test_epi64_mask
#define SIMD_mask_loadu _mm512_mask_loadu_epi64
#define SIMD_mask_storeu _mm512_mask_storeu_epi64
#define SIMD_cmplt_epu_mask _mm512_cmplt_epu64_mask
#define SIMD_maskz_compress _mm512_maskz_compress_epi64
#include "host_vectors.h"

#if HOST_HAS_X86
__attribute__((target("avx512f,popcnt"))) void host_vectors_sort_64(void *numbers, size_t count)
{
    sort_unless_in_order(numbers, count);
}
#endif
