/* cuda_contestant.cu: the sorts of cuda_sorts.hpp as contestants: memory, input, times and check. The
 * three share the input and the output, since only one sorts at a time. */
#include "cuda_contestant.hpp"
#include "cuda_sorts.hpp"

#include <map>
#include <stdexcept>

static const char no_memory[] = "more than the device's memory";

static void cuda(cudaError_t code, const char *call)
{
    if (code == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw versus_no_memory(no_memory);
    }
    if (code != cudaSuccess)
        throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(code));
}

namespace
{
struct kept_block {
    size_t size;
    bool is_used;
};
std::map<void *, kept_block> kept_blocks;
} // namespace

static void free_idle_blocks()
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
            throw versus_no_memory(no_memory);
    }
    ~block()
    {
        cuda_deallocate(memory);
    }
    block(const block &) = delete;
    block &operator=(const block &) = delete;
};
} // namespace

static __global__ void fill(versus_input input, void *keys, u32 *values)
{
    const u64 stride = (u64)gridDim.x * blockDim.x;
    versus_fill(&input, keys, values, (u64)blockIdx.x * blockDim.x + threadIdx.x, stride);
}

static __global__ void look(versus_input input, const void *keys, const u32 *values,
                            versus_sums *sums)
{
    const u64 stride = (u64)gridDim.x * blockDim.x;
    const u64 first = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    sums[first] = versus_look(&input, keys, values, first, stride);
}

enum { NUM_BLOCKS = 1024, BLOCK_SIZE = 256 };

/* What all contestants of the process share. */
struct versus_cuda {
    std::string text;
    cudaStream_t stream = nullptr;
    cudaEvent_t before = nullptr;
    cudaEvent_t after = nullptr;
    versus_sums *sums = nullptr;
    int num_users = 0; /* contestants between begin() and end() */
    void *keys_in = nullptr, *values_in = nullptr, *keys_out = nullptr, *values_out = nullptr;

    versus_cuda();
    bool begin(const versus_input &input);
    void end();
};

versus_cuda::versus_cuda()
{
    cudaDeviceProp properties;
    int driver = 0, runtime = 0;
    cuda(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    cuda(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    cuda(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
    cuda(cudaEventCreate(&before), "cudaEventCreate");
    cuda(cudaEventCreate(&after), "cudaEventCreate");
    cuda(cudaMalloc(&sums, NUM_BLOCKS * BLOCK_SIZE * sizeof(versus_sums)), "cudaMalloc");
    text = std::string(properties.name) + ", CUDA " + std::to_string(runtime / 1000) + "." +
           std::to_string(runtime % 1000 / 10) + ", driver for CUDA " +
           std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
}

/* The first user makes the input. False: there is not enough memory. */
bool versus_cuda::begin(const versus_input &input)
{
    const size_t keys_size = input.count * input.key_size;
    const size_t values_size = input.count * input.value_size;
    if (num_users > 0) {
        num_users++;
        return true;
    }
    void **arrays[] = {&keys_in, &values_in, &keys_out, &values_out};
    const size_t sizes[] = {keys_size, values_size, keys_size, values_size};
    for (int i = 0; i < 4; i++) {
        if (sizes[i] > 0 && cudaMalloc(arrays[i], sizes[i]) != cudaSuccess) {
            cudaGetLastError();
            end();
            return false;
        }
    }
    num_users = 1;
    fill<<<NUM_BLOCKS, BLOCK_SIZE, 0, stream>>>(input, keys_in, static_cast<u32 *>(values_in));
    cuda(cudaStreamSynchronize(stream), "making the input");
    return true;
}

void versus_cuda::end()
{
    if (num_users > 0 && --num_users > 0)
        return;
    for (void **array : {&keys_in, &values_in, &keys_out, &values_out}) {
        cudaFree(*array);
        *array = nullptr;
    }
    free_idle_blocks();
}

namespace
{

/* In the order of versus_types. */
cuda_sort *const sorts[VERSUS_NUM_TYPES] = {
    cuda_sort_u8,      cuda_sort_u16,    cuda_sort_u32,      cuda_sort_u64,
    cuda_sort_i32,     cuda_sort_f32,    cuda_sort_f64,      cuda_sort_u32_u32,
    cuda_sort_u64_u64, cuda_sort_u32_16, cuda_sort_struct16, cuda_sort_struct16};

const char *const names[NUM_CUDA_METHODS] = {"cub-radix", "cub-merge", "thrust"};

class cuda_contestant : public versus_contestant
{
  public:
    cuda_contestant(std::shared_ptr<versus_cuda> &shared, cuda_method method)
        : shared_(shared), method_(method)
    {
    }
    const char *name() const override
    {
        return names[method_];
    }
    std::string open(const versus_options &options) override;
    std::string begin(const versus_type &type, const versus_input &input) override;
    versus_sums source() override;
    versus_times run() override;
    versus_sums result() override;
    void end() override;

  private:
    versus_sums sums_of(const void *keys, const void *values);

    std::shared_ptr<versus_cuda> &shared_;
    cuda_method method_;
    cuda_sort *sort_ = nullptr;
    versus_input input_ = {};
    cuda_arrays arrays_ = {};
    size_t temporary_size_ = 0;
    bool is_begun_ = false;
};

std::string cuda_contestant::open(const versus_options &)
{
    if (!shared_)
        shared_ = std::make_shared<versus_cuda>();
    return shared_->text;
}

std::string cuda_contestant::begin(const versus_type &type, const versus_input &input)
{
    input_ = input;
    sort_ = sorts[&type - versus_types];
    if (!shared_->begin(input))
        return no_memory;
    is_begun_ = true;
    arrays_ = {shared_->keys_in, shared_->values_in, shared_->keys_out, shared_->values_out,
               input.count};
    const cudaError_t code = sort_(method_, nullptr, &temporary_size_, &arrays_, shared_->stream);
    if (code == cudaErrorNotSupported)
        return "has no sort of such keys";
    cuda(code, name());
    if (temporary_size_ == 0)
        temporary_size_ = 1;
    /* Whether there is as much; Thrust, which does not tell, takes about another copy. */
    const size_t copy_size = input.count * (input.key_size + input.value_size);
    void *memory =
        cuda_allocate(method_ == CUDA_THRUST ? copy_size + copy_size / 8 : temporary_size_);
    cuda_deallocate(memory);
    return memory ? "" : no_memory;
}

versus_sums cuda_contestant::sums_of(const void *keys, const void *values)
{
    std::vector<versus_sums> parts(NUM_BLOCKS * BLOCK_SIZE);
    look<<<NUM_BLOCKS, BLOCK_SIZE, 0, shared_->stream>>>(input_, keys,
                                                         static_cast<const u32 *>(values),
                                                         shared_->sums);
    cuda(cudaMemcpyAsync(parts.data(), shared_->sums, parts.size() * sizeof(versus_sums),
                         cudaMemcpyDeviceToHost, shared_->stream),
         "cudaMemcpyAsync");
    cuda(cudaStreamSynchronize(shared_->stream), "checking");
    versus_sums sums = {};
    for (const versus_sums &part : parts) {
        sums.disorders += part.disorders;
        sums.hash += part.hash;
        sums.placed += part.placed;
    }
    return sums;
}

versus_sums cuda_contestant::source()
{
    return sums_of(arrays_.keys_in, arrays_.values_in);
}

versus_sums cuda_contestant::result()
{
    return sums_of(arrays_.keys_out, arrays_.values_out);
}

/* The sorts in place are given the input in the output, the radix sort zeros: what the sort before
 * has left cannot pass for its own. */
versus_times cuda_contestant::run()
{
    const size_t keys_size = input_.count * input_.key_size;
    const size_t values_size = input_.count * input_.value_size;
    const cudaStream_t stream = shared_->stream;
    if (method_ == CUDA_RADIX) {
        cuda(cudaMemsetAsync(arrays_.keys_out, 0, keys_size, stream), "cudaMemsetAsync");
        if (values_size > 0)
            cuda(cudaMemsetAsync(arrays_.values_out, 0, values_size, stream), "cudaMemsetAsync");
    } else {
        cuda(cudaMemcpyAsync(arrays_.keys_out, arrays_.keys_in, keys_size, cudaMemcpyDeviceToDevice,
                             stream),
             "cudaMemcpyAsync");
        if (values_size > 0)
            cuda(cudaMemcpyAsync(arrays_.values_out, arrays_.values_in, values_size,
                                 cudaMemcpyDeviceToDevice, stream),
                 "cudaMemcpyAsync");
    }
    const block temporary(temporary_size_);
    cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");

    versus_times times;
    cuda(cudaEventRecord(shared_->before, stream), "cudaEventRecord");
    const double start = versus_now();
    cuda(sort_(method_, temporary.memory, &temporary_size_, &arrays_, stream), name());
    cuda(cudaEventRecord(shared_->after, stream), "cudaEventRecord");
    cuda(cudaStreamSynchronize(stream), name());
    times.host = versus_now() - start;
    float milliseconds = 0;
    cuda(cudaEventElapsedTime(&milliseconds, shared_->before, shared_->after),
         "cudaEventElapsedTime");
    times.device = 1e-3 * milliseconds;
    return times;
}

void cuda_contestant::end()
{
    if (is_begun_)
        shared_->end();
    is_begun_ = false;
}

} // namespace

std::vector<std::unique_ptr<versus_contestant>>
versus_cuda_contestants(std::shared_ptr<versus_cuda> &shared)
{
    std::vector<std::unique_ptr<versus_contestant>> contestants;
    for (int method = 0; method < NUM_CUDA_METHODS; method++)
        contestants.push_back(
            std::make_unique<cuda_contestant>(shared, static_cast<cuda_method>(method)));
    return contestants;
}
