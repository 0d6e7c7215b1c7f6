/* pack.h: LANES neighbouring elements of one array, as a vector on CPUs (there a vector
 * instruction is what a sub-group is on a GPU), or a single item elsewhere. Elements behind the
 * array's end read as padding and are not written. */
#ifndef CLSORT_PACK_H
#define CLSORT_PACK_H

#include "base/item.h"

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

#if LANES == 1
#define PACK ITEM
#define PACK_REVERSE(pack) (pack)
#define PACK_READ(offset, from) ((from)[offset])
#define PACK_WRITE(pack, offset, to) ((to)[offset] = (pack))
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
#define KEYS CAT(WORK_KEY, LANES)
#endif

/* pack_load_whole: LANES elements from element base + at on, all of them real; the first one's
 * index in its array is index + at. base and index are the same for a whole group, at is not: 32
 * bits do for it. pack_store_whole stores as many. */
#if LANES == 1
CLSORT_INLINE PACK pack_load_whole(__global const stored_key_t *keys,
                                   __global const payload_t *payloads, ulong base, ulong index,
                                   uint at, uint flags)
{
    return item_load(keys + base, payloads + base, at, index + at, flags);
}

CLSORT_INLINE void pack_store_whole(__global stored_key_t *keys, __global payload_t *payloads,
                                    ulong base, uint at, PACK pack, uint flags)
{
    item_store(keys + base, payloads + base, at, pack, flags);
}
#else
CLSORT_INLINE PACK pack_load_whole(__global const stored_key_t *keys,
                                   __global const payload_t *payloads, ulong base, ulong index,
                                   uint at, uint flags)
{
    const KEYS stored = CAT(convert_, KEYS)(PACK_READ(0, keys + base + at));
#if PAYLOAD_SIZE == 0
    (void)payloads, (void)index, (void)flags;
    return KEY_ENCODE(stored);
#else
    const PACK ordered = CAT(convert_, PACK)(KEY_ENCODE(stored)) << 32;
    if (PAYLOAD_INDEX && (flags & FLAG_MAKE_INDEX))
        return ordered | (PACK_LANES + (index + at));
    return ordered | CAT(convert_, PACK)(PACK_READ(0, payloads + base + at));
#endif
}

CLSORT_INLINE void pack_store_whole(__global stored_key_t *keys, __global payload_t *payloads,
                                    ulong base, uint at, PACK pack, uint flags)
{
#if PAYLOAD_SIZE == 0
    const KEYS ordered = pack;
    (void)payloads;
#else
    const KEYS ordered = CAT(convert_, KEYS)(pack >> 32);
    if (flags & FLAG_STORE_PAYLOAD)
        PACK_WRITE(CAT(convert_, CAT(PAYLOAD, LANES))(pack & 0xfffffffful), 0,
                   payloads + base + at);
#endif
    if (flags & FLAG_STORE_KEYS)
        PACK_WRITE(CAT(convert_, CAT(STORED_KEY, LANES))(KEY_DECODE(ordered)), 0, keys + base + at);
}
#endif

/* Elements index ... index + LANES - 1 of an array of count that starts at element `base`. */
CLSORT_INLINE PACK pack_load(__global const stored_key_t *keys, __global const payload_t *payloads,
                             ulong base, ulong index, ulong count, uint flags)
{
    if (index >= count)
        return (PACK)(ITEM_LAST);
    if (LANES > 1 && index + LANES > count) {
        ITEM items[LANES];
        for (uint i = 0; i < LANES; ++i)
            items[i] = index + i < count
                           ? item_load(keys, payloads, base + index + i, index + i, flags)
                           : ITEM_LAST;
        return PACK_READ(0, items);
    }
    return pack_load_whole(keys, payloads, base + index, index, 0, flags);
}

CLSORT_INLINE void pack_store(__global stored_key_t *keys, __global payload_t *payloads, ulong base,
                              ulong index, ulong count, PACK pack, uint flags)
{
    if (index >= count)
        return;
    if (LANES > 1 && index + LANES > count) {
        ITEM items[LANES];
        PACK_WRITE(pack, 0, items);
        for (uint i = 0; i < LANES; ++i)
            if (index + i < count)
                item_store(keys, payloads, base + index + i, items[i], flags);
        return;
    }
    pack_store_whole(keys, payloads, base + index, 0, pack, flags);
}

#endif
