/* host_vqsort.cpp: the vectorised quicksort of Google's Highway, on one thread. It sorts numbers of
 * 16 to 64 bits, and pairs of unsigned ones. */
#include "host.h"

#include <hwy/contrib/sort/vqsort.h>

#include <cstdint>

namespace
{

template <typename Item> int sort_as(void *items, std::size_t count)
{
    if (count > 0)
        hwy::Sorter()(static_cast<Item *>(items), count, hwy::SortAscending());
    return 1;
}

} // namespace

int host_vqsort(const bench_input *input, void *items, std::size_t count)
{
#define SORT_AS(kind, bits, value_size, ...)             \
    if (bench_is(input, BENCH_##kind, bits, value_size)) \
    return sort_as<__VA_ARGS__>(items, count)
    SORT_AS(UNSIGNED, 16, 0, std::uint16_t);
    SORT_AS(UNSIGNED, 32, 0, std::uint32_t);
    SORT_AS(UNSIGNED, 64, 0, std::uint64_t);
    SORT_AS(SIGNED, 16, 0, std::int16_t);
    SORT_AS(SIGNED, 32, 0, std::int32_t);
    SORT_AS(SIGNED, 64, 0, std::int64_t);
    SORT_AS(FLOAT, 32, 0, float);
    SORT_AS(UNSIGNED, 32, 4, hwy::K32V32);
    SORT_AS(UNSIGNED, 64, 8, hwy::K64V64);
    if (hwy::Sorter::HaveFloat64())
        SORT_AS(FLOAT, 64, 0, double);
#undef SORT_AS
    return 0;
}
