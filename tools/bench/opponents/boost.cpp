/* boost.cpp: the sort() and sort_by_key() of Boost.Compute as an opponent, on the library's
 * device and context. Numbers are sorted by radix sort on GPUs and by merge sort on CPUs,
 * records by merge sort. */
#include "opponent.h"

#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/algorithm/sort_by_key.hpp>
#include <boost/compute/buffer.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/exception/opencl_error.hpp>
#include <boost/compute/function.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>
#include <boost/compute/types/fundamental.hpp>
#include <boost/version.hpp>

namespace compute = boost::compute;

namespace
{

template <typename Key> void sort_keys(const bench_task *task, compute::command_queue queue)
{
    const auto first = compute::make_buffer_iterator<Key>(compute::buffer(task->keys), 0);
    compute::sort(first, first + (std::ptrdiff_t)task->input->count, queue);
}

template <typename Key, typename Value>
void sort_pairs(const bench_task *task, compute::command_queue queue)
{
    const auto first = compute::make_buffer_iterator<Key>(compute::buffer(task->keys), 0);
    compute::sort_by_key(first, first + (std::ptrdiff_t)task->input->count,
                         compute::make_buffer_iterator<Value>(compute::buffer(task->values), 0),
                         queue);
}

/* input.h's record as a vector, which is compared and moved as the struct is. */
BOOST_COMPUTE_FUNCTION(bool, is_before, (compute::uint4_ a, compute::uint4_ b),
                       { return a.x < b.x || (a.x == b.x && as_int(a.y) < as_int(b.y)); });

void sort_records(const bench_task *task, compute::command_queue queue)
{
    const auto first =
        compute::make_buffer_iterator<compute::uint4_>(compute::buffer(task->keys), 0);
    compute::sort(first, first + (std::ptrdiff_t)task->input->count, is_before, queue);
}

using sort_function = void(const bench_task *, compute::command_queue);

sort_function *find_sort(const bench_input *input)
{
    if (bench_is_records(input))
        return sort_records;
#define SORT_OF(kind, bits, value_size, ...)             \
    if (bench_is(input, BENCH_##kind, bits, value_size)) \
    return __VA_ARGS__
    SORT_OF(UNSIGNED, 8, 0, sort_keys<compute::uchar_>);
    SORT_OF(UNSIGNED, 16, 0, sort_keys<compute::ushort_>);
    SORT_OF(UNSIGNED, 32, 0, sort_keys<compute::uint_>);
    SORT_OF(UNSIGNED, 64, 0, sort_keys<compute::ulong_>);
    SORT_OF(SIGNED, 32, 0, sort_keys<compute::int_>);
    SORT_OF(FLOAT, 32, 0, sort_keys<compute::float_>);
    SORT_OF(FLOAT, 64, 0, sort_keys<compute::double_>);
    SORT_OF(UNSIGNED, 32, 4, sort_pairs<compute::uint_, compute::uint_>);
    SORT_OF(UNSIGNED, 64, 8, sort_pairs<compute::ulong_, compute::ulong_>);
    SORT_OF(UNSIGNED, 32, 16, sort_pairs<compute::uint_, compute::uint4_>);
#undef SORT_OF
    return nullptr;
}

const char *about()
{
    return "Boost " BOOST_LIB_VERSION ", the same device";
}

int prepare(bench_opponent *self, const bench_task *task, char *why)
{
    self->state = const_cast<bench_task *>(task);
    return find_sort(task->input) || bench_refuse(why, "is not compiled for such keys here");
}

int run(bench_opponent *self, bench_times *, char *why)
try {
    const bench_task *task = static_cast<const bench_task *>(self->state);
    find_sort(task->input)(task, compute::command_queue(task->queue));
    return 1;
} catch (const std::exception &error) {
    return bench_refuse(why, error.what());
}

} // namespace

struct bench_opponent *const *bench_opponents(unsigned version)
{
    static bench_opponent boost = {};
    static bench_opponent *const all[] = {&boost, nullptr};
    boost.name = "Boost.Compute";
    boost.memory = BENCH_ON_OPENCL;
    boost.about = about;
    boost.prepare = prepare;
    boost.run = run;
    return version == BENCH_OPPONENT_VERSION ? all : nullptr;
}
