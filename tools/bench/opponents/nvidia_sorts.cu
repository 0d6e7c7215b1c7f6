/* nvidia_sorts.cu: CUB and Thrust for one type. Compiled once for each, with BENCH_SORT (the
 * function), BENCH_KEY and, for pairs, BENCH_VALUE. */
#include "nvidia_sorts.hpp"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#ifdef BENCH_SEGMENTS
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>
#endif
#include <cuda/std/tuple>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <type_traits>

/* input.h's record. Aligned, so that it is moved at once; not in the namespace below, since most
 * types have no use for it. */
struct alignas(16) item16 {
    uint32_t first;
    int32_t second;
    uint32_t rest[2];
};

inline __host__ __device__ bool operator<(const item16 &a, const item16 &b)
{
    return a.first < b.first || (a.first == b.first && a.second < b.second);
}

/* What CUB's radix sort asks for: references to the numbers, the first deciding first. */
struct numbers_of {
    __host__ __device__ cuda::std::tuple<uint32_t &, int32_t &> operator()(item16 &item) const
    {
        return {item.first, item.second};
    }
};

namespace
{

struct alignas(16) value16 {
    uint32_t words[4];
};

using key = BENCH_KEY;

/* CUB sorts records by their numbers since its version 2.2. */
template <typename Key>
cudaError_t sort_by_radix(void *temporary, size_t *temporary_size, const Key *keys_in,
                          Key *keys_out, size_t count, cudaStream_t stream)
{
    if constexpr (!std::is_same_v<Key, item16>)
        return cub::DeviceRadixSort::SortKeys(temporary, *temporary_size, keys_in, keys_out, count,
                                              0, (int)(8 * sizeof(Key)), stream);
    else if constexpr (CUB_VERSION >= 200200)
        return cub::DeviceRadixSort::SortKeys(temporary, *temporary_size, keys_in, keys_out, count,
                                              numbers_of(), stream);
    else
        return cudaErrorNotSupported;
}

} // namespace

/* A function of CUB's for keys, or for pairs, from the input to the output. */
#ifdef BENCH_VALUE
#define FROM_TO(name, ...) \
    name##Pairs(temporary, *temporary_size, keys_in, keys_out, values_in, values_out, __VA_ARGS__)
#else
#define FROM_TO(name, ...) name##Keys(temporary, *temporary_size, keys_in, keys_out, __VA_ARGS__)
#endif

cudaError_t BENCH_SORT(cuda_method method, void *temporary, size_t *temporary_size,
                       const cuda_arrays *arrays, cudaStream_t stream)
try {
    const key *keys_in = static_cast<const key *>(arrays->keys_in);
    key *keys_out = static_cast<key *>(arrays->keys_out);
    const size_t count = arrays->count;
    [[maybe_unused]] const int end_bit = (int)(8 * sizeof(key));
    cuda_allocator memory;
    if (method == CUDA_THRUST && !temporary) {
        *temporary_size = 0;
        return cudaSuccess;
    }
#ifdef BENCH_VALUE
    using value = BENCH_VALUE;
    const value *values_in = static_cast<const value *>(arrays->values_in);
    value *values_out = static_cast<value *>(arrays->values_out);
#endif
#ifdef BENCH_SEGMENTS
    const uint32_t *begins = arrays->offsets, *ends = begins + 1;
    const int num_items = (int)count, num_segments = (int)arrays->num_segments;
    if (method == CUDA_SEGMENTED)
        return cub::DeviceSegmentedSort::FROM_TO(Sort, num_items, num_segments, begins, ends,
                                                 stream);
    if (method == CUDA_SEGMENTED_RADIX)
        return cub::DeviceSegmentedRadixSort::FROM_TO(Sort, num_items, num_segments, begins, ends,
                                                      0, end_bit, stream);
#endif
    if (method >= CUDA_SEGMENTED)
        return cudaErrorNotSupported;
#ifdef BENCH_VALUE
    if (method == CUDA_RADIX)
        return cub::DeviceRadixSort::FROM_TO(Sort, count, 0, end_bit, stream);
    if (method == CUDA_MERGE)
        return cub::DeviceMergeSort::SortPairs(temporary, *temporary_size, keys_out, values_out,
                                               count, cuda_before(), stream);
    thrust::sort_by_key(thrust::cuda::par(memory).on(stream), keys_out, keys_out + count,
                        values_out, cuda_before());
#else
    if (method == CUDA_RADIX)
        return sort_by_radix(temporary, temporary_size, keys_in, keys_out, count, stream);
    if (method == CUDA_MERGE)
        return cub::DeviceMergeSort::SortKeys(temporary, *temporary_size, keys_out, count,
                                              cuda_before(), stream);
    thrust::sort(thrust::cuda::par(memory).on(stream), keys_out, keys_out + count, cuda_before());
#endif
    return cudaSuccess;
} catch (const std::bad_alloc &) {
    cudaGetLastError();
    return cudaErrorMemoryAllocation;
}
