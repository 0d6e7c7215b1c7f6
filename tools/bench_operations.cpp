/* bench_operations.cpp: check, merge, runs and search of u32 keys on the device, beside std::is_sorted,
 * std::merge, std::unique_copy and a loop of std::lower_bound on one thread of the host. A Markdown
 * table; every output is compared with theirs.
 *
 *     bench_operations [-r REPEAT] [LOG2...]
 *
 * The device's times are those of its steps, as clsort_get_timing() has them: no transfers. All
 * times are medians. Searches are n / 16, of keys in any order and in order. */
#define CL_TARGET_OPENCL_VERSION 120
#include <clsort/clsort.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef std::vector<cl_uint> keys;

static clsort_sorter *sorter;
static cl_command_queue queue;
static int repeat = 7;

[[noreturn]] static void fail(const char *what)
{
    fprintf(stderr, "bench_operations: %s\n", what);
    exit(1);
}

static void check(clsort_status status)
{
    if (status)
        fail(clsort_status_text(status));
}

static cl_mem buffer_of(size_t size, const void *bytes)
{
    cl_int code = CL_SUCCESS;
    cl_mem mem = clCreateBuffer(clsort_context(sorter), CL_MEM_READ_WRITE,
                                std::max<size_t>(size, 1), nullptr, &code);
    if (code ||
        (bytes && clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, size, bytes, 0, nullptr, nullptr)))
        fail("no buffer");
    return mem;
}

/* Takes what a buffer holds, and releases it. */
template <class T> static void take(cl_mem mem, std::vector<T> &to)
{
    if (clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, to.size() * sizeof(T), to.data(), 0, nullptr,
                            nullptr))
        fail("a buffer cannot be read");
    clReleaseMemObject(mem);
}

static double median(std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

static double device_seconds(const clsort_desc &desc, const clsort_buffers &buffers)
{
    std::vector<double> times;
    for (int i = -1; i < repeat; ++i) { /* the first one compiles */
        double steps[64], sum = 0;
        uint32_t num = 0;
        check(clsort_enqueue(sorter, queue, &desc, &buffers, 0, nullptr, nullptr));
        check(clsort_get_timing(sorter, steps, 64, &num));
        for (uint32_t k = 0; k < num; ++k)
            sum += steps[k];
        if (i >= 0)
            times.push_back(sum);
    }
    return median(times);
}

template <class F> static double host_seconds(F call)
{
    std::vector<double> times;
    for (int i = 0; i < repeat; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        call();
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        times.push_back(passed.count());
    }
    return median(times);
}

static void row(const char *what, size_t num, double device, const char *other, double host)
{
    printf("| %s | %zu | %.3f | %.2f | %s %.2f | %.1f |\n", what, num, device * 1e3,
           (double)num / device * 1e-9, other, host * 1e3, host / device);
    fflush(stdout);
}

static void bench_check(const keys &sorted)
{
    volatile bool is_sorted = false;
    std::vector<cl_ulong> result(1);
    clsort_desc desc = {};
    clsort_buffers buffers = {};
    desc.count = sorted.size();
    desc.operation = CLSORT_OPERATION_CHECK;
    buffers.keys.mem = buffer_of(sorted.size() * 4, sorted.data());
    buffers.result.mem = buffer_of(8, nullptr);
    const double device = device_seconds(desc, buffers);
    const double host =
        host_seconds([&] { is_sorted = std::is_sorted(sorted.begin(), sorted.end()); });
    take(buffers.result.mem, result);
    clReleaseMemObject(buffers.keys.mem);
    if (!is_sorted || result[0] != sorted.size())
        fail("check is wrong");
    row("check", sorted.size(), device, "is_sorted", host);
}

static void bench_merge(const keys &halves, uint32_t value_size)
{
    const size_t n = halves.size();
    keys merged(n), expected(n);
    clsort_desc desc = {};
    clsort_buffers buffers = {};
    desc.count = n;
    desc.first_count = n / 2;
    desc.value_size = value_size;
    desc.operation = CLSORT_OPERATION_MERGE;
    buffers.keys.mem = buffer_of(n * 4, halves.data());
    buffers.keys_out.mem = buffer_of(n * 4, nullptr);
    if (value_size) {
        buffers.values.mem = buffer_of(n * value_size, nullptr);
        buffers.values_out.mem = buffer_of(n * value_size, nullptr);
    }
    const double device = device_seconds(desc, buffers);
    const auto middle = halves.begin() + (ptrdiff_t)(n / 2);
    const double host = host_seconds(
        [&] { std::merge(halves.begin(), middle, middle, halves.end(), expected.begin()); });
    take(buffers.keys_out.mem, merged);
    clReleaseMemObject(buffers.keys.mem);
    if (value_size) {
        clReleaseMemObject(buffers.values.mem);
        clReleaseMemObject(buffers.values_out.mem);
    }
    if (merged != expected)
        fail("merge is wrong");
    row(value_size ? "merge, values of 4 B" : "merge", n, device,
        value_size ? "merge of the keys" : "merge", host);
}

static void bench_runs(const char *what, const keys &sorted, uint32_t offset_size)
{
    const size_t n = sorted.size();
    keys distinct(n), expected(n);
    std::vector<cl_ulong> result(1);
    clsort_desc desc = {};
    clsort_buffers buffers = {};
    desc.count = n;
    desc.offset_size = offset_size;
    desc.operation = CLSORT_OPERATION_RUNS;
    buffers.keys.mem = buffer_of(n * 4, sorted.data());
    buffers.keys_out.mem = buffer_of(n * 4, nullptr);
    buffers.result.mem = buffer_of(8, nullptr);
    if (offset_size)
        buffers.offsets_out.mem = buffer_of((n + 1) * offset_size, nullptr);
    const double device = device_seconds(desc, buffers);
    size_t num = 0;
    const double host = host_seconds([&] {
        num = (size_t)(std::unique_copy(sorted.begin(), sorted.end(), expected.begin()) -
                       expected.begin());
    });
    take(buffers.keys_out.mem, distinct);
    take(buffers.result.mem, result);
    clReleaseMemObject(buffers.keys.mem);
    if (offset_size)
        clReleaseMemObject(buffers.offsets_out.mem);
    if (result[0] != num ||
        !std::equal(expected.begin(), expected.begin() + (ptrdiff_t)num, distinct.begin()))
        fail("runs are wrong");
    row(what, n, device, "unique_copy", host);
}

static void bench_search(const char *what, const keys &sorted, const keys &queries)
{
    const size_t num = queries.size();
    keys lower(num), expected(num);
    clsort_desc desc = {};
    clsort_buffers buffers = {};
    desc.count = sorted.size();
    desc.num_queries = num;
    desc.index_size = 4;
    desc.operation = CLSORT_OPERATION_SEARCH;
    buffers.keys.mem = buffer_of(sorted.size() * 4, sorted.data());
    buffers.queries.mem = buffer_of(num * 4, queries.data());
    buffers.lower.mem = buffer_of(num * 4, nullptr);
    const double device = device_seconds(desc, buffers);
    const double host = host_seconds([&] {
        for (size_t i = 0; i < num; ++i)
            expected[i] = (cl_uint)(std::lower_bound(sorted.begin(), sorted.end(), queries[i]) -
                                    sorted.begin());
    });
    take(buffers.lower.mem, lower);
    clReleaseMemObject(buffers.keys.mem);
    clReleaseMemObject(buffers.queries.mem);
    if (lower != expected)
        fail("search is wrong");
    row(what, num, device, "lower_bound", host);
}

static void bench(int log2)
{
    const size_t n = (size_t)1 << log2;
    keys halves(n), queries(n / 16);
    cl_ulong state = 1;
    for (size_t i = 0; i < n; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        halves[i] = (cl_uint)(state >> 32);
    }
    std::copy_n(halves.begin(), queries.size(), queries.begin());
    std::sort(halves.begin(), halves.begin() + (ptrdiff_t)(n / 2));
    std::sort(halves.begin() + (ptrdiff_t)(n / 2), halves.end());
    keys sorted = halves;
    std::inplace_merge(sorted.begin(), sorted.begin() + (ptrdiff_t)(n / 2), sorted.end());
    bench_check(sorted);
    bench_merge(halves, 0);
    bench_merge(halves, 4);
    bench_runs("runs, random keys", sorted, 0);
    bench_runs("runs and offsets, random keys", sorted, 4);
    keys few = sorted;
    for (cl_uint &key : few)
        key >>= 24;
    bench_runs("runs, 256 keys", few, 0);
    bench_search("search in any order", sorted, queries);
    std::sort(queries.begin(), queries.end());
    bench_search("search in order", sorted, queries);
}

int main(int argc, char **argv)
{
    std::vector<int> sizes;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "-r") == 0 && i + 1 < argc)
            repeat = std::max(1, atoi(argv[++i]));
        else if (atoi(argv[i]) >= 8 && atoi(argv[i]) <= 31)
            sizes.push_back(atoi(argv[i]));
        else
            fail("usage: bench_operations [-r REPEAT] [LOG2...], of 8 to 31");
    }
    if (sizes.empty())
        sizes = {20, 24};
    check(clsort_create(nullptr, nullptr, &sorter));
    cl_int code = CL_SUCCESS;
    queue = clCreateCommandQueue(clsort_context(sorter), clsort_device(sorter),
                                 CL_QUEUE_PROFILING_ENABLE, &code);
    if (code)
        fail("no queue");
    check(clsort_set_timing(sorter, 1));
    puts("| operation | keys or queries | ms | G/s | std::, one thread, ms | times as fast |");
    puts("|---|---|---|---|---|---|");
    for (int size : sizes)
        bench(size);
    clReleaseCommandQueue(queue);
    clsort_destroy(sorter);
    return 0;
}
