/* cpu_segments.cl: sorts the segments of a share, and the chunks of longer ones (cpu_segments.h).
 *
 * Local memory: none. Runs after: segments_mark. Before: cpu_segments_merge.cl. */
#include "cpu_segments.h"

/* Sorts elements [begin, end) to a place. base: where their segment begins. */
CLSORT_INLINE void sort_run(const struct cpu_segments_params *p, const struct segments_place *from,
                            const struct segments_place *to, __global ITEM *items, ulong begin,
                            ulong end, ulong base, uint flags)
{
    const uint count = (uint)(end - begin);
    const ulong index = begin - base;
    for (uint i = 0; i < count; ++i)
        items[i] = item_load(from->keys + begin, from->payloads + begin, i, index + i, flags);
    const int in_other = count > 1 && items_sort(items, items + p->chunk, count);
    items_store(to->keys + begin, to->payloads + begin, in_other ? items + p->chunk : items, count,
                flags);
}

/* Copies what is in no segment; it has no index. */
CLSORT_INLINE void copy_one(const struct segments_place *from, const struct segments_place *to,
                            ulong at, uint flags)
{
    if (flags & FLAG_STORE_KEYS)
        to->keys[at] = from->keys[at];
    if (PAYLOAD_SIZE && flags & FLAG_STORE_PAYLOAD && !(flags & FLAG_MAKE_INDEX))
        to->payloads[at] = from->payloads[at];
}

KERNEL void cpu_segments(SEGMENTS_CPU_ARGS)
{
    const struct cpu_segments_params *q = &p;
    const ulong worker = get_group_id(0);
    const ulong begin = min(worker * p.share, (ulong)p.count);
    const ulong end = min(begin + p.share, (ulong)p.count);
    const struct segments_heads heads = {SEGMENTS_TABLE(const uint, bits),
                                         SEGMENTS_TABLE(const uint, tops), p.count};
    __global ulong *ends = SEGMENTS_TABLE(ulong, ends);
    __global ITEM *items = SEGMENTS_TABLE(ITEM, spare) + worker * 2 * p.chunk;
    /* The input is not written there. */
    const struct segments_place in = {(__global stored_key_t *)AT(const stored_key_t, keys_in, 0),
                                      (__global payload_t *)AT(const payload_t, payload_in, 2)};
    const struct segments_place out = {AT(stored_key_t, keys_out, 1),
                                       AT(payload_t, payload_out, 3)};
    const struct segments_place work = {SEGMENTS_TABLE(stored_key_t, work_keys),
                                        SEGMENTS_TABLE(payload_t, work_payload)};
    if (begin >= end)
        return;
    for (ulong head = head_before(&heads, begin); head < end;) {
        const ulong next = head_after(&heads, head);
        const uint rounds = segments_rounds(q, next - head);
        if (rounds) {
            const ulong first = head < begin ? (begin - head + p.chunk - 1) / p.chunk : 0;
            for (ulong at = head + first * p.chunk; at < min(next, end); at += p.chunk)
                sort_run(q, &in, rounds % 2 ? &work : &out, items, at, min(at + p.chunk, next),
                         p.flags & FLAG_GAPS ? head : 0, p.flags | FLAG_STORE_KEYS);
            if (ends[2] == 0)
                ends[2] = 1; /* merges follow; any work-item's 1 will do */
        } else if (head >= begin && (head < ends[0] || head >= ends[1]) && p.flags & FLAG_GAPS) {
            copy_one(&in, &out, head, p.flags);
        } else if (head >= begin) {
            sort_run(q, &in, &out, items, head, next, p.flags & FLAG_GAPS ? head : 0, p.flags);
        }
        head = next;
    }
}
