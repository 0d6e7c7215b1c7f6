/* finish_items.h: a leaf of finish.cl that lies in the output as keys and payloads. A work-item has
 * elements GROUP_SIZE apart, so that neighbours load and store neighbours. */
#ifndef CLSORT_MSD_FINISH_ITEMS_H
#define CLSORT_MSD_FINISH_ITEMS_H

/* What a work-item holds. */
struct finish_own {
    rest_t items[ITEMS];
    int left; /* elements of the leaf from its first one on */
    const struct finish_leaf *leaf;
};

/* Element `at` of a leaf, as it is sorted. */
CLSORT_INLINE rest_t finish_rest(const struct finish_leaf *leaf, uint at)
{
    const ITEM item = msd_load_apart(leaf->keys, leaf->payload, at);
    const rest_t bits = MSD_KEY(item) & (((key_t)1 << leaf->bits) - 1);
    if (FINISH_HAS_SLOTS)
        return bits << FINISH_BELOW | at;
#if FINISH_IS_JOINED
    return bits << FINISH_BELOW | FINISH_PARITY(at) | (payload_t)ITEM_STORED_PAYLOAD(item);
#else
    return bits;
#endif
}

#define BIN_OWN struct finish_own
#define BIN_ITEMS ITEMS
#define BIN_ROW 3 /* 4 and 6 spill */
#define BIN_HAS_ROW(own, row) ((int)((row)*BIN_ROW * GROUP_SIZE) < (own)->left)
#define BIN_HAS(own, i) ((int)((i)*GROUP_SIZE) < (own)->left)
#define BIN_PARTS(own) 0
#define BIN_GET(own, i) (own)->items[i]
#define BIN_LOAD(own, i) finish_rest((own)->leaf, (uint)get_local_id(0) + (i)*GROUP_SIZE)

/* Where in the tile the first element belongs. */
#define FINISH_FIRST(leaf) 0

CLSORT_INLINE void finish_load(struct finish_own *own, const struct finish_leaf *leaf, uint size)
{
    const uint me = get_local_id(0);
    own->left = (int)size - (int)me;
    own->leaf = leaf;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        own->items[i] = i * GROUP_SIZE < own->left ? finish_rest(leaf, me + i * GROUP_SIZE) : 0;
}

/* The sorted tile to the output. Each work-item writes where it has read. */
#if FINISH_HAS_SLOTS
CLSORT_INLINE void finish_write_keys(const struct finish_leaf *leaf, const rest_t *own, int left,
                                     uint is_stretched)
{
    __global key_t *keys = leaf->keys + get_local_id(0);
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            keys[i * GROUP_SIZE] = FINISH_KEY(leaf, own[i], is_stretched);
}

/* Payloads go by the slots that they come from, through local memory. */
#define FINISH_WRITE(leaf, size, tile) finish_write(leaf, size, tile)
CLSORT_INLINE void finish_write(const struct finish_leaf *leaf, uint size, __local rest_t *tile)
{
    const uint me = get_local_id(0);
    const int left = (int)size - (int)me;
    __local rest_t *mine = tile + me;
    __global payload_t *payload = leaf->payload + me;
    rest_t own[ITEMS];
    payload_t moved[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left) {
            moved[i] = payload[i * GROUP_SIZE];
            own[i] = mine[i * GROUP_SIZE];
        }
    FINISH_EITHER(leaf, finish_write_keys, own, left);
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile has been read */
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            mine[i * GROUP_SIZE] = moved[i];
    barrier(CLK_LOCAL_MEM_FENCE); /* all payloads are there */
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left)
            payload[i * GROUP_SIZE] = (payload_t)tile[own[i] & ((1 << FINISH_BELOW) - 1)];
}
#else
#define FINISH_WRITE(leaf, size, tile) FINISH_EITHER(leaf, finish_write, size, tile)
CLSORT_INLINE void finish_write(const struct finish_leaf *leaf, uint size, __local rest_t *tile,
                                uint is_stretched)
{
    const int left = (int)size - (int)get_local_id(0);
    __local const rest_t *from = tile + get_local_id(0);
    __global key_t *keys = leaf->keys + get_local_id(0);
    __global payload_t *payload = leaf->payload + get_local_id(0);
#pragma unroll 4
    for (int i = 0; i < ITEMS; ++i)
        if (i * GROUP_SIZE < left) {
            if (!PAYLOAD_INDEX || leaf->stores_keys)
                keys[i * GROUP_SIZE] = FINISH_KEY(leaf, from[i * GROUP_SIZE], is_stretched);
            if (PAYLOAD_SIZE)
                payload[i * GROUP_SIZE] = (payload_t)from[i * GROUP_SIZE];
        }
}
#endif

#endif
