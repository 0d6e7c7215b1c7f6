/* host_items.h: the sort of the CPUs' kernels (cl/cpu_sort.h) as functions of C, one a kind of
 * item. A file each defines the kind and includes host_items_sort.h. */
#ifndef HOST_ITEMS_H
#define HOST_ITEMS_H

#include <stdint.h>

/* Named as the kernels name the halves of their largest item. */
struct host_pair {
    uint64_t x; /* what is sorted by */
    uint64_t y; /* moves with it */
};

/* Sorts count items, 1 or more, ascending and stable, with as much room in spare. Returns where the
 * result lies: items or spare. */
uint32_t *host_items_sort_32(uint32_t *items, uint32_t *spare, uint32_t count);
uint64_t *host_items_sort_64(uint64_t *items, uint64_t *spare, uint32_t count);
struct host_pair *host_items_sort_pairs(struct host_pair *items, struct host_pair *spare,
                                        uint32_t count);

#endif
