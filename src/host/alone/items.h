/* items.h: sorts of the calling thread, one for each kind of item and each kind of processor, and
 * those of several threads.
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

/* Numbers in the order of vectors, which may begin anywhere. */
struct host_vectors {
    uint32_t size; /* bytes of a number */
    void (*sort)(void *numbers, size_t count);
    int (*are_in_order)(const void *numbers, size_t count, int descending);
    /* A number, probably near the middle in order. */
    uint64_t (*pivot)(const void *numbers, size_t count);
    /* Moves those below the pivot to the front, and returns how many. Takes HOST_SPLIT_MIN. */
    size_t (*split)(void *numbers, size_t count, uint64_t pivot);
};
#define HOST_SPLIT_MIN 1024

/* Keys of up to 64 bits that are joined with their places (cl/cpu/joined.h). */
struct host_joined {
    const uint64_t *keys;
    uint64_t *numbers; /* as many */
    uint32_t count;    /* 1 or more */
    uint64_t low;      /* the other members are order_begin()'s */
    uint32_t num_left_out, place_bits;
};

/* Makes the numbers of keys of num_bits bits. When they have been sorted, they tell where in order
 * keys come from. Equal keys stay in order. */
struct host_order {
    void (*begin)(struct host_joined *joined, uint32_t num_bits);
    void (*end)(const struct host_joined *joined, uint32_t *order);
};

host_sort_32 host_items_sort_32;
host_sort_64 host_items_sort_64, host_items_sort_64_avx2;
host_sort_pairs host_items_sort_pairs, host_items_sort_pairs_avx2;
extern const struct host_vectors host_vectors_32, host_vectors_32_avx2, host_vectors_64;
extern const struct host_order host_order;

/* The sorts of one kind of processor. */
struct host_sorts {
    const char *name;
    const struct host_vectors *vectors_32; /* NULL: host_items_sort_32() */
    const struct host_vectors *vectors_64; /* NULL: none */
    const struct host_order *order;        /* by vectors_64; NULL: pairs are sorted */
    host_sort_64 *sort_64;
    host_sort_pairs *sort_pairs;
};

/* The kinds that this processor can run, the best one first, which is what the library takes.
 * Returns how many there are, at least 1. */
int host_sorts_list(const struct host_sorts **list_ret);
const struct host_sorts *host_sorts_best(void);

/* ---- parallel.c: by vectors and several threads ---- */

/* Numbers that are made before they are sorted, and become something else behind that. Each range
 * is prepared once, and finished once. */
struct host_numbers {
    const struct host_vectors *vectors;
    void *numbers;
    size_t count;
    void (*prepare)(void *argument, size_t begin, size_t end); /* NULL: they are there */
    void (*finish)(void *argument, size_t begin, size_t end);  /* NULL: nothing is left */
    void *argument;
};

/* Bytes that are worth threads: with two, 2^15 u32 took 1.9 times as long as with one, 2^16 1.4,
 * 2^18 as long, 2^19 0.83, 2^20 0.7. A thread may begin on its caller's core. */
#define HOST_SHARED_MIN ((size_t)1 << 20)

/* Sorts numbers by the calling thread and up to num_threads - 1 others. */
void host_parallel_sort(const struct host_numbers *numbers, uint32_t num_threads);

/* Sorts numbers so far that those from `first` on, before `end`, are where they belong, and nothing
 * else is promised. They are there, and nothing is left. */
void host_select(const struct host_vectors *vectors, void *numbers, size_t count, size_t first,
                 size_t end);

#endif
