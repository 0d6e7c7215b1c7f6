/* cpu_move.cl: the strings of a chunk of the order to where they belong, and their offsets, by
 * one work-item. Last step of rearranging strings on CPUs.
 *
 * Idea: strings lie anywhere, so most of the time goes into waiting for memory. For a block of
 * them it is first found where they lie, then their first bytes are fetched, then all are
 * written. The waits for memory then overlap.
 *
 * Local memory: none. Runs after sizes.cl. */
#include "strings/move.h"

/* Not tuning: they bound private arrays, and their optimum is flat. */
#define MOVE_BLOCK 64u
#define MOVE_PIECE 16u

KERNEL void cpu_move(const struct string_params p, STRING_MOVE_ARGS)
{
    struct string_set set;
    struct string_span spans[MOVE_BLOCK];
    uchar16 heads[MOVE_BLOCK], ends[MOVE_BLOCK];
    string_open(&p, bytes, offsets, &set);
    __global const payload_t *order = AT(const payload_t, index, 2);
    __global uchar *to = AT(uchar, bytes_out, 3);
    const ulong begin = get_group_id(0) * p.chunk_size;
    const ulong end = min(begin + p.chunk_size, (ulong)p.count);
    ulong at = string_offset_load(&p, offsets_out, begin);
    for (ulong first = begin; first < end; first += MOVE_BLOCK) {
        const uint num = (uint)min((ulong)MOVE_BLOCK, end - first);
        ulong block_end = at;
        for (uint i = 0; i < num; ++i) {
            string_find(&set, order[first + i], &spans[i]);
            spans[i].size += spans[i].tail;
            block_end = add_sat(block_end, spans[i].size);
        }
        for (uint i = 0; i < num; ++i) {
            if (spans[i].size >= MOVE_PIECE) {
                heads[i] = vload16(0, set.bytes + spans[i].begin);
                ends[i] = vload16(0, set.bytes + spans[i].begin + (spans[i].size - MOVE_PIECE));
            } else if (spans[i].begin + MOVE_PIECE <= set.num_bytes) {
                heads[i] = vload16(0, set.bytes + spans[i].begin);
            }
        }
        for (uint i = 0; i < num; ++i) {
            const ulong size = spans[i].size;
            const ulong room = p.num_bytes - min(at, (ulong)p.num_bytes);
            __global const uchar *from = set.bytes + spans[i].begin;
            string_offset_store(&p, offsets_out, first + i, at);
            if (size >= MOVE_PIECE && size <= room) {
                vstore16(heads[i], 0, to + at);
                for (ulong done = MOVE_PIECE; done + MOVE_PIECE < size; done += MOVE_PIECE)
                    vstore16(vload16(0, from + done), 0, to + at + done);
                vstore16(ends[i], 0, to + at + (size - MOVE_PIECE));
            } else if (size < MOVE_PIECE && room >= MOVE_PIECE && at + MOVE_PIECE <= block_end &&
                       spans[i].begin + MOVE_PIECE <= set.num_bytes) {
                vstore16(heads[i], 0, to + at); /* what follows in the block is written over it */
            } else {
                for (ulong done = 0; done < min(size, room); ++done)
                    to[at + done] = from[done];
            }
            at = add_sat(at, size);
        }
    }
    if (end == p.count)
        string_offset_store(&p, offsets_out, p.count, at);
}
