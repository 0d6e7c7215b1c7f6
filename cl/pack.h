/* pack.h: LANES neighbouring elements of one array, as a vector on CPUs (there a vector
 * instruction is what a sub-group is on a GPU), or a single item elsewhere. Elements behind the
 * array's end read as padding and are not written. */
#ifndef CLSORT_PACK_H
#define CLSORT_PACK_H

#include "item.h"

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

#if LANES == 1
#define PACK ITEM
#define PACK_REVERSE(pack) (pack)
#else
#define PACK_REVERSE(pack) CLSORT_PASTE(CLSORT_XOR_, ALL, LANES)(pack)
#define PACK CAT(ITEM, LANES)
#define PACK_READ CAT(vload, LANES)
#define PACK_WRITE CAT(vstore, LANES)
#if LANES == 4
#define PACK_LANES ((PACK)(0, 1, 2, 3))
#elif LANES == 8
#define PACK_LANES ((PACK)(0, 1, 2, 3, 4, 5, 6, 7))
#else
#define PACK_LANES ((PACK)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#endif
#if KEY_BITS == 64
#define KEYS CAT(ulong, LANES)
#else
#define KEYS CAT(uint, LANES)
#endif
#endif

/* LANES elements from element base + at on, all of them real; the first one's index in its array is
 * index + at. base and index are the same for a whole group, at is not: 32 bits do for it. */
CLSORT_INLINE PACK pack_load_whole(__global const stored_key_t *keys,
                                   __global const payload_t *payloads, ulong base, ulong index,
                                   uint at, uint flags)
{
#if LANES == 1
    return item_load(keys + base, payloads + base, at, index + at, flags);
#else
    const KEYS stored = CAT(convert_, KEYS)(PACK_READ(0, keys + base + at));
    const KEYS ordered = KEY_ENCODE(stored);
#if PAYLOAD_SIZE == 0
    return ordered;
#else
#if PAYLOAD_INDEX
    if (flags & FLAG_MAKE_INDEX)
        return CAT(convert_, PACK)(ordered) << 32 | (PACK_LANES + (index + at));
#endif
    return CAT(convert_, PACK)(ordered) << 32 |
           CAT(convert_, PACK)(PACK_READ(0, payloads + base + at));
#endif
#endif
}

CLSORT_INLINE void pack_store_whole(__global stored_key_t *keys, __global payload_t *payloads,
                                    ulong base, uint at, PACK pack, uint flags)
{
#if LANES == 1
    item_store(keys + base, payloads + base, at, pack, flags);
#else
#if PAYLOAD_SIZE == 0
    const KEYS ordered = pack;
#else
    const KEYS ordered = CAT(convert_, KEYS)(pack >> 32);
    if (flags & FLAG_STORE_PAYLOAD)
        PACK_WRITE(CAT(convert_, CAT(PAYLOAD, LANES))(pack & 0xfffffffful), 0,
                   payloads + base + at);
#endif
    if (flags & FLAG_STORE_KEYS)
        PACK_WRITE(CAT(convert_, CAT(STORED_KEY, LANES))(KEY_DECODE(ordered)), 0, keys + base + at);
#endif
}

/* Elements index ... index + LANES - 1 of an array of count that starts at element `base`. */
CLSORT_INLINE PACK pack_load(__global const stored_key_t *keys, __global const payload_t *payloads,
                             ulong base, ulong index, ulong count, uint flags)
{
    if (index >= count)
        return (PACK)(ITEM_LAST);
#if LANES > 1
    if (index + LANES > count) {
        ITEM items[LANES];
        for (uint i = 0; i < LANES; ++i)
            items[i] = index + i < count
                           ? item_load(keys, payloads, base + index + i, index + i, flags)
                           : ITEM_LAST;
        return PACK_READ(0, items);
    }
#endif
    return pack_load_whole(keys, payloads, base + index, index, 0, flags);
}

CLSORT_INLINE void pack_store(__global stored_key_t *keys, __global payload_t *payloads, ulong base,
                              ulong index, ulong count, PACK pack, uint flags)
{
    if (index >= count)
        return;
#if LANES > 1
    if (index + LANES > count) {
        ITEM items[LANES];
        PACK_WRITE(pack, 0, items);
        for (uint i = 0; i < LANES; ++i)
            if (index + i < count)
                item_store(keys, payloads, base + index + i, items[i], flags);
        return;
    }
#endif
    pack_store_whole(keys, payloads, base + index, 0, pack, flags);
}

#endif
