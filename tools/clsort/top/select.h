/* select.h: how 'clsort top' has the library select: by the host's threads or on a device, and
 * how many elements at once. Every failure prints its message. */
#ifndef CLSORT_TOOL_TOP_SELECT_H
#define CLSORT_TOOL_TOP_SELECT_H

#include "io/bytes.h"
#include "memory/device.h"

struct top_select {
    clsort_desc desc;      /* type, order and the size of indices, 0: there are none */
    uint64_t memory;       /* bytes: what -S says */
    const char *selection; /* of a device; NULL: the best, where one is needed */
    struct device device;  /* open where it has a sorter */
    struct bytes keys_out, indices_out;
};

/* What was selected. It stays until the next selection. */
struct top_found {
    void *keys, *indices; /* in order; indices only if they are asked for */
    uint64_t num;
};

/* Bytes of what the input is read into, a part of the memory. */
uint64_t top_select_chunk(const struct top_select *select);

/* Whether the host's threads select: no device is open or asked for. */
bool top_select_is_by_host(const struct top_select *select);

/* The most elements that they select from at once, within half of the memory. */
uint64_t top_select_host_most(const struct top_select *select);

/* Opens the device and sets *most_ret to the most elements that fit into it and the memory, if
 * `need` of them are wanted, in as many segments as there may be. */
bool top_select_open(struct top_select *select, uint64_t need, uint64_t num_segments,
                     uint64_t *most_ret);

/* Finds places skip up to skip + num, which are within the count. Keys may change their order, and
 * their indices with them. Among equal keys the first in the array comes first. */
bool top_select_places(struct top_select *select, void *keys, void *indices, uint64_t count,
                       uint64_t skip, uint64_t num, struct top_found *found);

void top_select_close(struct top_select *select);

#endif
