/* host_keys.h: keys on the host as the unsigned numbers whose order is theirs, and back: what
 * cl/key.h is on the device, for a type known only at run time. */
#ifndef HOST_KEYS_H
#define HOST_KEYS_H

#include "host_items.h"
#include "plan.h"

/* From count stored keys to what is sorted. The first is for keys of at most 32 bits, the second
 * for 64; both take all bits. Pairs take the bits to sort by, of keys of any width, and the keys'
 * indices. */
void host_keys_read_32(const struct problem *problem, const void *keys, uint32_t count,
                       uint32_t *items);
void host_keys_read_64(const struct problem *problem, const void *keys, uint32_t count,
                       uint64_t *items);
void host_keys_read_pairs(const struct problem *problem, const void *keys, uint32_t count,
                          struct host_pair *items);

/* And back. The items are overwritten. */
void host_keys_write_32(const struct problem *problem, uint32_t *items, uint32_t count, void *keys);
void host_keys_write_64(const struct problem *problem, uint64_t *items, uint32_t count, void *keys);

#endif
