/* nvidia_sorts.cu: CUB's sorts for one type. Compiled once for each, with CUDA_FUNCTION (its name),
 * CUDA_KEY and, for pairs, CUDA_VALUE. */
#include "nvidia_sorts.hpp"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#ifdef CUDA_HAS_SEGMENTS
#include <cub/device/device_segmented_sort.cuh>
#endif
#include <cuda/std/tuple>
#include <type_traits>

/* What CUB's radix sort asks for: references to the numbers, the first deciding first. */
struct numbers_of {
    __host__ __device__ cuda::std::tuple<uint32_t &, int32_t &> operator()(item16 &item) const
    {
        return {item.first, item.second};
    }
};

namespace
{

/* CUB sorts records by their numbers since its version 2.2. */
template <typename Key>
cudaError_t sort_by_radix(void *temporary, size_t *temporary_size, const cuda_arrays *arrays,
                          size_t count, cudaStream_t stream)
{
    [[maybe_unused]] const Key *keys_in = static_cast<const Key *>(arrays->keys_in);
    [[maybe_unused]] Key *keys_out = static_cast<Key *>(arrays->keys_out);
    if constexpr (!std::is_same_v<Key, item16>)
        return cub::DeviceRadixSort::FROM_TO(Sort, temporary, *temporary_size, keys_in, keys_out,
                                             static_cast<const value *>(arrays->values_in),
                                             static_cast<value *>(arrays->values_out), count, 0,
                                             (int)(8 * sizeof(Key)), stream);
    else if constexpr (CUB_VERSION >= 200200)
        return cub::DeviceRadixSort::SortKeys(temporary, *temporary_size, keys_in, keys_out, count,
                                              numbers_of(), stream);
    else
        return cudaErrorNotSupported;
}

} // namespace

cudaError_t CUDA_FUNCTION(cuda_method method, void *temporary, size_t *temporary_size,
                          const bench_task *task, const cuda_arrays *arrays, cudaStream_t stream)
{
    key *keys_out = static_cast<key *>(arrays->keys_out);
    [[maybe_unused]] value *values_out = static_cast<value *>(arrays->values_out);
    const size_t count = task->input->count;
    if (method == CUDA_RADIX)
        return sort_by_radix<key>(temporary, temporary_size, arrays, count, stream);
#ifdef CUDA_HAS_SEGMENTS
    if (method == CUDA_SEGMENTED)
        return cub::DeviceSegmentedSort::FROM_TO(
            Sort, temporary, *temporary_size, static_cast<const key *>(arrays->keys_in), keys_out,
            static_cast<const value *>(arrays->values_in), values_out, (int)count,
            (int)task->input->num_segments, arrays->offsets, arrays->offsets + 1, stream);
#endif
    if (method != CUDA_MERGE)
        return cudaErrorNotSupported;
#ifdef CUDA_VALUE
    return cub::DeviceMergeSort::SortPairs(temporary, *temporary_size, keys_out, values_out, count,
                                           cuda_before(), stream);
#else
    return cub::DeviceMergeSort::SortKeys(temporary, *temporary_size, keys_out, count,
                                          cuda_before(), stream);
#endif
}
