/* keys.h: keys on the host as unsigned numbers in the same order, and back: what cl/base/key.h is
 * on the device, for a type that is known only at run time. */
#ifndef HOST_KEYS_H
#define HOST_KEYS_H

#include "host/alone/items.h"
#include "plan/plan.h"

/* Converts `count` stored keys to items, by all bits: of keys of at most 32 bits, and of 64 bits.
 * Bits are those to sort by, of keys of any width; pairs have these and the keys' indices. */
void host_keys_read_32(const struct problem *problem, const void *keys, uint32_t count,
                       uint32_t *items);
void host_keys_read_64(const struct problem *problem, const void *keys, uint32_t count,
                       uint64_t *items);
void host_keys_read_bits(const struct problem *problem, const void *keys, uint32_t count,
                         uint64_t *bits);
void host_keys_read_pairs(const struct problem *problem, const void *keys, uint32_t count,
                          struct host_pair *items);

/* Converts items back to keys. The items are overwritten. */
void host_keys_write_32(const struct problem *problem, uint32_t *items, uint32_t count, void *keys);
void host_keys_write_64(const struct problem *problem, uint64_t *items, uint32_t count, void *keys);

/* The same in place, for keys of 32 and 64 bits that begin anywhere. */
void host_keys_encode(const struct problem *problem, void *keys, uint32_t count);
void host_keys_decode(const struct problem *problem, void *keys, uint32_t count);

#endif
