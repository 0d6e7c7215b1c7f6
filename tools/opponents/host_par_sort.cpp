/* host_par_sort.cpp: std::sort on every thread of the host, which is TBB's in GCC's library. */
#include "host_items.hpp"

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

int host_par_sort(const bench_input *input, void *items, std::size_t count)
{
    return sort_items(input, items, count, par_sort());
}
