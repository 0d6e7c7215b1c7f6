/* nvidia_sorts.hpp: NVIDIA's own sorts, and what it does with keys in order, behind one
 * signature, a function for each type: their templates take minutes to compile, so that each
 * type has a file's compilation of its own. */
#ifndef BENCH_NVIDIA_SORTS_HPP
#define BENCH_NVIDIA_SORTS_HPP

#include "opponent.h"

#include <cuda_runtime.h>
#include <new>

enum cuda_method {
    CUDA_RADIX,       /* cub::DeviceRadixSort, from the input to the output */
    CUDA_MERGE,       /* cub::DeviceMergeSort, in place in the output */
    CUDA_SEGMENTED,   /* cub::DeviceSegmentedSort, from the input to the output */
    CUDA_TOP,         /* cub::DeviceTopK or DeviceBatchedTopK, and a sort of what it finds */
    CUDA_MERGE_TWO,   /* cub::DeviceMerge */
    CUDA_UNIQUE,      /* cub::DeviceSelect::Unique */
    CUDA_IS_SORTED,   /* thrust::is_sorted_until; the result is on the host */
    CUDA_LOWER_BOUND, /* thrust::lower_bound */
    NUM_CUDA_METHODS
};

struct cuda_arrays {
    void *keys_in, *values_in;   /* not written */
    void *keys_out, *values_out; /* of the sorts in place the input, too */
    uint32_t *offsets;           /* of the segments: one more than there are */
    int64_t *num_unique;
    void *queries;
    uint32_t *places;
};

/* As CUB's functions: with temporary NULL writes its size alone. Thrust has its own from
 * cuda_allocate(), and a size of 0. cudaErrorNotSupported: it has no sort of such keys. */
typedef cudaError_t cuda_sort(cuda_method method, void *temporary, size_t *temporary_size,
                              const bench_task *task, const cuda_arrays *arrays,
                              cudaStream_t stream);

cuda_sort cuda_sort_u8, cuda_sort_u16, cuda_sort_u32, cuda_sort_u64, cuda_sort_i32, cuda_sort_f32,
    cuda_sort_f64, cuda_sort_u32_u32, cuda_sort_u64_u64, cuda_sort_f32_u32, cuda_sort_u32_16,
    cuda_sort_struct16;

/* The methods from CUDA_TOP on, of the types that the sorts of segments have. */
cuda_sort cuda_top_u32, cuda_top_u64, cuda_top_f32, cuda_top_u32_u32, cuda_top_u64_u64,
    cuda_top_f32_u32;
cuda_sort cuda_range_u32, cuda_range_u64, cuda_range_f32, cuda_range_u32_u32, cuda_range_u64_u64,
    cuda_range_f32_u32;

/* Device memory that is kept from sort to sort, so that none pays for getting it; NULL if there is
 * none left. */
void *cuda_allocate(size_t size, cudaStream_t stream);
void cuda_deallocate(void *memory, cudaStream_t stream);

/* The same for Thrust. */
struct cuda_allocator {
    using value_type = char;
    cudaStream_t stream;
    char *allocate(std::ptrdiff_t size)
    {
        void *memory = cuda_allocate((size_t)size, stream);
        if (!memory)
            throw std::bad_alloc();
        return static_cast<char *>(memory);
    }
    void deallocate(char *memory, size_t)
    {
        cuda_deallocate(memory, stream);
    }
};

#ifdef CUDA_KEY /* in a compilation for one type */

/* input.h's record. Aligned, so that it is moved at once. */
struct alignas(16) item16 {
    uint32_t first;
    int32_t second;
    uint32_t rest[2];
};

inline __host__ __device__ bool operator<(const item16 &a, const item16 &b)
{
    return a.first < b.first || (a.first == b.first && a.second < b.second);
}

struct alignas(16) value16 {
    uint32_t words[4];
};

using key = CUDA_KEY;

/* A function of CUB's for keys, or for pairs. */
#ifdef CUDA_VALUE
using value = CUDA_VALUE;
#define FROM_TO(name, memory, size, keys, keys_out, values, values_out, ...) \
    name##Pairs(memory, size, keys, keys_out, values, values_out, __VA_ARGS__)
#else
using value = uint32_t; /* there are none */
#define FROM_TO(name, memory, size, keys, keys_out, values, values_out, ...) \
    name##Keys(memory, size, keys, keys_out, __VA_ARGS__)
#endif

#endif

#ifdef __CUDACC__
/* A comparison of our own: with thrust::less, Thrust takes the radix sort. */
struct cuda_before {
    template <typename Key> __host__ __device__ bool operator()(const Key &a, const Key &b) const
    {
        return a < b;
    }
};
#endif

#endif
