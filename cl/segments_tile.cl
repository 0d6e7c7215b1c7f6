/* segments_tile.cl: sorts the segments that fit in local memory, and lists the others for part.h.
 *
 * Idea: a work-group takes the segments that begin among its `tile` elements, whole, however many
 * these are: the work is shared by elements, whatever the lengths. It reads them into local memory,
 * where each work-item sorts its ITEMS neighbours in registers, never across the beginning of a
 * segment. Then runs are merged, twice as long in each round. Since elements stay within their
 * segment, a round only has to mend the one segment that lies across the middle of two runs, and
 * others are not touched. Once runs are as long as the longest segment, one more round mends all
 * middles. So segments of 8 elements take one round, and of 1000 seven.
 *
 * A segment with which the group's elements do not fit is the last one of its tile. Its end is
 * found by words of which a bit stands for 1024 elements. It becomes a leaf, or a segment of the
 * first level.
 *
 * Local memory: the items; the bits of the tile and of what it may hold behind it; for each word of
 * bits, where the segments around it begin. Runs after: segments_mark. Before: part_count.cl. */
#include "config.h"
#include "part.h"
#include "group_merge_path.h"
#include "segments.h"

#define WORDS (TILE_SLOTS / 32 + 1)
#define RAW_WORDS (2 * TILE_SLOTS / 32 + 2)

struct segments_tile_local {
    ITEM items[TILE_SLOTS];
    uint raw[RAW_WORDS];    /* from the tile's first element on */
    uint heads[WORDS + 1];  /* from the first segment's first element on; the end is a head, too */
    uint before[WORDS + 1]; /* the last head up to the end of each word */
    uint after[WORDS + 1];  /* the first one from its beginning on */
    uint first, last, behind; /* heads: the first and last in the tile, the first one behind it */
    uint longest;
};

#define LOWEST_BIT(word) (31 - (uint)clz((word) & (0u - (word))))
#define HIGHEST_BIT(word) (31 - (uint)clz(word))
#define BITS_UP_TO(i) (~0u >> (31 - ((i)&31)))

/* The last head up to element i, and the first one behind it. */
CLSORT_INLINE uint head_before(__local const struct segments_tile_local *shared, uint i)
{
    const uint word = shared->heads[i / 32] & BITS_UP_TO(i);
    return word ? i / 32 * 32 + HIGHEST_BIT(word) : shared->before[i / 32 - 1];
}

CLSORT_INLINE uint head_after(__local const struct segments_tile_local *shared, uint i)
{
    const uint word = shared->heads[i / 32] & ~BITS_UP_TO(i);
    return word ? i / 32 * 32 + LOWEST_BIT(word) : shared->after[i / 32 + 1];
}

/* Finds the tile's heads. Ends with a barrier. */
CLSORT_INLINE void tile_find(__local struct segments_tile_local *shared, __global const uint *bits,
                             uint from, uint until, uint count)
{
    const uint me = get_local_id(0);
    if (me == 0) {
        shared->first = shared->behind = count;
        shared->last = shared->longest = 0;
    }
    for (uint w = me; w < RAW_WORDS; w += GROUP_SIZE)
        shared->raw[w] = from / 32 + w <= count / 32 ? bits[from / 32 + w] : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the bits are there */
    for (uint w = me; w < RAW_WORDS; w += GROUP_SIZE) {
        const uint word = shared->raw[w], at = from + w * 32;
        const uint inside = at >= until        ? 0
                            : until - at >= 32 ? word
                                               : word & BITS_UP_TO(until - at - 1);
        const uint behind = word & ~inside;
        if (inside) {
            atomic_min(&shared->first, at + LOWEST_BIT(inside));
            atomic_max(&shared->last, at + HIGHEST_BIT(inside));
        }
        if (behind)
            atomic_min(&shared->behind, at + LOWEST_BIT(behind));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the heads are known */
}

/* Moves the bits so that the first segment's first element has bit 0, and finds for each word what
 * is before and behind it. Ends with a barrier. */
CLSORT_INLINE void tile_align(__local struct segments_tile_local *shared, uint skipped, uint size)
{
    const uint me = get_local_id(0);
    if (me <= WORDS) {
        uint word = 0;
        if (me * 32 <= size) {
            const uint at = skipped + me * 32, shift = at & 31;
            word = shared->raw[at / 32] >> shift;
            if (shift)
                word |= shared->raw[at / 32 + 1] << (32 - shift);
            if (size - me * 32 < 32)
                word = (word & ((1u << (size - me * 32)) - 1)) | 1u << (size - me * 32);
        }
        shared->heads[me] = word;
        shared->before[me] = word ? me * 32 + HIGHEST_BIT(word) : 0;
        shared->after[me] = word ? me * 32 + LOWEST_BIT(word) : size;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* each word's own are there */
    for (uint step = 1; step <= WORDS; step *= 2) {
        uint before = 0, after = size;
        if (me <= WORDS) {
            before = max(shared->before[me], me >= step ? shared->before[me - step] : 0);
            after = min(shared->after[me], me + step <= WORDS ? shared->after[me + step] : size);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
        if (me <= WORDS) {
            shared->before[me] = before;
            shared->after[me] = after;
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* this step's are there */
    }
    uint longest = 0;
    for (uint word = me < WORDS ? shared->heads[me] : 0; word; word &= word - 1) {
        const uint head = me * 32 + LOWEST_BIT(word);
        if (head < size)
            longest = max(longest, head_after(shared, head) - head);
    }
    if (longest > 1)
        atomic_max(&shared->longest, longest);
    barrier(CLK_LOCAL_MEM_FENCE); /* the longest is known */
}

/* Sorts a work-item's neighbours, not across heads: bit i of heads says whether one is at i. */
CLSORT_INLINE void own_sort(ITEM *own, uint heads, uint rounds)
{
#pragma unroll
    for (uint round = 0; round < ITEMS; ++round) {
        if (round < rounds) {
#pragma unroll
            for (uint i = round % 2; i + 1 < ITEMS; i += 2) {
                const ITEM low = own[i + 1];
                if (!(heads >> (i + 1) & 1) && ITEM_KEY_LESS(low, own[i])) {
                    own[i + 1] = own[i];
                    own[i] = low;
                }
            }
        }
    }
}

/* Mends the segment across `middle`: its parts up to there and from there on, no further than
 * `width`, are in order. This work-item takes those of its ITEMS neighbours, from slot `mine` on,
 * that lie in it. Returns which of them it has set, as bits. */
CLSORT_INLINE uint own_mend(__local const struct segments_tile_local *shared, ITEM *own, uint mine,
                            uint middle, uint width, uint size)
{
    if (middle >= size || middle == 0 || shared->heads[middle / 32] >> (middle & 31) & 1)
        return 0;
    const uint begin = max(head_before(shared, middle), middle - width);
    const uint end = min(head_after(shared, middle), middle + width);
    const uint first = max(begin, mine), last = min(end, mine + ITEMS);
    if (first >= last)
        return 0;
    __local const ITEM *items = shared->items;
#define MEND_LESS(j, i) ITEM_KEY_LESS(items[middle + (j)], items[begin + (i)])
    MERGE_PATH(uint, cut, middle - begin, end - middle, first - begin, MEND_LESS)
    uint low = begin + cut, high = middle + (first - begin - cut), taken = 0;
    ITEM low_item = items[min(low, middle - 1)], high_item = items[min(high, end - 1)];
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        if (mine + i >= first && mine + i < last) {
            const int takes_high =
                high < end && (low >= middle || ITEM_KEY_LESS(high_item, low_item));
            own[i] = takes_high ? high_item : low_item;
            taken |= 1u << i;
            low += !takes_high;
            high += takes_high;
            if (takes_high)
                high_item = items[min(high, end - 1)];
            else
                low_item = items[min(low, middle - 1)];
        }
    }
    return taken;
}

CLSORT_INLINE void own_write(__local struct segments_tile_local *shared, const ITEM *own, uint mine,
                             uint taken)
{
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        if (taken >> i & 1)
            shared->items[mine + i] = own[i];
}

/* Puts each segment of the tile in order. Begins after, and ends with, a barrier. */
CLSORT_INLINE void tile_sort(__local struct segments_tile_local *shared, uint size)
{
    const uint me = get_local_id(0), mine = me * ITEMS, longest = shared->longest;
    if (longest < 2)
        return;
    ITEM own[ITEMS];
    const uint left = mine < size ? min(size - mine, (uint)ITEMS) : 0;
    uint heads = ~0u;
    if (left) {
        heads = shared->heads[mine / 32] >> (mine & 31);
        if (mine & 31)
            heads |= shared->heads[mine / 32 + 1] << (32 - (mine & 31));
    }
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        own[i] = shared->items[min(mine + i, size - 1)];
    if (left < ITEMS)
        heads |= ~0u << left;
    own_sort(own, heads, longest);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
    own_write(shared, own, mine, left ? ~0u >> (32 - left) : 0);
    uint owners = 1; /* work-items whose neighbours are a run */
    for (; owners * ITEMS < longest; owners *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* runs are in order */
        const uint middle = ((me & ~(2 * owners - 1)) + owners) * ITEMS;
        const uint taken = own_mend(shared, own, mine, middle, owners * ITEMS, size);
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
        own_write(shared, own, mine, taken);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* runs are as long as the longest segment */
    const uint run = me & ~(owners - 1);
    uint taken = own_mend(shared, own, mine, run * ITEMS, owners * ITEMS, size);
    taken |= own_mend(shared, own, mine, (run + owners) * ITEMS, owners * ITEMS, size);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
    own_write(shared, own, mine, taken);
    barrier(CLK_LOCAL_MEM_FENCE); /* the segments are in order */
}

/* The first head from element `at` on, which lies behind all bits that the tile has read. By all
 * work-items. */
CLSORT_INLINE uint tile_end(__local struct segments_tile_local *shared,
                            const struct segments_tile_params *p, __global const uint *bits,
                            __global const uint *tops, uint at)
{
    const uint me = get_local_id(0);
    const uint num_words = p->part.count / 32 + 1, num_tops = p->part.count / 32768 + 1;
    if (me == 0)
        shared->behind = ~0u;
    barrier(CLK_LOCAL_MEM_FENCE); /* none is found */
    /* What is left of 1024 elements, then 1024 at once. */
    const uint next_block = at / 1024 + 1;
    for (uint w = at / 32 + me; w < min(next_block * 32, num_words); w += GROUP_SIZE) {
        const uint word = bits[w] & (w == at / 32 ? ~0u << (at & 31) : ~0u);
        if (word)
            atomic_min(&shared->behind, w * 32 + LOWEST_BIT(word));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* these have been seen */
    if (shared->behind != ~0u)
        return shared->behind;
    uint block = ~0u;
    for (uint first = next_block / 32; first < num_tops && block == ~0u; first += GROUP_SIZE) {
        barrier(CLK_LOCAL_MEM_FENCE); /* all have looked */
        const uint t = first + me;
        uint word = t < num_tops ? tops[t] : 0;
        if (t == next_block / 32)
            word &= ~0u << (next_block & 31);
        if (word)
            atomic_min(&shared->behind, t * 32 + LOWEST_BIT(word));
        barrier(CLK_LOCAL_MEM_FENCE); /* these have been seen */
        block = shared->behind;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all know the block */
    if (me == 0)
        shared->behind = p->part.count;
    barrier(CLK_LOCAL_MEM_FENCE); /* the end, if the bits were wrong */
    for (uint w = block * 32 + me; w < min(block * 32 + 32, num_words); w += GROUP_SIZE)
        if (bits[w])
            atomic_min(&shared->behind, w * 32 + LOWEST_BIT(bits[w]));
    barrier(CLK_LOCAL_MEM_FENCE); /* the head is known */
    return shared->behind;
}

/* Lists a segment for part.h: all of the work-items write the owners of its blocks. */
CLSORT_INLINE void tile_list(__local struct segments_tile_local *shared,
                             const struct part_params *q, __global void *scratch, uint begin,
                             uint end)
{
    const uint me = get_local_id(0), size = end - begin;
    if (size <= q->leaf_size && q->num_bits <= q->leaf_bits) {
        if (me == 0) {
            __global struct part_leaf *leaf =
                PART_TABLE(struct part_leaf, leaves) + atomic_inc(&PART_CONTROL->num_leaves);
            leaf->low = 0;
            leaf->begin = begin;
            leaf->size = size;
            leaf->bits = q->num_bits;
            leaf->place = PART_IN;
        }
        return;
    }
    const uint num_blocks = (size + q->block_size - 1) / q->block_size;
    if (me == 0) {
        const uint number = atomic_inc(&PART_CONTROL->num_segments[0]);
        const uint first = atomic_add(&PART_CONTROL->num_blocks[0], num_blocks);
        __global struct part_segment *segment = PART_TABLE(struct part_segment, segments) + number;
        segment->low = 0;
        segment->begin = begin;
        segment->size = size;
        segment->bits = q->num_bits;
        segment->place = PART_IN;
        segment->first_block = first;
        segment->num_blocks = num_blocks;
        shared->first = number;
        shared->last = first;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* its numbers are known */
    for (uint i = me; i < num_blocks; i += GROUP_SIZE)
        PART_TABLE(uint, owners)[shared->last + i] = shared->first;
}

KERNEL void segments_tile(const struct segments_tile_params p, PART_ARGS)
{
    const struct part_params *q = &p.part;
    __local struct segments_tile_local shared;
    LOCAL_FITS(sizeof(shared));
    __global const uint *bits = BUFFER_TABLE(const uint, q->offsets, scratch, p.bits_of_segments);
    const uint me = get_local_id(0);
    const uint from = get_group_id(0) * p.tile, until = min(from + p.tile, q->count);
    tile_find(&shared, bits, from, until, q->count);
    const uint first = shared.first, last = shared.last, behind = shared.behind;
    if (first >= until)
        return;
    const int fits = behind - first <= TILE_SLOTS;
    const uint size = (fits ? behind : last) - first;
    tile_align(&shared, first - from, size);
    __global const stored_key_t *keys = part_keys(q, PART_BUFFERS, PART_IN) + first;
    __global const payload_t *payloads = PART_AT(const payload_t, payload_in, 2) + first;
    for (uint i = me; i < size; i += GROUP_SIZE)
        ITEM_LOAD(shared.items[i], keys, payloads, i, first + i, p.flags);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the items are there */
    tile_sort(&shared, size);
    __global stored_key_t *keys_to = PART_AT(stored_key_t, keys_out, 1) + first;
    __global payload_t *payloads_to = PART_AT(payload_t, payload_out, 3) + first;
    for (uint i = me; i < size; i += GROUP_SIZE)
        ITEM_STORE(keys_to, payloads_to, i, shared.items[i], p.flags);
    if (!fits)
        tile_list(&shared, q, scratch, last,
                  tile_end(&shared, &p, bits,
                           BUFFER_TABLE(const uint, q->offsets, scratch, p.tops_of_segments),
                           until));
}
