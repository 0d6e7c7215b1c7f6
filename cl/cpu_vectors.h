/* cpu_vectors.h: items that are numbers of 32 or 64 bits, sorted by vectors (vector_sort.h) on CPUs
 * with AVX-512.
 *
 * OpenCL's own vectors do nearly all of it. But they cannot compress a vector to some of its lanes,
 * nor read or write a part of one. Clang, which PoCL compiles with, has built-in functions for that.
 * Where they are missing, items are sorted by digits (cpu_sort.h); without optimisation too, since
 * the compiler then takes seconds. */
#ifndef CLSORT_CPU_VECTORS_H
#define CLSORT_CPU_VECTORS_H

#include "cpu_bins.h"

/* Items are compared whole, so ties between equal keys go by the payload: stable for indices. */
#if defined(__OPENCL_VERSION__) && defined(__clang__) && defined(__AVX512F__) &&        \
    defined(__OPTIMIZE__) && LANES * ITEM_SIZE == 64 && !RECORD_SIZE && !KEY_PARTIAL && \
    (PAYLOAD_SIZE == 0 || (PAYLOAD_INDEX && ITEM_SIZE == 8))
/* Those for 64 bits have the same history. */
#if __has_builtin(__builtin_ia32_loaddqusi512_mask) &&  \
    __has_builtin(__builtin_ia32_storedqusi512_mask) && \
    __has_builtin(__builtin_ia32_compresssi512_mask) && \
    __has_builtin(__builtin_ia32_permvarsi512) && __has_builtin(__builtin_ia32_ucmpd512_mask)
#define CPU_VECTORS 1
#endif
#endif
#ifndef CPU_VECTORS
#define CPU_VECTORS 0
#endif

#if CPU_VECTORS
#define VECTOR_INLINE static inline __attribute__((always_inline))
#define VECTOR_CALLED CPU_CALLED
typedef ITEM lane_t;

#if ITEM_SIZE == 4
#define VECTOR_LANES 16
typedef uint16 vector_t;
typedef ushort lanes_mask;
typedef int builtin_t __attribute__((__vector_size__(64)));
typedef int builtin_number;
#define BUILTIN_LOAD __builtin_ia32_loaddqusi512_mask
#define BUILTIN_STORE __builtin_ia32_storedqusi512_mask
#define BUILTIN_COMPRESS __builtin_ia32_compresssi512_mask
#define BUILTIN_PERMUTE __builtin_ia32_permvarsi512
#define BUILTIN_COMPARE __builtin_ia32_ucmpd512_mask
#define LANE_NUMBERS ((uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#else
#define VECTOR_LANES 8
typedef ulong8 vector_t;
typedef uchar lanes_mask;
typedef long builtin_t __attribute__((__vector_size__(64)));
typedef long builtin_number;
#define BUILTIN_LOAD __builtin_ia32_loaddqudi512_mask
#define BUILTIN_STORE __builtin_ia32_storedqudi512_mask
#define BUILTIN_COMPRESS __builtin_ia32_compressdi512_mask
#define BUILTIN_PERMUTE __builtin_ia32_permvardi512
#define BUILTIN_COMPARE __builtin_ia32_ucmpq512_mask
#define LANE_NUMBERS ((ulong8)(0, 1, 2, 3, 4, 5, 6, 7))
#endif

/* PoCL 3.1 makes three instructions of vstore16(). */
typedef vector_t at_any_address_t __attribute__((aligned(4)));
#define LOAD(p) (*(__global const at_any_address_t *)(p))
#define LOAD_PRIVATE(p) (*(const at_any_address_t *)(p))
#define STORE(p, v) (*(__global at_any_address_t *)(p) = (v))
#define SET(x) ((vector_t)(x))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) < (b) ? (b) : (a))
#define MIN_MAX(v, w, bit) ((LANE_NUMBERS & SET(bit)) != SET(0) ? MAX(v, w) : MIN(v, w))
#define FIRST_NUMBER(v) ((v).s0)
#define MIDDLE_NUMBER(v) ((v).hi.s0)
#define NUM_ONES(mask) popcount((uint)(mask))

#define TO_BUILTIN(v) __builtin_astype(v, builtin_t)
#define OF_BUILTIN(v) __builtin_astype(v, vector_t)
#define BUILTIN_AT(p) ((builtin_number *)(size_t)(p)) /* they know no address spaces */
#define FIRST_LANES(n) ((lanes_mask)((1u << (n)) - 1))
#define LESS_THAN 1
#define EXCHANGE(v, flip) \
    OF_BUILTIN(BUILTIN_PERMUTE(TO_BUILTIN(v), TO_BUILTIN(LANE_NUMBERS ^ SET(flip))))
#define LOAD_FEW(p, n) \
    OF_BUILTIN(BUILTIN_LOAD(BUILTIN_AT(p), TO_BUILTIN(SET(~(lane_t)0)), FIRST_LANES(n)))
#define STORE_FEW(p, n, v) BUILTIN_STORE(BUILTIN_AT(p), TO_BUILTIN(v), FIRST_LANES(n))
#define BELOW(v, w) BUILTIN_COMPARE(TO_BUILTIN(v), TO_BUILTIN(w), LESS_THAN, (lanes_mask)-1)
#define COMPRESS(v, mask) OF_BUILTIN(BUILTIN_COMPRESS(TO_BUILTIN(v), TO_BUILTIN(SET(0)), mask))

#include "vector_sort.h"
#endif

#endif
