/* bench_vqsort.cpp: the vectorised quicksort of Google's Highway, on one thread. It sorts numbers of
 * 16 to 64 bits, and pairs of unsigned ones. */
#include "bench_items.hpp"

#include <hwy/contrib/sort/vqsort.h>

namespace
{

template <typename Item> int sort_as(void *data, std::size_t count)
{
    if (count > 0)
        hwy::Sorter()(static_cast<Item *>(data), count, hwy::SortAscending());
    return 1;
}

} // namespace

extern "C" int opponent_vqsort(const opponent_items *items, void *data, std::size_t count)
{
    const int bits = items->bits;
    if (items->has_values)
        return items->kind != 0 ? 0
               : bits == 32     ? sort_as<hwy::K32V32>(data, count)
               : bits == 64     ? sort_as<hwy::K64V64>(data, count)
                                : 0;
    switch (items->kind) {
    case 0:
        return bits == 16   ? sort_as<std::uint16_t>(data, count)
               : bits == 32 ? sort_as<std::uint32_t>(data, count)
               : bits == 64 ? sort_as<std::uint64_t>(data, count)
                            : 0;
    case 1:
        return bits == 16   ? sort_as<std::int16_t>(data, count)
               : bits == 32 ? sort_as<std::int32_t>(data, count)
               : bits == 64 ? sort_as<std::int64_t>(data, count)
                            : 0;
    default:
        return bits == 32                                 ? sort_as<float>(data, count)
               : bits == 64 && hwy::Sorter::HaveFloat64() ? sort_as<double>(data, count)
                                                          : 0;
    }
}
