/* host_vectors.h: quicksort of unsigned numbers by vectors of 64 bytes (AVX-512), in the way of
 * vqsort (M. Blacher, J. Giesen, P. Sanders, J. Wassenberg: "Vectorized and performance-portable
 * quicksort", 2022).
 *
 * A partition reads a vector at a time and compresses the numbers below the pivot to the left end
 * of the array, and the others to its right end. Up to MAX_LEAF numbers are sorted in registers, as
 * a matrix: first each column, then bitonic merges join neighbouring columns until one is left. No
 * branch depends on a single number. If pivots turn out bad, heapsort goes on. Everything is in
 * place.
 *
 * Before including it, define number, LANES (numbers in a vector), lanes_mask, LANE_NUMBERS,
 * SET(x), PERMUTE, and SIMD(name), the intrinsic of a name. Include it once in a file. */
#include "host_items.h"

#if HOST_HAS_X86
#include <immintrin.h>
#include <string.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,popcnt"))), apply_to = function)
#define UNROLLED _Pragma("unroll")
#else
#pragma GCC push_options
#pragma GCC target("avx512f,popcnt")
#define UNROLLED _Pragma("GCC unroll 16")
#endif
#define INLINE static inline __attribute__((always_inline))

#define MAX_ROWS 16
#define STEP 4 /* vectors; 2^14 numbers of 32 bits: 571 million a second, 504 with 2, 545 with 8 */
#define MAX_LEAF (MAX_ROWS * LANES)
#define ALL_ONES _mm512_set1_epi32(-1)
#define FIRST_LANES(n) ((lanes_mask)((1u << (n)) - 1))

/* ---- A leaf in registers --------------------------------------------------------------------- */
INLINE void order(__m512i *a, __m512i *b)
{
    const __m512i smaller = SIMD(min_epu)(*a, *b);
    *b = SIMD(max_epu)(*a, *b);
    *a = smaller;
}

/* Lane i takes what lane i ^ `flip` has. */
INLINE __m512i exchanged(__m512i v, int flip)
{
    return PERMUTE(_mm512_xor_si512(LANE_NUMBERS, SET(flip)), v);
}

/* Lanes i and i ^ flip: the smaller key to the lane whose bit `upper` is 0. */
INLINE __m512i order_lanes(__m512i v, int flip, int upper)
{
    const __m512i other = exchanged(v, flip);
    const lanes_mask is_upper = SIMD(test)(LANE_NUMBERS, SET(upper));
    return SIMD(mask_max_epu)(SIMD(min_epu)(v, other), is_upper, v, other);
}

/* The pair-th of the numbers whose bit `step` is 0. */
INLINE int without_bit(int pair, int step)
{
    return 2 * pair - (pair & (step - 1));
}

INLINE void sort_columns(__m512i *v, int rows)
{
    UNROLLED for (int size = 2; size <= rows; size *= 2)
    {
        UNROLLED for (int pair = 0; pair < rows / 2; ++pair)
        {
            const int i = without_bit(pair, size / 2);
            order(&v[i], &v[i ^ (size - 1)]);
        }
        UNROLLED for (int step = size / 4; step > 0; step /= 2)
        {
            UNROLLED for (int pair = 0; pair < rows / 2; ++pair)
            {
                const int i = without_bit(pair, step);
                order(&v[i], &v[i + step]);
            }
        }
    }
}

/* Neighbouring columns of width / 2 lanes, each in order row by row, become one of `width` lanes.
 * With one of the two reversed, they are a bitonic sequence. */
INLINE void merge_columns(__m512i *v, int rows, int width)
{
    UNROLLED for (int size = rows; size > 1; size /= 2)
    {
        UNROLLED for (int pair = 0; pair < rows / 2; ++pair)
        {
            const int i = without_bit(pair, size / 2);
            __m512i *last = &v[i ^ (size - 1)];
            *last = exchanged(*last, width - 1);
            order(&v[i], last);
        }
    }
    UNROLLED for (int i = 0; i < rows; ++i)
    {
        v[i] = order_lanes(v[i], width - 1, width / 2);
        UNROLLED for (int step = width / 4; step > 0; step /= 2) v[i] =
            order_lanes(v[i], step, step);
    }
}

/* Sorts 1 to rows * LANES keys; `to` may be `from`. */
INLINE void sort_matrix(const number *from, number *to, size_t count, int rows)
{
    __m512i v[MAX_ROWS];
    UNROLLED for (int i = 0; i < rows; ++i)
    {
        const size_t begin = (size_t)i * LANES;
        v[i] = begin + LANES <= count ? _mm512_loadu_si512(from + begin)
               : begin < count
                   ? SIMD(mask_loadu)(ALL_ONES, FIRST_LANES(count - begin), from + begin)
                   : ALL_ONES;
    }
    sort_columns(v, rows);
    UNROLLED for (int width = 2; width <= LANES; width *= 2) merge_columns(v, rows, width);
    UNROLLED for (int i = 0; i < rows; ++i)
    {
        const size_t begin = (size_t)i * LANES;
        if (begin + LANES <= count)
            _mm512_storeu_si512(to + begin, v[i]);
        else if (begin < count)
            SIMD(mask_storeu)(to + begin, FIRST_LANES(count - begin), v[i]);
    }
}

static __attribute__((noinline)) void sort_leaf(const number *from, number *to, size_t count)
{
    if (count <= LANES)
        sort_matrix(from, to, count, 1);
    else if (count <= 4 * LANES)
        sort_matrix(from, to, count, 4);
    else if (count <= 8 * LANES)
        sort_matrix(from, to, count, 8);
    else
        sort_matrix(from, to, count, MAX_ROWS);
}

/* ---- Partitions ------------------------------------------------------------------------------ */
/* The median of one key from each of equal parts. */
INLINE number choose_pivot(const number *keys, size_t count)
{
    number sample[4 * LANES];
    const size_t size = count < 4096 ? LANES : 4 * LANES, part = count / size;
    uint32_t random = (uint32_t)count;
    for (size_t i = 0; i < size; ++i) {
        random = random * 747796405u + 2891336453u;
        sample[i] = keys[i * part + (size_t)((uint64_t)random * part >> 32)];
    }
    sort_leaf(sample, sample, size);
    return sample[size / 2];
}

/* The ends of the keys that are done, between which there is room. */
struct ends {
    number *left, *right;
};

/* Moves the keys of a vector that are below the pivots to the left, the others to the right. There
 * must be room for LANES keys behind the left end. */
INLINE void split_vector(struct ends *ends, __m512i v, __m512i pivots)
{
    const lanes_mask below = SIMD(cmplt_epu_mask)(v, pivots);
    const unsigned num = (unsigned)__builtin_popcount(below);
    _mm512_storeu_si512(ends->left, SIMD(maskz_compress)(below, v));
    ends->left += num;
    ends->right -= LANES - num;
    SIMD(mask_storeu)
    (ends->right, FIRST_LANES(LANES - num), SIMD(maskz_compress)((lanes_mask)~below, v));
}

/* Moves keys below the pivot to the front, and returns how many there are. The keys of STEP
 * vectors of each end, and those that fill no step, are set aside. What is read next is of the
 * end with less room, so that there is always room for a step at both. */
static size_t partition(number *keys, size_t count, number pivot)
{
    const __m512i pivots = SET(pivot);
    const size_t rest = count % (STEP * LANES);
    number aside[STEP * LANES];
    __m512i first[STEP], last[STEP], v[STEP];
    struct ends ends = {keys, keys + count};
    number *begin = keys, *end = keys + (count - rest);
    memcpy(aside, end, rest * sizeof *aside);
    end -= STEP * LANES;
    UNROLLED for (int i = 0; i < STEP; ++i)
    {
        first[i] = _mm512_loadu_si512(begin + i * LANES);
        last[i] = _mm512_loadu_si512(end + i * LANES);
    }
    begin += STEP * LANES;
    while (begin < end) {
        number *from;
        if (begin - ends.left <= ends.right - end) {
            from = begin;
            begin += STEP * LANES;
        } else {
            from = end -= STEP * LANES;
        }
        UNROLLED for (int i = 0; i < STEP; ++i) v[i] = _mm512_loadu_si512(from + i * LANES);
        UNROLLED for (int i = 0; i < STEP; ++i) split_vector(&ends, v[i], pivots);
    }
    UNROLLED for (int i = 0; i < STEP; ++i) split_vector(&ends, first[i], pivots);
    UNROLLED for (int i = 0; i < STEP; ++i) split_vector(&ends, last[i], pivots);
    for (size_t i = 0; i < rest; ++i) {
        const int is_below = aside[i] < pivot;
        *ends.left = *(ends.right - 1) = aside[i];
        ends.left += is_below;
        ends.right -= !is_below;
    }
    return (size_t)(ends.left - keys);
}

/* ---- Heapsort, where pivots are bad -----------------------------------------------------------
 */
static void sift_down(number *keys, size_t root, size_t count)
{
    const number key = keys[root];
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && keys[child] < keys[child + 1])
            ++child;
        if (keys[child] <= key)
            break;
        keys[root] = keys[child];
    }
    keys[root] = key;
}

static void sort_heap(number *keys, size_t count)
{
    for (size_t root = count / 2; root-- > 0;)
        sift_down(keys, root, count);
    for (size_t last = count; last-- > 1;) {
        const number largest = keys[0];
        keys[0] = keys[last];
        keys[last] = largest;
        sift_down(keys, 0, last);
    }
}

/* ---- All of it ------------------------------------------------------------------------------- */
static void sort_parts(number *keys, size_t count, int levels)
{
    while (count > MAX_LEAF) {
        if (levels-- == 0) {
            sort_heap(keys, count);
            return;
        }
        const number pivot = choose_pivot(keys, count);
        size_t below = partition(keys, count, pivot);
        if (below)
            sort_parts(keys, below, levels);
        else /* the pivot is the smallest: what is equal to it is in order */
            below = pivot == (number)-1 ? count : partition(keys, count, pivot + 1);
        keys += below;
        count -= below;
    }
    if (count)
        sort_leaf(keys, keys, count);
}

/* Whether the numbers ascend, or descend. Random ones are given up after a few. */
static int are_in_order(const number *keys, size_t count, int descending)
{
    for (size_t i = 1; i < count; ++i) {
        if (descending ? keys[i - 1] < keys[i] : keys[i - 1] > keys[i])
            return 0;
    }
    return 1;
}

static void sort_numbers(number *keys, size_t count)
{
    if (are_in_order(keys, count, 0))
        return;
    if (are_in_order(keys, count, 1)) {
        for (size_t i = 0, j = count - 1; i < j; ++i, --j) {
            const number low = keys[j];
            keys[j] = keys[i];
            keys[i] = low;
        }
        return;
    }
    int levels = 2; /* twice those that good pivots need */
    for (size_t left = count; left > 0; left /= 2)
        levels += 2;
    sort_parts(keys, count, levels);
}

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
