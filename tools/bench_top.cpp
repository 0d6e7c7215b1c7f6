/* bench_top.cpp: skip and limit beside a sort of all by the library, and on CPUs beside std::partial_sort
 * and std::nth_element. A Markdown table of medians in milliseconds; every output is checked.
 *
 *     bench_top [-r REPEAT] [-c PART] [-s] [LOG2...]
 *
 * -c: the cases whose names have PART in them. -s: the device's time of each step, in microseconds.
 *
 * A time is that of one of several sorts enqueued one behind another, so that a launch's way to the
 * device is not in it. CUDA 13.0 has no DeviceTopK: there the opponent is a sort of all. */
#define CL_TARGET_OPENCL_VERSION 120
#include <clsort/clsort.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

constexpr int BATCH = 5;

struct Case {
    const char *name;
    clsort_type type;
    unsigned row_bits; /* rows of 2^row_bits keys; 0: one array */
    uint64_t limit;
    int is_median;
    int indices;
    const char *data;
};

const Case cases[] = {
    {"u32, k = 100", CLSORT_U32, 0, 100, 0, 0, "random"},
    {"u32, k = 100 and indices", CLSORT_U32, 0, 100, 0, 1, "random"},
    {"u32, k = 10,000", CLSORT_U32, 0, 10000, 0, 0, "random"},
    {"u32, k = 100,000", CLSORT_U32, 0, 100000, 0, 0, "random"},
    {"f32, k = 10,000", CLSORT_F32, 0, 10000, 0, 0, "random"},
    {"u64, k = 10,000", CLSORT_U64, 0, 10000, 0, 0, "random"},
    {"u32, half equal, k = 10,000", CLSORT_U32, 0, 10000, 0, 0, "half"},
    {"u32, all equal, k = 10,000", CLSORT_U32, 0, 10000, 0, 0, "equal"},
    {"u32, median", CLSORT_U32, 0, 1, 1, 0, "random"},
    {"f32, k = 2048 and indices", CLSORT_F32, 0, 2048, 0, 1, "random"},
    {"f32, rows of 2^7, k = 8", CLSORT_F32, 7, 8, 0, 1, "random"},
    {"f32, rows of 2^10, k = 64", CLSORT_F32, 10, 64, 0, 1, "random"},
    {"f32, rows of 2^13, k = 64", CLSORT_F32, 13, 64, 0, 1, "random"},
    {"f32, rows of 2^15, k = 64", CLSORT_F32, 15, 64, 0, 1, "random"},
    {"f32, rows of 2^17, k = 64", CLSORT_F32, 17, 64, 0, 1, "random"},
};

struct Device {
    clsort_sorter *sorter = nullptr;
    cl_command_queue queue = nullptr;
    bool shows_steps = false;
};

[[noreturn]] void fail(const char *what)
{
    std::fprintf(stderr, "bench_top: %s\n", what);
    std::exit(1);
}

void check(clsort_status status)
{
    if (status)
        fail(clsort_status_text(status));
}

double seconds_of(const std::function<void()> &work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median_of(int repeat, const std::function<double()> &time)
{
    std::vector<double> times;
    time(); /* compiles */
    for (int i = 0; i < repeat; i++)
        times.push_back(time());
    std::sort(times.begin(), times.end());
    return 1e3 * times[times.size() / 2];
}

uint64_t random_number(uint64_t i)
{
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

template <typename Key> std::vector<Key> make_keys(const Case &c, uint64_t n)
{
    std::vector<Key> keys(n);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t x = random_number(i);
        const bool is_equal = c.data[0] == 'e' || (c.data[0] == 'h' && x >> 63);
        if (c.type == CLSORT_F32) {
            const float f = static_cast<float>(x >> 40) / 3.0f;
            std::memcpy(&keys[i], &f, sizeof f);
        } else {
            keys[i] = is_equal ? static_cast<Key>(12345) : static_cast<Key>(x);
        }
    }
    return keys;
}

cl_mem make_buffer(const Device &device, size_t size, const void *from)
{
    cl_int code = 0;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (from ? CL_MEM_COPY_HOST_PTR : 0);
    cl_mem mem = clCreateBuffer(clsort_context(device.sorter), flags, size,
                                const_cast<void *>(from), &code);
    if (!mem)
        fail("clCreateBuffer failed");
    return mem;
}

double time_sorts(const Device &device, const clsort_desc &desc, const clsort_buffers &buffers)
{
    return seconds_of([&] {
               for (int i = 0; i < BATCH; i++)
                   check(clsort_enqueue(device.sorter, device.queue, &desc, &buffers, 0, nullptr,
                                        nullptr));
               clFinish(device.queue);
           }) /
           BATCH;
}

/* The host's: [skip, skip + limit) of one array of numbers. */
template <typename Key> double time_host(const Case &c, const std::vector<Key> &keys, uint64_t skip)
{
    std::vector<Key> copy = keys;
    return seconds_of([&] {
        if (c.is_median)
            std::nth_element(copy.begin(), copy.begin() + static_cast<long>(skip), copy.end());
        else
            std::partial_sort(copy.begin(), copy.begin() + static_cast<long>(c.limit), copy.end());
    });
}

template <typename Key> void run(const Device &device, const Case &c, unsigned log2, int repeat)
{
    const uint64_t n = uint64_t{1} << log2;
    const uint64_t count = c.row_bits ? uint64_t{1} << c.row_bits : n;
    if (count > n || c.limit > count / 8)
        return;
    clsort_desc desc = CLSORT_ZERO, all = CLSORT_ZERO;
    desc.count = count;
    desc.num_arrays = n / count;
    desc.type = c.type;
    all = desc;
    desc.limit = c.limit;
    desc.skip = c.is_median ? count / 2 : 0;
    desc.out_of_place = all.out_of_place = 1;
    desc.index_size = c.indices ? 4 : 0;
    const uint64_t wanted = desc.num_arrays * c.limit;
    const std::vector<Key> keys = make_keys<Key>(c, n);
    clsort_buffers buffers = CLSORT_ZERO, whole = CLSORT_ZERO;
    buffers.keys.mem = whole.keys.mem = make_buffer(device, n * sizeof(Key), keys.data());
    buffers.keys_out.mem = make_buffer(device, wanted * sizeof(Key), nullptr);
    whole.keys_out.mem = make_buffer(device, n * sizeof(Key), nullptr);
    if (c.indices)
        buffers.indices.mem = make_buffer(device, wanted * 4, nullptr);
    const double ms = median_of(repeat, [&] { return time_sorts(device, desc, buffers); });
    const double all_ms = median_of(repeat, [&] { return time_sorts(device, all, whole); });
    std::vector<Key> got(wanted), sorted(n);
    std::vector<uint32_t> indices(c.indices ? wanted : 0);
    clEnqueueReadBuffer(device.queue, buffers.keys_out.mem, CL_TRUE, 0, wanted * sizeof(Key),
                        got.data(), 0, nullptr, nullptr);
    clEnqueueReadBuffer(device.queue, whole.keys_out.mem, CL_TRUE, 0, n * sizeof(Key),
                        sorted.data(), 0, nullptr, nullptr);
    if (c.indices)
        clEnqueueReadBuffer(device.queue, buffers.indices.mem, CL_TRUE, 0, wanted * 4,
                            indices.data(), 0, nullptr, nullptr);
    for (uint64_t i = 0; i < wanted; i++) {
        const uint64_t array = i / c.limit, at = i % c.limit;
        if (got[i] != sorted[array * count + desc.skip + at])
            fail("a wrong key");
        if (c.indices && keys[array * count + indices[i]] != got[i])
            fail("a wrong index");
        if (c.indices && at && got[i] == got[i - 1] && indices[i] <= indices[i - 1])
            fail("equal keys are not in the order of their indices");
    }
    clsort_plan plan;
    std::vector<clsort_step> steps(256);
    check(clsort_get_plan(device.sorter, &desc, &plan, steps.data(), 256));
    if (device.shows_steps) {
        std::vector<double> seconds(256);
        uint32_t num = 0;
        check(clsort_set_timing(device.sorter, 1));
        time_sorts(device, desc, buffers);
        check(clsort_get_timing(device.sorter, seconds.data(), 256, &num));
        check(clsort_set_timing(device.sorter, 0));
        for (uint32_t i = 0; i < num; i++)
            std::printf("%s %.1f%s", steps[i].kernel, 1e6 * seconds[i], i + 1 < num ? ", " : "\n");
    }
    std::string host = "";
    cl_device_type type = 0;
    clGetDeviceInfo(clsort_device(device.sorter), CL_DEVICE_TYPE, sizeof type, &type, nullptr);
    if (type & CL_DEVICE_TYPE_CPU && !c.row_bits && c.type != CLSORT_F32) {
        char text[32];
        std::snprintf(text, sizeof text, "%.3f",
                      median_of(repeat, [&] { return time_host(c, keys, desc.skip); }));
        host = text;
    }
    std::printf("| 2^%u %s | %.3f | %u | %.3f | %.1f | %s |\n", log2, c.name, ms, plan.num_steps,
                all_ms, all_ms / ms, host.c_str());
    std::fflush(stdout);
    for (cl_mem mem : {buffers.keys.mem, buffers.keys_out.mem, whole.keys_out.mem,
                       buffers.indices.mem})
        if (mem)
            clReleaseMemObject(mem);
}

} // namespace

int main(int argc, char **argv)
{
    int repeat = 9;
    std::vector<unsigned> sizes;
    const char *part = "";
    Device device;
    for (int i = 1; i < argc; i++) {
        if (!std::strcmp(argv[i], "-r") && i + 1 < argc)
            repeat = std::atoi(argv[++i]);
        else if (!std::strcmp(argv[i], "-c") && i + 1 < argc)
            part = argv[++i];
        else if (!std::strcmp(argv[i], "-s"))
            device.shows_steps = true;
        else
            sizes.push_back(static_cast<unsigned>(std::atoi(argv[i])));
    }
    if (sizes.empty())
        sizes = {20, 24};
    check(clsort_create(nullptr, nullptr, &device.sorter));
    cl_int code = 0;
    device.queue = clCreateCommandQueue(clsort_context(device.sorter),
                                        clsort_device(device.sorter),
                                        CL_QUEUE_PROFILING_ENABLE, &code);
    if (!device.queue)
        fail("clCreateCommandQueue failed");
    std::printf("| keys | ms | launches | a sort of all | times | std::partial_sort, "
                "std::nth_element |\n|---|---|---|---|---|---|\n");
    for (unsigned log2 : sizes)
        for (const Case &c : cases) {
            if (!std::strstr(c.name, part))
                continue;
            if (c.type == CLSORT_U64)
                run<uint64_t>(device, c, log2, repeat);
            else
                run<uint32_t>(device, c, log2, repeat);
        }
    clReleaseCommandQueue(device.queue);
    clsort_destroy(device.sorter);
    return 0;
}
