/* operations.c: what the tests of operations share. */
#include "operations.h"

#include <stdlib.h>

const uint64_t operation_sizes[NUM_OPERATION_SIZES] = {0,  1,  2,  3,  15,  16,   17,
                                                       47, 48, 49, 97, 300, 2049, 5000};

const short_arrays operation_arrays[NUM_SHORT_ARRAYS] = {{1, 601}, {2, 99},  {4, 700}, {7, 150},
                                                         {15, 35}, {30, 70}, {101, 9}};

fixture operations_as_gpu(const fixture *fix)
{
    fixture_limit_as_gpu(fix);
    clsort_sorter *sorter = sorter_create(fix);
    fixture_end_limit();
    return fixture_with(fix, sorter);
}

void operations_end(fixture *own)
{
    clsort_destroy(own->sorter);
}

int leaves_out(const fixture *fix, uint32_t i, uint64_t size)
{
    if (i >= NUM_NUMBER_ORDERS)
        return platform_is(fix, "Oclgrind") && size > 300;
    if (platform_is(fix, "Oclgrind"))
        return size > 300 || i % 5;
    return i >= 4 && (i / 2 + i + (fix->limited != 0)) % 2;
}

void number_store(void *numbers, uint64_t at, uint32_t size, uint64_t value)
{
    key_store(numbers, at, size, value);
}

void *sorted_arrays(const order *o, uint64_t count, uint64_t num_arrays, int few, uint64_t seed)
{
    const uint32_t size = order_key_size(o);
    unsigned char *keys = test_alloc(count * num_arrays * size);
    order_fill(o, keys, count * num_arrays, few, seed);
    for (uint64_t i = 0; i < num_arrays; ++i)
        order_keys(o, keys + i * count * size, count);
    return keys;
}
