/* sort.h: sorts arrays of the host by its own threads, without a device. */
#ifndef HOST_SORT_H
#define HOST_SORT_H

#include "host/alone/items.h"
#include "host/alone/key_words.h"

/* Whether up to num_threads threads of the host sort this problem: the algorithm is AUTO, the keys
 * are numbers, and there are no more of them than the tuning says for the device. */
int host_sort_takes(const struct device_facts *facts, const struct problem *problem,
                    uint32_t num_threads);

/* Sorts arrays that have been checked, by the calling thread and up to num_threads - 1 others. The
 * sort is always stable. Returns 0, with nothing written, if there is no memory. */
int host_sort(const struct problem *problem, const clsort_arrays *arrays, uint32_t num_threads);

/* ---- by_index.c ---- */

/* One of several arrays, or a segment, which begins at the element `first`. */
struct host_part {
    const clsort_arrays *arrays;
    uint64_t array, first;
};

/* The elements of a part in a role's memory; NULL stays NULL. */
void *host_part_of(const struct problem *problem, const struct host_part *part,
                   enum buffer_role role);

/* Sorts all arrays, or a segment, by up to num_threads threads. Returns 0, with nothing written, if
 * there is no memory. */
int host_sort_by_index(const struct problem *problem, const clsort_arrays *arrays, uint64_t first,
                       uint32_t num_threads);

/* ---- compare.c ---- */

/* An array of keys that are not plain numbers: strings, or words of members. */
struct compared {
    const struct problem *problem;
    const char *bytes;
    const void *offsets;
    struct words words;
};

/* Whether keys have an order that this finds: not if it is the caller's text. */
int host_compare_takes(const struct problem *problem);

/* Writes where in order the elements come from. Equal ones keep their order. There must be room for
 * two pairs an element in `items`. */
void host_compare_order(const struct compared *compared, struct host_pair *items, uint32_t *order);

/* Writes the strings in this order, and where each begins and the last one ends. */
void host_compare_move_strings(const struct compared *compared, const uint32_t *order, char *bytes,
                               void *offsets);

/* ---- keys.c ---- */

/* Keys as unsigned numbers in the same order, and back: what cl/base/key.h is on the device, for a
 * type that is known only at run time.
 *
 * Converts `count` stored keys to items, by all bits: of 64 bits, or of 32 for keys of fewer. Keys
 * of 32 and 64 bits may be their own items. Both may begin anywhere. Bits are those to sort by, of
 * keys of any width, and go to numbers that lie `stride` apart. */
void host_keys_read(const struct problem *problem, const void *keys, uint32_t count, void *items);
void host_keys_read_bits(const struct problem *problem, const void *keys, uint32_t count,
                         uint64_t *bits, size_t stride);

/* Converts items back to keys. The items are overwritten. */
void host_keys_write(const struct problem *problem, void *items, uint32_t count, void *keys);

/* A stored key of this type, which may begin anywhere, as a number in the same order. */
uint64_t host_key_ordered(const struct key_type *type, int descending, const void *key);

#endif
