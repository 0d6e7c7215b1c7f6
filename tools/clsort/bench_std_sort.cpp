/* bench_std_sort.cpp: std::sort on one thread, the opponent that C programmers name. */
#include "bench_items.hpp"

#include <algorithm>

namespace
{

struct std_sort {
    template <typename Item> void operator()(Item *first, std::size_t count) const
    {
        std::sort(first, first + count);
    }
};

} // namespace

extern "C" int opponent_std_sort(const opponent_items *items, void *data, std::size_t count)
{
    return sort_items(items, data, count, std_sort());
}
