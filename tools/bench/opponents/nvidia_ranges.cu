/* nvidia_ranges.cu: what CUB and Thrust do with keys in order, for one type; compiled as
 * nvidia_sorts.cu is. */
#include "nvidia_sorts.hpp"

#include <cub/device/device_merge.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>

cudaError_t CUDA_FUNCTION(cuda_method method, void *temporary, size_t *temporary_size,
                          const bench_task *task, const cuda_arrays *arrays, cudaStream_t stream)
try {
    const key *keys = static_cast<const key *>(arrays->keys_in);
    key *out = static_cast<key *>(arrays->keys_out);
    const int64_t count = (int64_t)task->input->count;
    if (method == CUDA_MERGE_TWO) {
        const int64_t first = (int64_t)task->offsets[1];
#ifdef CUDA_VALUE
        const value *values = static_cast<const value *>(arrays->values_in);
        return cub::DeviceMerge::MergePairs(temporary, *temporary_size, keys, values, first,
                                            keys + first, values + first, count - first, out,
                                            static_cast<value *>(arrays->values_out), cuda_before(),
                                            stream);
#else
        return cub::DeviceMerge::MergeKeys(temporary, *temporary_size, keys, first, keys + first,
                                           count - first, out, cuda_before(), stream);
#endif
    }
#ifndef CUDA_VALUE
    if (method == CUDA_UNIQUE)
        return cub::DeviceSelect::Unique(temporary, *temporary_size, keys, out, arrays->num_unique,
                                         count, stream);
    if (!temporary) {
        *temporary_size = 0;
        return cudaSuccess;
    }
    cuda_allocator memory{stream};
    const auto policy = thrust::cuda::par(memory).on(stream);
    if (method == CUDA_IS_SORTED) {
        *task->result = (uint64_t)(thrust::is_sorted_until(policy, keys, keys + count) - keys);
        return cudaSuccess;
    }
    if (method == CUDA_LOWER_BOUND) {
        const key *queries = static_cast<const key *>(arrays->queries);
        thrust::lower_bound(policy, keys, keys + count, queries, queries + task->input->num_queries,
                            arrays->places);
        return cudaSuccess;
    }
#endif
    return cudaErrorNotSupported;
} catch (const std::bad_alloc &) {
    cudaGetLastError();
    return cudaErrorMemoryAllocation;
}
