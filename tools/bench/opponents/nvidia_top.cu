/* nvidia_top.cu: CUB's selections of the least keys, and a sort of these, since they come in no
 * order, for one type; compiled as nvidia_sorts.cu is. CUB has them since its version 3.2, for rows
 * since 3.5: CLSORT_CCCL names a folder of headers that has them. */
#include "nvidia_sorts.hpp"

#include <cub/version.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>
#if __has_include(<cub/device/device_topk.cuh>)
#include <cub/device/device_topk.cuh>
#include <cuda/iterator>
#define HAS_TOP
#endif
#if __has_include(<cub/device/device_batched_topk.cuh>)
#include <cub/device/device_batched_topk.cuh>
#include <cuda/argument>
#define HAS_ROWS
#endif

namespace
{

using key = BENCH_KEY;
#ifdef BENCH_VALUE
using value = BENCH_VALUE;
#else
using value = uint32_t; /* there are none */
#endif

struct parts {
    void *top, *sort;
    size_t top_size, sort_size;
    key *keys;
    value *values;
};

#ifdef HAS_TOP
/* All at once: where they begin in the one block of memory, of which the size is written. */
void lay_out(parts &parts, void *temporary, size_t *temporary_size, size_t num)
{
    const size_t sizes[] = {parts.top_size, parts.sort_size, num * sizeof(key),
                            num * sizeof(value)};
    char *at = static_cast<char *>(temporary);
    char *begins[4];
    size_t size = 0;
    for (int i = 0; i < 4; i++) {
        begins[i] = at + size;
        size += (sizes[i] + 255) / 256 * 256;
    }
    *temporary_size = size;
    if (!temporary)
        return;
    parts.top = begins[0];
    parts.sort = begins[1];
    parts.keys = reinterpret_cast<key *>(begins[2]);
    parts.values = reinterpret_cast<value *>(begins[3]);
}

cudaError_t select(parts &parts, const cuda_arrays *arrays, cudaStream_t stream)
{
    const key *keys = static_cast<const key *>(arrays->keys_in);
    const auto requirements = cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                       cuda::execution::output_ordering::unsorted);
    const auto environment = cuda::std::execution::env{cuda::stream_ref{stream}, requirements};
    const uint32_t count = (uint32_t)arrays->count, limit = (uint32_t)arrays->limit;
#ifdef BENCH_VALUE
    const value *values = static_cast<const value *>(arrays->values_in);
    return cub::DeviceTopK::MinPairs(parts.top, parts.top_size, keys, parts.keys, values,
                                     parts.values, count, limit, environment);
#else
    return cub::DeviceTopK::MinKeys(parts.top, parts.top_size, keys, parts.keys, count, limit,
                                    environment);
#endif
}
#endif

#ifdef HAS_ROWS
template <int64_t Length>
cudaError_t select_rows(parts &parts, const cuda_arrays *arrays, cudaStream_t stream)
{
    const int64_t limit = (int64_t)arrays->limit;
    const auto rows_of = [](auto *at, int64_t stride) {
        return cuda::make_strided_iterator(cuda::make_counting_iterator(at), stride);
    };
    const auto environment = cuda::std::execution::env{
        cuda::stream_ref{stream},
        cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                 cuda::execution::tie_break::unspecified,
                                 cuda::execution::output_ordering::unsorted)};
    const auto keys = rows_of(static_cast<const key *>(arrays->keys_in), Length);
    const auto keys_out = rows_of(parts.keys, limit);
    const auto num_wanted = cuda::args::immediate{limit, cuda::args::bounds<1, 1000>()};
    const auto num_rows = cuda::args::immediate{(int64_t)(arrays->count / arrays->row_length)};
    const auto length = cuda::args::constant<Length>{};
#ifdef BENCH_VALUE
    const auto values = rows_of(static_cast<const value *>(arrays->values_in), Length);
    const auto values_out = rows_of(parts.values, limit);
    return cub::DeviceBatchedTopK::MinPairs(parts.top, parts.top_size, keys, keys_out, values,
                                            values_out, length, num_wanted, num_rows, environment);
#else
    return cub::DeviceBatchedTopK::MinKeys(parts.top, parts.top_size, keys, keys_out, length,
                                           num_wanted, num_rows, environment);
#endif
}

/* It is compiled for one length, and takes rows that fit a block. */
cudaError_t select_rows(parts &parts, const cuda_arrays *arrays, cudaStream_t stream)
{
    const size_t length = arrays->row_length;
    if (arrays->limit > 1000)
        return cudaErrorNotSupported;
    if constexpr (sizeof(key) == 4) {
        if (length == 8192)
            return select_rows<8192>(parts, arrays, stream);
    }
    return length == 128    ? select_rows<128>(parts, arrays, stream)
           : length == 1024 ? select_rows<1024>(parts, arrays, stream)
                            : cudaErrorNotSupported;
}
#endif

#ifdef HAS_TOP
struct begin_of {
    uint32_t limit;
    __host__ __device__ uint32_t operator()(uint32_t row) const
    {
        return row * limit;
    }
};

cudaError_t sort(parts &parts, const cuda_arrays *arrays, size_t num_rows, cudaStream_t stream)
{
    key *out = static_cast<key *>(arrays->keys_out);
    const int num = (int)(num_rows * arrays->limit), end_bit = (int)(8 * sizeof(key));
    const auto begins = cuda::make_transform_iterator(cuda::make_counting_iterator(0u),
                                                      begin_of{(uint32_t)arrays->limit});
#ifdef BENCH_VALUE
    value *values = static_cast<value *>(arrays->values_out);
    if (num_rows > 1)
        return cub::DeviceSegmentedSort::SortPairs(parts.sort, parts.sort_size, parts.keys, out,
                                                   parts.values, values, num, (int)num_rows, begins,
                                                   begins + 1, stream);
    return cub::DeviceRadixSort::SortPairs(parts.sort, parts.sort_size, parts.keys, out,
                                           parts.values, values, num, 0, end_bit, stream);
#else
    if (num_rows > 1)
        return cub::DeviceSegmentedSort::SortKeys(parts.sort, parts.sort_size, parts.keys, out, num,
                                                  (int)num_rows, begins, begins + 1, stream);
    return cub::DeviceRadixSort::SortKeys(parts.sort, parts.sort_size, parts.keys, out, num, 0,
                                          end_bit, stream);
#endif
}
#endif

} // namespace

cudaError_t BENCH_SORT(cuda_method, void *temporary, size_t *temporary_size,
                       const cuda_arrays *arrays, cudaStream_t stream)
{
#ifdef HAS_TOP
    const size_t num_rows = arrays->count / arrays->row_length;
    const auto find = [&](parts &parts) {
        if (num_rows == 1)
            return select(parts, arrays, stream);
#ifdef HAS_ROWS
        return select_rows(parts, arrays, stream);
#else
        return cudaErrorNotSupported;
#endif
    };
    parts parts = {};
    cudaError_t code = find(parts);
    if (code == cudaSuccess)
        code = sort(parts, arrays, num_rows, stream);
    if (code != cudaSuccess)
        return code;
    lay_out(parts, temporary, temporary_size, num_rows * arrays->limit);
    if (!temporary)
        return cudaSuccess;
    code = find(parts);
    return code == cudaSuccess ? sort(parts, arrays, num_rows, stream) : code;
#else
    (void)temporary;
    (void)temporary_size;
    (void)arrays;
    (void)stream;
    return cudaErrorNotSupported;
#endif
}
