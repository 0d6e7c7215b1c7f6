/* A user's kernel with two item types for test_device_header.c. Its functions and variables have
 * the names of the header's own functions without their prefix. */
#if defined(CLSORT_NAME) || defined(CLSORT_ITEM) || defined(CLSORT_LESS) ||                        \
    defined(CLSORT_ITEMS) || defined(CLSORT_LAST) || defined(CLSORT_MIN) || defined(CLSORT_MAX) || \
    defined(CLSORT_BANKS) || defined(CLSORT_LANES) || defined(CLSORT_PACK) ||                      \
    defined(CLSORT_LANE_NUMBERS)
#error "a parameter is still defined"
#endif
uint rank(uint x)
{
    return x + 1;
}
uint exchange(uint x)
{
    return x;
}
uint slot(uint x)
{
    return x;
}
uint place(uint x)
{
    return x;
}
uint network(uint x)
{
    return x;
}
uint window(uint x)
{
    return x;
}
uint group_bitonic(uint x)
{
    return x;
}
__kernel void both(__global uint *numbers, __global uint *order, uint n)
{
    __local uint items[128];
    __local struct point points[128];
    for (uint i = get_local_id(0); i < n; i += get_local_size(0)) {
        items[slot(i)] = place(i * 37 % n);
        points[i].x = (float)(window(i) * 53 % n);
        points[i].number = exchange(network(group_bitonic(i)));
    }
    clsort_low_group_bitonic(items, n);
    clsort_far_group_rank(points, n);
    for (uint i = get_local_id(0); i < n; i += get_local_size(0)) {
        numbers[i] = rank(items[i]);
        order[i] = points[i].number;
    }
}
