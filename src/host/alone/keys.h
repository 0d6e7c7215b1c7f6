/* keys.h: keys on the host as unsigned numbers in the same order, and back: what cl/base/key.h is
 * on the device, for a type that is known only at run time. */
#ifndef HOST_KEYS_H
#define HOST_KEYS_H

#include "host/alone/items.h"
#include "plan/plan.h"

/* Converts `count` stored keys to items, by all bits: of 64 bits, or of 32 for keys of fewer. Keys
 * of 32 and 64 bits may be their own items. Both may begin anywhere. Bits are those to sort by, of
 * keys of any width; pairs have these and the keys' indices. */
void host_keys_read(const struct problem *problem, const void *keys, uint32_t count, void *items);
void host_keys_read_bits(const struct problem *problem, const void *keys, uint32_t count,
                         uint64_t *bits);
void host_keys_read_pairs(const struct problem *problem, const void *keys, uint32_t count,
                          struct host_pair *items);

/* Converts items back to keys. The items are overwritten. */
void host_keys_write(const struct problem *problem, void *items, uint32_t count, void *keys);

/* A stored key of this type, which may begin anywhere, as a number in the same order. */
uint64_t host_key_ordered(const struct key_type *type, int descending, const void *key);

#endif
