/* finish.h: what a leaf of finish.cl is sorted as, how it is loaded, and how it is written.
 *
 *   MSD_SHORT        two bytes of each key, in scratch
 *   keys alone       the bits in which the leaf's keys differ
 *   narrow payloads  these bits, and the payload below them, in 64 bits. Between them, unless the
 *                    payload is an index, is a bit of the element's number: if keys have fewer
 *                    values than there are bins, equal ones have two bins
 *   others           these bits, and the element's slot below them, by which payloads follow
 *
 * If equal keys keep their order all payloads follow slots, narrow ones those of 32 bits: the plan
 * leaves so few bits of the key. */
#ifndef CLSORT_MSD_FINISH_H
#define CLSORT_MSD_FINISH_H

#include "sorts/msd/msd.h"
#include "sorts/msd/large.h"
#include "sorts/msd/stretch.h"

#define FINISH_HAS_SLOTS (PAYLOAD_SIZE && (ITEM_SIZE == 16 || MSD_IN_ORDER))
#if MSD_SHORT
#define FINISH_REST_SIZE 2
typedef ushort rest_t;
#elif FINISH_HAS_SLOTS ? ITEM_SIZE == 8 : PAYLOAD_SIZE == 0 && KEY_BITS < 64
#define FINISH_REST_SIZE 4
typedef uint rest_t;
#else
#define FINISH_REST_SIZE 8
typedef ulong rest_t;
#endif
#define FINISH_IS_JOINED (PAYLOAD_SIZE && !FINISH_HAS_SLOTS)
#define FINISH_HAS_PARITY (FINISH_IS_JOINED && !PAYLOAD_INDEX)
#define FINISH_BELOW \
    (FINISH_HAS_SLOTS ? MSD_SLOT_BITS(TILE_SLOTS) : PAYLOAD_SIZE ? 32 + FINISH_HAS_PARITY : 0)
#define FINISH_PARITY(at) (FINISH_HAS_PARITY ? (rest_t)((at)&1) << (FINISH_BELOW - 1) : 0)

#define BIN_WORDS (1 << (RADIX_BITS - 4))
/* By this items are shifted for their bin. The plan has a bin for each value of a short rest. */
#define FINISH_SHIFT(bits) (MSD_SHORT ? 0 : sub_sat((bits) + FINISH_HAS_PARITY, (uint)RADIX_BITS))
#define BIN_ITEM rest_t
#define BIN_OF(item, shift) finish_bin(item, shift)
CLSORT_INLINE uint finish_bin(rest_t item, uint shift)
{
    return FINISH_IS_JOINED ? (uint)((ulong)item >> 32) >> shift
                            : (uint)(item >> (FINISH_BELOW + shift));
}
/* About 246 of 4096 keys are late in 2^15 bins, give or take 15; of 8192 944, give or take 30. Of
 * 512 in 2^12 bins 32, give or take 6: there are thousands of such leaves. Where items have slots,
 * one with more late keys sorts all words by insertion; others compare them. Short rests that
 * share 16 bytes with free slots are late from the beginning. */
#define LIKELY_LATE (TILE_SLOTS * TILE_SLOTS >> (RADIX_BITS + 1))
#define MOST_LATE (TILE_SLOTS / MSD_LATE_SHARE(TILE_SLOTS, LIKELY_LATE))
#define BIN_MAX_LATE ((MOST_LATE > LIKELY_LATE ? MOST_LATE : LIKELY_LATE) + (MSD_SHORT ? 8 : 0))

/* As digits/leaf.cl's CROWDED, which was measured. Twice as many where leaves are cut: there one
 * leaf that is left has all sorted again. Payloads that follow slots take a sorted tile. */
#define BIN_MAX_RANKED (LARGE_IS_CUT && TILE_SLOTS > 1024 ? 256 : 128)
#define BIN_SORTS_WORDS FINISH_HAS_SLOTS

#if MSD_SHORT
/* Where a leaf's rests lie: in its room, some at the front and the others at the end. So those from
 * `front` on have a gap before them. */
struct finish_room {
    __global ushort *items;
    uint front, gap;
};
#endif

struct finish_leaf {
    key_t low; /* what its keys agree in, above `bits` */
    uint bits;
    uint begin, size;
    __global key_t *keys; /* its part of the output */
    __global payload_t *payload;
#if MSD_SHORT
    struct finish_room room;
#endif
    uint stores_keys; /* an argsort does not */
    uint is_stretched;
    __global const struct key_stretch *stretch;
    struct stretch_place place; /* of `low` */
};

/* An ordered key as it is stored. */
CLSORT_INLINE key_t finish_store(const struct finish_leaf *leaf, key_t order, uint is_stretched)
{
    if (is_stretched) {
        const struct key_stretch stretch = *leaf->stretch;
        order = msd_shrink(&stretch, leaf->place, order);
    }
    return (key_t)(stored_key_t)KEY_DECODE(order);
}
#define FINISH_KEY(leaf, rest, is_stretched) \
    finish_store(leaf, (leaf)->low | (key_t)((rest) >> FINISH_BELOW), is_stretched)

/* Calls WRITE(leaf, a, b, is_stretched). Stretched keys have a loop of their own, so that others do
 * not ask for each key, which would cost 6 % of u64+u64. */
#define FINISH_EITHER(leaf, WRITE, a, b) \
    do {                                 \
        if ((leaf)->is_stretched)        \
            WRITE(leaf, a, b, 1);        \
        else                             \
            WRITE(leaf, a, b, 0);        \
    } while (0)

#if MSD_SHORT
#include "sorts/msd/finish_short.h"
#else
#include "sorts/msd/finish_items.h"
#endif
#include "group/bin_sort.h"

/* A tile of which only the words are in order, to the output. */
CLSORT_INLINE void finish_write_ranked(const struct finish_leaf *leaf, uint size,
                                       __local const struct group_bin_sort_local *shared)
{
    const uint first = FINISH_FIRST(leaf), shift = FINISH_SHIFT(leaf->bits);
    GROUP_LOOP(i, first, first + size) {
        const rest_t rest = shared->tile[i];
        const uint place = bin_sort_rank(shared, i, first, shift) - first;
        if (!PAYLOAD_INDEX || leaf->stores_keys)
            leaf->keys[place] = FINISH_KEY(leaf, rest, leaf->is_stretched);
        if (PAYLOAD_SIZE)
            leaf->payload[place] = (payload_t)rest;
    }
}

/* The keys of a leaf that stays unsorted: put together or decoded, in the output. */
CLSORT_INLINE void finish_leave(const struct finish_leaf *leaf)
{
    GROUP_LOOP(i, 0, leaf->size) {
#if MSD_SHORT
        leaf->keys[i] = FINISH_KEY(leaf, finish_rest(leaf, i), leaf->is_stretched);
#else
        leaf->keys[i] = finish_store(leaf, leaf->keys[i], leaf->is_stretched);
#endif
    }
}

#endif
