/* items_sort.h: items_sort() of cl/cpu/sort.h, compiled as C for one kind of item.
 *
 * Before including it, define KEY_BITS, 32 or 64, PAYLOAD_SIZE, 0 or 8, and HOST_SORT, the
 * function's name; with HOST_AVX2 it needs a processor with AVX2. Keys are in ordered form
 * (keys.c) and sorted by all bits, so the kernel's other options have their plain values.
 * Include it once in a file. */
#include "host/alone/items.h"

#if HOST_HAS_X86 || !defined HOST_AVX2
#ifdef HOST_AVX2
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi2"))), apply_to = function)
#else
#pragma GCC target("avx2,bmi2")
#endif
#endif

#define ulong2 struct host_pair
#define RADIX_BITS \
    11 /* as in src/tuning/data/cpu.tuning; not read from there, since it is compiled in */
#include "host/alone/key_as_c.h"

/* The host does not use all functions of the kernels' headers. */
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#include "cpu/sort.h"

ITEM *HOST_SORT(ITEM *items, ITEM *spare, uint32_t count)
{
    return items_sort(items, spare, count) ? spare : items;
}

#if defined HOST_AVX2 && defined __clang__
#pragma clang attribute pop
#endif
#endif
