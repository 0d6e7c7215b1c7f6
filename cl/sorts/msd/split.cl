/* split.cl: level 1: moves the keys into blocks of one digit each, without counting (msd.h).
 *
 * Idea: a work-group has blocks of its own. Work-item d owns digit d: it opens a block when the
 * digit's last one is full, and notes each block's digit and number of keys. So no two groups share
 * a cursor. In order, groups have tiles behind one another, and sub-groups have neighbours.
 * deal.h says which elements a tile has.
 *
 * What level 2 has to know follows in the same launch (phases.h).
 *
 * Local memory: the buckets, or what a phase needs, which is less; the next free block and an
 * answer; a counter for each leaf, if these are few. Runs after: sample/sample.cl. Before:
 * scatter.cl. */
#include "base/config.h"
#include "sorts/msd/msd.h"
#include "sorts/msd/stretch.h"

#define COMBINE_SIZE ITEM_SIZE
#define COMBINE_RADIX (1 << RADIX_BITS)
#define COMBINE_CAPACITY MSD_CAPACITY(MSD_LEAST_ROOM(COMBINE_BYTES))
#define COMBINE_IN_ORDER MSD_IN_ORDER

#include "sorts/msd/deal.h"

/* Leaves that are counted here, at most; two counters share a word, or, of many leaves or in order,
 * four. */
#define SPLIT_BITS (2 * RADIX_BITS > MSD_COUNTED_BITS ? MSD_COUNTED_BITS : 2 * RADIX_BITS)
#define SPLIT_LEAVES (MSD_COUNTS_LEAVES ? 1 << SPLIT_BITS : 0)
#define SPLIT_ARE_BYTES (MSD_IN_ORDER || RADIX_BITS > MSD_FEW_BITS)
#define SPLIT_COUNTERS (SPLIT_ARE_BYTES ? 4 : 2) /* of a word */
#define SPLIT_COUNTER_SHIFT(leaf) ((leaf) % SPLIT_COUNTERS * (32 / SPLIT_COUNTERS))
#define SPLIT_MAX_COUNT (SPLIT_ARE_BYTES ? 0xffu : 0xffffu)

/* The digit's block that is being filled, by the work-item that owns the digit. */
struct split_cursor {
    const struct msd_params *q;
    __global const stored_key_t *keys;
    __global const payload_t *payload;
    struct split_way way;
    uint first;           /* of the tile, in the way */
    __global uint *kinds; /* of the group's blocks: digit and number of keys */
    __local uint *next_block;
    uint max_blocks;
    uint shift, leaf_shift; /* of the digit, of the leaf's number */
    uint counts_leaves;
    uint is_stretched;
    STRETCH_TABLE table; /* of the map, if keys are mapped */
    __global struct msd_control *control;
    uint at;   /* the next key's index from the group's first block on */
    uint left; /* keys for which there is room */
    uint has_block;
    uint num_keys, num_blocks; /* of the digit */
};

/* Notes what the open block holds. */
CLSORT_INLINE void split_close(struct split_cursor *cursor, uint digit)
{
    const uint filled = MSD_BLOCK - cursor->left;
    if (cursor->has_block && filled > 0) {
        cursor->kinds[(cursor->at - filled) / MSD_BLOCK] =
            MSD_KIND(filled, digit, cursor->num_blocks);
        cursor->num_keys += filled;
        cursor->num_blocks += 1;
    }
}

/* Room for `count` keys: in the open block, or in new ones behind one another. */
CLSORT_INLINE uint split_take(struct split_cursor *cursor, uint digit, uint count)
{
    if (cursor->left < count) {
        split_close(cursor, digit);
        const uint num = (count + MSD_BLOCK - 1) / MSD_BLOCK;
        uint block = atomic_add(cursor->next_block, num);
        if (block + num > cursor->max_blocks)
            block = 0; /* the kernel's end sees it */
#pragma unroll 1
        for (uint i = 0; i + 1 < num; ++i)
            cursor->kinds[block + i] = MSD_KIND(MSD_BLOCK, digit, cursor->num_blocks + i);
        cursor->num_keys += (num - 1) * MSD_BLOCK;
        cursor->num_blocks += num - 1;
        cursor->at = block * MSD_BLOCK;
        cursor->left = num * MSD_BLOCK;
        cursor->has_block = 1;
    }
    const uint target = cursor->at;
    cursor->at += count;
    cursor->left -= count;
    return target;
}

/* index: of the element, which is not loaded. */
#define SPLIT_LOADS_PAYLOAD (PAYLOAD_INDEX ? 0 : PAYLOAD_SIZE)
#define SPLIT_PAYLOAD(payload, i, index) (PAYLOAD_INDEX ? (index) : PAYLOAD_SIZE ? (payload)[i] : 0)

/* order: an ordered key. */
#define SPLIT_ITEM(order, payload, i, index) item_make(order, SPLIT_PAYLOAD(payload, i, index))

#define COMBINE_CONTEXT struct split_cursor *
#define COMBINE_FETCH(cursor, i, item, digit)                               \
    do {                                                                    \
        const struct msd_params *q = (cursor)->q;                           \
        const struct key_stretch stretch_ = (cursor)->control->stretch;     \
        const uint at_ = split_element(&(cursor)->way, (cursor)->first, i); \
        key_t order_ = MSD_ORDER((cursor)->keys[at_]);                      \
        if ((cursor)->is_stretched)                                         \
            order_ = msd_stretch(&stretch_, (cursor)->table, order_);       \
        (item) = SPLIT_ITEM(order_, (cursor)->payload, at_, at_);           \
        (digit) = COMBINE_DIGIT(cursor, item);                              \
    } while (0)
#define COMBINE_DIGIT(cursor, item) MSD_DIGIT(MSD_KEY(item), (cursor)->shift, RADIX_BITS)
#if MSD_IN_ORDER
#define COMBINE_HEAD(cursor) 0u
#endif
#define COMBINE_TAKE(cursor, digit, count) split_take(cursor, digit, count)
#define COMBINE_TAKE_REST(cursor, digit, count) split_take(cursor, digit, count)
#include "group/combine.h"
#include "sorts/msd/phases.h"

struct split_local {
    union {
        struct group_combine_local combine;
        union phases_local phases;
    } u;
    uint next_block;
    uint leaves[SPLIT_LEAVES ? SPLIT_LEAVES / SPLIT_COUNTERS : 1];
};

/* A work-item's elements of a tile. Keys are first as they are stored, then ordered. What is not
 * there is left from an earlier tile, or 0, and is not used. */
struct split_own {
    key_t keys[ITEMS];
    payload_t payload[ITEMS];
};

CLSORT_INLINE void split_load(struct split_own *own, const struct split_cursor *cursor, uint first,
                              int left)
{
    if (cursor->way.num_tiles) {
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            const uint at = deal_element(cursor->way.num_tiles, first, i);
            if ((int)i * SPLIT_STEP < left) {
                own->keys[i] = cursor->keys[at];
                if (SPLIT_LOADS_PAYLOAD)
                    own->payload[i] = cursor->payload[at];
            }
        }
        return;
    }
    __global const stored_key_t *keys = cursor->keys + first + SPLIT_FIRST;
    __global const payload_t *payload = cursor->payload + first + SPLIT_FIRST;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * SPLIT_STEP < left)
            own->keys[i] = keys[i * SPLIT_STEP];
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (SPLIT_LOADS_PAYLOAD && i * SPLIT_STEP < left)
            own->payload[i] = payload[i * SPLIT_STEP];
}

/* A tile's keys are ordered, then stretched, before they are added. If each is stretched on its
 * way, it takes registers from keys that are not, 7 % of the time. A key that lies outside ends the
 * work of msd, as a lack of blocks does. */
CLSORT_INLINE void split_order(struct split_own *own, int left, const struct split_cursor *cursor)
{
    const struct msd_params *q = cursor->q;
    const struct key_stretch stretch = cursor->control->stretch;
    uint is_beyond = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        own->keys[i] = MSD_ORDER(own->keys[i]);
    if (!cursor->is_stretched)
        return;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * SPLIT_STEP < left) {
            is_beyond |= STRETCH_IS_BEYOND(&stretch, own->keys[i]);
            own->keys[i] = msd_stretch(&stretch, cursor->table, own->keys[i]);
        }
    if (is_beyond)
        cursor->control->split_gave_up = 1;
}

/* Counts an item's leaf; returns whether its counter is full. */
CLSORT_INLINE uint split_count(__local uint *leaves, ITEM item, int is_there,
                               const struct split_cursor *cursor)
{
    const uint leaf = (uint)(MSD_KEY(item) >> cursor->leaf_shift);
    const uint shift = SPLIT_COUNTER_SHIFT(leaf);
    const uint before = atomic_add(&leaves[leaf / SPLIT_COUNTERS], (is_there ? 1u : 0) << shift);
    return SPLIT_ARE_BYTES && is_there && (before >> shift & SPLIT_MAX_COUNT) == SPLIT_MAX_COUNT;
}

/* Into their buckets. first: the tile's first element. A leaf of which a group has too many for a
 * counter ends msd's work, as a lack of blocks does. So many neighbours would crowd the leaf's
 * bins, too. */
CLSORT_INLINE void split_add(__local struct split_local *shared, const struct split_own *own,
                             uint first, int left, combine_overflow_t *beyond,
                             struct split_cursor *cursor)
{
    combine_item_t items[ITEMS];
    uint is_full = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        items[i] =
            SPLIT_ITEM(own->keys[i], own->payload, i, split_element(&cursor->way, first, (uint)i));
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (SPLIT_LEAVES && cursor->counts_leaves)
            is_full |= split_count(shared->leaves, items[i], i * SPLIT_STEP < left, cursor);
    if (is_full)
        cursor->control->split_gave_up = 1;
    group_combine_add_tile(&shared->u.combine, items, left, SPLIT_STEP, beyond, cursor);
}

/* The share's numbers of keys of each leaf to all shares', or, in order, those of its part. Begins
 * after a barrier. */
CLSORT_INLINE void split_end_leaves(__local const uint *leaves, const struct msd_params *q,
                                    __global uint *counts, uint share)
{
    const uint num = 1u << (q->bits[0] + q->bits[1]), part = share / MSD_PART_GROUPS(q);
    GROUP_LOOP(leaf, 0, num) {
        const uint digit = leaf >> q->bits[1];
        const uint number = leaf + ((digit * (q->parts - 1) + part) << q->bits[1]);
        const uint count =
            leaves[leaf / SPLIT_COUNTERS] >> SPLIT_COUNTER_SHIFT(leaf) & SPLIT_MAX_COUNT;
        if (count)
            atomic_add(&counts[MSD_IN_ORDER ? number : leaf], count);
    }
}

/* The group's sums to all groups'; whether it had blocks enough. Begins after a barrier. */
CLSORT_INLINE void split_end(struct split_cursor *cursor, __global uint *totals,
                             __global struct msd_control *control)
{
    const uint digit = get_local_id(0);
    if (digit < COMBINE_RADIX) {
        split_close(cursor, digit);
        if (cursor->num_keys) {
            atomic_add(&totals[digit * MSD_PAD], cursor->num_blocks);
            atomic_add(&totals[digit * MSD_PAD + 1], cursor->num_keys);
        }
    }
    if (digit == 0 && *cursor->next_block > cursor->max_blocks)
        control->split_gave_up = 1; /* the input is untouched, and another sort takes it */
}

/* A share's tiles into its own blocks. Ends before a barrier. */
CLSORT_INLINE void split_share(const struct msd_params *q, MSD_ARGS,
                               __local struct split_local *shared, uint share, uint num_tiles)
{
    __local struct group_combine_local *combine = &shared->u.combine;
    const uint me = get_local_id(0);
    const struct split_tiles tiles = split_tiles_of(q, share, num_tiles);
    const struct split_way way = split_way_of(MSD_CONTROL->is_even, num_tiles);
    const uint step = tiles.step * way.stride;
    __global ITEM *out = msd_block(q, scratch, share * q->blocks_per_group);
    struct split_cursor cursor = {
        .q = q,
        .keys = msd_keys(q, MSD_BUFFERS, BUFFER_IN),
        .payload = msd_payload(q, MSD_BUFFERS, BUFFER_IN),
        .way = way,
        .kinds = MSD_TABLE(uint, kinds) + share * q->blocks_per_group,
        .next_block = &shared->next_block,
        .max_blocks = q->blocks_per_group,
        .shift = q->shifts[0],
        .leaf_shift = q->shifts[1],
        .counts_leaves = q->counts_leaves,
        .is_stretched = STRETCH_IS_USED,
        .table = MSD_TABLE(struct float_map, map),
        .control = MSD_CONTROL,
    };
    group_combine_begin(combine);
    shared->next_block = 0; /* by all: see group/merge_local.h */
    group_clear(shared->leaves, SPLIT_LEAVES / SPLIT_COUNTERS);
    struct split_own own = {{0}, {0}};
    uint first = tiles.at * way.stride;
    int left = tiles.at < tiles.end ? split_left(q, &way, first) : 0;
    split_load(&own, &cursor, first, left);
    for (uint tile = tiles.at; tile < tiles.end; tile += tiles.step) {
        barrier(CLK_LOCAL_MEM_FENCE); /* the buckets are ready */
        split_order(&own, left, &cursor);
        combine_overflow_t beyond;
        split_add(shared, &own, first, left, &beyond, &cursor);
        cursor.first = first;
        first += step;
        left = tile + tiles.step < tiles.end ? split_left(q, &way, first) : 0;
        split_load(&own, &cursor, first, left);
        group_combine_flush(combine, out, &beyond, &cursor);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the last tile's rests are at the front */
    group_combine_finish(combine, out, &cursor);
    if (SPLIT_LEAVES && q->counts_leaves && tiles.at < tiles.end)
        split_end_leaves(shared->leaves, q, MSD_TABLE(uint, counts), share);
    if (tiles.at < tiles.end)
        split_end(&cursor, MSD_TABLE(uint, totals), MSD_CONTROL);
    if (MSD_IN_ORDER && num_tiles && me < COMBINE_RADIX)
        MSD_TABLE(uint, group_blocks)[share * COMBINE_RADIX + me] = cursor.num_blocks;
    const uint end = num_tiles ? q->blocks_per_group : 0;
#pragma unroll 1
    for (uint block = shared->next_block + me; block < end; block += GROUP_SIZE)
        cursor.kinds[block] = 0; /* it has not been used */
}

/* Shares by ticket: then no group waits for one that has not begun, if not all run at once. */
KERNEL void msd_split(const struct msd_params p, MSD_ARGS)
{
    const struct msd_params copied = p;
    const struct msd_params *q = &copied; /* read once: see array.h */
    __local struct split_local shared;
    __local uint answer;
    LOCAL_FITS(sizeof(shared) + sizeof(answer));
    __global struct msd_control *control = MSD_CONTROL;
    __global uint *tickets = &control->tickets[PHASE_SPLIT];
    /* Not MSD_HAS_LEAVES, which groups that end may change while others begin. */
    const uint num_tiles = control->is_even ? (q->count + TILE_SLOTS - 1) / TILE_SLOTS : 0;
    uint num_done = 0;
    if (num_tiles == 0)
        return;
    DEVICE_PHASES_TASKS(share, num_done, tickets, q->num_groups, &answer)
        split_share(q, MSD_BUFFERS, &shared, share, num_tiles);
    msd_phases(q, MSD_BUFFERS, &shared.u.phases, &answer, num_done);
}
