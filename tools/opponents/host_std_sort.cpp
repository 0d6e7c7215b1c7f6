/* host_std_sort.cpp: std::sort, the opponent that C programmers name, and std::stable_sort, on one
 * thread. */
#include "host_items.hpp"

#include <algorithm>

namespace
{

struct std_sort {
    template <typename Item> void operator()(Item *first, std::size_t count) const
    {
        std::sort(first, first + count);
    }
};

struct std_stable_sort {
    template <typename Item> void operator()(Item *first, std::size_t count) const
    {
        std::stable_sort(first, first + count);
    }
};

} // namespace

int host_std_sort(const bench_input *input, void *items, std::size_t count)
{
    return sort_items(input, items, count, std_sort());
}

int host_std_stable_sort(const bench_input *input, void *items, std::size_t count)
{
    return sort_items(input, items, count, std_stable_sort());
}
