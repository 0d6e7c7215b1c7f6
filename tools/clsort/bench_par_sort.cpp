/* bench_par_sort.cpp: std::sort on every thread of the host, which is TBB's in GCC's library. */
#include "bench_items.hpp"

#include <algorithm>
#include <execution>

namespace
{

struct par_sort {
    template <typename Item> void operator()(Item *first, std::size_t count) const
    {
        std::sort(std::execution::par, first, first + count);
    }
};

} // namespace

extern "C" int opponent_par_sort(const opponent_items *items, void *data, std::size_t count)
{
    return sort_items(items, data, count, par_sort());
}
