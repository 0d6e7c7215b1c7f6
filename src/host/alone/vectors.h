/* vectors.h: the quicksort by vectors of cl/cpu/vector_sort.h, compiled as C.
 *
 * Before including it, define the processor's vectors by vectors_avx512.h or as
 * vectors_32_avx2.c does, with split_lanes(), which is SPLIT, and HOST_VECTORS, the name of the
 * struct host_vectors. Define HOST_ORDER, the name of a struct host_order, if it is wanted of
 * numbers of 64 bits. Include it once in a file. */
#define VECTOR_CALLED static __attribute__((noinline))
#define LARGEST_NUMBER ((lane_t) ~(lane_t)0)
#define FIRST_NUMBER(v) number_of_lane(v, 0)
#define MIDDLE_NUMBER(v) number_of_lane(v, VECTOR_LANES / 2)
#define SPLIT split_lanes

static inline lane_t number_of_lane(vector_t v, int lane)
{
    lane_t numbers[VECTOR_LANES];
    STORE(numbers, v);
    return numbers[lane];
}

#include "cpu/vector_sort.h"

/* Whether the numbers ascend, or descend. Random ones are given up after a few. */
static int are_in_order(const void *numbers, size_t count, int descending)
{
    const lane_t *keys = numbers;
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

static void sort_unless_in_order(void *numbers, size_t count)
{
    if (are_in_order(numbers, count, 0))
        return;
    if (are_in_order(numbers, count, 1)) {
        reverse(numbers, count);
        return;
    }
    sort_numbers(numbers, count);
}

static uint64_t pivot_of(const void *numbers, size_t count)
{
    return choose_pivot(numbers, count);
}

static size_t split(void *numbers, size_t count, uint64_t pivot)
{
    return partition(numbers, count, (lane_t)pivot);
}

const struct host_vectors HOST_VECTORS = {
    .size = sizeof(lane_t),
    .sort = sort_unless_in_order,
    .are_in_order = are_in_order,
    .pivot = pivot_of,
    .split = split,
};

#ifdef HOST_ORDER
#define ITEM uint64_t
#define ITEM_RADIX(item) (item)
#define key_t uint64_t
#define CPU_CALLED VECTOR_CALLED
#define NUMBERS_SORT sort_unless_in_order
#include "cpu/joined.h"

static void order_begin(struct host_joined *joined, uint32_t num_bits)
{
    const uint64_t *keys = joined->keys;
    const uint32_t count = joined->count;
    joined->low = 0;
    joined->place_bits = JOINED_PLACE_BITS(count);
    if (num_bits + joined->place_bits > 64) { /* only then a smaller range may save a sort */
        uint64_t high = joined->low = keys[0];
        for (uint32_t i = 1; i < count; ++i) {
            joined->low = min(joined->low, keys[i]);
            high = max(high, keys[i]);
        }
        num_bits = 64 - clz(high - joined->low);
    }
    joined->num_left_out =
        joined_make(keys, joined->numbers, count, joined->low, num_bits, joined->place_bits);
}

static void order_end(const struct host_joined *joined, uint32_t *order)
{
    joined_settle(joined->keys, joined->numbers, joined->count, joined->low, joined->num_left_out,
                  joined->place_bits);
    for (uint32_t i = 0; i < joined->count; ++i)
        order[i] = (uint32_t)(joined->numbers[i] & JOINED_PLACES(joined->place_bits));
}

const struct host_order HOST_ORDER = {order_begin, order_end};
#endif

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
