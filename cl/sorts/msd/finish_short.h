/* finish_short.h: a leaf of finish.cl of which two bytes of each key lie in scratch. The
 * bits that all its keys share are not stored. There are as many bins as a rest has values, so bins
 * are exact.
 *
 * Idea: work-items load and store 16 bytes at once, eight rests and four keys. A leaf is two
 * stretches, one from its room's front on and one to the back. The front ends, and the back stops,
 * at whole 16 bytes. So the first slots of the 16 bytes in which the back begins may be free, and
 * all other runs are whole. The first key's slot in the tile is its place in the output modulo
 * four, so four slots become one aligned store. */
#ifndef CLSORT_MSD_FINISH_SHORT_H
#define CLSORT_MSD_FINISH_SHORT_H

#define SHORT_RUN 8u /* rests of 16 bytes */
/* Enough for all slots and seven more: the back may begin within 16 bytes. */
#define SHORT_RUNS (ITEMS / SHORT_RUN + 1)
#define SHORT_STORE 4u /* keys of 16 bytes */

/* What a work-item holds: runs GROUP_SIZE * SHORT_RUN rests apart, two in a word. */
struct finish_own {
    uint words[SHORT_RUNS * SHORT_RUN / 2];
    uint has[SHORT_RUNS]; /* whether a run is there */
    uint parts;           /* of the run in which the back begins, the items that are its */
    const struct finish_leaf *leaf;
};

/* Where rest `at` lies, of the front and of the 16 bytes from which on the back has all. */
#define SHORT_PLACE(leaf, at) \
    ((at) + ((at) < (leaf)->room.front ? 0 : (leaf)->room.gap / SHORT_RUN * SHORT_RUN))
/* Free slots in the 16 bytes in which the back begins. */
#define SHORT_FREE(leaf) ((leaf)->room.gap % SHORT_RUN)

/* Element `at` of a leaf. */
CLSORT_INLINE rest_t finish_rest(const struct finish_leaf *leaf, uint at)
{
    return leaf->room.items[at + (at >= leaf->room.front ? leaf->room.gap : 0)];
}

#define SHORT_AT(i) \
    (((i) / SHORT_RUN * GROUP_SIZE + (uint)get_local_id(0)) * SHORT_RUN + (i) % SHORT_RUN)

#define BIN_OWN struct finish_own
#define BIN_ITEMS (SHORT_RUNS * SHORT_RUN)
#define BIN_ROW SHORT_RUN
#define BIN_HAS_ROW(own, row) (own)->has[row]
#define BIN_HAS(own, i) (own)->has[(i) / SHORT_RUN]
#define BIN_PARTS(own) (own)->parts
#define BIN_GET(own, i) ((rest_t)((own)->words[(i) / 2] >> (i) % 2 * 16))
#define BIN_LOAD(own, i) (own)->leaf->room.items[SHORT_PLACE((own)->leaf, SHORT_AT(i))]
#define BIN_IS_EXACT 1
#define BIN_SPARE SHORT_STORE

typedef uint4 __attribute__((may_alias)) finish_quad_t;
typedef ushort4 __attribute__((may_alias)) finish_rests_t;

/* How many keys behind a multiple of 16 bytes the leaf begins in the output. */
#define FINISH_FIRST(leaf) ((uint)((size_t)(leaf)->keys / sizeof(key_t)) % SHORT_STORE)

CLSORT_INLINE void finish_load(struct finish_own *own, const struct finish_leaf *leaf, uint size)
{
    const uint num_free = SHORT_FREE(leaf), end = size ? size + num_free : 0;
    own->parts = 0;
    own->leaf = leaf;
#pragma unroll
    for (uint run = 0; run < SHORT_RUNS; ++run) {
        const uint at = SHORT_AT(run * SHORT_RUN);
        const uint is_part = at == leaf->room.front && num_free;
        own->has[run] = at < end && !is_part;
        if (at < end) {
            const uint4 quad =
                *(__global const finish_quad_t *)(leaf->room.items + SHORT_PLACE(leaf, at));
            own->words[run * 4] = quad.x;
            own->words[run * 4 + 1] = quad.y;
            own->words[run * 4 + 2] = quad.z;
            own->words[run * 4 + 3] = quad.w;
        }
        if (at < end && is_part)
            own->parts = (0xffu << num_free & 0xff) << run * SHORT_RUN;
    }
}

/* The sorted tile to the output. */
#define FINISH_WRITE(leaf, size, tile) FINISH_EITHER(leaf, finish_write, size, tile)
CLSORT_INLINE void finish_write(const struct finish_leaf *leaf, uint size, __local rest_t *tile,
                                uint is_stretched)
{
    const uint first = FINISH_FIRST(leaf), stop = first + size;
    __global key_t *keys = leaf->keys - first;
    for (uint i = (uint)get_local_id(0) * SHORT_STORE; i < stop; i += GROUP_SIZE * SHORT_STORE) {
        const ushort4 rests = *(__local const finish_rests_t *)(tile + i);
        const uint4 quad = (uint4)(FINISH_KEY(leaf, rests.x, is_stretched),
                                   FINISH_KEY(leaf, rests.y, is_stretched),
                                   FINISH_KEY(leaf, rests.z, is_stretched),
                                   FINISH_KEY(leaf, rests.w, is_stretched));
        if (i >= first && i + SHORT_STORE <= stop) {
            *(__global finish_quad_t *)(keys + i) = quad;
        } else {
            const uint own[] = {quad.x, quad.y, quad.z, quad.w};
#pragma unroll
            for (uint v = 0; v < SHORT_STORE; ++v)
                if (i + v >= first && i + v < stop)
                    keys[i + v] = own[v];
        }
    }
}

#endif
