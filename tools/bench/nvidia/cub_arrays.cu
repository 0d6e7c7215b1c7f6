/* cub_arrays.cu: what tools/bench-arrays --cub compares with: u32 arrays in pinned memory of the
 * host, copied to the device, sorted by CUB's radix sort and copied back. Rows of bench_arrays'
 * table.
 *
 *     cub_arrays [-r REPEAT] LOG2... */
#include "../opponents/input.h"

#include <cub/cub.cuh>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static void check(cudaError_t code, const char *call)
{
    if (code == cudaSuccess)
        return;
    std::fprintf(stderr, "cub_arrays: %s: %s\n", call, cudaGetErrorString(code));
    std::exit(1);
}
#define CHECK(call) check((call), #call)

/* Whether keys are in order and are those of the input, as in bench_arrays.c. */
static bool is_sorted(const uint32_t *keys, const std::vector<uint32_t> &input)
{
    uint64_t sum = 0, squares = 0, wrong = 0;
    for (size_t i = 0; i < input.size(); ++i) {
        sum += (uint64_t)keys[i] - input[i];
        squares += (uint64_t)keys[i] * keys[i] - (uint64_t)input[i] * input[i];
        wrong += i > 0 && keys[i - 1] > keys[i];
    }
    return !sum && !squares && !wrong;
}

struct buffers {
    uint32_t *host;
    cub::DoubleBuffer<uint32_t> keys;
    void *scratch;
    size_t scratch_size;
};

static void sort(buffers &b, size_t count)
{
    const size_t size = count * sizeof(uint32_t);
    b.keys.selector = 0;
    CHECK(cudaMemcpyAsync(b.keys.Current(), b.host, size, cudaMemcpyHostToDevice));
    CHECK(cub::DeviceRadixSort::SortKeys(b.scratch, b.scratch_size, b.keys, count));
    CHECK(cudaMemcpyAsync(b.host, b.keys.Current(), size, cudaMemcpyDeviceToHost));
    CHECK(cudaDeviceSynchronize());
}

static void measure(unsigned log2, int repeat)
{
    const size_t count = (size_t)1 << log2, size = count * sizeof(uint32_t);
    std::vector<uint32_t> input(count);
    for (size_t i = 0; i < count; ++i)
        input[i] = (uint32_t)bench_random(1, i); /* as bench_arrays.c has them */
    buffers b = {};
    CHECK(cudaMallocHost(&b.host, size));
    CHECK(cudaMalloc(&b.keys.d_buffers[0], size));
    CHECK(cudaMalloc(&b.keys.d_buffers[1], size));
    CHECK(cub::DeviceRadixSort::SortKeys(nullptr, b.scratch_size, b.keys, count));
    CHECK(cudaMalloc(&b.scratch, b.scratch_size));
    std::vector<double> ms;
    for (int i = -1; i < repeat; ++i) {
        std::memcpy(b.host, input.data(), size);
        const auto start = std::chrono::steady_clock::now();
        sort(b, count);
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - start;
        if (i >= 0)
            ms.push_back(took.count());
        if (!is_sorted(b.host, input)) {
            std::fprintf(stderr, "cub_arrays: not sorted\n");
            std::exit(1);
        }
    }
    std::sort(ms.begin(), ms.end());
    const double median = ms[ms.size() / 2], keys = (double)count * 1e-6;
    std::printf("| %zu | pinned, CUB | - | %.2f | %.2f | %.2f | %.2f |\n", count, ms[0], median,
                keys / ms[0], keys / median);
    cudaFree(b.scratch);
    cudaFree(b.keys.d_buffers[0]);
    cudaFree(b.keys.d_buffers[1]);
    cudaFreeHost(b.host);
}

int main(int argc, char **argv)
{
    int repeat = 5;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "-r") == 0 && i + 1 < argc)
            repeat = std::max(1, std::atoi(argv[++i]));
        else
            measure((unsigned)std::atoi(argv[i]), repeat);
    }
    return 0;
}
