/* vectors_avx512.h: what OpenCL's vectors of 64 bytes lack, by Clang's built-in functions for
 * AVX-512 (vectors.h). */
#ifndef CLSORT_CPU_VECTORS_AVX512_H
#define CLSORT_CPU_VECTORS_AVX512_H

#if LANE_SIZE == 4
typedef ushort lanes_mask;
typedef int builtin_t __attribute__((__vector_size__(64)));
typedef int builtin_number;
#define BUILTIN_LOAD __builtin_ia32_loaddqusi512_mask
#define BUILTIN_STORE __builtin_ia32_storedqusi512_mask
#define BUILTIN_COMPRESS __builtin_ia32_compresssi512_mask
#define BUILTIN_PERMUTE __builtin_ia32_permvarsi512
#define BUILTIN_COMPARE __builtin_ia32_ucmpd512_mask
#else
typedef uchar lanes_mask;
typedef long builtin_t __attribute__((__vector_size__(64)));
typedef long builtin_number;
#define BUILTIN_LOAD __builtin_ia32_loaddqudi512_mask
#define BUILTIN_STORE __builtin_ia32_storedqudi512_mask
#define BUILTIN_PERMUTE __builtin_ia32_permvardi512
#define BUILTIN_COMPARE __builtin_ia32_ucmpq512_mask
#endif

/* What is left of both without the smaller one, for the reason in
 * src/host/alone/vectors_avx512.h. */
#define LARGER(a, b, min) ((a) ^ (b) ^ (min))
#define MIN_MAX(v, w, bit) (HAS_BIT(bit) ? LARGER(v, w, MIN(v, w)) : MIN(v, w))

#define BUILTIN_AT(p) ((builtin_number *)(size_t)(p)) /* they know no address spaces */
#define FIRST_LANES(n) ((lanes_mask)((1u << (n)) - 1))
#define LESS_THAN 1
#define LOAD_FEW(p, n) \
    OF_BUILTIN(BUILTIN_LOAD(BUILTIN_AT(p), TO_BUILTIN(SET(LARGEST_NUMBER)), FIRST_LANES(n)))
#define STORE_FEW(p, n, v) BUILTIN_STORE(BUILTIN_AT(p), TO_BUILTIN(v), FIRST_LANES(n))
#define BELOW(v, w) BUILTIN_COMPARE(TO_BUILTIN(v), TO_BUILTIN(w), LESS_THAN, (lanes_mask)-1)

#if LANES == 16
#define COMPRESS(v, mask) OF_BUILTIN(BUILTIN_COMPRESS(TO_BUILTIN(v), TO_BUILTIN(SET(0)), mask))

VECTOR_INLINE uint split_lanes(vector_t v, vector_t pivots, __global lane_t *left,
                               __global lane_t *right)
{
    const lanes_mask below = BELOW(v, pivots);
    const uint num = popcount((uint)below), num_others = VECTOR_LANES - num;
    STORE(left, COMPRESS(v, below));
    STORE_FEW(right - num_others, num_others, COMPRESS(v, (lanes_mask)~below));
    return num;
}
#endif

#endif
