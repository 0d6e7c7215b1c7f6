/* segments.cl: finds segments from their offsets, and undoes the sort where there are none
 * (segments.h).
 *
 *   segments_begin   empties the bits, and partition's lists if that follows. With
 *                    SEGMENTS_FLAG_GAPS every element outside the segments becomes a segment of its
 *                    own, so it stays.
 *   segments_mark    sets a bit where a segment begins.
 *   segments_count   counts the bits of each block of TILE_SLOTS words. Behind it, scan makes of
 *                    these counts the bits before each block (move/table.cl).
 *   segments_number  writes each element's number: how many bits there are up to it. With
 *                    FLAG_MAKE_INDEX also where the segment of each number begins.
 *   segments_finish  sets the index of elements in no segment to themselves. With FLAG_MAKE_INDEX
 *                    it writes the others' indices, counted from their segment's beginning.
 *
 * Local memory: sums, and a block of bits. Runs before and after a sort by number and key. */
#include "base/config.h"
#include "group/scan.h"
#include "segments/segments.h"

#define SEGMENTS_ARGS                                                                          \
    const struct segments_params p, __global const void *offsets, __global void *index_buffer, \
        __global void *indices_out, __global void *unused, __global void *scratch

/* A bit for each 1024 elements from `at` on that reach before `first`, or to `end` or beyond. */
CLSORT_INLINE uint segments_top(ulong at, ulong first, ulong end)
{
    uint top = 0;
    for (uint i = 0; i < 32; ++i, at += 1024)
        top |= (uint)((at < first) | (at + 1024 > end)) << i;
    return top;
}

KERNEL void segments_begin(SEGMENTS_ARGS)
{
    const struct segments_params *q = &p;
    __global uint *bits = SEGMENTS_TABLE(uint, bits);
    const ulong first = p.flags & SEGMENTS_FLAG_GAPS ? segments_offset(q, offsets, 0) : 0;
    const ulong end =
        p.flags & SEGMENTS_FLAG_GAPS ? segments_offset(q, offsets, p.num_segments) : p.count;
    if (get_global_id(0) == 0) {
        __global ulong *ends = SEGMENTS_TABLE(ulong, ends);
        ends[0] = segments_offset(q, offsets, 0);
        ends[1] = segments_offset(q, offsets, p.num_segments);
        ends[2] = 0;
    }
    for (uint i = get_global_id(0); i < p.control_words; i += get_global_size(0))
        SEGMENTS_TABLE(uint, control)[i] = 0;
    for (uint i = 0; i < ITEMS; ++i) {
        const ulong word = (get_group_id(0) * ITEMS + i) * GROUP_SIZE + get_local_id(0);
        const ulong at = word * 32;
        if (word >= SEGMENTS_WORDS(p.count))
            continue;
        uint value = 0;
        if (at < first)
            value |= first - at >= 32 ? ~0u : (1u << (first - at)) - 1;
        if (at + 32 > end)
            value |= at >= end ? ~0u : ~0u << (end - at);
        bits[word] = value;
        if (word % 1024 == 0)
            SEGMENTS_TABLE(uint, tops)[word / 1024] = segments_top(at, first, end);
    }
}

KERNEL void segments_mark(SEGMENTS_ARGS)
{
    const struct segments_params *q = &p;
    __global uint *bits = SEGMENTS_TABLE(uint, bits), *tops = SEGMENTS_TABLE(uint, tops);
    for (uint i = 0; i < ITEMS; ++i) {
        const ulong item = (get_group_id(0) * ITEMS + i) * GROUP_SIZE + get_local_id(0);
        const ulong begin = item * SEGMENTS_MARKED;
        if (begin > p.num_segments)
            break;
        ulong own[SEGMENTS_MARKED]; /* all are read before the first bit is set */
#pragma unroll
        for (uint j = 0; j < SEGMENTS_MARKED; ++j)
            own[j] = segments_offset(q, offsets, min(begin + j, (ulong)p.num_segments));
        ulong before = begin ? segments_offset(q, offsets, begin - 1) : ~0ul;
        ulong word = own[0] / 32;
        uint value = 0;
#pragma unroll
        for (uint j = 0; j < SEGMENTS_MARKED; ++j) {
            if (own[j] / 32 != word) {
                if (value)
                    atomic_or(&bits[word], value);
                word = own[j] / 32;
                value = 0;
            }
            /* If the offset before is the same, its work-item has set the bit, or the one before,
             * and so with a block's bit: many atomics on one word cost ten times as much as all
             * others. */
            value |= own[j] == before ? 0 : 1u << (own[j] & 31);
            if (own[j] / 1024 != before / 1024)
                atomic_or(&tops[own[j] / 32768], 1u << (own[j] / 1024 % 32));
            before = own[j];
        }
        if (value)
            atomic_or(&bits[word], value);
    }
}

/* The bits of elements alone: the end is no element. */
CLSORT_INLINE uint segments_word(const struct segments_params *q, __global const uint *bits,
                                 ulong word)
{
    const ulong at = word * 32;
    if (at >= q->count)
        return 0;
    const uint value = bits[word];
    return q->count - at >= 32 ? value : value & ((1u << (q->count - at)) - 1);
}

KERNEL void segments_count(SEGMENTS_ARGS)
{
    const struct segments_params *q = &p;
    __global const uint *bits = SEGMENTS_TABLE(const uint, bits);
    __local uint sum;
    LOCAL_FITS(sizeof(sum));
    const uint me = get_local_id(0);
    const ulong first = (ulong)get_group_id(0) * TILE_SLOTS;
    if (me == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the sum is 0 */
    uint own = 0;
    for (uint i = 0; i < ITEMS; ++i)
        own += popcount(segments_word(q, bits, first + i * GROUP_SIZE + me));
    atomic_add(&sum, own);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have added */
    if (me == 0)
        SEGMENTS_TABLE(ulong, sums)[get_group_id(0)] = sum;
}

KERNEL void segments_number(SEGMENTS_ARGS)
{
    const struct segments_params *q = &p;
    __global const uint *bits = SEGMENTS_TABLE(const uint, bits);
    __global index_t *numbers = SEGMENTS_TABLE(index_t, numbers);
    __global index_t *begins = SEGMENTS_TABLE(index_t, begins);
    __local uint words[TILE_SLOTS], before[TILE_SLOTS];
    __local struct group_scan_local scan;
    LOCAL_FITS(sizeof(words) + sizeof(before) + sizeof(scan));
    const uint me = get_local_id(0);
    const ulong first = (ulong)get_group_id(0) * TILE_SLOTS;
    const index_t base = (index_t)SEGMENTS_TABLE(const ulong, sums)[get_group_id(0)];
    for (uint slot = me; slot < TILE_SLOTS; slot += GROUP_SIZE) {
        words[slot] = segments_word(q, bits, first + slot);
        before[slot] = popcount(words[slot]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the block is there */
    group_scan_exclusive(&scan, before, TILE_SLOTS);
    if (p.flags & FLAG_MAKE_INDEX && get_global_id(0) == 0)
        begins[0] = 0;
    for (uint i = me; i < TILE_SLOTS * 32; i += GROUP_SIZE) {
        const ulong at = first * 32 + i;
        const uint word = words[i / 32];
        const index_t number = base + before[i / 32] + popcount(word & (~0u >> (31 - (i & 31))));
        if (at >= p.count)
            break;
        numbers[at] = number;
        if (p.flags & FLAG_MAKE_INDEX && word >> (i & 31) & 1)
            begins[number] = (index_t)at;
        if (p.flags & FLAG_MAKE_INDEX && at + 1 == p.count)
            begins[number + 1] = (index_t)p.count;
    }
}

KERNEL void segments_finish(SEGMENTS_ARGS)
{
    const struct segments_params *q = &p;
    __global index_t *index = AT(index_t, index_buffer, 1);
    __global const index_t *numbers = SEGMENTS_TABLE(const index_t, numbers);
    __global const index_t *begins = SEGMENTS_TABLE(const index_t, begins);
    const ulong first = segments_offset(q, offsets, 0);
    const ulong end = segments_offset(q, offsets, p.num_segments);
    for (uint i = 0; i < ITEMS; ++i) {
        const ulong at = (get_group_id(0) * ITEMS + i) * GROUP_SIZE + get_local_id(0);
        if (at >= p.count)
            continue;
        if (at < first || at >= end) {
            index[at] = (index_t)at;
        } else if (p.flags & FLAG_MAKE_INDEX) {
            const index_t begin =
                p.stride ? (index_t)at / p.stride * p.stride : begins[numbers[at]];
            const index_t own = index[at] - begin;
            if (p.index_size == 8)
                AT(ulong, indices_out, 2)[at] = own;
            else
                AT(uint, indices_out, 2)[at] = (uint)own;
        }
    }
}
