/* nvidia.cu: CUB's radix sort, CUB's merge sort, and Thrust's sort with a comparison, as
 * opponents: memory, input, times and check. The three share the input and the output, since
 * only one sorts at a time. */
#include "opponent.h"
#include "nvidia_sorts.hpp"

#include <chrono>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

const char no_memory[] = "more than the device's memory";

void cuda(cudaError_t code, const char *call)
{
    if (code == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw std::runtime_error(no_memory);
    }
    if (code != cudaSuccess)
        throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(code));
}

struct kept_block {
    size_t size;
    bool is_used;
};
std::map<void *, kept_block> kept_blocks;

void free_idle_blocks()
{
    for (auto entry = kept_blocks.begin(); entry != kept_blocks.end();) {
        if (entry->second.is_used) {
            ++entry;
        } else {
            cudaFree(entry->first);
            entry = kept_blocks.erase(entry);
        }
    }
}

} // namespace

/* The smallest block that will do. Where there is none, those that lie idle are too small. */
void *cuda_allocate(size_t size)
{
    auto best = kept_blocks.end();
    for (auto entry = kept_blocks.begin(); entry != kept_blocks.end(); ++entry) {
        if (!entry->second.is_used && entry->second.size >= size &&
            (best == kept_blocks.end() || entry->second.size < best->second.size))
            best = entry;
    }
    if (best != kept_blocks.end()) {
        best->second.is_used = true;
        return best->first;
    }
    free_idle_blocks();
    void *memory = nullptr;
    if (cudaMalloc(&memory, size > 0 ? size : 1) != cudaSuccess) {
        cudaGetLastError();
        return nullptr;
    }
    kept_blocks[memory] = {size, true};
    return memory;
}

void cuda_deallocate(void *memory)
{
    const auto found = kept_blocks.find(memory);
    if (found != kept_blocks.end())
        found->second.is_used = false;
}

namespace
{

struct block {
    void *const memory;
    explicit block(size_t size) : memory(cuda_allocate(size))
    {
        if (!memory)
            throw std::runtime_error(no_memory);
    }
    ~block()
    {
        cuda_deallocate(memory);
    }
    block(const block &) = delete;
    block &operator=(const block &) = delete;
};

__global__ void fill(bench_input input, void *keys, void *values)
{
    const u64 stride = (u64)gridDim.x * blockDim.x;
    bench_fill(&input, keys, values, (u64)blockIdx.x * blockDim.x + threadIdx.x, stride);
}

__global__ void look(bench_input input, const void *keys, const void *values, bench_sums *sums)
{
    const u64 stride = (u64)gridDim.x * blockDim.x;
    const u64 first = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    sums[first] = bench_look(&input, keys, values, nullptr, first, stride);
}

enum { NUM_BLOCKS = 1024, BLOCK_SIZE = 256 };

/* What all opponents here share. */
struct shared_memory {
    cudaStream_t stream = nullptr;
    cudaEvent_t before = nullptr;
    cudaEvent_t after = nullptr;
    bench_sums *sums = nullptr;
    int num_users = 0; /* opponents between prepare() and finish() */
    void *keys_in = nullptr, *values_in = nullptr, *keys_out = nullptr, *values_out = nullptr;
    uint32_t *offsets = nullptr;
    size_t num_segments = 0;

    void begin(const bench_input &input);
    void make_segments(const bench_input &input);
    void end();
};
shared_memory shared;

/* The first user makes the input. */
void shared_memory::begin(const bench_input &input)
{
    const size_t keys_size = input.count * input.key_size;
    const size_t values_size = input.count * input.value_size;
    void **arrays[] = {&keys_in, &values_in, &keys_out, &values_out};
    const size_t sizes[] = {keys_size, values_size, keys_size, values_size};
    if (num_users++ > 0)
        return;
    if (!stream) {
        cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
        cuda(cudaEventCreate(&before), "cudaEventCreate");
        cuda(cudaEventCreate(&after), "cudaEventCreate");
        cuda(cudaMalloc(&sums, NUM_BLOCKS * BLOCK_SIZE * sizeof(bench_sums)), "cudaMalloc");
    }
    for (int i = 0; i < 4; i++) {
        if (sizes[i] > 0)
            cuda(cudaMalloc(arrays[i], sizes[i]), "cudaMalloc");
    }
    fill<<<NUM_BLOCKS, BLOCK_SIZE, 0, stream>>>(input, keys_in, values_in);
    make_segments(input);
    cuda(cudaStreamSynchronize(stream), "making the input");
}

void shared_memory::make_segments(const bench_input &input)
{
    std::vector<uint32_t> all;
    for (u64 at = 0; input.segment_length && at < input.count; at += input.segment_length)
        all.push_back((uint32_t)at);
    num_segments = all.size();
    if (all.empty())
        return;
    all.push_back((uint32_t)input.count);
    cuda(cudaMalloc(&offsets, all.size() * sizeof(all[0])), "cudaMalloc");
    cuda(cudaMemcpy(offsets, all.data(), all.size() * sizeof(all[0]), cudaMemcpyHostToDevice),
         "cudaMemcpy");
}

void shared_memory::end()
{
    if (--num_users > 0)
        return;
    for (void **array : {&keys_in, &values_in, &keys_out, &values_out}) {
        cudaFree(*array);
        *array = nullptr;
    }
    cudaFree(offsets);
    offsets = nullptr;
    free_idle_blocks();
}

struct cuda_opponent {
    bench_opponent opponent;
    cuda_method method;
    cuda_sort *sort;
    bench_input input;
    cuda_arrays arrays;
    size_t temporary_size;
    bool is_begun;
};

cuda_opponent &of(bench_opponent *self)
{
    return *reinterpret_cast<cuda_opponent *>(self);
}

cuda_sort *find_sort(const bench_input *input)
{
    if (bench_is_records(input))
        return cuda_sort_struct16;
#define SORT_OF(kind, bits, value_size, name)           \
    if (bench_is(input, BENCH_##kind, bits, value_size)) \
    return cuda_sort_##name
    SORT_OF(UNSIGNED, 8, 0, u8);
    SORT_OF(UNSIGNED, 16, 0, u16);
    SORT_OF(UNSIGNED, 32, 0, u32);
    SORT_OF(UNSIGNED, 64, 0, u64);
    SORT_OF(SIGNED, 32, 0, i32);
    SORT_OF(FLOAT, 32, 0, f32);
    SORT_OF(FLOAT, 64, 0, f64);
    SORT_OF(UNSIGNED, 32, 4, u32_u32);
    SORT_OF(UNSIGNED, 64, 8, u64_u64);
    SORT_OF(UNSIGNED, 32, 16, u32_16);
#undef SORT_OF
    return nullptr;
}

int prepare_unsafe(cuda_opponent &self, char *why)
{
    const bench_input &input = self.input;
    self.is_begun = true;
    shared.begin(input);
    self.arrays = {shared.keys_in, shared.values_in, shared.keys_out, shared.values_out,
                   input.count, shared.offsets, shared.num_segments};
    const cudaError_t code = self.sort(self.method, nullptr, &self.temporary_size, &self.arrays,
                                       shared.stream);
    if (code == cudaErrorNotSupported)
        return bench_refuse(why, "has no sort of such keys");
    cuda(code, self.opponent.name);
    if (self.temporary_size == 0)
        self.temporary_size = 1;
    /* Whether there is as much; Thrust, which does not tell, takes about another copy. */
    const size_t copy_size = input.count * (input.key_size + input.value_size);
    const block memory(self.method == CUDA_THRUST ? copy_size + copy_size / 8
                                                  : self.temporary_size);
    return 1;
}

int prepare(bench_opponent *opponent, const bench_task *task, char *why)
try {
    cuda_opponent &self = of(opponent);
    self.input = *task->input;
    self.sort = find_sort(task->input);
    if (!self.sort)
        return bench_refuse(why, "is not compiled for such keys here");
    if ((self.input.segment_length > 0) != (self.method >= CUDA_SEGMENTED))
        return bench_refuse(why, self.input.segment_length ? "has no sort of segments"
                                                           : "sorts segments alone");
    if (self.input.segment_length && self.input.count > INT32_MAX)
        return bench_refuse(why, "sorts fewer keys in segments");
    return prepare_unsafe(self, why);
} catch (const std::exception &error) {
    return bench_refuse(why, error.what());
}

int look_at(bench_opponent *opponent, int is_output, bench_sums *sums, char *why)
try {
    const cuda_opponent &self = of(opponent);
    std::vector<bench_sums> parts(NUM_BLOCKS * BLOCK_SIZE);
    look<<<NUM_BLOCKS, BLOCK_SIZE, 0, shared.stream>>>(
        self.input, is_output ? self.arrays.keys_out : self.arrays.keys_in,
        is_output ? self.arrays.values_out : self.arrays.values_in, shared.sums);
    cuda(cudaMemcpyAsync(parts.data(), shared.sums, parts.size() * sizeof(bench_sums),
                         cudaMemcpyDeviceToHost, shared.stream),
         "cudaMemcpyAsync");
    cuda(cudaStreamSynchronize(shared.stream), "checking");
    *sums = {};
    for (const bench_sums &part : parts) {
        sums->disorders += part.disorders;
        sums->hash += part.hash;
        sums->placed += part.placed;
    }
    return 1;
} catch (const std::exception &error) {
    return bench_refuse(why, error.what());
}

double now()
{
    using clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

/* The sorts in place are given the input in the output, the radix sort zeros: what the sort before
 * has left cannot pass for its own. */
void refresh(const cuda_opponent &self)
{
    const size_t keys_size = self.input.count * self.input.key_size;
    const size_t values_size = self.input.count * self.input.value_size;
    if (self.method == CUDA_RADIX || self.method >= CUDA_SEGMENTED) {
        cuda(cudaMemsetAsync(self.arrays.keys_out, 0, keys_size, shared.stream), "cudaMemsetAsync");
        if (values_size > 0)
            cuda(cudaMemsetAsync(self.arrays.values_out, 0, values_size, shared.stream),
                 "cudaMemsetAsync");
        return;
    }
    cuda(cudaMemcpyAsync(self.arrays.keys_out, self.arrays.keys_in, keys_size,
                         cudaMemcpyDeviceToDevice, shared.stream),
         "cudaMemcpyAsync");
    if (values_size > 0)
        cuda(cudaMemcpyAsync(self.arrays.values_out, self.arrays.values_in, values_size,
                             cudaMemcpyDeviceToDevice, shared.stream),
             "cudaMemcpyAsync");
}

int run(bench_opponent *opponent, bench_times *times, char *why)
try {
    cuda_opponent &self = of(opponent);
    const cudaStream_t stream = shared.stream;
    refresh(self);
    const block temporary(self.temporary_size);
    cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");

    cuda(cudaEventRecord(shared.before, stream), "cudaEventRecord");
    const double start = now();
    cuda(self.sort(self.method, temporary.memory, &self.temporary_size, &self.arrays, stream),
         opponent->name);
    cuda(cudaEventRecord(shared.after, stream), "cudaEventRecord");
    cuda(cudaStreamSynchronize(stream), opponent->name);
    times->host = now() - start;
    float milliseconds = 0;
    cuda(cudaEventElapsedTime(&milliseconds, shared.before, shared.after), "cudaEventElapsedTime");
    times->device = 1e-3 * milliseconds;
    return 1;
} catch (const std::exception &error) {
    return bench_refuse(why, error.what());
}

void finish(bench_opponent *opponent)
{
    cuda_opponent &self = of(opponent);
    if (self.is_begun)
        shared.end();
    self.is_begun = false;
}

const char *about()
{
    static std::string text;
    cudaDeviceProp properties;
    int driver = 0, runtime = 0;
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess ||
        cudaDriverGetVersion(&driver) != cudaSuccess ||
        cudaRuntimeGetVersion(&runtime) != cudaSuccess) {
        cudaGetLastError();
        return "no device of CUDA";
    }
    text = std::string(properties.name) + ", CUDA " + std::to_string(runtime / 1000) + "." +
           std::to_string(runtime % 1000 / 10) + ", driver for CUDA " +
           std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
    return text.c_str();
}

cuda_opponent make(const char *name, cuda_method method, bool is_stable)
{
    cuda_opponent made = {};
    made.opponent.name = name;
    made.opponent.memory = BENCH_OF_ITS_OWN;
    made.opponent.is_stable = is_stable;
    made.opponent.about = about;
    made.opponent.prepare = prepare;
    made.opponent.run = run;
    made.opponent.look = look_at;
    made.opponent.finish = finish;
    made.method = method;
    return made;
}

} // namespace

struct bench_opponent *const *bench_opponents(unsigned version)
{
    static cuda_opponent all[] = {make("cub-radix", CUDA_RADIX, true),
                                  make("cub-merge", CUDA_MERGE, false),
                                  make("thrust", CUDA_THRUST, false),
                                  make("cub-segments", CUDA_SEGMENTED, false),
                                  make("cub-seg-radix", CUDA_SEGMENTED_RADIX, true)};
    static bench_opponent *const list[] = {&all[0].opponent, &all[1].opponent, &all[2].opponent,
                                           &all[3].opponent, &all[4].opponent, nullptr};
    return version == BENCH_OPPONENT_VERSION ? list : nullptr;
}
