/* items.h: sorts of the calling thread, one for each kind of item and each kind of processor.
 *
 * host_items_sort_*() are the sort of the CPU kernels (cl/cpu/sort.h), compiled as C. Each is
 * compiled in a file of its own, which defines the kind and includes items_sort.h; a second
 * time for processors with AVX2, which have vectors of unsigned numbers: 1.4 times as fast. For
 * numbers alone there is vectors.h, which AVX2 or AVX-512 makes two to three times as fast. */
#ifndef HOST_ITEMS_H
#define HOST_ITEMS_H

#include <stddef.h>
#include <stdint.h>

/* Whether functions may be compiled for processors that are newer than the target. Not on Windows,
 * where gcc does not align vectors on the stack (gcc's bug 54412). */
#if defined __GNUC__ && defined __x86_64__ && !defined _WIN32
#define HOST_HAS_X86 1
#else
#define HOST_HAS_X86 0
#endif

/* Numbers in the caller's arrays, whose type and alignment may be others. */
#ifdef __GNUC__
typedef uint32_t host_u32 __attribute__((may_alias, aligned(1)));
typedef uint64_t host_u64 __attribute__((may_alias, aligned(1)));
#else
typedef uint32_t host_u32;
typedef uint64_t host_u64;
#endif

/* A key and its payload. The names are those of an OpenCL vector, as the kernels use them. */
struct host_pair {
    uint64_t x; /* the key */
    uint64_t y; /* the payload */
};

/* Sorts `count` items, 1 or more, ascending. `spare` has as much memory. Returns where the result
 * is: items or spare. Pairs keep their order where keys are equal. */
typedef uint32_t *host_sort_32(uint32_t *items, uint32_t *spare, uint32_t count);
typedef uint64_t *host_sort_64(uint64_t *items, uint64_t *spare, uint32_t count);
typedef struct host_pair *host_sort_pairs(struct host_pair *items, struct host_pair *spare,
                                          uint32_t count);

/* Sorts `count` numbers in place, wherever they begin. */
typedef void host_sort_here(void *numbers, size_t count);

/* Writes the indices of `count` keys, 1 or more, of num_bits bits, in order of the keys; those of
 * equal ones ascend. `spare` has as much memory as keys. */
typedef void host_sort_order(const uint64_t *keys, uint64_t *spare, uint32_t count,
                             uint32_t num_bits, uint32_t *order);

host_sort_32 host_items_sort_32, host_items_sort_32_avx2;
host_sort_64 host_items_sort_64, host_items_sort_64_avx2;
host_sort_here host_vectors_sort_32, host_vectors_sort_32_avx2, host_vectors_sort_64;
host_sort_order host_vectors_sort_order;
host_sort_pairs host_items_sort_pairs, host_items_sort_pairs_avx2;

/* The sorts of one kind of processor. */
struct host_sorts {
    const char *name;
    host_sort_here *here_32; /* NULL: none */
    host_sort_here *here_64; /* NULL: none */
    host_sort_order *order;  /* NULL: pairs are sorted */
    host_sort_32 *sort_32;
    host_sort_64 *sort_64;
    host_sort_pairs *sort_pairs;
};

/* The kinds that this processor can run, the best one first, which is what the library takes.
 * Returns how many there are, at least 1. */
int host_sorts_list(const struct host_sorts **list_ret);

#endif
