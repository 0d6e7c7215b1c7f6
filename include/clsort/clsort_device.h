/** @file
 * Sorting inside your own OpenCL C kernel. OpenCL C 1.2 is enough.
 *
 * Describe the items, include this header (or put clsort_device_source() in front of your source),
 * and call the functions that it makes for that description:
 *
 *     #define CLSORT_NAME   point
 *     #define CLSORT_ITEM   struct point
 *     #define CLSORT_LESS(a, b) ((a).x < (b).x)
 *     #include "clsort/clsort_device.h"
 *
 *     __kernel void k(...)
 *     {
 *         __local struct point points[500];
 *         clsort_point_group_bitonic(points, 500); // after every work-item has written some
 *     }
 *
 * The header undefines the parameters at its end, so it can be included again for another type. It
 * expands your macros inside its own functions. So a macro may use its arguments and your
 * functions, but no variables. No such function, and no type that CLSORT_ITEM or CLSORT_PACK names
 * without "struct", may be called a, b, begin, bits, both, count, first, flip, high, i, index,
 * item, items, last, last_stage, low, lower, me, mirrored, n, num_runs, other, own, room, run,
 * slot, stage, step, straight, takes, top, unit, upper or window, which are names there. Two values
 * of CLSORT_NAME in one program must not be x and x_group.
 *
 * tests/examples/in_kernel.cl is a complete kernel. equalise.cl there counts, scans and reduces.
 *
 * Work-groups are one-dimensional, and all work-items call with the same array and n. Each
 * work-group function starts and ends with a barrier, so no other is needed around it.
 *
 * Sources: rank sort ("Sorting in O(N)" on CUDA, 2010); Batcher's bitonic network (1968) with all
 * comparisons directed alike (Knuth, TAOCP 3, 5.3.4): the first step of a merge compares mirrored
 * positions.
 */

/* ---- What you define and what you get. Only Doxygen reads this part. */
#ifdef CLSORT_DOXYGEN

/** Required: part of the names of the functions, clsort_NAME_... */
#define CLSORT_NAME point
/** Required: the type of an item, a scalar or a struct; anything that can be assigned. */
#define CLSORT_ITEM struct point
/** Required: nonzero if a comes before b. It must be a strict weak order, and it may use a and b
 * more than once. With another relation (floats with NaNs by <) the network gives some permutation
 * of the items, unless CLSORT_MIN is defined, but rank sort may lose items. If it adds or subtracts
 * products of floats, put "#pragma OPENCL FP_CONTRACT OFF" in front of this header. Otherwise
 * compilers may fuse operations, and its answer may differ from use to use. */
#define CLSORT_LESS(a, b) ((a).x < (b).x)
/** The items that a work-item holds in registers: 2, 4, 8 (if it is not defined), 16 or 32, as a
 * number that the preprocessor knows. */
#define CLSORT_ITEMS 8
/** For speed: an item that sorts after all others, or is equal to them. The network then needs no
 * index tests; items equal to it are sorted like all others. group_bitonic then needs room in local
 * memory for the next power of two of n items, at least CLSORT_ITEMS times lanes times sub-group
 * size, and fills it. */
#define CLSORT_LAST last_point
/** For speed, together with CLSORT_MAX and CLSORT_LAST: the smaller item, if equal items cannot be
 * told apart. Without CLSORT_LAST it is not used. */
#define CLSORT_MIN(a, b) min(a, b)
/** For speed, together with CLSORT_MIN and CLSORT_LAST: the larger item. */
#define CLSORT_MAX(a, b) max(a, b)
/** For speed: the items in one row of the local memory's banks, 8, 16 or 32 (NVIDIA, AMD: 128 bytes
 * / sizeof item). With 8 or more CLSORT_ITEMS, item i of the array is then at
 * items[clsort_NAME_slot(i)], and group_bitonic has no bank conflicts. The array needs room for a
 * multiple of CLSORT_BANKS. Otherwise, and with any other power of two, slot(i) is i. */
#define CLSORT_BANKS 16
/** For CPUs: 4, 8 or 16 items of a scalar type are one vector, a CLSORT_PACK. Needs CLSORT_LAST,
 * and CLSORT_LESS and the others must work on vectors. Not with CLSORT_BANKS or CLSORT_SUBGROUP. */
#define CLSORT_LANES 16
/** For group_reduce and group_scan: combines two neighbours into one, a before b. The operation
 * must be associative. It need not be commutative. */
#define CLSORT_COMBINE(a, b) ((a) + (b))
/** For group_histogram: the bin of an item, an integer from 0 on. */
#define CLSORT_BIN(item) ((item).x >> 4)
/** Required by CLSORT_LANES: the vector type with that many items. */
#define CLSORT_PACK uint16
/** Required by CLSORT_LANES: the vector of the lanes' numbers, integers as wide as an item. */
#define CLSORT_LANE_NUMBERS (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

/** Sorts CLSORT_ITEMS private items of one work-item. No barrier. Not stable. Not with
 * CLSORT_LANES. */
void clsort_NAME_private(CLSORT_ITEM *items);

/** Sorts n items by a bitonic network; any n, any group size (a multiple of CLSORT_SUBGROUP, if
 * that is defined). Local memory: the items alone. Not
 * stable. About log2(n)^2 / (2 log2(CLSORT_ITEMS)) barriers. */
void clsort_NAME_group_bitonic(__local CLSORT_ITEM *items, uint n);

/** Sorts n items, at most CLSORT_ITEMS times the group's size, by counting. Stable. n compares for
 * each item, three barriers. Local memory: the items alone. Not with CLSORT_BANKS. */
void clsort_NAME_group_rank(__local CLSORT_ITEM *items, uint n);

/** The rank of item number index among n items: how many come before it, or are equal and have a
 * smaller index. The items lie at their indices: not with CLSORT_BANKS. No barrier; any work-item
 * may call it alone. */
uint clsort_NAME_rank(const __local CLSORT_ITEM *items, uint n, CLSORT_ITEM item, uint index);

/** Where item number index lies in the array: at index itself, unless CLSORT_BANKS is defined. */
uint clsort_NAME_slot(uint index);

/** All n items combined, n at least 1, for every work-item. Needs CLSORT_COMBINE. Afterwards the
 * items are what they were. They lie at their indices, even with CLSORT_BANKS; the same holds for
 * the next two functions. Local memory: the items alone. */
CLSORT_ITEM clsort_NAME_group_reduce(__local CLSORT_ITEM *items, uint n);

/** Replaces each of n items by the combination of all items up to and including it (an inclusive
 * scan). Needs CLSORT_COMBINE. Local memory: the items alone. */
void clsort_NAME_group_scan(__local CLSORT_ITEM *items, uint n);

/** Counts n items by their bins: counts[b] is how many are in bin b. Items of bins from num_bins on
 * are not counted. Needs CLSORT_BIN. */
void clsort_NAME_group_histogram(const __local CLSORT_ITEM *items, uint n, __local uint *counts,
                                 uint num_bins);

#endif

/** @cond */

/* ---- once */
#ifndef CLSORT_DEVICE_H
#define CLSORT_DEVICE_H

#ifndef CLSORT_SUBGROUP_H /* clsort_device_source() has it in front */
#include "clsort_subgroup.h"
#endif

#define CLSORT_PASTE_(a, b, c) a##b##_##c
#define CLSORT_PASTE(a, b, c) CLSORT_PASTE_(a, b, c)
#define CLSORT_FN(function) CLSORT_PASTE(clsort_, CLSORT_NAME, function)
#define CLSORT_LOG2(x) \
    ((x) > 32 ? 6 : (x) > 16 ? 5 : (x) > 8 ? 4 : (x) > 4 ? 3 : (x) > 2 ? 2 : (x) > 1 ? 1 : 0)

/* The vector x with lane i exchanged for lane i ^ mask. */
/* clang-format off */
#define CLSORT_XOR_1_4(x)   (x).s1032
#define CLSORT_XOR_2_4(x)   (x).s2301
#define CLSORT_XOR_3_4(x)   (x).s3210
#define CLSORT_XOR_1_8(x)   (x).s10325476
#define CLSORT_XOR_2_8(x)   (x).s23016745
#define CLSORT_XOR_3_8(x)   (x).s32107654
#define CLSORT_XOR_4_8(x)   (x).s45670123
#define CLSORT_XOR_7_8(x)   (x).s76543210
#define CLSORT_XOR_1_16(x)  (x).s1032547698badcfe
#define CLSORT_XOR_2_16(x)  (x).s23016745ab89efcd
#define CLSORT_XOR_3_16(x)  (x).s32107654ba98fedc
#define CLSORT_XOR_4_16(x)  (x).s45670123cdef89ab
#define CLSORT_XOR_7_16(x)  (x).s76543210fedcba98
#define CLSORT_XOR_8_16(x)  (x).s89abcdef01234567
#define CLSORT_XOR_ALL_4(x)  CLSORT_XOR_3_4(x)
#define CLSORT_XOR_ALL_8(x)  CLSORT_XOR_7_8(x)
#define CLSORT_XOR_ALL_16(x) (x).sfedcba9876543210
/* clang-format on */
#define CLSORT_XOR(mask, x) CLSORT_PASTE(CLSORT_XOR_, mask, CLSORT_LANES)(x)
#define CLSORT_CAT_(a, b) a##b
#define CLSORT_CAT(a, b) CLSORT_CAT_(a, b)

#endif /* CLSORT_DEVICE_H */

/* ---- for each CLSORT_NAME */
#ifdef CLSORT_NAME

#ifndef CLSORT_ITEMS
#define CLSORT_ITEMS 8
#endif
#ifndef CLSORT_BANKS
#define CLSORT_BANKS 0
#endif
#ifdef CLSORT_LAST
#define CLSORT_REAL(below_n) 1
#else
#define CLSORT_REAL(below_n) (below_n)
#endif
#ifndef CLSORT_LANES
#define CLSORT_LANES 1
#define CLSORT_PACK CLSORT_ITEM
#endif

/* What sorts wrongly, or not at all, does not compile. */
#if !defined(CLSORT_ITEM) || !defined(CLSORT_LESS)
#error "clsort_device.h: CLSORT_NAME needs CLSORT_ITEM and CLSORT_LESS"
#endif
#if CLSORT_ITEMS < 2 || CLSORT_ITEMS > 32 || CLSORT_ITEMS & (CLSORT_ITEMS - 1)
#error "clsort_device.h: CLSORT_ITEMS must be 2, 4, 8, 16 or 32"
#endif
#if CLSORT_BANKS < 0 || CLSORT_BANKS & (CLSORT_BANKS - 1)
#error "clsort_device.h: CLSORT_BANKS must be a power of two"
#endif
#if defined(CLSORT_MIN) != defined(CLSORT_MAX)
#error "clsort_device.h: CLSORT_MIN and CLSORT_MAX need each other"
#endif
#if CLSORT_LANES != 1 && CLSORT_LANES != 4 && CLSORT_LANES != 8 && CLSORT_LANES != 16
#error "clsort_device.h: CLSORT_LANES must be 4, 8 or 16"
#elif CLSORT_LANES > 1 && !(defined(CLSORT_LAST) && defined(CLSORT_LANE_NUMBERS))
#error "clsort_device.h: CLSORT_LANES needs CLSORT_LAST, CLSORT_PACK and CLSORT_LANE_NUMBERS"
#elif CLSORT_LANES > 1 && (CLSORT_BANKS > 0 || CLSORT_SUBGROUP > 1)
#error "clsort_device.h: CLSORT_LANES goes with neither CLSORT_BANKS nor CLSORT_SUBGROUP"
#endif

#if CLSORT_LANES > 1
#define CLSORT_REVERSE_IF(condition, pack) (pack) = (condition) ? CLSORT_XOR(ALL, pack) : (pack)
#else
#define CLSORT_REVERSE_IF(condition, pack) (void)0
#endif

/* An index in the network, from its low bits up: lane of a pack, pack of a work-item's registers in
 * the bottom layout, work-item of a sub-group, the rest. */
#define CLSORT_LANE_BITS CLSORT_LOG2(CLSORT_LANES)
#define CLSORT_ITEM_BITS CLSORT_LOG2(CLSORT_ITEMS)
#define CLSORT_SUBGROUP_BITS CLSORT_LOG2(CLSORT_SUBGROUP)
#define CLSORT_OWN_BITS (CLSORT_LANE_BITS + CLSORT_ITEM_BITS)
#define CLSORT_BOTTOM_BITS (CLSORT_OWN_BITS + CLSORT_SUBGROUP_BITS)

/* Where item `index` lies in local memory. With banks, an exclusive or with higher bits of the
 * index permutes the items of a row. The bits that differ between neighbouring work-items then map
 * to independent bank bits. So the accesses of every window of CLSORT_ITEMS items, at any stride,
 * fall on different banks. tests/nodevice/plans/test_white.c checks all. */
CLSORT_INLINE uint CLSORT_FN(slot)(uint index)
{
#if CLSORT_BANKS >= 8 && CLSORT_BANKS <= 32 && CLSORT_ITEMS >= 8
    const uint bank_bits = CLSORT_LOG2(CLSORT_BANKS);
    const uint row = index >> max(bank_bits, (uint)CLSORT_ITEM_BITS);
#if CLSORT_ITEMS >= CLSORT_BANKS
    return index ^ (row & (CLSORT_BANKS - 1));
#else
    const uint missing = bank_bits - CLSORT_ITEM_BITS;
    const uint low = row & (CLSORT_ITEMS - 1);
    return index ^ (low << missing | low >> (CLSORT_ITEM_BITS - missing));
#endif
#else
    return index;
#endif
}

/* One comparator: afterwards *lower comes not after *upper. Nothing moves unless upper comes
 * strictly before lower. So padding that no item comes after, put behind the n items, never moves:
 * every comparator that touches it has it as its upper end. That is why items equal to the padding
 * are safe, and why any length works. Without CLSORT_LAST there is no padding: comparators whose
 * upper end is not below n are left out, which is the same network. */
CLSORT_INLINE void CLSORT_FN(exchange)(CLSORT_PACK *lower, CLSORT_PACK *upper, int both)
{
    const CLSORT_PACK a = *lower, b = *upper;
#if defined(CLSORT_MIN) && defined(CLSORT_LAST)
    *lower = CLSORT_MIN(a, b);
    *upper = CLSORT_MAX(a, b);
#elif CLSORT_LANES > 1
    *lower = (CLSORT_LESS(b, a)) ? b : a;
    *upper = (CLSORT_LESS(b, a)) ? a : b;
#else
    if (CLSORT_REAL(both) && (CLSORT_LESS(b, a))) {
        *lower = b;
        *upper = a;
    }
#endif
}

/* What a window does: the register index is bits window ... of the pack's index. Strides 2^high
 * down to 2^low of the register index, the first mirrored if flip. Registers in the upper half of a
 * mirrored stride hold packs whose bits below the window are mirrored too, namely the partners. */
CLSORT_INLINE uint CLSORT_FN(place)(uint first, uint item, uint window, uint high, int flip)
{
    const uint mirror = (flip && (item >> high & 1)) ? (1u << window) - 1 : 0;
    return (first ^ mirror) + (item << window);
}

CLSORT_INLINE void CLSORT_FN(registers)(CLSORT_PACK *items, uint high, uint low, int flip,
                                        uint first, uint window, uint n)
{
#pragma unroll
    for (uint bit = CLSORT_ITEM_BITS; bit-- > 0;) {
        if (bit > high || bit < low)
            continue;
        const uint mirror = flip && bit == high;
#pragma unroll
        for (uint i = 0; i < CLSORT_ITEMS; ++i) {
            if (i >> bit & 1)
                continue;
            const uint j = i | 1u << bit, k = i ^ ((2u << bit) - 1);
            const int j_real = CLSORT_FN(place)(first, j, window, high, flip) < n;
            const int k_real = CLSORT_FN(place)(first, k, window, high, flip) < n;
            if (mirror) {
                CLSORT_FN(exchange)(&items[i], &items[k], k_real);
            } else {
                CLSORT_FN(exchange)(&items[i], &items[j], j_real);
            }
        }
    }
}

#if CLSORT_LANES > 1
/* One stride inside every pack: partners are mask apart, the upper one has `bit` set. 1 and 0 are
 * numbers of the vector, since a plain 1 may be wider than its lanes. */
#define CLSORT_LANE_IS_UPPER(numbers, bit) (((numbers) >> (bit) & (numbers).s1) != (numbers).s0)
#define CLSORT_LANE_STRIDE(mask, bit)                               \
    for (uint i = 0; i < CLSORT_ITEMS; ++i) {                       \
        const CLSORT_PACK own = items[i];                           \
        const CLSORT_PACK other = CLSORT_XOR(mask, own);            \
        items[i] = CLSORT_LANE_IS_UPPER(CLSORT_LANE_NUMBERS, bit)   \
                       ? ((CLSORT_LESS(own, other)) ? other : own)  \
                       : ((CLSORT_LESS(other, own)) ? other : own); \
    }

#define CLSORT_LANE_STRIDES(bit, mirrored, straight) \
    if (top > bit) {                                 \
        if (flip && top == bit + 1)                  \
            CLSORT_LANE_STRIDE(mirrored, bit)        \
        else                                         \
            CLSORT_LANE_STRIDE(straight, bit)        \
    }

CLSORT_INLINE void CLSORT_FN(lanes)(CLSORT_PACK *items, uint top, int flip)
{
#if CLSORT_LANES >= 16
    CLSORT_LANE_STRIDES(3, ALL, 8)
#endif
#if CLSORT_LANES >= 8
    CLSORT_LANE_STRIDES(2, 7, 4)
#endif
    CLSORT_LANE_STRIDES(1, 3, 2)
    CLSORT_LANE_STRIDE(1, 0)
}
#undef CLSORT_LANE_STRIDES
#undef CLSORT_LANE_STRIDE
#endif

#if CLSORT_SUBGROUP > 1
/* The item that work-item (lane ^ mask) of the sub-group holds, word by word. */
CLSORT_INLINE CLSORT_ITEM CLSORT_FN(shuffle)(CLSORT_ITEM item, uint mask)
{
    union {
        CLSORT_ITEM item;
        uint words[(sizeof(CLSORT_ITEM) + 3) / 4];
    } copy;
    copy.item = item;
#pragma unroll
    for (uint i = 0; i < (sizeof(CLSORT_ITEM) + 3) / 4; ++i)
        copy.words[i] = clsort_subgroup_shuffle_xor(copy.words[i], mask);
    return copy.item;
}

/* What this work-item keeps of its own item and its partner's. */
CLSORT_INLINE CLSORT_ITEM CLSORT_FN(keep)(CLSORT_ITEM own, CLSORT_ITEM other, int upper, int both)
{
#if defined(CLSORT_MIN) && defined(CLSORT_LAST)
    return upper ? CLSORT_MAX(own, other) : CLSORT_MIN(own, other);
#else
    if (CLSORT_REAL(both) && (upper ? CLSORT_LESS(own, other) : CLSORT_LESS(other, own)))
        return other;
    return own;
#endif
}

/* One stride between the work-items of a sub-group: 2^bit work-items apart, mirrored if flip. */
CLSORT_INLINE void CLSORT_FN(subgroup)(CLSORT_ITEM *items, uint bit, int flip, uint unit, uint n)
{
    const uint mask = flip ? (2u << bit) - 1 : 1u << bit;
    const int upper = unit >> bit & 1;
    const uint upper_first = (upper ? unit : unit ^ mask) * CLSORT_ITEMS;
#pragma unroll
    for (uint i = 0; i < CLSORT_ITEMS / 2; ++i) {
        const uint j = CLSORT_ITEMS - 1 - i;
        const CLSORT_ITEM from_i = CLSORT_FN(shuffle)(items[i], mask);
        const CLSORT_ITEM from_j = CLSORT_FN(shuffle)(items[j], mask);
        const int both_i = upper_first + (flip && !upper ? j : i) < n;
        const int both_j = upper_first + (flip && !upper ? i : j) < n;
        items[i] = CLSORT_FN(keep)(items[i], flip ? from_j : from_i, upper, both_i);
        items[j] = CLSORT_FN(keep)(items[j], flip ? from_i : from_j, upper, both_j);
    }
}
#endif

/* Strides 2^(top-1) down to 1 of merge `stage` in the bottom layout. */
CLSORT_INLINE void CLSORT_FN(merge)(CLSORT_PACK *items, uint stage, uint top, uint unit, uint n)
{
    const int flip = top == stage;
    const uint first = unit * CLSORT_ITEMS;
#if CLSORT_SUBGROUP > 1
    for (uint bit = top; bit-- > CLSORT_OWN_BITS;)
        CLSORT_FN(subgroup)(items, bit - CLSORT_OWN_BITS, flip && bit + 1 == top, unit, n);
#endif
    if (top > CLSORT_LANE_BITS) {
        const uint high = min(top, (uint)CLSORT_OWN_BITS) - CLSORT_LANE_BITS - 1;
        const int here = flip && top <= CLSORT_OWN_BITS;
        /* A mirrored stride between packs mirrors the lanes of the upper one. */
        for (uint i = 0; i < CLSORT_ITEMS; ++i)
            CLSORT_REVERSE_IF(here && (i >> high & 1), items[i]);
        CLSORT_FN(registers)(items, high, 0, here, first, 0, n);
        for (uint i = 0; i < CLSORT_ITEMS; ++i)
            CLSORT_REVERSE_IF(here && (i >> high & 1), items[i]);
    }
#if CLSORT_LANES > 1
    CLSORT_FN(lanes)(items, top, flip && top <= CLSORT_LANE_BITS);
#endif
}

/* The pack in slot `slot`, and back. real: it lies below n (it may be left out if there is
 * padding). Slots are linear in the index under exclusive or: slot(a ^ b) = slot(a) ^ slot(b). So
 * callers combine a work-item's part, made once, with a part that all work-items share. */
CLSORT_INLINE void CLSORT_FN(load)(const __local CLSORT_ITEM *items, uint slot, CLSORT_PACK *pack,
                                   int real)
{
#if CLSORT_LANES > 1
    *pack = CLSORT_CAT(vload, CLSORT_LANES)(slot, items);
#else
    if (CLSORT_REAL(real))
        *pack = items[slot];
#endif
}

CLSORT_INLINE void CLSORT_FN(store)(__local CLSORT_ITEM *items, uint slot, CLSORT_PACK pack,
                                    int real)
{
#if CLSORT_LANES > 1
    CLSORT_CAT(vstore, CLSORT_LANES)(pack, slot, items);
#else
    if (CLSORT_REAL(real))
        items[slot] = pack;
#endif
}

/* Strides above the bottom layout: 2^(top-1) down to 2^low, for the packs of one unit. The window
 * of registers starts at the lowest stride, or lower where it would reach over the array's bits. */
CLSORT_INLINE void CLSORT_FN(window)(__local CLSORT_ITEM *items, uint unit, uint n, uint bits,
                                     uint top, uint low, int flip)
{
    const uint window = min(low, bits - CLSORT_ITEM_BITS) - CLSORT_LANE_BITS;
    const uint high = top - 1 - CLSORT_LANE_BITS - window;
    const uint first =
        unit >> window << (window + CLSORT_ITEM_BITS) | (unit & ((1u << window) - 1));
    const uint straight = CLSORT_FN(slot)(first);
    const uint mirrored = CLSORT_FN(slot)(first ^ ((1u << window) - 1));
    CLSORT_PACK own[CLSORT_ITEMS];
#pragma unroll
    for (uint i = 0; i < CLSORT_ITEMS; ++i) {
        const uint slot =
            (flip && (i >> high & 1) ? mirrored : straight) ^ CLSORT_FN(slot)(i << window);
        CLSORT_FN(load)(items, slot, &own[i], CLSORT_FN(place)(first, i, window, high, flip) < n);
        CLSORT_REVERSE_IF(flip && (i >> high & 1), own[i]);
    }
    CLSORT_FN(registers)(own, high, low - CLSORT_LANE_BITS - window, flip, first, window, n);
#pragma unroll
    for (uint i = 0; i < CLSORT_ITEMS; ++i) {
        CLSORT_REVERSE_IF(flip && (i >> high & 1), own[i]);
        const uint slot =
            (flip && (i >> high & 1) ? mirrored : straight) ^ CLSORT_FN(slot)(i << window);
        CLSORT_FN(store)(items, slot, own[i], CLSORT_FN(place)(first, i, window, high, flip) < n);
    }
}

/* The bottom layout: the rest of merge `stage` from stride 2^(top-1) on, then merges up to
 * last_stage, for the packs of one unit. */
CLSORT_INLINE void CLSORT_FN(bottom)(__local CLSORT_ITEM *items, uint unit, uint n, uint stage,
                                     uint top, uint last_stage)
{
    const uint first = unit * CLSORT_ITEMS, slot = CLSORT_FN(slot)(first);
    CLSORT_PACK own[CLSORT_ITEMS];
#pragma unroll
    for (uint i = 0; i < CLSORT_ITEMS; ++i)
        CLSORT_FN(load)(items, slot ^ CLSORT_FN(slot)(i), &own[i], first + i < n);
    CLSORT_FN(merge)(own, stage, top, unit, n);
    for (uint s = stage + 1; s <= last_stage; ++s)
        CLSORT_FN(merge)(own, s, s, unit, n);
#pragma unroll
    for (uint i = 0; i < CLSORT_ITEMS; ++i)
        CLSORT_FN(store)(items, slot ^ CLSORT_FN(slot)(i), own[i], first + i < n);
}

/* The network on 2^bits items in local memory, n of them real: from stride 2^(top-1) of merge
 * `stage` to the end of merge last_stage. One loop with its barrier at the top level. */
CLSORT_INLINE void CLSORT_FN(network)(__local CLSORT_ITEM *items, uint n, uint bits, uint stage,
                                      uint top, uint last_stage)
{
#ifdef CLSORT_ONE_UNIT /* the group's size is exactly the number of units */
#define CLSORT_EACH_UNIT(unit) const uint unit = get_local_id(0);
#else
    const uint units = bits > CLSORT_OWN_BITS ? 1u << (bits - CLSORT_OWN_BITS) : 1;
    /* Whole sub-groups go through the loop together: a work-item without a unit of its own works
     * on no items (n = 0) beside its neighbours. */
    const uint rounds = max(units, (uint)(CLSORT_SUBGROUP > 1 ? CLSORT_SUBGROUP : 1));
#define CLSORT_EACH_UNIT(unit) \
    for (uint unit = get_local_id(0); unit < rounds; unit += get_local_size(0))
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* the items are written */
    while (stage <= last_stage) {
        if (top > CLSORT_BOTTOM_BITS) {
            const uint low = CLSORT_BOTTOM_BITS +
                             (top - CLSORT_BOTTOM_BITS - 1) / CLSORT_ITEM_BITS * CLSORT_ITEM_BITS;
            CLSORT_EACH_UNIT(unit)
            {
                CLSORT_FN(window)(items, unit, n, bits, top, low, top == stage);
            }
            top = low;
        } else {
            const uint last =
                stage < CLSORT_BOTTOM_BITS ? min(last_stage, (uint)CLSORT_BOTTOM_BITS) : stage;
            CLSORT_EACH_UNIT(unit)
            {
                CLSORT_FN(bottom)(items, unit, n, stage, top, last);
            }
            stage = last + 1;
            top = stage;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* this window's items are written before the next reads */
    }
#undef CLSORT_EACH_UNIT
}

CLSORT_INLINE void CLSORT_FN(group_bitonic)(__local CLSORT_ITEM *items, uint n)
{
    uint bits = 0;
    while (bits < 31 && 1u << bits < n)
        ++bits;
#ifdef CLSORT_LAST
    const uint room = max(1u << bits, 1u << CLSORT_BOTTOM_BITS);
    barrier(CLK_LOCAL_MEM_FENCE); /* what lay behind the items is no longer read */
    for (uint i = n + get_local_id(0); i < room; i += get_local_size(0))
        items[CLSORT_FN(slot)(i)] = CLSORT_LAST;
#endif
    CLSORT_FN(network)(items, n, bits, 1, 1, bits);
}

#if CLSORT_LANES == 1
CLSORT_INLINE void CLSORT_FN(private)(CLSORT_ITEM *items)
{
    for (uint stage = 1; stage <= CLSORT_ITEM_BITS; ++stage)
        CLSORT_FN(registers)(items, stage - 1, 0, 1, 0, 0, CLSORT_ITEMS);
}
#endif

/* Comparisons are added as numbers, without a branch. Two loops replace one with an index test.
 * Items at lower indices count if they are not larger, items at higher indices if they are smaller.
 */
CLSORT_INLINE uint CLSORT_FN(rank)(const __local CLSORT_ITEM *items, uint n, CLSORT_ITEM item,
                                   uint index)
{
    uint count = 0;
    for (uint i = 0; i < index; ++i) {
        const CLSORT_ITEM other = items[i]; /* private, as item is: for a function of addresses */
        count += (uint) !(CLSORT_LESS(item, other));
    }
    for (uint i = index + 1; i < n; ++i) {
        const CLSORT_ITEM other = items[i];
        count += (uint)((CLSORT_LESS(other, item)) != 0);
    }
    return count;
}

CLSORT_INLINE void CLSORT_FN(group_rank)(__local CLSORT_ITEM *items, uint n)
{
    const uint first = get_local_id(0), step = get_local_size(0);
    CLSORT_ITEM own[CLSORT_ITEMS];
    uint places[CLSORT_ITEMS];
    barrier(CLK_LOCAL_MEM_FENCE); /* the items are written */
    for (uint i = 0; i < CLSORT_ITEMS; ++i) {
        const uint at = first + i * step;
        if (at < n) {
            own[i] = items[at];
            places[i] = CLSORT_FN(rank)(items, n, own[i], at);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* every work-item has counted before any writes */
    for (uint i = 0; i < CLSORT_ITEMS; ++i) {
        const uint at = first + i * step;
        if (at < n)
            items[places[i]] = own[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the items are in order */
}

#ifdef CLSORT_COMBINE
/* The macro meets private copies, as CLSORT_LESS does, and no other names than these. */
CLSORT_INLINE CLSORT_ITEM CLSORT_FN(combine)(CLSORT_ITEM a, CLSORT_ITEM b)
{
    return CLSORT_COMBINE(a, b);
}

/* A work-item has a run of neighbours: this many items. */
CLSORT_INLINE uint CLSORT_FN(run)(uint n)
{
    const uint size = (uint)get_local_size(0);
    return max((n + size - 1) / size, 1u);
}

/* Each work-item combines its run, into the run's first place. Then runs that are neighbours are
 * combined in a tree. At last the first places get their items back. */
CLSORT_INLINE CLSORT_ITEM CLSORT_FN(group_reduce)(__local CLSORT_ITEM *items, uint n)
{
    const uint me = get_local_id(0), run = CLSORT_FN(run)(n);
    const uint num_runs = (n + run - 1) / run, begin = me * run;
    CLSORT_ITEM kept, own;
    barrier(CLK_LOCAL_MEM_FENCE); /* the items are written */
    if (me < num_runs) {
        kept = own = items[begin];
        for (uint i = begin + 1; i < min(begin + run, n); ++i)
            own = CLSORT_FN(combine)(own, items[i]);
        items[begin] = own;
    }
    for (uint step = 1; step < num_runs; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* this step's runs are combined */
        if (me % (2 * step) == 0 && me + step < num_runs)
            items[begin] = CLSORT_FN(combine)(items[begin], items[begin + step * run]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all are combined */
    own = items[0];
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read the result */
    if (me < num_runs)
        items[begin] = kept;
    barrier(CLK_LOCAL_MEM_FENCE); /* the items are what they were */
    return own;
}

/* Each work-item scans its run. The last items of the runs are scanned in log2(runs) steps (Hillis
 * and Steele, 1986). Then each work-item adds what is before its run. */
CLSORT_INLINE void CLSORT_FN(group_scan)(__local CLSORT_ITEM *items, uint n)
{
    const uint me = get_local_id(0), run = CLSORT_FN(run)(n);
    const uint num_runs = (n + run - 1) / run, begin = me * run;
    const uint last = min(begin + run, n) - 1;
    barrier(CLK_LOCAL_MEM_FENCE); /* the items are written */
    if (me < num_runs)
        for (uint i = begin; i < last; ++i)
            items[i + 1] = CLSORT_FN(combine)(items[i], items[i + 1]);
    for (uint step = 1; step < num_runs; step *= 2) {
        const int takes = me < num_runs && me >= step;
        CLSORT_ITEM own;
        barrier(CLK_LOCAL_MEM_FENCE); /* this step's sums are there */
        if (takes)
            own = CLSORT_FN(combine)(items[(me - step + 1) * run - 1], items[last]);
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read them */
        if (takes)
            items[last] = own;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the last items are scanned */
    if (me < num_runs && me > 0)
        for (uint i = begin; i < last; ++i)
            items[i] = CLSORT_FN(combine)(items[begin - 1], items[i]);
    barrier(CLK_LOCAL_MEM_FENCE); /* all are scanned */
}
#endif

#ifdef CLSORT_BIN
CLSORT_INLINE ulong CLSORT_FN(bin)(CLSORT_ITEM item)
{
    return (ulong)(CLSORT_BIN(item));
}

CLSORT_INLINE void CLSORT_FN(group_histogram)(const __local CLSORT_ITEM *items, uint n,
                                              __local uint *counts, uint num_bins)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* what the counts were has been read */
    for (uint i = get_local_id(0); i < num_bins; i += get_local_size(0))
        counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counts are 0, and the items are written */
    for (uint i = get_local_id(0); i < n; i += get_local_size(0)) {
        const ulong bin = CLSORT_FN(bin)(items[i]);
        if (bin < num_bins)
            atomic_inc(&counts[(uint)bin]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all items are counted */
}
#endif

#undef CLSORT_COMBINE
#undef CLSORT_BIN
#undef CLSORT_REVERSE_IF
#undef CLSORT_REAL
#undef CLSORT_LANE_BITS
#undef CLSORT_ITEM_BITS
#undef CLSORT_SUBGROUP_BITS
#undef CLSORT_OWN_BITS
#undef CLSORT_BOTTOM_BITS
#undef CLSORT_NAME
#undef CLSORT_ITEM
#undef CLSORT_LESS
#undef CLSORT_ITEMS
#undef CLSORT_LAST
#undef CLSORT_MIN
#undef CLSORT_MAX
#undef CLSORT_BANKS
#undef CLSORT_LANES
#undef CLSORT_PACK
#undef CLSORT_LANE_NUMBERS
#undef CLSORT_ONE_UNIT

#endif /* CLSORT_NAME */

/** @endcond */
