/* host_items.h: the sort of the CPU kernels (cl/cpu_sort.h) as C functions, one for each kind of
 * item. Each is compiled in a file of its own, which defines the kind and includes
 * host_items_sort.h. */
#ifndef HOST_ITEMS_H
#define HOST_ITEMS_H

#include <stdint.h>

/* A key and its payload. The names are those of an OpenCL vector, as the kernels use them. */
struct host_pair {
    uint64_t x; /* the key */
    uint64_t y; /* the payload */
};

/* Sorts `count` items, 1 or more, ascending and stable. `spare` has as much memory. Returns where
 * the result is: items or spare. */
uint32_t *host_items_sort_32(uint32_t *items, uint32_t *spare, uint32_t count);
uint64_t *host_items_sort_64(uint64_t *items, uint64_t *spare, uint32_t count);
struct host_pair *host_items_sort_pairs(struct host_pair *items, struct host_pair *spare,
                                        uint32_t count);

#endif
