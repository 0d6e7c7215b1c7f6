/* segments.cl: sorts segments of numbers on CPUs, where a work-group is one work-item.
 *
 * Idea: each work-item has an equal share of the elements, whatever the lengths. It sorts the
 * segments that begin in its share: short ones in its cache, others as it refines a bucket
 * (refine.h). A segment longer than a share is long. All work-items sort it together, by the
 * steps of an array (cpu.h); its chunks are the shares that begin in it. No two long segments have
 * a share in common. So they need no list: the tables have a row and a slot for each share, and a
 * long segment takes those of its first share. *
 * One launch sorts the segments that begin in a share, except long ones, and counts the share's
 * chunk of a long one. The next ones turn a long segment's counts into places, move a chunk's
 * elements to their buckets, and sort the buckets of all long segments.
 *
 * Local memory: none. Runs after: segments_mark. */
#include "cpu/refine.h"
#include "segments/segments.h"

/* Where segments begin, as bits. */
struct segments_heads {
    __global const uint *bits, *tops;
    ulong count;
};

/* The first head behind element `at`: the count if there is no other. */
CLSORT_INLINE ulong head_after(const struct segments_heads *heads, ulong at)
{
    ulong word = (at + 1) / 32;
    uint value = heads->bits[word] & ~0u << ((at + 1) & 31);
    while (!value) {
        ++word;
        while (word % 32 == 0 && !(heads->tops[word / 1024] >> (word / 32 % 32) & 1))
            word += 32;
        value = heads->bits[word];
    }
    return min(word * 32 + 31 - clz(value & (0u - value)), heads->count);
}

/* The last head up to element `at`: 0 if there is no other. */
CLSORT_INLINE ulong head_before(const struct segments_heads *heads, ulong at)
{
    ulong word = at / 32;
    uint value = heads->bits[word] & ~0u >> (31 - (at & 31));
    while (!value && word > 0) {
        --word;
        while (word % 32 == 31 && word > 31 && !(heads->tops[word / 1024] >> (word / 32 % 32) & 1))
            word -= 32;
        value = heads->bits[word];
    }
    return value ? word * 32 + 31 - clz(value) : 0;
}

/* Elements [begin, end) as an array in the buffers; shares that begin in it are its chunks. */
CLSORT_INLINE void segments_open(const struct cpu_segments_params *q, CPU_ARGS, ulong begin,
                                 ulong end, struct cpu_array *array)
{
    const struct cpu_params *p = &q->cpu;
    const ulong slot = (begin + q->share - 1) / q->share;
    cpu_bind(p, q->offsets, CPU_BUFFERS, begin, q->tables, begin, array);
    cpu_take_slot(p, slot, slot, array);
    array->count = end - begin;
    array->first_index = q->flags & SEGMENTS_FLAG_GAPS ? 0 : begin;
    array->num_chunks = (uint)((end + q->share - 1) / q->share - slot);
    array->lead = slot * q->share - begin;
}

/* Where the long segment of each share begins and ends. */
struct segments_long {
    ulong begin, end; /* 0, 0: there is none */
};

#define SEGMENTS_LONG (SEGMENTS_TABLE(struct segments_long, longs))

/* Sorts elements [begin, end) of `all`, which are a segment. */
CLSORT_INLINE void sort_segment(const struct cpu_segments_params *q, CPU_ARGS,
                                const struct cpu_array *all, ulong worker, ulong begin, ulong end)
{
    const struct cpu_params *p = &q->cpu;
    const uint spare_items = p->spare_items;
    const ulong count = end - begin, first_index = q->flags & SEGMENTS_FLAG_GAPS ? 0 : begin;
    const int is_short = count <= spare_items;
    __global ITEM *items = is_short ? (__global ITEM *)(all->tables + q->own) + worker * spare_items
                                    : all->items + begin;
    for (ulong i = 0; i < count; ++i)
        items[i] =
            item_load(all->keys + begin, all->payloads + begin, i, first_index + i, p->flags);
    if (is_short) {
        bucket_sort(items, (__global ITEM *)(all->tables + p->spare) + worker * spare_items, count,
                    all->keys_out + begin, all->payloads_out + begin, p->flags);
    } else {
        struct cpu_array array;
        segments_open(q, CPU_BUFFERS, begin, end, &array);
        cpu_sort_items(p, &array, 0, count, worker);
    }
}

/* Copies what is in no segment; it has no index. */
CLSORT_INLINE void copy_one(const struct cpu_segments_params *q, const struct cpu_array *all,
                            ulong at)
{
    if (q->flags & FLAG_STORE_KEYS)
        all->keys_out[at] = all->keys[at];
    if (PAYLOAD_SIZE && q->flags & FLAG_STORE_PAYLOAD && !(q->flags & FLAG_MAKE_INDEX))
        all->payloads_out[at] = all->payloads[at];
}

/* Counts a share's chunk of a long segment, if there is one. */
CLSORT_INLINE void count_long(const struct cpu_segments_params *q, CPU_ARGS, ulong share,
                              const struct segments_heads *heads)
{
    const ulong begin = head_before(heads, share * q->share), end = head_after(heads, begin);
    const int is_long = end - begin > q->longest;
    SEGMENTS_LONG[share].begin = is_long ? begin : 0;
    SEGMENTS_LONG[share].end = is_long ? end : 0;
    if (!is_long)
        return;
    struct cpu_array array;
    segments_open(q, CPU_BUFFERS, begin, end, &array);
    cpu_count_chunk(&q->cpu, &array, (uint)(share - array.first_row));
}

/* Sorts the segments that begin in a share, except long ones. */
CLSORT_INLINE void sort_share(const struct cpu_segments_params *q, CPU_ARGS, ulong share)
{
    const ulong begin = share * q->share, end = min(begin + q->share, (ulong)q->count);
    const struct segments_heads heads = {SEGMENTS_TABLE(const uint, bits),
                                         SEGMENTS_TABLE(const uint, tops), q->count};
    __global const ulong *ends = SEGMENTS_TABLE(const ulong, ends);
    struct cpu_array all;
    segments_open(q, CPU_BUFFERS, 0, q->count, &all);
    count_long(q, CPU_BUFFERS, share, &heads);
    for (ulong head = head_before(&heads, begin); head < end;) {
        const ulong next = head_after(&heads, head);
        if (head < begin || next - head > q->longest) {
            head = next;
            continue;
        }
        if ((head < ends[0] || head >= ends[1]) && q->flags & SEGMENTS_FLAG_GAPS)
            copy_one(q, &all, head);
        else
            sort_segment(q, CPU_BUFFERS, &all, share, head, next);
        head = next;
    }
}

/* A share's long segment as an array. Returns 0 if there is none. */
CLSORT_INLINE int open_long(const struct cpu_segments_params *q, CPU_ARGS, ulong share,
                            struct cpu_array *array)
{
    __global const struct segments_long *found = SEGMENTS_LONG + share;
    if (found->end)
        segments_open(q, CPU_BUFFERS, found->begin, found->end, array);
    return found->end != 0;
}

KERNEL void cpu_segments(const struct cpu_segments_params p, CPU_ARGS)
{
    const struct cpu_segments_params *q = &p;
    const ulong share = get_group_id(0);
    struct cpu_array array;
    if (p.cpu.steps == CPU_COUNT) {
        sort_share(q, CPU_BUFFERS, share);
    } else if (p.cpu.steps == CPU_SORT) {
        for (ulong first = 0; first < p.cpu.num_workers; ++first)
            if (open_long(q, CPU_BUFFERS, first, &array) && array.slot == first)
                cpu_finish(&p.cpu, &array, share, p.cpu.num_workers, share);
    } else if (open_long(q, CPU_BUFFERS, share, &array)) {
        if (p.cpu.steps == CPU_SCATTER)
            cpu_scatter_chunk(&p.cpu, &array, (uint)(share - array.first_row));
        else if (array.slot == share)
            cpu_scan_counts(&p.cpu, &array);
    }
}
