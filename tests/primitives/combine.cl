/* combine.cl: group_combine.h: elements of COMBINE_SIZE bytes cut by their highest bits into
 * regions, whole chunks from a region's front and rests from its back. */
#include "base/config.h"
#define COMBINE_RADIX 16
#define COMBINE_CAPACITY (COMBINE_SIZE == 8 ? 10 : COMBINE_SIZE == 4 ? 20 : 40)

/* Words of out: [digit] elements from the front, [digit] from the back, then the regions. */
struct cut {
    __global const uint *in;
    __global uint *out;
    uint first; /* of the tile */
    uint n;
};
#define COMBINE_CONTEXT const struct cut *
#define DIGIT_OF(number) ((number) >> 28)
#define ITEM_OF(number) \
    ((combine_item_t)(COMBINE_SIZE == 8 ? (ulong)(number) << 32 | (number) : (ulong)(number)))
#define COMBINE_OWN uint
#define COMBINE_STORED(cut, number) ITEM_OF(number)
#define COMBINE_DIGIT(cut, number) DIGIT_OF(number)
#define COMBINE_FETCH(cut, i, item, digit)                                               \
    do {                                                                                 \
        const uint number_ = (cut)->in[(cut)->first + (i)*GROUP_SIZE + get_local_id(0)]; \
        (item) = ITEM_OF(number_);                                                       \
        (digit) = DIGIT_OF(number_);                                                     \
    } while (0)
#define REGION(cut) (((cut)->n + 63) / 64 * 64) /* elements */
#define COMBINE_TAKE(cut, digit, count) \
    ((digit)*REGION(cut) + atomic_add(&(cut)->out[digit], count))
#define COMBINE_TAKE_REST(cut, digit, count) \
    ((digit)*REGION(cut) + REGION(cut) -     \
     (count)-atomic_add(&(cut)->out[COMBINE_RADIX + (digit)], count))
#include "group/combine.h"

KERNEL void combine(__global const uint *in, __global uint *out, uint n, uint parameter)
{
    __local struct group_combine_local shared;
    const uint me = get_local_id(0);
    __global combine_item_t *regions = (__global combine_item_t *)(out + 2 * COMBINE_RADIX);
    struct cut cut = {in, out, 0, n};
    group_combine_begin(&shared);
    for (uint first = get_group_id(0) * TILE_SLOTS; first < n;
         first += get_num_groups(0) * TILE_SLOTS) {
        combine_overflow_t beyond;
        uint own[ITEMS];
        barrier(CLK_LOCAL_MEM_FENCE); /* the buckets are ready */
        cut.first = first;
        for (uint i = 0; i < ITEMS; ++i)
            own[i] = in[min(first + i * GROUP_SIZE + me, n - 1)];
        group_combine_add_tile(&shared, own, (int)(n - first) - (int)me, GROUP_SIZE, &beyond, &cut);
        group_combine_flush(&shared, regions, &beyond, &cut);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the last tile's rests are at the front */
    group_combine_finish(&shared, regions, &cut);
}
