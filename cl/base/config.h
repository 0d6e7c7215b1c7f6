/* config.h: every macro that the host defines for a program (src/program/variant.c writes them),
 * and the checks that host and kernel mean the same. Included first by every .cl file.
 *
 *   KEY_BITS        8, 16, 32, 64
 *   KEY_SIGNED      1: two's complement
 *   KEY_MANTISSA    bits of a float's mantissa; 0: not a float
 *   KEY_DESCENDING  1: largest first
 *   KEY_FIRST_BIT, KEY_NUM_BITS  the bits to sort by; KEY_NUM_BITS = KEY_BITS: all
 *   RECORD_SIZE     0: keys are numbers, as above; else bytes of a record (record_source.h)
 *   PAYLOAD_SIZE    bytes that move with a key: 0, 1, 2, 4, 8
 *   PAYLOAD_INDEX   1: the payload is the element's index and decides between equal keys
 *   GROUP_SIZE      work-items of a work-group
 *   ITEMS           elements (packs, where LANES > 1) of a work-item in registers
 *   HELD            elements that a work-item keeps in registers beside (whole/whole.cl)
 *   BLOCK_LANES     work-items that share a block (msd/msd.h)
 *   CUTS_LEAVES     1: large leaves are cut in two (msd/large.h)
 *   SHORT_RESTS     1: of each key two bytes are left below two digits (msd/msd.h)
 *   LANES           elements in a vector, for CPUs; else 1
 *   TILE_BITS       log2 of GROUP_SIZE * ITEMS * LANES; 0: no power of two
 *   BANKS           bytes in a row of the local memory's banks; 0: does not matter
 *   CLSORT_SUBGROUP work-items of a sub-group that can shuffle; 0: none
 *   RADIX_BITS      bits of a digit of radix sort
 *   SPLITTERS       1: partition is by splitters, 0: by digits (sorts/partition/partition.h)
 *   KEEPS_ORDER     1: equal elements stay in the order of the input; for steps that can do without
 *   REGISTERS       of a work-item at most, for NVIDIA's compiler, which then must not know the
 *                   group's size: it would take as many as that allows; 0: it decides
 *   MOVE_UNIT       bytes that the copying kernels move at once: 1, 2, 4, 8
 *   LOCAL_SIZE      bytes of local memory that the plan counts with for the file's kernels
 */
#ifndef CLSORT_CONFIG_H
#define CLSORT_CONFIG_H

#if !defined(KEY_BITS) || !defined(KEY_SIGNED) || !defined(KEY_MANTISSA) ||                        \
    !defined(KEY_DESCENDING) || !defined(KEY_FIRST_BIT) || !defined(KEY_NUM_BITS) ||               \
    !defined(RECORD_SIZE) || !defined(PAYLOAD_SIZE) || !defined(PAYLOAD_INDEX) ||                  \
    !defined(GROUP_SIZE) || !defined(ITEMS) || !defined(HELD) || !defined(BLOCK_LANES) ||          \
    !defined(CUTS_LEAVES) || !defined(SHORT_RESTS) || !defined(LANES) || !defined(TILE_BITS) ||    \
    !defined(BANKS) || !defined(CLSORT_SUBGROUP) || !defined(RADIX_BITS) || !defined(SPLITTERS) || \
    !defined(KEEPS_ORDER) || !defined(REGISTERS) || !defined(MOVE_UNIT) || !defined(LOCAL_SIZE)
#error "config.h: the host must define every macro that is listed above"
#endif
#if KEY_FIRST_BIT + KEY_NUM_BITS > KEY_BITS || KEY_NUM_BITS < 1
#error "config.h: the bit range does not lie in the key"
#endif
#if PAYLOAD_INDEX && PAYLOAD_SIZE != 4 && PAYLOAD_SIZE != 8
#error "config.h: an index is 4 or 8 bytes"
#endif
#if (GROUP_SIZE & (GROUP_SIZE - 1)) || (LANES & (LANES - 1))
#error "config.h: GROUP_SIZE and LANES must be powers of two"
#endif

/* Slots of a tile. TILE_BITS, their log2, comes from the host, which sizes its plan by it. */
#define TILE_SLOTS (GROUP_SIZE * ITEMS * LANES)
#define ITEM_BITS CLSORT_LOG2(ITEMS)
#if TILE_BITS ? (1 << TILE_BITS) != TILE_SLOTS : ((ITEMS & (ITEMS - 1)) == 0 && TILE_SLOTS > 1)
#error "config.h: host and kernel disagree on the size of a tile"
#endif

/* Intel's compiler chooses the size of sub-groups unless it is told. */
#if CLSORT_SUBGROUP > 0 && defined(cl_intel_required_subgroup_size)
#define SUBGROUP_ATTRIBUTE __attribute__((intel_reqd_sub_group_size(CLSORT_SUBGROUP)))
#else
#define SUBGROUP_ATTRIBUTE
#endif
#if REGISTERS
#define KERNEL __kernel
#else
#define KERNEL __kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) SUBGROUP_ATTRIBUTE
#endif

/* Stands behind a kernel's local variables: a build error where the plan counts with fewer bytes
 * than they have. No kernel takes local memory as an argument. */
#define LOCAL_FITS(size) ((void)sizeof(char[(size) <= LOCAL_SIZE ? 1 : -1]))

/* A work-item's numbers from `begin` to `end`, every GROUP_SIZE-th, in a loop that compilers may
 * not unroll. NVIDIA's unrolls every loop by default, and a launch waits for its instructions, as
 * the first sort waits for the compiler. Such loops save a fifth of the first sort. Loops that are
 * hot are no GROUP_LOOP. */
#define GROUP_LOOP(i, begin, end) \
    _Pragma("unroll 1") for (uint i = (begin) + (uint)get_local_id(0); i < (end); i += GROUP_SIZE)

/* Asks for PREFETCHED bytes of global memory that are read later. It is no access: others may write
 * them. */
#define PREFETCHED 32
#ifdef __NV_CL_C_VERSION
#define PREFETCH(address) __asm__ volatile("prefetch.global.L2 [%0];" : : "l"(address))
#else
#define PREFETCH(address) ((void)(address))
#endif

#include "clsort_subgroup.h"
#include "base/params.h"

#endif
