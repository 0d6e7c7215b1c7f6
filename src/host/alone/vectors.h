/* vectors.h: the quicksort by vectors of cl/cpu/vector_sort.h, compiled as C.
 *
 * Before including it, define the processor's vectors by vectors_avx512.h or as
 * vectors_32_avx2.c does. Define HOST_SORT_ORDER, the name of a host_sort_order, if it is
 * wanted of numbers of 64 bits. Include it once in a file. */
#include "cpu/vector_sort.h"

/* Whether the numbers ascend, or descend. Random ones are given up after a few. */
static int are_in_order(const lane_t *keys, size_t count, int descending)
{
    for (size_t i = 1; i < count; ++i) {
        if (descending ? keys[i - 1] < keys[i] : keys[i - 1] > keys[i])
            return 0;
    }
    return 1;
}

static void reverse(lane_t *keys, size_t count)
{
    for (size_t i = 0, j = count - 1; i < j; ++i, --j) {
        const lane_t low = keys[j];
        keys[j] = keys[i];
        keys[i] = low;
    }
}

static void sort_unless_in_order(lane_t *keys, size_t count)
{
    if (are_in_order(keys, count, 0))
        return;
    if (are_in_order(keys, count, 1)) {
        reverse(keys, count);
        return;
    }
    sort_numbers(keys, count);
}

#ifdef HOST_SORT_ORDER
#define ITEM uint64_t
#define ITEM_RADIX(item) (item)
#define key_t uint64_t
#define CPU_CALLED VECTOR_CALLED
#define NUMBERS_SORT sort_unless_in_order
#include "cpu/joined.h"

void HOST_SORT_ORDER(const uint64_t *keys, uint64_t *spare, uint32_t count, uint32_t num_bits,
                     uint32_t *order)
{
    const uint32_t place_bits = JOINED_PLACE_BITS(count);
    uint64_t low = 0;
    if (num_bits + place_bits > 64) { /* only then a smaller range may save a sort */
        uint64_t high = low = keys[0];
        for (uint32_t i = 1; i < count; ++i) {
            low = min(low, keys[i]);
            high = max(high, keys[i]);
        }
        num_bits = 64 - clz(high - low);
    }
    joined_sort(keys, (lane_t *)spare, count, low, num_bits, place_bits);
    for (uint32_t i = 0; i < count; ++i)
        order[i] = (uint32_t)(spare[i] & JOINED_PLACES(place_bits));
}
#endif

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
