/* nvidia.cu: what CUB and Thrust do, as opponents: memory, input, times and check. All share the
 * input and the output, since only one runs at a time. */
#include "opponent.h"
#include "nvidia_sorts.hpp"

#include <chrono>
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

} // namespace

/* The device's pool keeps what is freed. */
void *cuda_allocate(size_t size, cudaStream_t stream)
{
    void *memory = nullptr;
    if (cudaMallocAsync(&memory, size > 0 ? size : 1, stream) == cudaSuccess)
        return memory;
    cudaGetLastError();
    return nullptr;
}

void cuda_deallocate(void *memory, cudaStream_t stream)
{
    cudaFreeAsync(memory, stream);
}

namespace
{

struct block {
    void *const memory;
    const cudaStream_t stream;
    block(size_t size, cudaStream_t stream) : memory(cuda_allocate(size, stream)), stream(stream)
    {
        if (!memory)
            throw std::runtime_error(no_memory);
    }
    ~block()
    {
        cuda_deallocate(memory, stream);
    }
    block(const block &) = delete;
    block &operator=(const block &) = delete;
};

__global__ void fill(bench_input input, void *keys, void *values)
{
    const u64 stride = (u64)gridDim.x * blockDim.x;
    bench_fill(&input, keys, values, (u64)blockIdx.x * blockDim.x + threadIdx.x, stride);
}

__global__ void look(bench_input input, bench_arrays arrays, bench_sums *sums)
{
    const u64 stride = (u64)gridDim.x * blockDim.x;
    const u64 first = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    sums[first] = bench_look(&input, &arrays, first, stride);
}

__global__ void head_start(u32 rounds, bench_sums *sums)
{
    sums->hash = bench_head_start(rounds);
}

enum { NUM_BLOCKS = 1024, BLOCK_SIZE = 256 };

/* What all opponents here share. */
struct shared_memory {
    cudaStream_t stream = nullptr;
    cudaEvent_t before = nullptr;
    cudaEvent_t after = nullptr;
    cudaMemPool_t pool = nullptr;
    bench_sums *sums = nullptr;
    int num_users = 0;   /* opponents between prepare() and finish() */
    u64 *ends = nullptr; /* the offsets, for the check */
    int64_t *num_unique = nullptr;
    cuda_arrays arrays = {};

    void begin(const bench_task &task);
    void end();
};
shared_memory shared;

/* A copy on the device of what the host has; there may be none. */
template <typename Item> void copy_in(Item *&to, Item *from, size_t num, size_t size)
{
    void *memory = nullptr;
    if (!from || num == 0)
        return;
    cuda(cudaMalloc(&memory, num * size), "cudaMalloc");
    to = static_cast<Item *>(memory);
    cuda(cudaMemcpy(memory, from, num * size, cudaMemcpyHostToDevice), "cudaMemcpy");
}

/* The first user makes the input. */
void shared_memory::begin(const bench_task &task)
{
    const bench_input &input = *task.input;
    const size_t keys_size = input.count * input.key_size;
    const size_t values_size = input.count * input.value_size;
    void **const all[] = {&arrays.keys_in, &arrays.values_in, &arrays.keys_out, &arrays.values_out};
    const size_t sizes[] = {keys_size, values_size, keys_size, values_size};
    if (num_users++ > 0)
        return;
    if (!stream) {
        cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
        cuda(cudaEventCreate(&before), "cudaEventCreate");
        cuda(cudaEventCreate(&after), "cudaEventCreate");
        cuda(cudaMalloc(&sums, NUM_BLOCKS * BLOCK_SIZE * sizeof(bench_sums)), "cudaMalloc");
        cuda(cudaMalloc(&num_unique, sizeof *num_unique), "cudaMalloc");
        u64 all_of_it = UINT64_MAX;
        cuda(cudaDeviceGetDefaultMemPool(&pool, 0), "cudaDeviceGetDefaultMemPool");
        cuda(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all_of_it),
             "cudaMemPoolSetAttribute");
    }
    for (int i = 0; i < 4; i++) {
        if (sizes[i] > 0)
            cuda(cudaMalloc(all[i], sizes[i]), "cudaMalloc");
    }
    arrays.num_unique = num_unique;
    fill<<<NUM_BLOCKS, BLOCK_SIZE, 0, stream>>>(input, arrays.keys_in, arrays.values_in);
    cuda(cudaGetLastError(), "launching the kernel that makes the input");
    cuda(cudaStreamSynchronize(stream), "making the input");
    if (task.keys_in_order)
        cuda(cudaMemcpy(arrays.keys_in, task.keys_in_order, keys_size, cudaMemcpyHostToDevice),
             "cudaMemcpy");
    if (input.num_queries > 0)
        cuda(cudaMalloc(&arrays.places, input.num_queries * sizeof *arrays.places), "cudaMalloc");
    copy_in(arrays.queries, (void *)task.queries, input.num_queries, input.key_size);
    if (input.num_segments > 0) {
        const std::vector<uint32_t> narrow(task.offsets, task.offsets + input.num_segments + 1);
        copy_in(arrays.offsets, (uint32_t *)narrow.data(), narrow.size(), sizeof(uint32_t));
        copy_in(ends, (u64 *)task.offsets, narrow.size(), sizeof(u64));
    }
}

void shared_memory::end()
{
    if (--num_users > 0)
        return;
    for (void *array :
         {arrays.keys_in, arrays.values_in, arrays.keys_out, arrays.values_out, arrays.queries,
          (void *)ends, (void *)arrays.offsets, (void *)arrays.places})
        cudaFree(array);
    arrays = {};
    ends = nullptr;
    if (pool)
        cudaMemPoolTrimTo(pool, 0);
}

struct cuda_opponent {
    bench_opponent opponent;
    cuda_method method;
    cuda_sort *sort;
    const bench_task *task;
    size_t temporary_size;
    bool is_begun;
};

cuda_opponent &of(bench_opponent *self)
{
    return *reinterpret_cast<cuda_opponent *>(self);
}

/* The function for the input's type, among those that sort, select, or work on keys in order. */
cuda_sort *find_sort(const bench_input *input, cuda_method method)
{
    const int which = method < CUDA_TOP ? 0 : method == CUDA_TOP ? 1 : 2;
    if (bench_is_records(input))
        return which == 0 ? cuda_sort_struct16 : nullptr;
#define SORT_OF(kind, bits, value_size, name)                          \
    if (bench_is(input, BENCH_##kind, bits, value_size) && which == 0) \
    return cuda_sort_##name
#define ALL_OF(kind, bits, value_size, name)             \
    SORT_OF(kind, bits, value_size, name);               \
    if (bench_is(input, BENCH_##kind, bits, value_size)) \
    return which == 1 ? cuda_top_##name : cuda_range_##name
    SORT_OF(UNSIGNED, 8, 0, u8);
    SORT_OF(UNSIGNED, 16, 0, u16);
    ALL_OF(UNSIGNED, 32, 0, u32);
    ALL_OF(UNSIGNED, 64, 0, u64);
    SORT_OF(SIGNED, 32, 0, i32);
    ALL_OF(FLOAT, 32, 0, f32);
    SORT_OF(FLOAT, 64, 0, f64);
    ALL_OF(UNSIGNED, 32, 4, u32_u32);
    ALL_OF(UNSIGNED, 64, 8, u64_u64);
    ALL_OF(FLOAT, 32, 4, f32_u32);
    SORT_OF(UNSIGNED, 32, 16, u32_16);
#undef ALL_OF
#undef SORT_OF
    return nullptr;
}

cudaError_t call(cuda_opponent &self, void *temporary)
{
    return self.sort(self.method, temporary, &self.temporary_size, self.task, &shared.arrays,
                     shared.stream);
}

int prepare_unsafe(cuda_opponent &self, char *why)
{
    self.is_begun = true;
    shared.begin(*self.task);
    const cudaError_t code = call(self, nullptr);
    if (code == cudaErrorNotSupported)
        return bench_refuse(why, "has no sort of such keys");
    cuda(code, self.opponent.name);
    if (self.temporary_size == 0)
        self.temporary_size = 1;
    /* Whether there is as much. */
    const block memory(self.temporary_size, shared.stream);
    return 1;
}

int prepare(bench_opponent *opponent, const bench_task *task, char *why)
try {
    cuda_opponent &self = of(opponent);
    const bench_input &input = *task->input;
    self.task = task;
    self.sort = find_sort(task->input, self.method);
    const bool has_rows = input.num_segments > 0;
    const bool is_segmented = self.method == CUDA_SEGMENTED;
    if (!self.sort)
        return bench_refuse(why, "is not compiled for such keys here");
    if (input.work == BENCH_TOP && self.method != CUDA_TOP && has_rows != is_segmented)
        return bench_refuse(why, has_rows ? "has no sort of rows" : "sorts rows alone");
    if (self.method == CUDA_TOP && input.skip > 0)
        return bench_refuse(why, "skips no places");
    if (self.method == CUDA_TOP && input.row_length == 0)
        return bench_refuse(why, "has rows of one length");
    /* CUB's selections, too, are given the count and the limit as numbers of 32 bits. */
    const bool is_wide = input.count > UINT32_MAX || input.limit > INT32_MAX;
    if ((has_rows && input.count > INT32_MAX) || input.place_size == 8 ||
        (self.method == CUDA_TOP && is_wide))
        return bench_refuse(why, "counts keys in 32 bits here");
    return prepare_unsafe(self, why);
} catch (const std::exception &error) {
    return bench_refuse(why, error.what());
}

/* Which side to look at. An opponent that sorts all keys for TOP leaves all of them, and the wanted
 * places are checked. */
enum bench_side side_of(const cuda_opponent &self, int is_output)
{
    const bool has_all = self.task->input->work == BENCH_TOP && self.method != CUDA_TOP;
    return !is_output ? BENCH_INPUT : has_all ? BENCH_OUTPUT_OF_ALL : BENCH_OUTPUT;
}

int look_at(bench_opponent *opponent, int is_output, bench_sums *sums, char *why)
try {
    const cuda_opponent &self = of(opponent);
    std::vector<bench_sums> parts(NUM_BLOCKS * BLOCK_SIZE);
    bench_input input = *self.task->input;
    const cuda_arrays &all = shared.arrays;
    const bool is_of_source = !is_output || input.work == BENCH_SEARCH;
    const bench_arrays arrays = {is_of_source ? all.keys_in : all.keys_out,
                                 is_of_source ? all.values_in : all.values_out,
                                 all.places,
                                 all.keys_in,
                                 all.queries,
                                 shared.ends};
    input.side = side_of(self, is_output);
    if (is_output && input.work == BENCH_RUNS)
        input.count = *self.task->result < input.count ? *self.task->result : input.count;
    look<<<NUM_BLOCKS, BLOCK_SIZE, 0, shared.stream>>>(input, arrays, shared.sums);
    cuda(cudaGetLastError(), "launching the kernel that checks");
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
    const bench_input &input = *self.task->input;
    const cuda_arrays &arrays = shared.arrays;
    *self.task->result = UINT64_MAX;
    if (arrays.places)
        cuda(cudaMemsetAsync(arrays.places, 0xff, input.num_queries * sizeof *arrays.places,
                             shared.stream),
             "cudaMemsetAsync");
    const bool is_elsewhere = self.method == CUDA_RADIX || self.method >= CUDA_SEGMENTED;
    const auto fill_output = [&](void *to, const void *from, size_t size) {
        if (size > 0 && is_elsewhere)
            cuda(cudaMemsetAsync(to, 0, size, shared.stream), "cudaMemsetAsync");
        else if (size > 0)
            cuda(cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, shared.stream),
                 "cudaMemcpyAsync");
    };
    fill_output(arrays.keys_out, arrays.keys_in, input.count * input.key_size);
    fill_output(arrays.values_out, arrays.values_in, input.count * input.value_size);
}

/* Seconds of one sort by the host's clock, or by the device's, which has a head start, since it
 * would idle until the host has launched the sort. */
double time_sort(cuda_opponent &self, void *temporary, bool by_device)
{
    const cudaStream_t stream = shared.stream;
    float milliseconds = 0;
    refresh(self);
    cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    if (by_device) {
        head_start<<<1, 1, 0, stream>>>(BENCH_HEAD_START, shared.sums);
        cuda(cudaGetLastError(), "launching the kernel in front of the sort");
    }
    cuda(cudaEventRecord(shared.before, stream), "cudaEventRecord");
    const double start = now();
    cuda(call(self, temporary), self.opponent.name);
    cuda(cudaEventRecord(shared.after, stream), "cudaEventRecord");
    cuda(cudaStreamSynchronize(stream), self.opponent.name);
    const double host = now() - start;
    cuda(cudaEventElapsedTime(&milliseconds, shared.before, shared.after), "cudaEventElapsedTime");
    return by_device ? 1e-3 * milliseconds : host;
}

int run(bench_opponent *opponent, bench_times *times, char *why)
try {
    cuda_opponent &self = of(opponent);
    const block temporary(self.temporary_size, shared.stream);
    const bool by_device = self.task->is_by_device != 0;
    (by_device ? times->device : times->host) = time_sort(self, temporary.memory, by_device);
    if (self.method == CUDA_UNIQUE)
        cuda(cudaMemcpy(self.task->result, shared.num_unique, sizeof(int64_t),
                        cudaMemcpyDeviceToHost),
             "cudaMemcpy");
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

cuda_opponent make(const char *name, cuda_method method, unsigned works, bool is_stable)
{
    cuda_opponent made = {};
    made.opponent.name = name;
    made.opponent.memory = BENCH_OF_ITS_OWN;
    made.opponent.works = works;
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
    const unsigned top = 1U << BENCH_TOP, segments = 1U << BENCH_SEGMENTS | top;
    static cuda_opponent all[] = {make("cub-radix", CUDA_RADIX, 1U << BENCH_SORT | top, true),
                                  make("cub-merge", CUDA_MERGE, 1U << BENCH_SORT, false),
                                  make("cub-segments", CUDA_SEGMENTED, segments, false),
                                  make("cub-topk", CUDA_TOP, top, false),
                                  make("cub-merge-two", CUDA_MERGE_TWO, 1U << BENCH_MERGE, true),
                                  make("cub-unique", CUDA_UNIQUE, 1U << BENCH_RUNS, false),
                                  make("thrust-check", CUDA_IS_SORTED, 1U << BENCH_CHECK, false),
                                  make("thrust-search", CUDA_LOWER_BOUND, 1U << BENCH_SEARCH,
                                       false)};
    enum { NUM = sizeof all / sizeof *all };
    static bench_opponent *list[NUM + 1];
    for (int i = 0; i < NUM; i++)
        list[i] = &all[i].opponent;
    return version == BENCH_OPPONENT_VERSION ? list : nullptr;
}
