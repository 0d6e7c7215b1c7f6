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

#ifdef HAS_TOP

namespace
{

struct parts {
    void *top, *sort;
    size_t top_size, sort_size;
    key *keys;
    value *values;
};

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

cudaError_t select(parts &parts, const bench_task *task, const cuda_arrays *arrays,
                   cudaStream_t stream)
{
    const auto requirements = cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                       cuda::execution::output_ordering::unsorted);
    const auto environment = cuda::std::execution::env{cuda::stream_ref{stream}, requirements};
    return cub::DeviceTopK::FROM_TO(Min, parts.top, parts.top_size,
                                    static_cast<const key *>(arrays->keys_in), parts.keys,
                                    static_cast<const value *>(arrays->values_in), parts.values,
                                    (uint32_t)task->input->count, (uint32_t)task->input->limit,
                                    environment);
}

#ifdef HAS_ROWS
template <int64_t Length>
cudaError_t select_rows(parts &parts, const bench_task *task, const cuda_arrays *arrays,
                        cudaStream_t stream)
{
    const int64_t limit = (int64_t)task->input->limit;
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
    [[maybe_unused]] const auto values =
        rows_of(static_cast<const value *>(arrays->values_in), Length);
    [[maybe_unused]] const auto values_out = rows_of(parts.values, limit);
    const auto num_wanted = cuda::args::immediate{limit, cuda::args::bounds<1, 1000>()};
    const auto num_rows = cuda::args::immediate{(int64_t)(task->input->count / Length)};
    const auto length = cuda::args::constant<Length>{};
    return cub::DeviceBatchedTopK::FROM_TO(Min, parts.top, parts.top_size, keys, keys_out, values,
                                           values_out, length, num_wanted, num_rows, environment);
}

/* It is compiled for one length, and takes rows that fit a block. */
cudaError_t select_rows(parts &parts, const bench_task *task, const cuda_arrays *arrays,
                        cudaStream_t stream)
{
    const size_t length = task->input->row_length;
    if (task->input->limit > 1000)
        return cudaErrorNotSupported;
    if constexpr (sizeof(key) == 4) {
        if (length == 8192)
            return select_rows<8192>(parts, task, arrays, stream);
    }
    return length == 128    ? select_rows<128>(parts, task, arrays, stream)
           : length == 1024 ? select_rows<1024>(parts, task, arrays, stream)
                            : cudaErrorNotSupported;
}
#endif

struct begin_of {
    uint32_t limit;
    __host__ __device__ uint32_t operator()(uint32_t row) const
    {
        return row * limit;
    }
};

/* Sorts the wanted keys of each row. */
cudaError_t sort(parts &parts, size_t num_rows, size_t limit, const cuda_arrays *arrays,
                 cudaStream_t stream)
{
    key *keys = static_cast<key *>(arrays->keys_out);
    [[maybe_unused]] value *values = static_cast<value *>(arrays->values_out);
    const int num = (int)(num_rows * limit), end_bit = (int)(8 * sizeof(key));
    const auto begins =
        cuda::make_transform_iterator(cuda::make_counting_iterator(0u), begin_of{(uint32_t)limit});
    if (num_rows > 1)
        return cub::DeviceSegmentedSort::FROM_TO(Sort, parts.sort, parts.sort_size, parts.keys,
                                                 keys, parts.values, values, num, (int)num_rows,
                                                 begins, begins + 1, stream);
    return cub::DeviceRadixSort::FROM_TO(Sort, parts.sort, parts.sort_size, parts.keys, keys,
                                         parts.values, values, num, 0, end_bit, stream);
}

/* Both steps; without memory they write its sizes. */
cudaError_t find(parts &parts, const bench_task *task, const cuda_arrays *arrays,
                 cudaStream_t stream)
{
    const size_t num_rows = task->input->count / task->input->row_length;
    cudaError_t code = cudaErrorNotSupported;
    if (num_rows == 1)
        code = select(parts, task, arrays, stream);
#ifdef HAS_ROWS
    else
        code = select_rows(parts, task, arrays, stream);
#endif
    return code == cudaSuccess ? sort(parts, num_rows, task->input->limit, arrays, stream) : code;
}

} // namespace

cudaError_t CUDA_FUNCTION(cuda_method, void *temporary, size_t *temporary_size,
                          const bench_task *task, const cuda_arrays *arrays, cudaStream_t stream)
{
    parts parts = {};
    const cudaError_t code = find(parts, task, arrays, stream);
    if (code != cudaSuccess)
        return code;
    lay_out(parts, temporary, temporary_size, bench_num_outputs(task->input));
    return temporary ? find(parts, task, arrays, stream) : cudaSuccess;
}

#else

cudaError_t CUDA_FUNCTION(cuda_method, void *, size_t *, const bench_task *, const cuda_arrays *,
                          cudaStream_t)
{
    return cudaErrorNotSupported;
}

#endif
