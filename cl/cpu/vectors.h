/* vectors.h: items that are numbers of 32 or 64 bits, sorted by vectors (vector_sort.h) on CPUs
 * with AVX-512, those of 32 bits on CPUs with AVX2, too. Other items become numbers of 64 bits
 * (joined.h), which lie in the items' storage: items of fewer bytes are sorted by digits.
 *
 * OpenCL's own vectors do nearly all of it. But they cannot read or write a part of a vector, nor
 * make a mask of a comparison. Clang, which PoCL compiles with, has built-in functions for that.
 * Where they are missing, items are sorted by digits (sort.h); without optimisation too, since
 * the compiler then takes seconds. */
#ifndef CLSORT_CPU_VECTORS_H
#define CLSORT_CPU_VECTORS_H

#include "cpu/bins.h"

/* Items that may be compared whole: ties between equal keys go by the payload, which is stable for
 * indices. */
#if !KEY_PARTIAL && (PAYLOAD_SIZE == 0 || (PAYLOAD_INDEX && ITEM_SIZE == 8))
#define ITEMS_ARE_NUMBERS 1
#define LANE_SIZE ITEM_SIZE
#else
#define ITEMS_ARE_NUMBERS 0
#define LANE_SIZE 8
#endif

#if defined(__OPENCL_VERSION__) && defined(__clang__) && defined(__OPTIMIZE__) && !RECORD_SIZE
/* Other built-in functions of a processor have the same history as these. */
#if LANES * LANE_SIZE == 64 && LANE_SIZE <= ITEM_SIZE && defined(__AVX512F__)
#if __has_builtin(__builtin_ia32_loaddqusi512_mask) &&  \
    __has_builtin(__builtin_ia32_storedqusi512_mask) && \
    __has_builtin(__builtin_ia32_compresssi512_mask) && \
    __has_builtin(__builtin_ia32_permvarsi512) && __has_builtin(__builtin_ia32_ucmpd512_mask)
#define CPU_VECTORS 512
#endif
#elif LANES * LANE_SIZE == 32 && LANE_SIZE == 4 && defined(__AVX2__)
#if __has_builtin(__builtin_ia32_maskloadd256) && __has_builtin(__builtin_ia32_maskstored256) && \
    __has_builtin(__builtin_ia32_permvarsi256) && __has_builtin(__builtin_ia32_movmskps256)
#define CPU_VECTORS 256
#endif
#endif
#endif
#ifndef CPU_VECTORS
#define CPU_VECTORS 0
#endif
#define VECTORS_OF_ITEMS (CPU_VECTORS && ITEMS_ARE_NUMBERS)
#define VECTORS_OF_JOINED (CPU_VECTORS && !ITEMS_ARE_NUMBERS)

/* Up to how many items vectors sort faster than the digits that tell random keys apart. An EPYC
 * with AVX-512 sorts 2^12 u32+u32 in 20.8 us by vectors and 24.2 by digits, 2^13 in 43 and 40. */
#define JOINED_MAX (!VECTORS_OF_JOINED ? 0 : ITEM_SIZE == 16 ? ~0u : 1u << 12)

#if CPU_VECTORS
#define VECTOR_INLINE static inline __attribute__((always_inline))
#define VECTOR_CALLED CPU_CALLED
#if LANE_SIZE == 4
typedef uint lane_t;
#else
typedef ulong lane_t;
#endif
#define VECTOR_LANES LANES

#if LANES == 16
typedef uint16 vector_t;
#define LANE_NUMBERS ((uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#elif LANE_SIZE == 4
typedef uint8 vector_t;
#define LANE_NUMBERS ((uint8)(0, 1, 2, 3, 4, 5, 6, 7))
#define LANES_OF_BYTES convert_uint8
#else
typedef ulong8 vector_t;
#define LANE_NUMBERS ((ulong8)(0, 1, 2, 3, 4, 5, 6, 7))
#define LANES_OF_BYTES convert_ulong8
#endif

/* PoCL 3.1 makes three instructions of vstore16(). */
typedef vector_t at_any_address_t __attribute__((aligned(4)));
#define LOAD(p) (*(__global const at_any_address_t *)(p))
#define LOAD_PRIVATE(p) (*(const at_any_address_t *)(p))
#define STORE(p, v) (*(__global at_any_address_t *)(p) = (v))
#define SET(x) ((vector_t)(x))
#define LARGEST_NUMBER (~(lane_t)0)
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) < (b) ? (b) : (a))
#define HAS_BIT(bit) ((LANE_NUMBERS & SET(bit)) != SET(0))
#define FIRST_NUMBER(v) ((v).s0)
#define MIDDLE_NUMBER(v) ((v).hi.s0)
#define SPLIT split_lanes

#define TO_BUILTIN(v) __builtin_astype(v, builtin_t)
#define OF_BUILTIN(v) __builtin_astype(v, vector_t)
#define PERMUTE(v, lanes) OF_BUILTIN(BUILTIN_PERMUTE(TO_BUILTIN(v), TO_BUILTIN(lanes)))
#define EXCHANGE(v, flip) PERMUTE(v, LANE_NUMBERS ^ SET(flip))

/* What OpenCL's vectors lack, by built-in functions for AVX-512 or AVX2. */
#if CPU_VECTORS == 512
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
#else
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
#else
#define SPLIT_TABLE __constant
#include "cpu/vector_split.h"

VECTOR_INLINE uint split_lanes(vector_t v, vector_t pivots, __global lane_t *left,
                               __global lane_t *right)
{
    const uint below = BELOW(v, pivots);
    v = PERMUTE(v, LANES_OF_BYTES(as_uchar8(lanes_of_mask[below])));
    STORE(left, v);
    STORE(right - VECTOR_LANES, v);
    return popcount(below);
}
#endif

#include "cpu/vector_sort.h"
#endif

#if VECTORS_OF_JOINED
CLSORT_INLINE void numbers_sort(__global lane_t *numbers, ulong count)
{
    ulong i = 1;
    while (i < count && numbers[i - 1] <= numbers[i])
        ++i;
    if (i < count)
        sort_numbers(numbers, count);
}
#define NUMBERS_SORT numbers_sort
#include "cpu/joined.h"
#endif

#endif
