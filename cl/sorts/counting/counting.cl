/* counting.cl: sorts keys of 8 or 16 bits that are alone: equal ones cannot be told apart, so the
 * output follows from how often each value occurs (counting sort: Seward, 1954).
 *
 *   counting_count  how often a chunk of the input has each value
 *   counting_scan   adds the chunks up, in the order of the values, and scans the sums in blocks
 *   counting_fill   writes each value as often as it was counted
 *
 * Idea: keys are read once and written once. Local memory holds all counters of 8-bit keys, in
 * copies, so that work-items meet no others' counter and use different banks. Of 16-bit keys it
 * holds a slice of the counters, two to a word; as many work-groups as there are slices read the
 * same chunk. No work-group waits for another, and chunks have rows of counts of their own, so
 * nothing in global memory is added to by two.
 *
 * Local memory: LOCAL_SIZE bytes of counters; sums of values, or of blocks, and a scan. */
#include "group/scan.h"
#include "base/item.h"

#define VALUES (1u << KEY_BITS)
#define BLOCKS (VALUES / COUNTING_BLOCK)
#define WORDS (LOCAL_SIZE / 4)
#define VECTOR_KEYS (128 / KEY_BITS)
#define COUNTING_TABLE(type, table) BUFFER_TABLE(type, p.offsets, scratch, p.table)

#if KEY_BITS == 8
#define COPIES (WORDS / VALUES)
#define SLICE VALUES
#else
#define SLICE (WORDS * 2) /* values that a group counts */
/* A counter of 16 bits, below 2^14 before it, has room for so many keys. */
#define SPILL_ROUNDS (49152 / (GROUP_SIZE * ITEMS * VECTOR_KEYS))
#define SPILLED 0xc000c000u
#endif

/* Counts a value so many times, if the slice from `first` on has it. */
CLSORT_INLINE void counting_add(__local uint *counters, uint first, uint value, uint times)
{
#if KEY_BITS == 8
    atomic_add(&counters[value * COPIES + get_local_id(0) % COPIES], times);
#else
    const uint slot = value - first;
    if (slot < SLICE)
        atomic_add(&counters[slot / 2], times << slot % 2 * 16);
#endif
}

/* Counts the keys of a vector: at once if they are equal, so that keys in order do not meet in one
 * counter. */
CLSORT_INLINE void counting_add_vector(__local uint *counters, uint first, uint4 keys)
{
    const uint key = keys.x & (VALUES - 1);
    const uint word = key * (KEY_BITS == 8 ? 0x01010101u : 0x00010001u);
    if (keys.x == word && keys.y == word && keys.z == word && keys.w == word) {
        counting_add(counters, first, key, VECTOR_KEYS);
        return;
    }
    const uint words[] = {keys.x, keys.y, keys.z, keys.w};
#pragma unroll
    for (uint i = 0; i < VECTOR_KEYS; ++i)
        counting_add(counters, first, words[i * KEY_BITS / 32] >> i * KEY_BITS % 32 & (VALUES - 1),
                     1);
}

/* Empties the counters, and the row that 16-bit keys' counters spill to. */
CLSORT_INLINE void counting_begin(__local uint *counters, __global uint *row, uint first)
{
    GROUP_LOOP(i, 0, WORDS) {
        counters[i] = 0;
        if (KEY_BITS == 16 && first + 2 * i < VALUES)
            row[2 * i] = row[2 * i + 1] = 0;
    }
}

#if KEY_BITS == 8
/* Nothing can overflow. */
CLSORT_INLINE void counting_spill(__local uint *counters, __global uint *row, uint round)
{
}

/* A work-item adds up its values' copies, each beginning at another bank. */
CLSORT_INLINE void counting_end(__local const uint *counters, __global uint *row, uint first)
{
    GROUP_LOOP(value, 0, VALUES) {
        uint sum = 0;
        for (uint i = 0; i < COPIES; ++i)
            sum += counters[value * COPIES + (value + i) % COPIES];
        row[value] = sum;
    }
}
#else
/* After some rounds, what counters have above 14 bits goes to the row. Begins and ends with a
 * barrier. */
CLSORT_INLINE void counting_spill(__local uint *counters, __global uint *row, uint round)
{
    if ((round + 1) % SPILL_ROUNDS)
        return;
    barrier(CLK_LOCAL_MEM_FENCE); /* the rounds are counted */
    GROUP_LOOP(i, 0, WORDS) {
        const uint high = counters[i] & SPILLED;
        if (high) {
            counters[i] -= high;
            row[2 * i] += high & 0xffff;
            row[2 * i + 1] += high >> 16;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* counters have room */
}

CLSORT_INLINE void counting_end(__local const uint *counters, __global uint *row, uint first)
{
    for (uint i = get_local_id(0); i < WORDS && first + 2 * i < VALUES; i += GROUP_SIZE) {
        row[2 * i] += counters[i] & 0xffff;
        row[2 * i + 1] += counters[i] >> 16;
    }
}
#endif

/* A chunk of the input, in whole vectors. */
struct counting_chunk {
    __global const uint4 *vectors;
    uint at, end;
};

/* Adds up a round of the chunk. */
CLSORT_INLINE void counting_round(__local uint *counters, uint first,
                                  const struct counting_chunk *chunk, uint round)
{
    const uint at = chunk->at + round * (GROUP_SIZE * ITEMS) + (uint)get_local_id(0);
    if (at + (ITEMS - 1) * GROUP_SIZE < chunk->end) { /* all loads first: more bytes in flight */
        uint4 own[ITEMS];
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i)
            own[i] = chunk->vectors[at + i * GROUP_SIZE];
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i)
            counting_add_vector(counters, first, own[i]);
        return;
    }
    for (uint i = at; i < chunk->end; i += GROUP_SIZE)
        counting_add_vector(counters, first, chunk->vectors[i]);
}

KERNEL void counting_count(const struct counting_params p, ITEM_ARGS, __global void *scratch)
{
    __local uint counters[WORDS];
    LOCAL_FITS(sizeof(counters));
    const uint slices = (VALUES - 1) / SLICE + 1;
    const uint number = get_group_id(0) / slices, first = get_group_id(0) % slices * SLICE;
    __global const stored_key_t *keys = AT(const stored_key_t, keys_in, 0);
    __global uint *row = COUNTING_TABLE(uint, counts) + number * VALUES + first;
    /* Keys before the first aligned vector, and behind the last whole one, are the first chunk's,
     * too. */
    const uint lead = min(p.count, (uint)(-(size_t)keys % 16) / (uint)sizeof(*keys));
    const uint num_vectors = (p.count - lead) / VECTOR_KEYS;
    const uint share = num_vectors / p.num_chunks + 1;
    struct counting_chunk chunk;
    chunk.vectors = (__global const uint4 *)(keys + lead);
    chunk.at = min(number * share, num_vectors);
    chunk.end = min(chunk.at + share, num_vectors);
    counting_begin(counters, row, first);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters are 0 */
    if (number == 0) {
        GROUP_LOOP(i, 0, lead)
            counting_add(counters, first, keys[i], 1);
        GROUP_LOOP(i, lead + num_vectors * VECTOR_KEYS, p.count)
            counting_add(counters, first, keys[i], 1);
    }
    const uint num_rounds = (chunk.end - chunk.at + GROUP_SIZE * ITEMS - 1) / (GROUP_SIZE * ITEMS);
    for (uint round = 0; round < num_rounds; ++round) {
        counting_round(counters, first, &chunk, round);
        counting_spill(counters, row, round);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    counting_end(counters, row, first);
}

#define STRIPS (GROUP_SIZE / COUNTING_BLOCK > 1 ? GROUP_SIZE / COUNTING_BLOCK : 1)

#define AT_ONCE 8 /* loads of a work-item in flight */

/* A value's counts in every STRIPS-th chunk from `chunk` on. */
CLSORT_INLINE uint counting_sum(__global const uint *counts, uint chunk, uint num_chunks)
{
    uint sum = 0;
    for (; chunk < num_chunks; chunk += AT_ONCE * STRIPS) {
        uint own[AT_ONCE];
#pragma unroll
        for (uint i = 0; i < AT_ONCE; ++i)
            own[i] = chunk + i * STRIPS < num_chunks ? counts[(chunk + i * STRIPS) * VALUES] : 0;
#pragma unroll
        for (uint i = 0; i < AT_ONCE; ++i)
            sum += own[i];
    }
    return sum;
}

KERNEL void counting_scan(const struct counting_params p, ITEM_ARGS, __global void *scratch)
{
    __local uint sums[STRIPS * COUNTING_BLOCK + 1];
    __local struct group_scan_local scan;
    LOCAL_FITS(sizeof(sums) + sizeof(scan));
    const uint me = get_local_id(0), block = get_group_id(0);
    __global const uint *counts = COUNTING_TABLE(const uint, counts);
    GROUP_LOOP(slot, 0, STRIPS * COUNTING_BLOCK) {
        const key_t value = block * COUNTING_BLOCK + slot % COUNTING_BLOCK;
        const uint stored = (stored_key_t)KEY_DECODE(value);
        sums[slot] = counting_sum(counts + stored, slot / COUNTING_BLOCK, p.num_chunks);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the strips' sums are there */
    GROUP_LOOP(i, 0, COUNTING_BLOCK)
        for (uint strip = 1; strip < STRIPS; ++strip)
            sums[i] += sums[strip * COUNTING_BLOCK + i];
    barrier(CLK_LOCAL_MEM_FENCE); /* those of the strips have been read */
    if (me == 0)
        sums[COUNTING_BLOCK] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* all sums are there */
    group_scan_exclusive(&scan, sums, COUNTING_BLOCK + 1);
    GROUP_LOOP(i, 0, COUNTING_BLOCK)
        COUNTING_TABLE(uint, begins)[block * COUNTING_BLOCK + i] = sums[i];
    if (me == 0)
        COUNTING_TABLE(uint, sums)[block] = sums[COUNTING_BLOCK];
}

/* Where values begin in the output. */
struct counting_order {
    __global const uint *begins; /* in a block */
    __local const uint *blocks;
    uint count;
};

CLSORT_INLINE uint counting_begins(const struct counting_order *order, uint value)
{
    return value < VALUES ? order->blocks[value / COUNTING_BLOCK] + order->begins[value]
                          : order->count;
}

/* Finds the value at a place of the output, which is the last that begins there or before. First in
 * which block: those lie in local memory. */
CLSORT_INLINE uint counting_find(const struct counting_order *order, uint place)
{
    uint value = 0;
    for (uint step = BLOCKS / 2; step > 0; step /= 2)
        value += order->blocks[value + step] <= place ? step : 0;
    value *= COUNTING_BLOCK;
    for (uint step = COUNTING_BLOCK / 2; step > 0; step /= 2)
        value += counting_begins(order, value + step) <= place ? step : 0;
    return value;
}

/* The same from a value on that begins there or before: it is near, in steps that double. */
CLSORT_INLINE uint counting_find_next(const struct counting_order *order, uint place, uint value)
{
    uint step = 1;
    for (; counting_begins(order, value + step) <= place; step *= 2)
        value += step;
    for (step /= 2; step > 0; step /= 2)
        value += counting_begins(order, value + step) <= place ? step : 0;
    return value;
}

#define TEAM (GROUP_SIZE < COUNTING_TEAM ? GROUP_SIZE : COUNTING_TEAM)

/* Each team writes a part of the output; its work-items look up the next value where one ends. */
KERNEL void counting_fill(const struct counting_params p, ITEM_ARGS, __global void *scratch)
{
    __local uint blocks[BLOCKS];
    __local struct group_scan_local scan;
    LOCAL_FITS(sizeof(blocks) + sizeof(scan));
    const uint me = get_local_id(0);
    GROUP_LOOP(i, 0, BLOCKS)
        blocks[i] = COUNTING_TABLE(const uint, sums)[i];
    barrier(CLK_LOCAL_MEM_FENCE); /* the blocks' sums are there */
    group_scan_exclusive(&scan, blocks, BLOCKS);
    const struct counting_order order = {COUNTING_TABLE(const uint, begins), blocks, p.count};
    const ulong begin = get_global_id(0) / TEAM * p.team_share;
    const uint end = (uint)min(begin + p.team_share, (ulong)p.count);
    const ulong own = begin + me % TEAM;
    if (own >= end)
        return;
    uint place = (uint)own;
    uint value = counting_find(&order, place);
    uint stop = counting_begins(&order, value + 1);
    __global stored_key_t *keys = AT(stored_key_t, keys_out, 1);
    for (uint left = (end - place - 1) / TEAM + 1; left > 0; --left, place += TEAM) {
        if (place >= stop) {
            value = counting_find_next(&order, place, value + 1);
            stop = counting_begins(&order, value + 1);
        }
        keys[place] = (stored_key_t)KEY_DECODE((key_t)value);
    }
}
