/* serial_move.cl: the strings of a chunk of the order to where they belong, and their offsets, by one
 * work-item. Last step of rearranging strings on CPUs.
 *
 * Idea: strings lie anywhere, so most of the time goes into waiting for memory. For a block of them
 * it is first found where they lie, then their first bytes are fetched, then all are written: so many
 * wait together.
 *
 * Local memory: none. Runs after string_scan.cl. */
#include "string_move.h"

#define BLOCK 64u
#define PIECE 16u

/* Copies size bytes, in pieces that may overlap. */
CLSORT_INLINE void bytes_copy(__global uchar *to, __global const uchar *from, ulong size)
{
    if (size >= PIECE) {
        for (ulong at = 0; at + PIECE < size; at += PIECE)
            vstore16(vload16(0, from + at), 0, to + at);
        vstore16(vload16(0, from + (size - PIECE)), 0, to + (size - PIECE));
        return;
    }
    if (size >= 8) {
        const uchar8 last = vload8(0, from + (size - 8));
        vstore8(vload8(0, from), 0, to);
        vstore8(last, 0, to + (size - 8));
        return;
    }
    if (size >= 4) {
        const uchar4 last = vload4(0, from + (size - 4));
        vstore4(vload4(0, from), 0, to);
        vstore4(last, 0, to + (size - 4));
        return;
    }
    for (ulong at = 0; at < size; ++at)
        to[at] = from[at];
}

KERNEL void serial_move(const struct string_params p, STRING_MOVE_ARGS)
{
    struct string_set set;
    struct string_place places[BLOCK];
    uchar16 heads[BLOCK];
    string_open(&p, bytes, offsets, &set);
    __global const payload_t *order = AT(const payload_t, index, 2);
    __global uchar *to = AT(uchar, bytes_out, 3);
    const ulong begin = get_group_id(0) * p.chunk_size;
    const ulong end = min(begin + p.chunk_size, (ulong)p.count);
    ulong at = string_offset_load(&p, offsets_out, begin);
    for (ulong first = begin; first < end; first += BLOCK) {
        const uint num = (uint)min((ulong)BLOCK, end - first);
        for (uint i = 0; i < num; ++i)
            string_find(&set, order[first + i], &places[i]);
        for (uint i = 0; i < num; ++i)
            if (places[i].begin + PIECE <= set.num_bytes)
                heads[i] = vload16(0, set.bytes + places[i].begin);
        for (uint i = 0; i < num; ++i) {
            const ulong size = places[i].size + places[i].tail;
            const ulong room = p.num_bytes - min(at, (ulong)p.num_bytes);
            const ulong fits = min(size, room);
            __global const uchar *from = set.bytes + places[i].begin;
            string_offset_store(&p, offsets_out, first + i, at);
            if (fits >= PIECE) {
                vstore16(heads[i], 0, to + at);
                bytes_copy(to + at + PIECE, from + PIECE, fits - PIECE);
            } else {
                bytes_copy(to + at, from, fits);
            }
            at += size;
        }
    }
    if (end == p.count)
        string_offset_store(&p, offsets_out, p.count, at);
}
