/* nvidia.cu: what CUB and Thrust do, as opponents: memory, input, times and check. All share the
 * input and the output, since only one runs at a time. */
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
    bench_sums *sums = nullptr;
    int num_users = 0; /* opponents between prepare() and finish() */
    void *keys_in = nullptr, *values_in = nullptr, *keys_out = nullptr, *values_out = nullptr;
    void *queries = nullptr;
    u64 *ends = nullptr; /* the offsets, for the check */
    uint32_t *offsets = nullptr, *places = nullptr;
    int64_t *num_unique = nullptr;

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
    void **arrays[] = {&keys_in, &values_in, &keys_out, &values_out};
    const size_t sizes[] = {keys_size, values_size, keys_size, values_size};
    if (num_users++ > 0)
        return;
    if (!stream) {
        cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
        cuda(cudaEventCreate(&before), "cudaEventCreate");
        cuda(cudaEventCreate(&after), "cudaEventCreate");
        cuda(cudaMalloc(&sums, NUM_BLOCKS * BLOCK_SIZE * sizeof(bench_sums)), "cudaMalloc");
        cuda(cudaMalloc(&num_unique, sizeof *num_unique), "cudaMalloc");
    }
    for (int i = 0; i < 4; i++) {
        if (sizes[i] > 0)
            cuda(cudaMalloc(arrays[i], sizes[i]), "cudaMalloc");
    }
    fill<<<NUM_BLOCKS, BLOCK_SIZE, 0, stream>>>(input, keys_in, values_in);
    cuda(cudaGetLastError(), "launching the kernel that makes the input");
    cuda(cudaStreamSynchronize(stream), "making the input");
    if (task.keys_in_order)
        cuda(cudaMemcpy(keys_in, task.keys_in_order, keys_size, cudaMemcpyHostToDevice),
             "cudaMemcpy");
    if (input.num_queries > 0)
        cuda(cudaMalloc(&places, input.num_queries * sizeof *places), "cudaMalloc");
    copy_in(queries, (void *)task.queries, input.num_queries, input.key_size);
    if (input.num_segments > 0) {
        const std::vector<uint32_t> all(task.offsets, task.offsets + input.num_segments + 1);
        copy_in(offsets, (uint32_t *)all.data(), all.size(), sizeof(uint32_t));
        copy_in(ends, (u64 *)task.offsets, all.size(), sizeof(u64));
    }
}

void shared_memory::end()
{
    if (--num_users > 0)
        return;
    for (void *array : {keys_in, values_in, keys_out, values_out, queries, (void *)ends,
                        (void *)offsets, (void *)places})
        cudaFree(array);
    keys_in = values_in = keys_out = values_out = queries = nullptr;
    offsets = places = nullptr;
    ends = nullptr;
    free_idle_blocks();
}

struct cuda_opponent {
    bench_opponent opponent;
    cuda_method method;
    cuda_sort *sort;
    const bench_task *task;
    bench_input input;
    cuda_arrays arrays;
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
#define SORT_OF(kind, bits, value_size, name)                            \
    if (bench_is(input, BENCH_##kind, bits, value_size) && which == 0) \
    return cuda_sort_##name
#define ALL_OF(kind, bits, value_size, name)               \
    SORT_OF(kind, bits, value_size, name);                 \
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

int prepare_unsafe(cuda_opponent &self, char *why)
{
    const bench_input &input = self.input;
    self.is_begun = true;
    shared.begin(*self.task);
    self.arrays = {};
    self.arrays.keys_in = shared.keys_in;
    self.arrays.values_in = shared.values_in;
    self.arrays.keys_out = shared.keys_out;
    self.arrays.values_out = shared.values_out;
    self.arrays.count = input.count;
    self.arrays.offsets = shared.offsets;
    self.arrays.num_segments = input.num_segments;
    self.arrays.row_length = input.row_length;
    self.arrays.limit = input.limit;
    self.arrays.first_count = input.num_segments > 0 ? self.task->offsets[1] : 0;
    self.arrays.num_unique = shared.num_unique;
    self.arrays.queries = shared.queries;
    self.arrays.num_queries = input.num_queries;
    self.arrays.places = shared.places;
    self.arrays.result = self.task->result;
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
    self.task = task;
    self.input = *task->input;
    self.sort = find_sort(task->input, self.method);
    const bool has_rows = self.input.num_segments > 0;
    const bool is_segmented = self.method == CUDA_SEGMENTED || self.method == CUDA_SEGMENTED_RADIX;
    if (!self.sort)
        return bench_refuse(why, "is not compiled for such keys here");
    if (self.input.work == BENCH_TOP && self.method != CUDA_TOP && has_rows != is_segmented)
        return bench_refuse(why, has_rows ? "has no sort of rows" : "sorts rows alone");
    if (self.method == CUDA_TOP && self.input.skip > 0)
        return bench_refuse(why, "skips no places");
    if (self.method == CUDA_TOP && self.input.row_length == 0)
        return bench_refuse(why, "has rows of one length");
    /* CUB's selections, too, are given the count and the limit as numbers of 32 bits. */
    const bool is_wide = self.input.count > UINT32_MAX || self.input.limit > INT32_MAX;
    if ((has_rows && self.input.count > INT32_MAX) || self.input.place_size == 8 ||
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
    const bool has_all = self.input.work == BENCH_TOP && self.method != CUDA_TOP;
    return !is_output ? BENCH_INPUT : has_all ? BENCH_OUTPUT_OF_ALL : BENCH_OUTPUT;
}

int look_at(bench_opponent *opponent, int is_output, bench_sums *sums, char *why)
try {
    const cuda_opponent &self = of(opponent);
    std::vector<bench_sums> parts(NUM_BLOCKS * BLOCK_SIZE);
    bench_input input = self.input;
    const bool is_of_source = !is_output || input.work == BENCH_SEARCH;
    const bench_arrays arrays = {is_of_source ? self.arrays.keys_in : self.arrays.keys_out,
                                 is_of_source ? self.arrays.values_in : self.arrays.values_out,
                                 shared.places, shared.keys_in, shared.queries,
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
    const size_t keys_size = self.input.count * self.input.key_size;
    const size_t values_size = self.input.count * self.input.value_size;
    *self.task->result = UINT64_MAX;
    if (shared.places)
        cuda(cudaMemsetAsync(shared.places, 0xff,
                             self.input.num_queries * sizeof *shared.places, shared.stream),
             "cudaMemsetAsync");
    const bool is_elsewhere = self.method == CUDA_RADIX || self.method >= CUDA_SEGMENTED;
    const auto fill_output = [&](void *to, const void *from, size_t size) {
        if (size > 0 && is_elsewhere)
            cuda(cudaMemsetAsync(to, 0, size, shared.stream), "cudaMemsetAsync");
        else if (size > 0)
            cuda(cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, shared.stream),
                 "cudaMemcpyAsync");
    };
    fill_output(self.arrays.keys_out, self.arrays.keys_in, keys_size);
    fill_output(self.arrays.values_out, self.arrays.values_in, values_size);
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
    cuda(self.sort(self.method, temporary, &self.temporary_size, &self.arrays, stream),
         self.opponent.name);
    cuda(cudaEventRecord(shared.after, stream), "cudaEventRecord");
    cuda(cudaStreamSynchronize(stream), self.opponent.name);
    const double host = now() - start;
    cuda(cudaEventElapsedTime(&milliseconds, shared.before, shared.after), "cudaEventElapsedTime");
    return by_device ? 1e-3 * milliseconds : host;
}

int run(bench_opponent *opponent, bench_times *times, char *why)
try {
    cuda_opponent &self = of(opponent);
    const block temporary(self.temporary_size);
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
    static cuda_opponent all[] = {
        make("cub-radix", CUDA_RADIX, 1U << BENCH_SORT | top, true),
        make("cub-merge", CUDA_MERGE, 1U << BENCH_SORT, false),
        make("thrust", CUDA_THRUST, 1U << BENCH_SORT, false),
        make("cub-segments", CUDA_SEGMENTED, segments, false),
        make("cub-seg-radix", CUDA_SEGMENTED_RADIX, segments, true),
        make("cub-topk", CUDA_TOP, top, false),
        make("cub-merge-two", CUDA_MERGE_TWO, 1U << BENCH_MERGE, true),
        make("cub-unique", CUDA_UNIQUE, 1U << BENCH_RUNS, false),
        make("thrust-check", CUDA_IS_SORTED, 1U << BENCH_CHECK, false),
        make("thrust-search", CUDA_LOWER_BOUND, 1U << BENCH_SEARCH, false)};
    enum { NUM = sizeof all / sizeof *all };
    static bench_opponent *list[NUM + 1];
    for (int i = 0; i < NUM; i++)
        list[i] = &all[i].opponent;
    return version == BENCH_OPPONENT_VERSION ? list : nullptr;
}
