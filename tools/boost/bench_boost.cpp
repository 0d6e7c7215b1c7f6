/* bench_boost.cpp: the library against the sort() and sort_by_key() of Boost.Compute, on the same
 * device and the same context. Numbers are sorted by radix sort on GPUs and by merge sort on CPUs,
 * records by merge sort. */
#include "opencl.hpp"

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

template <typename Key> void sort_keys(cl_mem keys, cl_mem, u64 count, compute::command_queue queue)
{
    const auto first = compute::make_buffer_iterator<Key>(compute::buffer(keys), 0);
    compute::sort(first, first + (std::ptrdiff_t)count, queue);
}

template <typename Key, typename Value>
void sort_pairs(cl_mem keys, cl_mem values, u64 count, compute::command_queue queue)
{
    const auto first = compute::make_buffer_iterator<Key>(compute::buffer(keys), 0);
    compute::sort_by_key(first, first + (std::ptrdiff_t)count,
                         compute::make_buffer_iterator<Value>(compute::buffer(values), 0), queue);
}

/* input.h's record as a vector, which is compared and moved as the struct is. */
BOOST_COMPUTE_FUNCTION(bool, is_before, (compute::uint4_ a, compute::uint4_ b),
                       { return a.x < b.x || (a.x == b.x && as_int(a.y) < as_int(b.y)); });

void sort_records(cl_mem keys, cl_mem, u64 count, compute::command_queue queue)
{
    const auto first = compute::make_buffer_iterator<compute::uint4_>(compute::buffer(keys), 0);
    compute::sort(first, first + (std::ptrdiff_t)count, is_before, queue);
}

using sort_function = void(cl_mem, cl_mem, u64, compute::command_queue);

/* In the order of versus_types. */
sort_function *const sorts[VERSUS_NUM_TYPES] = {sort_keys<compute::uchar_>,
                                                sort_keys<compute::ushort_>,
                                                sort_keys<compute::uint_>,
                                                sort_keys<compute::ulong_>,
                                                sort_keys<compute::int_>,
                                                sort_keys<compute::float_>,
                                                sort_keys<compute::double_>,
                                                sort_pairs<compute::uint_, compute::uint_>,
                                                sort_pairs<compute::ulong_, compute::ulong_>,
                                                sort_pairs<compute::uint_, compute::uint4_>,
                                                sort_records,
                                                sort_records};

class boost_compute : public versus_on_opencl
{
  public:
    using versus_on_opencl::versus_on_opencl;
    const char *name() const override
    {
        return "Boost.Compute";
    }
    std::string open(const versus_options &options) override
    {
        versus_on_opencl::open(options);
        return std::string("Boost ") + BOOST_LIB_VERSION + ", the same device";
    }

  private:
    std::string begin_sort(const versus_type &type, const versus_input &) override
    {
        sort_ = sorts[&type - versus_types];
        return "";
    }
    void sort(cl_command_queue queue) override
    {
        try {
            sort_(device_->keys, device_->values, input_.count, compute::command_queue(queue));
        } catch (const compute::opencl_error &error) {
            versus_cl(error.error_code(), error.what());
            throw;
        }
    }

    sort_function *sort_ = nullptr;
};

} // namespace

int main(int argc, char **argv)
{
    std::shared_ptr<versus_device> device;
    versus_contestants opponents;
    opponents.push_back(std::make_unique<boost_compute>(device));
    return versus_main(argc, argv, "bench_boost",
                       "Measures clsort and Boost.Compute side by side on an OpenCL device.",
                       device, std::move(opponents));
}
