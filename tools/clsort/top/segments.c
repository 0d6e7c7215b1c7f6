#include "top/segments.h"

#include <string.h>

static uint64_t length_of(const struct segments *segments, uint64_t i)
{
    const uint64_t *offsets = segments->offsets.data;
    return offsets[i + 1] - offsets[i];
}

static uint64_t longest_of(const struct segments *segments)
{
    uint64_t longest = 0;
    for (uint64_t i = 0; i < segments->num; i++) {
        const uint64_t length = length_of(segments, i);
        longest = length > longest ? length : longest;
    }
    return longest;
}

uint64_t top_segments_places(const struct top_segments *top, uint64_t length, uint64_t *skip_ret)
{
    const uint64_t limit = top->is_median ? 1 : top->limit ? top->limit : UINT64_MAX;
    const uint64_t skip = top->is_median ? (length > 0 ? (length - 1) / 2 : 0) : top->skip;
    const uint64_t left = length > skip ? length - skip : 0;
    *skip_ret = left ? skip : length;
    return left < limit ? left : limit;
}

void top_segments_describe(const struct top_segments *top, clsort_desc *desc)
{
    const uint64_t num = top->segments.num, longest = longest_of(&top->segments);
    const uint64_t left = longest > top->skip ? longest - top->skip : 0;
    const uint64_t limit = top->limit < left ? top->limit : left;
    segments_describe(&top->segments, desc);
    desc->out_of_place = !desc->index_size;
    if (top->is_median || limit == 0 || num > desc->count / limit)
        return;
    desc->skip = top->skip;
    desc->limit = limit;
}

uint64_t top_segments_room(const clsort_desc *desc)
{
    return desc->limit ? desc->num_segments * desc->limit : desc->count;
}

uint64_t top_segments_pack(const struct top_segments *top, const clsort_desc *desc, size_t size,
                           void *elements, uint64_t *offsets_ret)
{
    const uint64_t *offsets = top->segments.offsets.data;
    char *bytes = elements;
    offsets_ret[0] = 0;
    for (uint64_t i = 0; i < top->segments.num; i++) {
        uint64_t skip;
        const uint64_t num = top_segments_places(top, length_of(&top->segments, i), &skip);
        const uint64_t begin = desc->limit ? i * desc->limit : offsets[i] + skip;
        if (num > 0)
            memmove(bytes + offsets_ret[i] * size, bytes + begin * size, num * size);
        offsets_ret[i + 1] = offsets_ret[i] + num;
    }
    return offsets_ret[top->segments.num];
}
