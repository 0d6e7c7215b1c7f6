/* vectors_avx2.h: what OpenCL's vectors of 32 bytes lack, by Clang's built-in functions for
 * AVX2 (vectors.h). */
#ifndef CLSORT_CPU_VECTORS_AVX2_H
#define CLSORT_CPU_VECTORS_AVX2_H

typedef int builtin_t __attribute__((__vector_size__(32)));
typedef float builtin_signs_t __attribute__((__vector_size__(32)));
#define BUILTIN_PERMUTE __builtin_ia32_permvarsi256

#define LARGER(a, b, min) MAX(a, b)
#define MIN_MAX(v, w, bit) (HAS_BIT(bit) ? MAX(v, w) : MIN(v, w))

#define BUILTIN_AT(p) ((builtin_t *)(size_t)(p)) /* they know no address spaces */
#define FIRST_LANES(n) (LANE_NUMBERS < SET(n))
#define LOAD_FEW(p, n)                                                                        \
    (FIRST_LANES(n)                                                                           \
         ? OF_BUILTIN(__builtin_ia32_maskloadd256(BUILTIN_AT(p), TO_BUILTIN(FIRST_LANES(n)))) \
         : SET(LARGEST_NUMBER))
#define STORE_FEW(p, n, v) \
    __builtin_ia32_maskstored256(BUILTIN_AT(p), TO_BUILTIN(FIRST_LANES(n)), TO_BUILTIN(v))
#define BELOW(v, w) ((uint)__builtin_ia32_movmskps256(__builtin_astype((v) < (w), builtin_signs_t)))

#endif
