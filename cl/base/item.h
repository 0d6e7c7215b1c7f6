/* item.h: an element while it is being sorted, key and payload together, in the smallest scalar or
 * vector that holds both:
 *
 *   payload none             item is the ordered key: uint or ulong
 *   key <= 32, payload <= 4  ulong: key in the high half, payload in the low
 *   else                     ulong2: key in x, payload in y
 *
 * Scalars are compared whole (unless only some bits of the key count): ties between equal keys go
 * by the payload, which makes an index payload stable and does not matter to others. All ones is
 * the padding: no item comes after it. */
#ifndef CLSORT_ITEM_H
#define CLSORT_ITEM_H

#include "base/buffers.h"

#define ITEM_ARGS                                                                           \
    __global const void *keys_in, __global void *keys_out, __global const void *payload_in, \
        __global void *payload_out

#if PAYLOAD_SIZE == 1
#define PAYLOAD uchar
#elif PAYLOAD_SIZE == 2
#define PAYLOAD ushort
#elif PAYLOAD_SIZE == 8
#define PAYLOAD ulong
#else
#define PAYLOAD uint
#endif
typedef PAYLOAD payload_t;

#if RECORD_SIZE
#include "base/record_item.h"
#else
#include "base/key.h"
#define RECORD_IS_WIDE 0

/* An item's kind, and how it is made of its parts and has them. */
#if PAYLOAD_SIZE == 0
#define ITEM WORK_KEY
#define ITEM_SIZE (KEY_WORK_BITS / 8)
#define ITEM_LAST (~(key_t)0)
#define ITEM_KEY(item) (item)
#define ITEM_STORED_KEY(item) (item)
#define ITEM_STORED_PAYLOAD(item) 0
CLSORT_INLINE ITEM item_make(key_t key, ulong payload)
{
    (void)payload;
    return key;
}
#elif KEY_BITS <= 32 && PAYLOAD_SIZE <= 4
#define ITEM ulong
#define ITEM_SIZE 8
#define ITEM_LAST (~0ul)
#define ITEM_KEY(item) ((item) >> 32)
#define ITEM_STORED_KEY(item) ((key_t)((item) >> 32))
#define ITEM_STORED_PAYLOAD(item) ((uint)(item))
CLSORT_INLINE ITEM item_make(key_t key, ulong payload)
{
    return (ulong)key << 32 | payload;
}
#else
#define ITEM ulong2
#define ITEM_SIZE 16
#define ITEM_LAST ((ulong2)(~0ul))
#define ITEM_STORED_KEY(item) ((key_t)(item).x)
#define ITEM_STORED_PAYLOAD(item) ((item).y)
CLSORT_INLINE ITEM item_make(key_t key, ulong payload)
{
    ITEM item;
    item.x = key;
    item.y = payload;
    return item;
}
#endif

#if ITEM_SIZE == 16
#define ITEM_ORDER(item) KEY_DIGITS((item).x)
#if PAYLOAD_INDEX
#define ITEM_LESS(a, b) \
    ((ITEM_ORDER(a) < ITEM_ORDER(b)) | ((ITEM_ORDER(a) == ITEM_ORDER(b)) & ((a).y < (b).y)))
#else
#define ITEM_LESS(a, b) (ITEM_ORDER(a) < ITEM_ORDER(b))
#endif
#elif KEY_PARTIAL && PAYLOAD_INDEX
#define ITEM_ORDER(item) (KEY_DIGITS((item) >> 32) << 32 | ((item)&0xfffffffful))
#define ITEM_LESS(a, b) (ITEM_ORDER(a) < ITEM_ORDER(b))
#elif KEY_PARTIAL
#define ITEM_LESS(a, b) (KEY_DIGITS(ITEM_KEY(a)) < KEY_DIGITS(ITEM_KEY(b)))
#else
#define ITEM_LESS(a, b) ((a) < (b))
#define ITEM_MIN(a, b) min(a, b)
#define ITEM_MAX(a, b) max(a, b)
#endif
#define ITEM_BANKS (BANKS / ITEM_SIZE)

/* By the key alone, for sorts that settle ties by position. */
#define ITEM_KEY_LESS(a, b) (KEY_DIGITS(ITEM_STORED_KEY(a)) < KEY_DIGITS(ITEM_STORED_KEY(b)))

/* The same of items that lie in memory of a kind: local, global or private. */
#define ITEM_KEY_LESS_IN(space_a, a, space_b, b) ITEM_KEY_LESS(a, b)
#define ITEM_LESS_IN(space_a, a, space_b, b) ITEM_LESS(a, b)

/* And of two keys as they lie in a buffer. */
#define STORED_LESS(a, b) (KEY_DIGITS(KEY_ENCODE((key_t)(a))) < KEY_DIGITS(KEY_ENCODE((key_t)(b))))

/* Element `at` of the buffers, whose index in its array is `index`. */
CLSORT_INLINE ITEM item_load(__global const stored_key_t *keys, __global const payload_t *payloads,
                             ulong at, ulong index, uint flags)
{
    const key_t stored = keys[at];
    ulong payload = 0;
    if (PAYLOAD_INDEX && (flags & FLAG_MAKE_INDEX))
        payload = index;
    else if (PAYLOAD_SIZE)
        payload = payloads[at];
    return item_make(KEY_ENCODE(stored), payload);
}

#define ITEM_LOAD(item, keys, payloads, at, index, flags) \
    ((item) = item_load(keys, payloads, at, index, flags))

CLSORT_INLINE void item_store(__global stored_key_t *keys, __global payload_t *payloads, ulong at,
                              ITEM item, uint flags)
{
    const key_t key = ITEM_STORED_KEY(item);
    const ulong payload = ITEM_STORED_PAYLOAD(item);
    if (flags & FLAG_STORE_KEYS)
        keys[at] = (stored_key_t)KEY_DECODE(key);
    if (PAYLOAD_SIZE && (flags & FLAG_STORE_PAYLOAD))
        payloads[at] = (payload_t)payload;
}

#define ITEM_STORE(keys, payloads, at, item, flags) item_store(keys, payloads, at, item, flags)

#endif /* not RECORD_SIZE */

/* The keys, or what moves with them, of a buffer; work: where those in scratch begin. Without
 * branches: with them, PoCL's code stops if work-groups are one work-item. */
CLSORT_INLINE __global stored_key_t *buffer_keys(const param_u64 *offsets, ITEM_ARGS,
                                                 __global void *scratch, uint buffer,
                                                 param_u64 work)
{
    (void)payload_in, (void)payload_out;
    __global stored_key_t *in = BUFFER_AT(stored_key_t, offsets, keys_in, 0);
    __global stored_key_t *out = BUFFER_AT(stored_key_t, offsets, keys_out, 1);
    return BUFFER_CHOOSE(buffer, in, out, BUFFER_TABLE(stored_key_t, offsets, scratch, work));
}

CLSORT_INLINE __global payload_t *buffer_payload(const param_u64 *offsets, ITEM_ARGS,
                                                 __global void *scratch, uint buffer,
                                                 param_u64 work)
{
    (void)keys_in, (void)keys_out;
    __global payload_t *in = BUFFER_AT(payload_t, offsets, payload_in, 2);
    __global payload_t *out = BUFFER_AT(payload_t, offsets, payload_out, 3);
    return BUFFER_CHOOSE(buffer, in, out, BUFFER_TABLE(payload_t, offsets, scratch, work));
}

#endif
