/* joined.h: the order of keys with payloads, by vectors that sort numbers (vector_sort.h), by
 * one work-item or by the calling thread. Equal keys keep their order.
 *
 * A number is the upper bits of a key minus the smallest key, joined with the key's place below
 * them. Where numbers agree in these upper bits, the key's lower bits are joined with the places,
 * and sorted again. They are no more bits than a place has. So two sorts are enough, whatever the
 * keys are. The places of the sorted numbers tell where each item comes from.
 *
 * joined_make(), NUMBERS_SORT and joined_settle() do it. Before including it, define these:
 *
 *   ITEM, ITEM_RADIX(item), key_t   an item and its bits to sort by, which are a key_t
 *   lane_t                          a number of 64 bits
 *   NUMBERS_SORT(numbers, count)    sorts numbers; is fast if they are in order */
#ifndef CLSORT_CPU_JOINED_H
#define CLSORT_CPU_JOINED_H

/* The highest number of place_bits bits, those of a number that are a place. */
#define JOINED_PLACES(place_bits) (((ulong)1 << (place_bits)) - 1)
#define JOINED_PLACE_BITS(count) ((count) > 1 ? 32 - clz((count)-1) : 0)

/* Sorts numbers that agree in the keys' upper bits by the keys' lower `shift` bits, too. */
CPU_CALLED void joined_sort_lower(__global const ITEM *items, __global lane_t *numbers, uint count,
                                  key_t low, uint shift, uint place_bits)
{
    const ulong lower = ((ulong)1 << shift) - 1;
    for (uint i = 0; i < count; ++i) {
        const ulong place = numbers[i] & JOINED_PLACES(place_bits);
        numbers[i] = ((ulong)(ITEM_RADIX(items[place]) - low) & lower) << place_bits | place;
    }
    NUMBERS_SORT(numbers, count);
}

/* Makes a number of each item. Their low place_bits bits, JOINED_PLACE_BITS(count), are places. No
 * key is more than range_bits bits above `low`. Returns how many of a key's bits are left out. */
CPU_CALLED uint joined_make(__global const ITEM *items, __global lane_t *numbers, uint count,
                            key_t low, uint range_bits, uint place_bits)
{
    const uint shift = sub_sat(range_bits + place_bits, 64u);
    for (uint i = 0; i < count; ++i)
        numbers[i] = (ulong)((key_t)(ITEM_RADIX(items[i]) - low) >> shift) << place_bits | i;
    return shift;
}

/* Sorts numbers that are in order by the bits that were not left out by those that were. */
CPU_CALLED void joined_settle(__global const ITEM *items, __global lane_t *numbers, uint count,
                              key_t low, uint num_left_out, uint place_bits)
{
    uint num_agreeing = 0;
    for (uint i = 1; i < count && num_left_out; ++i) /* of vectors: most often none */
        num_agreeing += (numbers[i] ^ numbers[i - 1]) >> place_bits == 0;
    for (uint begin = 0, end; begin < count && num_agreeing; begin = end) {
        end = begin + 1;
        while (end < count && (numbers[end] ^ numbers[begin]) >> place_bits == 0)
            ++end;
        if (end - begin > 1)
            joined_sort_lower(items, numbers + begin, end - begin, low, num_left_out, place_bits);
    }
}

#endif
