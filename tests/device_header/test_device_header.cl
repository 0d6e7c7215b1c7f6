/* A user's kernels for test_device_header.c, placed after a description named "test" and the
 * header. ITEM is an item's type; WITH_RANK and WITH_PRIVATE say whether the description has these
 * functions. Each work-group sorts its own n items; the bytes around them in local memory must stay
 * unchanged. */
#ifndef ITEMS
#define ITEMS 8
#endif
#define GUARD 64

void fill(__local uchar *memory, uint size)
{
    for (uint i = get_local_id(0); i < size; i += get_local_size(0))
        memory[i] = 0xa5;
    barrier(CLK_LOCAL_MEM_FENCE);
}

void check(const __local uchar *memory, uint size, __global uint *damage)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < GUARD; i += get_local_size(0))
        if (memory[i] != 0xa5 || memory[size - 1 - i] != 0xa5)
            atomic_inc(damage);
}

#define SORT_KERNEL(function, slot)                                                               \
    __kernel void sort_##function(__global const ITEM *in, __global ITEM *out, uint n, uint room, \
                                  __local ulong *words, __global uint *damage)                    \
    {                                                                                             \
        __local uchar *memory = (__local uchar *)words;                                           \
        __local ITEM *items = (__local ITEM *)(memory + GUARD);                                   \
        const uint size = room * (uint)sizeof(ITEM) + 2 * GUARD;                                  \
        const uint first = get_group_id(0) * n;                                                   \
        fill(memory, size);                                                                       \
        for (uint i = get_local_id(0); i < n; i += get_local_size(0))                             \
            items[slot(i)] = in[first + i];                                                       \
        /* Bytes after the items may still be read while others are inside the function. */       \
        if (n < room && *(const __local uchar *)&items[slot(n)] != 0xa5)                          \
            atomic_inc(damage);                                                                   \
        clsort_test_##function(items, n);                                                         \
        for (uint i = get_local_id(0); i < n; i += get_local_size(0))                             \
            out[first + i] = items[slot(i)];                                                      \
        check(memory, size, damage);                                                              \
    }

SORT_KERNEL(group_bitonic, clsort_test_slot)

#ifdef WITH_RANK
SORT_KERNEL(group_rank, )

__kernel void sort_rank(__global const ITEM *in, __global ITEM *out, uint n, uint room,
                        __local ulong *words, __global uint *damage)
{
    __local ITEM *items = (__local ITEM *)words;
    const uint first = get_group_id(0) * n;
    for (uint i = get_local_id(0); i < n; i += get_local_size(0))
        items[i] = in[first + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < n; i += get_local_size(0))
        out[first + clsort_test_rank(items, n, items[i], i)] = items[i];
}
#endif

#ifdef WITH_PRIVATE
__kernel void sort_private(__global const ITEM *in, __global ITEM *out, uint n, uint room,
                           __local ulong *words, __global uint *damage)
{
    ITEM items[ITEMS];
    const uint first = get_global_id(0) * ITEMS;
    for (uint i = 0; i < ITEMS; ++i)
        items[i] = in[first + i];
    clsort_test_private(items);
    for (uint i = 0; i < ITEMS; ++i)
        out[first + i] = items[i];
}
#endif
