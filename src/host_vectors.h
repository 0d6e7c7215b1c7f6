/* host_vectors.h: the quicksort by vectors of cl/vector_sort.h, compiled as C.
 *
 * Before including it, define the processor's vectors by host_vectors_avx512.h or as
 * host_vectors_32_avx2.c does. Include it once in a file. */
#include "vector_sort.h"

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

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
