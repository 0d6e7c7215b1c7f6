/* cub_arrays.cu: what tools/bench-arrays --cub compares with, a shared object that bench_arrays
 * loads: u32 arrays in pinned memory of the host, copied to the device, sorted by CUB's radix sort
 * and copied back. One array at a time. */
#include <cub/cub.cuh>

#include <cstdint>
#include <cstdio>

static uint32_t *host;
static cub::DoubleBuffer<uint32_t> keys;
static void *scratch;
static size_t scratch_size;

static bool succeeds(cudaError_t code, const char *call)
{
    if (code != cudaSuccess)
        std::fprintf(stderr, "cub_arrays: %s: %s\n", call, cudaGetErrorString(code));
    return code == cudaSuccess;
}
#define DOES(call) succeeds((call), #call)

/* The array, or NULL after a message. */
extern "C" uint32_t *cub_open(uint64_t count)
{
    const size_t size = count * sizeof(uint32_t);
    const bool ok = DOES(cudaMallocHost(&host, size)) &&
                    DOES(cudaMalloc(&keys.d_buffers[0], size)) &&
                    DOES(cudaMalloc(&keys.d_buffers[1], size)) &&
                    DOES(cub::DeviceRadixSort::SortKeys(nullptr, scratch_size, keys, count)) &&
                    DOES(cudaMalloc(&scratch, scratch_size));
    return ok ? host : nullptr;
}

/* 0 after a message. */
extern "C" int cub_sort(uint64_t count)
{
    const size_t size = count * sizeof(uint32_t);
    keys.selector = 0;
    return DOES(cudaMemcpyAsync(keys.Current(), host, size, cudaMemcpyHostToDevice)) &&
           DOES(cub::DeviceRadixSort::SortKeys(scratch, scratch_size, keys, count)) &&
           DOES(cudaMemcpyAsync(host, keys.Current(), size, cudaMemcpyDeviceToHost)) &&
           DOES(cudaDeviceSynchronize());
}

extern "C" void cub_close()
{
    cudaFree(scratch);
    cudaFree(keys.d_buffers[0]);
    cudaFree(keys.d_buffers[1]);
    cudaFreeHost(host);
}
