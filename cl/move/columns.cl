/* columns.cl: rows that are sorted by several numbers, which are columns or fields of records.
 *
 * Idea: ordered forms (base/field.h) of neighbouring members, the first one in the highest bits,
 * are one number whose order is the rows'.
 *
 * columns_pack:   makes these keys, of KEY_BITS bits: of the rows as they lie, and then also their
 *                 indices, or in the order of the indices so far.
 * columns_unpack: writes the members of sorted keys back to their columns. With
 *                 COLUMNS_FLAG_COUNTED an array has as many rows as the last buffer says.
 *
 * A row whose members need several keys may have them side by side, num_words of them.
 *
 * Types are parameters and no macros: a kernel serves every row. Each member's buffer is an
 * argument of its own. What is done for a member is written out for each of them, since neither
 * arguments nor parameters can be chosen by number without a detour through memory.
 *
 * Local memory: none. No barrier. Runs before and after a sort of the keys. */
#include "base/buffers.h"
#include "base/field.h"
#include "base/index.h"
#include "base/key.h"

#define MEMBERS(access)                                                                     \
    access void *member0, access void *member1, access void *member2, access void *member3, \
        access void *member4, access void *member5, access void *member6, access void *member7
#define ROW(i) ((get_group_id(0) * ITEMS + (i)) * GROUP_SIZE + get_local_id(0))

/* A member's bits, piece by piece where it does not lie as its type should. */
CLSORT_INLINE ulong columns_read(__global const uchar *at, uint bits, uint unit)
{
    ulong stored = 0;
    for (uint done = 0; done < bits; done += 8 * unit, at += unit) {
        const ulong piece = unit == 8   ? *(__global const ulong *)at
                            : unit == 4 ? *(__global const uint *)at
                            : unit == 2 ? *(__global const ushort *)at
                                        : *at;
        stored |= piece << done;
    }
    return stored;
}

/* A whole member of a column. */
CLSORT_INLINE void columns_write(__global uchar *at, uint bits, ulong stored)
{
    if (bits == 64)
        *(__global ulong *)at = stored;
    else if (bits == 32)
        *(__global uint *)at = (uint)stored;
    else if (bits == 16)
        *(__global ushort *)at = (ushort)stored;
    else
        *at = (uchar)stored;
}

/* A member of 64 bits is the only one: what its shifts leave is nothing or not used. */
#define ADD_MEMBER(n)                                                                             \
    if (n < p.num_members)                                                                        \
    key = key << p.members[n].num_bits |                                                          \
          (field_ordered(columns_read(AT(const uchar, member##n, n) + from * p.members[n].stride, \
                                      p.members[n].bits, p.members[n].unit),                      \
                         p.members[n].bits, p.members[n].is_signed, p.members[n].mantissa_bits,   \
                         p.members[n].descending) >>                                              \
               p.members[n].first_bit &                                                           \
           ~0ul >> (64 - p.members[n].num_bits))

#define TAKE_MEMBER(n)                                                                        \
    if (n < p.num_members) {                                                                  \
        columns_write(AT(uchar, member##n, n) + row * p.members[n].stride, p.members[n].bits, \
                      field_stored(key, p.members[n].bits, p.members[n].is_signed,            \
                                   p.members[n].mantissa_bits, p.members[n].descending));     \
        key >>= p.members[n].bits;                                                            \
    }

KERNEL void columns_pack(const struct columns_params p, MEMBERS(__global const),
                         __global void *keys_out, __global void *indices)
{
    __global key_t *keys = AT(key_t, keys_out, COLUMNS_MEMBERS);
    __global index_t *index = AT(index_t, indices, COLUMNS_MEMBERS + 1);
    for (uint i = 0; i < ITEMS; ++i) {
        const ulong row = ROW(i);
        if (row < p.num_elements) {
            const int has_base =
                p.num_elements != p.count && p.flags & (FLAG_MAKE_INDEX | COLUMNS_FLAG_BY_INDEX);
            const ulong base = has_base ? row - row % p.count : 0; /* a count may be 0 */
            ulong from = row;
            if (p.flags & FLAG_MAKE_INDEX)
                index[row] = (index_t)(row - base);
            if (p.flags & COLUMNS_FLAG_BY_INDEX)
                from = base + index[row];
            ulong key = 0;
            ADD_MEMBER(0);
            ADD_MEMBER(1);
            ADD_MEMBER(2);
            ADD_MEMBER(3);
            ADD_MEMBER(4);
            ADD_MEMBER(5);
            ADD_MEMBER(6);
            ADD_MEMBER(7);
            keys[row * p.num_words] = (key_t)key;
        }
    }
}

KERNEL void columns_unpack(const struct columns_params p, MEMBERS(__global),
                           __global const void *keys_in, __global const void *counts_in)
{
    __global const key_t *keys = AT(const key_t, keys_in, COLUMNS_MEMBERS);
    __global const ulong *counts = AT(const ulong, counts_in, COLUMNS_MEMBERS + 1);
    for (uint i = 0; i < ITEMS; ++i) {
        const ulong row = ROW(i);
        if (row < p.num_elements) {
            if (p.flags & COLUMNS_FLAG_COUNTED && row % p.count >= counts[row / p.count])
                continue;
            ulong key = keys[row * p.num_words];
            TAKE_MEMBER(7);
            TAKE_MEMBER(6);
            TAKE_MEMBER(5);
            TAKE_MEMBER(4);
            TAKE_MEMBER(3);
            TAKE_MEMBER(2);
            TAKE_MEMBER(1);
            TAKE_MEMBER(0);
        }
    }
}
